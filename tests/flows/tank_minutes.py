"""A receiving tank from minute to minute, reckoned from the rows alone: nothing of the application is used.

Bayfield in figures, on purpose: weekdays 7 to 10 a.m., 666 gallons an hour or a tenth of a lower flow over 24 hours, of
which the valve comes first. A minute is cut wherever anything changes in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from intake.models import Booking, Hold, Load, PlannedSession, Point, Restriction, Run, TankReading, TankTerms
from office.db import db
from office.plants import PlantRow
from tests.flows.instants import ZONE, Rows

# start, end, gallons an hour
Flow = tuple[datetime, datetime, Fraction]
MINUTE = timedelta(minutes=1)
MICRO = timedelta(microseconds=1)


@dataclass(frozen=True)
class Piece:
    """A minute or a part of one: the level at both ends before what is too much is held back, and what goes out.

    ``out`` is what leaves the tank, ``others`` what flows or is planned at other points, ``beside`` what is only
    planned there and not late, ``limit`` the plant's; ``whole`` is that without any restriction.
    """

    start: datetime
    end: datetime
    first: Fraction
    last: Fraction
    out: Fraction
    others: Fraction
    beside: Fraction
    limit: int
    whole: int


class TankMinutes:
    """Everything that counts, read once at an instant.

    ``held``: also what a restriction holds comes into the tank, and a truck that is late with all its gallons, and what
    was let in before everything was restricted goes on. Else a late one has what it finds room for, by the gate, and
    the others stop. Without ``plans`` only what has come counts.
    """

    def __init__(self, at: datetime, *, held: bool = False, plans: bool = True) -> None:
        self.at, self.rows = at.astimezone(UTC), Rows(at)
        self.tank = db.session.scalars(select(TankTerms).order_by(TankTerms.id.desc()).limit(1)).one()
        newest = select(TankReading).order_by(TankReading.read_at.desc(), TankReading.id.desc()).limit(1)
        self.reading = db.session.scalars(newest).one()
        ident = db.session.scalars(select(Point.id).filter_by(kind="tank")).one()
        planned, runs = _plans(self.at) if plans else [], _runs(self.at)
        stopped = any(
            row.scope == "everything" and row.lifted_at is None for row in db.session.scalars(select(Restriction))
        )
        self.into = [(start, min(end, self.at) if stopped and not held else end, gph)
                     for point, (start, end, gph) in runs if point == ident]  # fmt: skip
        self.into += [flow for point, is_held, flow in planned if point == ident and (
            held or not (is_held or flow[0] == self.at))]  # fmt: skip
        self.coming = [flow for point, is_held, flow in planned if point == ident and flow[0] > self.at and not is_held]
        self.flowing = [flow for point, flow in runs if point != ident]
        self.beside = [flow for point, is_held, flow in planned if point != ident and not is_held]
        self.ahead = [flow for flow in self.beside if flow[0] > self.at]
        tonight = datetime.combine(at.astimezone(ZONE).date(), time(23, 59, 59), ZONE).astimezone(UTC)
        stops = list(db.session.scalars(select(Restriction)))
        spans = {row.id: (row.starts, row.lifted_at or max(row.planning_end, tonight), row.gph or 0) for row in stops}
        # One of a waste stops trucks, not the valve.
        self.stops = [spans[row.id] for row in stops if row.scope in ("everything", "rate")]
        # While its point is shut nothing leaves the tank; the limit is what it is.
        self.shut = [spans[row.id] for row in stops if row.scope == "points" and ident in row.points]
        # One that lasts longer than was planned: what it leaves no room for on later days is said when it is lifted.
        self.overdue = any(row.lifted_at is None and row.planning_end < self.at for row in stops)
        self.orders = db.session.scalars(select(PlantRow).filter_by(key="rate.own_lower").order_by(PlantRow.id)).all()

    def pieces(self, until: date, *, full: bool = False) -> Iterator[Piece]:
        """From the newest reading to the end of a day; with ``full`` what the tank does not take stays out, as whatever
        was said to have run into it before now and cannot have."""
        level, since = Fraction(self.reading.gallons), self.reading.read_at
        last = datetime.combine(until + timedelta(days=1), time(0), ZONE).astimezone(UTC)
        for start, end in pairwise(self._edges(since, last)):
            hours = Fraction((end - start) // MICRO, 3_600_000_000)
            limit, others = self._limit(start), _at(self.flowing, start)
            comes = _at(self.into, start) * hours
            bleed = 0 if any(first <= start < last for first, last, _ in self.shut) else self.tank.bleed_gph
            may = min(Fraction(bleed), max(Fraction(0), limit - others)) * hours
            out = min(may, level + comes)
            then = level + comes - out
            beside, ahead = (_at(flows, start) for flows in (self.beside, self.ahead))
            yield Piece(start, end, level, then, out / hours, others + beside, ahead, limit, self.whole(start))
            level = min(then, Fraction(self.tank.gallons)) if full or end <= self.at else then

    def _edges(self, since: datetime, last: datetime) -> list[datetime]:
        """Every minute of the open hours and of what is unloaded, and every change."""
        found = {since, last, self.at}
        for flow in (*self.into, *self.flowing, *self.beside):
            if flow[0] >= flow[1]:
                continue
            found |= set(flow[:2]) | set(_minutes(*flow[:2]))
        for stop in (*self.stops, *self.shut):
            found |= set(stop[:2])
        day = since.astimezone(ZONE).date()
        while day <= last.astimezone(ZONE).date():
            window = self.rows.window(day)
            found |= set(_minutes(*window)) | set(window) if window else set()
            found |= {edge for part in (*self.rows.shut(day), *self._ordered(day)) for edge in part[:2]}
            day += timedelta(days=1)
        return sorted(one for one in found if since <= one <= last)

    def _limit(self, at: datetime) -> int:
        return min([self.whole(at), *(gph for start, end, gph in self.stops if start <= at < end)])

    def whole(self, at: datetime) -> int:
        """The plant's limit at an instant, whatever is restricted: nought outside the hours and in a closed part."""
        day = at.astimezone(ZONE).date()
        window = self.rows.window(day)
        if window is None or not window[0] <= at < window[1]:
            return 0
        if any(start <= at < end for start, end in self.rows.shut(day)):
            return 0
        return min([self.rows.base(day), *(gph for start, end, gph in self._ordered(day) if start <= at < end)])

    def _ordered(self, day: date) -> list[tuple[datetime, datetime, int]]:
        """The Director's lower limits for parts of a day: those entered last of the newest day."""
        rows = sorted((row.since, row.id, row.value) for row in self.orders if row.since <= day)
        return [(*(datetime.combine(day, time.fromisoformat(one[key]), ZONE).astimezone(UTC) for key in ("from", "to")),
                 one["gph"]) for one in (rows[-1][2] if rows else ())]  # fmt: skip


