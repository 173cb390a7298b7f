"""What a laboratory writes, read: `4200`, `4,200`, `<2`, `> 9000`, and `ND` with the limit it stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ordinances.refusal import Refusal
from ordinances.strength import BELOW, PARAMETERS, SU, Band, Parameter, outside

NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]{1,4})?"
NOT_FOUND = r"(?i)n\.?d\.?|not detected|bdl|<\s*(lod|loq|dl|mdl)"
# Characters: no result is longer, and what is longer takes the patterns below too long to read.
LONGEST = 60
EMPTY = "Enter the result, like 4,200 or <2"
NOT_A_NUMBER = "Result must be a number, like 4,200 or <2"
NOT_A_PH = "pH must be a number from 0 to 14, like 6.9"
NO_LIMIT = "Enter ND with its limit, like <2"
ABOVE_NOUGHT = "The limit after < or > must be above 0, like <2"
_UNITS = {"mg/L": ("mg/l", "ppm"), SU: ("su", "s.u.", "std", "ph")}


@dataclass(frozen=True)
class Reading:
    """A result as read: ``<``, ``>`` or no qualifier, and the figure in the unit of its test."""

    qualifier: str
    value: Decimal


def is_not_found(typed: str) -> bool:
    """Whether a laboratory says that nothing was found without saying from which limit on it would be."""
    return re.fullmatch(NOT_FOUND, typed.strip()) is not None


def read_result(typed: str, parameter: str = "BOD5", limit: str = "") -> Reading | Refusal:
    """Read a result. ``limit`` is the detection limit, typed, which ``ND`` stands for; without one it says too little.

    Refusals: empty, no_limit, unit, not_a_number, too_much.
    """
    test, text = PARAMETERS[parameter], typed.strip()
    if not text or len(text) > LONGEST:
        return _no_number(test) if text else Refusal("empty", EMPTY, "")
    if is_not_found(text):
        below = read_result(limit, parameter) if limit.strip() else None
        if isinstance(below, Reading) and below.value and below.qualifier in ("", BELOW):
            return Reading(BELOW, below.value)
        return below if isinstance(below, Refusal) else Refusal("no_limit", NO_LIMIT, "")
    unit = re.fullmatch(r"(.*?)\s*([a-zµμ%/][a-zµμ%/.]*)", text, re.IGNORECASE)
    if unit and unit[1] and re.fullmatch(rf"[<>]?\s*{NUMBER}", unit[1]):
        if not is_unit(unit[2], test):
            why = f"Enter the result in {test.unit}, not in {unit[2]}"
            return Refusal("unit", why, "")
        text = unit[1]
    found = re.fullmatch(rf"([<>]?)\s*({NUMBER})", text)
    if not found:
        return _no_number(test)
    return _in_range(Reading(found[1], Decimal(found[2].replace(",", ""))), found[2], test)


def _no_number(test: Parameter) -> Refusal:
    return Refusal("not_a_number", NOT_A_PH if test.unit == SU else NOT_A_NUMBER, "")


def limit_of(typed: str, parameter: str) -> Decimal | None:
    """A laboratory's limit of detection or quantitation in the unit of a test; None where it says no figure above 0."""
    found = read_result(typed.strip().removeprefix(BELOW), parameter) if typed.strip() else None
    return found.value if isinstance(found, Reading) and not found.qualifier and found.value else None


def is_estimate(qualifier: str, value: Decimal, lod: Decimal | None, loq: Decimal | None) -> bool:
    """Whether a result lies between the limits a laboratory states: found, but too little to be measured well."""
    return not qualifier and lod is not None and loq is not None and lod <= value < loq


def limits_wrong(reading: Reading, lod: Decimal | None, loq: Decimal | None) -> Refusal | None:
    """Why a result and the limits a laboratory states cannot be so together. Refusals: limits, below_limit."""
    if lod is not None and loq is not None and loq < lod:
        return Refusal("limits", f"The limit of quantitation, {loq:f}, is below that of detection, {lod:f}. Check "
                       "both", "")  # fmt: skip
    if lod is not None and not reading.qualifier and reading.value < lod:
        why = f"{reading.value:f} is below the limit of detection, {lod:f}. Enter it as <{lod:f}"
        return Refusal("below_limit", why, "")
    return None


def is_unit(words: str, test: Parameter) -> bool:
    """Whether these words are the unit of a test."""
    return words.casefold() in _UNITS[test.unit]


def unusual(waste: str, parameter: str, reading: Reading) -> Band | None:
    """The usual band a laboratory's result lies outside of; `<2` lies below a band that begins above 2."""
    band = outside(waste, parameter, reading.qualifier, reading.value)
    if band is not None or reading.qualifier != BELOW:
        return band
    # A limit within the band, or above it, leaves open where the result lies.
    below = outside(waste, parameter, "", reading.value)
    return below if below is not None and reading.value < below.low else None


def _in_range(reading: Reading, typed: str, test: Parameter) -> Reading | Refusal:
    if reading.value > test.most:
        why = f"Result must be {test.most:,} {test.unit} or less, not {typed}"
        return Refusal("too_much", NOT_A_PH if test.unit == SU else why, "")
    if reading.qualifier and reading.value == 0:
        return Refusal("no_limit", ABOVE_NOUGHT, "")
    return reading
