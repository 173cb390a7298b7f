"""Loads that tablets sent: as they came, and those that wait for a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select

from haulers import queries as haulers
from intake.models import Booking, Load, OfflineLoad, OfflineState, Run, Tablet
from intake.queries.bookings import booking_numbered
from intake.queries.tablets import CLOCK_OFF, off_words
from intake.queries.words import sentence
from intake.states import LoadState
from office import formats
from office.db import db
from office.plants import Plant
from ordinances.reader import Law

# A load told of later than so many days after it was unloaded waits for a person, where no law says how many.
TOLD_DAYS, USUALLY_TOLD = "record.told_days", 31


@dataclass(frozen=True)
class Flag:
    """Something that stood against a load which is in the pipe all the same: code, words and §."""

    code: str
    said: str
    cite: str = ""

    def stored(self) -> dict[str, str]:
        """As the row keeps it."""
        return {"code": self.code, "said": self.said, "cite": self.cite}

    @property
    def words(self) -> str:
        """The sentence with its § where it has one."""
        return f"{self.said.rstrip('.')} ({self.cite})." if self.cite else self.said


@dataclass(frozen=True)
class Visitor:
    """Whose truck a load came in: ids as far as they are known here, and the booking that was named."""

    business_id: int | None
    truck_id: int | None
    booking: Booking | None = None


@dataclass(frozen=True)
class Written:
    """A load as it was written down before the server knew of it.

    ``at`` is when it was taken, ``values`` what ``log_load`` takes of it, ``how`` where it was written, for its ticket.
    """

    client_id: str
    slip: str
    on_duty: str
    at: datetime
    visitor: Visitor
    values: Mapping[str, Any]
    how: str
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class Sent:
    """What a tablet sent of one load. ``offset`` is what its clock lacked when the load was written, in seconds.

    None where it did not know; ``offset_now`` is what it lacks now. ``raw`` is the whole as received, ``wrong`` why it
    cannot be read, ``named`` whether the server itself had said who was on duty. ``corrected`` are the corrections made
    on the tablet before it was sent, in words, the oldest first.
    """

    client_id: str
    slip: str
    on_duty: str
    person_id: int | None
    device_at: datetime | None
    offset: int | None
    offset_now: int
    visitor: Visitor
    values: Mapping[str, Any] = field(default_factory=dict)
    raw: Any = None
    wrong: str = ""
    named: bool = True
    corrected: tuple[str, ...] = ()

    @property
    def lacks(self) -> int:
        """What the tablet's clock lacked as the load was written, seconds."""
        return self.offset_now if self.offset is None else self.offset

    def logged_at(self, received: datetime) -> datetime:
        """When the load was taken, by the server's clock; never after it was received."""
        if self.device_at is None:
            return received
        return min(received, self.device_at + timedelta(seconds=self.lacks))


def clock_flags(sent: Sent, received: datetime) -> tuple[Flag, ...]:
    """What there is to say of the tablet's clock and of who was on duty; "time" where somebody must check the time."""
    found = []
    if sent.device_at is None:
        found.append(Flag("time", "The tablet did not say when: the time is that of its arrival."))
    elif sent.device_at + timedelta(seconds=sent.lacks) > received + CLOCK_OFF:
        found.append(Flag("time", "By the tablet's clock it lay ahead: the time is that of its arrival."))
    elif abs(sent.lacks - sent.offset_now) > CLOCK_OFF.total_seconds():
        found.append(Flag("time", "The tablet's clock was changed between writing and sending. Check the time."))
    elif said := off_words(sent.lacks):
        found.append(Flag("clock", f"The tablet's clock was {said}: its time is put right."))
    if not sent.named and sent.on_duty:
        found.append(Flag("on_duty", f"Who was on duty was typed on the tablet: {sent.on_duty}."))
    return tuple(found)


def visitor(plant: Plant, args: Mapping[str, str], at: datetime) -> Visitor:
    """Who is meant by a booking's number, or by ``business`` and ``truck``, as on the station's pages; of the trucks
    those its hauler had at that instant."""
    booking = booking_numbered(plant.id, args.get("booking", "")[:20])
    business_id = booking.business_id if booking is not None else _number(args.get("business"))
    if business_id not in {business.id for business, _ in haulers.businesses_at(plant.id)}:
        return Visitor(None, None, booking)
    truck_id: int | None = _number(args.get("truck"))
    if truck_id not in {one.id for one in haulers.trucks_at(business_id, at)}:
        truck_id = booking.truck_id if booking is not None else None
    return Visitor(business_id, truck_id, booking)


def told_within(law: Law, today: date) -> tuple[int, str]:
    """Within how many days after it was unloaded a load is taken as told, and the § that says so ("": our own rule)."""
    if law.has(TOLD_DAYS, today):
        return int(law.value(TOLD_DAYS, today)), law.cite(TOLD_DAYS, today)
    return USUALLY_TOLD, ""


def _number(typed: str | None) -> int:
    return int(typed) if typed and typed.isdecimal() and len(typed) < 10 else 0


