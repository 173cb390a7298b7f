"""Notices of violation, suspension, a revocation from a day to come, and reviews (§§ 329-7 G, 329-10, ch. 68)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.reviews import close_review, enter_review, finish_review_step
from haulers.actions.revocation import record_certified_mail, revoke_approval
from haulers.actions.suspension import lift_suspension, suspend_approval
from haulers.actions.violations import add_violation_days, correct_violation, issue_violation
from haulers.models import Approval, Review, ReviewStep, Revocation, Suspension, Violation
from haulers.ports import BookingLine, LoadLine
from haulers.queries import approval_in_force, standing
from haulers.queries.enforcement import reviews, steps_of, violations, violations_of
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approved, hauler
from tests.house import law_copies

RULE = "§ 329-7 F(4): Unloading within the hours"
FACTS = "Unloaded at 11 p.m. without supervision."
WHEN = "2026-10-20T09:00"


@pytest.fixture
def approval(app: Any, before: Any) -> Approval:
    before.loads = [LoadLine("2026-00012", date(2026, 10, 19), "septic_tank", 1000)]
    return approved(hauler())


def given(by: str = "director", at: str = WHEN) -> dict[str, Any]:
    when = world.at(at)
    return {"by": world.staff(by), "at": when, "law": world.law(when.date())}


def notice(approval: Approval, *, by: str = "clerk", **more: Any) -> Any:
    values: dict[str, Any] = {"rule": RULE, "facts": FACTS, "days": [date(2026, 10, 18), date(2026, 10, 19)],
                              "loads": ["2026-00012"], "correct_by": date(2026, 11, 3)} | more  # fmt: skip
    return issue_violation(world.plant(), approval.business_id, **values, **given(by))


def told(kind: str) -> list[tuple[str, str]]:
    rows = db.session.scalars(select(Notice).filter_by(kind=kind).order_by(Notice.id))
    return [(one.to_email, one.subject) for one in rows]


def letter(kind: str) -> Letter:
    return db.session.scalars(select(Letter).filter_by(kind=kind)).one()


def test_a_notice_lists_each_day_and_load_leaves_time_and_touches_no_approval(approval: Approval) -> None:
    made = notice(approval)
    assert isinstance(made, Violation)
    assert (made.days, made.loads, made.approval_id) == (["2026-10-18", "2026-10-19"], ["2026-00012"], approval.id)
    data = letter("violation").data
    assert data["days"] == ["Sunday, October 18, 2026", "Monday, October 19, 2026"]
    assert data["loads"] == ["Load ticket 2026-00012: October 19, 2026, 1,000 gallons of septic tank waste"]
    assert (data["correct_by"], data["cite"], data["each_day"]) == (
        "Tuesday, November 3, 2026", "§ 329-10 A", "§ 329-10 B")  # fmt: skip
    assert data["after"] == [
        "All violations cease for good within the time stated. (§ 329-10 A)",
        "Whoever goes on beyond it is subject to the penalty provisions of ch. 1, art. I, § 1-3 of the Code. "
        "(§ 329-10 B)",
        "Whoever breaks the article is liable to the City and others for any expense, loss or damage, including "
        "repairs. (§ 329-10 C)",
    ]
    city = "Notice of violation to O'Brien & Søn Septic, L.L.C., to correct by November 3, 2026"
    assert told("violation") == [
        ("o'brien@hauler.example", "Notice of violation: correct it by November 3, 2026"),
        ("clerk@city.example", city), ("director@city.example", city),
    ]  # fmt: skip
    assert standing(world.plant().id, approval.business_id, world.at(WHEN), world.law()).state == "approved"
    assert violations_of(world.plant().id, [approval.business_id]) == {approval.business_id: [made]}


@pytest.mark.parametrize(("more", "why"), [
    ({"correct_by": date(2199, 11, 3)},
     "The day to correct it by, November 3, 2199, is more than a year ahead."),
    ({"days": [date(1999, 10, 18), date(2026, 10, 19)]},
     "The first day it happened, October 18, 1999, is more than a year ago."),
    ({"days": [date(2025, 10, 19)], "correct_by": date(2027, 10, 21)},
     "The first day it happened, October 19, 2025, is more than a year ago. The day to correct it by, October 21, "
     "2027, is more than a year ahead."),
])  # fmt: skip
def test_days_far_from_today_are_asked_about_once(approval: Approval, more: dict[str, Any], why: str) -> None:
    said = notice(approval, **more)
    assert isinstance(said, Refusal)
    assert (said.code, said.why, said.next_step) == (
        "far_days", why, "Check the years, or tick that the days are right.")  # fmt: skip
    assert isinstance(notice(approval, **more, sure=True), Violation)


def test_a_year_back_and_a_year_ahead_are_not_asked_about(approval: Approval) -> None:
    assert isinstance(notice(approval, days=[date(2025, 10, 20)], correct_by=date(2027, 10, 20)), Violation)


@pytest.mark.parametrize(
    ("more", "code", "cite"),
    [
        ({"rule": " "}, "no_rule", "§ 329-10 A"), ({"facts": ""}, "no_facts", "§ 329-10 A"),
        ({"days": []}, "no_day", "§ 329-10 A"), ({"days": [date(2026, 10, 21)]}, "no_day", "§ 329-10 A"),
        ({"correct_by": date(2026, 10, 20)}, "no_time", "§ 329-10 A"),
        ({"loads": ["2026-00099"]}, "not_their_load", ""),
    ],
)  # fmt: skip
def test_a_notice_without_rule_facts_day_time_or_with_anothers_load_is_refused(
    approval: Approval, more: dict[str, Any], code: str, cite: str
) -> None:
    said = notice(approval, **more)
    assert isinstance(said, Refusal)
    assert (said.code, said.cite) == (code, cite)
    assert violations(world.plant().id) == []


def test_days_it_goes_on_are_added_until_it_is_corrected(approval: Approval) -> None:
    made = notice(approval)
    again = add_violation_days(world.plant(), made.id, [date(2026, 10, 19)], **given("clerk"))
    assert again.code == "no_new_day"
    assert add_violation_days(world.plant(), made.id, [date(2026, 10, 17)], **given("clerk")).code == "no_day"
    assert add_violation_days(world.plant(), made.id, [date(2026, 10, 21)], **given("clerk")).code == "no_day"
    add_violation_days(world.plant(), made.id, [date(2026, 10, 20)], **given("clerk"))
    assert made.days == ["2026-10-18", "2026-10-19", "2026-10-20"]
    later = given("clerk", "2026-11-02T09:00")
    assert correct_violation(world.plant(), made.id, date(2026, 10, 19), "Hours posted", **later).code == "no_day"
    assert correct_violation(world.plant(), made.id, date(2026, 11, 2), " ", **later).code == "no_how"
    correct_violation(world.plant(), made.id, date(2026, 11, 2), "Hours posted in the truck", **later)
    assert (made.corrected_on, made.corrected_how) == (date(2026, 11, 2), "Hours posted in the truck")
    assert add_violation_days(world.plant(), made.id, [date(2026, 10, 21)], **later).code == "corrected"


def suspensions_known(app: Any) -> None:
    """The city adopts a law that knows suspension."""
    rows = law_copies.canonical()["rows"]
    index = next(n for n, row in enumerate(rows) if row["key"] == "suspension.enabled")
    text, why = law_copies.with_values({index: True})
    assert text, why
    law_copies.adopt(text)


def suspend(approval: Approval, until: date | None = date(2026, 10, 30), at: str = WHEN, **more: Any) -> Any:
    return suspend_approval(world.plant(), approval.id, RULE, FACTS, until, **(given("director", at) | more))


def test_bayfields_law_knows_no_suspension(approval: Approval) -> None:
    said = suspend(approval)
    assert isinstance(said, Refusal)
    assert (said.code, said.cite, said.reading) == (
        "no_suspension", "§ 329-7 G", "The text knows restriction and revocation only.")  # fmt: skip


def state(approval: Approval, at: str) -> tuple[str, str]:
    when = world.at(at)
    found = standing(world.plant().id, approval.business_id, when, world.law(when.date()))
    return found.state.value, found.why


def test_a_suspension_holds_to_the_end_of_its_last_day(app: Any, approval: Approval) -> None:
    suspensions_known(app)
    made = suspend(approval)
    assert isinstance(made, Suspension), made
    held = "Approval A-2026-27-001 is suspended to the end of October 30, 2026."
    assert state(approval, "2026-10-20T08:59:59") == ("approved", "")
    assert state(approval, WHEN) == ("suspended", held)
    assert state(approval, "2026-10-30T23:59:59") == ("suspended", held)
    assert state(approval, "2026-10-31T00:00") == ("approved", "")
    at = world.at(WHEN)
    for day, plain in ((date(2026, 10, 30), []), (date(2026, 10, 31), [approval.id])):
        assert list(db.session.scalars(approval_in_force(at, day))) == plain
        assert list(db.session.scalars(approval_in_force(at, day, held=True))) == [approval.id]
    assert letter("suspension").data["until"] == "Friday, October 30, 2026"
    assert suspend(approval).code == "suspended_before"


def test_a_suspension_is_lifted_with_a_reason_at_once(app: Any, approval: Approval) -> None:
    suspensions_known(app)
    made = suspend(approval, None)
    assert state(approval, "2027-09-30T09:00")[1] == "Approval A-2026-27-001 is suspended until it is lifted."
    later = given("director", "2026-10-22T10:00")
    assert lift_suspension(world.plant(), made.id, " ", **later).code == "no_why"
    lift_suspension(world.plant(), made.id, "The hauler trained its drivers.", **later)
    assert state(approval, "2026-10-22T09:59:59")[0] == "suspended"
    assert state(approval, "2026-10-22T10:00") == ("approved", "")
    assert lift_suspension(world.plant(), made.id, "Again", **later).code == "ended"
    assert [one[0] for one in told("suspension_lifted")][:2] == ["o'brien@hauler.example", "clerk@city.example"]


def test_a_suspension_asks_for_the_text_on_review_rights_and_for_the_director(app: Any, approval: Approval) -> None:
    suspensions_known(app)
    assert suspend(approval, date(2026, 10, 19)).code == "over"
    assert suspend(approval, by=world.staff("clerk")).code == "not_your_role"
    assert suspend(approval, at="2027-10-01T09:00").code == "over"
    assert suspend(approval, date(2027, 10, 9), at="2027-10-01T09:00").code == "not_in_force"


def revoke(approval: Approval, from_day: date | None = None, loads: tuple[str, ...] = ()) -> Any:
    return revoke_approval(world.plant(), approval.id, RULE, FACTS, loads, from_day, **given())


def test_a_revocation_from_a_day_to_come_holds_from_its_first_second(approval: Approval, before: Any) -> None:
    before.bookings = [BookingLine("B-1031-01", world.at("2026-10-31T07:45"), 900),
                       BookingLine("B-1102-01", world.at("2026-11-02T07:45"), 1000)]  # fmt: skip
    assert revoke(approval, date(2026, 10, 20)).code == "not_to_come"
    made = revoke(approval, date(2026, 11, 2), ("2026-00012",))
    assert isinstance(made, Revocation), made
    assert (made.at, made.from_day, made.loads) == (world.at("2026-11-02T00:00"), date(2026, 11, 2), ["2026-00012"])
    assert state(approval, "2026-11-01T23:59:59") == ("approved", "")
    assert state(approval, "2026-11-02T00:00") == (
        "revoked", "Approval A-2026-27-001 was revoked on November 2, 2026.")  # fmt: skip
    at = world.at(WHEN)
    assert list(db.session.scalars(approval_in_force(at, date(2026, 11, 1)))) == [approval.id]
    assert list(db.session.scalars(approval_in_force(at, date(2026, 11, 2)))) == []
    data = letter("revocation").data
    assert (data["from"], data["bookings"], data["loads"]) == (
        "Monday, November 2, 2026", ["B-1102-01: November 2, 2026, 7:45 a.m., 1,000 gallons"],
        ["Load ticket 2026-00012: October 19, 2026, 1,000 gallons of septic tank waste"],
    )  # fmt: skip
    assert told("revocation")[0][1] == "Your approval to unload septage is revoked from November 2, 2026"


def test_the_number_of_the_certified_mail_comes_later(approval: Approval) -> None:
    keep: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at("2026-10-21T09:00")}
    assert record_certified_mail(world.plant(), approval.id, "7019 0140", **keep).code == "no_revocation"
    made = revoke(approval)
    assert record_certified_mail(world.plant(), approval.id, "  ", **keep).code == "no_number"
    record_certified_mail(world.plant(), approval.id, " 7019 0140 ", **keep)
    assert made.certified_mail == "7019 0140"


def ask(made: Revocation, on: date = date(2026, 11, 19), at: str = "2026-11-20T09:00") -> Any:
    return enter_review(world.plant(), "We object: the gate was open.", on, "Ingrid O'Brien", revocation_id=made.id,
                        **given("clerk", at))  # fmt: skip


def steps(review: Review) -> list[tuple[str, date, date | None]]:
    return [(one.name, one.due_on, one.done_on) for one in steps_of(review.id)]


def test_a_review_runs_step_by_step_each_clock_from_the_day_before(approval: Approval) -> None:
    review = ask(revoke(approval))
    assert isinstance(review, Review), review
    assert steps(review) == [
        ("Review asked for", date(2026, 11, 19), date(2026, 11, 19)), ("Review decided", date(2026, 12, 4), None),
    ]  # fmt: skip
    assert reviews(world.plant().id)[0].about == "Revocation of approval A-2026-27-001"
    late = given("clerk", "2027-01-20T09:00")
    assert finish_review_step(world.plant(), review.id, date(2026, 11, 18), "", **late).code == "no_day"
    assert finish_review_step(world.plant(), review.id, date(2027, 1, 21), "", **late).code == "no_day"
    done = finish_review_step(world.plant(), review.id, date(2026, 12, 2), "Stands", **late)
    assert isinstance(done, ReviewStep)
    finish_review_step(world.plant(), review.id, date(2026, 12, 3), "Appealed", **late)
    # December 18 is fifteen days on; the appeal was due January 1, a holiday, and then a weekend: January 4.
    assert steps(review)[1:] == [
        ("Review decided", date(2026, 12, 4), date(2026, 12, 2)),
        ("Appeal asked for", date(2027, 1, 4), date(2026, 12, 3)), ("Hearing held", date(2026, 12, 18), None),
    ]  # fmt: skip


def test_a_late_request_is_entered_with_its_day_and_a_second_one_is_not(approval: Approval) -> None:
    made = revoke(approval)
    assert ask(made, date(2026, 10, 19)).code == "no_day"
    assert ask(made, date(2026, 11, 21)).code == "no_day"
    review = ask(made, date(2026, 11, 20))
    assert steps(review)[0] == ("Review asked for", date(2026, 11, 19), date(2026, 11, 20))
    assert ask(made).code == "asked_before"


def test_the_letter_of_a_review_prints_no_day_that_is_to_be_confirmed(approval: Approval) -> None:
    ask(revoke(approval))
    data = letter("review").data
    assert (data["due"], data["about"]) == ("", "Revocation of approval A-2026-27-001")


def test_a_review_is_closed_once_with_its_outcome_and_the_hauler_is_told(approval: Approval) -> None:
    review = ask(revoke(approval))
    late = given("clerk", "2026-12-02T09:00")
    assert close_review(world.plant(), review.id, "lost", "No.", date(2026, 12, 1), **late).code == "no_outcome"
    assert close_review(world.plant(), review.id, "upheld", " ", date(2026, 12, 1), **late).code == "no_words"
    assert close_review(world.plant(), review.id, "upheld", "It stands.", date(2026, 11, 18), **late).code == "no_day"
    close_review(world.plant(), review.id, "upheld", "It stands.", date(2026, 12, 1), **late)
    assert (review.outcome, review.closed_on) == ("upheld", date(2026, 12, 1))
    assert told("review_closed") == [("o'brien@hauler.example", "Your review is closed: the decision stands")]
    assert close_review(world.plant(), review.id, "upheld", "Again.", date(2026, 12, 1), **late).code == "closed"
    assert finish_review_step(world.plant(), review.id, date(2026, 12, 1), "", **late).code == "closed"


def test_nothing_is_reviewed_that_no_letter_told_of(app: Any) -> None:
    said = enter_review(world.plant(), "We object", date(2026, 10, 20), "Ann", revocation_id=99, **given("clerk"))
    assert isinstance(said, Refusal)
    assert said.code == "nothing_to_review"
