"""What the gate may ask of an account."""

from datetime import date

from billing.models import Account, Invoice
from billing.queries.invoices import disputed_cents, open_invoices
from office.db import db
from ordinances.reader import Law

HOLD_DAYS = "billing.gate_hold_days"


def account_hold(account_id: int, law: Law, day: date) -> tuple[Invoice, int] | None:
    """(invoice, unpaid cents) for which the gate is shut to an account on a day; None where it is open.

    The oldest invoice unpaid for more days after its last one in time than the law waits (``billing.gate_hold_days``);
    what is in dispute does not count. Nothing is stored: paying opens the gate at once.
    """
    if not law.has(HOLD_DAYS, day):
        return None
    waits: int = law.value(HOLD_DAYS, day)
    for invoice, cents in open_invoices(db.session.get_one(Account, account_id).plant_id, account_id):
        left = cents - disputed_cents(invoice.id)
        if left > 0 and invoice.due_on is not None and (day - invoice.due_on).days > waits:
            return invoice, left
    return None
