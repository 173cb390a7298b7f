"""Bookings as people see them: a hauler's own, one by its number, who is met by a change of the limit."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, or_, select

from haulers.queries import find_businesses, in_force_on, last_approvals, spans
from intake.models import Booking, Hold, Load, PlannedSession, Point, Run
from intake.queries.capacity import Planned, fits, opened
from intake.queries.loads import UNLOADED
from intake.queries.special_spans import arrangements
from intake.states import BookingState, HoldEnd, LoadState
from office import facts
from office.asked import cells
from office.db import db
from office.facts import fact, seen
from office.plants import plant_of
from ordinances import offers
from ordinances.offers import Draw, Session


@dataclass(frozen=True)
class BookingView:
    """One booking with its sessions and what has become of it.

    ``state``: booked, begun, held, missed, listed, cancelled, no_show, not_approved, refused, unloaded, passed (nobody
    came on its last day). ``tickets`` are those of its loads, the refused ones too. ``why`` says of a listed one what
    took its time, with the §. ``begun`` are the times of one that stands whose start is past: whether its truck came is
    the plant's to say. ``special``: arranged in writing for its own time (§ 329-7 F(4)), so never moved. ``opened``:
    ids of the sessions whose load was logged.
    """

    booking: Booking
    sessions: tuple[PlannedSession, ...]
    state: str
    over: bool = False
    tickets: tuple[str, ...] = ()
    why: str = ""
    begun: tuple[PlannedSession, ...] = ()
    special: bool = False
    opened: frozenset[int] = frozenset()

    @property
    def starts(self) -> datetime:
        return self.sessions[0].starts

    @property
    def ends(self) -> datetime:
        return self.sessions[-1].ends

    @property
    def words(self) -> str:
        return STATE_WORDS[self.state]

    @property
    def is_live(self) -> bool:
        """Whether its truck may still come."""
        return self.state in ("booked", "begun") and not self.over

    @property
    def left(self) -> tuple[PlannedSession, ...]:
        """The sessions whose load was not logged yet: of one that is unloaded in part, the mornings still to come."""
        return tuple(one for one in self.sessions if one.id not in self.opened)

    @property
    def lost_rest(self) -> bool:
        """Whether what is left of a load that is unloaded in part lost its time: it waits, under its ticket, for
        another."""
        return bool(self.opened) and self.state in ("listed", "missed")

    @property
    def may_end(self) -> bool:
        """Whether it keeps room that cancelling would give back. What is left of one that is unloaded in part is moved
        or given up also once its time is past or lost: its load waits for it."""
        return self.state == "begun" or self.lost_rest or (self.state in ("booked", "held") and not self.over)

    @property
    def may_change(self) -> bool:
        """Whether its hauler may still cancel or move a time of it: one that has begun is the plant's."""
        return self.may_end and len(self.begun) < len(self.left)

    @property
    def may_move(self) -> bool:
        """Whether staff may give it another time."""
        return self.may_end and not self.special

    @property
    def next_words(self) -> str:
        """What its state means for the hauler; "" for one that stands."""
        words = NEXT_WORDS.get(self.state, "")
        return f"{self.why} {words}" if self.why and self.state == "listed" else words


STATE_WORDS = {
    "booked": "Booked",
    "begun": "Unloaded in part",
    "held": "Held by restriction",
    "missed": "Missed by restriction",
    "listed": "Time cannot be kept",
    "cancelled": "Cancelled",
    "no_show": "Did not come",
    "not_approved": "Not valid any more: approval not in force",
    "refused": "Refused at the gate",
    "unloaded": "Unloaded",
    "passed": "Its day has passed",
}
NEXT_WORDS = {
    "held": "Do not bring this load. It keeps its place; we will write when the restriction is lifted.",
    "missed": "Its time passed during a restriction. Book another time.",
    "listed": "Do not bring this load: its time cannot be kept. Choose another time first, or the plant will call.",
    "not_approved": "Do not bring this load. Nothing has to be cancelled.",
    "refused": "The truck was turned away. The ticket says why.",
    "unloaded": "The ticket has the gallons, the tests and the charges.",
    "no_show": "The plant recorded that no truck came. If that is not so, call the plant.",
    "passed": "No load came under it. Its gallons are back in your season.",
}


