"""What a hauler is offered for a load: the times that fit on a day, the next days with room, a split over mornings."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from typing import Any

from intake.queries import capacity, point_room, tank_split
from intake.queries.capacity import DayPicture
from intake.queries.drawn import Drawn, drawn
from intake.queries.point_room import Room
from intake.queries.tank_rest import with_rest
from intake.queries.terms import Terms
from intake.queries.truck_times import Busy, busy_times
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours, dump_hours
from ordinances.offers import NoFit, Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

STAMP = "%Y%m%dT%H%M"


@dataclass(frozen=True)
class DayChoice:
    """One of the next open days: gallons free, the largest load this hauler may book, and whether theirs fits.

    ``why`` says what of the hauler's own stands against it (license, gallons left), "" when nothing does; ``over``
    that its hours have passed.
    """

    day: date
    room: int
    largest: int
    fits: bool
    why: str = ""
    over: bool = False


@dataclass(frozen=True)
class Offered:
    """One day's times for a load, and the other days beside it. ``day`` is None when no day is open.

    ``why`` is what of the hauler's own stands against the load on this day, whatever is free; ``busy`` when the truck
    is taken on it; ``earliest`` the first minute in which a booking can start at all; ``nowhere`` is why no point takes
    the waste on this day. ``rooms`` are the points in question as far as the truck can use them, ``unshared`` the same
    as if it were free, ``taken`` when and why it is not.
    """

    day: date | None
    picture: DayPicture | None
    fits: tuple[Session, ...]
    misses: tuple[NoFit, ...]
    days: tuple[DayChoice, ...]
    why: str = ""
    busy: tuple[str, ...] = ()
    earliest: datetime | None = None
    nowhere: str = ""
    rooms: tuple[Room, ...] = ()
    unshared: tuple[Room, ...] = ()
    taken: tuple[tuple[Busy, str], ...] = ()

    @cached_property
    def drawn(self) -> Drawn | None:
        """The day as it is drawn beside the times; None when no day is open."""
        return drawn(self.picture, self.unshared) if self.picture is not None else None

    @property
    def here(self) -> DayChoice | None:
        """The day shown, among the days."""
        return next((one for one in self.days if one.day == self.day), None)

    def where(self, one: Session) -> str:
        """The name of a session's point; "" at a plant that has only one."""
        places = self.picture.places if self.picture is not None else ()
        return next((place.name for place in places if place.id == one.point), "")

    @property
    def largest(self) -> int:
        """The largest single load that fits on any of the days."""
        return max((one.largest for one in self.days), default=0)

    @property
    def anywhere(self) -> bool:
        return any(one.fits for one in self.days)


def find(plant: Plant, terms: Terms, at: datetime, gallons: int, day: date | None = None, *, truck: Any = None,
         point_id: int | None = None, booking_id: int | None = None, without: Collection[date] = ()
         ) -> Offered:  # fmt: skip
    """The times that fit a load: on the day asked for, else on the first day it fits, else on the first
    open day whose hours are not over.

    Only days of the hauler's approvals are looked at, and none is offered past the license or the gallons left, nor a
    time in which the truck is taken. With several points each time is at the one that is done first, or only at
    ``point_id``. ``booking_id`` is the booking that moves: its room counts as free; ``without`` are the days on which
    the rest of its load stays.
    """
    days, first = _with(terms, day, _days(terms, at, terms.spans, without), without), capacity.next_minute(at)
    pictures = {one: with_rest(picture, plant.id, booking_id, at, only=tuple(without))
                for one, picture in capacity.day_pictures(plant, terms.law, days, at, booking_id).items()}  # fmt: skip
    busy = _busy(plant, truck, days, at, booking_id)
    best = {one: point_room.at_best(pictures[one], terms.waste, terms.business_id, point_id, busy, first)
            for one in days}  # fmt: skip
    choices = tuple(_choice(terms, pictures[one], best[one][1], gallons) for one in days)
    first_fit = next((one.day for one in choices if one.fits), None)
    wanted = day if day in pictures else first_fit or next((one.day for one in choices if not one.over), None)
    wanted = wanted or next(iter(days), None)
    if wanted is None:
        return Offered(None, None, (), (), ())
    picture, why = pictures[wanted], terms.why_not(wanted, gallons)
    if why or not picture.steps:
        return Offered(wanted, picture, (), (), choices, why)
    no = (point_room.nowhere(terms.law, picture, terms.waste, terms.business_id, point_id)
          or point_room.stopped(terms.law, picture, terms.waste, best[wanted][0]))  # fmt: skip
    if no is None and not any(one.fits for one in choices):
        no = point_room.nowhere(terms.law, pictures[days[-1]], terms.waste, terms.business_id, point_id)
    if no is not None:
        return Offered(wanted, picture, (), (), choices, nowhere=no.why)
    said = {one: one.words(truck.plate, terms.business_id, plant.tz) for one in busy if one.day == wanted}
    rooms = best[wanted][0]
    fits, misses = point_room.find(rooms, gallons, first)
    unshared = _rooms(terms, picture, (), point_id) if said else rooms
    if said:
        misses = _why_missed(unshared, said, gallons, first, misses)
    return Offered(wanted, picture, fits, misses, choices, busy=tuple(said.values()), earliest=first,
                   rooms=rooms, unshared=unshared, taken=tuple(said.items()))  # fmt: skip


def _days(terms: Terms, at: datetime, spans: Sequence[capacity.Span], without: Collection[date]) -> list[date]:
    return [day for day in capacity.days_ahead(terms.law, at, spans=spans) if day not in without]


