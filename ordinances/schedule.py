"""A fee schedule: dated, cited items of charge, and which of them are in force on a day.

A schedule is a file of its own (``schedule_reader``); ``pricing`` makes a load's lines from it. Rows of one code follow
one another: the newest begun by a day counts, and once it has ended no older one comes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Protocol, TypeVar

from ordinances.rows import NoLaw
from ordinances.values import MonthDay

NORMAL = "normal"  # the strength of a load that no strength class names
TIMES = ("inside", "after_hours", "weekend", "holiday")
BASES = ("measured", "declared", "capacity", "weight")
EVENTS = ("returned_check", "call_out", "inspection")
_FEBRUARY = MonthDay(2, 28)


class _Dated(Protocol):
    @property
    def code(self) -> str: ...
    @property
    def since(self) -> date: ...
    @property
    def until(self) -> date | None: ...


Dated = TypeVar("Dated", bound=_Dated)


@dataclass(frozen=True)
class Season:
    """Days of every year from `first` to `last`, both counted, also over New Year; February ends with its last day."""

    first: MonthDay
    last: MonthDay

    def holds(self, day: date) -> bool:
        here = _FEBRUARY if (day.month, day.day) == (2, 29) else MonthDay(day.month, day.day)
        if self.first <= self.last:
            return self.first <= here <= self.last
        return here >= self.first or here <= self.last


@dataclass(frozen=True)
class Item:
    """One way of charging: what is counted, its price in dollars, and the loads it is for (an empty choice: all).

    `of` names other items of the schedule; a `base` item is charged to others and only counted from.
    """

    code: str
    what: str
    kind: str
    since: date
    cite: str
    until: date | None = None
    reading: str | None = None
    note: str = ""
    base: bool = False
    # Which loads
    waste: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()
    season: Season | None = None
    when: tuple[str, ...] = ()
    point: tuple[str, ...] = ()
    metered: bool | None = None
    weighed: bool | None = None
    strength_class: tuple[str, ...] = ()
    # How much
    price: Decimal | None = None
    each: int = 1
    parts: str = "exact"
    over: Decimal = Decimal(0)
    up_to: Decimal | None = None
    basis: tuple[str, ...] = ()
    lb_per_gallon: Decimal | None = None
    bands: tuple[tuple[int, Decimal], ...] = ()
    test: tuple[str, ...] = ()
    parameter: str = ""
    above: Decimal = Decimal(0)
    lb_factor: Decimal = Decimal(0)
    renewal: Decimal | None = None
    of: tuple[str, ...] = ()
    percent: Decimal = Decimal(0)
    times: Decimal = Decimal(1)
    role: str = ""
    round_hours: Decimal = Decimal(0)
    min_hours: Decimal = Decimal(0)
    cost: str = ""
    at_least: Decimal = Decimal(0)
    per: str = "truck"
    unit: str = ""
    event: str = ""
    round_to: Decimal = Decimal("0.01")
    rounding: str = "half_up"
    # Of a multiple, once it is reckoned: what its price comes from, in words
    comes_from: str = ""


@dataclass(frozen=True)
class Wage:
    """What an hour of a role costs, in dollars, from a day on; `code` is the role."""

    code: str
    price: Decimal
    since: date
    cite: str
    until: date | None = None
    reading: str | None = None


@dataclass(frozen=True)
class StrengthClass:
    """Loads stronger than so many mg/L, of every parameter named ("all") or of one of them ("any")."""

    code: str
    above: tuple[tuple[str, Decimal], ...]
    needs: str
    since: date
    cite: str
    until: date | None = None
    reading: str | None = None


@dataclass(frozen=True)
class Untested:
    """Of which class of strength a load counts that is not tested, where its price goes by the class."""

    strength_class: str
    since: date
    cite: str
    until: date | None = None
    reading: str | None = None
    code: str = "untested"


@dataclass(frozen=True)
class Mixed:
    """How a load of several kinds is priced: all of it at its "highest_rate", or each kind "by_part"."""

    rule: str
    since: date
    cite: str
    until: date | None = None
    reading: str | None = None
    code: str = "mixed"


@dataclass(frozen=True)
class Schedule:
    """A whole schedule with the canonical text it was read to; the hash of that text is its version."""

    id: str
    name: str
    source: str
    wastes: tuple[str, ...]
    origins: tuple[str, ...]
    points: tuple[str, ...]
    tests: tuple[str, ...]
    items: tuple[Item, ...]
    wages: tuple[Wage, ...] = ()
    classes: tuple[StrengthClass, ...] = ()
    mixed: tuple[Mixed, ...] = ()
    untested: tuple[Untested, ...] = ()
    text: str = field(default="", repr=False)
    version: str = ""

    def items_on(self, day: date) -> tuple[Item, ...]:
        """The items in force on a day; raises NoLaw where there is none, and so no schedule."""
        found = tuple(in_force(self.items, day))
        if not found:
            first = min(item.since for item in self.items)
            raise NoLaw(f"{self.name} has no price in force on {day}: its first date is {first}")
        return found

    def item(self, code: str, day: date) -> Item | None:
        return next((item for item in in_force(self.items, day) if item.code == code), None)

    def wage(self, role: str, day: date) -> Wage | None:
        return next((wage for wage in in_force(self.wages, day) if wage.code == role), None)

    def mixed_on(self, day: date) -> Mixed | None:
        return next(iter(in_force(self.mixed, day)), None)

    def untested_on(self, day: date) -> Untested | None:
        return next(iter(in_force(self.untested, day)), None)

    def classes_on(self, day: date) -> list[StrengthClass]:
        return in_force(self.classes, day)

    def version_on(self, day: date) -> str:
        """The version by which a day is charged."""
        return self.version


def in_force(rows: Iterable[Dated], day: date) -> list[Dated]:
    """Of each code the newest row begun by a day, unless it has ended; in the order of their codes' first rows."""
    newest: dict[str, Dated] = {}
    for row in rows:
        known = newest.get(row.code)
        if row.since <= day and (known is None or row.since > known.since):
            newest[row.code] = row
    return [row for row in newest.values() if row.until is None or day <= row.until]