def points(plant_id: int) -> list[Point]:
    """The plant's receiving points, first opened first."""
    return list(db.session.scalars(select(Point).filter_by(plant_id=plant_id).order_by(Point.id)))


def first_point(plant_id: int) -> Point | None:
    """The receiving station bookings go to."""
    found: Point | None = _first_point(plant_id)
    return found


@fact
def _first_point(plant_id: int) -> Point | None:
    return next(iter(facts.rows(Point, _stations(), plant_id=plant_id)), None)


@cache
def _stations() -> Any:
    query = select(Point).where(Point.plant_id == bindparam("plant_id"), Point.kind == "station")
    return query.order_by(Point.id).limit(1)


def approval_for(plant_id: int, business_id: int, days: Sequence[date], at: datetime) -> Any:
    """The approval of a business that holds on every one of some days and is not revoked, or None."""
    ends = {min(days), max(days)}
    known = last_approvals(plant_id, business_id)
    return next((one for one in known if all(in_force_on(one, at, day) for day in ends)), None)


def booking_numbered(plant_id: int, number: str) -> Booking | None:
    """A plant's booking by the number on its slip."""
    found: Booking | None = db.session.scalars(_numbered(), {"plant_id": plant_id, "number": number}).one_or_none()
    return found


@cache
def _numbered() -> Any:
    return select(Booking).where(Booking.plant_id == bindparam("plant_id"), Booking.number == bindparam("number"))


def same_booking(plant_id: int, business_id: int, truck_id: int, waste: str, sessions: Sequence[Session]
                 ) -> Booking | None:  # fmt: skip
    """The booking that stands and is just this: the same business, truck, waste, times and gallons."""
    given = {"plant_id": plant_id, "business_id": business_id, "truck_id": truck_id, "waste": waste}
    asked = sorted((one.start, one.end, one.gallons) for one in sessions)
    # Hardly any has just this start, so that their other mornings are read one by one.
    for (ident,) in cells(_alike(), first=asked[0][0], **given):
        if [(one.starts, one.ends, one.gallons) for one in sessions_of([ident])[ident]] == asked:
            found: Booking | None = db.session.get(Booking, ident)
            return found
    return None


@cache
def _alike() -> Any:
    query = select(Booking.id).join(PlannedSession, PlannedSession.booking_id == Booking.id)
    return query.where(
        Booking.plant_id == bindparam("plant_id"), Booking.business_id == bindparam("business_id"),
        Booking.truck_id == bindparam("truck_id"), Booking.waste == bindparam("waste"),
        Booking.state == BookingState.BOOKED.value, PlannedSession.starts == bindparam("first"),
    ).order_by(Booking.id)  # fmt: skip


def sessions_of(booking_ids: Collection[int]) -> dict[int, tuple[PlannedSession, ...]]:
    """Planned sessions by booking, in time order."""
    return dict(_sessions(tuple(booking_ids)))


@seen
def _sessions(ids: tuple[int, ...]) -> dict[int, tuple[PlannedSession, ...]]:
    found: dict[int, list[PlannedSession]] = {one: [] for one in ids}
    for session in db.session.scalars(_planned(), {"ids": ids}):
        found[session.booking_id].append(session)
    return {one: tuple(rows) for one, rows in found.items()}


@cache
def _planned() -> Any:
    query = select(PlannedSession).where(PlannedSession.booking_id.in_(bindparam("ids", expanding=True)))
    return query.order_by(PlannedSession.starts)


def view(booking: Booking, at: datetime) -> BookingView:
    """One booking as it stands at an instant."""
    return views([booking], at)[0]


def views(bookings: Sequence[Booking], at: datetime) -> list[BookingView]:
    """Bookings as they stand, in a fixed number of queries."""
    ids = tuple(booking.id for booking in bookings)
    sessions, (marks, whys) = sessions_of(ids), _marks(ids)
    live, special = _in_force(bookings, sessions, at), set(arrangements(ids))
    opened_, tickets = _opened(ids), _tickets(ids)
    made = []
    for one in bookings:
        state = _state(one, sessions[one.id], marks.get(one.id, set()), opened_, one.id in live)
        today = at.astimezone(plant_of(one.plant_id).tz).date()
        over = sessions[one.id][-1].day < today
        state = "passed" if state == "booked" and over else state
        ran = frozenset(part.id for part in sessions[one.id] if part.id in opened_)
        begun = [part for part in sessions[one.id] if part.starts <= at and part.id not in ran]
        made.append(BookingView(one, sessions[one.id], state, over, tickets.get(one.id, ()), whys.get(one.id, ""),
                                tuple(begun if state in ("booked", "begun", "passed") else ()), one.id in special,
                                ran))  # fmt: skip
    return made


