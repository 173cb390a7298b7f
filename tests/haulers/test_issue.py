"""Issuing letters: nothing shows to a hauler before, approval, plan and limits come with it (NR 113.07(2)(b))."""

from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import func, select

from haulers.actions import DecisionLine, Limit, correct_decision, withdraw_application
from haulers.actions.plans import Item, check_plan
from haulers.models import AllowanceLine, Application, Approval, Decision, Motion
from haulers.queries import (
    current_decisions,
    issued_decisions,
    standing,
    taken_gallons,
    waiting_decisions,
)
from haulers.states import Outcome, Period, StandingState
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import (
    OUTSIDE,
    SOURCE,
    acting,
    approve,
    approved,
    decide,
    filed,
    hauler,
    issue,
    record,
    roll,
)

LATER = "2026-09-23T09:00"
CORRECTED = date(2026, 9, 22)


def count(model: Any) -> int:
    return db.session.scalar(select(func.count(model.id))) or 0


def taken() -> tuple[int, int]:
    return taken_gallons(world.plant().id, "2026-27", world.at("2026-09-24T09:00"))


def correct(line: DecisionLine, at: str = LATER, over: bool = False, by: str = "clerk", **more: Any) -> Any:
    when, call = world.at(at), more.pop("call", None) or roll(held_on=CORRECTED, words="To correct.")
    said = {"wrong": "A figure was misread", "misrecorded": True} | more
    return correct_decision(world.plant(), call, line, over, **said,
                            by=world.staff(by), at=when, law=world.law(when.date()))  # fmt: skip


def part(application: Application, winter: int, rest: int) -> DecisionLine:
    return DecisionLine(application.id, Outcome.IN_PART, winter, rest, "capacity_or_limits", "The winter is full.")


def test_before_its_letter_is_issued_a_decision_is_known_to_the_city_only(app: Any) -> None:
    business = hauler()
    application = filed(business)
    motion = record([approve(application)])
    assert (application.state, application.decided_at, count(Approval)) == ("filed", None, 0)
    assert [one.kind for one in db.session.scalars(select(Letter))] == ["application_receipt"]
    assert db.session.scalars(select(Notice).filter_by(kind="decision")).all() == []
    assert list(current_decisions([application.id])) == [application.id]
    assert issued_decisions([application.id]) == {}
    assert taken() == (12000, 8000)
    [letter] = issue(motion, at="2026-09-25T09:00")
    assert (application.state, application.decided_at) == ("approved", world.at("2026-09-16T09:00"))
    assert letter.written_at == world.at("2026-09-25T09:00")
    assert issued_decisions([application.id])[application.id].letter_id == letter.id
    assert taken() == (12000, 8000)
    state = standing(world.plant().id, business.id, world.at("2026-10-05T08:00"), world.law()).state
    assert state is StandingState.APPROVED


