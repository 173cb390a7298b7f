"""One line of a schedule: what each kind of item counts of a load, its price, and the sentence that explains it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal

from ordinances.counted import counted as words_of
from ordinances.fee_line import FeeLine
from ordinances.hauled import Gallons, Load, Part, gallons_of, share_of, shared
from ordinances.refusal import Refusal
from ordinances.schedule import Item, Schedule
from ordinances.values import day_words

_MILLION = 1_000_000
_ROUNDINGS = {"half_up": ROUND_HALF_UP, "up": ROUND_UP, "down": ROUND_DOWN}
_BASIS = {"measured": " measured", "declared": " declared", "capacity": " of tank capacity", "weight": " by weight"}


@dataclass(frozen=True)
class ScheduleLine(FeeLine):
    """A charge of a schedule. `how` is its arithmetic in words; `also` what else decided it, such as a mixed load.

    `day` is the one whose law priced it: of a load over several mornings each has its own.
    """

    how: str = ""
    also: str = ""
    day: date | None = None

    @property
    def sentence(self) -> str:
        """The whole charge in a sentence with its section, then how the text is read."""
        said = f"{self.what}: {self.how} = {dollars(self.amount)} ({self.cite})."
        return " ".join(filter(None, [said, self.also, self.reading]))


@dataclass(frozen=True)
class Asked:
    """What an item is counted for: the parts of a load it matches, and the gallons of one day of several."""

    schedule: Schedule
    day: date
    load: Load
    parts: tuple[Part, ...]
    gallons: int | None = None


@dataclass(frozen=True)
class Counted:
    """How much there is of one thing: `exact` is quantity × price before it is rounded, once."""

    quantity: Decimal
    unit: str
    price: Decimal
    exact: Decimal
    how: str
    cite: str = ""
    more: str = ""  # said after the item's own words, such as how long somebody stood by


@dataclass(frozen=True)
class Awaited:
    """A result without which a line cannot be reckoned yet."""

    parameter: str


Answer = Counted | Refusal | Awaited | None


def line(item: Item, counted: Counted, schedule: Schedule, day: date, also: str = "") -> ScheduleLine:
    """The line of an item on a day, rounded as the item says: half up to the cent where it says nothing."""
    steps = (counted.exact / item.round_to).quantize(Decimal(1), _ROUNDINGS[item.rounding])
    amount = (steps * item.round_to).quantize(Decimal("0.01"))
    cite = "; ".join(filter(None, [item.cite, counted.cite]))
    how = f"{counted.how} ({item.comes_from})" if item.comes_from else counted.how
    what = ", ".join(filter(None, [item.what, counted.more]))
    return ScheduleLine(
        item.code, what, counted.quantity, counted.unit, counted.price, amount, cite, item.reading,
        schedule.version_on(day), how, also, day,
    )  # fmt: skip


def count(item: Item, asked: Asked) -> Answer:
    """What an item counts in a load: None where there is nothing of it, a Refusal where it cannot be told."""
    return _COUNTS[item.kind](item, asked)


def single(price: Decimal, word: str, how: str = "", number: int = 1) -> Counted:
    """So many whole things at a price each: "2 trucks at $50.00 each"."""
    named = f"{number:,} {_plural(word, number)}"
    at = f"{named} at {dollars(price)}" + (" each" if number != 1 else "")
    return Counted(Decimal(number), _plural(word, number), price, price * number, how or at)


def gallons_asked(item: Item, asked: Asked) -> Gallons | Refusal:
    """The gallons an item counts in the parts asked about."""
    found = gallons_of(item, asked.load)
    if found is None:
        words = " or ".join(_MISSING[one] for one in item.basis)
        return _missing(item, f"{item.what} cannot be priced: {words} is not known.", f"Give {words}.")
    whole = found.gallons if asked.gallons is None else asked.gallons
    mine = shared(whole, asked.load, asked.parts)
    if mine is None:
        return _missing(item, "The load is mixed, and how many gallons are of each kind is not known.",
                        "Give the gallons of each kind.")  # fmt: skip
    return Gallons(mine, found.basis)


def divides(item: Item, load: Load) -> bool:
    """Whether each day of a load over several days can be priced apart: every gallon counts by itself."""
    found = gallons_of(item, load)
    by_day = found is None or found.basis in ("measured", "declared")
    return item.kind == "per_gallons" and item.parts == "exact" and not item.over and item.up_to is None and by_day


_PLAIN = re.compile(r"[\d,.]+ [a-z0-9 ]+ at \$[\d,.]+( each| an? [a-z ]+)?\.?")


def more_than_price(how: str) -> str:
    """The arithmetic of a charge where it says more than a quantity at a price, which stand beside it; else ""."""
    return "" if _PLAIN.fullmatch(how) else how


def minutes_words(minutes: int) -> str:
    """ "2 hours 16 minutes", "1 hour", "0 minutes"."""
    hours, rest = divmod(minutes, 60)
    parts = [words_of(hours, "hour")] if hours else []
    return " ".join(parts + ([words_of(rest, "minute")] if rest or not hours else []))


def dollars(amount: Decimal) -> str:
    """ "$51.00", "$0.118", "$1,000.00": cents always, parts of a cent where there are any."""
    cents = amount.quantize(Decimal("0.01"), ROUND_DOWN)
    return f"${cents:,.2f}" if cents == amount else f"${amount.normalize():,f}"


def _missing(item: Item, why: str, next_step: str) -> Refusal:
    return Refusal("quantity_missing", why, item.cite, item.reading, next_step)


_MISSING = {
    "measured": "the gallons measured", "declared": "the gallons declared",
    "capacity": "the capacity of the tank", "weight": "the weight of the load",
}  # fmt: skip


def _per_gallons(item: Item, asked: Asked) -> Answer:
    found = gallons_asked(item, asked)
    if isinstance(found, Refusal):
        return found
    return _by_units(item, Decimal(found.gallons), "gallon", _BASIS[found.basis])


def _per_pound(item: Item, asked: Asked) -> Answer:
    return _whole_load(item, asked, asked.load.pounds, "pound", "the weight of the load", "is")


def _per_cubic_yard(item: Item, asked: Asked) -> Answer:
    return _whole_load(item, asked, asked.load.cubic_yards, "cubic yard", "the cubic yards of the load", "are")


def _whole_load(item: Item, asked: Asked, whole: Decimal | int | None, word: str, named: str, verb: str) -> Answer:
    if whole is None:
        return _missing(item, f"{item.what} cannot be priced: {named} {verb} not known.", f"Give {named}.")
    mine = share_of(Decimal(whole), asked.load, asked.parts)
    if mine is None:
        return _missing(item, "The load is mixed, and how much is of each kind is not known.",
                        "Give the gallons of each kind.")  # fmt: skip
    return _by_units(item, mine, word)


def _by_units(item: Item, amount: Decimal, word: str, basis: str = "") -> Counted | None:
    """So much at a price for each unit of it: within the bounds of the item, a part by its share or as a whole one."""
    counted = _within(item, amount)
    if (item.over or item.up_to is not None) and not counted:
        return None
    price = _price(item)
    units = counted / item.each
    exact = counted * price / item.each
    if item.parts == "started":
        units = units.to_integral_value(ROUND_CEILING)
        exact = units * price
    over = f" over {_number(item.over)}" if item.over else ""
    said = f"{_number(counted)} {_plural(word, counted)}{over}{basis}"
    said += f" at {dollars(price)}"
    if item.each > 1:
        each = f"{item.each:,} {_plural(word, 2)}"
        said += f" for each {each}" if item.parts == "exact" else f" for each {each} begun, {_number(units)} of them"
    elif item.parts == "started":
        said += f" for each {word} begun, {_number(units)} of them"
    else:
        said += f" a {word}"
    unit = _plural(word, units) if item.each == 1 else f"{_LOTS.get(item.each, f'{item.each:,}')} {word}s"
    return Counted(units, unit, price, exact, said)


def _size_band(item: Item, asked: Asked) -> Answer:
    found = gallons_asked(item, asked)
    if isinstance(found, Refusal):
        return found
    for size, price in item.bands:
        if found.gallons <= size:
            how = (
                f"{words_of(found.gallons, 'gallon')}{_BASIS[found.basis]}, a load up to {size:,}, at {dollars(price)}"
            )
            return single(price, "load", how)
    largest = item.bands[-1][0]
    why = f"The schedule has no price for {words_of(found.gallons, 'gallon')}: its largest load is {largest:,}."
    return Refusal("over_largest", why, item.cite, item.reading, "Bring the load in parts.", {"largest": largest})


def _per_load(item: Item, asked: Asked) -> Answer:
    return single(_price(item), "load")


def _per_test(item: Item, asked: Asked) -> Answer:
    tests = asked.load.tests
    number = sum(made for name, made in tests.items() if not item.test or name in item.test)
    return single(_price(item), item.unit or "test", number=number) if number else None


def _per_pound_over(item: Item, asked: Asked) -> Answer:
    if item.parameter not in asked.load.strengths:
        return Awaited(item.parameter)
    found = gallons_asked(item, asked)
    if isinstance(found, Refusal):
        return found
    strength = asked.load.strengths[item.parameter]
    pounds = max(Decimal(0), strength - item.above) * found.gallons * item.lb_factor / _MILLION
    if not pounds:
        return None
    price, shown = _price(item), _number(pounds.quantize(Decimal("0.0001"), ROUND_HALF_UP))
    how = (
        f"{_number(strength)} mg/L less {_number(item.above)}, in {words_of(found.gallons, 'gallon')}"
        f"{_BASIS[found.basis]} {shown} pounds, at {dollars(price)} a pound"
    )
    return Counted(pounds, "pounds", price, pounds * price, how)


def _staff_hours(item: Item, asked: Asked) -> Answer:
    minutes = asked.load.staff_minutes
    if not minutes:
        return None
    counted = staff_hours(item, minutes)
    if not counted:
        return None
    wage, cite = _wage(item, asked)
    if wage is None:
        why = f"No hourly wage of the {item.role.replace('_', ' ')} is set on {day_words(asked.day)}."
        return Refusal("wage_not_set", why, item.cite, item.reading, "Set the wage, or give it with the load.")
    # Unrounded hours do not end in the decimals: then the minutes are what is multiplied.
    whole = not item.round_hours and counted == Decimal(minutes) / 60
    exact = wage * minutes / 60 if whole else counted * wage
    shown = _number(counted.quantize(Decimal("0.0001"), ROUND_HALF_UP))
    how = f"{shown} {_plural('hour', counted)} at {dollars(wage)} an hour"
    return Counted(counted, _plural("hour", counted), wage, exact, how, cite, minutes_words(minutes))


def staff_hours(item: Item, minutes: int) -> Decimal:
    """The hours charged for minutes: rounded up to the item's part of an hour, at least its least, within bounds."""
    hours = Decimal(minutes) / 60
    if item.round_hours:
        hours = (Decimal(minutes) / (60 * item.round_hours)).to_integral_value(ROUND_CEILING) * item.round_hours
    return _within(item, max(item.min_hours, hours))


