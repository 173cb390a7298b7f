"""A correction says what was voted (§ 329-7 B(2)): why, after what it corrects, and never as a revocation (G)."""

import io
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from haulers.actions import DecisionLine, Limit
from haulers.actions.amendments import ask_amendment, decide_amendments
from haulers.actions.minutes import minutes
from haulers.models import Amendment, Approval, Decision, Motion
from haulers.ports import BookingLine
from haulers.queries import business, recorded
from haulers.queries.motion_lines import AmendLine
from haulers.states import Outcome, Period
from office.db import db
from office.letters import Letter, render
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import acting, approve, decide, filed, hauler, issue, record, roll
from tests.haulers.conftest import Before
from tests.haulers.test_issue import correct, part

G = "§ 329-7 G"


@pytest.fixture
def out(app: Any) -> Approval:
    """An approval of 12,000 and 8,000 gallons whose letter was issued September 16."""
    application = filed(hauler())
    decide([replace(approve(application), allowances=(Limit("", Period.DAY, 3000),))])
    return db.session.scalars(select(Approval)).one()


def application_of(found: Approval) -> Any:
    from haulers.models import Application

    return db.session.get_one(Application, found.application_id)


def less(found: Approval, winter: int = 11000, rest: int = 8000, **more: Any) -> DecisionLine:
    return replace(part(application_of(found), winter, rest), allowances=(Limit("", Period.DAY, 3000),), **more)


def words(letter: Letter) -> str:
    pages = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages
    return " ".join(" ".join(one.extract_text() for one in pages).split())


def test_a_correction_says_what_was_wrong_and_changes_something(app: Any, out: Approval) -> None:
    assert correct(less(out), wrong="  ").code == "no_wrong"
    same = DecisionLine(out.application_id, Outcome.APPROVED, 12000, 8000, allowances=(Limit("", Period.DAY, 3000),),
                        departure="As before")  # fmt: skip
    assert correct(same).code == "nothing_changed"
    assert correct(replace(same, conditions=("Call first.",))).passed is True
    assert len(db.session.scalars(select(Motion)).all()) == 2


def test_nothing_is_taken_from_an_issued_approval_unless_it_was_recorded_otherwise_than_voted(
    app: Any, out: Approval
) -> None:
    said = correct(less(out), misrecorded=False)
    assert (said.code, said.cite, said.why, said.next_step) == (
        "takes_away", G, "This takes 1,000 gallons in winter from approval A-2026-27-001, which is issued. A "
        "correction only says what the committee voted; an approval is taken away by revoking it.",
        "If the decision was recorded otherwise than it was voted, tick that it was. If not, the public works director "
        "may revoke the approval in writing.",
    )  # fmt: skip
    firm = DecisionLine(out.application_id, Outcome.APPROVED, 12000, 8000, departure="As before",
                        allowances=(Limit("", Period.DAY, 2999),))  # fmt: skip
    assert correct(firm, misrecorded=False).why.startswith(
        "This takes room by a lower limit (Not more than 2,999 gallons a day) from approval A-2026-27-001"
    )
    made = correct(less(out))
    seen = recorded(world.plant().id, made.id)
    assert seen is not None
    assert ("What was wrong: It was recorded otherwise than voted. A figure was misread."
            in minutes(seen, world.law(date(2026, 9, 22)))[2])  # fmt: skip


def test_before_its_letter_a_decision_is_corrected_down_without_that_tick(app: Any) -> None:
    application = filed(hauler())
    record([approve(application)])
    assert correct(part(application, 5000, 8000), misrecorded=False).passed is True


def test_a_correction_never_goes_below_what_is_unloaded_or_booked_and_lists_it(
    app: Any, out: Approval, before: Before
) -> None:
    before.gone = (11001, 0)
    before.bookings = [BookingLine("B-1", world.at("2026-12-01T07:30"), 1500)]
    said = correct(less(out))
    assert (said.code, said.cite, said.why) == (
        "below_taken", G, "Under approval A-2026-27-001 11,001 gallons in winter and 0 in the rest of the year are "
        "unloaded or booked, and the correction would leave 11,000 gallons in winter and 8,000 in the rest of the "
        "year. Booked: B-1, Tuesday, December 1, 2026, 7:30 a.m., 1,500 gallons.",
    )  # fmt: skip
    before.gone = (11000, 8000)
    made = correct(less(out))
    assert made.passed is True
    before.gone = (11001, 8000)
    assert issue(made, at="2026-09-23T10:00").code == "below_taken"
    before.gone = (11000, 8000)
    assert [one.kind for one in issue(made, at="2026-09-23T10:00")] == ["approval"]


