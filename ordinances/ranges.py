"""Within which bounds a number of the law can be true at all: a flow above nought, a share up to the whole, pH 0 to 14.

The bounds are wide: they keep out a slip of the pen and what a calendar or a plant cannot hold, not a strict council.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Any

from ordinances.schema import Key
from ordinances.values import Limit, WrongValue


@dataclass(frozen=True)
class Range:
    """From `low` (itself allowed unless `above`) to `high`, which is allowed."""

    low: int
    high: int
    above: bool = False

    def check(self, value: int | Decimal, unit: str) -> None:
        """Raises WrongValue for a number outside."""
        if self.low < value <= self.high or (value == self.low and not self.above):
            return
        start = f"more than {self.low} and up to" if self.above else f"{self.low} to"
        which = "low" if value <= self.low else "high"
        raise WrongValue(f"{value} is too {which}", f"Write {start} {self.high:,}{f' {unit}' if unit else ''}")


_MONEY = Range(0, 100_000)
_CENT = Decimal("0.01")
# Prices of what is measured may hold parts of a cent; the charge is rounded once, when it is reckoned.
_MEASURED = ("a gallon", "a pound")
_LOWER = Range(0, 100_000_000)  # nought too: for that part nothing is unloaded
_TEMPERATURE = Range(0, 212)
# By the unit of a key, so that a key added later has its bounds too.
UNITS: dict[str, Range] = {
    "gallons a day": Range(1, 1_000_000_000),
    "gallons an hour": Range(1, 100_000_000),
    "percent": Range(0, 100, above=True),
    "hours": Range(0, 168),
    "minutes": Range(0, 1_440),
    "working days": Range(0, 60),
    "of the month": Range(1, 31),
    "days": Range(1, 366),
    "months": Range(1, 24),
    "years": Range(1, 100),
    "times the average of a day": Range(1, 1_000),
    "mg/L": Range(0, 1_000_000, above=True),
    "pounds per gallon": Range(0, 100, above=True),
    "pounds a day": Range(1, 10_000_000),
    "horsepower": Range(0, 1_000, above=True),
    "°F": _TEMPERATURE,
}
_PARAMETERS = {"ph": Range(0, 14), "temp_f": _TEMPERATURE}


def check_range(key: Key, value: Any) -> None:
    """Raises WrongValue where a number, or the bound of a limit on waste, cannot be true."""
    if key.type == "money":
        _MONEY.check(value, "dollars")
    elif key.type in ("integer", "decimal"):
        UNITS[key.unit].check(value, key.unit)
    elif key.type == "lower":
        for one in value:
            _LOWER.check(one.gph, "gallons an hour")
    elif isinstance(value, Limit):
        bounds = _PARAMETERS.get(value.parameter) or UNITS.get(value.unit)
        for bound in (value.below, value.above):
            if bound is not None and bounds is not None:
                bounds.check(bound, value.unit)


def check_cents(key: Key, value: Any) -> None:
    """Raises WrongValue for parts of a cent in what is charged by the piece."""
    if key.type != "money" or value is None or key.unit in _MEASURED or value == round(value, 2):
        return
    low = value.quantize(_CENT, ROUND_DOWN)
    what = f"{value} is not whole cents, and {key.unit} is charged in cents"
    raise WrongValue(what, f"Write {low} or {low + _CENT}")
