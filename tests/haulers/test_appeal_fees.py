"""The fee of an appeal: charged, received, given back when the appeal is sustained (§ 216-12 B of Lawrence)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from billing.actions import credit_charge, make_invoice, reverse_entry
from billing.models import Account, Entry, Invoice, Payment
from billing.queries import balance_cents, check_ledger, left_of
from haulers.actions.appeal_fees import record_appeal_fee, refund_appeal_fee
from haulers.models import Approval, Review
from haulers.queries.appeal_fees import appeal_fee_of
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.fees import appeal_fee
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.appeals import READING, appealed, asked, close, given, own_procedure, set_fee
from tests.haulers.builders import approved, hauler
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.intake.gatehouse import kept
from tests.ordinances.common import bayfield, law_of

ABOUT = "Revocation of approval A-2026-27-001"


@pytest.fixture
def approval(app: Any, before: Any) -> Approval:
    return approved(hauler())


def pay(review: Review, at: str = "2026-11-12T10:00", on: date = date(2026, 11, 12)) -> Any:
    made = record_appeal_fee(world.plant(), review.id, "check", "1042", on, **given(at))
    return kept(made)


def refund(review: Review, at: str = "2026-12-03T09:00") -> Any:
    made = refund_appeal_fee(world.plant(), review.id, "check", "77", **given(at))
    return kept(made)


def ledger() -> list[tuple[str, str, int, str]]:
    rows = db.session.scalars(select(Entry).order_by(Entry.id))
    return [(one.kind, one.what, one.amount_cents, one.cite) for one in rows]


def balance() -> int:
    return balance_cents(db.session.scalars(select(Account.id)).one())


def notice(kind: str) -> tuple[str, str]:
    found = db.session.scalars(select(Notice).filter_by(kind=kind, to_email="o'brien@hauler.example")).one()
    return found.subject, found.body


def test_the_fee_is_a_charge_and_a_payment_with_a_receipt_like_the_filing_fee(approval: Approval) -> None:
    own_procedure()
    review = appealed(approval)
    paid = pay(review)
    assert isinstance(paid, Payment), paid
    assert ledger() == [
        ("charge", "Fee of an appeal, may be refunded if sustained", 5000, "§ 216-12 B"),
        ("payment", "Payment by check, no. 1042", -5000, ""),
    ]  # fmt: skip
    charge = db.session.scalars(select(Entry).filter_by(kind="charge")).one()
    assert (charge.source_kind, charge.source_id, charge.source_label) == ("review", review.id, ABOUT)
    assert (charge.reading, paid.charge_id, balance()) == (READING, charge.id, 0)
    receipt = db.session.scalars(select(Letter).filter_by(kind="receipt")).one()
    assert receipt.data["rows"] == [
        {"what": f"Fee of an appeal, may be refunded if sustained, {ABOUT} (§ 216-12 B)", "amount": "$50.00"}
    ]
    fee = appeal_fee_of(review)
    assert fee is not None
    assert (fee.cents, fee.receipt, fee.paid_on, fee.holds, fee.refunded) == (
        5000, paid.number, date(2026, 11, 12), True, False,
    )  # fmt: skip
    again = pay(review)
    assert (again.code, again.why) == (
        "fee_recorded", f"The fee of this appeal is recorded already: receipt {paid.number}.",
    )  # fmt: skip


def test_a_sustained_appeal_gives_the_fee_back_in_the_ledger_and_by_letter(approval: Approval) -> None:
    own_procedure()
    review = appealed(approval)
    paid = pay(review)
    close(review)
    subject, body = notice("review_closed")
    assert subject == "Your review is closed: the decision is reversed"
    assert "The fee of the appeal, $50.00, may be refunded now (§ 216-12 B). We write once it is on its way." in body
    back = refund(review)
    db.session.commit()
    assert ledger()[2:] == [
        ("reversal", "Taken back: Fee of an appeal, may be refunded if sustained", -5000, "§ 216-12 B"),
        ("reversal", "Taken back: Payment by check, no. 1042", 5000, ""),
    ]  # fmt: skip
    assert (back.reason, balance(), check_ledger()) == (
        "Refunded by check, no. 77: the decision is reversed", 0, [],
    )  # fmt: skip
    letter = db.session.scalars(select(Letter).filter_by(kind="appeal_refund")).one()
    told = {name: letter.data[name] for name in ("amount", "how", "receipt", "paid_on", "cite", "outcome", "closed")}
    assert told == {
        "amount": "$50.00", "how": "check, no. 77", "receipt": paid.number, "paid_on": "November 12, 2026",
        "cite": "§ 216-12 B", "outcome": "the decision is reversed", "closed": "December 1, 2026",
    }  # fmt: skip
    assert notice("appeal_refund")[0] == "The fee of your appeal is refunded: $50.00"
    fee = appeal_fee_of(review)
    assert fee is not None
    assert (fee.refunded, fee.holds, fee.taken_back_on) == (True, False, date(2026, 12, 3))
    assert refund(review).code == "no_fee"
    assert pay(review, "2026-12-04T09:00").why == (
        "The fee of this appeal was given back: Refunded by check, no. 77: the decision is reversed."
    )  # fmt: skip


@pytest.mark.parametrize(("outcome", "said"), [
    ("upheld", "the decision stands"), ("withdrawn", "the request was withdrawn"),
])  # fmt: skip
def test_an_appeal_that_is_lost_or_withdrawn_gives_nothing_back(approval: Approval, outcome: str, said: str) -> None:
    own_procedure()
    review = appealed(approval)
    pay(review)
    open_still = refund(review, "2026-11-20T09:00")
    assert (open_still.code, open_still.cite) == ("not_sustained", "§ 216-12 B")
    assert open_still.why == "The fee is given back when an appeal is sustained; this one is not closed yet."
    close(review, outcome)
    assert refund(review).why == f"The fee is given back when an appeal is sustained; this one ended: {said}."
    assert len(ledger()) == 2
    assert "is not refunded: that is for an appeal that is sustained (§ 216-12 B)." in notice("review_closed")[1]


def test_the_refusals_of_a_fee_say_what_is_wrong(approval: Approval) -> None:
    own_procedure(fee="")
    review = appealed(approval)
    unset = pay(review)
    assert (unset.code, unset.why, unset.cite) == (
        "fee_not_set", "The fee of an appeal is not set: no resolution with its amount is in force.", "§ 216-12 B",
    )  # fmt: skip
    close(review)
    assert refund(review).why == "No fee of this appeal is held, so none can be given back."
    set_fee("40.00")
    assert pay(review, on=date(2026, 11, 13)).code == "date_in_future"
    pay(review)
    assert refund_appeal_fee(world.plant(), review.id, "gold", "", **given("2026-12-03T09:00")).code == (
        "method_unknown"
    )  # fmt: skip
    assert refund_appeal_fee(world.plant(), review.id + 1, "cash", "", **given("2026-12-03T09:00")).code == "no_review"
    assert isinstance(refund(review), Entry)


def test_a_law_that_names_no_fee_takes_none_and_one_that_gives_none_back_keeps_it(approval: Approval) -> None:
    own_procedure(refundable=None, fee="")
    review = appealed(approval)
    assert pay(review).why == "The law in force names no fee of an appeal."
    own_procedure(refundable=False)
    assert isinstance(pay(review), Payment)
    assert ledger()[0][1] == "Fee of an appeal, not refunded"
    close(review)
    assert refund(review).why == "The law in force gives no fee of an appeal back."


def test_before_the_appeal_no_fee_is_owed(approval: Approval) -> None:
    own_procedure()
    review = asked(approval)
    early = pay(review, "2026-10-28T10:00", date(2026, 10, 28))
    assert early.why == "This review has not come to an appeal: no fee is owed yet."


def test_a_returned_check_is_recorded_anew_without_a_second_charge(approval: Approval) -> None:
    own_procedure()
    review = appealed(approval)
    first = pay(review)
    reverse_entry(db.session.get_one(Entry, first.entry_id), "Check returned", **given("2026-11-16T09:00"))
    db.session.commit()
    fee = appeal_fee_of(review)
    assert fee is not None
    assert (fee.holds, fee.why, fee.refunded) == (False, "Check returned", False)
    second = pay(review, "2026-11-17T09:00", date(2026, 11, 17))
    assert [one.kind for one in db.session.scalars(select(Entry).order_by(Entry.id))] == [
        "charge", "payment", "reversal", "payment",
    ]  # fmt: skip
    assert (review.fee_payment_id, balance()) == (second.id, 0)


def invoiced_again(review: Review) -> Entry:
    """The fee's check bounced, so that its charge went on an invoice."""
    first = pay(review)
    reverse_entry(db.session.get_one(Entry, first.entry_id), "Check returned", **given("2026-11-16T09:00"))
    account = db.session.scalars(select(Account)).one()
    assert isinstance(make_invoice(world.plant(), account, **given("2026-11-16T10:00")), Invoice)
    db.session.commit()
    return db.session.scalars(select(Entry).filter_by(kind="charge")).one()


