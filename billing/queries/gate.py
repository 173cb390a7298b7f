"""What the gate may ask of an account."""

from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Integer, bindparam, func, select

from billing.models import Allocation, Invoice
from billing.queries.invoices import charged, disputed_cents, paid
from office.db import db
from ordinances.reader import Law

HOLD_DAYS = "billing.gate_hold_days"


def account_hold(account_id: int, law: Law, day: date, at: datetime | None = None) -> tuple[Invoice, int] | None:
    """(invoice, unpaid cents) for which the gate is shut to an account on a day; None where it is open.

    The oldest invoice unpaid for more days after its last one in time than the law waits (``billing.gate_hold_days``);
    what is in dispute does not count. Nothing is stored: paying opens the gate at once, from then on only. ``at`` is
    the time of a load told of later: what was paid, credited or disputed since then is left out.
    """
    if not law.has(HOLD_DAYS, day):
        return None
    last = day - timedelta(days=int(law.value(HOLD_DAYS, day)))
    given: dict[str, Any] = {"account": account_id, "before": last, "end_of": day}
    query = _unpaid_then(at is not None)
    for invoice, cents in db.session.execute(query, given | ({"at": at} if at is not None else {})):
        left = int(cents) - disputed_cents(invoice.id, day)
        if left > 0:
            return invoice, left
    return None


@cache
def _unpaid_then(by_hour: bool) -> Any:
    """An account's invoices due before a day that were unpaid at the end of another, the oldest first. ``by_hour``:
    money of that day entered only after an instant had not come yet."""
    end_of: Any = bindparam("end_of")
    left = charged(end_of) - paid(end_of)
    if by_hour:
        later = select(func.coalesce(func.sum(Allocation.amount_cents), 0, type_=Integer)).where(
            Allocation.invoice_id == Invoice.id, Allocation.on_day == end_of, Allocation.written_at > bindparam("at"),
        )  # fmt: skip
        left = left + later.correlate(Invoice).scalar_subquery()
    return (
        select(Invoice, left)
        .where(Invoice.account_id == bindparam("account"), Invoice.due_on < bindparam("before"), left > 0)
        .order_by(Invoice.issued_on, Invoice.id)
    )
