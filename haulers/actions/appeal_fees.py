"""The fee of an appeal as money: received at the desk, and given back when the appeal is sustained (review.fee_*)."""

from datetime import date, datetime

from sqlalchemy import select

from billing.actions import charge_and_pay, credit_rest, pay_back, pay_charge, reverse_entry, take_back_line
from billing.models import Entry, Payment
from billing.queries import payment_of, refunded_cents
from billing.states import METHOD_WORDS, Method
from haulers.actions.decision_letters import signer
from haulers.actions.kept_words import where_kept
from haulers.models import Review
from haulers.queries import party_of_business
from haulers.queries.appeal_fees import SOURCE, AppealFee, appeal_fee_of, standing_appeal_charge
from haulers.queries.enforcement import reviews, steps_of
from haulers.states import REVIEW_OUTCOMES, SUSTAINED
from office import letters
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.formats import date_only, money
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.fees import FeeLine, appeal_fee, appeal_fee_refundable
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.reviews import APPEAL


@act("record_appeal_fee", roles=(Role.CLERK,))
def record_appeal_fee(plant: Plant, review_id: int, method: str, reference: str, received_on: date, *,
                      another: str = "", by: Actor, at: datetime, law: Law) -> Payment | Refusal:  # fmt: skip
    """Record the fee of an appeal paid at the desk, in the amount set: charge, payment and receipt.

    One that was taken back (a check returned) is recorded anew; a charge that still stands is not made twice.
    Refused: no_review, no_appeal, no_fee, fee_not_set, fee_recorded, fee_refunded, and as ``charge_and_pay``.
    """
    review = _locked(plant, review_id)
    if isinstance(review, Refusal):
        return review
    known, line = appeal_fee_of(review), _line(review, law, at)
    if known is not None and known.refunded:
        return Refusal("fee_refunded", f"The fee of this appeal was given back: {known.why}.", "")
    if known is not None and known.holds:
        return Refusal("fee_recorded", f"The fee of this appeal is recorded already: receipt {known.receipt}.", "")
    if isinstance(line, Refusal):
        return line
    found, charge = reviews(plant.id, review.id)[0], standing_appeal_charge(review.id)
    how = (method, reference, received_on)
    if charge is not None:
        paid = pay_charge(plant, charge, *how, another=another, by=by, at=at, law=law)
    else:
        party = party_of_business(found.business_id)
        paid = charge_and_pay(plant, party.id, line, SOURCE, review.id, *how, label=found.about, another=another,
                              by=by, at=at, law=law)  # fmt: skip
    if isinstance(paid, Refusal):
        return paid
    review.fee_payment_id = paid.id
    because(f"Fee of the appeal: {found.about}", line.cite)
    return paid


def _line(review: Review, law: Law, at: datetime) -> FeeLine | Refusal:
    """What an appeal costs now, or why there is nothing to take."""
    line = appeal_fee(law, at.astimezone(law.zone).date())
    if line is None:
        return Refusal("no_fee", "The law in force names no fee of an appeal.", "")
    if all(step.name != APPEAL for step in steps_of(review.id)):
        return Refusal("no_appeal", "This review has not come to an appeal: no fee is owed yet.", line.cite)
    return line


@act("refund_appeal_fee", roles=(Role.CLERK,))
def refund_appeal_fee(plant: Plant, review_id: int, method: str, reference: str, *, by: Actor, at: datetime,
                      law: Law) -> Entry | Refusal:  # fmt: skip
    """Give the fee of a sustained appeal back: charge and payment are taken back in the ledger, the hauler is written.

    Of a fee that is partly credited the rest is given back; the credit stays. ``method`` and ``reference`` are how the
    money goes, such as check no. 12. Returns what takes the payment back, or pays of it.
    Refused: no_review, no_fee, nothing_left, paid_back, not_refundable, not_sustained, method_unknown.
    """
    review = _locked(plant, review_id)
    if isinstance(review, Refusal):
        return review
    known = appeal_fee_of(review)
    refused = _not_given_back(review, known, law, at) or _no_method(method)
    if refused is not None or known is None:
        return refused or Refusal("no_fee", "No fee of this appeal was received.", "")
    how = METHOD_WORDS[Method(method)] + (f", no. {reference.strip()}" if reference.strip() else "")
    reason = f"Refunded by {how}: {REVIEW_OUTCOMES[review.outcome]}"
    back = _given_back(plant, known, how, reason, by=by, at=at, law=law)
    if isinstance(back, Refusal):
        return back
    review.fee_refund_id = back.id
    row = appeal_fee_refundable(law, at.astimezone(law.zone).date())
    assert row is not None
    because(reason, row.cite)
    db.session.flush()
    credited = known.charge.amount_cents - known.back_cents
    how += f"; {money(credited)} of it was credited before" if credited else ""
    _write(plant, review, known, how, row.cite, by, at, law)
    return back


