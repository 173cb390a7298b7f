"""Who saved a record last, and the mark by which a form knows that somebody saved after it was opened."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from office.access import Role
from office.db import Model, db
from office.formats import day_time
from office.journal import JournalEntry
from ordinances.refusal import Refusal

AGAIN = "What you typed is still here. Save it again to put it in the place of theirs."


@dataclass(frozen=True)
class Save:
    """The last act that touched a record: who did it, and when."""

    person: str
    at: datetime


def mark_of(*values: object) -> str:
    """The mark of a record as a form shows it: other values, another mark."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


def last_save(*records: Model) -> Save | None:
    """Who last changed one of these records, as the journal keeps it."""
    found = [entry for one in records if (entry := _last(one.__tablename__, one.id)) is not None]
    newest = max(found, key=lambda entry: entry.at, default=None)
    return Save(_who(newest), newest.at) if newest is not None else None


def _who(entry: JournalEntry) -> str:
    """Who acted; for an account opened by somebody not signed in yet, the person it was opened for."""
    if entry.capacity != Role.PUBLIC.value:
        return entry.person
    query = select(JournalEntry).filter_by(act_id=entry.act_id, table_name="person").limit(1)
    opened = db.session.scalars(query).first()
    return str((opened.new or {}).get("name") or entry.person) if opened is not None else entry.person


def _last(table: str, record_id: int) -> JournalEntry | None:
    query = select(JournalEntry).filter_by(table_name=table, record_id=record_id)
    return db.session.scalars(query.order_by(JournalEntry.id.desc()).limit(1)).first()


def saved_since(seen: str, mark: str, records: Sequence[Model], zone: ZoneInfo | None) -> Refusal | None:
    """The refusal of a form filled from an older state than the record has now (``seen`` "" asks nothing)."""
    if not seen or seen == mark:
        return None
    save = last_save(*records)
    who = f"{save.person} saved this page on {day_time(save.at, zone)}," if save else "Somebody saved this page"
    return Refusal("saved_since", f"{who} after you opened it.", "", details={"seen": mark}, next_step=AGAIN)
