"""A restriction that outlasts its planning end: whom it meets on the next open day is told then, not at the gate."""

from dataclasses import replace
from datetime import time, timedelta

import pytest
from sqlalchemy import select

from intake.actions.planning_on import plan_on
from intake.models import Hold, Restriction
from intake.queries.bookings import first_point
from office import jobs
from office.access import system
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake import specials
from tests.intake.gatehouse import good
from tests.intake.plant import THURSDAY, WEDNESDAY, book, code, hauler, picture, planned, session
from tests.intake.tanks import PLAIN, into, only_tank
from tests.intake.test_restriction import AT, lift, outcomes, restrict

pytestmark = pytest.mark.usefixtures("app")
# Restricted Tuesday at 8:12; planned with until the close of Wednesday.
END = world.at("2026-10-07T10:00")
HELD = "Held until the restriction is lifted, do not bring these loads:"


def outlasts(at=END) -> int:
    return jobs.work(at)["restrictions_outlasting"]


def told(kind="restriction_update") -> list[tuple[str, str]]:
    rows = db.session.execute(select(Notice.to_name, Notice.subject).filter_by(kind=kind).order_by(Notice.id))
    return [(name, subject) for name, subject in rows]


def outcome_list() -> list[str | None]:
    return list(db.session.scalars(select(Hold.outcome)))


def body(kind="restriction_update") -> list[str]:
    return db.session.scalars(select(Notice.body).filter_by(kind=kind).order_by(Notice.id)).first().splitlines()


def test_at_its_planning_end_what_is_booked_for_the_next_open_day_is_held_and_its_hauler_told():
    who, other, third = hauler(), hauler("Second Pumping", number=2), hauler("Third Pumping", number=3)
    good(book(who, session("2026-10-08T07:00", 300)))
    good(book(other, session("2026-10-09T07:00", 300)))
    good(book(third, session("2026-10-07T07:00", 300)))
    row = restrict()
    assert (outlasts(END - timedelta(seconds=1)), outlasts(), outlasts(END + timedelta(minutes=1))) == (0, 1, 0)
    assert outcomes() == {"B-1007-01": None, "B-1008-01": None}
    assert db.session.get_one(Restriction, row.id).planning_end == world.at("2026-10-08T10:00")
    subject = "UPDATE: City of Bayfield plant is not taking septage (since Tue, Oct 6)"
    assert told() == [("Test Pumping", subject)]
    assert body() == [
        "Bayfield Wastewater Treatment Works is not taking septage: the restriction of Tuesday, October 6, 2026, 8:12 "
        "a.m. is still in force.",
        "Reason: an operational problem related to septage (§ 329-7 B(3)).", "", HELD,
        "B-1008-01, Thu, Oct 8, 7:00 a.m.", "", "Questions: 715-555-0100, weekdays 7 a.m. to 3 p.m.",
    ]  # fmt: skip
    assert told("restriction_planned_on") == [
        ("Director of the City", "Still restricted after its planned end: All unloading")]  # fmt: skip
    assert body("restriction_planned_on")[2:] == [
        "It was planned with until Wednesday, October 7, 2026, 10:00 a.m.",
        "1 more booking is held; nothing is offered before Thursday, October 8, 2026, 10:00 a.m.", "",
        "Post an update that says how it stands, or lift it.",
    ]  # fmt: skip
    assert verify() == []


def test_the_next_open_day_is_not_offered_any_more_and_each_end_is_told_once():
    who = hauler()
    restrict()
    assert picture(THURSDAY, END).room == 1_998
    outlasts()
    assert picture(THURSDAY, END).room == 0
    assert code(book(who, session("2026-10-08T07:00", 300), at=END)) == "restricted"
    friday = world.at("2026-10-09T10:00")
    assert (outlasts(world.at("2026-10-08T10:00")), outlasts(friday)) == (1, 1)
    assert db.session.scalars(select(Restriction.planning_end)).one() == world.at("2026-10-12T10:00")


