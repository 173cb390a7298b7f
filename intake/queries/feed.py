"""A hauler's bookings as events of a calendar. Nothing is counted or kept for it: all follows from the records.

An event is one session of a booking and keeps its name (UID) for good: the booking's number and which of its sessions
it is, in the order they were first written. Its version (SEQUENCE) is how far the plant's journal has gone between the
booking and the newest entry about it, its sessions, its holds, its loads and its approval, so whatever changes it gives
it a higher one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, or_, select

from haulers.queries import fleet
from haulers.queries.turns import turns_of
from intake.models import Booking, Hold, Load, PlannedSession, Point
from intake.queries.bookings import BookingView, views
from intake.queries.capacity import opened
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant

# How long a calendar shows what is over, and what was cancelled.
SHOWN_AFTER = timedelta(days=60)
STANDING = {"booked": "CONFIRMED", "begun": "CONFIRMED", "unloaded": "CONFIRMED", "passed": "CONFIRMED",
            "held": "TENTATIVE"}  # fmt: skip
PREFIX = {"TENTATIVE": "On hold: ", "CANCELLED": "Cancelled: "}


@dataclass(frozen=True)
class Event:
    """One morning of one booking. Instants aware; ``status`` as iCalendar names it."""

    uid: str
    sequence: int
    made: datetime
    changed: datetime
    starts: datetime
    ends: datetime
    status: str
    summary: str
    words: str
    place: str
    number: str


@dataclass
class Course:
    """What the journal says of one booking: how it was made, its newest entry, its sessions and those it lost."""

    made_by: str = ""
    first: int = 0
    newest: int = 0
    changed: datetime | None = None
    acts: set[str] = field(default_factory=set)
    sessions: list[int] = field(default_factory=list)
    gone: dict[int, dict[str, Any]] = field(default_factory=dict)

    def note(self, entry: JournalEntry) -> None:
        """The next entry, in the order of the journal. All of the act that made the booking is its first version."""
        if entry.table_name == "booking" and not entry.old:
            self.made_by = entry.act_id
        if entry.act_id == self.made_by:
            self.first = entry.seq
        self.newest = max(self.newest, entry.seq)
        self.changed = max(self.changed or entry.at, entry.at)
        self.acts.add(entry.act_id)

    def session(self, entry: JournalEntry) -> None:
        """A session of the booking that was added, or taken away with all it held; one only changed stays the same."""
        if not entry.old and entry.record_id not in self.sessions:
            self.sessions.append(entry.record_id)
        if not entry.new:
            self.gone[entry.record_id] = entry.old
        elif not entry.old:
            self.gone.pop(entry.record_id, None)

    def place(self, session_id: int) -> int:
        """Which of the booking's sessions it is, from 1 on."""
        if session_id not in self.sessions:
            self.sessions.append(session_id)
        return self.sessions.index(session_id) + 1


def events_of(plant: Plant, business_id: int, at: datetime) -> list[Event]:
    """A hauler's events at a plant in time order: all to come and the last 60 days', in a fixed number of queries."""
    late = select(PlannedSession.booking_id).where(PlannedSession.ends > at - SHOWN_AFTER)
    query = select(Booking).filter_by(plant_id=plant.id, business_id=business_id).where(Booking.id.in_(late))
    return events(plant, db.session.scalars(query.order_by(Booking.id)).all(), at)


def events(plant: Plant, bookings: Sequence[Booking], at: datetime) -> list[Event]:
    """The events of some bookings in time order."""
    found, courses = views(bookings, at), _courses(bookings)
    plates = {ident: one.plate for ident, one in fleet.trucks({one.truck_id for one in bookings}).items()}
    places = {one.id: one.name for one in db.session.scalars(select(Point).filter_by(plant_id=plant.id))}
    begun = _begun([one.id for one in bookings])
    made = []
    for view in found:
        course = courses[view.booking.id]
        now = [(course.place(one.id), one, _status(view, one, begun)) for one in view.sessions]
        was = [(course.place(ident), former(old), "CANCELLED") for ident, old in course.gone.items()]
        for place, one, status in now + was:
            made.append(_event(plant, view, course, place, one, status, plates[view.booking.truck_id], places))
    return sorted(made, key=lambda one: (one.starts, one.uid))


