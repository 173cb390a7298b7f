"""A schedule in plain words: what each charge costs, and which loads it is for, as the pages of charges say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ordinances.rows import Law
from ordinances.schedule import Item
from ordinances.schedule_law import schedule_of
from ordinances.schedule_lines import dollars
from ordinances.screening import WASTE_TYPES
from ordinances.values import MONTH_WORDS, MonthDay

_TIMES = {"inside": "inside the unloading hours", "after_hours": "at other times of the day", "weekend": "on weekends",
          "holiday": "on holidays"}  # fmt: skip
_NAMED = {"after_hours": "at another time of the day"}
_BASES = {"capacity": "of tank capacity", "weight": "by weight"}
_PARAMETERS = {"bod": "BOD5", "tss": "TSS", "p": "phosphorus", "tn": "nitrogen"}
AWAITED = "What the load costs depends on its results for {}; more may be charged then."
_PARTS = {Decimal("0.25"): "a quarter hour", Decimal("0.5"): "half an hour"}


@dataclass(frozen=True)
class ChargeRow:
    """One charge in force: its name, its price in words, the loads it is for ("" for all), since when, its §.

    `when` are the classes of time it is only for.
    """

    code: str
    kind: str
    what: str
    words: str
    whom: str
    when: tuple[str, ...]
    since: date
    cite: str
    reading: str | None
    note: str


def charge_rows(law: Law, day: date, *, written: bool = False) -> list[ChargeRow]:
    """Every charge of a law on a day, in the order of its schedule; only those `written` as items, if asked."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    codes = {item.code for item in schedule.items}
    return [_row(item, items) for item in items if not item.base and (item.code in codes or not written)]


def _row(item: Item, items: Sequence[Item]) -> ChargeRow:
    return ChargeRow(
        item.code, item.kind, item.what, item_words(item, items), whom_words(item), item.when, item.since, item.cite,
        item.reading, item.note,
    )  # fmt: skip


def item_words(item: Item, items: Sequence[Item] = ()) -> str:
    """What an item costs, such as "$51.00 for each 1,000 gallons"; `items` name those it counts from."""
    return _WORDS[item.kind](item, {one.code: one for one in items})


def whom_words(item: Item) -> str:
    """Which loads an item is for: kinds of waste, zones, season, times, points; "" for every load."""
    said = [_listed([WASTE_TYPES.get(one, _plain(one)).lower() for one in item.waste])]
    said.append(f"from {_listed([_plain(one) for one in item.origin])}" if item.origin else "")
    if item.season is not None:
        said.append(f"{_day(item.season.first)} to {_day(item.season.last)}")
    # A charge that has the time in its own name does not say it twice.
    said.append(_listed([_TIMES[one] for one in item.when if not item.what.endswith(_NAMED.get(one, "-"))]))
    said.append(f"at {_listed([_plain(one) for one in item.point])}" if item.point else "")
    if item.metered is not None:
        said.append("metered" if item.metered else "not metered")
    if item.weighed is not None:
        said.append("weighed" if item.weighed else "not weighed")
    said.append(f"strength: {_listed([_plain(one) for one in item.strength_class])}" if item.strength_class else "")
    return ", ".join(filter(None, said))


def parameter_words(name: str) -> str:
    """ "BOD5" for bod: a parameter of a schedule as people write it."""
    return _PARAMETERS.get(name, _plain(name))


def asks_for(law: Law, day: date) -> frozenset[str]:
    """What the schedule of a law must know of a load besides its gallons and waste: "origin", "capacity"."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    found = {"origin"} if any(item.origin for item in items) else set()
    return frozenset(found | ({"capacity"} if any(item.basis[:1] == ("capacity",) for item in items) else set()))


def asks_more(law: Law, day: date) -> frozenset[str]:
    """What else the charges of a day hang on: "mixed" loads by a rule, "cubic_yards", "pounds", "metered", "point".

    "after_hours" where a load outside the hours pays more without anybody of the plant being paid for standing by.
    """
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    found = {
        "mixed": schedule.mixed_on(day) is not None,
        "cubic_yards": any(item.kind == "per_cubic_yard" for item in items),
        "pounds": any(item.kind == "per_pound" or "weight" in item.basis or item.weighed is not None for item in items),
        "metered": any(item.metered is not None for item in items),
        "point": any(item.point for item in items),
        "after_hours": by_time_of_day(items),
    }
    return frozenset(name for name, asked in found.items() if asked)


def by_time_of_day(items: Sequence[Item]) -> bool:
    """Whether charges hang on the time of the day by themselves, not on hours of staff (§ 329-7 F(4) of Bayfield)."""
    mine = [item for item in items if "after_hours" in item.when]
    return bool(mine) and not any(item.kind == "staff_hours" for item in mine)


def point_word(name: str) -> str:
    """The name of a receiving point as a schedule writes it: "Lift station 2" is lift_station_2."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def points_without(law: Law, day: date, names: Iterable[str]) -> tuple[str, ...]:
    """The points a law charges by from a day on that none of these names stands for, as one would write them."""
    borne, schedule = {point_word(name) for name in names}, schedule_of(law)
    now = schedule.items_on(day) if schedule.has_items(day) else ()
    items = [*now, *(item for item in schedule.items if item.since > day)]
    charged = dict.fromkeys(one for item in items for one in item.point)
    return tuple(_plain(one).capitalize() for one in charged if one not in borne)


