"""A booking that comes back, or what is left of one: whether its room is there, and which restrictions meet it.

Asked of a ticket made void, of a no-show taken back and of a load of which one morning moves or is given up
(§ 329-7 B(3), F(3)).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Protocol

from intake.models import Restriction
from intake.queries import capacity, restrictions
from intake.queries.capacity import DayPicture
from intake.queries.tank_rest import with_rest
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law


class Part(Protocol):
    """A planned session, as its row or as it is planned with."""

    @property
    def day(self) -> date: ...
    @property
    def starts(self) -> datetime: ...
    @property
    def ends(self) -> datetime: ...
    @property
    def gph(self) -> int: ...
    @property
    def gallons(self) -> int: ...
    @property
    def point_id(self) -> int: ...


def pictures_without(plant: Plant, law: Law, booking_id: int, days: Iterable[date], at: datetime
                     ) -> dict[date, DayPicture]:  # fmt: skip
    """Some days without a booking; in a receiving tank each with the parts of it on the other days."""
    found = capacity.day_pictures(plant, law, days, at, booking_id)
    return {day: with_rest(one, plant.id, booking_id, at, but=[day]) for day, one in found.items()}


def has_room(one: Part, picture: DayPicture) -> bool:
    """Whether the room of a session is there, whatever is restricted."""
    if not isinstance(picture.hours, Hours):
        return False
    limits = picture.cap.limits if picture.cap is not None else ()
    free = offers.free_steps((picture.hours.start, picture.hours.end), limits, picture.taken)
    return replace(picture, steps=free).holds(one.point_id, _session(one))


def meeting(plant: Plant, law: Law, waste: str, parts: Iterable[Part], pictures: Mapping[date, DayPicture],
            at: datetime) -> list[Restriction]:  # fmt: skip
    """The restrictions in force that meet a load with one of these times, or leave no room for it then."""
    several = list(parts)
    return [row for row in restrictions.in_force(plant.id, at) if any(
        _meets(row, waste, one, pictures[one.day], restrictions.planned_until(row, law, at))
        for one in several)]  # fmt: skip


def _meets(row: Restriction, waste: str, one: Part, picture: DayPicture, until: datetime) -> bool:
    inside = row.starts < one.ends and one.starts < until
    if row.scope != "rate" and inside and restrictions.meets(row, waste, one.point_id):
        return True
    into_tank = picture.tank is not None and picture.tank.point_id == one.point_id
    # A tank that is bled less has less room for a while after the restriction too.
    bled_less = into_tank and (row.scope in ("everything", "rate") or one.point_id in row.points)
    return ((row.scope == "rate" and inside) or bled_less) and not picture.holds(one.point_id, _session(one))


def _session(one: Part) -> Session:
    return Session(one.starts, one.ends, one.gph, one.gallons)
