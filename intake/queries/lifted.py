"""Which bookings stand again when a restriction is lifted: asked oldest first, each beside those that stand already.

What it held had its room kept, but the limit may be lower now; and a receiving tank was bled less for longer than was
planned, so that what was booked into it for later days is asked about too (§ 329-7 B(3), F(3)).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from intake.models import Restriction
from intake.queries import capacity, tank_met
from intake.queries.bookings import Group, grouped
from intake.queries.capacity import DayPicture, Planned
from intake.queries.special_spans import span_of
from intake.queries.tank_rest import beside
from intake.queries.waiting import less
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law

Parts = Mapping[date, Session]


@dataclass(frozen=True)
class Standing:
    """The bookings that do not stand again, by id, and those of them that the restriction did not hold."""

    lost: frozenset[int]
    others: tuple[Group, ...]


def standing(plant: Plant, law: Law, row: Restriction, held: Collection[int], at: datetime) -> Standing:
    """Judge the bookings that a restriction, lifted already, ``held`` and no other holds; their time is still to come.

    Whoever waits in line comes after all bookings. One that is over the limit for another reason, as recorded flow, is
    the Director's to decide: it only takes nothing from those made before it.
    """
    every = grouped(capacity.planned(plant.id, at, since=at))
    judged = set(held) | _at_stake(plant, law, row, every, held, at)
    days = {one.day for group in every if group.booking_id in judged for one in group.sessions}
    asked = [group for group in every if any(one.day in days for one in group.sessions)
             and (group.booking_id in judged or not any(one.held for one in group.sessions))]  # fmt: skip
    place = tank_met.tank_place(plant.id)
    look = _Look(plant, law, at, {one.day for group in asked for one in group.sessions},
                 {group.booking_id for group in asked})  # fmt: skip
    pictures, kept, lost = look.pictures(), list[Parts](), list[Group]()
    for group in asked:
        parts = {one.day: _part(one, at, place.id if place is not None else None) for one in group.sessions}
        if _fits(look.arranged(group, kept) or pictures, group, parts):
            pictures, kept = _with(pictures, parts), [*kept, parts]
        elif group.booking_id in judged:
            lost.append(group)
    return Standing(frozenset(group.booking_id for group in lost),
                    tuple(group for group in lost if group.booking_id not in held))  # fmt: skip


@dataclass(frozen=True)
class _Look:
    """The days on which bookings are judged, without any of these."""

    plant: Plant
    law: Law
    at: datetime
    days: set[date]
    but: set[int]

    def pictures(self, other: Mapping[date, tuple[datetime, datetime]] | None = None) -> Mapping[date, DayPicture]:
        return capacity.day_pictures(self.plant, self.law, self.days, self.at, other=other, but=self.but)

    def arranged(self, group: Group, kept: Iterable[Parts]) -> Mapping[date, DayPicture] | None:
        """The days with the span arranged for a booking at a special time (§ 329-7 F(4)) and all that stands already;
        None for any other."""
        if not any(one.special for one in group.sessions):
            return None
        pictures = self.pictures(span_of(group.booking_id))
        for parts in kept:
            pictures = _with(pictures, parts)
        return pictures


def _at_stake(plant: Plant, law: Law, row: Restriction, every: Sequence[Group], held: Collection[int], at: datetime
              ) -> set[int]:  # fmt: skip
    """The other bookings into a tank that had room in it but for this restriction, and are held by no other."""
    place = tank_met.tank_place(plant.id)
    if place is None or row.scope == "types" or (row.scope == "points" and place.id not in row.points):
        return set()
    mine = {group.booking_id for group in every if any(one.point_id == place.id for one in group.sessions)}
    out = {group.booking_id for group in every if any(one.held for one in group.sessions)}
    return mine - out - set(held) - {one.booking_id for one in tank_met.losers(plant, law, at, unless=row.id)}


def _part(one: Planned, at: datetime, tank_id: int | None) -> Session:
    """A session as it is still to come: a truck that is late at a tank has all its gallons yet."""
    start = max(one.starts, at) if one.point_id == tank_id else one.starts
    return Session(start, one.ends, one.gph, one.gallons, one.point_id)


def _fits(pictures: Mapping[date, DayPicture], group: Group, parts: Parts) -> bool:
    """Whether each part of a booking has its room, beside its parts before."""
    before: list[Session] = []
    for one in group.sessions:
        if not beside(pictures[one.day], before).holds(one.point_id, parts[one.day]):
            return False
        before.append(parts[one.day])
    return True


def _with(pictures: Mapping[date, DayPicture], parts: Parts) -> dict[date, DayPicture]:
    """The days with a booking that stands: each its own part, and in a tank those of the other days too."""
    rest = {day: beside(picture, [one for other, one in parts.items() if other != day])
            for day, picture in pictures.items()}  # fmt: skip
    return rest | {day: less(rest[day], [[one]]) for day, one in parts.items()}
