"""What each kind of charge in a schedule needs, may hold, and how each field is read; wrong ones raise WrongValue."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ordinances.schedule import BASES, EVENTS, NORMAL, TIMES, Season
from ordinances.values import WrongValue, parse

ROW = ("from", "until", "cite", "reading")
CHOOSES = ("waste", "origin", "season", "when", "point", "metered", "weighed", "strength_class")
ROUNDS = ("round_to", "rounding")
_HOW_MUCH = ("each", "parts", "over", "up_to")


@dataclass(frozen=True)
class Kind:
    """A kind of charge: `title` for people, the fields it `needs` and `may` hold beside those of every item.

    `asked` says when it is charged: with a load, "derived" from other lines of a load, or apart from any load.
    """

    title: str
    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    asked: str = "load"

    @property
    def fields(self) -> tuple[str, ...]:
        chooses = () if self.asked == "apart" else CHOOSES
        base = ("base",) if self.asked == "load" else ()
        return ("code", "what", "kind", "note", *ROW, *base, *chooses, *self.needs, *self.may, *ROUNDS)


KINDS: dict[str, Kind] = {
    "per_gallons": Kind("for so many gallons", ("price", "basis"), (*_HOW_MUCH, "lb_per_gallon")),
    "size_band": Kind("by the size of the load or tank", ("bands", "basis"), ("lb_per_gallon",)),
    "per_pound": Kind("by the weight of the load", ("price",), _HOW_MUCH),
    "per_cubic_yard": Kind("by the cubic yard", ("price",), _HOW_MUCH),
    "per_load": Kind("for each load", ("price",)),
    "per_test": Kind("for each test", ("price",), ("test", "unit")),
    "per_pound_over": Kind(
        "for each pound above a strength", ("price", "parameter", "above", "lb_factor", "basis"), ("lb_per_gallon",)
    ),
    "staff_hours": Kind("for hours of staff", (), ("role", "price", "round_hours", "min_hours", "over", "up_to")),
    "at_cost": Kind("what the plant paid, passed on", ("cost",), ("at_least",)),
    "multiple": Kind("so many times another item", ("of", "times")),
    "minimum": Kind("no less than so much", ("price", "of"), asked="derived"),
    "percent": Kind("so many percent of other lines", ("percent", "of"), asked="derived"),
    "per_truck_year": Kind("for each truck and year", ("price",), ("renewal",), asked="apart"),
    "per_application": Kind("for each application", ("price",), ("renewal",), asked="apart"),
    "per_event": Kind("each time something happens", ("price", "event"), asked="apart"),
    "deposit": Kind("a deposit, given back", ("price",), ("per",), asked="apart"),
}
ITEM_FIELDS = frozenset(name for kind in KINDS.values() for name in kind.fields)
# Those by which a load is priced at all; the rest come on top.
COUNTING = ("per_gallons", "size_band", "per_pound", "per_cubic_yard")
# Those for something done or paid for a load, also where nothing was unloaded.
DONE = ("per_test", "staff_hours", "at_cost")

_MOST = Decimal(100_000)
_HUGE = Decimal(10_000_000)


def read_field(name: str, raw: Any) -> Any:
    """The value of a field of an item, as ``Item`` holds it."""
    return _PARSERS[name](raw)


def _number(most: Decimal, *, above: bool = False) -> Callable[[Any], Decimal]:
    """A number in quotes from nought (itself allowed unless `above`) to `most`."""

    def read(raw: Any) -> Decimal:
        value: Decimal = parse("decimal", raw)
        if value > most or (above and not value):
            which = "high" if value else "low"
            raise WrongValue(f"{value} is too {which}", f"Write {'more than 0' if above else '0'} to {most:,}")
        return value

    return read


def _count(raw: Any) -> int:
    value: int = parse("integer", raw)
    if not value:
        raise WrongValue("0 of something cannot be counted", "Write how many there are to a price, such as 100")
    return value


def _step(raw: Any) -> Decimal:
    """A step that amounts are rounded to, in whole cents: nothing is rounded twice."""
    value = _number(Decimal(100), above=True)(raw)
    if value != round(value, 2):
        raise WrongValue(f"{value} is no whole number of cents", 'Write a step such as "0.01", "0.05" or "1.00"')
    return value


def _one_of(options: tuple[str, ...]) -> Callable[[Any], str]:
    return lambda raw: str(parse("choice", raw, options))


def _some_of(options: tuple[str, ...]) -> Callable[[Any], tuple[str, ...]]:
    def read(raw: Any) -> tuple[str, ...]:
        found: tuple[str, ...] = parse("choices", raw, options)
        return _filled(found)

    return read


def _names(raw: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = parse("names", raw)
    return _filled(found)


def _filled(found: tuple[str, ...]) -> tuple[str, ...]:
    if not found:
        raise WrongValue("the list is empty", "Name at least one, or leave the field out")
    return found


def _season(raw: Any) -> Season:
    if not isinstance(raw, list) or len(raw) != 2:
        raise WrongValue(f"{raw!r} is not a season", 'Write its first and last day, such as ["11-01", "02-28"]')
    return Season(parse("month_day", raw[0]), parse("month_day", raw[1]))


def _bands(raw: Any) -> tuple[tuple[int, Decimal], ...]:
    shape = 'Write [{ up_to = 1500, price = "40.00" }, ...], the smallest first'
    rows = raw if isinstance(raw, list) and raw else []
    if not rows or not all(isinstance(one, dict) and set(one) == {"up_to", "price"} for one in rows):
        raise WrongValue(f"{raw!r} is not a list of bands", shape)
    bands = tuple((_count(one["up_to"]), _number(_MOST)(one["price"])) for one in rows)
    sizes = [size for size, _ in bands]
    if sizes != sorted(set(sizes)):
        raise WrongValue("the bands do not rise", shape)
    return bands


def read_strengths(raw: Any) -> tuple[tuple[str, Decimal], ...]:
    """The mg/L that a strength class is above, by parameter."""
    if not isinstance(raw, dict) or not raw:
        raise WrongValue(f"{raw!r} names no strengths", 'Write { bod = "300", tss = "350" }, in mg/L')
    return tuple((name, _number(_HUGE)(one)) for name, one in raw.items())


_text = parse  # a text or a flag needs nothing beyond its kind
_PARSERS: dict[str, Callable[[Any], Any]] = {
    "what": lambda raw: _text("text", raw),
    "reading": lambda raw: _text("text", raw),
    "note": lambda raw: _text("text", raw),
    "base": lambda raw: _text("flag", raw),
    "waste": _names,
    "origin": _names,
    "season": _season,
    "when": _some_of(TIMES),
    "point": _names,
    "metered": lambda raw: _text("flag", raw),
    "weighed": lambda raw: _text("flag", raw),
    "strength_class": _names,
    "price": _number(_MOST),
    "renewal": _number(_MOST),
    "at_least": _number(_MOST),
    "each": _count,
    "parts": _one_of(("exact", "started")),
    "over": _number(_HUGE),
    "up_to": _number(_HUGE, above=True),
    "basis": _some_of(BASES),
    "lb_per_gallon": _number(Decimal(100), above=True),
    "bands": _bands,
    "test": _names,
    "parameter": lambda raw: _text("text", raw),
    "above": _number(_HUGE),
    "lb_factor": _number(Decimal(100), above=True),
    "of": _names,
    "percent": _number(Decimal(1000)),
    "times": _number(Decimal(1000)),
    "role": lambda raw: _text("text", raw),
    "round_hours": _number(Decimal(24)),
    "min_hours": _number(Decimal(24)),
    "cost": lambda raw: _text("text", raw),
    "per": _one_of(("truck", "hauler")),
    "event": _one_of(EVENTS),
    "unit": lambda raw: _text("text", raw),
    "round_to": _step,
    "rounding": _one_of(("half_up", "up", "down")),
}


def wrong_together(kind: str, fields: dict[str, Any]) -> list[tuple[str, str, str]]:
    """(field, what is wrong, how to mend it) for fields that are each right, but not beside one another."""
    wrong = []
    if fields.get("each", 1) > 1 and "parts" not in fields:
        mend = 'Write parts = "exact" to charge a part by its share, or "started" to charge it as a whole one'
        wrong.append(("parts", "is missing", mend))
    if "weight" in fields.get("basis", ()) and "lb_per_gallon" not in fields:
        wrong.append(("lb_per_gallon", "is missing", "Write how many pounds a gallon weighs, in quotes"))
    if "up_to" in fields and fields["up_to"] <= fields.get("over", 0):
        wrong.append(("up_to", f"{fields['up_to']} is not more than over", "Write the larger bound in up_to"))
    if kind == "staff_hours" and ("role" in fields) == ("price" in fields):
        what = "stands beside price" if "role" in fields else "is missing"
        wrong.append(("role", what, "Name a role whose wage is dated, or write a price: one of the two"))
    if kind == "multiple" and len(fields.get("of", ())) > 1:
        wrong.append(("of", "names more than one item", "Name the one whose price is multiplied"))
    return wrong


def known_class(names: tuple[str, ...], classes: set[str]) -> list[str]:
    """The strength classes named that the schedule does not have."""
    return [name for name in names if name not in classes | {NORMAL}]
