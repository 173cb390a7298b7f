"""A receiving tank: trucks leave soon, and what they left is bled out within the plant's limit (§ 329-7 F(3), F(6)).

The limit holds for what leaves the tank; a truck is limited by the tank's free volume. Pure and exact: gallons are
fractions inside, and the instant at which a truck or the tank runs empty is not rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from ordinances.counted import counted
from ordinances.offers import Draw, NoFit, Session, Step, minutes, starts
from ordinances.ticks import HOUR, MINUTE, Exact, exact, instant, tick


@dataclass(frozen=True)
class Tank:
    """A tank of so many usable gallons; a truck unloads into it at `unload_gph`, its valve bleeds at most `bleed_gph`.

    Without `bleed_gph` only the plant's limit holds the bleed back. ValueError for what no tank can be.
    """

    gallons: int
    unload_gph: int
    bleed_gph: int | None = None

    def __post_init__(self) -> None:
        if self.gallons < 1 or self.unload_gph < 1 or (self.bleed_gph is not None and self.bleed_gph < 0):
            raise ValueError("a tank holds something, and trucks unload into it at some rate")


@dataclass(frozen=True)
class Unloading:
    """A truck's gallons into the tank from an instant on, at the tank's rate until they are out."""

    start: datetime
    gallons: int


@dataclass(frozen=True)
class Stretch:
    """A span in which nothing changes but the level: [start, end) in microseconds, `level` gallons at its start.

    `flow_in` and `out` are gallons an hour; what does not stay goes out at once.
    """

    start: Exact
    end: Exact
    level: Exact
    flow_in: Exact
    out: Exact

    @property
    def last(self) -> Exact:
        """Gallons at its end."""
        return self.level + (self.flow_in - self.out) * Fraction(self.end - self.start) / HOUR


@dataclass(frozen=True)
class Course:
    """How a tank fills and empties."""

    tank: Tank
    stretches: tuple[Stretch, ...]

    def level(self, at: datetime) -> Fraction:
        """Gallons in the tank at an instant; ValueError outside the time looked at."""
        one = self._at(at)
        return Fraction(one.level + (one.flow_in - one.out) * Fraction(tick(at) - one.start) / HOUR)

    def free(self, at: datetime) -> Fraction:
        """Gallons the tank still takes at an instant."""
        return self.tank.gallons - self.level(at)

    def out(self, at: datetime) -> Fraction:
        """The bleed at an instant, gallons an hour."""
        return Fraction(self._at(at).out)

    @cached_property
    def highest(self) -> Exact:
        """The most gallons that are ever in the tank."""
        return max((max(one.level, one.last) for one in self.stretches), default=0)

    @property
    def overflows(self) -> bool:
        return self.highest > self.tank.gallons

    def _at(self, at: datetime) -> Stretch:
        now = tick(at)
        found = next((one for one in self.stretches if one.start <= now < one.end), None)
        if found is None and self.stretches and now == self.stretches[-1].end:
            found = self.stretches[-1]
        if found is None:
            raise ValueError(f"{at.isoformat()} is outside the time looked at")
        return found


@dataclass(frozen=True)
class TankDay:
    """A tank from `since` (with `held` gallons in it) on, the limit of its bleed, and who unloads when.

    No bleed where `limits` says none; the lowest counts where two meet. It is looked at until `until`, or until the
    last truck is empty if that is later: from then on the level only falls.
    """

    tank: Tank
    since: datetime
    until: datetime
    held: int
    limits: tuple[Draw, ...]
    unloadings: tuple[Unloading, ...] = ()

    def course(self, more: Unloading | None = None) -> Course:
        """How the tank fills and empties, with one unloading more if given."""
        trucks = [self._truck(one) for one in (*self.unloadings, *([more] if more else []))]
        limits = [(tick(one.start), tick(one.end), exact(one.gph)) for one in self.limits]
        first, last = tick(self.since), max([tick(self.until), *(end for _, end in trucks)])
        edges = {first, last, *(at for one in trucks for at in one), *(at for one in limits for at in one[:2])}
        level: Exact = self.held
        made: list[Stretch] = []
        for start, end in pairwise(sorted(at for at in edges if first <= at <= last)):
            flow_in = self.tank.unload_gph * sum(one[0] <= start < one[1] for one in trucks)
            bleed = min((gph for begins, ends, gph in limits if begins <= start < ends), default=0)
            if self.tank.bleed_gph is not None:
                bleed = min(bleed, self.tank.bleed_gph)
            made.extend(_stretch(start, end, level, flow_in, bleed))
            level = made[-1].last
        return Course(self.tank, tuple(made))

    def offers(
        self, steps: Sequence[Step], gallons: int, earliest: datetime | None = None
    ) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:
        """For each start whether a truck's gallons fit into the tank, then and with all who come after.

        `steps` is the rate at which a truck may unload at the point (its hours and places, not the plant's limit).
        """
        if gallons <= 0:
            raise ValueError("a load has at least one gallon")
        fits: list[Session] = []
        misses: list[NoFit] = []
        for start in self._starts(steps, earliest):
            if gallons <= self._longest(steps, start) and not self.course(Unloading(start, gallons)).overflows:
                fits.append(self._session(start, gallons))
                continue
            most = self._most(steps, start)
            reason = f"The tank has room for {counted(most, 'gallon')} from here, not {gallons:,}."
            misses.append(NoFit(start, most, reason if most else "Nothing is free at this time."))
        return tuple(fits), tuple(misses)

    def largest(self, steps: Sequence[Step], earliest: datetime | None = None) -> int:
        """The largest load that is offered; one gallon more is not."""
        return max((self._most(steps, start) for start in self._starts(steps, earliest)), default=0)

    def _starts(self, steps: Sequence[Step], earliest: datetime | None) -> list[datetime]:
        return [at for at in starts(steps, earliest) if tick(at) >= tick(self.since)]

    def _session(self, start: datetime, gallons: int) -> Session:
        end = tick(start) + minutes(gallons, self.tank.unload_gph) * MINUTE
        return Session(start, instant(end, start.tzinfo), self.tank.unload_gph, gallons)

    def _truck(self, one: Unloading) -> tuple[Exact, Exact]:
        return tick(one.start), tick(one.start) + Fraction(one.gallons * HOUR, self.tank.unload_gph)

    def _most(self, steps: Sequence[Step], start: datetime) -> int:
        """The most gallons from a start: more gallons never leave more room, so halving finds the last that fit."""
        fits, too_many = 0, self._longest(steps, start) + 1
        while too_many - fits > 1:
            half = (fits + too_many) // 2
            if self.course(Unloading(start, half)).overflows:
                too_many = half
            else:
                fits = half
        return fits

    def _longest(self, steps: Sequence[Step], start: datetime) -> int:
        """Gallons of the whole minutes from a start on in which the point lets a truck unload at the tank's rate."""
        reached = tick(start)
        for step in steps:
            if tick(step.end) > reached:
                if tick(step.start) > reached or step.free < self.tank.unload_gph:
                    break
                reached = tick(step.end)
        return self.tank.unload_gph * ((reached - tick(start)) // MINUTE) // 60


def _stretch(start: Exact, end: Exact, level: Exact, flow_in: Exact, bleed: Exact) -> Iterator[Stretch]:
    """One span of constant inflow and limit: the tank is bled at the limit, or, empty, passes on what comes."""
    if level > 0 and flow_in < bleed:
        empty = start + Fraction(level) * HOUR / (bleed - flow_in)
        if empty < end:
            yield Stretch(start, empty, level, flow_in, bleed)
            yield Stretch(empty, end, 0, flow_in, flow_in)
            return
    yield Stretch(start, end, level, flow_in, bleed if level > 0 else min(flow_in, bleed))
