"""Times that fit: sessions of one constant rate on a partly taken day (§ 329-7 F(3), F(4), F(6) of Bayfield).

Pure and exact arithmetic; instants are aware and come back in the zone they came in. Sessions begin and end on
whole minutes; what is taken may begin and end at any instant.
Rates are gallons an hour. A span is [start, end): a session may begin in the instant another ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

from ordinances.refusal import Refusal

Rate = int | Decimal

# Inside, an instant is a whole number of microseconds since the epoch, so that seconds of a measured run count too.
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_MINUTE = timedelta(minutes=1) // _TICK
_QUARTER = 15 * _MINUTE
_HOUR = 60 * _MINUTE


@dataclass(frozen=True)
class Draw:
    """Gallons an hour taken, or allowed, over [start, end)."""

    start: datetime
    end: datetime
    gph: Rate


@dataclass(frozen=True)
class Step:
    """A span of constant free rate; `cap` is the limit it is what is left of."""

    start: datetime
    end: datetime
    free: Rate
    cap: Rate = 0


@dataclass(frozen=True)
class Session:
    """A planned unloading: gallons over [start, end) at one whole rate."""

    start: datetime
    end: datetime
    gph: int
    gallons: int


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
    return _ceil(Fraction(gallons * 60) / Fraction(gph))


def lowest_rate(gallons: int, minutes: int) -> int:
    """The lowest whole rate that unloads the gallons within the minutes."""
    if minutes <= 0:
        raise ValueError("a session lasts at least a minute")
    return _ceil(Fraction(gallons * 60, minutes))


def free_steps(window: tuple[datetime, datetime], caps: Sequence[Draw], taken: Sequence[Draw]) -> tuple[Step, ...]:
    """What is free over a window: the limit (none outside `caps`, the lowest where two meet) less what is taken."""
    first, last = (_tick(at) for at in window)
    limits, draws = ([_Span.of(one) for one in some] for some in (caps, taken))
    inside = (at for span in (*limits, *draws) for at in (span.start, span.end) if first < at < last)
    edges = sorted({first, last, *inside}) if first < last else []
    steps: list[_Step] = []
    for start, end in pairwise(edges):
        cap = min((one.gph for one in limits if one.covers(start)), default=Fraction(0))
        free = max(Fraction(0), cap - sum(one.gph for one in draws if one.covers(start)))
        same = steps and (steps[-1].free, steps[-1].cap) == (free, cap)
        steps.append(_Step(steps.pop().start if same else start, end, free, cap))
    zone = window[0].tzinfo
    return tuple(Step(_at(s.start, zone), _at(s.end, zone), _rate(s.free), _rate(s.cap)) for s in steps)


def offers(
    free: Sequence[Step], gallons: int, earliest: datetime | None = None
) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:
    """For each start the earliest end at which one constant rate fits, at the lowest whole rate ending then.

    Starts are every quarter hour, every change of what is free, and `earliest` (rounded up to the minute).
    """
    if gallons <= 0:
        raise ValueError("a load has at least one gallon")
    fits: list[Session] = []
    misses: list[NoFit] = []
    steps, zone = _inner(free), _zone(free)
    for start in _starts(steps, earliest):
        answer = _from(steps, zone, start, gallons)
        if isinstance(answer, Session):
            fits.append(answer)
        else:
            misses.append(answer)
    return tuple(fits), tuple(misses)


def session_at(free: Sequence[Step], start: datetime, gallons: int) -> Session | NoFit:
    """The session that begins at a given minute, or why none does; raises ValueError for seconds."""
    if gallons <= 0:
        raise ValueError("a load has at least one gallon")
    if _tick(start) % _MINUTE:
        raise ValueError(f"{start.isoformat()} is not on a whole minute")
    return _from(_inner(free), _zone(free), _tick(start), gallons)


def room(free: Sequence[Step], earliest: datetime | None = None) -> int:
    """Gallons still free from `earliest` on: the integral of what is free, rounded down once."""
    cut = _up(_tick(earliest), _MINUTE) if earliest else None
    total = Fraction(0)
    for step in _inner(free):
        start = step.start if cut is None else max(step.start, cut)
        total += step.free * max(0, step.end - start)
    return int(total / _HOUR)


def largest_single(free: Sequence[Step], earliest: datetime | None = None) -> int:
    """The largest load that is offered; one gallon more is not."""
    steps = _inner(free)
    return max((_most_from(steps, start) for start in _starts(steps, earliest)), default=0)


def quarters(free: Sequence[Step]) -> list[Quarter]:
    """The window in quarter hours for the picture; the last may be shorter."""
    steps = _inner(free)
    if not steps:
        return []
    zone, last = _zone(free), steps[-1].end
    parts = []
    for start in range(steps[0].start, last, _QUARTER):
        end = min(start + _QUARTER, last)
        shares = [(Fraction(max(0, min(end, s.end) - max(start, s.start)), end - start), s) for s in steps]
        mean_free = sum((share * s.free for share, s in shares), Fraction(0))
        mean_cap = sum((share * s.cap for share, s in shares), Fraction(0))
        parts.append(Quarter(_at(start, zone), _at(end, zone), mean_free, mean_cap))
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
    why = f"{gallons:,} gallons do not fit into the days listed: together they have room for {sum(most):,}."
    return Refusal("no_room", why, cite, details={"fits": sum(most)})


def windows_needed(gallons: int, window_gallons: int) -> int:
    """How many whole empty windows a load needs; raises ValueError where a window holds nothing."""
    if window_gallons <= 0:
        raise ValueError("a window that holds nothing serves no load")
    return -(-gallons // window_gallons)


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    gph: Fraction

    @classmethod
    def of(cls, draw: Draw) -> _Span:
        return cls(_tick(draw.start), _tick(draw.end), Fraction(draw.gph))

    def covers(self, at: int) -> bool:
        return self.start <= at < self.end


@dataclass(frozen=True)
class _Step:
    start: int
    end: int
    free: Fraction
    cap: Fraction


def _inner(free: Iterable[Step]) -> list[_Step]:
    return [_Step(_tick(s.start), _tick(s.end), Fraction(s.free), Fraction(s.cap)) for s in free]


def _spread(days: Sequence[Sequence[Step]], gallons: int, earliest: datetime | None) -> tuple[Session, ...]:
    sessions = []
    left = gallons
    for steps in days:
        part = min(left, largest_single(steps, earliest))
        fits, _ = offers(steps, part, earliest)
        sessions.append(min(fits, key=lambda one: (one.end, one.start)))
        left -= part
    return tuple(sessions)


def _starts(steps: Sequence[_Step], earliest: datetime | None) -> list[int]:
    if not steps:
        return []
    first, last = _up(steps[0].start, _MINUTE), steps[-1].end
    cut = max(first, _up(_tick(earliest), _MINUTE)) if earliest else first
    quarter_hours = range(_up(cut, _QUARTER), last, _QUARTER)
    edges = (_up(step.start, _MINUTE) for step in steps)
    return sorted({at for at in (cut, *quarter_hours, *edges) if cut <= at < last})


def _rooms(steps: Sequence[_Step], start: int) -> Iterable[tuple[int, int]]:
    """From a start on: (whole rate free throughout, whole minutes it is free), the rate falling as time goes on."""
    rate: int | None = None
    at = start
    for step in steps:
        if step.end <= at:
            continue
        if step.start > at:
            return
        here = int(step.free)
        rate = here if rate is None else min(rate, here)
        if rate == 0:
            return
        at = step.end
        yield rate, (at - start) // _MINUTE


def _from(steps: Sequence[_Step], zone: tzinfo | None, start: int, gallons: int) -> Session | NoFit:
    for rate, length in _rooms(steps, start):
        needed = minutes(gallons, rate)
        if needed <= length:
            end = start + needed * _MINUTE
            return Session(_at(start, zone), _at(end, zone), lowest_rate(gallons, needed), gallons)
    most = _most_from(steps, start)
    reason = f"Room for {most:,} gallons from here, not {gallons:,}." if most else "Nothing is free at this time."
    return NoFit(_at(start, zone), most, reason)


def _most_from(steps: Sequence[_Step], start: int) -> int:
    return max((rate * length // 60 for rate, length in _rooms(steps, start)), default=0)


def _zone(free: Sequence[Step]) -> tzinfo | None:
    return free[0].start.tzinfo if free else UTC


def _tick(at: datetime) -> int:
    if at.tzinfo is None:
        raise ValueError("an instant needs its time zone")
    return (at - _EPOCH) // _TICK


def _at(tick: int, zone: tzinfo | None) -> datetime:
    return (_EPOCH + tick * _TICK).astimezone(zone)


def _up(tick: int, unit: int) -> int:
    return -(-tick // unit) * unit


def _rate(exact: Fraction) -> Rate:
    """The rate as a number for people: whole where it is whole; a fraction without end is rounded down."""
    if exact.denominator == 1:
        return exact.numerator
    with localcontext() as context:
        context.prec, context.rounding = 40, ROUND_FLOOR
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _ceil(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)
