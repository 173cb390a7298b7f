"""Lifting a restriction at a plant with a receiving tank: who stands again, who is listed, and that it holds then."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Booking, Hold
from intake.queries import capacity, restrictions
from intake.queries.bookings import first_point
from intake.queries.checks import check_capacity
from intake.queries.limit_met import over_now
from intake.queries.tank import tank_point
from intake.states import HoldEnd
from office.db import db
from office.notices import Notice
from office.plants import set_plant_row
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import THURSDAY, WEDNESDAY, Hauler, book, code, hauler, picture, planned, session
from tests.intake.tanks import PLAIN, beside_station, into, only_tank, read

pytestmark = pytest.mark.usefixtures("app")
FRIDAY = date(2026, 10, 9)
EARLY = world.at("2026-10-06T06:00")
SLOW = replace(PLAIN, bleed_gph=400)


@pytest.fixture
def three(app) -> list[Hauler]:
    return [hauler("Test Pumping"), hauler("Second Pumping", number=2), hauler("Third Pumping", number=3)]


def restrict(at: Any = EARLY, **more: Any) -> Any:
    return good(kept(restrict_plant(world.plant(), "operational_problem", by=world.staff("director"), at=at,
                                    law=world.law(at.date()), **more)))  # fmt: skip


def shut_tank(at: Any = EARLY) -> Any:
    point = tank_point(world.plant().id)
    assert point is not None
    return restrict(at, scope="points", points=[point.id])


def lift(row: Any, at: Any) -> Any:
    return good(kept(lift_restriction(world.plant(), row.id, "Mended", by=world.staff("director"), at=at,
                                      law=world.law(at.date()))))  # fmt: skip


def at_station(start: str, gallons: int, gph: int) -> Any:
    station = first_point(world.plant().id)
    assert station is not None
    return replace(session(start, gallons, gph), point=station.id)


def ends() -> list[tuple[str, str | None]]:
    """Each booking with how its hold ended; None while it is held, no row where it never was."""
    rows = db.session.execute(select(Booking.number, Hold.outcome).join(Hold, Hold.booking_id == Booking.id)
                              .order_by(Booking.number))  # fmt: skip
    return [(number, outcome) for number, outcome in rows]


def test_while_the_tanks_point_is_shut_its_valve_keeps_its_share_so_that_all_stands_when_it_is_lifted(three):
    beside_station(SLOW)
    good(book(three[0], into("07:00", 2_500, WEDNESDAY)))
    good(book(three[1], at_station("2026-10-07T07:00", 600, 265)))
    row = shut_tank()
    assert [step.free for step in picture(WEDNESDAY, EARLY).steps][:2] == [1, 266]
    assert code(book(three[2], at_station("2026-10-07T07:00", 1_200, 400), at=EARLY)) == "taken"
    lift(row, world.at("2026-10-06T06:10"))
    assert ends() == [("B-1007-01", "released")]
    assert check_capacity() == []


def test_an_empty_tank_whose_point_was_shut_takes_a_load_beside_what_the_station_was_booked_with_meanwhile(three):
    beside_station(SLOW)
    row = shut_tank()
    assert code(book(three[1], at_station("2026-10-07T07:00", 1_983, 661), at=EARLY)) == "taken"
    good(book(three[1], at_station("2026-10-07T07:00", 797, 266), at=EARLY))
    later = world.at("2026-10-06T06:10")
    lift(row, later)
    good(book(three[0], into("07:00", 500, WEDNESDAY, later), at=later))
    assert check_capacity() == []


def test_nothing_leaves_the_tank_while_its_point_is_shut(three):
    beside_station(replace(SLOW, held=3_000))
    shut_tank()
    course = picture(THURSDAY, EARLY).tank.plan.course
    assert course.level(world.at("2026-10-07T10:00")) == 3_000
    assert course.level(world.at("2026-10-08T10:00")) == 1_800


def lower_flow() -> None:
    """A flow comes in force while everything is held, and nobody is asked: 125,000 gallons a day give 520 an hour."""
    set_plant_row(world.plant(), "rate.flow_in_force_gpd", 125_000, WEDNESDAY, "Order 12", by=world.staff("director"),
                  at=EARLY)  # fmt: skip
    db.session.commit()


def test_of_two_that_no_longer_fit_together_the_one_made_first_stands(three):
    for who in three[:2]:
        planned(who, session("2026-10-07T07:00", 300, 300))
    row = restrict()
    lower_flow()
    lift(row, world.at("2026-10-06T06:10"))
    assert ends() == [("B-1007-01", "released"), ("B-1007-02", "listed")]


def test_the_one_made_first_is_not_listed_for_one_that_came_while_it_was_held(three):
    planned(three[0], session("2026-10-08T07:00", 300, 300))
    row = restrict(planning_end=world.at("2026-10-08T10:00"))
    planned(three[1], session("2026-10-08T07:00", 300, 300), at=EARLY)
    lower_flow()
    lift(row, world.at("2026-10-06T06:10"))
    # The other is over the limit in force, as the Director is shown; nobody takes its time unasked.
    assert ends() == [("B-1008-01", "released")]
    assert [one.number for one in over_now(world.plant(), world.law(), world.at("2026-10-06T06:10"))] == ["B-1008-02"]


def test_in_a_fuller_tank_too_the_one_made_first_stands(three):
    only_tank(SLOW)
    good(book(three[0], into("07:30", 1_500, WEDNESDAY)))
    good(book(three[1], into("07:00", 1_400, WEDNESDAY)))
    row = restrict()
    good(read(1_200, world.at("2026-10-06T06:05"), reason="Rain"))
    lift(row, world.at("2026-10-06T09:55"))
    # At most 33 gallons leave on Tuesday, and 200 by 7:30 on Wednesday: 967 and 1,500 are in it then.
    assert ends() == [("B-1007-01", "released"), ("B-1007-02", "listed")]


def test_a_load_booked_for_a_day_that_was_to_bleed_first_is_listed_and_told_when_it_did_not(three):
    only_tank(replace(SLOW, held=3_000))
    row = restrict()
    assert row.planning_end == world.at("2026-10-07T10:00")
    fits, over = [good(book(who, into(start, gallons, FRIDAY, EARLY), at=EARLY))
                  for who, start, gallons in ((three[0], "09:00", 1_000), (three[1], "09:30", 1_000))]  # fmt: skip
    noon = world.at("2026-10-08T12:00")
    lift(row, noon)
    # Bled 400 an hour from Friday at 7: 800 have left by 9, 1,000 by 9:30.
    assert ends() == [(fits.number, "listed")]
    assert over_now(world.plant(), world.law(), noon) == ()
    body = db.session.scalars(select(Notice.body).filter_by(kind="lifted", to_name="Test Pumping")).one()
    assert body.splitlines()[2:5] == [
        "", "Your bookings:", f"{fits.number}, Fri, Oct 9, 9:00 a.m.: {restrictions.ENDS[HoldEnd.LISTED]}.",
    ]  # fmt: skip
    assert over.number in {one.number for one in capacity.planned(world.plant().id, noon, [FRIDAY])}


def test_what_a_reading_meanwhile_leaves_no_room_for_is_left_to_the_director_when_a_restriction_is_lifted(three):
    only_tank(SLOW)
    row = restrict(planning_end=world.at("2026-10-06T07:00"))
    booking = good(book(three[0], into("07:00", 2_900, WEDNESDAY, EARLY), at=EARLY))
    good(read(1_500, world.at("2026-10-06T06:05"), reason="Rain"))
    later = world.at("2026-10-06T06:10")
    lift(row, later)
    assert ends() == []
    assert [one.number for one in over_now(world.plant(), world.law(), later)] == [booking.number]
