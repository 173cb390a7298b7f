"""What a season can take, worked out line by line from hours, closures and limit (§ 329-7 F(3)-(4) of Bayfield)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date

from ordinances.calendar import Season, open_days, winter
from ordinances.counted import counted
from ordinances.rate_cap import Cap, cap_on, window_gallons
from ordinances.rows import Law
from ordinances.values import WEEKEND, day_words


@dataclass(frozen=True)
class PartCapacity:
    """One part of a season: gallons it holds, its open days, the lines that lead there, and the days closed by name.

    ``empty_days`` and ``empty_gallons`` are what an empty calendar, without holidays and closures, would give.
    """

    gallons: int
    days: int
    empty_days: int
    empty_gallons: int
    lines: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class CapacityLines:
    """Winter and the rest of a season, each worked out; `cite` and `reading` of the limit."""

    winter: PartCapacity
    rest: PartCapacity
    cite: str
    reading: str | None


def capacity_lines(law: Law, season: Season) -> CapacityLines:
    """The capacity of a season in words; the gallons are those of ``rate_cap.season_capacity``."""
    first, last = winter(law, season)
    days = open_days(law, season.start, season.end)
    plain = replace(law, closures={})
    usual = open_days(plain, season.start, season.end)
    row = law.row("rate.plan_gph", season.start)
    parts = [
        _part(law, plain, [day for day in days if (first <= day <= last) is inside],
              [day for day in usual if (first <= day <= last) is inside])
        for inside in (True, False)
    ]  # fmt: skip
    return CapacityLines(parts[0], parts[1], row.cite, row.reading)


def _part(law: Law, plain: Law, days: list[date], usual: list[date]) -> PartCapacity:
    gallons, lines = _sum(law, days, "open ")
    empty, _ = _sum(plain, usual, "")
    open_set = set(days)
    closed = tuple(f"{day_words(day)}: {law.closures[day].name}" for day in usual if day not in open_set)
    return PartCapacity(gallons, len(days), len(usual), empty, lines, closed)


def _sum(law: Law, days: list[date], before: str) -> tuple[int, tuple[str, ...]]:
    """Days that hold the same at the same limit go together: "3 open weekdays × 500 = 1,500 gallons"."""
    alike: dict[tuple[str, int], list[date]] = {}
    for day in days:
        cap = cap_on(law, day)
        alike.setdefault((_day_words(cap), window_gallons(law, day, cap)), []).append(day)
    lines = []
    for (words, a_day), same in alike.items():
        lines.append(f"{words} = {counted(a_day, 'gallon')} a day")
        whole = counted(len(same) * a_day, "gallon")
        lines.append(f"{len(same):,} {before}{_days_word(law, same)} × {a_day:,} = {whole}")
    total = sum(a_day * len(same) for (_, a_day), same in alike.items())
    if len(alike) > 1:
        lines.append(f"Together {counted(total, 'gallon')}")
    return total, tuple(lines)


def _day_words(cap: Cap) -> str:
    """The hours of a day and their limits: "1 hour × 400 + 2 hours × 500"; a day whose flow stops it takes nothing."""
    if not cap.parts:
        return "Nothing on a day that is stopped"
    said = []
    for part in cap.parts:
        hours = (part.end.astimezone(UTC) - part.start.astimezone(UTC)).total_seconds() / 3600
        said.append(f"{round(hours, 2):g} {'hour' if hours == 1 else 'hours'} × {part.plan_gph:,}")
    return " + ".join(said)


def _days_word(law: Law, days: list[date]) -> str:
    weekend = set(WEEKEND) & set(law.value("hours.days", days[0]))
    word = "day" if weekend else "weekday"
    return word if len(days) == 1 else f"{word}s"
