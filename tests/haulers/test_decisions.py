"""The committee's decision: roll call, reasons, capacity, condition, approvals (§ 329-7 B(2)-(3))."""

from dataclasses import replace
from datetime import date
from typing import Any

from sqlalchemy import func, select

from haulers.actions import DecisionLine, decide_applications, issue_letters, record_filing_fee
from haulers.models import Approval, Decision, Meeting, Motion, Vote
from haulers.queries import SourceLine, approved_gallons, recorded
from haulers.states import Ballot, Outcome
from office.access import Grant, Role
from office.acts import act
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, approve, decide, filed, hauler, roll

AYE, NO, ABSTAIN, ABSENT, RECUSED = Ballot.AYE, Ballot.NO, Ballot.ABSTAIN, Ballot.ABSENT, Ballot.RECUSED
CONDITION = (
    "Any time the wastewater treatment works has operational problems, maintenance problems, or threat of WPDES permit "
    "violation that are indirectly or directly related to septage disposal, the Public Works Director may immediately "
    "restrict septage disposal until such time as corrective action or mitigative measures have been taken."
)
WHOLE_WINTER = SourceLine("septic_tank", "The county", "planning", "Daily", 1998, 209791, 0)


def part(ident: int, winter: int, rest: int, **more: Any) -> DecisionLine:
    said: dict[str, Any] = {"reason": "The plant cannot take all.", "reason_code": "capacity_or_limits"}
    return DecisionLine(ident, Outcome.IN_PART, winter, rest, **said | more)


def count(model: Any) -> int:
    return db.session.scalar(select(func.count(model.id))) or 0


def test_an_approval_has_its_number_period_gallons_and_six_plan_items(app: Any) -> None:
    application = filed(hauler(), SOURCE, OUTSIDE)
    motion = decide([approve(application)])
    approval = db.session.scalars(select(Approval)).one()
    assert motion.passed is True
    assert (approval.number, approval.season) == ("A-2026-27-001", "2026-27")
    assert (approval.starts, approval.ends) == (date(2026, 10, 1), date(2027, 9, 30))
    assert (approval.gallons_winter, approval.gallons_rest) == (15000, 25000)
    assert [item["item"] for item in approval.plan] == [
        "Quantities, locations, times and methods of discharge", "Report of source and amount", "Payment for analysis",
        "Actual and equitable fees", "All other terms", "Formal approval naming the plant",
    ]  # fmt: skip
    assert all(item["text"] and item["cite"] for item in approval.plan)
    assert (application.state, application.decided_at) == ("approved", world.at("2026-09-16T09:00"))


def test_the_condition_of_the_ordinance_stands_first_whether_given_or_not(app: Any) -> None:
    application = filed(hauler())
    decide([replace(approve(application), conditions=("Call before the first load.", ""))])
    decision = db.session.scalars(select(Decision)).one()
    assert decision.conditions == [
        {"text": CONDITION, "cite": "§ 329-7 B(3)"}, {"text": "Call before the first load.", "cite": ""},
    ]  # fmt: skip


def test_a_tie_is_recorded_and_decides_nothing(app: Any) -> None:
    application = filed(hauler())
    motion = decide([approve(application)], roll(AYE, NO, ABSTAIN))
    assert motion.passed is False
    assert (count(Motion), count(Vote), count(Decision), count(Approval)) == (1, 3, 0, 0)
    assert application.state == "filed"
    assert count(Letter) == 1  # the receipt of the application
    again = decide([approve(application)], roll(AYE, AYE, NO, held_on=date(2026, 9, 22)), at="2026-09-23T09:00")
    assert again.passed is True
    assert application.state == "approved"


def test_a_motion_voted_down_decides_nothing(app: Any) -> None:
    application = filed(hauler())
    assert decide([approve(application)], roll(NO, NO, AYE)).passed is False
    assert application.state == "filed"


