"""A review that went for the hauler changes nothing by itself: its letter says so, and clerk and committee are told."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.reviews import close_review, enter_review
from haulers.actions.revocation import revoke_approval
from haulers.models import Approval, Decision, Review
from haulers.queries.sustained import waits_for_motion
from haulers.states import Outcome
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.appeals import asked, close, given
from tests.haulers.builders import approved, decide, filed, hauler, roll
from tests.haulers.test_pages_hauler import once, signed_in, text

CLOSED = "2026-12-02T09:00"
STAYS = ("Approval A-2026-27-001 stays revoked until the committee votes to give it back and the letter of that vote "
         "is issued. Do not bring septage until that letter says from which day.")  # fmt: skip
CHANGES = "/bayfield/committee/changes"


@pytest.fixture
def approval(app: Any, before: Any) -> Approval:
    return approved(hauler())


def letter() -> Letter:
    return db.session.scalars(select(Letter).filter_by(kind="review_outcome")).one()


def waiting(day: date = date(2026, 12, 2)) -> list[tuple[str, str]]:
    return [(one.about, one.said) for one in waits_for_motion(world.plant().id, day)]


def told() -> list[tuple[str, str, str]]:
    rows = db.session.scalars(select(Notice).filter_by(kind="review_sustained").order_by(Notice.id))
    return [(one.to_email, one.subject, one.body) for one in rows]


def shown(app: Any, who: str, address: str) -> str:
    return text(signed_in(app, who).get(address))


def test_a_revocation_reversed_stays_until_it_is_given_back_and_everybody_is_told(approval: Approval, app: Any,
                                                                                 clock_at: Any) -> None:  # fmt: skip
    clock_at(CLOSED)
    close(asked(approval))
    assert letter().data["follows"] == STAYS
    assert waiting() == [("Revocation of approval A-2026-27-001", "the decision is reversed, December 1, 2026")]
    party = db.session.scalars(select(Notice).filter_by(kind="review_closed", to_email="o'brien@hauler.example")).one()
    assert STAYS in party.body
    assert [to for to, _, _ in told()] == [
        f"{name}@city.example" for name in ("clerk", "member1", "member2", "member3")
    ]
    assert {one[1:] for one in told()} == {(
        "Review closed, the decision is reversed: O'Brien & Søn Septic, L.L.C.",
        "Revocation of approval A-2026-27-001, O'Brien & Søn Septic, L.L.C.\n\nThe lock was broken.\n\nThe approval "
        "stays revoked until the committee votes to give it back: record that motion under Changes asked for.",
    )}  # fmt: skip
    page = shown(app, "member1", CHANGES)
    assert "<h2>Needs you</h2>" in page
    assert ("review of the revocation of approval A-2026-27-001</a>: the decision is reversed, December 1, 2026. The "
            "lock was broken.") in page  # fmt: skip
    assert page.count("Give it back…") == 2
    assert "On review the decision is reversed, December 1, 2026" in page
    assert ">1 review to act on</span>" in shown(app, "member1", "/bayfield/committee")
    desk = shown(app, "clerk", "/bayfield/clerk")
    assert f'<a href="{CHANGES}">Reviews that went for a hauler: the committee votes on what follows</a>' in desk


def test_a_member_reads_the_review_they_decide_on_and_records_nothing_of_it(approval: Approval, app: Any,
                                                                            clock_at: Any) -> None:  # fmt: skip
    clock_at(CLOSED)
    review = asked(approval)
    address = f"/bayfield/director/reviews/{review.id}"
    member = signed_in(app, "member1")
    page = text(member.get(address))
    assert "The gate was open." in page
    assert "The clerk or the public works director records its steps and its outcome." in page
    assert [words in page for words in ("Close the review", "Record this step", "Notices and reviews")] == [False] * 3
    assert "Close the review" in shown(app, "clerk", address)
    turned = member.post(address, data={"step": "close", "outcome": "reversed", "words": "Mine"} | once())
    assert turned.status_code == 403
    assert "This page is for a city clerk or public works director." in text(turned)
    close(review)
    assert f'href="{address}"' in shown(app, "member1", CHANGES)
    assert "The lock was broken." in shown(app, "member1", address)


def test_once_the_committee_voted_nothing_waits(approval: Approval, app: Any, clock_at: Any) -> None:
    clock_at(CLOSED)
    review = asked(approval)
    close(review)
    made = reinstate_approval(world.plant(), approval.id, roll(held_on=date(2026, 12, 2)), "The lock was broken.",
                              date(2026, 12, 3), **given("2026-12-02T18:00"))  # fmt: skip
    assert made.passed is True, made
    db.session.commit()
    assert waiting() == []
    assert "Needs you" not in shown(app, "clerk", CHANGES)


@pytest.mark.parametrize("outcome", ["upheld", "withdrawn"])
def test_a_revocation_that_stands_leaves_nothing_to_do(approval: Approval, outcome: str) -> None:
    close(asked(approval), outcome)
    assert (waiting(), letter().data["follows"]) == ([], "")
    assert told() == []


def test_one_revoked_from_a_day_to_come_is_said_from_that_day(approval: Approval) -> None:
    made: Any = revoke_approval(world.plant(), approval.id, "§ 329-7 F(4)", "Unloaded at night.",
                                from_day=date(2026, 12, 15), **given("2026-10-20T09:00", "director"))  # fmt: skip
    review: Any = enter_review(world.plant(), "The gate was open.", date(2026, 10, 28), "Ingrid O'Brien",
                               revocation_id=made.id, **given("2026-10-28T09:00"))  # fmt: skip
    close(review)
    assert letter().data["follows"] == (
        "Approval A-2026-27-001 is still revoked from December 15, 2026 on until the committee votes to give it back "
        "and the letter of that vote is issued. Do not bring septage from then on until that letter says from which "
        "day."
    )  # fmt: skip


def test_a_decision_reversed_stands_until_it_is_corrected(app: Any, before: Any, clock_at: Any) -> None:
    clock_at(CLOSED)
    one = filed(hauler())
    made = decide(
        [
            DecisionLine(
                one.id, Outcome.IN_PART, 4000, 4000, "capacity_or_limits", "The winter is full.", departure="Full"
            )
        ]
    )
    assert not isinstance(made, Refusal), made
    old = db.session.scalars(select(Decision)).one()
    review: Any = enter_review(world.plant(), "Too little.", date(2026, 10, 28), "Ingrid O'Brien", decision_id=old.id,
                               **given("2026-10-28T09:00"))  # fmt: skip
    assert isinstance(review, Review), review
    close_review(world.plant(), review.id, "changed", "There is room.", date(2026, 12, 1), **given(CLOSED))
    db.session.commit()
    assert letter().data["follows"] == (
        "The committee's decision stays as your last letter states it until the committee corrects it by a vote and "
        "the letter of that is issued."
    )  # fmt: skip
    assert waiting() == [("Decision on application 2026-27/0001", "the decision is changed, December 1, 2026")]
    assert [len(waiting(day)) for day in (date(2027, 9, 30), date(2027, 10, 1))] == [1, 0]
    assert f'href="/bayfield/committee/decisions/{old.id}/correct">Correct it…' in shown(app, "clerk", CHANGES)
