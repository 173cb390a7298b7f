"""How much may be unloaded: the limit in gallons an hour, of a day and of a season (§ 329-7 F(3) of Bayfield)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

from ordinances.bounds import HOURS_A_DAY, Bound, further, share_of, stated_figure
from ordinances.calendar import Hours, Season, dump_hours, open_days, winter
from ordinances.counted import counted
from ordinances.flows import Flow, Reading, flow_on, stop_on
from ordinances.offers import Draw
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.values import day_words, time_words

_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class CapPart:
    """A part of the open hours with one limit, and the bound that sets it. `hard_gph` as in `Cap`."""

    start: datetime
    end: datetime
    plan_gph: int
    hard_gph: Decimal
    binding: Bound


@dataclass(frozen=True)
class Cap:
    """The limit in force on a day.

    `plan_gph` is never passed by an offer; a measured rate above `hard_gph` is a violation; where the limit changes
    within the day (`parts`), both are those of its highest part. `flow_gpd` is the flow the limit is reckoned from,
    `stated` whether it is the one the law states. `steps` is the arithmetic in words. `stop` says why a flow closes
    the day: then the limit is nought. A day that is closed has no parts.
    """

    plan_gph: int
    hard_gph: Decimal
    flow_gpd: int
    percent: Decimal
    stated: bool
    cite: str
    reading: str | None
    steps: tuple[str, ...]
    parts: tuple[CapPart, ...] = ()
    stop: Refusal | None = None

    @property
    def limits(self) -> tuple[Draw, ...]:
        """The planning limit over the open hours, part by part, as offers take it."""
        return tuple(Draw(one.start, one.end, one.plan_gph) for one in self.parts)

    @property
    def gallons(self) -> int:
        """Whole gallons that can be unloaded in the open hours at the planning limit, rounded down once."""
        seconds = (
            one.plan_gph * ((one.end.astimezone(UTC) - one.start.astimezone(UTC)) // _SECOND) for one in self.parts
        )
        return sum(seconds) // 3600

    @property
    def shut(self) -> Refusal | None:
        """Why nothing is unloaded all day although the calendar has it open: a flow, or a limit without a gallon."""
        if self.stop is not None or not self.parts or self.gallons:
            return self.stop
        day = self.parts[0].start.date()
        why = f"Nothing is unloaded on {day_words(day)}: the limit is {counted(self.plan_gph, 'gallon')} an hour."
        return Refusal("no_rate", why, self.cite, self.reading, details={"day": day})

    def plan_at(self, at: datetime) -> int:
        """The planning limit at an instant; outside the open hours that of the highest part."""
        part = self._part_at(at)
        return part.plan_gph if part else self.plan_gph

    def hard_at(self, at: datetime) -> Decimal:
        """The rate a measured one may not pass at an instant; outside the open hours that of the highest part."""
        part = self._part_at(at)
        return part.hard_gph if part else self.hard_gph

    def _part_at(self, at: datetime) -> CapPart | None:
        # Two instants of one zone compare by their wall clocks, which is wrong in the hour a clock is set back.
        now = at.astimezone(UTC)
        parts = (one for one in self.parts if one.start.astimezone(UTC) <= now < one.end.astimezone(UTC))
        return next(parts, None)


@dataclass(frozen=True)
class Capacity:
    """Gallons a season can take at the planned limit, winter and the rest of the year apart, with the open days."""

    winter: int
    rest: int
    winter_days: int
    rest_days: int
    words: str


def cap_on(
    law: Law,
    day: date,
    flow_gpd: int | None = None,
    readings: Iterable[Reading] | None = None,
    bod_mg_l: Decimal | None = None,
    span: Hours | None = None,
) -> Cap:
    """The limit on a day: the lowest of all bounds of the law and of the Director's orders in force.

    `flow_gpd` asks about another flow (gallons a day); `readings` are the recorded days that count, or None to plan
    without them, by the flow stated or in force; `bod_mg_l` is the BOD5 strength for a rule on pounds, where it is
    known. Rounded down; a higher flow never raises a stated figure. The parts are those of the open hours, or of
    `span`, a special time of the day.
    """
    recorded = None if readings is None else tuple(readings)
    stated: int = law.value("rate.flow_gpd", day)
    figure = stated_figure(law, day)
    flow = flow_on(law, day, flow_gpd, recorded)
    if isinstance(flow, Refusal):
        return _stopped(law, day, Flow(0), False, flow)
    stop = stop_on(law, day, flow, recorded)
    if stop is not None:
        return _stopped(law, day, flow, flow.gpd == stated, stop)
    return _lowest(law, day, figure, flow, flow.gpd == stated, bod_mg_l, span)


def hours_on(law: Law, day: date, readings: Iterable[Reading] | None = None) -> Hours | Refusal:
    """The unloading hours of a day, or why there are none: the calendar, a flow that stops it, or a limit of nought."""
    hours = dump_hours(law, day)
    if isinstance(hours, Refusal) or not law.has("rate.flow_gpd", day):
        return hours
    return cap_on(law, day, readings=readings).shut or hours


def window_gallons(law: Law, day: date, cap: Cap) -> int:
    """Whole gallons that can be unloaded in the hours of a day at its limit; 0 on a closed day."""
    return cap.gallons if isinstance(dump_hours(law, day), Hours) else 0


def season_capacity(law: Law, season: Season, readings: Iterable[Reading] | None = None) -> Capacity:
    """What a season can take: every open day at the limit of that day."""
    recorded = None if readings is None else tuple(readings)
    first, last = winter(law, season)
    gallons = {True: 0, False: 0}
    days = {True: 0, False: 0}
    for day in open_days(law, season.start, season.end):
        inside = first <= day <= last
        gallons[inside] += cap_on(law, day, readings=recorded).gallons
        days[inside] += 1
    words = (
        f"{counted(days[True], 'day')} in winter hold {counted(gallons[True], 'gallon')}; "
        f"the other {counted(days[False], 'day')} hold {gallons[False]:,}."
    )
    return Capacity(gallons[True], gallons[False], days[True], days[False], words)


def _stopped(law: Law, day: date, flow: Flow, stated: bool, stop: Refusal) -> Cap:
    percent: Decimal = law.value("rate.percent", day)
    steps = (*flow.steps, f"{stop.why.rstrip('.')} ({stop.cite})", "so the limit is 0 gallons an hour")
    return Cap(0, Decimal(0), flow.gpd, percent, stated, stop.cite, stop.reading, steps, (), stop)


def _lowest(law: Law, day: date, figure: Bound, flow: Flow, stated: bool, bod_mg_l: Decimal | None,
            span: Hours | None) -> Cap:  # fmt: skip
    hours, percent = dump_hours(law, day), law.value("rate.percent", day)
    open_hours = hours if isinstance(hours, Hours) else span
    share = share_of(law, day, flow.gpd)
    printed = Fraction(law.value("rate.hard_gph", day))
    # While the stated flow is in force the text itself has put its figure for a measured rate above the share.
    measured = printed if stated else min(printed, share.gph)
    rules = _Rules(figure, share, tuple(further(law, day, open_hours, bod_mg_l)), measured)
    window = span or open_hours
    parts = _parts(window, rules) if window else ()
    plan, hard, binding = rules.at(None)
    if parts:
        top = max(parts, key=lambda one: (one.plan_gph, one.hard_gph))
        plan, hard, binding = top.plan_gph, top.hard_gph, top.binding
    # The figure's reading says how a flow lowers it.
    said = figure if binding is share else binding
    steps = (*_steps(flow, rules, percent, parts), *_hard_steps(parts, hard, printed))
    return Cap(plan, hard, flow.gpd, percent, stated, said.cite, said.reading, steps, parts)


@dataclass(frozen=True)
class _Rules:
    """The bounds of a day; of `more` each limits a measured rate too, besides `measured`."""

    figure: Bound
    share: Bound
    more: tuple[Bound, ...]
    measured: Fraction

    def at(self, at: datetime | None) -> tuple[int, Decimal, Bound]:
        """(planning limit, limit of a measured rate, the bound that sets it) at an instant; None: of the whole day."""
        held = [one for one in self.more if one.covers(at)]
        binding = min((self.figure, self.share, *held), key=lambda one: int(one.gph))
        return int(binding.gph), _decimal(min([self.measured, *(one.gph for one in held)])), binding


def _parts(hours: Hours, rules: _Rules) -> tuple[CapPart, ...]:
    """The open hours cut where a bound begins or ends; neighbours with one limit of one rule are one part."""
    first, last = hours.start.astimezone(UTC), hours.end.astimezone(UTC)
    inside = {at for one in rules.more for at in (one.start, one.end) if at is not None and first < at < last}
    parts: list[CapPart] = []
    for start, end in pairwise(sorted({first, last, *inside})):
        plan, hard, binding = rules.at(start)
        same = parts and (parts[-1].plan_gph, parts[-1].hard_gph, parts[-1].binding) == (plan, hard, binding)
        begins = parts.pop().start if same else start.astimezone(hours.start.tzinfo)
        parts.append(CapPart(begins, end.astimezone(hours.start.tzinfo), plan, hard, binding))
    return tuple(parts)


def _steps(flow: Flow, rules: _Rules, percent: Decimal, parts: tuple[CapPart, ...]) -> list[str]:
    share, figure = int(rules.share.gph), int(rules.figure.gph)
    lines = [
        *flow.steps,
        f"{flow.gpd:,} gallons a day ÷ {HOURS_A_DAY} = {flow.gpd // HOURS_A_DAY:,} gallons an hour",
        f"{percent} % of that, rounded down = {share:,} gallons an hour",
    ]
    if figure < share:
        lines.append(f"not above the stated figure = {figure:,} gallons an hour")
    if rules.more:
        lines += [*(one.words for one in rules.more), *(_binds(one, len(parts) > 1) for one in parts)]
    return lines


def _binds(part: CapPart, several: bool) -> str:
    when = f" {_between(part)}" if several else ""
    return f"the lowest counts{when} = {part.plan_gph:,} gallons an hour, by {part.binding.name}"


def _hard_steps(parts: tuple[CapPart, ...], hard: Decimal, printed: Fraction) -> list[str]:
    """What a measured rate may not pass: once, or part by part where it changes."""
    if len({one.hard_gph for one in parts}) > 1:
        return [f"{_hard_step(one.hard_gph, printed)} {_between(one)}" for one in parts]
    return [_hard_step(hard, printed)]


def _hard_step(hard: Decimal, printed: Fraction) -> str:
    shown = f"{hard:,.0f}" if hard == int(hard) else f"{hard:,.2f}"
    origin = "the figure of the text" if hard == printed else "not rounded"
    return f"a measured rate may not pass {shown} gallons an hour ({origin})"


def _between(part: CapPart) -> str:
    return f"from {time_words(part.start.time())} to {time_words(part.end.time())}"


def _decimal(exact: Fraction) -> Decimal:
    """Whole where it is whole; a fraction without end is rounded down far behind the point."""
    if exact.denominator == 1:
        return Decimal(exact.numerator)
    with localcontext() as context:
        context.prec, context.rounding = 28, ROUND_FLOOR
        return Decimal(exact.numerator) / Decimal(exact.denominator)