def test_two_motions_of_one_evening_share_the_meeting(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    one, two = decide([approve(first)]), decide([approve(second)])
    assert one.meeting_id == two.meeting_id
    assert count(Meeting) == 1


def test_every_members_vote_is_needed(app: Any) -> None:
    application = filed(hauler())
    call = roll()
    short = replace(call, votes=dict(list(call.votes.items())[:2]))
    assert decide([approve(application)], short).why == "Record a vote for every member."
    assert decide([approve(application)], replace(call, seconder_id=call.mover_id)).why == (
        "Moved by and seconded by must be different people."
    )
    assert decide([approve(application)], replace(call, words=" ")).code == "no_motion"
    assert decide([approve(application)], roll(ABSENT, AYE, AYE)).code == "mover_away"
    assert count(Motion) == 0


def test_a_meeting_yet_to_come_or_before_the_filing_is_refused(app: Any) -> None:
    application = filed(hauler())
    assert decide([approve(application)], roll(held_on=date(2026, 9, 17))).code == "future_meeting"
    assert decide([approve(application)], roll(held_on=date(2026, 8, 11))).code == "meeting_before_filing"


@act("test_interest", roles=(Role.SYSTEM,))
def _give_interest(person_id: int, party_id: int, *, by: Any, at: Any) -> bool:
    db.session.add(Grant(person_id=person_id, party_id=party_id, role=Role.HAULER.value, since=at))
    return True


def test_a_member_voting_on_their_own_business_is_refused_and_recused_is_taken(app: Any) -> None:
    from office.access import system

    business = hauler()
    application = filed(business)
    member = world.staff("member3")
    _give_interest(member.person_id or 0, business.party_id, by=system(), at=world.at("2026-07-01T09:00"))
    said = decide([approve(application)])
    assert (said.code, said.cite) == ("own_business", "§ 329-7 B(2)")
    assert said.why == ("Member3 of the City acts for O'Brien & Søn Septic, L.L.C. and cannot vote on its application.")
    assert decide([approve(application)], by="member3", call=roll(AYE, AYE, RECUSED)).code == "own_business"
    assert decide([approve(application)], roll(AYE, AYE, RECUSED)).passed is True


def test_a_rejection_without_a_reason_is_refused(app: Any) -> None:
    application = filed(hauler())
    line = DecisionLine(application.id, Outcome.REJECTED, reason_code="incompatible")
    said = decide([line])
    assert (said.code, said.details) == ("no_reason", {"application_id": application.id})
    assert said.why == "O'Brien & Søn Septic, L.L.C.: enter why the application was rejected."
    assert decide([replace(line, reason="  ")]).code == "no_reason"
    assert application.state == "filed"
    assert decide([replace(line, reason="It would harm the process.")]).passed is True
    assert (application.state, count(Approval)) == ("rejected", 0)


def test_less_in_winter_needs_one_of_the_states_reasons(app: Any) -> None:
    application = filed(hauler())
    assert decide([part(application.id, 11999, 8000, reason_code=None)]).code == "no_state_reason"
    assert decide([part(application.id, 11999, 8000, reason_code="too_far")]).code == "unknown_code"
    assert decide([part(application.id, 12000, 7999, reason_code=None)]).passed is True
    assert application.state == "in_part"


def test_outcome_and_gallons_must_agree(app: Any) -> None:
    application = filed(hauler())
    full = approve(application)
    assert decide([replace(full, gallons_rest=7999)]).code == "outcome_differs"
    assert decide([part(application.id, 12000, 8000)]).code == "outcome_differs"
    assert decide([part(application.id, 0, 0)]).code == "outcome_differs"
    assert decide([part(application.id, 12001, 0)]).code == "above_ask"
    assert decide([replace(full, gallons_rest=-1)]).code == "below_nought"


def test_over_capacity_is_stopped_by_one_gallon_unless_the_committee_accepts_it(app: Any) -> None:
    application = filed(hauler(), WHOLE_WINTER)
    said = decide([approve(application)])
    assert isinstance(said, Refusal)
    assert (said.code, said.details) == ("over_capacity", {"winter": 1, "rest": 0})
    assert said.why == (
        "Approved gallons are 1 more than the plant can take (1 in winter). "
        "Lower them, or tick 'The committee accepts this'."
    )
    assert decide([part(application.id, 209790, 0)]).passed is True
    assert approved_gallons(world.plant().id, "2026-27", world.at("2026-09-16T10:00")) == (209790, 0)
    second = filed(hauler("Second Septic", "second@hauler.example"))
    assert decide([approve(second)]).details == {"winter": 12000, "rest": 0}
    assert decide([approve(second)], over=True).passed is True
    assert [one.over_capacity for one in db.session.scalars(select(Decision).order_by(Decision.id))] == [False, True]


def test_a_motion_that_adds_nothing_is_never_stopped_although_more_is_approved_than_fits(app: Any) -> None:
    first = filed(hauler(), WHOLE_WINTER)
    decide([approve(first)], over=True)
    second = filed(hauler("Second Septic", "second@hauler.example"))
    rest_only = part(second.id, 0, 8000)
    assert decide([rest_only]).passed is True
    third = filed(hauler("Third Septic", "third@hauler.example"))
    made = decide([DecisionLine(third.id, Outcome.REJECTED, reason="Not ours.", reason_code="incompatible")])
    assert (made.passed, made.about[1:]) == (True, [])
    assert [one.over_capacity for one in db.session.scalars(select(Decision).order_by(Decision.id))] == [
        True, False, False,
    ]  # fmt: skip
    fourth = filed(hauler("Fourth Septic", "fourth@hauler.example"))
    assert decide([approve(fourth)]).details == {"winter": 12001, "rest": 0}


def test_without_the_review_text_no_rejection_is_issued_but_a_full_approval_is(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    law = world.law(date(2026, 9, 16))
    bare = replace(law, plant_rows=tuple(row for row in law.plant_rows if row.key != "review.block"))
    clerk: dict[str, Any] = {"by": world.staff("clerk"), "at": world.at("2026-09-16T09:00"), "law": bare}
    motion = decide_applications(world.plant(), roll(), [part(first.id, 100, 100), approve(second)], **clerk)
    assert isinstance(motion, Motion)
    said = issue_letters(world.plant(), motion.id, **clerk)
    assert isinstance(said, Refusal)
    assert (said.code, said.cite, count(Approval)) == ("no_review_block", "§ 329-7 G", 0)
    full = db.session.scalars(select(Decision).filter_by(application_id=second.id)).one()
    taken = issue_letters(world.plant(), motion.id, [full.id], **clerk)
    assert [letter.kind for letter in taken if isinstance(taken, list)] == ["approval"]
    assert (first.state, second.state) == ("filed", "approved")


def test_all_of_a_motion_or_nothing(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    said = decide([approve(first), DecisionLine(second.id, Outcome.REJECTED)])
    assert said.code == "no_reason"
    assert (first.state, count(Motion), count(Meeting), count(Decision)) == ("filed", 0, 0, 0)


def test_a_decided_application_is_not_decided_again(app: Any) -> None:
    application = filed(hauler())
    line = approve(application)
    decide([line])
    said = decide([line])
    assert (said.code, said.why, said.next_step) == (
        "not_open", "Application 2026-27/0001 of O'Brien & Søn Septic, L.L.C. is decided and its letter is issued.",
        "To change what was recorded, correct that decision.",
    )  # fmt: skip
    assert count(Approval) == 1


def test_haulers_and_operators_may_not_record_a_decision(app: Any) -> None:
    application = filed(hauler())
    said = decide([approve(application)], by="operator")
    assert said.code == "not_your_role"
    assert said.why == "Only a committee member or city clerk may do this."


def test_each_decision_has_its_letter_notice_and_journal_entry(app: Any) -> None:
    first = filed(hauler())
    second = filed(hauler("Second Septic", "second@hauler.example"))
    motion = decide([approve(first), DecisionLine(second.id, Outcome.REJECTED, reason="Not ours.",
                                                  reason_code="no_approval")])  # fmt: skip
    kinds = [letter.kind for letter in db.session.scalars(select(Letter).where(Letter.kind != "application_receipt"))]
    assert kinds == ["approval", "rejection"]
    subjects = list(db.session.scalars(select(Notice.subject).filter_by(kind="decision").order_by(Notice.id)))
    assert subjects == [
        "Your application 2026-27/0001 is approved: 20,000 gallons", "Your application 2026-27/0002 is not approved",
    ]  # fmt: skip
    db.session.commit()
    entries = db.session.scalars(select(JournalEntry).filter_by(table_name="decision")).all()
    assert [(entry.act, entry.reason, entry.cite, entry.capacity) for entry in entries] == [
        (name, "Approve as shown.", "§ 329-7 B(2)", "clerk")
        for name in ("decide_applications", "decide_applications", "issue_letters", "issue_letters")
    ]  # fmt: skip
    shown = recorded(world.plant().id, motion.id)
    assert shown is not None
    assert (shown.count("aye"), shown.mover, len(shown.decisions)) == (3, "Member1 of the City", 2)
    assert acting(hauler("Third", "third@hauler.example")).party_id is not None


def test_the_letter_says_whether_it_was_filed_on_time_and_is_complete_with_the_reading(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    when = world.at("2026-08-19T10:00")
    record_filing_fee(world.plant(), first.id, "check", "1042", when.date(), by=world.staff("clerk"), at=when,
                      law=world.law(when.date()))  # fmt: skip
    decide([approve(first), DecisionLine(second.id, Outcome.REJECTED, reason="Full.", reason_code="incompatible")])
    letters = db.session.scalars(select(Letter).where(Letter.kind.in_(("approval", "rejection"))))
    said = {one.kind: one.data["filed"] for one in letters}
    reading = "An application is filed when it is sent in time and complete when the fee is paid too."
    assert said == {
        "approval": "Filed on time on August 12, 2026; filing fee of $75.00 received August 19, 2026: "
                    f"complete (§ 329-7 B(1)). {reading}",
        "rejection": "Filed on time on August 12, 2026; filing fee of $75.00 not received: not complete "
                     f"(§ 329-7 B(1)). {reading}",
    }  # fmt: skip


def test_a_reason_ends_with_one_full_stop_before_the_states(app: Any) -> None:
    decide([DecisionLine(filed(hauler()).id, Outcome.REJECTED, reason="No winter room", reason_code="incompatible")])
    assert db.session.scalars(select(Letter).filter_by(kind="rejection")).one().data["reason"] == "No winter room."
