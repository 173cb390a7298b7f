"""What a hauler is offered for a load: the times that fit on a day, the next days with room, a split over mornings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from intake.queries import capacity
from intake.queries.capacity import DayPicture, Span
from office.plants import Plant
from ordinances import offers
from ordinances.offers import NoFit, Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

STAMP = "%Y%m%dT%H%M"


@dataclass(frozen=True)
class DayChoice:
    """One of the next open days: gallons free, and whether the load fits."""

    day: date
    room: int
    largest: int
    fits: bool


@dataclass(frozen=True)
class Offered:
    """One day's times for a load, and the other days beside it. ``day`` is None when no day is open."""

    day: date | None
    picture: DayPicture | None
    fits: tuple[Session, ...]
    misses: tuple[NoFit, ...]
    days: tuple[DayChoice, ...]

    @property
    def largest(self) -> int:
        """The largest single load that fits on any of the days."""
        return max((one.largest for one in self.days), default=0)

    @property
    def anywhere(self) -> bool:
        return any(one.fits for one in self.days)


def find(plant: Plant, law: Law, at: datetime, gallons: int, spans: Sequence[Span], day: date | None = None) -> Offered:
    """The times that fit a load: on the day asked for, else on the first day it fits, else on the first open day.

    ``spans``: first and last day of the approvals it can be booked under; no other day is offered.
    """
    days = capacity.days_ahead(law, at, spans=spans)
    pictures = capacity.day_pictures(plant, law, days, at)
    choices = tuple(
        DayChoice(one, pictures[one].room, pictures[one].largest, pictures[one].largest >= gallons) for one in days
    )
    wanted = day if day in pictures else next((one.day for one in choices if one.fits), days[0] if days else None)
    if wanted is None:
        return Offered(None, None, (), (), ())
    picture = pictures[wanted]
    fits, misses = offers.offers(picture.steps, gallons, at) if picture.steps else ((), ())
    return Offered(wanted, picture, fits, misses, choices)


def split_over(
    plant: Plant, law: Law, at: datetime, gallons: int, spans: Sequence[Span]
) -> tuple[Session, ...] | Refusal:
    """A load over as few of the next open days as can hold it, one booking of several mornings in one approval."""
    cite = law.cite("hours.opens", at.astimezone(law.zone).date())
    found: tuple[Session, ...] | Refusal = Refusal("no_room", "No open day is left in your approval.", cite)
    for span in sorted(spans):
        days = capacity.days_ahead(law, at, spans=[span])
        pictures = capacity.day_pictures(plant, law, days, at)
        found = offers.split([(day, pictures[day].steps) for day in days], gallons, at, cite) if days else found
        if not isinstance(found, Refusal):
            break
    return found


def to_key(session: Session) -> str:
    """A session as an address carries it: start and end in UTC, gallons an hour, gallons."""
    start, end = session.start.astimezone(UTC), session.end.astimezone(UTC)
    return f"{start:{STAMP}}-{end:{STAMP}}-{session.gph}-{session.gallons}"


def from_key(key: str, law: Law) -> Session | None:
    """The session of such a key in the plant's zone, or None for anything else."""
    parts = key.split("-")
    try:
        start, end = (datetime.strptime(one, STAMP).replace(tzinfo=UTC).astimezone(law.zone) for one in parts[:2])
        gph, gallons = (int(one) for one in parts[2:])
    except (ValueError, OverflowError):
        return None
    return Session(start, end, gph, gallons) if gph > 0 and gallons > 0 and start < end else None


def from_keys(keys: Sequence[str], law: Law) -> list[Session]:
    """The sessions of several keys in time order; empty when one of them is none."""
    found = [from_key(key, law) for key in keys]
    good = [one for one in found if one is not None]
    return sorted(good, key=lambda one: one.start) if len(good) == len(found) else []