def _minutes(start: datetime, end: datetime) -> Iterator[datetime]:
    at = start
    while at < end:
        yield at
        at += MINUTE


def _at(flows: list[Flow], at: datetime) -> Fraction:
    return sum((gph for start, end, gph in flows if start <= at < end), Fraction(0))


def _flow(starts: datetime, gallons: int, gph: int) -> Flow:
    """Gallons at a rate, to the microsecond: the rate is lowered by the share of one that is rounded off."""
    micros = -(-gallons * 3_600_000_000 // gph)
    return starts, starts + micros * MICRO, Fraction(gallons * 3_600_000_000, micros)


def _plans(at: datetime) -> list[tuple[int, bool, Flow]]:
    """What is booked and still to come: a truck that is late may come until its time is over."""
    holds: dict[int, set[str | None]] = {}
    for booking_id, outcome in db.session.execute(select(Hold.booking_id, Hold.outcome)):
        holds.setdefault(booking_id, set()).add(outcome)
    ran = select(Load.booking_id, Run.day).join(Run, Run.load_id == Load.id).where(Load.state == "accepted")
    came = {(booking_id, day) for booking_id, day in db.session.execute(ran)}
    away = set(db.session.scalars(select(Load.booking_id).where(Load.state == "refused")))
    rows: Any = db.session.execute(
        select(PlannedSession).join(Booking, Booking.id == PlannedSession.booking_id).where(Booking.state == "booked")
    ).scalars()  # fmt: skip
    found = []
    for one in rows:
        marks = holds.get(one.booking_id, set())
        if (
            one.ends <= at
            or one.booking_id in away
            or (one.booking_id, one.day) in came
            or marks & {"missed", "listed"}
        ):
            continue
        found.append((one.point_id, None in marks, _flow(max(one.starts, at), one.gallons, one.gph)))
    return found


def _runs(at: datetime) -> list[tuple[int, Flow]]:
    """What ran, runs and waits in a truck."""
    found = []
    for run in db.session.scalars(select(Run).join(Load, Load.id == Run.load_id).where(Load.state == "accepted")):
        if run.gallons and (run.kind == "ran" or run.ends > at):
            found.append((run.point_id, _flow(max(run.starts, at) if run.kind == "rest" else run.starts, run.gallons,
                                              run.gph)))  # fmt: skip
    return found
