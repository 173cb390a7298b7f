"""The two-week table: a row a day, a cell a quarter hour, the gallons still free; in the same few queries always."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction

from intake.queries import capacity
from intake.queries.capacity import DayPicture, FreeQuarter
from intake.queries.largest import largest_at
from office import formats
from office.plants import Plant
from ordinances.calendar import WEEKDAYS, Hours
from ordinances.reader import Law

WEEKS = 2


@dataclass(frozen=True)
class Cell:
    """A quarter hour in words, and its shade from 0 (full) to 3 (empty); None: nothing is taken then, hatched."""

    words: str
    shade: int | None


@dataclass(frozen=True)
class Row:
    """A day: ``closed`` says why it has no cells. ``left`` and ``largest``: gallons from now on, rounded down once.

    ``where`` is the point that takes the largest load, as far as the others do not.
    """

    day: date
    closed: str
    cells: tuple[Cell, ...]
    left: int
    largest: int
    where: str = ""


@dataclass(frozen=True)
class TwoWeeks:
    """The rows under the clock times that head their cells; no heads where the plant has no hours in these weeks.

    ``tank``: there is a receiving tank, so that a cell counts the largest load that may begin to unload then.
    """

    heads: tuple[time, ...]
    rows: tuple[Row, ...]
    tank: bool = False


def days_shown(law: Law, today: date) -> list[date]:
    """The days of this week and the next on which the law unloads; once none is left of a week, from its Monday on."""
    weekdays = _weekdays(law, today)
    monday = today - timedelta(days=today.weekday())
    if not any(n in weekdays for n in range(today.weekday(), 7)):
        monday += timedelta(days=7)
    return [day for n in range(7 * WEEKS) if (day := monday + timedelta(days=n)).weekday() in weekdays]


def _weekdays(law: Law, day: date) -> set[int]:
    found = law.value("hours.days", day) if law.has("hours.days", day) else WEEKDAYS[:5]
    return {WEEKDAYS.index(one) for one in found}


def two_weeks(plant: Plant, law: Law, at: datetime) -> TwoWeeks:
    """The table as it stands at an instant."""
    days = days_shown(law, at.astimezone(plant.tz).date())
    pictures = capacity.day_pictures(plant, law, days, at)
    starts = {q.start.astimezone(plant.tz).time() for one in pictures.values() for q in one.quarters}
    heads = tuple(sorted(starts))
    tank = any(one.tank is not None for one in pictures.values())
    return TwoWeeks(heads, tuple(_row(law, pictures[day], heads, at) for day in days), tank)


def why_shut(law: Law, picture: DayPicture, at: datetime) -> str:
    """Why nothing can be had of a day any more; "" while something may."""
    if not isinstance(picture.hours, Hours):
        closure = law.closures.get(picture.day)
        return f"Closed: {closure.name}" if closure is not None and closure.kind != "opened" else "Closed"
    return "Over" if picture.hours.end <= at else ""


def _row(law: Law, picture: DayPicture, heads: Sequence[time], at: datetime) -> Row:
    closed = why_shut(law, picture, at)
    by_start = {q.start.astimezone(law.zone).time(): q for q in picture.quarters}
    cells = () if closed else tuple(cell(by_start.get(head), at) for head in heads)
    return Row(picture.day, closed, cells, picture.room, picture.largest, largest_at(picture))


def cell(quarter: FreeQuarter | None, at: datetime) -> Cell:
    """One quarter hour; None is one outside the hours of its day."""
    if quarter is None:
        return Cell("closed", None)
    if quarter.end <= at:
        return Cell("over", None)
    if quarter.shut:
        return Cell("no", None)
    free = int(quarter.free)
    # The quarter hour now running is compared with what the rest of it could hold.
    seconds = int((quarter.end - max(quarter.start, at)).total_seconds())
    full = quarter.cap * Fraction(max(seconds, 1), 3600) if not quarter.tank else Fraction(quarter.tank)
    shade = 0 if not free else 1 if quarter.free < full / 3 else 2 if quarter.free < full - 1 else 3
    return Cell(formats.gallons(free) if free else "full", shade)


def neighbours(law: Law, day: date) -> list[date]:
    """The working day before a day and the one after it."""
    weekdays = _weekdays(law, day)
    steps = range(1, 8)
    return [next(one for n in steps if (one := day + way * timedelta(days=n)).weekday() in weekdays) for way in (-1, 1)]
