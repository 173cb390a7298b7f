"""A motion at a meeting: quorum without the recused, ties, conflicts, agenda, words for the minutes."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine, RollCall, correct_decision, exception_codes
from haulers.actions.minutes import minutes, named_words
from haulers.actions.roll_call import lost_why, quorum_of
from haulers.models import Amendment, Decision, Meeting, Motion
from haulers.queries import business, recorded
from haulers.queries.motion_lines import Limit
from haulers.states import Ballot, Outcome, Period
from office.access import Grant, Role
from office.db import db
from ordinances.calendar import season_named
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import MEETING, approve, filed, hauler, record, roll
from tests.haulers.test_decision_pages import motion
from tests.haulers.test_pages_hauler import once, signed_in, text

AYE, NO, ABSTAIN, ABSENT, RECUSED = Ballot.AYE, Ballot.NO, Ballot.ABSTAIN, Ballot.ABSENT, Ballot.RECUSED


def cast(*ballots: Ballot) -> RollCall:
    return RollCall(MEETING, "Approve.", 1, 2, dict(enumerate(ballots, start=1)))


@pytest.mark.parametrize(
    ("ballots", "lost"),
    [
        ((AYE, AYE, NO), ""),
        ((AYE, NO, ABSTAIN), "Tie: 1 aye, 1 no."),
        ((ABSTAIN, ABSTAIN, ABSTAIN), "Tie: 0 aye, 0 no."),
        ((NO, NO, AYE), "Voted down: 1 aye, 2 no."),
        ((AYE, AYE, RECUSED), ""),
        ((AYE, RECUSED, RECUSED), "No quorum: 1 of 3 members present and not recused, 2 needed."),
        ((AYE, AYE, RECUSED, ABSENT), "No quorum: 2 of 4 members present and not recused, 3 needed."),
        ((AYE, AYE, ABSTAIN, ABSENT), ""),
        ((AYE, AYE, RECUSED, RECUSED, RECUSED), "No quorum: 2 of 5 members present and not recused, 3 needed."),
        ((AYE, AYE, NO, ABSENT, RECUSED), ""),
    ],
)
def test_a_motion_carries_with_a_quorum_without_the_recused_and_more_ayes_than_noes(
    app: Any, ballots: tuple[Ballot, ...], lost: str
) -> None:
    assert lost_why(cast(*ballots), world.law(MEETING)) == lost


def test_a_town_whose_law_names_no_quorum_counts_votes_only(app: Any) -> None:
    law = world.law(MEETING)
    bare = replace(law, profile=replace(law.profile, rows=tuple(r for r in law.profile.rows
                                                                if r.key != "decision.quorum")))  # fmt: skip
    assert (quorum_of(law, MEETING, 3), quorum_of(bare, MEETING, 3)) == (2, 0)
    assert lost_why(cast(AYE, RECUSED, RECUSED), bare) == ""


def test_a_lost_motion_keeps_why_and_decides_nothing(app: Any) -> None:
    application = filed(hauler())
    made = record([approve(application)], roll(AYE, NO, ABSENT))
    assert (made.passed, made.kind, made.lost) == (False, "decide", "Tie: 1 aye, 1 no.")
    assert made.recorded_at == world.at("2026-09-16T09:00")
    assert (application.state, db.session.scalars(select(Decision)).all()) == ("filed", [])


@pytest.mark.parametrize("ballots", [(AYE, AYE, AYE), (AYE, NO, ABSENT), (NO, NO, AYE)])
def test_the_lines_of_a_motion_fit_the_ask_whether_it_carries_or_not(app: Any, ballots: tuple[Ballot, ...]) -> None:
    application = filed(hauler())
    line = approve(application)
    wrong = [
        ("above_ask", replace(line, gallons_winter=line.gallons_winter + 1)),
        ("outcome_differs", replace(line, gallons_rest=line.gallons_rest - 1)),
        ("no_reason", replace(line, outcome=Outcome.REJECTED, gallons_winter=0, gallons_rest=0)),
        ("limit_waste", replace(line, allowances=(Limit("holding_tank", Period.DAY, 5),))),
    ]  # fmt: skip
    assert [record([one], roll(*ballots)).code for _, one in wrong] == [code for code, _ in wrong]
    assert db.session.scalars(select(Motion)).all() == []
    assert record([line], roll(*ballots)).passed is (ballots == (AYE, AYE, AYE))


def test_a_correction_that_fails_is_checked_as_one_that_carries(app: Any) -> None:
    application = filed(hauler())
    record([approve(application)])
    line = replace(approve(application), gallons_winter=approve(application).gallons_winter + 1)
    when = world.at("2026-09-23T09:00")
    for ballots in ((AYE, AYE, AYE), (AYE, NO, ABSENT)):
        said = correct_decision(world.plant(), roll(*ballots, held_on=date(2026, 9, 22)), line,
                                by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip
        assert isinstance(said, Refusal)
        assert said.code == "above_ask"


def test_conflicts_and_the_agenda_are_kept_with_the_meeting(app: Any) -> None:
    application = filed(hauler())
    posted = world.at("2026-09-11T16:30")
    made = record([approve(application)], replace(roll(), conflicts=" Member3 drives for a hauler; waived. ",
                                                  agenda_posted_at=posted))  # fmt: skip
    meeting = db.session.scalars(select(Meeting)).one()
    assert (made.conflicts, meeting.agenda_posted_at) == ("Member3 drives for a hauler; waived.", posted)
    second = filed(hauler("Second Septic", "second@hauler.example"))
    record([approve(second)])
    assert meeting.agenda_posted_at == posted


def test_an_agenda_posted_after_the_meeting_is_refused(app: Any) -> None:
    application = filed(hauler())
    late = replace(roll(), agenda_posted_at=world.at("2026-09-16T00:00"))
    assert record([approve(application)], late).code == "agenda_after"
    last = replace(roll(), agenda_posted_at=world.at("2026-09-15T23:59"))
    assert record([approve(application)], last).passed is True


def test_the_minutes_name_every_vote(app: Any) -> None:
    application = filed(hauler())
    made = record([approve(application)], replace(roll(AYE, AYE, RECUSED), conflicts="Disclosed and waived",
                                                  agenda_posted_at=world.at("2026-09-11T16:30")))  # fmt: skip
    found = recorded(world.plant().id, made.id)
    assert found is not None
    assert minutes(found, world.law(MEETING)) == [
        "Public Works Committee, Tuesday, September 15, 2026. The agenda was posted Friday, September 11, 2026, "
        "4:30 p.m. Conflicts of interest: Disclosed and waived.",
        "Moved by Member1 of the City, seconded by Member2 of the City: Approve as shown. Roll call: 2 aye, 0 no, "
        "0 abstained, 0 absent, 1 recused. Aye: Member1 of the City, Member2 of the City. Recused: Member3 of the "
        "City. Motion carried.",
        "2026-27/0001, O'Brien & Søn Septic, L.L.C.: approved, 12,000 gallons in winter and 8,000 in the rest of the "
        "year.",
    ]  # fmt: skip


def test_the_minutes_of_a_lost_motion_say_why(app: Any) -> None:
    made = record([approve(filed(hauler()))], roll(AYE, NO, ABSENT))
    found = recorded(world.plant().id, made.id)
    assert found is not None
    said = minutes(found, world.law(MEETING))
    assert said[1].endswith("Absent: Member3 of the City. Motion failed. Tie: 1 aye, 1 no.")
    assert said[2:] == [
        "Put to the vote: 2026-27/0001, O'Brien & Søn Septic, L.L.C.: approve, 12,000 gallons in winter and 8,000 in "
        "the rest of the year.",
    ]  # fmt: skip


def test_the_minutes_hold_conditions_limits_and_the_states_reason_in_their_words(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    cut = DecisionLine(first.id, Outcome.IN_PART, 5000, 8000, "capacity_or_limits", "The winter is full",
                       ("Call before the first load.", "No loads on Mondays"),
                       (Limit("", Period.DAY, 3000),))  # fmt: skip
    made = record([cut, DecisionLine(second.id, Outcome.REJECTED, 0, 0, "incompatible", "Too strong.",
                                     ("No loads on Mondays",))])  # fmt: skip
    found = recorded(world.plant().id, made.id)
    assert found is not None
    law = world.law(MEETING)
    codes = exception_codes(law, season_named(law, "2026-27"))
    assert minutes(found, law)[2:] == [
        "2026-27/0001, O'Brien & Søn Septic, L.L.C.: approved in part, 5,000 gallons in winter and 8,000 in the rest "
        f"of the year. The winter is full. The state's reason: {codes['capacity_or_limits']}. Conditions added: (1) "
        "Call before the first load. (2) No loads on Mondays. Not more than 3,000 gallons a day. Suggested: 12,000 "
        "gallons in winter and 8,000 in the rest of the year.",
        "2026-27/0002, Second Septic: not approved. Too strong. The state's reason: "
        f"{codes['incompatible']}. Suggested: 12,000 gallons in winter and 8,000 in the rest of the year.",
    ]  # fmt: skip
    assert made.about[1] == ("2026-27/0002, Second Septic: reject. Too strong. The state's reason: "
                             f"{codes['incompatible']}. Suggested: 12,000 gallons in winter and 8,000 in the "
                                 "rest of the year.")  # fmt: skip


def test_a_meeting_of_another_plant_is_not_found(app: Any) -> None:
    made = record([approve(filed(hauler()))])
    assert isinstance(made, Motion)
    assert recorded(world.plant().id + 1, made.id) is None


def test_the_minutes_of_a_source_and_a_truck_name_them() -> None:
    source = Amendment(kind="source", new={"waste": "septic_tank", "place": "Harbor View Grill"})
    truck = Amendment(kind="truck", new={"plate": "WI 9", "capacity": 2500})
    assert [named_words(source), named_words(truck)] == [
        "septic tank waste from Harbor View Grill", "truck WI 9, 2,500 gallons",
    ]  # fmt: skip


def test_a_recused_member_has_a_conflict_on_record_stated_or_known(app: Any) -> None:
    application = filed(hauler())
    bare = replace(roll(AYE, AYE, RECUSED), conflicts=" ")
    said = record([approve(application)], bare)
    assert (said.code, said.why) == (
        "no_conflict", "Member3 of the City is recused. Enter the conflict of interest as it was stated.",
    )  # fmt: skip
    found = business(application.business_id)
    assert found is not None
    member = world.staff("member3").person_id
    db.session.add(Grant(person_id=member, role=Role.HAULER.value, party_id=found.party_id, since=world.START))
    db.session.flush()
    made = record([approve(application)], bare)
    assert made.conflicts == "Member3 of the City acts for O'Brien & Søn Septic, L.L.C."
    seen = recorded(world.plant().id, made.id)
    assert seen is not None
    assert minutes(seen, world.law(MEETING))[0] == (
        "Public Works Committee, Tuesday, September 15, 2026. When the agenda was posted is not recorded. Conflicts of "
        "interest: Member3 of the City acts for O'Brien & Søn Septic, L.L.C."
    )  # fmt: skip


def test_the_read_back_says_when_the_agenda_was_posted_or_warns_that_it_is_not_entered(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/motion/table"
    data = motion(step="review", applications=str(application.id))
    page = text(client.post(address, data=data))
    assert ("No agenda is entered" in page, "<dd>Not entered</dd>" in page) == (True, True)
    posted = {"agenda_on-month": "9", "agenda_on-day": "11", "agenda_on-year": "2026", "agenda_at": "4:30 p.m."}
    page = text(client.post(address, data=data | posted))
    assert ("No agenda is entered" in page, "Friday, September 11, 2026, 4:30 p.m." in page) == (False, True)
    client.post(address, data=data | posted | {"step": "record"} | once())
    assert "Friday, September 11, 2026, 4:30 p.m." in text(client.post(address, data=data))