@pytest.mark.parametrize(("credited_first", "paid", "left"), [(False, 5000, -1000), (True, 4000, 0)])
def test_of_a_fee_partly_credited_the_rest_is_given_back(
    approval: Approval, credited_first: bool, paid: int, left: int
) -> None:
    own_procedure()
    review = appealed(approval)
    charge = invoiced_again(review)
    credit = {"entry": charge, "cents": 1000, "reason": "Typed twice"}
    if credited_first:
        kept(credit_charge(**credit, **given("2026-11-17T08:00")))
    payment = pay(review, "2026-11-17T09:00", date(2026, 11, 17))
    assert -db.session.get_one(Entry, payment.entry_id).amount_cents == paid
    if not credited_first:
        kept(credit_charge(**credit, **given("2026-11-17T10:00")))
    assert balance() == left
    close(review)
    assert "The fee of the appeal, $40.00, may be refunded now" in notice("review_closed")[1]
    back = refund(review)
    assert isinstance(back, Entry), back
    # $40.00 went out; what was credited before stays the hauler's.
    assert (back.kind, back.amount_cents, back.what) == ("refund", 4000, "Paid back by check, no. 77")
    assert (balance(), left_of(charge), check_ledger()) == (left, 0, [])
    told = db.session.scalars(select(Letter).filter_by(kind="appeal_refund")).one().data
    assert (told["amount"], told["how"]) == ("$40.00", "check, no. 77; $10.00 of it was credited before")
    assert notice("appeal_refund")[0] == "The fee of your appeal is refunded: $40.00"
    fee = appeal_fee_of(review)
    assert fee is not None
    assert (fee.refunded, fee.holds, fee.taken_back_on, fee.back_cents) == (True, False, date(2026, 12, 3), 4000)
    assert refund(review).code == "no_fee"