def _tickets(ids: tuple[int, ...]) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for booking_id, ticket, state in _loads(ids):
        if state != LoadState.VOID.value:
            found[booking_id] = (*found.get(booking_id, ()), ticket)
    return found


@seen
def _loads(ids: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Booking, ticket and state of the loads of some bookings, first logged first."""
    return cells(_loads_of(), ids=ids)


@cache
def _loads_of() -> Any:
    query = select(Load.booking_id, Load.ticket, Load.state)
    return query.where(Load.booking_id.in_(bindparam("ids", expanding=True))).order_by(Load.id)


def of_business(
    plant_id: int, business_id: int, at: datetime, *, ahead: bool = True, limit: int = 100
) -> list[BookingView]:
    """A hauler's bookings: those still to come (first one first), or all of them (newest first)."""
    query = select(Booking).filter_by(plant_id=plant_id, business_id=business_id)
    if ahead:
        later = select(PlannedSession.booking_id).where(PlannedSession.ends > at)
        query = query.where(Booking.id.in_(later), Booking.state == BookingState.BOOKED.value)
    rows = db.session.scalars(query.order_by(Booking.made_at.desc(), Booking.id.desc()).limit(limit)).all()
    found = views(rows, at)
    if ahead:
        found = [one for one in found if one.state not in ("unloaded", "refused")]
        return sorted(found, key=lambda one: (one.starts, one.booking.id))
    return found


def of_plant(plant_id: int, at: datetime, words: str = "", limit: int = 60) -> list[BookingView]:
    """The bookings of a plant that are still to come, first one first; with words, those whose number or hauler holds
    them, the newest first, whatever has become of them. A fixed number of queries."""
    query = select(Booking).filter_by(plant_id=plant_id)
    if words:
        mine = [business.id for business, _ in find_businesses(plant_id, words)]
        hit = Booking.number.contains(words.upper(), autoescape=True)
        query = query.where(or_(hit, Booking.business_id.in_(mine)))
        return views(db.session.scalars(query.order_by(Booking.id.desc()).limit(limit)).all(), at)
    first = (
        select(PlannedSession.booking_id, func.min(PlannedSession.ends).label("ends"))
        .where(PlannedSession.plant_id == plant_id, PlannedSession.ends > at).group_by(PlannedSession.booking_id)
        .subquery()
    )  # fmt: skip
    query = query.join(first, first.c.booking_id == Booking.id).where(Booking.state == BookingState.BOOKED.value)
    found = views(db.session.scalars(query.order_by(first.c.ends, Booking.id).limit(limit)).all(), at)
    return [one for one in found if one.state not in ("unloaded", "refused")]


def last_of_business(plant_id: int, business_id: int) -> Booking | None:
    """The booking a hauler made last, for booking the same again."""
    query = select(Booking).filter_by(plant_id=plant_id, business_id=business_id).order_by(Booking.id.desc()).limit(1)
    return db.session.scalars(query).first()


def _marks(ids: tuple[int, ...]) -> tuple[dict[int, set[str]], dict[int, str]]:
    """What holds and the gate made of each booking, and why one was listed."""
    found: dict[int, set[str]] = {}
    whys: dict[int, str] = {}
    for booking_id, outcome, why in _holds(ids):
        found.setdefault(booking_id, set()).add(outcome or "held")
        if why:
            whys[booking_id] = why
    for booking_id, _, state in _loads(ids):
        if state == LoadState.REFUSED.value:
            found.setdefault(booking_id, set()).add("refused")
    return found, whys


@seen
def _holds(ids: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Booking, outcome and reason of what holds or held some bookings, in the order it was written."""
    return cells(_holds_of(), ids=ids)


@cache
def _holds_of() -> Any:
    query = select(Hold.booking_id, Hold.outcome, Hold.why)
    return query.where(Hold.booking_id.in_(bindparam("ids", expanding=True))).order_by(Hold.id)


def _opened(ids: tuple[int, ...]) -> set[int]:
    """Ids of the planned sessions whose load has opened: asked only where there is a load."""
    return set(_opened_now(ids)) if _loads(ids) else set()


@seen
def _opened_now(ids: tuple[int, ...]) -> list[int]:
    return [ident for (ident,) in cells(_opened_of(), ids=ids)]


@cache
def _opened_of() -> Any:
    return select(PlannedSession.id).where(PlannedSession.booking_id.in_(bindparam("ids", expanding=True)), opened())


def _in_force(bookings: Collection[Booking], sessions: Mapping[int, Sequence[PlannedSession]], at: datetime
              ) -> set[int]:  # fmt: skip
    """The bookings whose approval holds on one of their days."""
    return {
        one.id for one in bookings
        if any(spans(one.plant_id).hold(one.approval_id, at, part.day, held=False) for part in sessions[one.id])
    }  # fmt: skip


def _state(booking: Booking, sessions: Sequence[PlannedSession], marks: set[str], opened_: set[int], live: bool) -> str:
    if booking.state != BookingState.BOOKED.value:
        return "unloaded" if (booking.end_reason or "").startswith(UNLOADED) else booking.state
    if "refused" in marks:
        return "refused"
    begun = [one.id in opened_ for one in sessions]
    if all(begun):
        return "unloaded"
    if not live:
        return "not_approved"
    # What has lost its time keeps nothing, whatever holds it still.
    for mark in (HoldEnd.MISSED.value, HoldEnd.LISTED.value, "held"):
        if mark in marks:
            return mark
    return "begun" if any(begun) else "booked"


@dataclass
class Group:
    """The planned sessions of one booking, as far as a change of the limit looks at them."""

    made_at: datetime
    booking_id: int
    sessions: list[Planned] = field(default_factory=list)


def grouped(sessions: Iterable[Planned]) -> list[Group]:
    """Sessions by booking, the booking made first at the front."""
    found: dict[int, Group] = {}
    for one in sessions:
        found.setdefault(one.booking_id, Group(one.made_at, one.booking_id)).sessions.append(one)
    return sorted(found.values(), key=lambda group: (group.made_at, group.booking_id))


def numbers_of(groups: Iterable[Group]) -> str:
    """What a person is shown that loses its time, so that it is just this that is done: their numbers, or "none"."""
    return " ".join(group.sessions[0].number for group in groups) or "none"


def over_the_limit(
    groups: Sequence[Group], windows: dict[date, tuple[datetime, datetime]], limits: dict[date, list[Draw]],
    runs: dict[date, list[Draw]],
) -> list[Group]:  # fmt: skip
    """The bookings that no longer fit under lower limits: those made first keep their place."""
    taken = {day: list(runs.get(day, ())) for day in windows}
    losers = []
    for group in groups:
        steps = {
            one.day: offers.free_steps(windows[one.day], limits[one.day], taken[one.day])
            for one in group.sessions if one.day in windows
        }  # fmt: skip
        good = all(
            one.day in steps and fits(steps[one.day], Session(one.starts, one.ends, one.gph, one.gallons))
            for one in group.sessions
        )
        if good:
            for one in group.sessions:
                taken[one.day].append(one.draw)
        else:
            losers.append(group)
    return losers


def gallons_left(booking: Booking) -> int:
    """Gallons planned for the mornings of a booking whose load was not logged: all of it, or what is left of it."""
    ran = opened_days(booking.id)
    return sum(one.gallons for one in sessions_of([booking.id])[booking.id] if one.day not in ran)


def opened_days(booking_id: int) -> set[date]:
    """The days of a booking whose load has opened."""
    return {day for (day,) in cells(_opened_days(), booking_id=booking_id)}


@cache
def _opened_days() -> Any:
    return (
        select(Run.day).join(Load, Load.id == Run.load_id)
        .where(Load.booking_id == bindparam("booking_id"), Load.state == LoadState.ACCEPTED.value)
    )  # fmt: skip
