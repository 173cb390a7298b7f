"""The roll call of a motion: those who sat on the day of the meeting; its hour and agenda, kept once recorded."""

from dataclasses import replace
from datetime import date, time
from typing import Any

from sqlalchemy import select

from haulers.actions import RollCall
from haulers.actions.meetings import short_notice
from haulers.actions.minutes import minutes
from haulers.models import Business, Meeting, Motion, Vote
from haulers.queries import recorded
from haulers.states import Ballot
from office.access import Actor, Grant, Role, system
from office.acts import act
from office.db import db
from office.signin import new_person
from tests import world
from tests.haulers.builders import MEETING, approve, filed, hauler, record, roll
from tests.haulers.test_decision_pages import motion
from tests.haulers.test_pages_hauler import once, signed_in, text


@act("test_resign", roles=(Role.SYSTEM,))
def _resign(name: str, when: str, *, by: Actor, at: Any) -> bool:
    grant = db.session.scalars(select(Grant).filter_by(person_id=world.staff(name).person_id)).one()
    grant.until = world.at(when)
    return True


@act("test_appoint", roles=(Role.SYSTEM,))
def _appoint(since: str, *, by: Actor, at: Any) -> int:
    person = new_person("newbie@city.example", "Newbie of the City", world.PASSWORD)
    db.session.flush()
    db.session.add(Grant(person_id=person.id, plant_id=world.plant().id, role=Role.MEMBER.value,
                         since=world.at(since)))  # fmt: skip
    db.session.flush()
    return person.id


@act("test_acts_for", roles=(Role.SYSTEM,))
def _acts_for(name: str, business: Business, since: str, until: str, *, by: Actor, at: Any) -> bool:
    db.session.add(Grant(person_id=world.staff(name).person_id or 0, party_id=business.party_id,
                         role=Role.HAULER.value, since=world.at(since), until=world.at(until)))  # fmt: skip
    db.session.flush()
    return True


def change(work: Any, *given: Any) -> Any:
    return work(*given, by=system(), at=world.START)


def put(application: Any, call: RollCall | None = None, at: str = "2026-09-17T09:00", **more: Any) -> Any:
    return record([approve(application)], call or roll(), at, **more)


def test_a_member_who_resigned_after_the_meeting_has_voted_and_one_appointed_since_has_not(app: Any) -> None:
    application, call = filed(hauler()), roll()
    change(_resign, "member3", "2026-09-15T23:00")
    newbie = change(_appoint, "2026-09-16T00:00")
    assert put(application, replace(call, votes={**call.votes, newbie: Ballot.AYE})).code == "votes_missing"
    assert put(application, call).passed is True
    assert db.session.scalars(select(Vote.person_name).order_by(Vote.person_id)).all() == [
        "Member1 of the City", "Member2 of the City", "Member3 of the City",
    ]  # fmt: skip


def test_a_member_gone_the_evening_before_the_meeting_has_no_vote(app: Any) -> None:
    application, call = filed(hauler()), roll()
    change(_resign, "member3", "2026-09-15T00:00")
    assert put(application, call).code == "votes_missing"
    two = {one: vote for one, vote in call.votes.items() if one != world.staff("member3").person_id}
    assert put(application, replace(call, votes=two)).passed is True


def test_where_the_hour_is_known_the_roll_is_of_that_hour(app: Any) -> None:
    application, call = filed(hauler()), roll()
    change(_resign, "member3", "2026-09-15T12:00")
    assert put(application, replace(call, began=time(12, 0))).code == "votes_missing"
    assert put(application, replace(call, began=time(11, 59))).passed is True


def test_whom_a_member_acted_for_on_the_day_of_the_meeting_counts(app: Any) -> None:
    business = hauler()
    application = filed(business)
    change(_acts_for, "member3", business, "2026-09-01T09:00", "2026-09-16T09:00")
    assert put(application).code == "own_business"
    change(_acts_for, "member2", business, "2026-09-16T09:00", "2026-09-30T09:00")
    only_three = roll(Ballot.AYE, Ballot.AYE, Ballot.RECUSED)
    assert put(application, only_three, by="member2").why == (
        "You act for O'Brien & Søn Septic, L.L.C., so another person has to record this decision."
    )
    assert put(application, only_three).passed is True