def _wage(item: Item, asked: Asked) -> tuple[Decimal | None, str]:
    """The price of an hour and, where it is a dated wage, the resolution it stands in."""
    if item.price is not None:
        return item.price, ""
    if asked.load.wage is not None:
        return asked.load.wage, ""
    dated = asked.schedule.wage(item.role, asked.day)
    return (dated.price, dated.cite) if dated else (None, "")


def _at_cost(item: Item, asked: Asked) -> Answer:
    cost = asked.load.costs.get(item.cost)
    if cost is None:
        return None
    if cost < item.at_least:
        return single(item.at_least, "load", f"{dollars(cost)} paid, at least {dollars(item.at_least)} charged")
    return Counted(Decimal(1), "load", cost, cost, f"{dollars(cost)} paid, passed on")


_LOTS = {100: "hundred", 1000: "thousand"}


def _within(item: Item, amount: Decimal) -> Decimal:
    """What lies between the bounds of an item: over one, up to the other."""
    if not item.over and item.up_to is None:
        return amount
    top = amount if item.up_to is None else min(amount, item.up_to)
    return max(Decimal(0), top - item.over)


def _price(item: Item) -> Decimal:
    if item.price is None:
        raise ValueError(f"item {item.code} has no price")
    return item.price


def _plural(word: str, number: Decimal | int) -> str:
    return word if number == 1 else f"{word}s"


def _number(value: Decimal | int) -> str:
    """ "1,500", "2.5": digits with commas and no zeros at the end."""
    whole = Decimal(value)
    return f"{whole.quantize(Decimal(1)):,f}" if whole == whole.to_integral_value() else f"{whole.normalize():,f}"


_COUNTS: dict[str, Callable[[Item, Asked], Answer]] = {
    "per_gallons": _per_gallons,
    "size_band": _size_band,
    "per_pound": _per_pound,
    "per_cubic_yard": _per_cubic_yard,
    "per_load": _per_load,
    "per_test": _per_test,
    "per_pound_over": _per_pound_over,
    "staff_hours": _staff_hours,
    "at_cost": _at_cost,
}
