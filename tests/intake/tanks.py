"""Builders for tests of a plant with a receiving tank: the tank set by the real acts, and who books into it."""

from datetime import date, datetime
from typing import Any

from intake.actions.flow import open_point
from intake.actions.points import set_point
from intake.actions.tank import read_tank, set_tank
from intake.models import Point
from intake.queries import point_room
from intake.queries.bookings import first_point
from intake.queries.point_met import Terms
from intake.queries.tank import tank_point
from intake.queries.tank_level import Wanted
from office.access import system
from office.db import db
from ordinances.offers import Session
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, TUESDAY, picture

# 3,000 gallons, 12,000 an hour from a truck, the whole limit of 666 through the valve.
PLAIN = Wanted(3_000, 12_000, 666, 0)


def only_tank(wanted: Wanted = PLAIN, at: datetime = MORNING) -> Point:
    """A plant at which all trucks unload into a tank; its station is closed."""
    point = beside_station(wanted, at)
    station = first_point(world.plant().id)
    assert station is not None
    closed = set_point(world.plant(), station.id, station.name, Terms(is_open=False), at.date(),
                       by=world.staff("manager"), at=at, law=world.law(at.date()))  # fmt: skip
    good(kept(closed))
    return point


def beside_station(wanted: Wanted = PLAIN, at: datetime = MORNING) -> Point:
    """A plant with a tank beside its receiving station."""
    point: Any = open_point(world.plant(), "Receiving tank", "tank", by=system(), at=world.START)
    db.session.commit()
    good(set_to(wanted, at))
    return point


def set_to(wanted: Wanted, at: datetime = MORNING, by: str = "manager") -> Any:
    """Set the tank and commit it."""
    point = tank_point(world.plant().id)
    assert point is not None
    return kept(set_tank(world.plant(), point.id, wanted, by=world.staff(by), at=at, law=world.law(at.date())))


def read(gallons: int, at: datetime, read_at: datetime | None = None, reason: str = "", by: str = "operator") -> Any:
    """Enter a reading and commit it."""
    return kept(read_tank(world.plant(), gallons, read_at or at, reason=reason, by=world.staff(by), at=at,
                          law=world.law(at.date())))  # fmt: skip


def into(start: str, gallons: int, day: date = TUESDAY, at: datetime = MORNING) -> Session:
    """The session that the tank offers from a start on, as things stand; it fails where there is none."""
    found = room(day, at).starting(world.at(f"{day}T{start}"), gallons)
    assert isinstance(found, Session), found
    return room(day, at).here(found)


def room(day: date = TUESDAY, at: datetime = MORNING) -> point_room.Room:
    """The room at the tank on a day."""
    return next(one for one in point_room.rooms(picture(day, at), "septic_tank") if one.tank is not None)
