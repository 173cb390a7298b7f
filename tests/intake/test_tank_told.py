"""At a plant with a receiving tank too, whoever loses room to a rate as measured is told (§ 329-7 F(3))."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.running import change_rate
from intake.models import Load
from intake.queries.bookings import first_point
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import WEDNESDAY, book, hauler
from tests.intake.tanks import PLAIN, beside_station, into


def told() -> list[tuple[str, str]]:
    rows = db.session.execute(select(Notice.to_name, Notice.subject).filter_by(kind="runs_over"))
    return [(name, subject) for name, subject in rows]


def rate(load: Load, gph: int, at: str = "2026-10-06T07:05") -> Any:
    return good(kept(change_rate(load, gph, by=world.staff("operator"), at=world.at(at), law=world.law())))


@pytest.fixture
def load(app) -> Load:
    """A full tank bled at 400; beside it a truck at the station, with 265 left of 666."""
    beside_station(replace(PLAIN, bleed_gph=400, held=3_000))
    who = hauler()
    return good(log(who, 600, "2026-10-06T07:00", point_id=first_point(world.plant().id).id))


@pytest.mark.parametrize(("gph", "names"), [(266, []), (666, ["Second Pumping"])])
def test_a_rate_measured_beside_the_valve_tells_who_has_no_room_in_the_tank_any_more(load, gph, names):
    other = hauler("Second Pumping", number=2)
    good(book(other, into("07:00", 1_200, WEDNESDAY), at=world.at("2026-10-06T07:01")))
    rate(load, gph)
    assert [name for name, _ in told()] == names
    if names:
        body = db.session.scalars(select(Notice.body).filter_by(kind="runs_over")).one()
        assert body.splitlines()[0].startswith(
            "A load before yours runs at another rate than was planned. Receiving tank will not have room for 1,200 "
            "gallons then.")  # fmt: skip


def test_who_had_no_room_before_is_not_told_again_at_the_next_rate(load):
    other = hauler("Second Pumping", number=2)
    good(book(other, into("07:00", 1_200, WEDNESDAY), at=world.at("2026-10-06T07:01")))
    rate(load, 600)
    rate(load, 620, "2026-10-06T07:15")
    assert len(told()) == 1


def test_a_truck_that_empties_slower_than_planned_takes_no_room_of_the_next(app):
    beside_station(PLAIN)
    load, other = good(log(hauler(), 2_000)), hauler("Second Pumping", number=2)
    good(book(other, into("07:10", 1_000, at=world.at("2026-10-06T07:01")), at=world.at("2026-10-06T07:01")))
    rate(load, 3_000)
    assert told() == []
