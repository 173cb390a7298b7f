"""How much may be unloaded: the limit in gallons an hour, of a day and of a season (§ 329-7 F(3) of Bayfield)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, timedelta
from decimal import Decimal

from ordinances.calendar import Hours, Season, dump_hours, open_days, winter
from ordinances.rows import Law

_HOURS_A_DAY = 24


@dataclass(frozen=True)
class Cap:
    """The limit in force on a day.

    `plan_gph` is never passed by an offer; a measured rate above `hard_gph` is a violation. `flow_gpd` is the flow
    in force, `stated` whether it is the one the law states. `steps` is the arithmetic in words.
    """

    plan_gph: int
    hard_gph: Decimal
    flow_gpd: int
    percent: Decimal
    stated: bool
    cite: str
    reading: str | None
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Capacity:
    """Gallons a season can take at the planned limit, winter and the rest of the year apart, with the open days."""

    winter: int
    rest: int
    winter_days: int
    rest_days: int
    words: str


def cap_on(law: Law, day: date, flow_gpd: int | None = None) -> Cap:
    """The limit on a day under a flow; none given: the plant's flow in force, or else the stated one.

    A lower flow lowers the limit, rounded down; a higher one does not raise it above the stated figures.
    """
    stated_flow: int = law.value("rate.flow_gpd", day)
    if flow_gpd is None:
        own = law.has("rate.flow_in_force_gpd", day)
        flow_gpd = law.value("rate.flow_in_force_gpd", day) if own else stated_flow
    assert flow_gpd is not None
    if flow_gpd < 0:
        raise ValueError("a flow cannot be below zero")
    row = law.row("rate.plan_gph", day)
    percent: Decimal = law.value("rate.percent", day)
    hard = Decimal(law.value("rate.hard_gph", day))
    plan: int = row.value
    stated = flow_gpd == stated_flow
    if not stated:
        share = flow_gpd * percent / (100 * _HOURS_A_DAY)
        plan = min(plan, int(share))
        hard = min(hard, share)
    steps = _steps(flow_gpd, percent, plan, hard, hard == law.value("rate.hard_gph", day))
    return Cap(plan, hard, flow_gpd, percent, stated, row.cite, row.reading, steps)


def window_gallons(law: Law, day: date, cap: Cap) -> int:
    """Whole gallons that can be unloaded in the hours of a day at the planned limit; 0 on a closed day."""
    hours = dump_hours(law, day)
    if not isinstance(hours, Hours):
        return 0
    length = hours.end.astimezone(UTC) - hours.start.astimezone(UTC)
    return cap.plan_gph * (length // timedelta(seconds=1)) // 3600


def season_capacity(law: Law, season: Season) -> Capacity:
    """What a season can take: every open day at the limit of that day."""
    first, last = winter(law, season)
    gallons = {True: 0, False: 0}
    days = {True: 0, False: 0}
    for day in open_days(law, season.start, season.end):
        inside = first <= day <= last
        gallons[inside] += window_gallons(law, day, cap_on(law, day))
        days[inside] += 1
    words = (
        f"{days[True]} days in winter hold {gallons[True]:,} gallons; "
        f"the other {days[False]} days hold {gallons[False]:,}."
    )
    return Capacity(gallons[True], gallons[False], days[True], days[False], words)


def _steps(flow_gpd: int, percent: Decimal, plan: int, hard: Decimal, printed: bool) -> tuple[str, ...]:
    hourly = flow_gpd // _HOURS_A_DAY
    share = int(flow_gpd * percent / (100 * _HOURS_A_DAY))
    lines = [
        f"{flow_gpd:,} gallons a day ÷ {_HOURS_A_DAY} = {hourly:,} gallons an hour",
        f"{percent} % of that, rounded down = {share:,} gallons an hour",
    ]
    if plan < share:
        lines.append(f"not above the stated figure = {plan:,} gallons an hour")
    shown = f"{hard:,.0f}" if hard == int(hard) else f"{hard:,.2f}"
    origin = "the figure of the text" if printed else "not rounded"
    lines.append(f"a measured rate may not pass {shown} gallons an hour ({origin})")
    return tuple(lines)