def _given_back(plant: Plant, fee: AppealFee, how: str, reason: str, *, by: Actor, at: datetime, law: Law
                ) -> Entry | Refusal:  # fmt: skip
    """Charge and payment taken back; of a charge that is partly credited the rest credited, and as much paid back."""
    if fee.back_cents == fee.charge.amount_cents:
        back = take_back_line(fee.charge, reason, told=False, by=by, at=at, law=law)
        return back if isinstance(back, Refusal) else reverse_entry(fee.payment, reason, by=by, at=at, law=law)
    cite, payment = fee.charge.cite, payment_of(fee.payment.id)
    assert payment is not None
    if fee.back_cents <= 0:
        return Refusal("nothing_left", "Nothing is left of the fee of this appeal: all of it is credited.", cite)
    if fee.back_cents > fee.cents - refunded_cents(payment.id):
        why = f"What receipt {fee.receipt} brought was paid back already."
        return Refusal("paid_back", why, cite, next_step="Credit the charge, then pay the credit back.")
    credit_rest(fee.charge, reason, by=by, at=at)
    return pay_back(plant, payment, fee.back_cents, how, reason, by=by, at=at)


def _not_given_back(review: Review, known: AppealFee | None, law: Law, at: datetime) -> Refusal | None:
    row = appeal_fee_refundable(law, at.astimezone(law.zone).date())
    if row is None:
        return Refusal("not_refundable", "The law in force gives no fee of an appeal back.", "")
    if known is None or not known.holds:
        return Refusal("no_fee", "No fee of this appeal is held, so none can be given back.", row.cite, row.reading)
    if review.outcome in SUSTAINED:
        return None
    ended = f"this one ended: {REVIEW_OUTCOMES[review.outcome]}" if review.outcome else "this one is not closed yet"
    return Refusal("not_sustained", f"The fee is given back when an appeal is sustained; {ended}.", row.cite,
                   row.reading)  # fmt: skip


def _no_method(method: str) -> Refusal | None:
    known = method in METHOD_WORDS
    return None if known else Refusal("method_unknown", "Select how it is given back: cash, check or card.", "")


def _write(plant: Plant, review: Review, fee: AppealFee, how: str, cite: str, by: Actor, at: datetime,
           law: Law) -> None:  # fmt: skip
    """The letter and the notice of a refund."""
    found = reviews(plant.id, review.id)[0]
    party = party_of_business(found.business_id)
    assert review.closed_on is not None  # only a closed review has an outcome
    data: dict[str, object] = {
        "about": found.about, "outcome": REVIEW_OUTCOMES[review.outcome], "closed": date_only(review.closed_on),
        "amount": money(fee.back_cents), "paid_on": date_only(fee.paid_on), "receipt": fee.receipt, "how": how,
        "cite": cite, "signature": signer(by, (Role.CLERK,)),
    }  # fmt: skip
    letter = letters.write(plant, party, "appeal_refund", f"Fee of the appeal refunded: {found.about}", data, at,
                           law_version=law.version)  # fmt: skip
    tell_party(
        party, "appeal_refund", f"The fee of your appeal is refunded: {money(fee.back_cents)}",
        f"{found.about}: {REVIEW_OUTCOMES[review.outcome]}. The fee of the appeal, {money(fee.back_cents)} (receipt "
        f"{fee.receipt}), is given back by {how} ({cite}).\n\n{where_kept(letter, party, at)}\n{plant.name}, "
        f"{plant.phone}", at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip


def _locked(plant: Plant, review_id: int) -> Review | Refusal:
    query = select(Review).filter_by(id=review_id, plant_id=plant.id).with_for_update()
    review = db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    return review if review is not None else Refusal("no_review", "There is no such review.", "")
