"""A receiving tank: trucks leave soon, and what they left is bled out within the plant's limit (§ 329-7 F(3), F(6)).

The limit holds for what leaves the tank; a truck is limited by the tank's free volume. Pure and exact: a level is a
whole number of gallons times microseconds an hour, so that nothing is rounded on the way. No ordinance names a tank.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from operator import attrgetter

from ordinances.counted import counted
from ordinances.offers import Draw, NoFit, Session, Step, free_steps, minutes, starts
from ordinances.ticks import HOUR, MINUTE, Exact, exact, instant, tick


@dataclass(frozen=True)
class Tank:
    """A tank of so many usable gallons: a truck unloads into it at `unload_gph`, it is bled at `bleed_gph` at most.

    ValueError for what no tank can be; one that trucks fill more slowly than it is bled would never hold anything.
    """

    gallons: int
    unload_gph: int
    bleed_gph: int

    def __post_init__(self) -> None:
        if self.gallons < 1 or self.bleed_gph < 1 or self.unload_gph < self.bleed_gph:
            raise ValueError("a tank holds something, and trucks fill it at least as fast as it is bled")


@dataclass(frozen=True)
class Unloading:
    """Gallons that go into the tank from an instant on at a rate, until they are out."""

    start: datetime
    gallons: int
    gph: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span of one inflow and one limit: [start, end) in microseconds; rates in gallons an hour.

    `level`, and what was bled (`out`) and could have been but was not there (`idle`) since the beginning, are those at
    its start, in gallons times microseconds an hour. `top` is the full tank.
    """

    start: int
    end: int
    level: Exact
    out: Exact
    idle: Exact
    flow_in: Exact
    limit: Exact
    top: int

    def at(self, now: int) -> tuple[Exact, Exact, Exact]:
        """Level, bled and idle at an instant of it. What does not fit stays in its truck: the level ends at the top."""
        length = now - self.start
        level = self.level + (self.flow_in - self.limit) * length
        idle = max(0, -level)
        return min(max(0, level), self.top), self.out + self.limit * length - idle, self.idle + idle

    @property
    def spills(self) -> bool:
        """Whether more comes than the tank takes."""
        return self.level + (self.flow_in - self.limit) * (self.end - self.start) > self.top


