"""How a plant's receiving tank fills and empties: from its newest reading on, over every day that anything is planned.

What is booked, runs or waits at the tank goes in. The valve comes before the other points: it has its rate of each
day's limit in the unloading hours, and they have the rest (§ 329-7 F(3), F(4)). What stays overnight is bled in the
next open hours. That a tank is bled in these hours only is how this is read: the ordinance names no tank.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import Any, Protocol

from sqlalchemy import bindparam, select

from intake.models import Load, Restriction, Run
from intake.queries import kept_rooms, restrictions
from intake.queries.flow_recorded import recorded_for
from intake.queries.places import Place
from intake.queries.tank import readings
from intake.states import LoadState, RunKind
from office.db import db
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours
from ordinances.flows import reads_meter
from ordinances.offers import Draw, Session, Step, free_steps
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.tank import Tank, TankPlan, Unloading
from ordinances.ticks import HOUR, exact, tick

ONE_DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


class Planned(Protocol):
    """A planned session that keeps its room, as ``capacity.planned`` gives it."""

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


@dataclass(frozen=True)
class Basin:
    """A tank with everything that is planned for it; ``valve`` is what it has of the limit, by day.

    A restriction of the tank's point shuts the valve, but its share stays its own: when it is lifted, which may be any
    minute, nobody has planned with it meanwhile.
    """

    point_id: int
    tank: Tank
    plan: TankPlan
    valve: Mapping[date, Sequence[Draw]]
    read_at: datetime

    def on(self, day: date) -> Sequence[Draw]:
        """What the valve has of a day's limit, gallons an hour over time."""
        return self.valve.get(day, ())

    def less(self, lines: Iterable[Sequence[Session]]) -> "Basin":
        """The same with some lines' rooms kept in it."""
        return replace(self, plan=self.plan.adding(*_kept_in(self.point_id, lines)))

    def bled(self, start: datetime, end: datetime) -> Fraction:
        """Gallons that leave the tank between two instants; nothing is known of them before the reading."""
        first = max(start, self.read_at, key=tick)
        return self.plan.course.bled(first, end) if tick(first) < tick(end) else Fraction(0)

    def idle(self, day: date, start: datetime, end: datetime) -> Fraction:
        """Gallons the valve could let through between two instants of a day, that are not there."""
        first, last = max(tick(start), tick(self.read_at)), tick(end)
        share = sum(exact(one.gph) * max(0, min(tick(one.end), last) - max(tick(one.start), first))
                    for one in self.on(day))  # fmt: skip
        return Fraction(share, HOUR) - self.bled(start, end)


@dataclass(frozen=True)
class Asked:
    """What a basin is asked about: until which day, and what is left out (as ``capacity.day_pictures``).

    ``tank`` and ``held`` are another tank than the one that is set, with so much in it now, or at ``since``; ``lower``
    further limits. Without ``lines`` nothing is kept for those in line; ``unless`` is a restriction that never was.
    """

    days: Collection[date] = ()
    except_load: int | None = None
    except_room: int | None = None
    tank: Tank | None = None
    held: int | None = None
    lower: Sequence[Draw] = ()
    since: datetime | None = None
    lines: bool = True
    unless: int | None = None


def basin(plant: Plant, law: Law, at: datetime, place: Place, plans: Sequence[Planned], asked: Asked) -> Basin | None:
    """A tank as things stand; None while it is not set. Four queries, one more where the law reads the meter.

    ``plans`` are the plant's planned sessions that end after ``at``.
    """
    tank = asked.tank or place.tank
    last_read = None if asked.held is not None else next(iter(readings(place.id)), None)
    if tank is None or (last_read is None and asked.held is None):
        return None
    since = (last_read.read_at if last_read is not None else asked.since or at).astimezone(law.zone)
    held = last_read.gallons if last_read is not None else asked.held or 0
    today = at.astimezone(law.zone).date()
    runs = _runs(plant.id, since, asked.except_load, today)
    lines = _kept(plant.id, at, asked.except_room) if asked.lines else []
    came = [*_flowing(place.id, runs, plans, at), *_kept_in(place.id, lines)]
    last = max([today, *asked.days, *(one.start.astimezone(law.zone).date() for one in came)])
    stops, shut = _restricted(plant.id, law, at, since, place.id, asked.unless)
    stops += asked.lower
    drawn = _drawn(place.id, runs)
    valve = {day: _valve(law, day, tank, stops, drawn.get(day, ()), flows)
             for day, flows in _days(plant.id, law, since.date(), last)}  # fmt: skip
    until = datetime.combine(last + ONE_DAY, time(0), law.zone)
    limits = (*chain.from_iterable(valve.values()), *shut)
    plan = TankPlan(tank, since, max(until, at.astimezone(law.zone) + SECOND), min(held, tank.gallons), limits,
                    tuple(came))  # fmt: skip
    return Basin(place.id, tank, plan, valve, since)


def _days(plant_id: int, law: Law, first: date, last: date) -> Iterable[tuple[date, list[tuple[date, int]]]]:
    """The days from one to another, each with the recorded flow its limit may read."""
    days = [first + n * ONE_DAY for n in range((last - first).days + 1)]
    flows = recorded_for(plant_id, law, first, last) if any(reads_meter(law, day) for day in days) else []
    return ((day, flows) for day in days)


