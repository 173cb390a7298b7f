"""The plant's draw and limit at every instant, added up from the rows alone: nothing of the offers is used.

Bayfield in figures, on purpose: 666 gallons an hour, 10 % of a lower flow ÷ 24, weekdays 7 to 10 a.m.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from intake.models import Booking, Hold, Load, PlannedSession, Restriction, Run
from office.db import db
from office.plants import ClosureDay, PlantRow
from tests import world

# start, end, gallons an hour, held
Piece = tuple[datetime, datetime, int, bool]


@dataclass(frozen=True)
class Span:
    """A span in which nothing changes: what is drawn by runs and plans, and the limits with and without restriction."""

    start: datetime
    end: datetime
    live: int
    held: int
    running: int
    base: int
    limit: int


def window(day: date) -> tuple[datetime, datetime] | None:
    """The hours of a day, or None when it is closed."""
    row = closure(day)
    if row is not None and row.kind != "opened" and row.shut_from is None:
        return None
    if day.weekday() > 4 and row is None:
        return None
    zone = world.plant().tz
    start, end = (datetime.combine(day, time(hour), zone).astimezone(UTC) for hour in (7, 10))
    return start, end


def closure(day: date) -> ClosureDay | None:
    """The day's row of the closure calendar."""
    return db.session.scalars(select(ClosureDay).filter_by(plant_id=world.plant().id, day=day)).first()


def shut(day: date) -> list[tuple[datetime, datetime]]:
    """The part of an open day that is closed."""
    row, zone = closure(day), world.plant().tz
    if row is None or row.shut_from is None or row.shut_until is None:
        return []
    start, end = (datetime.combine(day, one, zone).astimezone(UTC) for one in (row.shut_from, row.shut_until))
    return [(start, end)]


def planned(day: date) -> list[Piece]:
    """What is booked and has not come, been turned away or been ended by a restriction."""
    holds: dict[int, list[str | None]] = {}
    for booking_id, outcome in db.session.execute(select(Hold.booking_id, Hold.outcome)):
        holds.setdefault(booking_id, []).append(outcome)
    came = set(db.session.scalars(
        select(Load.booking_id).join(Run, Run.load_id == Load.id).where(Load.state == "accepted", Run.day == day)
    ))  # fmt: skip
    away = set(db.session.scalars(select(Load.booking_id).where(Load.state == "refused")))
    rows: Any = db.session.execute(
        select(PlannedSession, Booking.state).join(Booking, Booking.id == PlannedSession.booking_id)
        .where(PlannedSession.day == day)
    )  # fmt: skip
    found = []
    for one, state in rows:
        ends = holds.get(one.booking_id, [])
        if state == "booked" and one.booking_id not in came | away and not {"missed", "listed"} & set(ends):
            found.append((one.starts, one.ends, one.gph, None in ends))
    return found


def runs(day: date) -> list[Piece]:
    """What ran or runs."""
    rows: Any = db.session.execute(
        select(Run.starts, Run.ends, Run.gph).join(Load, Load.id == Run.load_id)
        .where(Run.day == day, Load.state == "accepted")
    )  # fmt: skip
    return [(starts, ends, gph, False) for starts, ends, gph in rows]


def base_limit(day: date) -> int:
    """666, or a tenth of a lower flow over 24 hours, rounded down."""
    rows = db.session.scalars(select(PlantRow).where(PlantRow.key == "rate.flow_gpd", PlantRow.since <= day))
    flows = sorted(rows, key=lambda row: (row.since, row.id))
    return min(666, int(flows[-1].value) // 240) if flows else 666


def restricted(at: datetime) -> list[tuple[datetime, datetime, int]]:
    """The restrictions in force now: from when, until when they are planned with, at most how many gallons an hour."""
    rows = db.session.scalars(select(Restriction).where(Restriction.lifted_at.is_(None)))
    zone = world.plant().tz
    tonight = datetime.combine(at.astimezone(zone).date(), time(23, 59, 59), zone).astimezone(UTC)
    return [(row.starts, max(row.planning_end, tonight), row.gph or 0) for row in rows]


def spans(day: date, at: datetime) -> Iterator[Span]:
    """The hours of a day cut wherever anything changes."""
    hours = window(day)
    if hours is None:
        return
    plans, ran, limits, base, closed = planned(day), runs(day), restricted(at), base_limit(day), shut(day)
    edges = {hours[0], hours[1], at}
    for start, end, *_ in [*plans, *ran, *limits, *closed]:
        edges |= {start, end}
    inside = sorted(one for one in edges if hours[0] <= one <= hours[1])
    for start, end in pairwise(inside):
        over = [one for one in limits if one[0] <= start < one[1]]
        whole = 0 if any(one[0] <= start < one[1] for one in closed) else base
        yield Span(
            start, end,
            sum(gph for s, e, gph, held in plans if s <= start < e and not held),
            sum(gph for s, e, gph, held in plans if s <= start < e and held),
            sum(gph for s, e, gph, _ in ran if s <= start < e),
            whole, min([whole, *(one[2] for one in over)]),
        )  # fmt: skip


def wrong(days: list[date], at: datetime) -> list[str]:
    """What is not as it must be from now on: too much drawn, something outside the hours, free room that is none."""
    found = []
    for day in days:
        hours = window(day)
        for start, end, gph, held in planned(day):
            if end > at and not held and (hours is None or not hours[0] <= start < end <= hours[1]):
                found.append(f"{day}: {gph} gph from {start} to {end} is outside the hours")
        for one in spans(day, at):
            if one.start < at:
                continue
            if one.live and one.live + one.held + one.running > one.base:
                found.append(f"{day}: {one} draws more than {one.base}")
            if one.live and one.live + one.running > one.limit:
                found.append(f"{day}: {one} draws more than {one.limit}")
    return found


def free_differs(picture: Any, at: datetime) -> list[str]:
    """Where what the application says is free is not the limit less what is taken."""
    found, total = [], Fraction(0)
    first = at.replace(second=0, microsecond=0)
    first += timedelta(minutes=first < at)
    for one in spans(picture.day, at):
        right = max(0, one.limit - one.live - one.held - one.running)
        said = [step.free for step in picture.steps if step.start < one.end and step.end > one.start]
        if one.start >= at and set(said) - {right}:
            found.append(f"{picture.day}: {one} has {right} free, not {said}")
        start = max(one.start, first)
        total += right * Fraction(max(0, int((one.end - start).total_seconds())), 3600)
    if picture.is_open and int(total) != picture.room:
        found.append(f"{picture.day}: {int(total)} gallons are free, not {picture.room}")
    return found
