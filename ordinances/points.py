"""Times that fit at each receiving point, all of them together within the plant's limit (§ 329-7 C(1), F(3)-(4)).

Pure and exact, as `ordinances.offers`, whose steps of free rate these rules narrow down point by point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

from ordinances.calendar import Hours
from ordinances.offers import Draw, NoFit, Session, Step, free_steps, largest_single, offers
from ordinances.ticks import instant, tick

_UNLIMITED = 10**12


@dataclass(frozen=True)
class PointRule:
    """What the plant manager has set for a receiving point; ValueError for what no point can be.

    `opens` and `closes` are wall times inside the plant's own hours (None: those of the plant), `trucks` how many may
    unload at once, `max_gph` the most all of them together, gallons an hour, `changeover` minutes between two there.
    """

    ref: str
    opens: time | None = None
    closes: time | None = None
    trucks: int = 1
    max_gph: int | None = None
    changeover: int = 0

    def __post_init__(self) -> None:
        if self.trucks < 1 or self.changeover < 0 or (self.max_gph is not None and self.max_gph < 1):
            raise ValueError(f"{self.ref}: a point takes a truck at least, at some rate, and no time is below zero")
        if self.opens is not None and self.closes is not None and self.opens >= self.closes:
            raise ValueError(f"{self.ref}: a point closes after it opens")


@dataclass(frozen=True)
class PointOffers:
    """What fits at one point and what does not; `steps` is the rate free for one more truck there."""

    point: PointRule
    steps: tuple[Step, ...]
    fits: tuple[Session, ...]
    misses: tuple[NoFit, ...]
    largest: int


def window_of(point: PointRule, hours: Hours) -> tuple[datetime, datetime] | None:
    """The hours of a point on a day, never outside the plant's; None where nothing is left of them."""
    zone, day = hours.start.tzinfo, hours.start.date()
    start, end = hours.start, hours.end
    if point.opens is not None:
        start = max(start, datetime.combine(day, point.opens, zone), key=_utc)
    if point.closes is not None:
        # Of an hour that comes twice, when the clock is set back, the second counts: until then it is open.
        end = min(end, datetime.combine(day, point.closes.replace(fold=1), zone), key=_utc)
    return (start, end) if _utc(start) < _utc(end) else None


def point_steps(point: PointRule, hours: Hours, free: Sequence[Step], taken: Sequence[Draw]) -> tuple[Step, ...]:
    """The rate free for one more truck at a point: what the plant has free, the point's own rate, and a free place.

    `free` is plant-wide, after everything taken anywhere; `taken` only what is taken at this point.
    """
    window = window_of(point, hours)
    if window is None:
        return ()
    own = free_steps(window, [Draw(*window, point.max_gph or _UNLIMITED)], taken)
    # Nought where the plant's steps say nothing: only then may the lowest of all be taken.
    plant = free_steps(window, [Draw(one.start, one.end, one.free) for one in free], [])
    limits = [Draw(one.start, one.end, one.free) for one in (*plant, *own)]
    limits += [Draw(start, end, 0) for start, end in full(point, taken)]
    return free_steps(window, limits, [])


def full(point: PointRule, taken: Sequence[Draw]) -> list[tuple[datetime, datetime]]:
    """When no further truck may stand at a point: its places are taken, or being made ready for who comes next.

    Each session keeps its place until the changeover after it is over, and so would a new one: hence the changeover
    before the places are full is no time for it either.
    """
    gap = timedelta(minutes=point.changeover)
    changes: Counter[datetime] = Counter()
    for start, end in stays(taken, gap):
        changes[start] += 1
        changes[end + gap] -= 1
    spans: list[tuple[datetime, datetime]] = []
    count, since = 0, None
    for at, change in sorted(changes.items()):
        count += change
        if count >= point.trucks and since is None:
            since = at - gap
        elif count < point.trucks and since is not None:
            spans.append((since, at))
            since = None
    return spans


def stays(taken: Sequence[Draw], gap: timedelta) -> list[tuple[datetime, datetime]]:
    """How long trucks stand at a point, in UTC: the pieces of one truck that follow within the change are one stay."""
    found: list[tuple[datetime, datetime]] = []
    last: dict[int, int] = {}
    for one in sorted(taken, key=lambda one: _utc(one.start)):
        start, end, mine = _utc(one.start), _utc(one.end), last.get(one.who) if one.who is not None else None
        if mine is not None and start <= found[mine][1] + gap:
            found[mine] = (found[mine][0], max(found[mine][1], end))
            continue
        if one.who is not None:
            last[one.who] = len(found)
        found.append((start, end))
    return found


def offers_over(
    points: Sequence[PointRule], hours: Hours, free: Sequence[Step], taken: Mapping[str, Sequence[Draw]],
    gallons: int, earliest: datetime | None = None,
) -> tuple[PointOffers, ...]:  # fmt: skip
    """What fits at each point on a day; `taken` by the point's `ref`. Any one of the fits keeps the plant's limit."""
    found = []
    for point in points:
        steps = point_steps(point, hours, free, taken.get(point.ref, ()))
        fits, misses = offers(steps, gallons, earliest)
        found.append(PointOffers(point, steps, fits, misses, largest_single(steps, earliest)))
    return tuple(found)


def together(free: Sequence[Step], several: Sequence[Sequence[Step]]) -> tuple[Step, ...]:
    """What the points have free between them, never more than the plant has: `several` are the steps of each."""
    inside = {tick(at) for steps in (free, *several) for one in steps for at in (one.start, one.end)}
    found: list[Step] = []
    for step in free:
        first, last, zone = tick(step.start), tick(step.end), step.start.tzinfo
        edges = [first, *sorted(at for at in inside if first < at < last), last]
        for start, end in pairwise(edges):
            each = (one.free for steps in several for one in steps if tick(one.start) <= start < tick(one.end))
            rate = min(step.free, sum(each))
            found.append(Step(instant(start, zone), instant(end, zone), rate, step.cap))
    return tuple(found)


def soonest(found: Sequence[PointOffers]) -> tuple[PointRule, Session] | None:
    """The session that ends first at any point; of equals the one begun first, then the point listed first."""
    every = [(one.point, session) for one in found for session in one.fits]
    return min(every, key=lambda one: (_utc(one[1].end), _utc(one[1].start)), default=None)


def _utc(at: datetime) -> datetime:
    """Two instants of one zone compare by their wall clocks, which is wrong over a clock change: compare in UTC."""
    return at.astimezone(UTC)
