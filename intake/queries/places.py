"""The plant's receiving points as they are set on a day (§ 329-7 C(1)), and who may use a manhole (§ 329-7 D)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.models import ManholePermission, Point, PointTerms
from intake.queries.tank import TANK, tank_set
from office import facts
from office.db import db
from office.facts import fact
from ordinances.points import PointRule
from ordinances.tank import Tank

STATION, MANHOLE = "station", "manhole"
MANY = 10**6


@dataclass(frozen=True)
class Permit:
    """A written permission for a manhole: from `since` to `until`, for one business or (None) for every hauler."""

    id: int
    business_id: int | None
    since: date
    until: date
    written_by: str
    written_on: date

    def holds(self, day: date, business_id: int | None) -> bool:
        """Whether it allows a business to unload on a day; asked for no business, whether it allows anybody."""
        return self.since <= day <= self.until and (business_id is None or self.business_id in (None, business_id))


@dataclass(frozen=True)
class Place:
    """A receiving point on a day. ``rule`` is None where the manager has set nothing that narrows the plant's room.

    ``tank`` is that of a receiving tank, which takes nothing until it is set.
    """

    id: int
    name: str
    kind: str
    rule: PointRule | None = None
    is_open: bool = True
    wastes: tuple[str, ...] = ()
    conditions: str = ""
    permits: tuple[Permit, ...] = ()
    tank: Tank | None = None
    plant_id: int = 0

    @property
    def is_manhole(self) -> bool:
        return self.kind == MANHOLE

    @property
    def is_station(self) -> bool:
        """Open, into the sewer, and for every hauler: no manhole, no tank."""
        return self.is_open and self.kind == STATION

    def takes(self, waste: str) -> bool:
        """Whether it takes a type of waste; "" stands for any."""
        return not waste or not self.wastes or waste in self.wastes

    def permitted(self, day: date, business_id: int | None) -> bool:
        """A manhole needs a written permission for the hauler; a station needs none."""
        return not self.is_manhole or any(one.holds(day, business_id) for one in self.permits)


# Bookings of a plant without any point are refused by the act; until then nothing narrows what is free.
NOWHERE = Place(0, "", STATION)


def for_all(places: Sequence[Place]) -> list[Place]:
    """The open points that are for every hauler; a manhole is for whom it is permitted (§ 329-7 D)."""
    return [one for one in places if one.is_open and not one.is_manhole]


def rule_of(point_id: int, terms: Any) -> PointRule | None:
    """What a point's terms make of it; None where they leave the plant's hours, rate and number of trucks alone."""
    if terms is None or not any((terms.opens, terms.closes, terms.trucks, terms.max_gph, terms.changeover)):
        return None
    opens, closes = (time.fromisoformat(one) if one else None for one in (terms.opens, terms.closes))
    return PointRule(str(point_id), opens, closes, terms.trucks or MANY, terms.max_gph, terms.changeover)


def place_of(point: Point, terms: Any, permits: Sequence[Permit] = (), tank: Tank | None = None) -> Place:
    """A point under its terms of a day; without terms it is open for everything."""
    if point.kind == TANK:
        return _tank_place(point, terms, tank)
    if terms is None:
        return Place(point.id, point.name, point.kind, permits=tuple(permits), plant_id=point.plant_id)
    return Place(point.id, point.name, point.kind, rule_of(point.id, terms), terms.is_open, tuple(terms.wastes),
                 terms.conditions, tuple(permits), plant_id=point.plant_id)  # fmt: skip


def _tank_place(point: Point, terms: Any, tank: Tank | None) -> Place:
    """A receiving tank: one truck at once unless more are said, each at the rate set for the tank."""
    if terms is None:
        return Place(point.id, point.name, point.kind, PointRule(str(point.id)), tank is not None, tank=tank)
    own = rule_of(point.id, terms) or PointRule(str(point.id))
    rule = replace(own, trucks=terms.trucks or 1, max_gph=None)
    is_open = terms.is_open and tank is not None
    return Place(point.id, point.name, point.kind, rule, is_open, tuple(terms.wastes), terms.conditions, tank=tank)


def in_force(terms: Sequence[Any], day: date) -> Any:
    """Of a point's terms, in order of their days, those of a day; None before the first."""
    return next((one for one in reversed(terms) if one.since <= day), None)


