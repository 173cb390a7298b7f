"""What the clerk puts right: credits, void invoices, write-offs, returned checks, and what a payment counts for."""

from collections.abc import Callable
from typing import Any

from flask import abort

from billing import actions, queries
from billing.actions.deposits import draw_deposit, overdue
from billing.forms import CreditForm, ReasonForm, RefundForm, VoidForm, spread_form
from billing.models import Invoice
from billing.routes.base import account_here, bp, invoice_here
from office import formats
from office.access import Role
from office.db import db
from office.forms import Form
from office.pages import Page, page
from office.people import Party
from ordinances.refusal import Refusal

BOTH = ("GET", "POST")
AT = {"too_much": "amount", "amount_not_positive": "amount", "no_credit": "amount", "no_reason": "reason",
      "method_unknown": "method"}  # fmt: skip


def _change(here: Page, form: Form, act: Callable[[], Any], done: Callable[[Any], Any], **shown: Any) -> Any:
    """A page of one form that does one act: what it refuses is shown at the form."""
    if form.validate_on_submit():
        result = act()
        if not isinstance(result, Refusal):
            return done(result)
        form.refuse(_where(form, result), result.why)
    return here.show("billing/change.html", form=form, **shown)


def _where(form: Form, refusal: Refusal) -> str | None:
    """The field a refusal is about; None for what no field of the form could put right."""
    name = f"invoice_{refusal.details['invoice']}" if "invoice" in refusal.details else AT.get(refusal.code)
    return name if name in form else None


@page(bp, "/clerk/accounts/<int:account_id>/credit/<int:entry_id>", Role.CLERK, methods=BOTH)
def credit(here: Page, account_id: int, entry_id: int) -> Any:
    """Credit part of an invoiced charge, or all that is left of it."""
    account = account_here(here, account_id)
    entry = queries.entry_named(here.plant.id, account.id, entry_id) or abort(404)
    form, left = CreditForm(), queries.left_of(entry)

    def act() -> Any:
        cents = None if form.amount.data is None else int(form.amount.data * 100)
        return actions.credit_charge(entry, cents, form.reason.data, by=here.by, at=here.at, law=here.law)

    return _change(
        here, form, act,
        lambda made: here.done("billing.account_ledger", account_id=account.id,
                               said=f"Credited: {formats.money(-made.amount_cents)} of {entry.what}."),
        title="Credit a charge", button="Credit it", back=("billing.account_ledger", {"account_id": account.id}),
        facts=[("Hauler", db.session.get_one(Party, account.party_id).name), ("Day", formats.day(entry.day)),
               ("What", entry.what), ("For", entry.source_label), ("Charged", formats.money(entry.amount_cents)),
               ("Left of it", formats.money(left))],
        words="A line for the credit is added, dated today. The invoice asks for so much less; what was paid for it "
              "becomes credit. The charge itself stays.",
    )  # fmt: skip


@page(bp, "/clerk/accounts/<int:account_id>/draw/<int:entry_id>", Role.CLERK, methods=BOTH)
def draw(here: Page, account_id: int, entry_id: int) -> Any:
    """Draw on a deposit for what is not paid."""
    account = account_here(here, account_id)
    entry = queries.entry_named(here.plant.id, account.id, entry_id) or abort(404)
    form, found = ReasonForm(), overdue(here.plant, account.id, here.today)
    return _change(
        here, form, lambda: draw_deposit(entry, form.reason.data, by=here.by, at=here.at, law=here.law),
        lambda made: here.done("billing.account_ledger", account_id=account.id,
                               said=f"Drawn on the deposit: {formats.money(sum(one.amount_cents for one in made))}."),
        title="Draw on a deposit", button="Draw on it", back=("billing.account_ledger", {"account_id": account.id}),
        facts=[("Hauler", db.session.get_one(Party, account.party_id).name), ("Deposit", entry.what),
               ("For", entry.source_label), ("Left of it", formats.money(queries.left_of(entry))),
               *((f"Overdue of {one.number}", formats.money(cents)) for one, cents in found),
               ("Overdue", formats.money(sum(cents for _, cents in found)))],
        words="What is overdue and not in dispute is paid out of the deposit, as far as it goes, and as much is "
              "charged again as a deposit. The hauler is told.",
        nothing="" if found else "Nothing is overdue that the deposit could pay.",
    )  # fmt: skip


def _of_invoice(found: Invoice) -> dict[str, Any]:
    unpaid = queries.unpaid_cents(found.id)
    facts = [("Invoice", found.number), ("To", found.party_name), ("Made", formats.day(found.issued_on)),
             ("Total", formats.money(found.total_cents)), ("Unpaid", formats.money(unpaid))]  # fmt: skip
    return {"facts": facts, "back": ("billing.invoice", {"number": found.number})}


@page(bp, "/clerk/invoices/<number>/credit", Role.CLERK, methods=BOTH)
def credit_invoice(here: Page, number: str) -> Any:
    """Credit all that is left of an invoice."""
    found, form = invoice_here(here, number), ReasonForm()
    return _change(
        here, form,
        lambda: actions.credit_invoice(found, form.reason.data, by=here.by, at=here.at, law=here.law),
        lambda made: here.done("billing.invoice", number=number, said=f"Invoice {number} is credited."),
        title="Credit the whole invoice", button="Credit it", **_of_invoice(found),
        words="Each line is credited as far as it is left, dated today. What was paid becomes credit for the next one.",
    )  # fmt: skip


