"""For ``verify``: a receiving tank again from the rows, by arithmetic that shares nothing with its offers.

The limit holds for its valve, so what goes into it is no draw; a plan that would run it over is named.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from intake.models import Booking, Hold, PlannedSession, Restriction, Run, TankReading, TankTerms
from intake.queries.flow_recorded import recorded_for
from intake.queries.limits_then import set_rows
from intake.queries.tank import tank_point
from intake.states import RunKind
from office.db import db
from office.law import law_in_force
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw

# start, end, gallons an hour, and the row it comes from: as ``intake.queries.checks`` has found them
Piece = tuple[datetime, datetime, int, str]
# start, end, gallons an hour: what flows over a time
Flow = tuple[datetime, datetime, int]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Load:
    """What goes into the tank: a plan (``name``, by whom it was made and when) or a run."""

    name: str
    starts: datetime
    ends: datetime
    gph: int
    gallons: int
    made_at: datetime


class TankRows:
    """The rows of a plant's tank; nothing is known of one where there is none."""

    def __init__(self, plant: Plant) -> None:
        self.plant, self.point = plant, tank_point(plant.id)
        ident = self.point.id if self.point is not None else 0
        self.terms = db.session.scalars(select(TankTerms).filter_by(point_id=ident).order_by(TankTerms.id)).all()
        newest = select(TankReading).filter_by(point_id=ident).order_by(TankReading.read_at, TankReading.id)
        self.readings = db.session.scalars(newest).all()
        self.plans, self.runs = _plans(ident), db.session.scalars(select(Run).filter_by(point_id=ident)).all()
        # What is held comes no more than it flows into the sewer.
        every = db.session.scalars(select(PlannedSession.id).filter_by(point_id=ident))
        self.names = {f"planned_session {one}" for one in every} | {f"run {one.id}" for one in self.runs}

    def outside(self, pieces: Sequence[Piece]) -> list[Piece]:
        """What goes straight into the sewer."""
        return [piece for piece in pieces if piece[3] not in self.names]

    def valve(self, law: Law, day: date, at: datetime) -> int:
        """What the valve has of the limit at an instant, before the other points."""
        hours, terms = dump_hours(law, day), [row for row in self.terms if row.set_at <= at]
        return terms[-1].bleed_gph if terms and isinstance(hours, Hours) and hours.start <= at < hours.end else 0

    def findings(self, pieces: Mapping[date, Sequence[Piece]]) -> list[str]:
        """The plans that run the tank over beside those made before them.

        Each is judged by what was known of the restrictions when it was made. One that a reading, other terms, a
        restriction or a measured run of later stand against was right then: the Director is shown it. So was one that
        was over when a lower limit of its day was set.
        """
        if not self.terms or not self.readings:
            return []
        standing = {piece[3] for several in pieces.values() for piece in several}
        plans = [one for one in self.plans if one.name in standing and one.ends > self.known]
        # What waited in a truck until its room was over is not in the tank, and comes only as it is laid out anew.
        ran = [Load(f"run {one.id}", one.starts, one.ends, one.gph, one.gallons, one.starts)
               for one in self.runs if f"run {one.id}" in standing and one.gallons
               and not (one.kind == RunKind.REST.value and one.ends <= self.known)]  # fmt: skip
        tank = self.terms[-1].gallons
        if self.highest([*ran, *plans], self.known) <= tank:
            return []
        found, beside = [], list(ran)
        for one in sorted(plans, key=lambda one: (one.made_at, int(one.name.split()[-1]))):
            most = self.highest([*beside, one], one.made_at)
            if most <= tank or most <= self.highest(beside, one.made_at):
                beside.append(one)
            elif one.made_at >= self.changed and not self._over_before_a_limit(one):
                found.append(f"{one.name}: the tank of {tank} gallons would hold {float(most):.1f} with it.")
        return found

    def _over_before_a_limit(self, one: Load) -> bool:
        """Whether a plan was over when a limit of its day was set."""
        day = one.starts.astimezone(self.plant.tz).date()
        return any(row.since <= day and row.set_at >= one.ends for row in set_rows(self.plant))

    @cached_property
    def known(self) -> datetime:
        """The last instant the rows know of: a plan that was over by then, and did not run, does not come."""
        made = [one.made_at for one in self.plans]
        return max([self.readings[-1].entered_at, *made, *(one.starts for one in self.runs)])

    @cached_property
    def changed(self) -> datetime:
        """Since when nothing but plans and runs as planned has changed the tank."""
        stops = [row.starts for row in self._stops()]
        measured = [one.starts for one in self.runs if one.measured]
        return max([self.readings[-1].entered_at, self.terms[-1].set_at, *stops, *measured])

    def highest(self, loads: Sequence[Load], at: datetime) -> Fraction:
        """The most gallons that are ever in the tank from the newest reading on, as known at an instant; it may run
        over."""
        since = self.readings[-1].read_at
        flows = [(one.starts, one.gph, Fraction(one.gallons * 3600, one.gph)) for one in loads]
        into = [(_seconds(start), _seconds(start) + length, gph) for start, gph, length in flows]
        until = max([end for _, end, _ in into], default=_seconds(since))
        out = [(_seconds(start), _seconds(end), gph) for start, end, gph in self._bleed(since, until, at)]
        edges = sorted({_seconds(since), until, *(edge for one in (*into, *out) for edge in one[:2])})
        level = highest = Fraction(self.readings[-1].gallons)
        for start, end in pairwise(edge for edge in edges if _seconds(since) <= edge <= until):
            comes = sum(gph for first, last, gph in into if first <= start < last)
            goes = min((gph for first, last, gph in out if first <= start < last), default=0)
            level = max(Fraction(0), level + (comes - goes) * (end - start) / 3600)
            highest = max(highest, level)
        return highest

    def _bleed(self, since: datetime, until: Fraction, at: datetime) -> list[Flow]:
        """The limits of the bleed over the days from the reading on; the lowest counts, none outside the hours."""
        zone, valve, found = self.plant.tz, self.terms[-1].bleed_gph, list[Flow]()
        first, last = since.astimezone(zone).date(), (EPOCH + timedelta(seconds=float(until))).astimezone(zone).date()
        stops = [(row.starts, self._ends(row, at), row.gph or 0) for row in self._stops() if row.starts <= at]
        for day in (first + timedelta(days=n) for n in range((last - first).days + 1)):
            try:
                law = law_in_force(self.plant, day)
            except NoLaw:
                continue
            if isinstance(dump_hours(law, day), Hours):
                cap = cap_on(law, day, readings=recorded_for(self.plant.id, law, day, day))
                for part in () if cap.shut is not None else cap.parts:
                    found += _lowered((part.start, part.end, min(valve, part.plan_gph)), stops)
        return found

    def _ends(self, row: Restriction, at: datetime) -> datetime:
        """When a restriction ended, or was planned to end at an instant: one not lifted holds for all of that day."""
        if row.lifted_at is not None and row.lifted_at <= at:
            return row.lifted_at
        zone = self.plant.tz
        return max(row.planning_end, datetime.combine(at.astimezone(zone).date(), time(23, 59, 59), zone))

    def _stops(self) -> list[Restriction]:
        rows = db.session.scalars(select(Restriction).filter_by(plant_id=self.plant.id))
        ident = self.point.id if self.point is not None else 0
        return [row for row in rows if row.scope != "types" and (row.scope != "points" or ident in row.points)]


def _lowered(part: Flow, stops: Iterable[Flow]) -> list[Flow]:
    """A limit cut where others begin and end, each piece at the lowest."""
    start, end, gph = part
    inside = {edge for stop in stops for edge in stop[:2] if start < edge < end}
    return [(first, last, min([gph, *(rate for begins, ends, rate in stops if begins <= first < ends)]))
            for first, last in pairwise(sorted({start, end} | inside))]  # fmt: skip


def _seconds(at: datetime) -> Fraction:
    return Fraction((at - EPOCH) // timedelta(microseconds=1), 1_000_000)


def _plans(point_id: int) -> list[Load]:
    """Planned sessions into the tank that no restriction holds."""
    held = select(Hold.booking_id).where(Hold.ended_at.is_(None))
    query = (
        select(PlannedSession, Booking).join(Booking, Booking.id == PlannedSession.booking_id)
        .where(PlannedSession.point_id == point_id, Booking.id.not_in(held)).order_by(PlannedSession.id)
    )  # fmt: skip
    rows: Any = db.session.execute(query)
    return [Load(f"planned_session {one.id}", one.starts, one.ends, one.gph, one.gallons,
                 booking.moved_at or booking.made_at) for one, booking in rows]  # fmt: skip