def test_another_agenda_or_hour_of_a_recorded_meeting_is_refused_and_the_minutes_stay(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    told = replace(roll(), agenda_posted_at=world.at("2026-09-14T09:00"), began=time(18, 0))
    made = put(first, told)
    said = minutes(recorded(world.plant().id, made.id), world.law(MEETING))[0]  # type: ignore[arg-type]
    assert said == ("Public Works Committee, Tuesday, September 15, 2026, 6:00 p.m. The agenda was posted Monday, "
                    "September 14, 2026, 9:00 a.m. Conflicts of interest: none stated.")  # fmt: skip
    other = put(second, replace(roll(), agenda_posted_at=world.at("2026-09-15T08:00")))
    assert (other.code, other.why) == (
        "agenda_recorded",
        "The agenda of the meeting of September 15, 2026 is recorded as posted Monday, September 14, 2026, 9:00 a.m.",
    )  # fmt: skip
    hour = put(second, replace(roll(), began=time(18, 30)))
    assert (hour.code, hour.why) == (
        "began_recorded", "The meeting of September 15, 2026 is recorded as begun at 6:00 p.m.",
    )  # fmt: skip
    assert put(second, told).passed is True
    assert minutes(recorded(world.plant().id, made.id), world.law(MEETING))[0] == said  # type: ignore[arg-type]


def test_an_agenda_entered_with_a_later_motion_says_so_in_the_minutes_of_the_earlier(app: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    made = put(first)
    later = put(second, replace(roll(), agenda_posted_at=world.at("2026-09-14T09:00"), began=time(18, 0)),
                "2026-09-17T09:30")  # fmt: skip
    one, two = (minutes(recorded(world.plant().id, it.id), world.law(MEETING))[0]  # type: ignore[arg-type]
                for it in (made, later))  # fmt: skip
    assert one == (
        "Public Works Committee, Tuesday, September 15, 2026. When the agenda was posted is not recorded with this "
        "motion. Entered Thursday, September 17, 2026, 9:30 a.m.: the agenda was posted Monday, September 14, 2026, "
        "9:00 a.m. Conflicts of interest: none stated."
    )
    assert two.startswith("Public Works Committee, Tuesday, September 15, 2026, 6:00 p.m. The agenda was posted Monday")


def test_an_agenda_is_posted_before_the_hour_of_the_meeting(app: Any) -> None:
    application = filed(hauler())
    late = replace(roll(), agenda_posted_at=world.at("2026-09-15T18:00"), began=time(18, 0))
    assert put(application, late).code == "agenda_after"
    assert put(application, replace(late, agenda_posted_at=world.at("2026-09-15T17:59"))).passed is True
    second = filed(hauler("Second Septic", "second@hauler.example"))
    assert put(second, replace(roll(held_on=date(2026, 9, 17)), began=time(9, 1))).code == "not_begun"


def test_notice_shorter_than_the_states_hours_is_told_as_not_confirmed() -> None:
    law, six = world.law(MEETING), world.at("2026-09-15T18:00")
    said = ("The agenda was posted less than 24 hours before the meeting. The state's open meetings law is read to "
            "want that much (§ 19.84(3), Wis. Stats., not confirmed); ask the city attorney whether it was "
            "enough.")  # fmt: skip
    assert short_notice(MEETING, six, world.at("2026-09-14T18:01"), law) == said
    assert short_notice(MEETING, six, world.at("2026-09-14T18:00"), law) == ""
    assert short_notice(MEETING, None, world.at("2026-09-15T00:01"), law) == said
    assert short_notice(MEETING, None, world.at("2026-09-15T00:00"), law) == ""
    assert short_notice(MEETING, six, None, law) == ""


def test_the_form_shows_the_roll_of_the_day_typed_and_keeps_what_was_typed(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-17T09:00")
    application = filed(hauler())
    change(_resign, "member3", "2026-09-16T09:00")
    newbie, gone = change(_appoint, "2026-09-16T12:00"), world.staff("member3").person_id
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/motion/table"
    fresh = text(client.get(address))
    assert ("Newbie of the City" in fresh, "Member3 of the City" in fresh) == (True, False)
    assert "Was the meeting another day, the next page shows who sat then." in fresh
    now = [str(world.staff(name).person_id) for name in ("member1", "member2")] + [str(newbie)]
    typed = motion(step="aye", applications=str(application.id))
    typed = {name: value for name, value in typed.items() if name != f"vote_{gone}"}
    page = client.post(address, data=typed | {"sat": ",".join(now), f"vote_{newbie}": "no"})
    said = text(page)
    assert page.status_code == 422
    assert "The roll call now shows the members of September 15, 2026: mark their votes" in said
    assert ("Member3 of the City" in said, "Record a vote for" in said) == (True, False)
    assert f'name="vote_{newbie}" value="no"' in said
    assert "Approve as shown." in said or typed["words"] in said
    assert f'name="vote_{gone}" value="aye" checked' not in said
    then = [now[0], now[1], str(gone)]
    typed |= {"sat": ",".join(then), f"vote_{gone}": "no", "step": "record"} | once()
    assert client.post(address, data=typed).status_code == 303
    assert len(db.session.scalars(select(Motion)).all()) == 1
    assert {vote.person_id for vote in db.session.scalars(select(Vote))} == {int(one) for one in then}


def test_the_read_back_shows_the_hour_and_warns_of_short_notice(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-17T09:00")
    application = filed(hauler())
    db.session.commit()
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/motion/table"
    typed = motion(step="review", applications=str(application.id), began="6:00 p.m.", agenda_at="7:00 p.m.") | {
        "agenda_on-month": "9", "agenda_on-day": "14", "agenda_on-year": "2026",
    }  # fmt: skip
    page = text(client.post(address, data=typed))
    assert ("The agenda was posted late" in page, "Tuesday, September 15, 2026, 6:00 p.m." in page) == (True, True)
    client.post(address, data=typed | {"step": "record"} | once())
    assert db.session.scalars(select(Meeting.began_at)).one() == world.at("2026-09-15T18:00")
    early = text(client.post(address, data=typed | {"agenda_at": "6:00 p.m."}))
    assert "is recorded as posted Monday, September 14, 2026, 7:00 p.m." in early
