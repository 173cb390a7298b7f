"""What this room owes people as time goes by."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from intake.actions.records import remind_of_record
from intake.queries import loads
from office.access import Actor, system
from office.jobs import Owed, job

LOOK_BACK = timedelta(days=60)


@job("record_overdue")
def record_overdue(at: datetime) -> Owed:
    """One notice for each load whose written record is late, looking back far enough for a time without jobs."""
    return _owed(at)


def _owed(at: datetime) -> Iterator[tuple[str, partial[bool]]]:
    by = system("Reminders")
    for load in loads.overdue(None, at, since=at - LOOK_BACK):
        yield f"load:{load.id}", partial(_remind, load.id, by, at)


def _remind(load_id: int, by: Actor, at: datetime) -> bool:
    return remind_of_record(loads.load(load_id), by=by, at=at)