@page(bp, "/clerk/invoices/<number>/write-off", Role.CLERK, methods=BOTH)
def write_off(here: Page, number: str) -> Any:
    """Give up asking for what is unpaid of an invoice."""
    found, form = invoice_here(here, number), ReasonForm()
    return _change(
        here, form,
        lambda: actions.write_off(found, form.reason.data, by=here.by, at=here.at, law=here.law),
        lambda made: here.done("billing.invoice", number=number, said=f"The rest of invoice {number} is written off."),
        title="Write off what is unpaid", button="Write it off", danger=True, **_of_invoice(found),
        words="The city stops asking for what is unpaid. The lines stay, with who gave it up and why.",
    )  # fmt: skip


@page(bp, "/clerk/invoices/<number>/void", Role.CLERK, methods=BOTH)
def void_invoice(here: Page, number: str) -> Any:
    """Make an invoice void, and the same charges on a new one."""
    found, form = invoice_here(here, number), VoidForm(again=True)

    def done(made: Any) -> Any:
        if made is None:
            return here.done("billing.invoice", number=number, said=f"Invoice {number} is void.")
        said = f"Invoice {number} is void; {made.number} takes its place."
        return here.done("billing.invoice", number=made.number, said=said)

    return _change(
        here, form,
        lambda: actions.void_invoice(here.plant, found, form.reason.data, again=form.again.data, by=here.by,
                                     at=here.at, law=here.law),
        done, title="Void an invoice", button="Make it void", danger=True, **_of_invoice(found),
        words="Its lines are taken back and its number stays used. The hauler is told not to pay it.",
    )  # fmt: skip


@page(bp, "/clerk/invoices/<number>/send", Role.CLERK, methods=("POST",))
def send_again(here: Page, number: str) -> Any:
    """Send an invoice once more, as it was made."""
    found = invoice_here(here, number)
    sent = actions.send_invoice_again(here.plant, found, by=here.by, at=here.at, law=here.law)
    if isinstance(sent, Refusal):
        return here.refuse(sent, title="This invoice is not sent again", next=[])
    return here.done("billing.invoice", number=number, said=f"Invoice {number} is sent again.")


@page(bp, "/clerk/accounts/<int:account_id>/refund", Role.CLERK, methods=BOTH)
def refund(here: Page, account_id: int) -> Any:
    """Pay credit back."""
    account, form = account_here(here, account_id), RefundForm()

    def act() -> Any:
        cents = None if form.amount.data is None else int(form.amount.data * 100)
        return actions.refund_credit(here.plant, account, cents, form.method.data, form.reference.data,
                                     form.reason.data, by=here.by, at=here.at, law=here.law)  # fmt: skip

    back = ("billing.account_ledger", {"account_id": account.id})
    return _change(
        here, form, act,
        lambda made: here.done(back[0], account_id=account.id,
                               said=f"Paid back: {formats.money(sum(one.amount_cents for one in made))}."),
        title="Pay credit back", button="Record that it is paid back", back=back,
        facts=[("Hauler", db.session.get_one(Party, account.party_id).name),
               ("Credit", formats.money(queries.credit_cents(account.id)))],
        words="A line for the refund is added, dated today. What is charged and on no invoice yet is kept back for it.",
    )  # fmt: skip


@page(bp, "/clerk/receipts/<number>/returned", Role.CLERK, methods=BOTH)
def check_returned(here: Page, number: str) -> Any:
    """The bank sent a check back."""
    payment, entry = queries.payment_named(here.plant.id, number) or abort(404)
    account, form = account_here(here, payment.account_id), ReasonForm()
    return _change(
        here, form,
        lambda: actions.return_check(here.plant, payment, form.reason.data, by=here.by, at=here.at, law=here.law),
        lambda made: here.done("billing.account_ledger", account_id=account.id, said=f"Receipt {number}: taken back."),
        title="The check came back", button="Take the payment back", danger=True,
        back=("billing.receipt", {"number": number}),
        facts=[("Hauler", db.session.get_one(Party, account.party_id).name), ("Receipt", number), ("How", entry.what),
               ("Received", formats.day(payment.received_on)), ("Amount", formats.money(-entry.amount_cents))],
        words="The payment is taken back, dated today: what it paid is owed again, and so is what was paid back of it. "
              "What the charges say of a returned check is charged.",
    )  # fmt: skip


@page(bp, "/clerk/receipts/<number>/spread", Role.CLERK, methods=BOTH)
def spread(here: Page, number: str) -> Any:
    """Say which invoices a payment is for; what is left goes to the oldest."""
    payment, entry = queries.payment_named(here.plant.id, number) or abort(404)
    account = account_here(here, payment.account_id)
    held = {invoice.id: (invoice, cents) for invoice, cents in queries.parts_of_payment(payment.id)}
    unpaid = {invoice.id: (invoice, cents) for invoice, cents in queries.open_invoices(here.plant.id, account.id)}
    invoices = [(held.get(ident) or unpaid[ident])[0] for ident in sorted({*held, *unpaid})]
    form = spread_form([(one.id, one.number) for one in invoices], {ident: cents for ident, (_, cents) in held.items()})
    return _change(
        here, form,
        lambda: actions.spread_payment(here.plant, payment, form.cents(), by=here.by, at=here.at, law=here.law),
        lambda made: here.done("billing.receipt", number=number, said="The payment counts as entered."),
        title="What the payment counts for", button="Set it so", back=("billing.receipt", {"number": number}),
        facts=[("Hauler", db.session.get_one(Party, account.party_id).name),
               ("Received", formats.money(-entry.amount_cents)),
               *((f"Unpaid of {one.number}", formats.money(cents)) for one, cents in unpaid.values())],
        words="Enter how much goes to each invoice. What is left goes to the oldest unpaid one, but for what is in "
              "dispute; with nothing entered all of it does.",
    )  # fmt: skip
