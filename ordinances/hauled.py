"""What a schedule asks of a load before it can name a price: kinds, gallons by each way of finding them, results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType

from ordinances.schedule import NORMAL, Item, Schedule

_NONE: Mapping[str, Decimal] = MappingProxyType({})
_NO_TESTS: Mapping[str, int] = MappingProxyType({})
_NO_TIMES: Mapping[date, frozenset[str]] = MappingProxyType({})


@dataclass(frozen=True)
class Part:
    """One kind of waste in a load, where it comes from (a zone of the schedule), and its declared gallons."""

    waste: str
    origin: str | None = None
    gallons: int | None = None


@dataclass(frozen=True)
class Load:
    """A load as it is charged. What is None is not known; nothing is guessed.

    `measured`, `declared`, `capacity` are gallons (declared: else the sum of the parts), `pounds` the net weight;
    `strengths` mg/L by parameter; `tests` how many of each named test; `costs` dollars the plant paid, by name;
    `wage` dollars an hour in place of the dated one. `sessions` are (day, gallons) where a load took several days,
    `other_times` the time classes of those after the first. `untested`: no result will come unless somebody brings one.
    """

    parts: tuple[Part, ...]
    measured: int | None = None
    declared: int | None = None
    capacity: int | None = None
    pounds: Decimal | int | None = None
    cubic_yards: Decimal | int | None = None
    metered: bool = False
    point: str | None = None
    after_hours: bool = False
    weekend: bool = False
    holiday: bool = False
    tests: Mapping[str, int] = field(default_factory=lambda: _NO_TESTS)
    strengths: Mapping[str, Decimal] = field(default_factory=lambda: _NONE)
    costs: Mapping[str, Decimal] = field(default_factory=lambda: _NONE)
    staff_minutes: int = 0
    wage: Decimal | None = None
    sessions: tuple[tuple[date, int], ...] = ()
    other_times: Mapping[date, frozenset[str]] = field(default_factory=lambda: _NO_TIMES)
    untested: bool = False

    def __post_init__(self) -> None:
        if not self.parts:
            raise ValueError("a load needs at least one part")
        for one in self._numbers():
            if isinstance(one, float):
                raise TypeError("a load holds no floats: give gallons as whole numbers, all else as Decimal")
            if one < 0:
                raise ValueError("a load holds no number below zero")
        for measure in (self.pounds, self.cubic_yards):
            if measure is not None and measure != round(Decimal(measure), 2):
                raise ValueError("pounds and cubic yards are given to the hundredth")
        if self.sessions and sum(gallons for _, gallons in self.sessions) != self.by("measured", "declared"):
            raise ValueError("the gallons of the days do not add up to those of the load")

    def _numbers(self) -> list[Decimal | int]:
        found: list[Decimal | int | None] = [self.measured, self.declared, self.capacity, self.pounds]
        found += [self.cubic_yards, self.wage, self.staff_minutes]
        found += [*self.tests.values(), *self.strengths.values(), *self.costs.values()]
        found += [part.gallons for part in self.parts] + [gallons for _, gallons in self.sessions]
        return [one for one in found if one is not None]

    @property
    def times(self) -> frozenset[str]:
        """The time classes that hold on the first day."""
        return time_classes(self.after_hours, self.weekend, self.holiday)

    @property
    def declared_gallons(self) -> int | None:
        if self.declared is not None:
            return self.declared
        known = [part.gallons for part in self.parts if part.gallons is not None]
        return sum(known) if len(known) == len(self.parts) else None

    @property
    def nothing_out(self) -> bool:
        """Whether it is known that no gallon was unloaded, as of a truck that was stopped or refused before."""
        return self.by("measured", "declared") == 0

    def by(self, *bases: str) -> int | None:
        """Gallons by the first basis that is known."""
        known = {"measured": self.measured, "declared": self.declared_gallons, "capacity": self.capacity}
        return next((known[one] for one in bases if known.get(one) is not None), None)


def time_classes(after_hours: bool, weekend: bool, holiday: bool) -> frozenset[str]:
    """The time classes that hold: "inside" is the ordinary hours of an ordinary day."""
    marks = {"after_hours": after_hours, "weekend": weekend, "holiday": holiday}
    return frozenset(name for name, holds in marks.items() if holds) or frozenset({"inside"})


@dataclass(frozen=True)
class Gallons:
    """Whole gallons, and the basis they were found by."""

    gallons: int
    basis: str


def gallons_of(item: Item, load: Load) -> Gallons | None:
    """The gallons an item counts: by the first of its bases that is known. Weight makes whole gallons, half up."""
    for basis in item.basis:
        if basis == "weight":
            if load.pounds is not None and item.lb_per_gallon:
                return Gallons(_whole(Decimal(load.pounds) / item.lb_per_gallon), basis)
        else:
            found = load.by(basis)
            if found is not None:
                return Gallons(found, basis)
    return None


def shared(whole: int, load: Load, matched: tuple[Part, ...]) -> int | None:
    """The whole gallons that fall on some parts of a load, by what each declares; None where that is not known.

    The shares of all kinds add up to the whole: what is left over goes to the largest remainders, then by name.
    """
    if len(matched) == len(load.parts):
        return whole
    named = {(part.waste, part.origin or ""): 0 for part in load.parts}
    for part in load.parts:
        if part.gallons is None:
            return None
        named[part.waste, part.origin or ""] += part.gallons
    total = sum(named.values())
    if not total:
        return None
    shares = {name: whole * gallons // total for name, gallons in named.items()}
    order = sorted(named, key=lambda name: (-(whole * named[name] % total), name))
    for name in order[: whole - sum(shares.values())]:
        shares[name] += 1
    return sum(shares[name] for name in {(part.waste, part.origin or "") for part in matched})


def share_of(whole: Decimal, load: Load, matched: tuple[Part, ...]) -> Decimal | None:
    """Pounds or cubic yards, to the hundredth, that fall on some parts by the gallons of each; None if not known."""
    hundredths = shared(int(whole * 100), load, matched)
    return None if hundredths is None else Decimal(hundredths) / 100


def for_part(item: Item, part: Part) -> bool:
    """Whether an item is for a part of a load, by its waste and where it comes from."""
    return (not item.waste or part.waste in item.waste) and (not item.origin or part.origin in item.origin)


def for_day(item: Item, day: date, load: Load, *, whole: bool = False) -> bool:
    """Whether an item is for a load of that day, time, point and meter, whatever is in it.

    What counts the `whole` of a load over several days goes by the time of its first one.
    """
    times = load.times if whole else load.other_times.get(day, load.times)
    return (
        (item.season is None or item.season.holds(day))
        and (not item.when or bool(times & set(item.when)))
        and (not item.point or load.point in item.point)
        and (item.metered is None or item.metered == load.metered)
        and (item.weighed is None or item.weighed == (load.pounds is not None))
    )


def strength_class(schedule: Schedule, day: date, load: Load) -> tuple[str | None, tuple[str, ...]]:
    """The first class whose strengths the load passes, else "normal"; or None and the results still awaited.

    Where no result decides, a load that is not tested is of the class the schedule says.
    """
    rule = schedule.untested_on(day) if load.untested else None
    for one in schedule.classes_on(day):
        missing = tuple(name for name, _ in one.above if name not in load.strengths)
        passed = [load.strengths[name] > above for name, above in one.above if name in load.strengths]
        sure = (any(passed) or not missing) if one.needs == "any" else (not all(passed) or not missing)
        if not sure:
            return (rule.strength_class, ()) if rule is not None else (None, missing)
        if any(passed) if one.needs == "any" else all(passed):
            return one.code, ()
    return NORMAL, ()


def spared(item: Item, load: Load) -> bool:
    """Whether a load that is not tested is spared what only stronger loads pay: nothing that is not sure is charged."""
    return load.untested and NORMAL not in item.strength_class


def _whole(gallons: Decimal) -> int:
    return int(gallons.quantize(Decimal(1), ROUND_HALF_UP))
