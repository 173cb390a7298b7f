"""Which bookings lose their place when a receiving point changes: shown before, used by the act (§ 329-7 C(1), D)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from intake.models import Point
from intake.queries import capacity
from intake.queries.bookings import Group, grouped
from intake.queries.capacity import Planned
from intake.queries.places import MANY, Place, in_force, permits_of, place_of, places_on, terms_of
from intake.queries.tank import tank_set
from office import formats
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours, next_open_day
from ordinances.offers import Draw, Session, Step
from ordinances.points import PointRule, point_steps
from ordinances.reader import Law


@dataclass(frozen=True)
class Terms:
    """What a point is to be from a day on: hours (None: the plant's), trucks at once and rate (None: as the limit
    lets), minutes between two trucks, types of waste (none: every one), conditions in words."""

    is_open: bool = True
    opens: time | None = None
    closes: time | None = None
    trucks: int | None = None
    max_gph: int | None = None
    changeover: int = 0
    wastes: tuple[str, ...] = ()
    conditions: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """As the row keeps them."""
        kept = {name: getattr(self, name) for name in ("is_open", "trucks", "max_gph", "changeover")}
        return kept | {
            "opens": f"{self.opens:%H:%M}" if self.opens else None, "wastes": list(self.wastes),
            "closes": f"{self.closes:%H:%M}" if self.closes else None, "conditions": self.conditions.strip(),
        }  # fmt: skip


@dataclass(frozen=True)
class _Row:
    """Terms in the shape of their row."""

    is_open: bool
    opens: str | None
    closes: str | None
    trucks: int | None
    max_gph: int | None
    changeover: int
    wastes: list[str]
    conditions: str


def place_now(point: Point, day: date) -> Place:
    """A point as it is set on a day."""
    permits = permits_of([point.id])[point.id] if point.kind == "manhole" else []
    return place_of(point, in_force(terms_of([point.id])[point.id], day), permits, tank_set(point.id))


def place_with(point: Point, wanted: Terms) -> Place:
    """A point as it would be under other terms."""
    permits = permits_of([point.id])[point.id] if point.kind == "manhole" else []
    return place_of(point, _Row(**wanted.columns), permits, tank_set(point.id))


@dataclass(frozen=True)
class Change:
    """A change of a point: the point as it would be on a day, and which of what is planned there it is about.

    ``last`` is the last day it is about, where terms are set already for a later one.
    """

    place_on: Callable[[date], Place]
    about: Callable[[Planned], bool]
    last: date | None = None


# A booking that loses its place, and the first of its days on which it has none.
Loser = tuple[Group, date]


def other_terms(point: Point, wanted: Terms, since: date) -> Change:
    """Other terms from a day on: they count until the day for which others are set already."""
    place = place_with(point, wanted)
    later = min((row.since for row in terms_of([point.id])[point.id] if row.since > since), default=None)
    last = later - timedelta(days=1) if later is not None else None
    return Change(lambda _: place, lambda one: (
        one.point_id == point.id and since <= one.day and (last is None or one.day <= last)), last)  # fmt: skip


def permit_ended(point: Point, permit_id: int) -> Change:
    """A manhole without one of its written permissions, on the days and for the haulers it was for."""
    ended = next((one for one in permits_of([point.id])[point.id] if one.id == permit_id), None)

    def without(day: date) -> Place:
        place = next(one for one in places_on(point.plant_id, [day])[day] if one.id == point.id)
        return replace(place, permits=tuple(one for one in place.permits if one.id != permit_id))

    return Change(without, lambda one: (
        one.point_id == point.id and ended is not None and ended.holds(one.day, one.business_id)))  # fmt: skip


def no_longer_fits(plant: Plant, law: Law, change: Change, at: datetime) -> list[Loser]:
    """The bookings that lose their place at a point by a change of it: those made first keep theirs.

    Each day is judged as the point would be set on it. What another point or the plant's limit would say is not asked:
    it does not change.
    """
    groups = grouped(capacity.planned(plant.id, at, since=at))
    mine = [(group, here) for group in groups if (here := [one for one in group.sessions if change.about(one)])]
    taken: dict[tuple[date, int], list[Draw]] = {}
    for day, point_id, draw in capacity.running_at(plant.id, {one.day for _, here in mine for one in here}):
        taken.setdefault((day, point_id), []).append(draw)
    losers = []
    for group, here in mine:
        lost = next((one.day for one in here if not _keeps(
            law, change.place_on(one.day), one, taken.get((one.day, one.point_id), ()))), None)  # fmt: skip
        if lost is not None:
            losers.append((group, lost))
            continue
        for one in here:
            taken.setdefault((one.day, one.point_id), []).append(one.draw)
    return losers


def _keeps(law: Law, place: Place, one: Planned, taken: Sequence[Draw]) -> bool:
    """Whether a planned session still has its place at a point, beside what keeps its place there already."""
    if not (place.is_open and place.takes(one.waste) and place.permitted(one.day, one.business_id)):
        return False
    hours = dump_hours(law, one.day)
    if not isinstance(hours, Hours) or not hours.start <= one.starts < one.ends <= hours.end:
        # Arranged for another time of the day: the point's own hours say nothing of it.
        return True
    rule = place.rule or PointRule(str(place.id), trucks=MANY)
    whole = [Step(hours.start, hours.end, 10**9)]
    steps = point_steps(rule, hours, whole, taken)
    return capacity.fits(steps, Session(one.starts, one.ends, one.gph, one.gallons))


def hours_wrong(law: Law, wanted: Terms, since: date) -> str:
    """Why the hours cannot be those of a point: they end before they begin, or lie outside the plant's; "" if not."""
    if wanted.opens and wanted.closes and wanted.opens >= wanted.closes:
        return "The point must close after it opens"
    hours = dump_hours(law, since)
    if not isinstance(hours, Hours):
        hours = dump_hours(law, next_open_day(law, since))
    if not isinstance(hours, Hours):
        return ""
    first, last = hours.start.time(), hours.end.time()
    outside = any(one is not None and not first <= one <= last for one in (wanted.opens, wanted.closes))
    if outside or wanted.opens == last or wanted.closes == first:
        return f"The hours must lie inside the plant's, {formats.span(first, last)}"
    return ""