def _valve(law: Law, day: date, tank: Tank, stops: Sequence[Draw], drawn: Sequence[Draw],
           flows: list[tuple[date, int]]) -> tuple[Draw, ...]:  # fmt: skip
    """What the valve has of a day's limit: its own rate, or what the limit and the loads that flow leave it."""
    hours = dump_hours(law, day)
    if not isinstance(hours, Hours):
        return ()
    cap = cap_on(law, day, readings=flows)
    if cap.shut is not None:
        return ()
    steps = free_steps((hours.start, hours.end), [*cap.limits, *stops], drawn)
    return tuple(Draw(one.start, one.end, min(one.free, tank.bleed_gph)) for one in steps if one.free > 0)


def _flowing(point_id: int, runs: Iterable[Any], plans: Iterable[Planned], at: datetime) -> list[Unloading]:
    """What goes into the tank: loads as they run, what waits in a truck, and bookings whose truck is to come.

    A truck that is late may still come until its time is over: then its gallons begin now.
    """
    found = []
    for one in runs:
        if one.point_id == point_id and one.gallons and (one.kind == RunKind.RAN.value or one.ends > at):
            starts = one.starts if one.kind == RunKind.RAN.value else max(one.starts, at)
            found.append(Unloading(starts, one.gallons, one.gph))
    return found + [Unloading(max(one.starts, at), one.gallons, one.gph) for one in plans if one.point_id == point_id]


def _drawn(point_id: int, runs: Iterable[Any]) -> dict[date, list[Draw]]:
    """What flows at the other points, by day. What is only planned there never comes before the valve."""
    found: dict[date, list[Draw]] = {}
    for one in runs:
        if one.point_id != point_id:
            found.setdefault(one.day, []).append(Draw(one.starts, one.ends, one.gph))
    return found


def _kept(plant_id: int, at: datetime, except_room: int | None) -> list[list[Session]]:
    """The times of each freed room that are kept for those in line."""
    return [[one.session for one in line if one.is_kept(at)]
            for line in kept_rooms.lines(plant_id, since=at) if line[0].room.id != except_room]  # fmt: skip


def _kept_in(point_id: int, lines: Iterable[Sequence[Session]]) -> list[Unloading]:
    """What is kept of the tank so that any one of a line's times can be had: at each instant the fastest of them."""
    found = []
    for line in lines:
        mine = [one for one in line if one.point == point_id]
        found += [Unloading(one.start, one.gallons, one.gph) for one in mine] if len(mine) == 1 else [
            Unloading(one.start, -(-int(one.gph) * ((one.end - one.start) // SECOND) // 3600), int(one.gph))
            for one in kept_rooms.most(mine)
        ]  # fmt: skip
    return found


def _runs(plant_id: int, since: datetime, except_load: int | None, today: date) -> list[Any]:
    """Runs as they are, but for those of today of a load that is laid out anew."""
    asked = {"plant_id": plant_id, "since": since, "but": except_load or 0, "today": today}
    return list(db.session.execute(_since(), asked))


@cache
def _since() -> Any:
    return (
        select(Run.day, Run.point_id, Run.starts, Run.ends, Run.gph, Run.gallons, Run.kind)
        .join(Load, Load.id == Run.load_id)
        .where(Run.plant_id == bindparam("plant_id"), Run.ends > bindparam("since"),
               (Load.id != bindparam("but")) | (Run.day < bindparam("today")), Load.state == LoadState.ACCEPTED.value)
        .order_by(Run.starts, Run.id)
    )  # fmt: skip


def _restricted(plant_id: int, law: Law, at: datetime, since: datetime, point_id: int, unless: int | None
                ) -> tuple[list[Draw], list[Draw]]:  # fmt: skip
    """The limits that restrictions put on the bleed since an instant: those of the whole plant, and when the tank's
    point is shut, which shuts its valve."""
    rows = [row for row in db.session.scalars(_restrictions(), {"plant_id": plant_id, "since": since})
            if row.id != unless]  # fmt: skip
    wide, shut = [[Draw(row.starts, row.lifted_at or restrictions.planned_until(row, law, at), row.gph or 0)
                   for row in rows if (row.scope == "points") is only and (not only or point_id in row.points)]
                  for only in (False, True)]  # fmt: skip
    return wide, shut


@cache
def _restrictions() -> Any:
    query = select(Restriction).where(
        Restriction.plant_id == bindparam("plant_id"), Restriction.scope != "types",
        Restriction.lifted_at.is_(None) | (Restriction.lifted_at > bindparam("since")),
    )  # fmt: skip
    return query.order_by(Restriction.id).execution_options(populate_existing=True)


def into(tank: Tank, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The rate of a truck at the tank wherever anything may be unloaded at all."""
    rate = tank.unload_gph
    return tuple(replace(one, free=rate if one.cap else 0, cap=rate if one.cap else 0) for one in steps)


def empty_takes(tank: Tank, window: tuple[datetime, datetime], limits: Sequence[Draw]) -> int:
    """The largest single load an empty tank takes in some hours, gallons."""
    rate = tank.unload_gph
    plan = TankPlan(tank, window[0], window[1], 0, tuple(limits))
    return plan.largest((Step(*window, rate, rate),))
