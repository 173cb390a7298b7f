"""The closure calendar as pages list it: each day with who put it there and when, and what was taken off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import extract, select

from intake.queries.calendar_met import with_days
from office import formats
from office.db import db
from office.formats import clock_time
from office.journal import JournalEntry
from office.plants import ClosureDay, closure_days
from ordinances.calendar import Hours, dump_hours
from ordinances.reader import Closure, Law

KIND_WORDS = {"holiday": "Holiday", "closed": "Closed", "opened": "Opened"}


@dataclass(frozen=True)
class Removed:
    """A day taken off the calendar: what it was, who took it off, when and why."""

    day: date
    name: str
    by: str
    at: datetime
    why: str


def what_words(row: ClosureDay) -> str:
    """ "Holiday", "Closed", "Closed 8:00 a.m. to 9:00 a.m.", "Opened"."""
    if row.shut_from is not None and row.shut_until is not None:
        return f"Closed {clock_time(row.shut_from)} to {clock_time(row.shut_until)}"
    return KIND_WORDS[row.kind]


def beneath(row: ClosureDay) -> Closure | None:
    """What the day is without this: the holiday it stands over, or nothing of the calendar."""
    return Closure(row.day, row.over_holiday, "holiday") if row.over_holiday else None


def without_words(law: Law, row: ClosureDay) -> str:
    """What the day will be when this is taken off: the holiday again, its open hours, or closed and why."""
    hours = dump_hours(with_days(law, {row.day: beneath(row)}), row.day)
    if isinstance(hours, Hours):
        again = f"{formats.day(row.day)} will be open, {formats.span(hours.start, hours.end)}"
        return formats.full_stop(f"{again}, although it is {row.over_holiday}" if row.over_holiday else again)
    if row.over_holiday:
        return f"{formats.day(row.day)} will be the holiday {row.over_holiday} again: the plant is closed."
    return hours.why


def by_month(plant_id: int, year: int) -> list[tuple[date, list[ClosureDay]]]:
    """The days of a year on the calendar, under the first day of their month. One query."""
    found: dict[date, list[ClosureDay]] = {}
    for row in closure_days(plant_id, year):
        found.setdefault(row.day.replace(day=1), []).append(row)
    return list(found.items())


def years(plant_id: int, today: date) -> list[int]:
    """The years with days on the calendar, and this one and the next, in order."""
    year = extract("year", ClosureDay.day)
    kept = db.session.scalars(select(year).where(ClosureDay.plant_id == plant_id).distinct())
    return sorted({today.year, today.year + 1, *(int(one) for one in kept)})


def removed_in(plant_id: int, year: int) -> list[Removed]:
    """What was taken off the calendar of a year, the last first."""
    query = select(JournalEntry).where(
        JournalEntry.chain == f"plant:{plant_id}", JournalEntry.table_name == ClosureDay.__tablename__,
        JournalEntry.digest.is_(None),
    )  # fmt: skip
    found = db.session.scalars(query.order_by(JournalEntry.seq.desc())).all()
    days = [(one, date.fromisoformat(one.old["day"])) for one in found]
    return [Removed(day, one.old["name"], one.person, one.at, one.reason or "") for one, day in days
            if day.year == year]  # fmt: skip


def history(row: ClosureDay) -> Sequence[JournalEntry]:
    """What was done with a day that is on the calendar, the first first; a row of the same id before it left out."""
    query = select(JournalEntry).where(
        JournalEntry.chain == f"plant:{row.plant_id}", JournalEntry.table_name == ClosureDay.__tablename__,
        JournalEntry.record_id == row.id,
    )  # fmt: skip
    found = list(db.session.scalars(query.order_by(JournalEntry.seq)))
    gone = max((n for n, one in enumerate(found) if one.digest is None), default=-1)
    return found[gone + 1 :]