@dataclass(frozen=True)
class Course:
    """How a tank fills and empties."""

    tank: Tank
    stretches: tuple[Stretch, ...]

    def level(self, at: datetime) -> Fraction:
        """Gallons in the tank at an instant; ValueError outside the time looked at."""
        return Fraction(self._at(at).at(tick(at))[0], HOUR)

    def free(self, at: datetime) -> Fraction:
        """Gallons the tank still takes at an instant."""
        return self.tank.gallons - self.level(at)

    def bled(self, start: datetime, end: datetime) -> Fraction:
        """Gallons that leave the tank between two instants."""
        return Fraction(self._at(end).at(tick(end))[1] - self._at(start).at(tick(start))[1], HOUR)

    def rate(self, at: datetime) -> Exact:
        """The bleed at an instant, gallons an hour: at the limit, or, where the tank is empty, what comes."""
        one = self._at(at)
        return one.limit if one.at(tick(at))[0] > 0 else min(one.flow_in, one.limit)

    @cached_property
    def full_at(self) -> int | None:
        """The beginning (in microseconds) of the first stretch in which more comes than the tank takes, or None."""
        return next((one.start for one in self.stretches if one.spills), None)

    @property
    def overflows(self) -> bool:
        return self.full_at is not None

    def most(self, start: datetime) -> int:
        """Whole gallons a truck may unload from an instant on at the tank's rate, beside everybody who comes after it.

        A load lifts the level by its gallons, less what is bled later that would not have been there without it: so at
        each later instant at most the free volume and what was idle since may have come.
        """
        begin, rate, before = tick(start), self.tank.unload_gph, self._at(start).at(tick(start))[2]
        first = bisect_right(self.stretches, begin, key=attrgetter("start")) - 1
        best: Exact | None = None
        last: Exact = 0
        for one in self.stretches[first:]:
            since = max(one.start, begin)
            idle = one.at(since)[2]
            if best is not None and idle - before >= best:
                break
            here, there, last = self._bound(one, since, rate, begin, before)
            for bound in (here, there):
                best = bound if best is None or (bound is not None and bound < best) else best
        else:
            best = last if best is None else min(best, last)
        return int(max(0, best or 0) // HOUR)

    def _bound(self, one: Stretch, since: int, rate: int, begin: int, before: Exact
               ) -> tuple[Exact | None, Exact | None, Exact]:  # fmt: skip
        """The least that may have come where a truck has filled in more by then: at the first such instant of a
        stretch and at its end (None where there is none), and the volume and idle bleed at its end."""
        top = self.tank.gallons * HOUR
        level, _, idle = one.at(since)
        end_level, _, end_idle = one.at(one.end)
        may, may_last = top - level + idle - before, top - end_level + end_idle - before
        came, came_last = rate * (since - begin), rate * (one.end - begin)
        if came >= may and came_last > may_last:
            return may, may_last, may_last
        if came_last <= may_last:
            return (may if came > may else None), None, may_last
        gains = rate - one.limit + one.flow_in
        meets = came + Fraction(rate * (may - came), gains) if gains > 0 else may
        return meets, may_last, may_last

    def room(self, start: datetime, until: datetime) -> int:
        """Whole gallons that could come between two instants, each as soon as there is room for it."""
        _, _, before = self._at(start).at(tick(start))
        last = tick(until)
        ends = [one.at(max(one.start, last)) for one in self.stretches if one.end >= last]
        ends += [one.at(one.end) for one in self.stretches if one.end >= last]
        free = (self.tank.gallons * HOUR - level + idle - before for level, _, idle in ends)
        return int(max(0, min(free, default=0)) // HOUR)

    def _at(self, at: datetime) -> Stretch:
        now = tick(at)
        place = bisect_right(self.stretches, now, key=attrgetter("start")) - 1
        if place < 0 or now > self.stretches[place].end:
            raise ValueError(f"{at.isoformat()} is outside the time looked at")
        return self.stretches[place]


@dataclass(frozen=True)
class TankPlan:
    """A tank from `since` (with `held` gallons in it) on, the limits of its bleed, and who unloads when.

    No bleed where `limits` says none; the lowest counts where two meet. It is looked at until `until`, or until the
    last truck is empty if that is later: from then on the level only falls.
    """

    tank: Tank
    since: datetime
    until: datetime
    held: int
    limits: tuple[Draw, ...]
    unloadings: tuple[Unloading, ...] = ()

    def adding(self, *more: Unloading) -> TankPlan:
        """The same with further trucks."""
        return replace(self, unloadings=(*self.unloadings, *more))

    @cached_property
    def course(self) -> Course:
        """How the tank fills and empties."""
        changes = self._changes()
        first = tick(self.since)
        last = max([first + 1, tick(self.until), *changes])
        window = instant(first, self.since.tzinfo), instant(last, self.since.tzinfo)
        limits = {tick(one.start): min(exact(one.free), self.tank.bleed_gph)
                  for one in free_steps(window, self.limits, ())}  # fmt: skip
        flow_in = sum(change for at, change in changes.items() if at <= first)
        level: Exact = self.held * HOUR
        out: Exact = 0
        idle: Exact = 0
        limit = limits.get(first, 0)
        made: list[Stretch] = []
        edges = sorted({first, last, *(at for at in (*limits, *changes) if first < at < last)})
        for start, end in pairwise(edges):
            flow_in += changes.get(start, 0) if start > first else 0
            limit = limits.get(start, limit)
            made.append(Stretch(start, end, level, out, idle, flow_in, limit, self.tank.gallons * HOUR))
            level, out, idle = made[-1].at(end)
        return Course(self.tank, tuple(made))

    def _changes(self) -> dict[int, int]:
        """Where the inflow rises and falls, gallons an hour. What is left of an hour's share comes in one last
        microsecond, so that no gallon is lost."""
        found: dict[int, int] = {}
        for one in self.unloadings:
            start = tick(one.start)
            whole, rest = divmod(one.gallons * HOUR, one.gph)
            for at, change in ((start, one.gph), (start + whole, rest - one.gph), (start + whole + 1, -rest)):
                found[at] = found.get(at, 0) + change
        return found

    def most(self, steps: Sequence[Step], start: datetime) -> int:
        """The most gallons from a start, in the minutes in which the point lets a truck unload at the tank's rate."""
        longest = self._longest(steps, start)
        return min(longest, self.course.most(start)) if longest else 0

    def takes(self, at: datetime, gph: int) -> int:
        """Whole gallons of a truck that unloads at a rate of its own from an instant on."""
        rate = max(gph, self.tank.bleed_gph)
        return replace(self.course, tank=replace(self.tank, unload_gph=rate)).most(at)

    def session_at(self, steps: Sequence[Step], start: datetime, gallons: int) -> Session | NoFit:
        """The short stay that begins at a whole minute, or why there is none."""
        if gallons <= 0:
            raise ValueError("a load has at least one gallon")
        if tick(start) % MINUTE:
            raise ValueError(f"{start.isoformat()} is not on a whole minute")
        most = self.most(steps, start)
        if gallons <= most:
            rate = self.tank.unload_gph
            end = instant(tick(start) + minutes(gallons, rate) * MINUTE, start.tzinfo)
            return Session(start, end, rate, gallons)
        reason = f"The tank has room for {counted(most, 'gallon')} from here, not {gallons:,}."
        return NoFit(start, most, reason if most else "Nothing is free at this time.")

    def offers(
        self, steps: Sequence[Step], gallons: int, earliest: datetime | None = None
    ) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:
        """For each start whether a truck's gallons fit into the tank, then and with all who come after.

        `steps` is the rate at which a truck may unload at the point (its hours and places, not the plant's limit).
        """
        found = [self.session_at(steps, start, gallons) for start in self._starts(steps, earliest)]
        return (tuple(one for one in found if isinstance(one, Session)),
                tuple(one for one in found if isinstance(one, NoFit)))  # fmt: skip

    def largest(self, steps: Sequence[Step], earliest: datetime | None = None) -> int:
        """The largest load that is offered; one gallon more is not."""
        return max((self.most(steps, start) for start in self._starts(steps, earliest)), default=0)

    def room(self, steps: Sequence[Step], earliest: datetime) -> int:
        """Gallons that could still be unloaded in the steps: what the tank takes, and what one truck after the other
        can bring in their time."""
        here = [one for one in steps if one.free >= self.tank.unload_gph and one.end > earliest]
        if not here:
            return 0
        first, last = max(here[0].start, earliest, self.since), here[-1].end
        can_bring = sum(self.tank.unload_gph * (tick(one.end) - max(tick(one.start), tick(first))) for one in here)
        return min(int(can_bring // HOUR), self.course.room(first, last))

    def _starts(self, steps: Sequence[Step], earliest: datetime | None) -> list[datetime]:
        return [at for at in starts(steps, earliest) if tick(at) >= tick(self.since)]

    def _longest(self, steps: Sequence[Step], start: datetime) -> int:
        """Gallons of the whole minutes from a start on in which the point lets a truck unload at the tank's rate."""
        reached = tick(start)
        for step in steps:
            if tick(step.end) > reached:
                if tick(step.start) > reached or step.free < self.tank.unload_gph:
                    break
                reached = tick(step.end)
        return self.tank.unload_gph * ((reached - tick(start)) // MINUTE) // 60
