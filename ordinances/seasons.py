"""Seasons and the days inside them: the yearly round that an approval and the state's winter duty follow."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from ordinances.rows import Law, NoLaw, once
from ordinances.values import MonthDay

_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Season:
    """One approval year, named over the years it runs through: "2026-27"."""

    name: str
    start: date
    end: date


def first_on_or_after(month_day: MonthDay, day: date) -> date:
    here = month_day.on(day.year)
    return here if here >= day else month_day.on(day.year + 1)


def last_on_or_before(month_day: MonthDay, day: date) -> date:
    here = month_day.on(day.year)
    return here if here <= day else month_day.on(day.year - 1)


@once
def season_of(law: Law, day: date) -> Season:
    """The season a day lies in; where no approval year is set, the state's decision date begins it."""
    key = "approval.from" if law.has("approval.from", day) else "state.decide_by"
    begins: MonthDay = law.value(key, day)
    start = last_on_or_before(begins, day)
    end = first_on_or_after(begins, day + _ONE_DAY) - _ONE_DAY
    if law.has("approval.to", day):
        end = first_on_or_after(law.value("approval.to", day), start + _ONE_DAY)
    return Season(_name(start, end), start, end)


def season_named(law: Law, name: str) -> Season:
    """The season of a name such as "2026-27"; raises NoLaw for a name no season has."""
    # A year nobody will see would run off the end of the calendar.
    if re.fullmatch(r"(19|20)[0-9]{2}(-[0-9]{2})?", name):
        year = int(name[:4])
        for day in (date(year, 12, 31), date(year, 1, 1)):
            season = season_of(law, day)
            if season.name == name:
                return season
    raise NoLaw(f"there is no season {name!r}: a season is named like 2026-27")


def filing_season(law: Law, at: datetime) -> Season:
    """The season whose filing window is current or comes next: the one after the season the instant lies in."""
    running = season_of(law, at.astimezone(law.zone).date())
    return season_of(law, running.end + _ONE_DAY)


@once
def winter(law: Law, season: Season) -> tuple[date, date]:
    """First and last day of the state's duty to accept inside a season (§ 281.49(2), Wis. Stats.)."""
    first = first_on_or_after(law.value("winter.from", season.start), season.start)
    return first, first_on_or_after(law.value("winter.to", season.start), first)


def in_winter(law: Law, day: date) -> bool:
    first, last = winter(law, season_of(law, day))
    return first <= day <= last


def approval_period(law: Law, season: Season) -> tuple[date, date]:
    """First and last day of an approval for a season."""
    begins: MonthDay = law.value("approval.from", season.start)
    ends: MonthDay = law.value("approval.to", season.start)
    first = first_on_or_after(begins, season.start)
    return first, first_on_or_after(ends, first)


def _name(start: date, end: date) -> str:
    return str(start.year) if start.year == end.year else f"{start.year}-{end.year % 100:02d}"