def test_one_letter_can_be_issued_before_the_others_and_each_once(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    motion = record([approve(first), approve(second)])
    chosen = current_decisions([second.id])[second.id]
    assert [one.party_id for one in issue(motion, [chosen.id])] == [
        db.session.scalars(select(Letter.party_id).filter_by(kind="approval")).one()
    ]
    assert (first.state, second.state) == ("filed", "approved")
    assert [one.id for _, one in waiting_decisions(world.plant().id)] == [first.id]
    assert issue(motion, [chosen.id]).code == "nothing_to_issue"
    assert len(issue(motion)) == 1
    assert issue(motion).code == "nothing_to_issue"
    assert count(Approval) == 2


def test_a_lost_motion_and_one_of_another_plant_issue_nothing(app: Any) -> None:
    from haulers.states import Ballot

    motion = record([approve(filed(hauler()))], roll(Ballot.AYE, Ballot.NO, Ballot.ABSTAIN))
    assert issue(motion).code == "nothing_to_issue"
    assert issue(Motion(id=999)).code == "nothing_to_issue"


def test_an_application_withdrawn_before_its_letter_gets_none(app: Any) -> None:
    business = hauler()
    application = filed(business)
    motion = record([approve(application)])
    when = world.at("2026-09-17T09:00")
    gone = withdraw_application(world.plant(), application.id, by=acting(business), at=when,
                                law=world.law(when.date()))  # fmt: skip
    assert isinstance(gone, Application)
    assert (issue(motion).code, taken(), count(Approval)) == ("nothing_to_issue", (0, 0), 0)


def test_limits_go_into_the_plan_and_become_the_approvals(app: Any) -> None:
    application = filed(hauler(), SOURCE, OUTSIDE)
    limits = (Limit("", Period.DAY, 3000), Limit("holding_tank", Period.WEEK, 1500, hard=False))
    decide([replace(approve(application), allowances=limits)])
    approval = db.session.scalars(select(Approval)).one()
    assert approval.plan[0]["text"].endswith(
        " Not more than 3,000 gallons a day; 1,500 gallons of holding tank waste a week (more is noted, not refused)."
    )
    rows = db.session.scalars(select(AllowanceLine).order_by(AllowanceLine.id))
    assert [(row.waste, row.period, row.gallons, row.hard) for row in rows] == [
        ("", "day", 3000, True), ("holding_tank", "week", 1500, False),
    ]  # fmt: skip


def test_limits_that_cannot_be_are_refused(app: Any) -> None:
    application = filed(hauler())
    line, day = approve(application), Limit("", Period.DAY, 3000)
    assert record([replace(line, allowances=(day, Limit("", Period.DAY, 1)))]).code == "limit_twice"
    assert record([replace(line, allowances=(Limit("", Period.DAY, 0),))]).code == "limit_nought"
    assert record([replace(line, allowances=(Limit("holding_tank", Period.DAY, 9),))]).code == "limit_waste"
    refused = DecisionLine(application.id, Outcome.REJECTED, 0, 0, "incompatible", "No.", (), (day,))
    assert record([refused]).code == "limit_rejected"
    assert count(Motion) == 0


def test_a_plan_with_an_empty_item_is_not_issued(app: Any) -> None:
    whole = [Item("Fees", "$0.024 a gallon", "§ 1")]
    assert check_plan(whole, "Any") is None
    said = check_plan([*whole, Item("Payment for analysis", "  ", "§ 2")], "Any Septic")
    assert isinstance(said, Refusal)
    assert (said.code, said.cite, said.why) == (
        "plan_empty", "§ 2",
        "Any Septic: the disposal plan says nothing yet under 'Payment for analysis', so this letter is not issued.",
    )  # fmt: skip


def test_a_law_without_an_item_of_the_plan_issues_no_approval(app: Any) -> None:
    from haulers.actions import issue_letters

    motion = record([approve(filed(hauler()))])
    when = world.at("2026-09-16T09:00")
    law = world.law(when.date())
    bare = replace(law, profile=replace(law.profile, schedule=None))
    said = issue_letters(world.plant(), motion.id, by=world.staff("clerk"), at=when, law=bare)
    assert isinstance(said, Refusal)
    assert (said.code, count(Approval)) == ("plan_empty", 0)


def test_only_the_clerk_issues(app: Any) -> None:
    from haulers.actions import issue_letters

    motion = record([approve(filed(hauler()))])
    when = world.at("2026-09-16T09:00")
    said = issue_letters(world.plant(), motion.id, by=world.staff("member1"), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("not_your_role", "Only a city clerk may do this.")


def test_a_correction_before_the_letter_leaves_one_letter_with_the_new_words(app: Any) -> None:
    application = filed(hauler())
    first = record([approve(application)])
    made = correct(part(application, 5000, 8000))
    assert (made.passed, made.kind) == (True, "correct")
    old, new = db.session.scalars(select(Decision).order_by(Decision.id))
    assert (old.gallons_winter, new.corrects_id, taken()) == (12000, old.id, (5000, 8000))
    assert issue(first).code == "nothing_to_issue"
    [letter] = issue(made, at=LATER)
    assert (letter.title, letter.data["corrects"]) == ("Approval in part of application 2026-27/0001", "")
    assert (application.state, db.session.scalars(select(Approval.gallons_winter)).one()) == ("in_part", 5000)


def test_a_correction_after_the_letter_names_the_letter_and_changes_the_approval(app: Any) -> None:
    application = filed(hauler())
    decide([replace(approve(application), allowances=(Limit("", Period.DAY, 3000),))])
    approval = db.session.scalars(select(Approval)).one()
    made = correct(replace(part(application, 5000, 8000), allowances=(Limit("", Period.WEEK, 6000),)))
    assert (application.state, approval.gallons_winter, taken()) == ("approved", 12000, (5000, 8000))
    [letter] = issue(made, at=LATER)
    first = db.session.scalars(select(Letter).filter_by(kind="approval").order_by(Letter.id)).first()
    assert first is not None
    assert letter.title == "Correction: approval in part of application 2026-27/0001"
    assert letter.data["corrects"] == f"{first.number} of September 16, 2026"
    assert (approval.number, approval.gallons_winter, approval.decision_id) == (
        "A-2026-27-001", 5000, current_decisions([application.id])[application.id].id,
    )  # fmt: skip
    assert (application.state, application.decided_at, count(Approval)) == (
        "in_part", world.at("2026-09-16T09:00"), 1,
    )  # fmt: skip
    assert [(row.period, row.gallons) for row in db.session.scalars(select(AllowanceLine))] == [("week", 6000)]
    subjects = list(db.session.scalars(select(Notice.subject).filter_by(kind="decision").order_by(Notice.id)))
    assert subjects[1] == "Corrected: your application 2026-27/0001 is approved in part: 13,000 gallons"


def test_a_correction_may_approve_what_was_rejected_but_not_take_an_approval_away(app: Any) -> None:
    application = filed(hauler())
    decide([DecisionLine(application.id, Outcome.REJECTED, 0, 0, "incompatible", "Misread.")])
    made = correct(approve(application))
    issue(made, at=LATER)
    assert (application.state, count(Approval)) == ("approved", 1)
    said = correct(DecisionLine(application.id, Outcome.REJECTED, 0, 0, "incompatible", "After all."))
    assert (said.code, said.cite) == ("issued", "§ 329-7 G")
    assert said.why == "Approval A-2026-27-001 is issued: a correction cannot take it away."


def test_what_is_not_decided_or_is_revoked_is_not_corrected(app: Any) -> None:
    from tests.haulers.test_revocation import revoke

    application = filed(hauler("Second Septic", "second@hauler.example"))
    assert correct(approve(application)).code == "not_decided"
    approval = approved(hauler())
    revoke(approval)
    theirs = db.session.get_one(Application, approval.application_id)
    assert correct(part(theirs, 1, 1), "2026-10-21T09:00").code == "revoked"
    assert taken() == (12000, 8000)  # revoked only in October
    assert taken_gallons(world.plant().id, "2026-27", world.at("2026-10-21T09:00")) == (0, 0)


def test_the_decision_of_an_approval_given_back_is_not_corrected(app: Any) -> None:
    from haulers.actions.reinstatement import reinstate_approval
    from tests.haulers.test_revocation import revoke

    approval = approved(hauler())
    revoke(approval)
    when = world.at("2026-10-22T09:00")
    motion = reinstate_approval(world.plant(), approval.id, roll(held_on=date(2026, 10, 21)), "He mended it.",
                                date(2026, 10, 23), by=world.staff("clerk"), at=when,
                                law=world.law(when.date()))  # fmt: skip
    assert isinstance(motion, Motion)
    issue(motion, at="2026-10-22T09:00")
    theirs = db.session.get_one(Application, approval.application_id)
    assert correct(part(theirs, 1, 1), "2026-10-24T09:00").code == "reinstated"
    assert taken_gallons(world.plant().id, "2026-27", world.at("2026-10-24T09:00")) == (12000, 8000)


def test_capacity_counts_what_is_decided_and_not_issued_and_not_what_a_correction_replaces(app: Any) -> None:
    from haulers.queries import SourceLine

    whole = SourceLine("septic_tank", "The county", "planning", "Daily", 1998, 209790, 0)
    application = filed(hauler(), whole)
    record([approve(application)])
    second = filed(hauler("Second Septic", "second@hauler.example"))
    assert record([approve(second)]).details == {"winter": 12000, "rest": 0}
    assert correct(part(application, 209789, 0)).passed is True
    assert taken() == (209789, 0)
