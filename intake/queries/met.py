"""Which bookings a restriction or a lower limit would meet, and whom it would tell: shown before, used by the act."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import select

from haulers import queries as haulers
from intake.models import Hold
from intake.queries import capacity, tank_met
from intake.queries.bookings import Group, grouped, over_the_limit
from intake.queries.flow_recorded import recorded_for
from intake.queries.restriction_words import Asked
from intake.queries.restrictions import end_of_planning, meets, to_stop
from intake.queries.special_spans import arrangements
from office import formats
from office.access import Role, people_with
from office.db import db
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours, dump_hours
from ordinances.flows import Reading
from ordinances.offers import Draw, Session, Step
from ordinances.other_times import arranged
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.tank import Tank

STAFF_TOLD = {Role.OPERATOR: "operator", Role.MANAGER: "plant manager", Role.CLERK: "clerk",
              Role.MEMBER: "committee member"}  # fmt: skip


@dataclass(frozen=True)
class Met:
    """The bookings met, the loads that must stop or not start, the haulers and the people of the city told."""

    groups: tuple[Group, ...]
    today: int
    running: int
    later: int
    haulers: int
    staff: dict[Role, list[int]]
    until: datetime

    @property
    def told_words(self) -> str:
        """Everybody who will be told: ``7 people: 1 hauler, 1 operator, ... and 3 committee members``."""
        parts = [formats.plural(self.haulers, "hauler")]
        parts += [formats.plural(len(ids), STAFF_TOLD[role]) for role, ids in self.staff.items() if ids]
        people = formats.plural(self.haulers + sum(map(len, self.staff.values())), "person", "people")
        return f"{people}: {', '.join(parts[:-1])}{' and ' if parts[1:] else ''}{parts[-1]}"


def staff_told(plant_id: int, at: datetime) -> dict[Role, list[int]]:
    """The people of the city a restriction is told to, by role; who has several is under the first of them."""
    seen: set[int] = set()
    found = {}
    for role in STAFF_TOLD:
        found[role] = [one for one in people_with(role, plant_id, at) if one not in seen]
        seen.update(found[role])
    return found


def met(plant: Plant, law: Law, at: datetime, asked: Asked | None = None, until: datetime | None = None,
        held_by: int | None = None) -> Met:  # fmt: skip
    """What a restriction of now would stop: the bookings before its planning end that it meets or has no room for.

    A booking with one morning inside is held whole. ``held_by``: the restriction whose own holds are left as they are;
    one held by another restriction is held by this one too, so that lifting that one does not bring it back.
    """
    asked, until = asked or Asked(), until or end_of_planning(law, at)
    own = set(db.session.scalars(select(Hold.booking_id).filter_by(restriction_id=held_by, ended_at=None)))
    groups = grouped(one for one in capacity.planned(plant.id, at, since=at) if one.booking_id not in own)
    if asked.scope == "rate":
        found = _over(plant, law, groups, asked.gph or 0, at, until)
    else:
        found = [group for group in groups if any(
            one.starts < until and meets(asked, one.waste, one.point_id) for one in group.sessions)]  # fmt: skip
    found = _with_less_bleed(plant, law, at, asked, until, groups, found)
    today = at.astimezone(plant.tz).date()
    runs = to_stop(plant.id, at, asked)
    running = sum(one.running for one in runs)
    told = {business.id for _, business, _ in haulers.approvals_in_force(plant.id, at, law, until)}
    told |= {one.business_id for group in found for one in group.sessions}
    return Met(
        tuple(found), sum(any(one.day == today for one in group.sessions) for group in found), running,
        len(runs) - running, len(told), staff_told(plant.id, at), until,
    )  # fmt: skip


def _with_less_bleed(plant: Plant, law: Law, at: datetime, asked: Asked, until: datetime, groups: list[Group],
                     found: list[Group]) -> list[Group]:  # fmt: skip
    """Also the bookings, after the restriction too, for which a tank has no room since it is bled less until then."""
    place = tank_met.tank_place(plant.id)
    if place is None or asked.scope == "types" or (asked.scope == "points" and place.id not in asked.points):
        return found
    gone = {group.booking_id for group in found}
    less = [Draw(at, until, asked.gph or 0)]
    lost = {group.booking_id for group in tank_met.losers(plant, law, at, lower=less, gone=gone)}
    return [group for group in groups if group.booking_id in gone | lost]


def _over(plant: Plant, law: Law, groups: list[Group], gph: int, at: datetime, until: datetime) -> list[Group]:
    inside = [group for group in groups if any(one.starts < until for one in group.sessions)]
    days = {one.day for group in inside for one in group.sessions}
    lower = [Draw(at, until, gph)]
    return lower_limit(plant, law, inside, days, dict.fromkeys(days, lower), at)


def lower_limit(
    plant: Plant, law: Law, groups: list[Group], days: set[date], lower: dict[date, list[Draw]], at: datetime,
    tank: Tank | None = None, held: int | None = None,
) -> list[Group]:  # fmt: skip
    """The bookings that lose their place when some days get lower limits beside their own.

    A receiving tank's valve comes before the other points; what is bled less leaves less room in it, and its trucks
    keep to the hours as all others. ``tank`` and ``held`` ask about another tank than the one that is set.
    """
    place = tank_met.tank_place(plant.id)
    sunk = tank or (place.tank if place is not None else None)
    if place is None or sunk is None:
        return _over_limit(plant, law, groups, days, lower)
    valve, direct = tank_met.valve_on(law, days, sunk), tank_met.without_tank(groups, place.id)
    several = list({id(one): one for draws in lower.values() for one in draws}.values())
    lost = {one.booking_id for one in _over_limit(plant, law, direct, days, lower, valve)}
    lost |= shut_at_tank(plant, law, groups, place.id, lower)
    lost |= {one.booking_id
             for one in tank_met.losers(plant, law, at, lower=several, tank=tank, held=held, gone=lost)}  # fmt: skip
    return [one for one in groups if one.booking_id in lost]


def _over_limit(plant: Plant, law: Law, groups: list[Group], days: set[date], lower: dict[date, list[Draw]],
                valve: Mapping[date, Draw] | None = None) -> list[Group]:  # fmt: skip
    """The bookings that the sewer no longer takes beside a tank's valve."""
    runs = dict[date, list[Draw]]()
    for day, draw in capacity.running(plant.id, days):
        runs.setdefault(day, []).append(draw)
    for day, draw in (valve or {}).items():
        runs.setdefault(day, []).append(draw)
    windows, limits = _limits(plant, law, days, groups, lower)
    return over_the_limit(groups, windows, limits, runs)


