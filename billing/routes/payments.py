"""Payments as the clerk records them."""

from collections.abc import Sequence
from typing import Any

from flask import abort, request

from billing import actions, queries
from billing.actions.documents import set_against
from billing.forms import REFUSED_AT, PaymentForm
from billing.models import Entry, Payment
from billing.routes.base import account_here, bp, letter_of
from office import formats
from office.access import Role
from office.db import db
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal


@page(bp, "/clerk/payments/new", Role.CLERK, methods=("GET", "POST"), asks_again=True)
def new_payment(here: Page) -> Any:
    """Record money received; it goes to the oldest unpaid invoice first."""
    form = PaymentForm(account=request.args.get("account", type=int), received_on=here.today)
    lines = queries.accounts(here.plant.id)
    form.account.choices = [(line.account_id, f"{line.name}: {_owes(line.balance_cents)}") for line in lines]
    if form.validate_on_submit():
        result = actions.record_payment(
            here.plant, account_here(here, form.account.data), int(form.amount.data * 100), form.method.data,
            form.reference.data, form.received_on.data, ahead=form.ahead.data,
            another=form.another.data, by=here.by, at=here.at, law=here.law,
        )  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("billing.receipt", number=result.number)
        form.refuse(REFUSED_AT.get(result.code), result.why)
    return here.show("billing/new_payment.html", form=form, lines=lines)


def _owes(cents: int) -> str:
    if cents < 0:
        return f"{formats.money(-cents)} credit"
    return f"owes {formats.money(cents)}" if cents else "owes nothing"


def _moved(payment: Payment, entry: Entry, printed: Sequence[dict[str, str]]) -> str:
    """What the payment counts for now, in words, where that is no longer what its receipt prints; else ""."""
    charge = db.session.get_one(Entry, payment.charge_id) if payment.charge_id is not None else None
    # A charge paid at the desk and taken back leaves its money free for invoices.
    charge = None if charge is None or queries.reversal_of(charge.id) is not None else charge
    now = set_against(payment, -entry.amount_cents, charge)
    return "" if now == printed else "; ".join(f"{row['what']} {row['amount']}" for row in now)


@page(bp, "/clerk/receipts/<number>", Role.CLERK)
def receipt(here: Page, number: str) -> Any:
    """A payment that was recorded, with its receipt to print."""
    payment, entry = queries.payment_named(here.plant.id, number) or abort(404)
    account = account_here(here, payment.account_id)
    letter, back = letter_of(payment.letter_id), queries.reversal_of(entry.id)
    printed: dict[str, Any] = letter.data if letter is not None else {"rows": [], "balance": ""}
    moved = "" if back else _moved(payment, entry, printed["rows"])
    free = 0 if back else sum(cents for one, cents in queries.free_money(account.id) if one.id == payment.id)
    return here.show(
        "billing/receipt.html", free=free, given_up=queries.written_off(account.id) if free else [],
        payment=payment, entry=entry, account=account, printed=printed, back=back,
        party=db.session.get_one(Party, account.party_id), moved=moved, form=None,
    )  # fmt: skip