def terms_of(point_ids: Collection[int]) -> dict[int, list[PointTerms]]:
    """All terms of some points, in the order in which they count."""
    found: dict[int, list[PointTerms]] = {one: [] for one in point_ids}
    for row in db.session.scalars(_terms(), {"ids": list(found)}):
        found[row.point_id].append(row)
    return found


@cache
def _terms() -> Any:
    query = select(PointTerms).where(PointTerms.point_id.in_(bindparam("ids", expanding=True)))
    return query.order_by(PointTerms.since, PointTerms.id).execution_options(populate_existing=True)


@cache
def _points() -> Any:
    return select(Point).where(Point.plant_id == bindparam("plant_id")).order_by(Point.id)


def permits_of(point_ids: Collection[int]) -> dict[int, list[Permit]]:
    """The written permissions of some manholes that were not taken back."""
    columns = (ManholePermission.id, ManholePermission.business_id, ManholePermission.since, ManholePermission.until,
               ManholePermission.written_by, ManholePermission.written_on)  # fmt: skip
    query = select(ManholePermission.point_id, *columns).where(
        ManholePermission.point_id.in_(point_ids), ManholePermission.ended_at.is_(None)
    )
    found: dict[int, list[Permit]] = {one: [] for one in point_ids}
    for point_id, *rest in db.session.execute(query.order_by(ManholePermission.since, ManholePermission.id)):
        found[point_id].append(Permit(*rest))
    return found


def places_on(plant_id: int, days: Collection[date]) -> dict[date, tuple[Place, ...]]:
    """The plant's points on some days, first opened first, kept between requests."""
    return {day: _places(plant_id, day) for day in days}


@fact
def _places(plant_id: int, day: date) -> tuple[Place, ...]:
    points, terms, permits, tanks = _set(plant_id)
    return tuple(place_of(one, in_force(terms[one.id], day), permits.get(one.id, ()), tanks.get(one.id))
                 for one in points)  # fmt: skip


def places_through(plant_id: int, day: date) -> list[tuple[datetime, tuple[Place, ...]]]:
    """The points of a day as each change that was set for it made them, with when; the first as they were before."""
    points, terms, permits, tanks = _set(plant_id)
    changes = sorted({row.set_at for rows in terms.values() for row in rows if row.since == day})
    return [
        (moment, tuple(place_of(one, in_force([row for row in terms[one.id] if row.since < day or row.set_at <= moment],
                                              day), permits.get(one.id, ()), tanks.get(one.id)) for one in points))
        for moment in (datetime.min.replace(tzinfo=UTC), *changes)
    ]  # fmt: skip


def names_of(plant_id: int) -> dict[int, str]:
    """The names of all of a plant's points by id, kept between requests."""
    return {one.id: one.name for one in _set(plant_id)[0]}


@fact
def _set(plant_id: int) -> tuple[list[Point], dict[int, list[Any]], dict[int, list[Permit]], dict[int, Any]]:
    """The points, all terms of each in the order in which they count, the permissions of manholes, the tanks."""
    points = facts.rows(Point, _points(), plant_id=plant_id)
    terms: dict[int, list[Any]] = {one.id: [] for one in points}
    for row in facts.rows(PointTerms, _terms(), ids=list(terms)) if points else ():
        terms[row.point_id].append(row)
    manholes = [one.id for one in points if one.kind == MANHOLE]
    tanks = {one.id: tank_set(one.id) for one in points if one.kind == TANK}
    return points, terms, permits_of(manholes) if manholes else {}, tanks


def at_gate(plant_id: int, day: date, waste: str, business_id: int | None) -> tuple[Place, ...]:
    """The points a truck that is here may be sent to: open, for its waste, a manhole only with a written permission."""
    return tuple(one for one in places_on(plant_id, [day])[day]
                 if one.is_open and one.takes(waste) and one.permitted(day, business_id))  # fmt: skip


def permissions(plant_id: int, point_id: int) -> list[ManholePermission]:
    """Every written permission a manhole was given, those taken back too, newest first."""
    query = select(ManholePermission).filter_by(plant_id=plant_id, point_id=point_id)
    return list(db.session.scalars(query.order_by(ManholePermission.since.desc(), ManholePermission.id.desc())))
