"""The days before the committee: what is due or overdue, and the mark it has passed (§ 329-7 B(2))."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from haulers.models import Application
from haulers.queries.applications import filed
from haulers.queries.deadlines import mark_before, reminder_day
from haulers.queries.decisions import current_decisions
from haulers.states import ApplicationState
from office.plants import Plant
from ordinances.calendar import (
    Deadline,
    FilingStatus,
    Season,
    decision_deadline,
    filing_season,
    filing_status,
    season_of,
)
from ordinances.reader import Law

# Days before the decisions are due, and after, at which the committee is reminded while some are not made.
REVIEWING = (28, 21, 14, 7, 0)
OVERDUE = (0, 7, 14, 21, 28)
# The clerk and the administrator hear so many days before the decisions are due that letters could not be made.
UNREADY = 16
# After so many days without jobs the last overdue mark is still made up for.
CATCH_UP = timedelta(days=14)


@dataclass(frozen=True)
class Deciding:
    """The undecided applications of a season against their day; ``mark`` is such as "before 14" or "overdue 7"."""

    season: Season
    deadline: Deadline
    mark: str
    overdue: bool
    undecided: tuple[Application, ...]


def deciding(plant: Plant, law: Law, at: datetime) -> Iterator[Deciding]:
    """The seasons whose decisions are due or overdue with applications undecided (§ 329-7 B(2))."""
    day = reminder_day(at, law)
    status = filing_status(law, at)
    for season, deadline in seasons_due(law, at):
        if isinstance(status, FilingStatus) and status.season == season and status.state == "open":
            continue
        mark = _decision_mark(deadline, day)
        undecided = tuple(undecided_of(plant.id, season)) if mark else ()
        if undecided:
            yield Deciding(season, deadline, mark, deadline.overdue(at), undecided)


def seasons_due(law: Law, at: datetime) -> list[tuple[Season, Deadline]]:
    """The season running and the one filed for next, each with the day its applications are decided by."""
    running = season_of(law, at.astimezone(law.zone).date())
    found = [(season, decision_deadline(law, season)) for season in (running, filing_season(law, at))]
    return [(season, deadline) for season, deadline in found if isinstance(deadline, Deadline)]


def undecided_of(plant_id: int, season: Season) -> list[Application]:
    """Applications before the committee on which it has not voted."""
    waiting = [one for one in filed(plant_id, season.name) if one.state == ApplicationState.FILED.value]
    voted = current_decisions([one.id for one in waiting])
    return [one for one in waiting if one.id not in voted]


def _decision_mark(deadline: Deadline, day: date) -> str:
    late = (day - deadline.after.date()).days
    if late >= 0:
        passed = max(mark for mark in OVERDUE if mark <= late)
        return f"overdue {passed}" if late <= max(OVERDUE) + CATCH_UP.days else ""
    before = mark_before((deadline.day - day).days, REVIEWING)
    return "" if before is None else f"before {before}"


def unready_seasons(law: Law, at: datetime) -> list[Season]:
    """Seasons whose letters will soon be due or are, for the warning that they cannot be made."""
    day = reminder_day(at, law)
    return [season for season, deadline in seasons_due(law, at)
            if -UNREADY <= (day - deadline.day).days <= max(OVERDUE)]  # fmt: skip
