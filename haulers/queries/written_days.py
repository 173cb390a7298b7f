"""The days before a written decision is due (NR 113.07): letters of decisions that are not issued yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from haulers.models import Application
from haulers.queries.deadlines import mark_before, reminder_day
from haulers.queries.decision_days import CATCH_UP, OVERDUE
from haulers.queries.decisions import waiting_decisions
from office.plants import Plant
from ordinances.calendar import Deadline, season_named, written_deadline
from ordinances.reader import Law

# Days before the written decision is due at which the clerk is reminded of letters that wait: weekly, then at the end.
ISSUING = (28, 21, 14, 7, 3, 0)


@dataclass(frozen=True)
class Issuing:
    """The decided applications of a season whose letters wait, against their day; ``mark`` as of ``Deciding``."""

    season: str
    deadline: Deadline
    mark: str
    overdue: bool
    unissued: tuple[Application, ...]


def issuing(plant: Plant, law: Law, at: datetime) -> Iterator[Issuing]:
    """The seasons with letters not issued while the day of the written decision is near or past."""
    found: dict[str, list[Application]] = {}
    for _, one in waiting_decisions(plant.id):
        found.setdefault(one.season, []).append(one)
    for season, applications in sorted(found.items()):
        deadline = written_deadline(law, season_named(law, season))
        mark = _mark(deadline, reminder_day(at, law)) if deadline is not None else ""
        if deadline is not None and mark:
            yield Issuing(season, deadline, mark, deadline.overdue(at), tuple(applications))


def _mark(deadline: Deadline, day: date) -> str:
    late = (day - deadline.after.date()).days
    if late >= 0:
        passed = max(mark for mark in OVERDUE if mark <= late)
        return f"overdue {passed}" if late <= max(OVERDUE) + CATCH_UP.days else ""
    before = mark_before((deadline.day - day).days, ISSUING)
    return "" if before is None else f"before {before}"