def shut_at_tank(plant: Plant, law: Law, groups: Sequence[Group], point_id: int,
                 lower: Mapping[date, Sequence[Draw]] | None = None) -> set[int]:  # fmt: skip
    """The bookings with a time at the receiving tank at which nothing is unloaded: the day or that part of it is
    closed, or a limit says nought. How much is bled is not asked: a truck empties at the tank's own rate."""
    mine = {group.booking_id: [one for one in group.sessions if one.point_id == point_id] for group in groups}
    days = {one.day for several in mine.values() for one in several}
    windows, limits = _limits(plant, law, days, groups, lower or {})
    steps = {day: offers.free_steps(window, limits[day], ()) for day, window in windows.items()}
    return {booking_id for booking_id, several in mine.items() if not all(
        _taken_on(steps.get(one.day, ()), one) for one in several)}  # fmt: skip


def _taken_on(steps: Sequence[Step], one: capacity.Planned) -> bool:
    """Whether anything at all may be unloaded at every instant of a session."""
    open_ = [replace(step, free=one.gph if step.cap else 0) for step in steps]
    return capacity.fits(open_, Session(one.starts, one.ends, one.gph, one.gallons))


def _limits(plant: Plant, law: Law, days: set[date], groups: Iterable[Group], lower: Mapping[date, Sequence[Draw]]
            ) -> tuple[dict[date, tuple[datetime, datetime]], dict[date, list[Draw]]]:  # fmt: skip
    """From when to when something may be unloaded on each open day, and the limits over it."""
    windows, limits = {}, {}
    recorded = recorded_for(plant.id, law, min(days), max(days)) if days else []
    for day, spans in spans_on(law, days, groups).items():
        if spans:
            windows[day] = (min(one.start for one in spans), max(one.end for one in spans))
            limits[day] = [*(one for span in spans for one in limits_on(law, day, span, recorded)),
                           *lower.get(day, ())]  # fmt: skip
    return windows, limits


def spans_on(law: Law, days: Iterable[date], groups: Iterable[Group]) -> dict[date, list[Hours]]:
    """In what each day has room: its unloading hours, and beside them what was arranged for one of these bookings."""
    found = {day: [hours] if isinstance(hours := dump_hours(law, day), Hours) else [] for day in days}
    known = [group for group in groups if any(one.day in found for one in group.sessions)]
    for row in arrangements([group.booking_id for group in known]).values():
        span = arranged(law, row.starts, row.until or row.ends)
        if row.day in found and isinstance(span, Hours):
            found[row.day].append(span)
    return found


def limits_on(law: Law, day: date, hours: Hours, recorded: Sequence[Reading]) -> list[Draw]:
    """The limits over a span of a day that the calendar has open; where a flow stops it there is no room at all."""
    return list(cap_on(law, day, readings=recorded, span=hours).limits) or [Draw(hours.start, hours.end, 0)]
