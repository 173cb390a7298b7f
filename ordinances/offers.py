"""Times that fit: sessions of one constant rate on a partly taken day (§ 329-7 F(3), F(4), F(6) of Bayfield).

Pure and exact arithmetic; instants are aware and come back in the zone they came in. Sessions begin and end on
whole minutes; what is taken may begin and end at any instant.
Rates are gallons an hour. A span is [start, end): a session may begin in the instant another ends.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, tzinfo
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from ordinances.refusal import Refusal
from ordinances.ticks import HOUR, MINUTE, QUARTER, Exact, Rate, ceil, exact, instant, plain, tick, up

__all__ = [
    "Draw", "NoFit", "Quarter", "Rate", "Session", "Step", "free_steps", "gallons_between", "largest_single",
    "lowest_rate", "minutes", "most_from", "offers", "once", "quarters", "room", "session_at", "split", "starts",
    "windows_needed",
]  # fmt: skip


@dataclass(frozen=True)
class Draw:
    """Gallons an hour taken, or allowed, over [start, end). `who` tells the draws of one truck from those of others."""

    start: datetime
    end: datetime
    gph: Rate
    who: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Step:
    """A span of constant free rate; `cap` is the limit it is what is left of."""

    start: datetime
    end: datetime
    free: Rate
    cap: Rate = 0


class Steps(tuple[Step, ...]):
    """Steps in order, with what was reckoned of them before: none of them ever changes."""

    @cached_property
    def inner(self) -> list[_Step]:
        return [_Step(tick(s.start), tick(s.end), exact(s.free), exact(s.cap)) for s in self]

    @cached_property
    def line(self) -> _Line:
        return _Line(self.inner)

    @cached_property
    def known(self) -> dict[Any, Any]:
        return {}


@dataclass(frozen=True)
class Session:
    """A planned unloading: gallons over [start, end) at one whole rate.

    `point` is where, as far as that is known; sessions are compared by their times and gallons only.
    """

    start: datetime
    end: datetime
    gph: int
    gallons: int
    point: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class NoFit:
    """A start at which a load does not fit; `free` is the largest load, in gallons, that would."""

    start: datetime
    free: int
    reason: str


@dataclass(frozen=True)
class Quarter:
    """A quarter hour for the picture: mean free rate and mean limit, gallons an hour, not rounded."""

    start: datetime
    end: datetime
    free: Fraction
    cap: Fraction


def minutes(gallons: int, gph: Rate) -> int:
    """Whole minutes that gallons take at a rate, rounded up; raises ValueError for no rate."""
    if gph <= 0:
        raise ValueError("a rate must be above zero")
    return ceil(Fraction(gallons * 60) / Fraction(gph))


def lowest_rate(gallons: int, minutes: int) -> int:
    """The lowest whole rate that unloads the gallons within the minutes."""
    if minutes <= 0:
        raise ValueError("a session lasts at least a minute")
    return -(-gallons * 60 // minutes)


def free_steps(window: tuple[datetime, datetime], caps: Sequence[Draw], taken: Sequence[Draw]) -> tuple[Step, ...]:
    """What is free over a window: the limit (none outside `caps`, the lowest where two meet) less what is taken."""
    first, last = (tick(at) for at in window)
    limits = sorted((tick(one.start), tick(one.end), exact(one.gph)) for one in caps)
    changes: dict[int, Exact] = defaultdict(int)
    for one in taken:
        start, end, gph = tick(one.start), tick(one.end), exact(one.gph)
        if start < end:
            changes[start] += gph
            changes[end] -= gph
    inside = {at for at in (*changes, *(at for limit in limits for at in limit[:2])) if first < at < last}
    edges = [first, *sorted(inside), last] if first < last else []
    steps: list[_Step] = []
    for (start, end), cap, drawn in zip(pairwise(edges), _lowest(limits, edges), _sums(changes, edges), strict=False):
        free = max(0, cap - drawn)
        same = steps and (steps[-1].free, steps[-1].cap) == (free, cap)
        steps.append(_Step(steps.pop().start if same else start, end, free, cap))
    zone = window[0].tzinfo
    made = Steps(Step(instant(s.start, zone), instant(s.end, zone), plain(s.free), plain(s.cap)) for s in steps)
    made.inner = [_Step(s.start, s.end, exact(one.free), exact(one.cap)) for s, one in zip(steps, made, strict=True)]
    return made


def offers(
    free: Sequence[Step], gallons: int, earliest: datetime | None = None
) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:
    """For each start the earliest end at which one constant rate fits, at the lowest whole rate ending then.

    Starts are every quarter hour, every change of what is free, and `earliest` (rounded up to the minute).
    """
    if gallons <= 0:
        raise ValueError("a load has at least one gallon")
    line = _line(free)
    return once(free, ("offers", gallons, line.cut(earliest)), lambda: _offers(line, _zone(free), gallons, earliest))


def _offers(line: _Line, zone: tzinfo | None, gallons: int, earliest: datetime | None
            ) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:  # fmt: skip
    fits: list[Session] = []
    misses: list[NoFit] = []
    for start in line.starts(earliest):
        answer = _from(line, zone, start, gallons)
        if isinstance(answer, Session):
            fits.append(answer)
        else:
            misses.append(answer)
    return tuple(fits), tuple(misses)


def session_at(free: Sequence[Step], start: datetime, gallons: int) -> Session | NoFit:
    """The session that begins at a given minute, or why none does; raises ValueError for seconds."""
    if gallons <= 0:
        raise ValueError("a load has at least one gallon")
    if tick(start) % MINUTE:
        raise ValueError(f"{start.isoformat()} is not on a whole minute")
    return _from(_line(free), _zone(free), tick(start), gallons)


def starts(free: Sequence[Step], earliest: datetime | None = None) -> tuple[datetime, ...]:
    """The starts that are tried: every quarter hour, every change of what is free, and `earliest`."""
    zone = _zone(free)
    return tuple(instant(at, zone) for at in _line(free).starts(earliest))


def room(free: Sequence[Step], earliest: datetime | None = None) -> int:
    """Gallons still free from `earliest` on: the integral of what is free, rounded down once."""
    cut = up(tick(earliest), MINUTE) if earliest and free else None
    if free and cut is not None and cut <= tick(free[0].start):
        cut = None
    return once(free, ("room", cut), lambda: _room(free, cut))


def _room(free: Sequence[Step], cut: int | None) -> int:
    total: Exact = 0
    for step in _inner(free):
        start = step.start if cut is None else max(step.start, cut)
        total += step.free * max(0, step.end - start)
    return total // HOUR


def gallons_between(free: Sequence[Step], start: datetime, end: datetime) -> Fraction:
    """Gallons free over a span, not rounded."""
    first, last = tick(start), tick(end)
    inside = (step.free * max(0, min(step.end, last) - max(step.start, first)) for step in _inner(free) if step.free)
    return Fraction(sum(inside), HOUR)


def largest_single(free: Sequence[Step], earliest: datetime | None = None) -> int:
    """The largest load that is offered; one gallon more is not."""
    line = _line(free)
    return once(free, ("most", line.cut(earliest)),
                 lambda: max((line.most(start) for start in line.rises(earliest)), default=0))  # fmt: skip


def most_from(free: Sequence[Step], start: datetime) -> int:
    """The largest load that may begin at a minute, gallons."""
    return _line(free).most(tick(start))


def quarters(free: Sequence[Step]) -> list[Quarter]:
    """The window in quarter hours for the picture; the last may be shorter."""
    steps = _inner(free)
    if not steps:
        return []
    zone, last = _zone(free), steps[-1].end
    parts = []
    for start in range(steps[0].start, last, QUARTER):
        end = min(start + QUARTER, last)
        inside = [(min(end, s.end) - max(start, s.start), s) for s in steps if s.start < end and start < s.end]
        mean_free, mean_cap = (Fraction(sum(rates), end - start) for rates in (
            [length * s.free for length, s in inside], [length * s.cap for length, s in inside]))  # fmt: skip
        parts.append(Quarter(instant(start, zone), instant(end, zone), mean_free, mean_cap))
    return parts


def split(
    frees: Sequence[tuple[date, Sequence[Step]]], gallons: int, earliest: datetime | None = None, cite: str = ""
) -> tuple[Session, ...] | Refusal:
    """A load over as few days following one another in the list as can hold it, the earliest such days first.

    Each day but the last takes the largest single load it has; "no_room" with `details` fits when the list is short.
    """
    if gallons <= 0:
        raise ValueError("a load has at least one gallon")
    most = [largest_single(steps, earliest) for _, steps in frees]
    for count in range(1, len(most) + 1):
        for first in range(len(most) - count + 1):
            if all(most[first : first + count]) and sum(most[first : first + count]) >= gallons:
                return _spread([steps for _, steps in frees[first : first + count]], gallons, earliest)
    words = "1 gallon does" if gallons == 1 else f"{gallons:,} gallons do"
    why = f"{words} not fit into the days listed: together they have room for {sum(most):,}."
    return Refusal("no_room", why, cite, details={"fits": sum(most)})


def windows_needed(gallons: int, window_gallons: int) -> int:
    """How many whole empty windows a load needs; raises ValueError where a window holds nothing."""
    if window_gallons <= 0:
        raise ValueError("a window that holds nothing serves no load")
    return -(-gallons // window_gallons)


class _Step(NamedTuple):
    start: int
    end: int
    free: Exact
    cap: Exact


class _Line:
    """The whole rates that are free over time, with no holes, ready to ask what fits from a start on.

    `falls` names for each step the next one with a lower rate: from a start, only these change what can be had.
    """

    def __init__(self, steps: Sequence[_Step]) -> None:
        self.steps = _without_holes(steps)
        self.rates = [int(one.free) for one in self.steps]
        self.falls = [len(self.steps)] * len(self.steps)
        higher: list[int] = []
        for at, rate in enumerate(self.rates):
            while higher and rate < self.rates[higher[-1]]:
                self.falls[higher.pop()] = at
            higher.append(at)

    def cut(self, earliest: datetime | None) -> int:
        """The first whole minute in which something can begin, at the earliest or later."""
        first = up(self.steps[0].start, MINUTE) if self.steps else 0
        return max(first, up(tick(earliest), MINUTE)) if earliest else first

    def starts(self, earliest: datetime | None) -> list[int]:
        if not self.steps:
            return []
        cut, last = self.cut(earliest), self.steps[-1].end
        quarter_hours = range(up(cut, QUARTER), last, QUARTER)
        edges = (up(step.start, MINUTE) for step in self.steps)
        return sorted({at for at in (cut, *quarter_hours, *edges) if cut <= at < last})

    def rises(self, earliest: datetime | None) -> list[int]:
        """Of the starts those before which less was free: from every other one no larger load fits than from the one
        before it, which has all its rates for longer."""
        if not self.steps:
            return []
        cut, last = self.cut(earliest), self.steps[-1].end
        edges = (up(step.start, MINUTE) for step, before, rate in zip(self.steps, (0, *self.rates), self.rates,
                                                                      strict=False) if rate > before)  # fmt: skip
        return [at for at in (cut, *edges) if cut <= at < last]

    def rooms(self, start: int) -> Iterator[tuple[int, int]]:
        """From a start on: (whole rate free throughout, whole minutes it is free), the rate falling with each."""
        at = bisect_right(self.steps, start, key=attrgetter("start")) - 1
        if at < 0 or start >= self.steps[at].end:
            return
        while at < len(self.steps) and self.rates[at]:
            fall = self.falls[at]
            yield self.rates[at], (self.steps[fall - 1].end - start) // MINUTE
            at = fall

    def most(self, start: int) -> int:
        """The largest load that fits from a start on, gallons."""
        return max((rate * length // 60 for rate, length in self.rooms(start)), default=0)


def _line(free: Sequence[Step]) -> _Line:
    return free.line if isinstance(free, Steps) else _Line(_inner(free))


def once(free: Sequence[Step], question: Any, answer: Callable[[], Any]) -> Any:
    """An answer about steps, kept with them: they never change, so neither does it."""
    if not isinstance(free, Steps):
        return answer()
    if question not in free.known:
        free.known[question] = answer()
    return free.known[question]


def _without_holes(steps: Sequence[_Step]) -> list[_Step]:
    filled: list[_Step] = []
    for one in steps:
        if filled and filled[-1].end < one.start:
            filled.append(_Step(filled[-1].end, one.start, 0, 0))
        filled.append(one)
    return filled


def _lowest(limits: list[tuple[int, int, Exact]], edges: list[int]) -> Iterator[Exact]:
    """The lowest limit from each edge on: `limits` are (start, end, rate), in order of their starts."""
    held: list[tuple[Exact, int]] = []
    begun = 0
    for at in edges:
        while begun < len(limits) and limits[begun][0] <= at:
            heapq.heappush(held, (limits[begun][2], limits[begun][1]))
            begun += 1
        while held and held[0][1] <= at:
            heapq.heappop(held)
        yield held[0][0] if held else 0


def _sums(changes: dict[int, Exact], edges: list[int]) -> Iterator[Exact]:
    """What is taken from each edge on."""
    total: Exact = 0
    due = iter(sorted(changes.items()))
    coming = next(due, None)
    for at in edges:
        while coming is not None and coming[0] <= at:
            total += coming[1]
            coming = next(due, None)
        yield total


def _inner(free: Iterable[Step]) -> list[_Step]:
    return free.inner if isinstance(free, Steps) else Steps(free).inner


def _spread(days: Sequence[Sequence[Step]], gallons: int, earliest: datetime | None) -> tuple[Session, ...]:
    sessions = []
    left = gallons
    for steps in days:
        part = min(left, largest_single(steps, earliest))
        fits, _ = offers(steps, part, earliest)
        sessions.append(min(fits, key=lambda one: (one.end, one.start)))
        left -= part
    return tuple(sessions)


def _from(line: _Line, zone: tzinfo | None, start: int, gallons: int) -> Session | NoFit:
    most = 0
    for rate, length in line.rooms(start):
        needed = -(-gallons * 60 // rate)
        if needed <= length:
            end = start + needed * MINUTE
            return Session(instant(start, zone), instant(end, zone), lowest_rate(gallons, needed), gallons)
        most = max(most, rate * length // 60)
    room = "1 gallon" if most == 1 else f"{most:,} gallons"
    reason = f"Room for {room} from here, not {gallons:,}." if most else "Nothing is free at this time."
    return NoFit(instant(start, zone), most, reason)


def _zone(free: Sequence[Step]) -> tzinfo | None:
    return free[0].start.tzinfo if free else UTC