def _begun(booking_ids: Collection[int]) -> set[int]:
    query = select(PlannedSession.id).where(PlannedSession.booking_id.in_(booking_ids), opened())
    return set(db.session.scalars(query))


def _status(view: BookingView, session: PlannedSession, begun: set[int]) -> str:
    if session.id in begun:
        return "CONFIRMED"
    ended = view.booking.ended_at
    if ended is not None and session.starts > ended:
        return "CANCELLED"
    return STANDING.get(view.state, "CANCELLED")


def _event(plant: Plant, view: BookingView, course: Course, place: int, session: Any, status: str, plate: str,
           places: Mapping[int, str]) -> Event:  # fmt: skip
    number = view.booking.number
    state = view.words if status != "CONFIRMED" or view.state != "booked" else ""
    if status == "CANCELLED" and view.state in STANDING:
        state = "This morning of the booking is cancelled"
    lines = [f"Booking {number} at {plant.name}.", formats.full_stop(state) if state else "",
             view.next_words if view.state in ("held", "missed", "listed", "not_approved") else "",
             f"{formats.volume(session.gallons)} at {formats.rate(session.gph)}. Truck {plate}.",
             formats.full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    address = ", ".join(plant.address.split("\n"))
    return Event(
        f"{number}-{place}@{plant.slug}.septage-desk", course.newest - course.first, view.booking.made_at,
        course.changed or view.booking.made_at, session.starts, session.ends, status,
        f"{PREFIX.get(status, '')}Unload {formats.volume(session.gallons)} ({number})",
        "\n".join(line for line in lines if line), f"{places.get(session.point_id, plant.name)}, {address}", number,
    )  # fmt: skip


def _courses(bookings: Sequence[Booking]) -> dict[int, Course]:
    """The journal of bookings, by booking. Two queries of the journal, five that say which records belong to them."""
    made = {one.id: Course() for one in bookings}
    about = _records(bookings)
    for entry in _entries(about):
        for booking_id in about[entry.table_name][entry.record_id]:
            made[booking_id].note(entry)
    acts = {act_id for one in made.values() for act_id in one.acts}
    query = select(JournalEntry).where(JournalEntry.table_name == "planned_session", JournalEntry.act_id.in_(acts))
    for entry in db.session.scalars(query.order_by(JournalEntry.seq)):
        booking_id = entry.new.get("booking_id") or entry.old.get("booking_id")
        if booking_id in made:
            made[booking_id].session(entry)
    return made


Records = dict[str, dict[int, set[int]]]


def _records(bookings: Sequence[Booking]) -> Records:
    """Every record that says something about bookings: table, id, the bookings."""
    ids = [one.id for one in bookings]
    under: dict[int, set[int]] = {}
    for one in bookings:
        under.setdefault(one.approval_id, set()).add(one.id)
    found: Records = {"booking": {one: {one} for one in ids}}
    tables: tuple[Any, ...] = (PlannedSession, Hold, Load)
    for table in tables:
        rows = db.session.execute(select(table.id, table.booking_id).where(table.booking_id.in_(ids)))
        found[table.__tablename__] = {ident: {booking_id} for ident, booking_id in rows}
    for approval_id, table_name, ident in turns_of(under):
        found.setdefault(table_name, {}).setdefault(ident, set()).update(under[approval_id])
    return found


def _entries(about: Records) -> Iterable[JournalEntry]:
    wanted = [and_(JournalEntry.table_name == table, JournalEntry.record_id.in_(ids)) for table, ids in about.items()]
    return db.session.scalars(select(JournalEntry).where(or_(*wanted)).order_by(JournalEntry.seq))


@dataclass(frozen=True)
class Former:
    """A session a booking once had, as the journal kept it."""

    starts: datetime
    ends: datetime
    gph: int
    gallons: int
    point_id: int


def former(kept: dict[str, Any]) -> Former:
    """A session as it was when it was taken away."""
    starts, ends = (datetime.fromisoformat(kept[name]) for name in ("starts", "ends"))
    return Former(starts, ends, kept["gph"], kept["gallons"], kept["point_id"])