def test_a_correction_is_voted_after_the_decision_and_its_letter(app: Any, out: Approval) -> None:
    early = correct(less(out), call=roll(held_on=date(2026, 9, 14)))
    assert (early.code, early.why) == (
        "meeting_before", "The decision to be corrected was voted on September 15, 2026, after this meeting. Check the "
        "meeting date.",
    )  # fmt: skip
    assert correct(less(out), call=roll(held_on=date(2026, 9, 15))).why.startswith("Letter 2026-00001, to be corrected")
    assert correct(less(out), call=roll(held_on=date(2026, 9, 16))).passed is True


def test_a_correction_leaves_what_was_suggested_with_a_reason(app: Any) -> None:
    application = filed(hauler())
    record([approve(application)])
    assert db.session.scalars(select(Decision.suggested)).one() == [12000, 8000]
    line = replace(part(application, 5000, 8000), reason="")
    assert correct(line).code == "no_reason"
    back = DecisionLine(application.id, Outcome.APPROVED, 12000, 8000)
    assert correct(part(application, 5000, 8000)).about[0].count("Suggested: 12,000 gallons in winter") == 1
    later = correct(back, "2026-09-24T09:00")
    assert "Suggested:" not in later.about[0]
    third = db.session.scalars(select(Decision).order_by(Decision.id.desc())).first()
    assert third is not None and third.suggested == [12000, 8000]


def grant(found: Approval) -> Amendment:
    who = business(found.business_id)
    assert who is not None
    asked = ask_amendment(world.plant(), found.id, "gallons", "More homes.", {}, 5000, 3000, by=acting(who),
                          at=world.at("2026-09-18T09:00"), law=world.law(date(2026, 9, 18)))  # fmt: skip
    assert isinstance(asked, Amendment), asked
    motion = decide_amendments(world.plant(), roll(held_on=date(2026, 9, 20)), [AmendLine(asked.id, True, 5000, 3000)],
                               by=world.staff("clerk"), at=world.at("2026-09-20T22:00"),
                               law=world.law(date(2026, 9, 20)))  # fmt: skip
    assert not isinstance(motion, Refusal), motion
    assert isinstance(issue(motion, at="2026-09-21T09:00"), list)
    return asked


WITH = "(with the change granted September 20, 2026: 5,000 gallons more in winter and 3,000 in the rest of the year)"


def test_a_granted_change_stands_in_the_plan_as_its_letter_is_issued(app: Any, out: Approval) -> None:
    grant(out)
    assert out.plan[0]["text"].startswith(
        "17,000 gallons from November 15, 2026, to April 15, 2027, and 11,000 gallons in the rest of the season "
        f"{WITH}, septic tank waste only.")  # fmt: skip


def test_the_letter_of_a_correction_says_old_and_new_and_what_stands_with_a_granted_change(
    app: Any, out: Approval
) -> None:
    asked = grant(out)
    made = correct(less(out))
    [letter] = issue(made, at="2026-09-23T11:00")
    assert out.plan[0]["text"].startswith(
        "16,000 gallons from November 15, 2026, to April 15, 2027, and 11,000 gallons in the rest of the season "
        f"{WITH}")  # fmt: skip
    number = db.session.get_one(Letter, asked.letter_id).number
    said = words(letter)
    for piece in (
        "That letter said: approved, 12,000 gallons in winter and 8,000 in the rest of the year. Now it is: approved "
        "in part, 11,000 gallons in winter and 8,000 in the rest of the year. That letter's reason: none. What was "
        "wrong: It was recorded otherwise than voted. A figure was misread.",
        f"Change granted September 20, 2026, letter {number}: 5,000 in winter, 3,000 in the rest 8,000",
        "In force from October 1, 2026, to September 30, 2027: 16,000 in winter, 11,000 in the rest 27,000",
    ):
        assert piece in said, said
    notice = db.session.scalars(select(Notice).filter_by(kind="decision").order_by(Notice.id.desc())).first()
    assert notice is not None
    assert notice.subject == ("Corrected: your application 2026-27/0001 is approved in part: 19,000 gallons, 27,000 "
                              "with the changes granted")  # fmt: skip
    assert ("In force, with the change granted September 20, 2026: 5,000 gallons more in winter and 3,000 in the rest "
            "of the year: 16,000 gallons in winter and 11,000 in the rest of the year.") in notice.body  # fmt: skip
