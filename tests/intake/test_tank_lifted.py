"""Lifting a restriction at a plant with a receiving tank: who stands again, who is listed, and that it holds then."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Booking, Hold
from intake.queries.bookings import first_point
from intake.queries.checks import check_capacity
from intake.queries.tank import tank_point
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import THURSDAY, WEDNESDAY, Hauler, book, code, hauler, picture, session
from tests.intake.tanks import PLAIN, beside_station, into

pytestmark = pytest.mark.usefixtures("app")
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