def how_words(plant: Plant, tablet: Tablet, sent: Sent, received: datetime) -> str:
    """How the load came, for its ticket and history."""
    by = f" by {sent.on_duty}" if sent.on_duty else ""
    how = sentence(f"Logged without network on {tablet.called}, {moment(plant, sent.logged_at(received))}{by}, "
                   f"slip {sent.slip or 'without number'}; sent {moment(plant, received)}")  # fmt: skip
    return " ".join((how, *sent.corrected))


def corrections(raw: Any) -> int:
    """How often a load was corrected on its tablet before it was sent so."""
    was = raw.get("was") if isinstance(raw, Mapping) else None
    return len(was) if isinstance(was, list) else 0


def instant(said: Any) -> datetime | None:
    """An instant as JSON has it; None for anything else, and for years nobody means."""
    try:
        found = datetime.fromisoformat(str(said))
        return found.astimezone(UTC) if found.tzinfo is not None and 2000 < found.year < 2200 else None
    except (ValueError, OverflowError):
        return None


def moment(plant: Plant, at: datetime) -> str:
    """ "Tue, Oct 6, 7:10 a.m." """
    return f"{formats.day_short(at, plant.tz)}, {formats.clock_time(at, plant.tz)}"


def received(plant_id: int, client_id: str) -> OfflineLoad | None:
    """What was received under this id before, or None. Read fresh: another process may just have written it."""
    query = select(OfflineLoad).filter_by(plant_id=plant_id, client_id=client_id)
    return db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def wrote(plant_id: int, slip: str) -> Tablet | None:
    """The tablet whose mark a slip number "T3-0147" begins with, or None."""
    mark = slip.partition("-")[0]
    query = select(Tablet).filter_by(plant_id=plant_id, number=_number(mark.removeprefix("T")))
    return next((row for row in db.session.scalars(query) if row.mark == mark), None)


def one(plant_id: int, offline_id: int) -> OfflineLoad | None:
    """One load as it was received."""
    return db.session.scalars(select(OfflineLoad).filter_by(plant_id=plant_id, id=offline_id)).one_or_none()


def of_load(load_id: int) -> OfflineLoad | None:
    """What a tablet sent of a load, None for one that was logged with network."""
    query = select(OfflineLoad).filter_by(load_id=load_id).order_by(OfflineLoad.id)
    return db.session.scalars(query).first()


def beside(load: Load, run: Run) -> str:
    """The ticket of another load of the same truck that ran while this one did; "" where there is none."""
    query = (
        select(Load.ticket)
        .join(Run, Run.load_id == Load.id)
        .where(Load.plant_id == load.plant_id, Load.truck_id == load.truck_id, Load.id != load.id, Run.day == run.day,
               Load.state == LoadState.ACCEPTED.value, Run.starts < run.ends, Run.ends > run.starts)
        .order_by(Load.id)
    )  # fmt: skip
    return db.session.scalars(query).first() or ""


def may_be_same(plant_id: int, truck_id: int | None, day: date, begins: datetime, ends: datetime) -> Load | None:
    """The load this truck already has between two instants of a day, from when it was logged until it was out."""
    query = (
        select(Load)
        .join(Run, Run.load_id == Load.id)
        .where(Load.plant_id == plant_id, Load.truck_id == truck_id, Load.state == LoadState.ACCEPTED.value,
               Run.day == day, or_(Run.starts < ends, and_(Load.day == day, Load.logged_at < ends)), Run.ends > begins)
        .order_by(Load.id)
    )  # fmt: skip
    return db.session.scalars(query).first() if truck_id is not None else None


def stops_after(plant_id: int, since: datetime) -> Sequence[OfflineLoad]:
    """What tablets sent of everything stopped at once after an instant, as far as it was registered, in its order."""
    query = select(OfflineLoad).where(OfflineLoad.plant_id == plant_id, OfflineLoad.stopped.is_not(None),
                                      OfflineLoad.logged_at > since)  # fmt: skip
    return db.session.scalars(query.order_by(OfflineLoad.logged_at, OfflineLoad.id)).all()


def count_waiting(plant_id: int) -> int:
    """How many loads wait for a person."""
    query = select(func.count(OfflineLoad.id)).filter_by(plant_id=plant_id, state=OfflineState.WAITS.value)
    return int(db.session.scalars(query).one())


def listed(plant_id: int, *, waiting: bool, limit: int = 200) -> Sequence[tuple[OfflineLoad, Tablet, Load | None]]:
    """Loads tablets sent, with their tablet and ticket: those that wait, oldest first, or the rest, newest first."""
    is_waiting = OfflineLoad.state == OfflineState.WAITS.value
    query = (
        select(OfflineLoad, Tablet, Load)
        .join(Tablet, Tablet.id == OfflineLoad.tablet_id)
        .outerjoin(Load, Load.id == OfflineLoad.load_id)
        .where(OfflineLoad.plant_id == plant_id, is_waiting if waiting else ~is_waiting)
        .order_by(OfflineLoad.logged_at if waiting else OfflineLoad.received_at.desc(), OfflineLoad.id)
        .limit(limit)
    )
    return [(sent, tablet, load) for sent, tablet, load in db.session.execute(query)]