def _with(terms: Terms, day: date | None, days: list[date], without: Collection[date]) -> list[date]:
    """The next days, and the one asked for after them where it is an open one of the approvals."""
    if day is None or day in days or day in without or (days and day < days[-1]):
        return days
    inside = any(first <= day <= last for first, last in terms.spans) and day >= terms.today
    return [*days, day] if inside and isinstance(dump_hours(terms.law, day), Hours) else days


def _busy(plant: Plant, truck: Any, days: Sequence[date], at: datetime, booking_id: int | None = None) -> list[Busy]:
    return busy_times(plant.id, truck.id, days, at, booking_id) if truck is not None else []


def _rooms(terms: Terms, picture: DayPicture, busy: Sequence[Busy], point_id: int | None = None) -> tuple[Room, ...]:
    """What is free on a day, point by point, for the truck that is to come."""
    return point_room.rooms(picture, terms.waste, terms.business_id, point_id, busy=busy)


def _why_missed(rooms: Sequence[Room], said: dict[Busy, str], gallons: int, first: datetime, misses: Sequence[NoFit]
                ) -> tuple[NoFit, ...]:  # fmt: skip
    """The starts that do not fit: for want of room at the plant, or because the truck is taken."""
    room = {one.start: one.free for one in misses}
    good, bad = point_room.find(rooms, gallons, first)
    spans = [(one.start, one.end, "") for one in good]
    spans += [(one.start, one.start + capacity.MINUTE, one.reason) for one in bad]
    found = []
    for start, end, reason in spans:
        why = next((words for busy, words in said.items() if start < busy.end and busy.start < end), reason)
        if why:
            found.append(NoFit(start, room.get(start, 0), why))
    return tuple(sorted(found, key=lambda one: one.start))


def _choice(terms: Terms, picture: DayPicture, most: int, gallons: int) -> DayChoice:
    largest = min(most, terms.gallons_on(picture.day))
    over = isinstance(picture.hours, Hours) and picture.hours.end <= picture.now
    return DayChoice(picture.day, picture.room, largest, largest >= gallons, terms.why_not(picture.day, gallons), over)


def split_over(plant: Plant, terms: Terms, at: datetime, gallons: int, *, truck: Any = None,
               booking_id: int | None = None, without: Collection[date] = ()
               ) -> tuple[Session, ...] | Refusal:  # fmt: skip
    """A load over as few of the next open days as can hold it, one booking of several mornings in one approval.

    ``booking_id`` and ``without`` as for ``find``.
    """
    first = capacity.next_minute(at)
    cite = terms.law.cite("hours.opens", at.astimezone(terms.law.zone).date())
    found: tuple[Session, ...] | Refusal = Refusal("no_room", "No open day is left in your approval.", cite)
    for span in terms.spans:
        days = [day for day in _days(terms, at, [span], without) if terms.gallons_on(day)]
        pictures = {
            one: with_rest(picture, plant.id, booking_id, at, only=tuple(without))
            for one, picture in capacity.day_pictures(plant, terms.law, days, at, booking_id).items()
        }
        busy = _busy(plant, truck, days, at, booking_id)
        # Where both parts of the season together are asked too much of, one that has enough left may do.
        for kept in (days, [day for day in days if not terms.why_not(day, gallons)]):
            found = _split(terms, [pictures[day] for day in kept], busy, gallons, first, cite) if kept else found
            if not isinstance(found, Refusal) and terms.covers(found):
                return found
    return found if isinstance(found, Refusal) else Refusal("allowance", "Your approval has too little left.", cite)


def _split(terms: Terms, pictures: Sequence[DayPicture], busy: Sequence[Busy], gallons: int, first: datetime, cite: str
           ) -> tuple[Session, ...] | Refusal:  # fmt: skip
    """A load over some days, each part at the point that has room for the largest single load on its day."""
    best = []
    for picture in pictures:
        rooms, _ = point_room.at_best(picture, terms.waste, terms.business_id, None, busy, first)
        best.append(max(rooms, key=lambda one: one.largest(first), default=None))
    if any(room is not None and room.tank is not None for room in best):
        return tank_split.over_days(best, gallons, first, cite)
    frees = [(picture.day, room.steps if room else ()) for picture, room in zip(pictures, best, strict=True)]
    found = offers.split(frees, gallons, first, cite)
    if isinstance(found, Refusal):
        return found
    where = {picture.day: room for picture, room in zip(pictures, best, strict=True)}
    return tuple(room.here(one) if (room := where[one.start.date()]) else one for one in found)


def to_key(session: Session) -> str:
    """A session as an address carries it: start and end in UTC, gallons an hour, gallons, and its point if named."""
    start, end = session.start.astimezone(UTC), session.end.astimezone(UTC)
    point = f"-{session.point}" if session.point is not None else ""
    return f"{start:{STAMP}}-{end:{STAMP}}-{session.gph}-{session.gallons}{point}"


def from_key(key: str, law: Law) -> Session | None:
    """The session of such a key in the plant's zone, or None for anything else."""
    parts = key.split("-")
    try:
        start, end = (datetime.strptime(one, STAMP).replace(tzinfo=UTC).astimezone(law.zone) for one in parts[:2])
        gph, gallons, *points = (int(one) for one in parts[2:])
    except (ValueError, OverflowError):
        return None
    point = points[0] if points else None
    good = gph > 0 and gallons > 0 and start < end and len(points) < 2
    return Session(start, end, gph, gallons, point) if good else None


def from_keys(keys: Sequence[str], law: Law) -> list[Session]:
    """The sessions of several keys in time order; empty when one of them is none."""
    found = [from_key(key, law) for key in keys]
    good = [one for one in found if one is not None]
    return sorted(good, key=lambda one: one.start) if len(good) == len(found) else []