def left_out(law: Law, day: date, waste: str) -> tuple[str, ...]:
    """What the charges of a load of this waste hang on that nobody knows before it unloads, in words.

    What else is in it, what is measured at the plant, and what the plant pays for it.
    """
    schedule = schedule_of(law)
    items = [one for one in schedule.items_on(day) if not one.waste or waste in one.waste] if schedule.has_items(
        day) else []  # fmt: skip
    asked = {
        "another kind of waste in the same load": schedule.mixed_on(day) is not None,
        "cubic yards": any(one.kind == "per_cubic_yard" for one in items),
        "pounds by the scale": any(
            one.kind == "per_pound" or "weight" in one.basis or one.weighed is not None for one in items
        ),
        "gallons by an approved meter": any(one.metered is not None for one in items),
        "results of the load's sample": any(one.kind == "per_pound_over" or one.strength_class for one in items),
        "what the plant pays for the load and passes on": any(one.kind == "at_cost" for one in items),
    }
    return tuple(words for words, there in asked.items() if there)


def deposit_codes(law: Law, day: date) -> frozenset[str]:
    """The codes of the charges that are deposits."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    return frozenset(item.code for item in items if item.kind == "deposit")


def costs_passed_on(law: Law, day: date) -> dict[str, str]:
    """The names of what the plant may have paid for a load and passes on, each with what it is called."""
    schedule = schedule_of(law)
    items = schedule.items_on(day) if schedule.has_items(day) else ()
    return {item.cost: item.what for item in items if item.kind == "at_cost"}


def zones(law: Law, day: date) -> list[tuple[str, str]]:
    """The zones a load may come from where the charges of a day hang on it, each with its words; else none."""
    if "origin" not in asks_for(law, day):
        return []
    return [(zone, _plain(zone).capitalize()) for zone in schedule_of(law).origins]


_Named = dict[str, Item]


def _by_units(word: str) -> Callable[[Item, _Named], str]:
    def say(item: Item, named: _Named) -> str:
        basis = "".join(f" {_BASES[one]}" for one in item.basis[:1] if one in _BASES)
        each = f"a {word}" if item.each == 1 else f"for each {item.each:,} {word}s"
        return f"{_price(item)} {each}{' begun' if item.parts == 'started' else ''}{basis}{_bounds(item, word)}"

    return say


def _size_band(item: Item, named: _Named) -> str:
    return ", ".join(f"{dollars(price)} up to {size:,} gallons" for size, price in item.bands)


def _pounds_over(item: Item, named: _Named) -> str:
    return f"{_price(item)} for each pound above {item.above.normalize():,f} mg/L"


def _staff(item: Item, named: _Named) -> str:
    cost = f"{dollars(item.price)} an hour" if item.price is not None else f"the hourly wage of the {_plain(item.role)}"
    if item.round_hours:
        cost += f", rounded up to {_PARTS.get(item.round_hours, _hours(item.round_hours))}"
    return cost + (f", at least {_hours(item.min_hours)}" if item.min_hours else "") + _bounds(item, "hour")


def _at_cost(item: Item, named: _Named) -> str:
    return "what the plant paid" + (f", at least {dollars(item.at_least)}" if item.at_least else "")


def _multiple(item: Item, named: _Named) -> str:
    return f"{item.times.normalize():f} times: {_of(item, named)}"


def _minimum(item: Item, named: _Named) -> str:
    return f"at least {_price(item)} for {_of(item, named)}"


def _percent(item: Item, named: _Named) -> str:
    return f"{item.percent.normalize():f} % of {_of(item, named)}"


def _apart(word: str) -> Callable[[Item, _Named], str]:
    def say(item: Item, named: _Named) -> str:
        renewed = f", {dollars(item.renewal)} renewed" if item.renewal is not None else ""
        return f"{_price(item)} {word}{renewed}"

    return say


_WORDS: dict[str, Callable[[Item, _Named], str]] = {
    "per_gallons": _by_units("gallon"),
    "per_pound": _by_units("pound"),
    "per_cubic_yard": _by_units("cubic yard"),
    "size_band": _size_band,
    "per_load": lambda item, named: f"{_price(item)} a load",
    "per_test": lambda item, named: f"{_price(item)} a {item.unit or 'test'}",
    "per_pound_over": _pounds_over,
    "staff_hours": _staff,
    "at_cost": _at_cost,
    "multiple": _multiple,
    "minimum": _minimum,
    "percent": _percent,
    "per_truck_year": _apart("a truck and year"),
    "per_application": _apart("an application"),
    "per_event": lambda item, named: f"{_price(item)} each time",
    "deposit": lambda item, named: f"{_price(item)} a {item.per}",
}


def _price(item: Item) -> str:
    return dollars(item.price) if item.price is not None else "nothing"


def _bounds(item: Item, word: str) -> str:
    over = f" over {_many(item.over, word)}" if item.over else ""
    return over + (f", up to {_many(item.up_to, word)}" if item.up_to is not None else "")


def _many(number: Decimal, word: str) -> str:
    return f"{number.normalize():,f} {word}{'' if number == 1 else 's'}"


def _hours(hours: Decimal) -> str:
    return _many(hours, "hour")


def _of(item: Item, named: _Named) -> str:
    return _listed([named[code].what if code in named else _plain(code) for code in item.of])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _day(day: MonthDay) -> str:
    return f"{MONTH_WORDS[day.month - 1]} {day.day}"
