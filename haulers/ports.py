"""What this room asks of the room above it: last season's record of a hauler, the bookings of an approval, and that
room is passed on when an approval is taken."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Protocol

from office.plants import Plant
from ordinances.loading import Mean
from ordinances.reader import Law


@dataclass(frozen=True)
class Record:
    """A hauler's last season at a plant: loads and gallons taken, loads refused, written records late, restrictions.

    ``set_aside`` are the answers of the gate set aside in writing for a load.
    ``no_shows`` are bookings nobody came for, ``late_cancels`` those cancelled so late that the law keeps it,
    ``over_limit`` the times a load was measured above the hard limit, ``elsewhere`` the loads whose written record
    names a place that the approval does not cover.
    """

    loads: int
    gallons: int
    refused: int
    late_records: int
    restrictions: int = 0
    no_shows: int = 0
    late_cancels: int = 0
    over_limit: int = 0
    set_aside: int = 0
    elsewhere: int = 0


@dataclass(frozen=True)
class BookingLine:
    """A live booking of an approval: its number, first start (aware) and gallons."""

    number: str
    starts: datetime
    gallons: int


@dataclass(frozen=True)
class LoadLine:
    """A load taken or refused: its ticket, day, type of waste and gallons.

    ``over_gph`` is what the plant drew in gallons an hour where that was measured above the hard limit, else 0.
    ``elsewhere``: its written record names a place that the approval did not cover.
    """

    ticket: str
    day: date
    waste: str
    gallons: int
    refused: bool = False
    over_gph: int = 0
    elsewhere: bool = False


@dataclass(frozen=True)
class PlaceLine:
    """A receiving point as a disposal plan names it. ``opens`` and ``closes`` are wall times, None as the plant's.

    ``wastes`` () is every type. Of a manhole, ``since`` to ``until`` are the days its written approval lets a hauler
    use it; None for other points.
    """

    name: str
    kind: str
    opens: time | None = None
    closes: time | None = None
    wastes: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None


class TrackRecord(Protocol):
    """What the room of bookings and loads answers."""

    def places(self, plant_id: int, business_id: int, first: date, last: date) -> list[PlaceLine]:
        """The points a business may unload at in some days, as they are set on the first of them."""

    def taken(self, approval_id: int, law: Law, at: datetime) -> tuple[int, int]:
        """Gallons of an approval unloaded or still booked, in winter and in the rest of the season."""

    def last_season(self, plant_id: int, business_ids: Collection[int], season_name: str) -> dict[int, Record]:
        """The record of each business in the named season; a business without one is left out. One query."""

    def means(
        self, plant_id: int, business_ids: Collection[int], season_name: str
    ) -> dict[int, dict[tuple[str, str], Mean]]:
        """Mean results of each business in the named season by (waste, "BOD5" or "TSS"). One query."""

    def bookings_of(self, approval_id: int, at: datetime) -> list[BookingLine]:
        """The bookings of an approval not yet unloaded or cancelled, in time order."""

    def loads_of(self, plant_id: int, business_id: int) -> list[LoadLine]:
        """A business's newest loads at a plant, newest first, void ones left out. At most 60."""

    def used(self, approval_id: int) -> int:
        """Gallons unloaded under an approval so far."""


class Passing(Protocol):
    """What is told of an approval that was revoked or suspended, inside that act and under its locks."""

    def __call__(self, plant: Plant, business_id: int, at: datetime, law: Law) -> None:
        """Pass on the freed room kept for a business, and offer the room of its bookings that are no longer valid."""


class TakingOver(Protocol):
    """What is told of an approval that comes in the place of a carried one, inside that act and under its locks."""

    def __call__(self, plant: Plant, old_id: int, new_id: int, first: date, last: date, at: datetime) -> None:
        """Put what is booked under the old approval for some days under the new one."""


class Missed(Protocol):
    """What is asked when a suspension is lifted, inside that act and under its locks."""

    def __call__(self, plant: Plant, approval_id: int, since: datetime, at: datetime, law: Law) -> list[str]:
        """Lines of what was booked under an approval and passed since then, with times that fit now."""


class _Provided:
    record: TrackRecord | None = None
    passing: Passing | None = None
    missed: Missed | None = None
    taking_over: TakingOver | None = None


def provide(record: TrackRecord) -> None:
    """Hand the implementation in; the application does so at start-up."""
    _Provided.record = record


def provide_passing(passing: Passing) -> None:
    """Hand in who passes room on; the application does so at start-up."""
    _Provided.passing = passing


def provide_missed(missed: Missed) -> None:
    """Hand in who says what passed meanwhile; the application does so at start-up."""
    _Provided.missed = missed


def provide_taking_over(taking_over: TakingOver) -> None:
    """Hand in who puts bookings under a new approval; the application does so at start-up."""
    _Provided.taking_over = taking_over


def take_over(plant: Plant, old_id: int, new: Any, at: datetime) -> None:
    """Put the bookings of an approval under another for its days. Raises RuntimeError when nobody was handed in."""
    if _Provided.taking_over is None:
        raise RuntimeError("haulers.ports.provide_taking_over(…) was not called when the application started")
    _Provided.taking_over(plant, old_id, new.id, new.starts, new.ends, at)


def pass_on(plant: Plant, business_id: int, at: datetime, law: Law) -> None:
    """Pass room on. Raises RuntimeError when nobody was handed in."""
    if _Provided.passing is None:
        raise RuntimeError("haulers.ports.provide_passing(pass_on) was not called when the application started")
    _Provided.passing(plant, business_id, at, law)


def missed_words(plant: Plant, approval_id: int, since: datetime, at: datetime, law: Law) -> list[str]:
    """Say what passed meanwhile. Raises RuntimeError when nobody was handed in."""
    if _Provided.missed is None:
        raise RuntimeError("haulers.ports.provide_missed(missed_words) was not called when the application started")
    return _Provided.missed(plant, approval_id, since, at, law)


def track_record() -> TrackRecord:
    """The implementation. Raises RuntimeError when none was handed in: a missing one is never an empty list."""
    if _Provided.record is None:
        raise RuntimeError("haulers.ports.provide(track_record) was not called when the application started")
    return _Provided.record
