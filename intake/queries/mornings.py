"""Today's loads as whole mornings on the operator's board: what of each is out, since when, what ended by itself."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import select

from intake.models import Load, Run
from intake.queries import loads
from office.db import db
from office.journal import JournalEntry
from ordinances.booking_terms import may_run_on
from ordinances.reader import Law

# Acts that end what flows because a person says so.
BY_HAND = ("stop_load", "pause_load", "stop_all", "refuse_rest")


@dataclass(frozen=True)
class Ended:
    """A load whose last piece ended a short while ago with nobody ending it: ``gallons`` are those of its morning."""

    load: Load
    gallons: int
    ends: datetime


@dataclass(frozen=True)
class Earlier:
    """The pieces of a load's morning that are over before the one that flows."""

    gallons: int
    starts: datetime
    ends: datetime


def over_today(plant_id: int, day: date, at: datetime) -> list[loads.Running]:
    """The pieces of a day that are over, in time order. One query."""
    return [one for one in loads.ended_since(plant_id, at, at - timedelta(days=1)) if one.run.day == day]


def earlier(over: Sequence[loads.Running]) -> dict[int, Earlier]:
    """By load, its pieces that are over, together."""
    found: dict[int, Earlier] = {}
    for one in over:
        was = found.get(one.load.id)
        found[one.load.id] = Earlier(one.run.gallons + (was.gallons if was else 0), was.starts if was else
                                     one.run.starts, one.run.ends)  # fmt: skip
    return found


def ended(over: Sequence[loads.Running], law: Law, at: datetime, but: Collection[int]) -> list[Ended]:
    """A line a load that ended by the plan and may still run: not one somebody stopped, nor those of ``but``."""
    last = {one.load.id: one for one in over if one.load.id not in but}
    may = [one for one in last.values() if may_run_on(law, one.run.ends, at)]
    stopped, whole = _stopped([one.run for one in may]), earlier(over)
    return [Ended(one.load, whole[one.load.id].gallons, one.run.ends) for one in may if one.run.id not in stopped]


def _stopped(runs: Sequence[Run]) -> set[int]:
    """Which of some pieces a person ended: the newest line of the journal about each says so, a correction
    afterwards left out. One query, or none where there is no piece."""
    if not runs:
        return set()
    query = (
        select(JournalEntry.record_id, JournalEntry.act)
        .where(JournalEntry.chain == f"plant:{runs[0].plant_id}", JournalEntry.table_name == Run.__tablename__,
               JournalEntry.act != "correct_load", JournalEntry.record_id.in_([one.id for one in runs]))
        .order_by(JournalEntry.seq)
    )  # fmt: skip
    newest = {one.record_id: one.act for one in db.session.execute(query)}
    return {record for record, act in newest.items() if act in BY_HAND}
