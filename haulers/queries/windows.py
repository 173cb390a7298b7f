"""The filing windows around an instant: the one that closed last and the next one, and what a late applicant may do."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from haulers.queries.applications import application_for
from ordinances.calendar import FilingStatus, Season, filing_season, filing_status, season_of
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Late:
    """Whether the committee may be asked to take a late application, under which section."""

    asked: bool
    cite: str
    reading: str | None


@dataclass(frozen=True)
class Shut:
    """Between two windows: the one that closed (None where the law does not reach back so far) and the next one."""

    closed: FilingStatus | None
    coming: FilingStatus
    late: Late | None


@dataclass(frozen=True)
class Working:
    """The season whose application is worked on now; ``late`` once its window has closed."""

    season: Season
    opens: datetime
    closes: datetime
    late: bool
    status: FilingStatus


def working_season(plant_id: int, business_id: int, law: Law, at: datetime, *, late: bool = False) -> Working | Refusal:
    """Which season a hauler's draft is for: the one filed for now; before its form opens, one that was begun late.

    ``late`` begins one: refused ``not_late`` while the window is not closed, ``late_refused`` where none is taken.
    """
    status = filing_status(law, at)
    if isinstance(status, Refusal):
        return status
    shut = shut_window(law, at)
    closed = shut.closed if shut is not None else None
    if late and (refusal := _no_late(status, shut)):
        return refusal
    if status.state != "before_form":
        return Working(status.season, status.opens, status.closes, status.state == "closed", status)
    if closed is not None and (late or application_for(plant_id, business_id, closed.season.name) is not None):
        return Working(closed.season, closed.opens, closed.closes, True, closed)
    return Refusal("form_not_open", status.sentence, status.cite, status.reading)


def unfinished(plant_id: int, business_id: int, law: Law, at: datetime) -> Working | None:
    """The season and window of a draft that can still be sent in time; None without one."""
    work = working_season(plant_id, business_id, law, at)
    if isinstance(work, Refusal) or work.late:
        return None
    draft = application_for(plant_id, business_id, work.season.name)
    return work if draft is not None and draft.filed_at is None else None


def _no_late(status: FilingStatus, shut: Shut | None) -> Refusal | None:
    """Why the committee cannot be asked to take an application late, if it cannot."""
    if shut is None or shut.closed is None:
        return Refusal("not_late", status.sentence, status.cite, status.reading, "Send it while the window is open.")
    if shut.late is None or not shut.late.asked:
        cite, reading = (shut.late.cite, shut.late.reading) if shut.late is not None else (status.cite, None)
        return Refusal("late_refused", "An application is not taken late.", cite, reading)
    return None


def shut_window(law: Law, at: datetime) -> Shut | None:
    """What a hauler needs to know while nothing can be filled in; None while it can, or where there is no window."""
    status = filing_status(law, at)
    if isinstance(status, Refusal) or status.state in ("open", "draft"):
        return None
    today = at.astimezone(law.zone).date()
    if status.state == "closed":
        coming = _at_midnight(law, filing_season(law, at).start)
        return Shut(status, coming or status, _late(law, today))
    closed = _at_midnight(law, season_of(law, today).start - timedelta(days=1))
    return Shut(closed, status, _late(law, today) if closed else None)


def window_of(law: Law, season: Season) -> FilingStatus | None:
    """The filing window of a season as it stands on the last day before it begins; None where there is none."""
    return _at_midnight(law, season.start - timedelta(days=1))


def _at_midnight(law: Law, day: date) -> FilingStatus | None:
    try:
        status = filing_status(law, datetime.combine(day, time(0), law.zone))
    except NoLaw:
        return None
    return status if isinstance(status, FilingStatus) else None


def _late(law: Law, day: date) -> Late | None:
    if not law.has("application.late", day):
        return None
    row = law.row("application.late", day)
    return Late(row.value == "ask_committee", row.cite, row.reading)
