"""The entries of the plant's news feed: its state, each restriction, closed days near by, changes of the limit."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import func, select

from intake.queries import restrictions
from intake.queries.public import Status
from intake.queries.restriction_words import point_names, public_words
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.plants import ClosureDay, Plant, PlantRow
from ordinances.plain_words import plain
from ordinances.schema import KEYS
from ordinances.values import parse

RESTRICTIONS = 20
BEHIND, AHEAD = timedelta(days=14), timedelta(days=60)


@dataclass(frozen=True)
class Entry:
    """One entry. ``name`` is its own for good; ``page`` is the page it leads to: a kind and its argument."""

    name: str
    title: str
    updated: datetime
    words: str
    page: tuple[str, str | int | None]


def entries(plant: Plant, status: Status) -> list[Entry]:
    """Every entry at the status's instant, the newest change first. In a fixed number of queries."""
    found = [_state(status), *_restrictions(plant, status.at), *_closures(plant, status.at), *_limits(plant, status.at)]
    return sorted(found, key=lambda one: (one.updated, one.name), reverse=True)


def _state(status: Status) -> Entry:
    rows = [one.restriction for one in status.facts.in_force]
    said = [one.posted_at for posted in restrictions.updates_of([row.id for row in rows]).values() for one in posted]
    updated = max([status.facts.since, *said])
    name = f"status/{status.facts.since.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return Entry(name, f"{status.word}: {status.headline}", updated, " ".join(status.lines), ("status", None))


def _restrictions(plant: Plant, at: datetime) -> list[Entry]:
    rows = restrictions.all_of(plant.id, RESTRICTIONS)
    said, names = restrictions.updates_of([row.id for row in rows]), point_names(rows)
    made = []
    for row in rows:
        course = [f"{public_words(row, names)} From {formats.day_time(row.starts, plant.tz)}: {row.note}".rstrip(" :")]
        course += [f"{formats.day_time(one.posted_at, plant.tz)}: {one.words}" for one in said[row.id]]
        if row.lifted_at is not None:
            lifted = restrictions.full_stop(f"Lifted {formats.day_time(row.lifted_at, plant.tz)}")
            course.append(f"{lifted} What was done: {row.done}")
        updated = row.lifted_at or max([row.starts, *(one.posted_at for one in said[row.id])])
        title = f"{'Lifted' if row.lifted_at else 'Restricted'}: {restrictions.title_of(row.reason)}"
        words = " ".join(restrictions.full_stop(one) for one in course)
        made.append(Entry(f"restriction/{row.id}", title, updated, words, ("notice", row.id)))
    return made


def _closures(plant: Plant, at: datetime) -> list[Entry]:
    """Days the calendar closes or opens, from two weeks ago to two months ahead, as each was last set."""
    today = at.astimezone(plant.tz).date()
    near = ClosureDay.day.between(today - BEHIND, today + AHEAD)
    rows = db.session.scalars(select(ClosureDay).where(ClosureDay.plant_id == plant.id, near)).all()
    query = (
        select(JournalEntry.record_id, func.max(JournalEntry.at))
        .where(JournalEntry.table_name == "closure_day", JournalEntry.record_id.in_([row.id for row in rows]))
        .group_by(JournalEntry.record_id)
    )
    set_at = {row[0]: row[1] for row in db.session.execute(query)}
    return [Entry(f"closure/{row.day.isoformat()}", _closed_words(row), set_at[row.id], _closed_words(row),
                  ("day", row.day.isoformat())) for row in rows]  # fmt: skip


def _closed_words(row: ClosureDay) -> str:
    if row.kind == "opened":
        return f"Open {formats.day(row.day)}: {row.name}"
    if row.shut_from is not None and row.shut_until is not None:
        return f"Closed {formats.day(row.day)}, {formats.span(row.shut_from, row.shut_until)}: {row.name}"
    return f"Closed {formats.day(row.day)}: {row.name}"


def _limits(plant: Plant, at: datetime) -> list[Entry]:
    """What was put in force about the limit in the last two months, or comes into force from a day ahead."""
    since = (at - AHEAD).astimezone(plant.tz).date()
    query = select(PlantRow).where(PlantRow.plant_id == plant.id, PlantRow.key.startswith("rate."),
                                   PlantRow.since >= since)  # fmt: skip
    made = []
    for row in db.session.scalars(query.order_by(PlantRow.id)):
        key = KEYS[row.key]
        value = "withdrawn" if row.withdrawn else plain(key, parse(key.type, row.value, key.options))
        title = f"{key.title} from {formats.day(row.since)}: {value}"
        made.append(Entry(f"limit/{row.id}", title, row.set_at, row.resolution, ("flow", None)))
    return made
