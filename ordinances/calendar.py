"""Seasons, the filing window, decision dates, unloading hours and working days (§ 329-7 B, C(3), F(4) of Bayfield).

Every `at` is aware; every instant returned is in the plant's zone. Dates and hours of the law are wall time there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal

from ordinances.programme import not_served
from ordinances.refusal import Refusal
from ordinances.rows import Closure, Law, NoLaw, once
from ordinances.seasons import (
    Season,
    approval_period,
    filing_season,
    first_on_or_after,
    in_winter,
    last_on_or_before,
    season_named,
    season_of,
    winter,
)
from ordinances.values import WEEKDAYS, day_words, time_words, weekdays_words

__all__ = [
    "Deadline", "Due", "FilingStatus", "Hours", "Season", "approval_period", "closed_by_calendar", "decision_deadline",
    "dump_hours", "filing_season", "filing_status", "in_winter", "may_file", "next_open_day", "open_days", "record_due",
    "season_named", "season_of", "winter", "written_deadline",
]  # fmt: skip

_ONE_DAY = timedelta(days=1)
_LAST_SECOND = time(23, 59, 59)
_LOOK_AHEAD_DAYS = 400

FilingState = Literal["before_form", "draft", "open", "closed"]


@dataclass(frozen=True)
class FilingStatus:
    """Where the filing window of a season stands at an instant.

    `closes` is the last second in which filing is in time; any instant before the next midnight still is.
    `days_left` counts the days from today to the closing day, 0 on that day and after it. `left` is the time until
    filing is late, to the instant; nothing once it is.
    """

    state: FilingState
    season: Season
    form_opens: datetime
    opens: datetime
    closes: datetime
    days_left: int
    left: timedelta
    decide_by: date
    late_for_state: bool
    cite: str
    reading: str | None
    sentence: str


@dataclass(frozen=True)
class Deadline:
    """The last day for deciding the applications of a season; that day is included."""

    day: date
    after: datetime
    cite: str
    reading: str | None

    def overdue(self, at: datetime) -> bool:
        return at >= self.after


@dataclass(frozen=True)
class Hours:
    """The unloading hours of one day: aware instants in the plant's zone."""

    start: datetime
    end: datetime
    cite: str
    reading: str | None


@dataclass(frozen=True)
class Due:
    """When the written record of a load is due: the last second of the due day."""

    at: datetime
    cite: str
    reading: str | None


def filing_status(law: Law, at: datetime) -> FilingStatus | Refusal:
    """The window at an instant; a Refusal where the place has no yearly window (not_accepted, by_agreement)."""
    today = _local(law, at).date()
    refusal = not_served(law, today)
    if refusal:
        return refusal
    season = filing_season(law, at)
    form_day, open_day, close_day = _window_days(law, season, today)
    form_opens, opens = _midnight(law, form_day), _midnight(law, open_day)
    after = _midnight(law, close_day + _ONE_DAY)
    state: FilingState = "closed"
    if at < form_opens:
        state = "before_form"
    elif at < opens:
        state = "draft"
    elif at < after:
        state = "open"
    row = law.row("application.closes" if state in ("open", "closed") else "application.opens", today)
    return FilingStatus(
        state, season, form_opens, opens, _at(law, close_day, _LAST_SECOND), max(0, (close_day - today).days),
        max(timedelta(0), after.astimezone(UTC) - at.astimezone(UTC)),
        _decide_by(law, season, today), _late_for_state(law, season, today), row.cite, row.reading,
        _window_sentence(state, season, form_day, open_day, close_day),
    )  # fmt: skip


def may_file(law: Law, at: datetime) -> FilingStatus | Refusal:
    """The open window, or the refusal with its dates and the next step."""
    status = filing_status(law, at)
    if isinstance(status, Refusal) or status.state == "open":
        return status
    dates = {"opens": status.opens, "closes": status.closes, "season": status.season.name}
    opened, closed = day_words(status.opens.date()), day_words(status.closes.date())
    if status.state == "closed":
        today = _local(law, at).date()
        step = f"The next window opens {_window_again(law, status.season, today)}."
        if law.value("application.late", today) == "ask_committee":
            step = f"Ask the committee to take the application late. {step}"
        why = f"Applications for season {status.season.name} were taken from {opened} to {closed}."
        return Refusal("window_closed", why, status.cite, status.reading, step, dates)
    why = f"Applications for season {status.season.name} are taken from {opened} to {closed}."
    step = "Save a draft now and send it when filing opens."
    if status.state == "before_form":
        step = f"The form opens {day_words(status.form_opens.date())}."
    return Refusal("window_not_open", why, status.cite, status.reading, step, dates)


