"""What a change of the closure calendar would meet: shown before, told after by the act (§ 329-7 C(1), C(3))."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from sqlalchemy import select

from intake.models import Booking, Hold, Load, PlannedSession, WrittenRecord
from intake.queries import bookings, capacity, tank_met
from intake.queries.bookings import Group, grouped
from intake.queries.met import lower_limit
from intake.states import BookingState, HoldEnd, LoadState
from office.db import db
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours, record_due, shut_part
from ordinances.reader import Closure, Law
from ordinances.refusal import Refusal
from ordinances.values import day_words, time_words

Changes = Mapping[date, Closure | None]


@dataclass(frozen=True)
class Lost:
    """A booking that loses its time: why, in a sentence with its §, and the first day that is met."""

    group: Group
    why: str
    day: date

    @property
    def number(self) -> str:
        return self.group.sessions[0].number


@dataclass(frozen=True)
class DueMoved:
    """A load whose written record is still to come: when it was due and when it will be."""

    load: Load
    old: datetime
    new: datetime
    cite: str


@dataclass(frozen=True)
class Effect:
    """Bookings that lose their time, written records whose due time moves, and lost times that would fit again."""

    lost: tuple[Lost, ...]
    dues: tuple[DueMoved, ...]
    again: tuple[Booking, ...]

    @property
    def key(self) -> str:
        """What was shown, so that it is just this that is done."""
        dues = (f"{one.load.ticket}>{one.new.isoformat()}" for one in self.dues)
        return " ".join([*(one.number for one in self.lost), *dues]) or "none"


def with_days(law: Law, changes: Changes) -> Law:
    """The law with other days on its calendar; None takes a day off it."""
    days = {**law.closures, **changes}
    return replace(law, closures={day: one for day, one in days.items() if one is not None})


def effect_of(plant: Plant, law: Law, changes: Changes, at: datetime) -> Effect:
    """Everything a change of the calendar does to bookings and due times, as things stand."""
    changed = with_days(law, changes)
    return Effect(_lost(plant, law, changed, changes, at), _dues(plant, law, changed, at),
                  _again(plant, law, changed, changes, at))  # fmt: skip


def _lost(plant: Plant, law: Law, changed: Law, days: Collection[date], at: datetime) -> tuple[Lost, ...]:
    """The bookings that had their place and lose it; those made first keep theirs."""
    every = grouped(capacity.planned(plant.id, at, since=at))
    touched = [group for group in every if any(one.day in days for one in group.sessions)]
    over, found = _over(plant, changed, touched, at) - _over(plant, law, touched, at), []
    # What fits no more already, as beside a truck that runs over, is told of the closure all the same.
    over |= {group.booking_id for group in touched if any(
        one.day in days and not one.special and _open_for(law, one) and not _open_for(changed, one)
        for one in group.sessions)}  # fmt: skip
    for group in touched:
        if group.booking_id in over:
            day = next(one.day for one in group.sessions if one.day in days)
            shut = any(one.day in days and not _open_for(changed, one) for one in group.sessions)
            found.append(Lost(group, closed_words(changed, day) if shut else tank_words(changed, day), day))
    return (*found, *_lost_at_tank(plant, law, changed, days, at, over))


def _lost_at_tank(plant: Plant, law: Law, changed: Law, days: Collection[date], at: datetime, over: set[int]
                  ) -> list[Lost]:  # fmt: skip
    """The bookings of other days for which a receiving tank has no room once less leaves it on these."""
    then = tank_met.losers(plant, changed, at, gone=over)
    known = over | {one.booking_id for one in tank_met.losers(plant, law, at)} if then else over
    new = [one for one in then if one.booking_id not in known]
    if not new:
        return []
    words = tank_words(changed, min(days))
    return [Lost(one, words, min(part.day for part in one.sessions)) for one in new]


def tank_words(law: Law, day: date) -> str:
    """Why a day that is closed, or a part of it, takes the room of a load at the receiving tank."""
    return f"{closed_words(law, day)} Less leaves the receiving tank, and it has no room for this load then."


def _over(plant: Plant, law: Law, groups: Sequence[Group], at: datetime) -> set[int]:
    days = {one.day for group in groups for one in group.sessions}
    lost = lower_limit(plant, law, list(groups), days, {day: [] for day in days}, at)
    return {group.booking_id for group in lost}


def closed_words(law: Law, day: date) -> str:
    """Why a day or part of it is closed, with its §."""
    hours, shut = dump_hours(law, day), shut_part(law, day)
    if isinstance(hours, Refusal):
        return f"{hours.why.rstrip('.')} ({hours.cite})."
    if shut is not None:
        part, name = shut
        span = f"from {time_words(part.start.time())} to {time_words(part.end.time())}"
        return f"The plant is closed on {day_words(day)} {span}: {name} ({part.cite})."
    return f"The calendar of {day_words(day)} has changed."


def _dues(plant: Plant, law: Law, changed: Law, at: datetime) -> tuple[DueMoved, ...]:
    """Loads whose record is not in and not overdue, and is due on another day by the changed calendar."""
    query = (
        select(Load).where(Load.plant_id == plant.id, Load.state == LoadState.ACCEPTED.value, Load.record_due >= at,
                           Load.id.not_in(select(WrittenRecord.load_id))).order_by(Load.id)
    )  # fmt: skip
    waiting = db.session.scalars(query).all()
    planned = bookings.sessions_of([one.booking_id for one in waiting if one.booking_id is not None])
    standing = select(Booking.id).where(Booking.id.in_(planned), Booking.state == BookingState.BOOKED.value)
    live, found = set(db.session.scalars(standing)), []
    for load in waiting:
        assert load.discharged_at is not None and load.record_due is not None
        later = planned[load.booking_id] if load.booking_id is not None and load.booking_id in live else ()
        last = max([load.discharged_at, *(one.ends for one in later)])
        new = record_due(changed, last)
        if new.at != record_due(law, last).at:
            found.append(DueMoved(load, load.record_due, new.at, new.cite))
    return tuple(found)


def _again(plant: Plant, law: Law, changed: Law, days: Collection[date], at: datetime) -> tuple[Booking, ...]:
    """Bookings that lost their time to a closure and whose hours would be open again."""
    query = (
        select(Booking, PlannedSession).join(Hold, Hold.booking_id == Booking.id)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Booking.plant_id == plant.id, Booking.state == BookingState.BOOKED.value, Hold.day.in_(list(days)),
               Hold.outcome == HoldEnd.LISTED.value, PlannedSession.day == Hold.day, PlannedSession.starts > at)
        .order_by(Booking.id)
    )  # fmt: skip
    rows = db.session.execute(query).all()
    found = {
        booking.id: booking for booking, one in rows
        if not _open_for(law, one) and _open_for(changed, one)
    }  # fmt: skip
    return tuple(found.values())


def _open_for(law: Law, one: PlannedSession | capacity.Planned) -> bool:
    """Whether the hours of a day, less the part of it that is closed, hold a session."""
    hours, shut = dump_hours(law, one.day), shut_part(law, one.day)
    if not isinstance(hours, Hours) or not hours.start <= one.starts < one.ends <= hours.end:
        return False
    return shut is None or one.ends <= shut[0].start or shut[0].end <= one.starts