def test_lifted_in_time_what_was_held_by_it_stands_as_it_was():
    who = hauler()
    good(book(who, session("2026-10-08T07:00", 300)))
    row = restrict()
    outlasts()
    lift(row, world.at("2026-10-07T15:00"))
    assert outcomes() == {"B-1008-01": "released"}
    assert outlasts(world.at("2026-10-08T10:00")) == 0


def test_a_split_load_and_a_special_time_of_the_next_open_day_are_held_too():
    specials.working_hours()
    who, other = hauler(), hauler("Second Pumping", number=2)
    good(book(who, [session("2026-10-08T07:00", 600), session("2026-10-09T07:00", 600)]))
    special = specials.arranged(other, begins=time(14), day=WEDNESDAY)
    restrict()
    assert outcomes() == {}
    outlasts()
    assert sorted(outcomes().items()) == [("B-1007-01", None), ("B-1008-01", None)]
    assert special.day == WEDNESDAY
    assert [name for name, _ in told()] == ["Test Pumping", "Second Pumping"]


def test_a_load_into_a_tank_that_is_bled_less_for_longer_is_held_and_told_days_before():
    only_tank(replace(PLAIN, held=3_000))
    who = hauler()
    # Friday's 2,200 need what Thursday bleeds: with Wednesday alone there is no room for them.
    good(book(who, into("09:30", 2_200, THURSDAY + timedelta(days=1))))
    restrict(at=world.at("2026-10-06T06:00"))
    assert outcomes() == {}
    outlasts()
    assert outcomes() == {"B-1009-01": None}
    assert body()[3:5] == [HELD, "B-1009-01, Fri, Oct 9, 9:30 a.m."]


@pytest.mark.parametrize(("more", "held"), [
    ({"scope": "types", "wastes": ["holding_tank"]}, {}),
    ({"scope": "types", "wastes": ["septic_tank"]}, {"B-1008-01": None}),
    ({"scope": "rate", "gph": 400}, {"B-1008-02": None}),
])  # fmt: skip
def test_only_what_it_is_about_is_held_of_a_lower_limit_what_was_booked_last(more, held):
    who, other = hauler(), hauler("Second Pumping", number=2)
    planned(who, session("2026-10-08T07:00", 300, minutes=60))
    if more["scope"] == "rate":
        planned(other, session("2026-10-08T07:00", 300, minutes=60), at=AT - timedelta(hours=1))
    restrict(**more)
    outlasts()
    assert outcomes() == held


def test_only_the_point_that_is_shut_is_meant():
    who = hauler()
    good(book(who, session("2026-10-08T07:00", 300)))
    restrict(scope="points", points=[first_point(world.plant().id).id])
    outlasts()
    assert outcomes() == {"B-1008-01": None}


def test_after_ten_days_without_jobs_only_what_is_still_to_come_is_held():
    who = hauler()
    good(book(who, session("2026-10-08T07:00", 300)))
    good(book(who, session("2026-10-19T07:00", 300)))
    restrict()
    assert outlasts(world.at("2026-10-16T12:00")) == 1
    assert outcomes() == {"B-1019-01": None}


def test_one_that_was_moved_on_meanwhile_is_left_alone():
    row = restrict()
    later, law = END - timedelta(hours=1), world.law()
    assert plan_on(world.plant(), row.id, by=system(), at=later, law=law) is False
    lift(row, later)
    assert plan_on(world.plant(), row.id, by=system(), at=END, law=law) is False


def test_two_that_outlast_their_end_together_tell_a_hauler_once_and_hold_until_both_are_lifted():
    who = hauler()
    good(book(who, session("2026-10-08T07:00", 300)))
    first, second = restrict(), restrict(scope="rate", gph=100)
    assert outlasts() == 2
    assert (len(told()), len(told("restriction_planned_on"))) == (1, 2)
    lift(first, world.at("2026-10-07T12:00"))
    assert sorted(map(str, outcome_list())) == ["None", "released"]
    lift(second, world.at("2026-10-07T13:00"))
    assert outcome_list() == ["released", "released"]
