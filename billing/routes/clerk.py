"""The clerk's ledger and invoices."""

from datetime import date
from typing import Any

from flask import abort, request

from billing import actions, queries
from billing.forms import ConfirmForm, EarlyForm, ReverseForm
from billing.models import Invoice
from billing.queries.deposits import deposits_among, drawn_for
from billing.routes.base import account_here, bp, invoice_here, shown_invoice
from billing.states import EntryKind
from office import formats
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.people import Party
from ordinances.late import is_due, late_dates
from ordinances.refusal import Refusal

# A long run is made in parts of so many haulers: each is answered within seconds, and is kept whatever comes after.
# It goes on unasked for so many seconds.
PART, GOES_ON = 25, 180
NAMED = {"hauler": "hauler", "month": "month", "kind": "kind of line"}


@page(bp, "/clerk/ledger", Role.CLERK)
def ledger(here: Page) -> Any:
    """Every account with what it owes; or the lines of a hauler, a month, a kind."""
    accounts = queries.accounts(here.plant.id)
    sought, wrong = _sought({str(one.account_id): one.account_id for one in accounts})
    own = queries.own_lines(sought) if sought.account_id is not None else []
    found = queries.find_lines(here.plant.id, sought) if sought.any and sought.account_id is None else None
    return here.show(
        "billing/ledger.html", accounts=accounts, sought=sought, own=own, found=found, kinds=queries.KIND_WORDS,
        months=queries.months(here.plant.id, here.today), most=queries.MOST, form=None, wrong=wrong,
    )  # fmt: skip


def _sought(accounts: dict[str, int]) -> tuple[queries.LinesSought, list[str]]:
    """The lines an address asks for, and in words what of it is nothing here and narrows nothing."""
    asked = {name: request.args.get(name, "").strip()[:80] for name in ("hauler", "month", "kind")}
    account = accounts.get(asked["hauler"])
    kind = EntryKind(asked["kind"]) if asked["kind"] in set(EntryKind) else None
    try:
        month = date.fromisoformat(f"{asked['month']}-01") if asked["month"] else None
    except ValueError:
        month = None
    wrong = [f"There is no {NAMED[name]} “{asked[name]}” here. Choose one from the list."
             for name, found in (("hauler", account), ("month", month), ("kind", kind))
             if asked[name] and not found]  # fmt: skip
    return queries.LinesSought(account, month, kind), wrong


@page(bp, "/clerk/accounts/<int:account_id>", Role.CLERK)
def account_ledger(here: Page, account_id: int) -> Any:
    """One account line by line."""
    account = account_here(here, account_id)
    lines = queries.ledger(account.id)
    asked = [line.entry for line in lines if line.invoice_number and not line.reversed_by]
    return here.show(
        "billing/account.html", account=account, party=db.session.get_one(Party, account.party_id),
        lines=lines, balance=queries.balance_cents(account.id),
        waiting=queries.open_charges_cents(account.id), damages=queries.damages(here.plant.id, account.id),
        credit=queries.credit_cents(account.id), form=None, deposits=deposits_among(here.plant, asked),
    )  # fmt: skip


@page(bp, "/clerk/accounts/<int:account_id>/reverse/<int:entry_id>", Role.CLERK, methods=("GET", "POST"))
def reverse(here: Page, account_id: int, entry_id: int) -> Any:
    """Take one line of an account back, with a reason."""
    account = account_here(here, account_id)
    entry = queries.entry_named(here.plant.id, account.id, entry_id) or abort(404)
    form = ReverseForm()
    if form.validate_on_submit():
        result = actions.take_back_line(entry, form.reason.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result, title="This line cannot be taken back", next=[])
        said = f"Taken back: {entry.what}, {formats.money(entry.amount_cents)}."
        return here.done("billing.account_ledger", account_id=account.id, said=said)
    party = db.session.get_one(Party, account.party_id)
    return here.show("billing/reverse.html", form=form, account=account, entry=entry, party=party,
                     back=queries.reversal_of(entry.id), drawn_for=drawn_for(entry),
                     of_load=entry.kind == EntryKind.CHARGE and entry.source_kind == "load")  # fmt: skip


@page(bp, "/clerk/invoices", Role.CLERK)
def invoices(here: Page) -> Any:
    """The newest invoices with what is unpaid."""
    views = queries.invoice_states(here.plant.id, here.today)
    return here.show("billing/invoices.html", views=views, form=None)


@page(bp, "/clerk/invoices/run", Role.CLERK, methods=("GET", "POST"))
def run_invoices(here: Page) -> Any:
    """Look at what waits for an invoice, then make all invoices: a long run in parts, with how far it is."""
    before = queries.billed_before(here.law, here.today)
    waiting, of = queries.unbilled(here.plant.id, before=before), _going_on(here)
    early = None if of else queries.too_early(here.plant.id, here.law, here.today)
    form = EarlyForm() if early and waiting else ConfirmForm()
    if form.validate_on_submit():
        made = actions.make_invoices(here.plant, before=before, most=PART, by=here.by, at=here.at, law=here.law)
        if len(waiting) > PART:
            return here.done("billing.run_invoices", of=of or len(waiting), then=int(here.at.timestamp()))
        return here.done("billing.invoices", said=_made(made, of))
    due = late_dates(here.law, here.today)[0] if is_due(here.law, here.today) else None
    return here.show("billing/run_invoices.html", form=form, waiting=waiting, due=due, early=early,
                     of=of if of > len(waiting) else 0, then=request.args.get("then"),
                     held=queries.held_back(here.plant.id), by_load=before is not None)  # fmt: skip


def _going_on(here: Page) -> int:
    """The haulers of a run whose last part was made just now: the clerk was asked before it. 0 without one."""
    seconds = int(here.at.timestamp()) - request.args.get("then", 0, type=int)
    return request.args.get("of", 0, type=int) if 0 <= seconds < GOES_ON else 0


def _made(made: list[Invoice], of: int) -> str:
    if of:
        return f"The run is over: {formats.plural(of, 'hauler')} invoiced."
    total = formats.money(sum(invoice.total_cents for invoice in made))
    return f"{formats.plural(len(made), 'invoice')} made: {total} together." if made else "Nothing new to invoice."


@page(bp, "/clerk/invoices/<number>", Role.CLERK)
def invoice(here: Page, number: str) -> Any:
    """One invoice: lines, payments, what is left."""
    found = invoice_here(here, number)
    return here.show("billing/invoice.html", invoice=found, mine=False, form=None, **shown_invoice(here, found))