def decision_deadline(law: Law, season: Season) -> Deadline | Refusal:
    """The day applications of a season must be decided by; past it they are overdue, never deemed approved."""
    refusal = not_served(law, season.start)
    if refusal:
        return refusal
    row = law.row("decision.by", season.start)
    day = _decide_by(law, season, season.start)
    return Deadline(day, _midnight(law, day + _ONE_DAY), row.cite, row.reading)


def written_deadline(law: Law, season: Season) -> Deadline | None:
    """The day the state has a written decision by, for a season (NR 113.07(2)(b)); None where its row is not taken."""
    if not law.has("state.decide_by", season.start):
        return None
    row = law.row("state.decide_by", season.start)
    day = last_on_or_before(row.value, season.start)
    return Deadline(day, _midnight(law, day + _ONE_DAY), row.cite, row.reading)


@once
def dump_hours(law: Law, day: date) -> Hours | Refusal:
    """The unloading hours of a day, or why the plant is closed on it: the weekend, a holiday or a closure by name."""
    refusal = not_served(law, day)
    if refusal:
        return refusal
    days, opens, closes = (law.row(f"hours.{key}", day) for key in ("days", "opens", "closes"))
    weekday = WEEKDAYS[day.weekday()]
    if weekday not in days.value:
        why = f"The plant is closed on {day_words(day)}: unloading is {weekdays_words(days.value)} only."
        return Refusal("closed", why, days.cite, days.reading, details={"day": day})
    closed = closed_by_calendar(law, day)
    if closed is not None:
        return closed
    rule, shut = law.row("hours.rule", day), _shut(law, day)
    first, last = opens.value, closes.value
    if shut is not None:
        first = shut[1] if shut[0] <= first < shut[1] else first
        last = shut[0] if shut[0] < last <= shut[1] else last
        if first >= last:
            return _closed(law, day, law.closures[day])
    return Hours(_at(law, day, first), _at(law, day, last), opens.cite, rule.reading)


def shut_part(law: Law, day: date) -> tuple[Hours, str] | None:
    """The part of a day that the calendar closes, with its name; of an hour that comes twice the longer reading."""
    shut = _shut(law, day)
    if shut is None:
        return None
    starts, ends = ([_at(law, day, wall.replace(fold=fold)) for fold in (0, 1)] for wall in shut)
    cite, reading = _closure_cite(law, day, "closed")
    first, last = min(starts, key=_utc), max(ends, key=_utc)
    return Hours(first, last, cite, reading), law.closures[day].name


def shut_now(law: Law, at: datetime) -> Refusal | None:
    """Why nothing is unloaded at an instant of a day that is otherwise open: the part of it that is closed, by name."""
    found = shut_part(law, _local(law, at).date())
    if found is None or not found[0].start <= at < found[0].end:
        return None
    part, name = found
    why = f"The plant is closed from {time_words(part.start.time())} to {time_words(part.end.time())}: {name}."
    return Refusal("closed", why, part.cite, part.reading, details={"day": part.start.date(), "closure": name})


def closed_by_calendar(law: Law, day: date) -> Refusal | None:
    """Why the plant's own calendar closes a day, whatever day of the week it is: a holiday or a closure by name."""
    closure = law.closures.get(day)
    if closure is None or closure.kind == "opened" or closure.is_part:
        return None
    if closure.kind != "closed" and law.value("hours.holidays", day) != "closed":
        return None
    return _closed(law, day, closure)


def _closed(law: Law, day: date, closure: Closure) -> Refusal:
    cite, reading = _closure_cite(law, day, closure.kind)
    why = f"The plant is closed on {day_words(day)}: {closure.name}."
    return Refusal("closed", why, cite, reading, details={"day": day, "closure": closure.name})


