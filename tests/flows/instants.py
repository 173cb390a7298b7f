"""The plant's draw and limit at every instant, added up from the rows alone: nothing of the offers is used.

Freed room that is kept for those in line too: whose turn it is, is counted here a second time.

Bayfield in figures, on purpose: 666 gallons an hour, 10 % of a lower flow ÷ 24, weekdays 7 to 10 a.m.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sqlalchemy import select

from intake.models import (
    Booking,
    FreedRoom,
    Hold,
    Load,
    PlannedSession,
    Restriction,
    RoomOffer,
    Run,
    SpecialTime,
    Wait,
)
from office.db import db
from office.plants import ClosureDay, PlantRow
from tests import world

# start, end, gallons an hour, held
Piece = tuple[datetime, datetime, int, bool]
ZONE = world.ZONE


@dataclass(frozen=True)
class Span:
    """A span in which nothing changes: what is drawn by runs and plans, and the limits.

    ``base`` is without restriction, ``plans`` what plans must keep to (until its planning end), ``limit`` what is free
    to others: a restriction that outlasts its planning end keeps today shut. ``waits`` is kept for those in line.
    """

    start: datetime
    end: datetime
    live: int
    held: int
    running: int
    waits: int
    base: int
    plans: int
    limit: int


class Rows:
    """Everything that counts, read once at an instant."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        self.closures = {row.day: row for row in db.session.scalars(select(ClosureDay))}
        self.flows = db.session.scalars(select(PlantRow).filter_by(key="rate.flow_in_force_gpd")).all()
        self.planned, self.runs = _planned(), _runs()
        self.measured, self.arranged = _measured(), _arranged()
        self.waits = _waits(at)
        tonight = datetime.combine(at.astimezone(ZONE).date(), time(23, 59, 59), ZONE).astimezone(UTC)
        # from when, its planning end, until when nothing is offered, gallons an hour; what stops one waste leaves the
        # others what is free
        self.restricted = [
            (row.starts, row.planning_end, row.starts if row.scope == "types" else max(row.planning_end, tonight),
             row.gph or 0)
            for row in db.session.scalars(select(Restriction).where(Restriction.lifted_at.is_(None)))
        ]  # fmt: skip

    def window(self, day: date) -> tuple[datetime, datetime] | None:
        """The hours of a day, or None when it is closed."""
        row = self.closures.get(day)
        if row is not None and row.kind != "opened" and row.shut_from is None:
            return None
        if day.weekday() > 4 and row is None:
            return None
        start, end = (datetime.combine(day, time(hour), ZONE).astimezone(UTC) for hour in (7, 10))
        return start, end

    def shut(self, day: date) -> list[tuple[datetime, datetime]]:
        """The part of an open day that is closed."""
        row = self.closures.get(day)
        if row is None or row.shut_from is None or row.shut_until is None:
            return []
        start, end = (datetime.combine(day, one, ZONE).astimezone(UTC) for one in (row.shut_from, row.shut_until))
        return [(start, end)]

    def base(self, day: date) -> int:
        """666, or a tenth of a lower flow over 24 hours, rounded down."""
        flows = sorted((row.since, row.id, int(row.value)) for row in self.flows if row.since <= day)
        return min(666, flows[-1][2] // 240) if flows else 666

    def spans(self, day: date, *, wide: bool = False) -> Iterator[Span]:
        """The hours of a day cut wherever anything changes; ``wide`` with the times arranged beside them."""
        hours = self.window(day)
        if hours is None:
            return
        if wide:
            ends = [*hours, *(edge for span in self.arranged[day] for edge in span)]
            hours = min(ends), max(ends)
        plans, ran, closed, base = self.planned[day], self.runs[day], self.shut(day), self.base(day)
        line = self.waits[day]
        edges = {*hours, self.at}
        for start, end, *_ in [*plans, *ran, *closed, *(one for room in line for one in room)]:
            edges |= {start, end}
        for *some, _ in self.restricted:
            edges |= set(some)
        inside = sorted(one for one in edges if hours[0] <= one <= hours[1])
        for start, end in pairwise(inside):
            planning = [gph for since, until, _, gph in self.restricted if since <= start < until]
            offering = [gph for since, _, until, gph in self.restricted if since <= start < until]
            whole = 0 if any(one[0] <= start < one[1] for one in closed) else base
            yield Span(
                start, end,
                sum(gph for s, e, gph, held in plans if s <= start < e and not held),
                sum(gph for s, e, gph, held in plans if s <= start < e and held),
                sum(gph for s, e, gph, _ in ran if s <= start < e),
                sum(max((gph for s, e, gph, _ in room if s <= start < e), default=0) for room in line),
                whole, min([whole, *planning]), min([whole, *offering]),
            )  # fmt: skip

    def wrong(self, days: list[date]) -> list[str]:
        """What is not as it must be from now on: too much drawn, something outside the hours."""
        found = []
        for day in days:
            hours = self.window(day)
            for start, end, gph, held in self.planned[day]:
                inside = hours is not None and hours[0] <= start < end <= hours[1]
                inside = inside or (hours is not None and (start, end) in self.arranged[day])
                if end > self.at and not held and not inside:
                    found.append(f"{day}: {gph} gph from {start} to {end} is outside the hours")
            for one in self.spans(day, wide=True):
                if one.start < self.at or not one.live or self._measured_before(day, one.start):
                    continue
                if one.live + one.held + one.running > one.base or one.live + one.running > one.plans:
                    found.append(f"{day}: {one} draws too much")
        return found

    def _measured_before(self, day: date, at: datetime) -> bool:
        """A rate as measured flows here, and the times it meets began before it did: nobody's act planned that.

        One that begins later is never met: then it counts as any other.
        """
        here = [start for start, end in self.measured[day] if start <= at < end]
        met = [start for start, end, _, held in self.planned[day] if start <= at < end and not held]
        return bool(here) and all(start <= max(here) for start in met)

    def free_differs(self, picture: Any) -> list[str]:
        """Where what the application says is free is not the limit less what is taken, or kept for those in line."""
        found, total = [], Fraction(0)
        first = self.at.replace(second=0, microsecond=0)
        first += timedelta(minutes=first < self.at)
        for one in self.spans(picture.day):
            right = max(0, one.limit - one.live - one.held - one.running - one.waits)
            said = [step.free for step in picture.steps if step.start < one.end and step.end > one.start]
            if one.start >= self.at and set(said) - {right}:
                found.append(f"{picture.day}: {one} has {right} free, not {said}")
            start = max(one.start, first)
            total += right * Fraction(max(0, int((one.end - start).total_seconds())), 3600)
        if picture.is_open and int(total) != picture.room:
            found.append(f"{picture.day}: {int(total)} gallons are free, not {picture.room}")
        return found


def stands() -> Iterator[tuple[Any, bool]]:
    """What is booked and has not come, been turned away or been ended by a restriction, and whether it is held."""
    holds: dict[int, set[str | None]] = defaultdict(set)
    for booking_id, outcome in db.session.execute(select(Hold.booking_id, Hold.outcome)):
        holds[booking_id].add(outcome)
    came = {
        (booking_id, day)
        for booking_id, day in db.session.execute(
            select(Load.booking_id, Run.day).join(Run, Run.load_id == Load.id).where(Load.state == "accepted")
        )
    }
    away = set(db.session.scalars(select(Load.booking_id).where(Load.state == "refused")))
    rows: Any = db.session.execute(
        select(PlannedSession.booking_id, PlannedSession.day, PlannedSession.starts, PlannedSession.ends,
               PlannedSession.gph, PlannedSession.gallons, Booking.truck_id, Booking.approval_id)
        .join(Booking, Booking.id == PlannedSession.booking_id).where(Booking.state == "booked")
        .order_by(PlannedSession.starts, PlannedSession.id)
    )  # fmt: skip
    for row in rows:
        mine = holds[row.booking_id]
        if row.booking_id not in away and (row.booking_id, row.day) not in came and not {"missed", "listed"} & mine:
            yield row, None in mine


def _planned() -> dict[date, list[Piece]]:
    found: dict[date, list[Piece]] = defaultdict(list)
    for row, held in stands():
        found[row.day].append((row.starts, row.ends, row.gph, held))
    return found


def booked_twice(at: datetime, granted: dict[int, int]) -> list[str]:
    """Trucks that are to be in two places at once, and approvals under which more is to come than they allow."""
    to_come = [row for row, _ in stands() if row.ends > at]
    found = [f"truck {one.truck_id} twice at {other.starts}" for n, one in enumerate(to_come)
             for other in to_come[n + 1 :] if one.truck_id == other.truck_id and other.starts < one.ends]  # fmt: skip
    for approval_id, gallons in granted.items():
        asked = sum(row.gallons for row in to_come if row.approval_id == approval_id)
        if asked > gallons:
            found.append(f"{asked} gallons are to come under approval {approval_id}, which allows {gallons}")
    return found


def _waits(at: datetime) -> dict[date, list[list[Piece]]]:
    """The times kept at an instant for those in line: of each freed room those that one of its line may still have.

    One after the other has so many hours, never past the start of the time offered; who answers, leaves or can have it
    no more ends their turn there, and a yes is the last turn of all.
    """
    rows: Any = db.session.execute(
        select(FreedRoom, RoomOffer, Wait.ended_at).join(RoomOffer, RoomOffer.room_id == FreedRoom.id)
        .join(Wait, Wait.id == RoomOffer.wait_id).order_by(FreedRoom.id, RoomOffer.place)
    )  # fmt: skip
    lines: dict[int, list[Any]] = defaultdict(list)
    for room, offer, left_at in rows:
        lines[room.id].append((room, offer, left_at))
    found: dict[date, list[list[Piece]]] = defaultdict(list)
    for line in lines.values():
        until, kept = line[0][0].freed_at, list[Piece]()
        for room, offer, left_at in line:
            over = [one for one in (offer.answered_at, offer.lost_at, left_at) if one is not None]
            until = max(until, min(until + timedelta(hours=room.answer_hours), offer.starts, *over))
            if not over and until > at:
                kept.append((offer.starts, offer.ends, offer.gph, False))
            if offer.answer == "yes":
                break
        if kept:
            found[line[0][0].day].append(kept)
    return found


def _arranged() -> dict[date, set[tuple[datetime, datetime]]]:
    """The times of bookings made by special arrangement, as far as they lie in the span arranged (§ 329-7 F(4))."""
    mine = PlannedSession.booking_id == SpecialTime.booking_id
    query = select(SpecialTime, PlannedSession).join(PlannedSession, mine)
    found: dict[date, set[tuple[datetime, datetime]]] = defaultdict(set)
    for row, one in db.session.execute(query):
        if row.letter_id and row.starts <= one.starts < one.ends <= row.until:
            found[one.day].add((one.starts, one.ends))
    return found


def _measured() -> dict[date, list[tuple[datetime, datetime]]]:
    """When a rate as measured flows."""
    query = select(Run.day, Run.starts, Run.ends).join(Load, Load.id == Run.load_id)
    found: dict[date, list[tuple[datetime, datetime]]] = defaultdict(list)
    for day, starts, ends in db.session.execute(query.where(Load.state == "accepted", Run.measured)):
        found[day].append((starts, ends))
    return found


def _runs() -> dict[date, list[Piece]]:
    """What ran or runs."""
    rows: Any = db.session.execute(
        select(Run.day, Run.starts, Run.ends, Run.gph).join(Load, Load.id == Run.load_id)
        .where(Load.state == "accepted")
    )  # fmt: skip
    found: dict[date, list[Piece]] = defaultdict(list)
    for day, starts, ends, gph in rows:
        found[day].append((starts, ends, gph, False))
    return found
