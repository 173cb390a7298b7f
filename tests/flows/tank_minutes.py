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
from tests.flows.instants import ZONE, Rows

# start, end, gallons an hour
Flow = tuple[datetime, datetime, Fraction]
MINUTE = timedelta(minutes=1)
MICRO = timedelta(microseconds=1)


@dataclass(frozen=True)
class Piece:
    """A minute or a part of one: the level at both ends before what is too much is held back, and what goes out.

    ``out`` is what leaves the tank, ``others`` what flows or is planned at other points, ``limit`` the plant's.
    """

    start: datetime
    end: datetime
    first: Fraction
    last: Fraction
    out: Fraction
    others: Fraction
    limit: int


class TankMinutes:
    """Everything that counts, read once at an instant.

    ``held``: also what a restriction holds comes into the tank, and a truck that is late with all its gallons, and what
    was let in before everything was restricted goes on. Else a late one has what it finds room for, by the gate, and
    the others stop.
    """

    def __init__(self, at: datetime, *, held: bool = False) -> None:
        self.at, self.rows = at.astimezone(UTC), Rows(at)
        self.tank = db.session.scalars(select(TankTerms).order_by(TankTerms.id.desc()).limit(1)).one()
        newest = select(TankReading).order_by(TankReading.read_at.desc(), TankReading.id.desc()).limit(1)
        self.reading = db.session.scalars(newest).one()
        ident = db.session.scalars(select(Point.id).filter_by(kind="tank")).one()
        plans, runs = _plans(self.at), _runs(self.at)
        stopped = any(
            row.scope == "everything" and row.lifted_at is None for row in db.session.scalars(select(Restriction))
        )
        self.into = [(start, min(end, self.at) if stopped and not held else end, gph)
                     for point, (start, end, gph) in runs if point == ident]  # fmt: skip
        self.into += [flow for point, is_held, flow in plans if point == ident and (
            held or not (is_held or flow[0] == self.at))]  # fmt: skip
        self.flowing = [flow for point, flow in runs if point != ident]
        self.beside = [flow for point, is_held, flow in plans if point != ident and not is_held]
        tonight = datetime.combine(at.astimezone(ZONE).date(), time(23, 59, 59), ZONE).astimezone(UTC)
        self.stops = [(row.starts, row.lifted_at or max(row.planning_end, tonight), row.gph or 0)
                      for row in db.session.scalars(select(Restriction))]  # fmt: skip

    def pieces(self, until: date, *, full: bool = False) -> Iterator[Piece]:
        """From the newest reading to the end of a day; with ``full`` what the tank does not take stays out."""
        level, since = Fraction(self.reading.gallons), self.reading.read_at
        last = datetime.combine(until + timedelta(days=1), time(0), ZONE).astimezone(UTC)
        for start, end in pairwise(self._edges(since, last)):
            hours = Fraction((end - start) // MICRO, 3_600_000_000)
            limit, others = self._limit(start), _at(self.flowing, start)
            comes = _at(self.into, start) * hours
            may = min(Fraction(self.tank.bleed_gph), max(Fraction(0), limit - others)) * hours
            out = min(may, level + comes)
            then = level + comes - out
            yield Piece(start, end, level, then, out / hours, others + _at(self.beside, start), limit)
            level = min(then, Fraction(self.tank.gallons)) if full else then

    def _edges(self, since: datetime, last: datetime) -> list[datetime]:
        """Every minute of the open hours and of what is unloaded, and every change."""
        found = {since, last, self.at}
        for flow in (*self.into, *self.flowing, *self.beside):
            if flow[0] >= flow[1]:
                continue
            found |= set(flow[:2]) | set(_minutes(*flow[:2]))
        for stop in self.stops:
            found |= set(stop[:2])
        day = since.astimezone(ZONE).date()
        while day <= last.astimezone(ZONE).date():
            window = self.rows.window(day)
            found |= set(_minutes(*window)) | set(window) if window else set()
            found |= {edge for part in self.rows.shut(day) for edge in part}
            day += timedelta(days=1)
        return sorted(one for one in found if since <= one <= last)

    def _limit(self, at: datetime) -> int:
        day = at.astimezone(ZONE).date()
        window = self.rows.window(day)
        if window is None or not window[0] <= at < window[1]:
            return 0
        if any(start <= at < end for start, end in self.rows.shut(day)):
            return 0
        return min([self.rows.base(day), *(gph for start, end, gph in self.stops if start <= at < end)])


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