def _closure_cite(law: Law, day: date, kind: str) -> tuple[str, str | None]:
    """The § and reading of a closed day: times are the manager's; a holiday's is that of holidays."""
    if kind == "closed" and law.has("approval.points_by", day):
        return law.cite("approval.points_by", day), None
    holidays = law.row("hours.holidays", day)
    return holidays.cite, holidays.reading


def _shut(law: Law, day: date) -> tuple[time, time] | None:
    closure = law.closures.get(day)
    return closure.shut if closure is not None else None


def open_days(law: Law, first: date, last: date) -> list[date]:
    """The days from first to last, both included, on which the plant takes septage."""
    return [day for day in _days(first, last) if isinstance(dump_hours(law, day), Hours)]


def next_open_day(law: Law, after: date) -> date:
    """The first open day later than a day; raises NoLaw when none comes within 400 days."""
    for day in _days(after + _ONE_DAY, after + timedelta(days=_LOOK_AHEAD_DAYS)):
        if isinstance(dump_hours(law, day), Hours):
            return day
    raise NoLaw(f"{law.profile.name} has no open day within {_LOOK_AHEAD_DAYS} days after {after}")


def record_due(law: Law, discharged_at: datetime) -> Due:
    """When the written record of a load is due: the end of the working day so many open days after it."""
    day = _local(law, discharged_at).date()
    row = law.row("record.due_working_days", day)
    for _ in range(row.value):
        day = next_open_day(law, day)
    return Due(_at(law, day, _LAST_SECOND), row.cite, row.reading)


def _window_days(law: Law, season: Season, today: date) -> tuple[date, date, date]:
    """The days on which form and filing open and filing closes, the closing day being the last one in time."""
    close_row = law.row("application.closes", today)
    close = last_on_or_before(close_row.value, season.start)
    open_day = last_on_or_before(law.value("application.opens", today), close)
    form_day = last_on_or_before(law.value("application.form_opens", today), open_day)
    rolls = law.has("application.close_roll", today) and law.value("application.close_roll", today) == "next_open_day"
    if rolls and isinstance(dump_hours(law, close), Refusal):
        close = next_open_day(law, close)
    if not law.value("application.close_inclusive", today):
        close -= _ONE_DAY
    return form_day, open_day, close


def _window_again(law: Law, season: Season, today: date) -> str:
    _, open_day, _ = _window_days(law, season_of(law, season.end + _ONE_DAY), today)
    return day_words(open_day)


def _window_sentence(state: FilingState, season: Season, form_day: date, open_day: date, close_day: date) -> str:
    opens, closes = day_words(open_day), day_words(close_day)
    return {
        "before_form": f"The form for season {season.name} opens {day_words(form_day)}; filing opens {opens}.",
        "draft": f"You can prepare an application for season {season.name} now; filing opens {opens}.",
        "open": f"Applications for season {season.name} are open. File by the end of {closes}.",
        "closed": f"Applications for season {season.name} closed at the end of {closes}.",
    }[state]


def _decide_by(law: Law, season: Season, on: date) -> date:
    """The first decision date after the window's closing date."""
    closes = last_on_or_before(law.value("application.closes", on), season.start)
    return first_on_or_after(law.value("decision.by", on), closes)


def _late_for_state(law: Law, season: Season, today: date) -> bool:
    """Whether a filing today comes too late for the state's own date ("prior to" it, NR 113.07(2)(b))."""
    if not law.has("state.apply_before", today):
        return False
    return today >= last_on_or_before(law.value("state.apply_before", today), season.start)


def _local(law: Law, at: datetime) -> datetime:
    if at.tzinfo is None:
        raise ValueError("an instant needs its time zone")
    return at.astimezone(law.zone)


def _at(law: Law, day: date, wall: time) -> datetime:
    return datetime.combine(day, wall, law.zone)


def _midnight(law: Law, day: date) -> datetime:
    return _at(law, day, time(0))


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


def _days(first: date, last: date) -> Iterator[date]:
    for at in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(at)