def test_of_a_fee_wholly_credited_nothing_is_given_back(approval: Approval) -> None:
    own_procedure()
    review = appealed(approval)
    charge = invoiced_again(review)
    pay(review, "2026-11-17T09:00", date(2026, 11, 17))
    kept(credit_charge(charge, None, "Wrong", **given("2026-11-17T10:00")))
    close(review)
    refused = refund(review)
    assert (refused.code, refused.why) == (
        "nothing_left", "Nothing is left of the fee of this appeal: all of it is credited.",
    )  # fmt: skip
    assert balance() == -5000


def test_the_letter_of_a_request_says_what_an_appeal_costs_and_when_that_comes_back(approval: Approval) -> None:
    own_procedure()
    appealed(approval)
    letter = db.session.scalars(select(Letter).filter_by(kind="review")).one()
    assert letter.data["fee"] == ("An appeal costs $50.00 (§ 216-12 B). It may be refunded if the appeal is sustained.")


@pytest.mark.parametrize(("who", "may"), [("clerk", True), ("director", False)])
def test_only_the_clerk_takes_money(approval: Approval, who: str, may: bool) -> None:
    own_procedure()
    review = appealed(approval)
    made: Any = record_appeal_fee(world.plant(), review.id, "cash", "", date(2026, 11, 12),
                                  **given("2026-11-12T10:00", who))  # fmt: skip
    assert isinstance(made, Payment) is may


def test_lawrence_names_a_fee_that_may_come_back_and_bayfield_none() -> None:
    unset = appeal_fee(law_of("lawrence"), date(2026, 10, 6))
    assert isinstance(unset, Refusal)
    assert (unset.code, unset.cite) == ("fee_not_set", "§ 216-12 B")
    assert appeal_fee(bayfield(), date(2026, 10, 6)) is None


def test_the_clerk_records_and_refunds_the_fee_from_the_review(app: Any, approval: Approval, clock_at: Any) -> None:
    own_procedure()
    review = appealed(approval)
    clock_at("2026-11-12T10:00")
    clerk, of_review = signed_in(app, "clerk"), f"/bayfield/director/reviews/{review.id}"
    address = f"/bayfield/clerk/reviews/{review.id}/fee"
    assert "<p>Not received. <a " in text(clerk.get(of_review))
    assert f'<a href="{address}">Record the fee</a>' in text(clerk.get(of_review))
    assert f'<a href="{address}">' not in text(signed_in(app, "director").get(of_review))
    assert "Select how it was paid" in text(clerk.post(address, data=once()))
    day = {"received_on-month": "11", "received_on-day": "12", "received_on-year": "2026"}
    sent = clerk.post(address, data={"method": "cash", "reference": ""} | day | once())
    assert (sent.status_code, sent.location) == (303, of_review)
    assert "Received November 12, 2026: $50.00." in text(clerk.get(of_review))
    assert "It may be refunded when the appeal is sustained." in text(clerk.get(address))
    close(review)
    clock_at("2026-12-03T09:00")
    assert f'<a href="{address}">Give it back</a>' in text(clerk.get(of_review))
    assert ">Refund $50.00</button>" in text(clerk.get(address))
    assert clerk.post(address, data={"method": "check", "reference": "77"} | once()).status_code == 303
    assert "Refunded December 3, 2026: $50.00." in text(clerk.get(of_review))
    assert "Refunded by check, no. 77: the decision is reversed." in text(clerk.get(address))


def test_where_no_fee_is_named_there_is_no_page_of_it(app: Any, approval: Approval, clock_at: Any) -> None:
    own_procedure(refundable=None, fee="")
    review = appealed(approval)
    clock_at("2026-11-12T10:00")
    clerk = signed_in(app, "clerk")
    assert clerk.get(f"/bayfield/clerk/reviews/{review.id}/fee").status_code == 404
    assert "Fee of the appeal" not in text(clerk.get(f"/bayfield/director/reviews/{review.id}"))
