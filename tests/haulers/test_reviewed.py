"""A review can be entered of whatever a letter with the words on review rights told its hauler (ch. 68, § 216-12)."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.reviews import close_review, enter_review
from haulers.actions.suspension import lift_suspension, suspend_approval
from haulers.actions.violations import issue_violation
from haulers.models import Amendment, Approval, Review, Suspension, Violation
from haulers.queries.enforcement import reviews, steps_of
from haulers.queries.motion_lines import AmendLine
from haulers.queries.reviewed import MODELS, reviewable
from haulers.queries.sustained import waits_for_motion
from haulers.queries.to_do import owed
from office.db import db
from office.law import law_now
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers import test_amendments as asking
from tests.haulers.appeals import given, own_procedure
from tests.haulers.builders import approved, hauler
from tests.haulers.company import signed_in
from tests.haulers.test_decision_pages import no_review_text
from tests.haulers.test_pages_hauler import text
from tests.house.sources import ROOT

NUMBER = "A-2026-27-001"
DAY, SENT = date(2026, 12, 16), "2026-12-16T10:00"


def not_granted(approval: Approval) -> int:
    """A change asked for and refused, its letter issued on December 16."""
    asked = asking.ask(approval, winter=5_000)
    motion = asking.decide(AmendLine(asked.id, False, 0, 0, "Winter is full."))
    assert not isinstance(motion, Refusal), motion
    return int(asked.id)


def suspended(approval: Approval) -> int:
    """Suspended on December 16 until it is lifted."""
    made: Any = suspend_approval(world.plant(), approval.id, asking.RULE, asking.FACTS, None, **given(SENT, "director"))
    assert isinstance(made, Suspension), made
    return made.id


def noticed(approval: Approval) -> int:
    """A notice of violation of December 16."""
    made = notice(approval)
    assert isinstance(made, Violation), made
    return made.id


def notice(approval: Approval) -> Any:
    days = [date(2026, 12, 15)]
    return issue_violation(world.plant(), approval.business_id, asking.RULE, asking.FACTS, days, [], date(2026, 12, 30),
                           **given(SENT))  # fmt: skip


MADE: dict[str, Callable[[Approval], int]] = {
    "amendment": not_granted, "suspension": suspended, "violation": noticed,
}  # fmt: skip
ABOUT = {"amendment": f"Change of approval {NUMBER}", "suspension": f"Suspension of approval {NUMBER}",
         "violation": "Notice of violation"}  # fmt: skip
FOLLOWS = {
    "amendment": "Ask for the change again under Your approval, or in a letter to us. Your approval stays as your last "
                 "letter states it until you have, the committee votes on it and the letter of that is issued.",
    "suspension": f"Approval {NUMBER} stays suspended until the Director lifts it. Do not bring septage before we "
                  "write that.",
    "violation": "The notice of violation stays in the record, with this outcome.",
}  # fmt: skip
TOLD = {
    "amendment": ("clerk", "member1", "member2", "member3"), "suspension": ("clerk", "director"),
    "violation": ("clerk", "director"),
}  # fmt: skip
TODO = {
    "amendment": "until the change is asked for anew", "suspension": "until the Director lifts it",
    "violation": "The notice stays in the record",
}  # fmt: skip
# The kinds of letters with the words on review rights, and what a review of each is of. That of an outcome goes on with
# what was reviewed before.
LETTERS = {
    "approval": "decision", "rejection": "decision", "amendment": "amendment", "revocation": "revocation",
    "suspension": "suspension", "violation": "violation", "review_outcome": "review",
}  # fmt: skip


@pytest.fixture
def approval(app: Any) -> Approval:
    """An approval of a city with a review of its own (Lawrence's days) that also knows a suspension."""
    own_procedure(fee="", suspends=True)
    return approved(hauler())


def enter(kind: str, row_id: int, asked_on: date = date(2026, 12, 18)) -> Any:
    return enter_review(world.plant(), "It was not so.", asked_on, "Ingrid O'Brien", **{f"{kind}_id": row_id},
                        **given("2026-12-18T09:00"))  # fmt: skip


def close(review: Review, outcome: str) -> Any:
    return close_review(world.plant(), review.id, outcome, "They showed the log.", date(2026, 12, 21),
                        **given("2026-12-21T09:00"))  # fmt: skip


def to_do(approval: Approval) -> list[tuple[str, str, str]]:
    found = owed(world.plant(), approval.business_id, world.law(), world.at("2026-12-22T10:00"))
    return [(one.kind, one.name, one.words) for one in found]


def letter(kind: str) -> Letter:
    return db.session.scalars(select(Letter).filter_by(kind=kind)).one()


def test_letters_with_the_words_on_review_rights_are_those_a_review_is_entered_of() -> None:
    carry = {path.stem for path in (ROOT / "templates" / "letters").glob("*.typ")
             if re.search(r'data\.review\b|data\.at\("review"', path.read_text())}  # fmt: skip
    assert carry == set(LETTERS)
    assert {kind for kind in LETTERS.values() if kind != "review"} == set(MODELS)


@pytest.mark.parametrize("kind", MADE)
def test_a_review_is_entered_with_the_clocks_of_the_law_and_leaves_what_only_the_city_can_do(
    approval: Approval, kind: str
) -> None:
    row_id = MADE[kind](approval)
    assert letter(kind).data["review"].startswith("You may ask for a review")
    law = law_now(world.plant(), world.at(SENT))
    assert [one.id for one in reviewable(world.plant(), law, DAY) if one.kind == kind] == [row_id]
    review = enter(kind, row_id)
    assert isinstance(review, Review), review
    assert [(one.name, one.due_on, one.done_on) for one in steps_of(review.id)] == [
        ("Reconsideration asked for", date(2026, 12, 26), date(2026, 12, 18)),
        ("Reconsideration decided", date(2027, 1, 2), None),
    ]
    assert [(one.about, one.business_id) for one in reviews(world.plant().id)] == [(ABOUT[kind], approval.business_id)]
    assert letter("review").title == f"Review: {ABOUT[kind]}"
    assert enter(kind, row_id).code == "asked_before"
    assert isinstance(close(review, "reversed"), Review)
    assert letter("review_outcome").data["follows"] == FOLLOWS[kind]
    told = list(db.session.scalars(select(Notice).filter_by(kind="review_sustained").order_by(Notice.id)))
    assert sorted(one.to_email for one in told) == sorted(f"{name}@city.example" for name in TOLD[kind])
    assert all(TODO[kind] in one.body for one in told)


def test_a_change_refused_and_won_on_review_waits_for_the_committee_until_it_is_asked_for_anew(
    approval: Approval,
) -> None:
    review = enter("amendment", not_granted(approval))
    close(review, "reversed")
    waiting = waits_for_motion(world.plant().id, date(2026, 12, 22))
    assert [(one.about, one.amendment_id) for one in waiting] == [(ABOUT["amendment"], review.amendment_id)]
    assert to_do(approval) == [("again", f"change of approval {NUMBER}", "the decision is reversed, December 21, 2026")]
    assert isinstance(asking.ask(approval, winter=5_000, at="2026-12-22T09:00"), Amendment)
    assert waits_for_motion(world.plant().id, date(2026, 12, 22)) == []
    assert to_do(approval) == []


def test_a_change_won_on_review_is_to_do_on_the_haulers_home(app: Any, clock_at: Any, approval: Approval) -> None:
    close(enter("amendment", not_granted(approval)), "reversed")
    db.session.commit()
    clock_at("2026-12-22T10:00")
    shown = text(signed_in(app).get("/bayfield/hauler"))
    assert (f'<a href="/bayfield/hauler/approval">Ask again for the change of approval {NUMBER}</a>: the decision is '
            "reversed, December 21, 2026.") in shown  # fmt: skip
    other = hauler("Second Septic", "second@hauler.example")
    assert owed(world.plant(), other.id, world.law(), world.at("2026-12-22T10:00")) == []


def test_a_suspension_lifted_before_the_outcome_leaves_nothing_to_do(approval: Approval) -> None:
    row_id = suspended(approval)
    review = enter("suspension", row_id)
    lifted: Any = lift_suspension(world.plant(), row_id, "The log came.", **given("2026-12-19T09:00", "director"))
    assert isinstance(lifted, Suspension), lifted
    close(review, "reversed")
    assert letter("review_outcome").data["follows"] == ""


def test_an_appeal_follows_an_outcome_of_any_kind(approval: Approval) -> None:
    row_id = noticed(approval)
    close(enter("violation", row_id), "upheld")
    assert letter("review_outcome").data["next"] == "You may ask for the appeal until the end of December 31, 2026"
    again: Any = enter_review(world.plant(), "We appeal.", date(2026, 12, 22), "Ingrid O'Brien", violation_id=row_id,
                              **given("2026-12-22T09:00"))  # fmt: skip
    assert [one.name for one in steps_of(again.id)] == ["Appeal asked for"]


def test_under_chapter_68_a_notice_of_violation_is_no_determination_and_carries_no_words_of_one(app: Any) -> None:
    approval = approved(hauler())
    row_id = noticed(approval)
    assert letter("violation").data["review"] == ""
    assert enter("violation", row_id).code == "nothing_to_review"
    assert reviewable(world.plant(), world.law(), DAY) == []


def test_a_notice_under_a_review_of_its_own_waits_for_the_words_on_review_rights(approval: Approval) -> None:
    no_review_text()
    made = notice(approval)
    assert (type(made), made.code) == (Refusal, "no_review_block")


@pytest.mark.parametrize("kind", MADE)
def test_pages_lead_from_the_list_to_the_review_and_its_outcome(
    app: Any, approval: Approval, clock_at: Any, kind: str
) -> None:
    row_id = MADE[kind](approval)
    db.session.commit()
    clock_at("2026-12-18T09:00")
    client = app.test_client()
    world.sign_in(client, "clerk")
    address = f"/bayfield/director/reviews/new/{kind}/{row_id}"
    assert address in client.get("/bayfield/director/enforcement").get_data(as_text=True)
    assert "The letter went out Wednesday, December 16, 2026" in client.get(address).get_data(as_text=True)
    answer = client.post(address, data={
        "once": "a" * 32, "asked_on-month": "12", "asked_on-day": "18", "asked_on-year": "2026",
        "asked_by": "Ingrid O'Brien", "words": "It was not so.",
    })  # fmt: skip
    assert answer.status_code == 303, answer.get_data(as_text=True)[-3000:]
    page = client.get(answer.location).get_data(as_text=True)
    assert f"<h1>Review: {ABOUT[kind][:1].lower()}{ABOUT[kind][1:]}</h1>" in page
    assert client.get(f"/bayfield/director/reviews/new/{kind}/999999").status_code == 404
