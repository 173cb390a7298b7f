"""The filing windows around an instant: the one that closed last and the next one, and what a late applicant may do."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from ordinances.calendar import FilingStatus, filing_season, filing_status, season_of
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
