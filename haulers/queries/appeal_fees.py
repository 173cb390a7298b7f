"""The fee of an appeal as the ledger has it: received, taken back since, or refunded when the appeal was sustained."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import aliased

from billing.models import Entry, Payment
from billing.queries import left_of
from haulers.models import Review
from haulers.states import SUSTAINED
from office.db import db
from ordinances.fees import appeal_fee_refundable
from ordinances.rows import Law

SOURCE = "review"


@dataclass(frozen=True)
class AppealFee:
    """The fee of a review: received on a day under a receipt, in cents, and perhaps taken back or refunded since.

    ``why`` is the reason it was taken back or refunded, with how the money went. ``back_cents`` is what was given back,
    or may be: what is left of the charge.
    """

    paid_on: date
    receipt: str
    cents: int
    charge: Entry
    payment: Entry
    taken_back_on: date | None = None
    why: str = ""
    refunded: bool = False
    back_cents: int = 0

    @property
    def holds(self) -> bool:
        """Whether the money received still counts for the fee."""
        return self.taken_back_on is None


def appeal_fee_of(review: Review) -> AppealFee | None:
    """The fee last received for a review, or None."""
    if review.fee_payment_id is None:
        return None
    back = aliased(Entry)
    payment, money, gone = db.session.execute(
        select(Payment, Entry, back).join(Entry, Entry.id == Payment.entry_id)
        .outerjoin(back, back.reverses_id == Entry.id).where(Payment.id == review.fee_payment_id)
    ).one()  # fmt: skip
    charge, charge_gone = _charge(review.id)
    refund = db.session.get(Entry, review.fee_refund_id) if review.fee_refund_id is not None else None
    first, left = gone or charge_gone or refund, min(left_of(charge), -money.amount_cents)
    return AppealFee(payment.received_on, payment.number, -money.amount_cents, charge, money,
                     first.on_day if first else None, first.reason if first else "", refund is not None,
                     left if refund is None else refund.amount_cents)  # fmt: skip


def standing_appeal_charge(review_id: int) -> Entry | None:
    """The charge of a review's fee that was not taken back, or None."""
    query = select(Entry.id).filter_by(source_kind=SOURCE, source_id=review_id)
    if db.session.scalars(query).first() is None:
        return None
    charge, gone = _charge(review_id)
    return charge if gone is None else None


def _charge(review_id: int) -> tuple[Entry, Entry | None]:
    """The newest charge of a review's fee, and what took it back."""
    back = aliased(Entry)
    query = select(Entry, back).outerjoin(back, back.reverses_id == Entry.id)
    query = query.where(Entry.source_kind == SOURCE, Entry.source_id == review_id).order_by(Entry.id.desc()).limit(1)
    charge, gone = db.session.execute(query).one()
    return charge, gone


def may_refund(review: Review, fee: AppealFee | None, law: Law, day: date) -> bool:
    """Whether the fee of a closed review may be given back now: received, the appeal sustained, the law lets it."""
    row = appeal_fee_refundable(law, day)
    return row is not None and fee is not None and fee.holds and fee.back_cents > 0 and review.outcome in SUSTAINED
