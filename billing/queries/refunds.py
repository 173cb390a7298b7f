"""Money of an account that pays nothing: what may be paid back, and what was."""

from collections import defaultdict
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import aliased

from billing.models import Allocation, Entry, Payment
from billing.queries.accounts import balance_cents, stands
from billing.states import EntryKind
from office.db import db


def refunds_of(account_id: int) -> list[tuple[Entry, Any]]:
    """(refund, the day it was taken back or None) of an account, oldest first; ``source_id`` is its payment."""
    return [(row[0], row[1]) for row in db.session.execute(_refunds(), {"account": account_id})]


@cache
def _refunds() -> Any:
    back = aliased(Entry)
    return (
        select(Entry, back.on_day)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(Entry.account_id == bindparam("account"), Entry.kind == EntryKind.REFUND)
        .order_by(Entry.id)
    )


def refunded_cents(payment_id: int) -> int:
    """What was paid back of a payment and not taken back."""
    total = select(func.coalesce(func.sum(Entry.amount_cents), 0)).where(
        Entry.kind == EntryKind.REFUND, Entry.source_kind == "payment", Entry.source_id == payment_id, stands()
    )
    return int(db.session.scalars(total).one())


def free_money(account_id: int) -> list[tuple[Payment, int]]:
    """(payment, cents) of an account that count for nothing yet, oldest first."""
    back, charge = aliased(Entry), aliased(Entry)
    gone = select(back.id).where(back.reverses_id == Payment.entry_id).correlate(Payment).exists()
    undone = select(back.id).where(back.reverses_id == charge.id).correlate(charge).exists()
    spread = select(func.coalesce(func.sum(Allocation.amount_cents), 0)).where(Allocation.payment_id == Payment.id)
    query = (
        select(Payment, -Entry.amount_cents - spread.correlate(Payment).scalar_subquery(), charge.amount_cents)
        .join(Entry, Entry.id == Payment.entry_id)
        .outerjoin(charge, (charge.id == Payment.charge_id) & ~undone)
        .where(Payment.account_id == account_id, ~gone)
        .order_by(Payment.received_on, Payment.id)
    )
    paid_back: dict[int, int] = defaultdict(int)
    for refund, taken_back in refunds_of(account_id):
        if taken_back is None and refund.source_id is not None:
            paid_back[refund.source_id] += refund.amount_cents
    rows = [(row[0], int(row[1]) - int(row[2] or 0)) for row in db.session.execute(query)]
    found = [(payment, cents - paid_back[payment.id]) for payment, cents in rows]
    return [(payment, cents) for payment, cents in found if cents > 0]


def credit_cents(account_id: int) -> int:
    """What may be paid back: the credit that is left after the charges that wait for an invoice."""
    free = sum(cents for _, cents in free_money(account_id))
    return max(0, min(free, -balance_cents(account_id)))
