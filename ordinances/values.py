"""The kinds of value a row of the law may hold: read from TOML, written back, put into words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any, NamedTuple

from ordinances.counted import counted

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKEND = WEEKDAYS[5:]
WEEKDAY_WORDS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_WORDS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
SEVERITIES = ("reject", "ask", "warn")
_PLAIN_NUMBER = re.compile(r"\d+(\.\d+)?")
LIMIT_FIELDS = ("parameter", "below", "above", "unit", "severity")


class MonthDay(NamedTuple):
    """A day of every year, such as the last day of a filing window."""

    month: int
    day: int

    def on(self, year: int) -> date:
        return date(year, self.month, self.day)

    def __str__(self) -> str:
        return f"{self.month:02d}-{self.day:02d}"


@dataclass(frozen=True)
class Limit:
    """A limit on waste: what is measured or seen, from where on, and what follows from it."""

    parameter: str
    severity: str
    below: Decimal | None = None
    above: Decimal | None = None
    unit: str = ""


@dataclass(frozen=True)
class LowerRate:
    """A lower limit, whole gallons an hour, for part of a day, of a year, or of both; what is None has no bounds.

    Hours are [opens, closes) of the plant's wall clock; the days `first` to `last` count both and may pass New Year.
    """

    gph: int
    opens: time | None = None
    closes: time | None = None
    first: MonthDay | None = None
    last: MonthDay | None = None

    def on(self, day: date) -> bool:
        """Whether it holds on a day, for all of it or some of its hours."""
        if self.first is None or self.last is None:
            return True
        here = (day.month, day.day)
        if self.first <= self.last:
            return self.first <= here <= self.last
        return here >= self.first or here <= self.last


class WrongValue(ValueError):  # noqa: N818 - it names what is wrong with a value
    """A value that cannot be what its key needs: what is wrong, and what to write instead."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(f"{what}. {mend}")
        self.what = what
        self.mend = mend


def parse(kind: str, raw: Any, options: Collection[str] = ()) -> Any:
    """The Python value of what stands in a file; raises WrongValue."""
    if kind in ("choice", "choices"):
        return _choice(raw, options) if kind == "choice" else _choices(raw, options)
    return _PARSERS[kind](raw)


def to_raw(kind: str, value: Any) -> Any:
    """The value as it is written in TOML and in the canonical text."""
    if kind in {"money", "decimal"}:
        return str(value)
    if kind == "time":
        return f"{value:%H:%M}"
    if kind == "month_day":
        return str(value)
    if kind == "limit":
        fields = {name: getattr(value, name) for name in LIMIT_FIELDS}
        return {name: str(one) for name, one in fields.items() if one not in (None, "")}
    if isinstance(value, tuple):
        return [_raw_part(one) for one in value]
    return value


def _raw_part(one: Any) -> Any:
    if isinstance(one, LowerRate):
        return _lower_fields(one)
    return list(one) if isinstance(one, tuple) else one


def words(kind: str, value: Any, unit: str = "") -> str:
    """The value as a person reads it: "March 3", "6:15 a.m.", "$2.50", "Monday, Tuesday"."""
    if kind == "money":
        text = f"${value:.2f}" if value == round(value, 2) else f"${value}"
    elif kind == "integer":
        text = f"{value:,}"
    else:
        text = _WORDS.get(kind, str)(value)
    return f"{text} {unit}" if unit else text


def time_words(at: time) -> str:
    """A wall time: "6:15 a.m."."""
    half = "a.m." if at.hour < 12 else "p.m."
    return f"{(at.hour - 1) % 12 + 1}:{at.minute:02d} {half}"


def day_words(day: date) -> str:
    """A date in full: "Tuesday, October 6, 2026"."""
    return f"{WEEKDAY_WORDS[day.weekday()]}, {MONTH_WORDS[day.month - 1]} {day.day}, {day.year}"


def weekdays_words(days: Collection[str]) -> str:
    """A week's days: "Monday to Friday", or a list where they do not follow one another."""
    at = sorted(WEEKDAYS.index(day) for day in days)
    if len(at) > 2 and at == list(range(at[0], at[-1] + 1)):
        return f"{WEEKDAY_WORDS[at[0]]} to {WEEKDAY_WORDS[at[-1]]}"
    return ", ".join(WEEKDAY_WORDS[one] for one in at)


_MEASURED = {"ph": "pH", "temp_f": "temperature"}
_FOLLOWS = {
    "reject": "the load is refused",
    "ask": "{judge} is asked",
    "warn": "a warning is shown, and the load may be taken",
}


def _limit_words(limit: Limit) -> str:
    """What follows, after the measure where there is one; "{judge}" stands for who is asked: the law says it."""
    unit = f" {limit.unit}" if limit.unit else ""
    follows = _FOLLOWS[limit.severity]
    if limit.below is None and limit.above is None:
        return follows
    name = _MEASURED.get(limit.parameter, limit.parameter.replace("_", " "))
    bound = f"above {limit.above}" if limit.below is None else f"below {limit.below}"
    return f"{name} {bound}{unit}: {follows}"


def lower_words(one: LowerRate) -> str:
    """A lower limit as a person reads it: "90 gallons an hour from 6:00 a.m. to 7:30 a.m., May 1 to June 30"."""
    said = f"{counted(one.gph, 'gallon')} an hour"
    if one.opens is not None and one.closes is not None:
        said += f" from {time_words(one.opens)} to {time_words(one.closes)}"
    if one.first is not None and one.last is not None:
        first, last = (f"{MONTH_WORDS[day.month - 1]} {day.day}" for day in (one.first, one.last))
        said += f", {first} to {last}"
    return said


_WORDS: dict[str, Callable[[Any], str]] = {
    "month_day": lambda value: f"{MONTH_WORDS[value.month - 1]} {value.day}",
    "time": time_words,
    "weekdays": weekdays_words,
    "choice": lambda value: value.replace("_", " "),
    "choices": lambda value: ", ".join(one.replace("_", " ") for one in value),
    "names": lambda value: ", ".join(one.replace("_", " ") for one in value),
    "texts": "; ".join,
    "coded": lambda value: "; ".join(text for _, text in value),
    "flag": lambda value: "yes" if value else "no",
    "limit": _limit_words,
    "lower": lambda value: "; ".join(lower_words(one) for one in value),
}


def _number(raw: Any, example: str) -> Decimal:
    if isinstance(raw, float):
        raise WrongValue(f"{raw} is a TOML float, which cannot hold money or rates exactly", f'Write "{raw}" in quotes')
    if isinstance(raw, int) and not isinstance(raw, bool):
        raise WrongValue(f"{raw} stands without quotes", f'Write "{raw}" in quotes')
    if not isinstance(raw, str):
        raise WrongValue(f"{raw!r} is not a number in quotes", f'Write a number such as "{example}"')
    if raw.startswith("-"):
        raise WrongValue(f"{raw} is below zero", "Write zero or more")
    if not _PLAIN_NUMBER.fullmatch(raw):
        raise WrongValue(f"{raw!r} is not a plain number", f'Write digits and a point only, such as "{example}"')
    return Decimal(raw)


def _integer(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise WrongValue(f"{raw!r} is not a whole number", "Write a whole number without quotes, such as 20")
    if raw < 0:
        raise WrongValue(f"{raw} is below zero", "Write zero or more")
    return raw


def _month_day(raw: Any) -> MonthDay:
    mend = 'Write month and day of a day every year has, such as "03-31"'
    if not isinstance(raw, str) or not re.fullmatch(r"\d\d-\d\d", raw):
        raise WrongValue(f"{raw!r} is not a month and day", mend)
    month, day = int(raw[:2]), int(raw[3:])
    try:
        date(2001, month, day)  # not a leap year: the day must come every year
    except ValueError:
        raise WrongValue(f"{raw} is not a day of the calendar", mend) from None
    return MonthDay(month, day)


def _time(raw: Any) -> time:
    mend = 'Write hours and minutes of a day, such as "06:30"'
    if not isinstance(raw, str) or not re.fullmatch(r"\d\d:\d\d", raw):
        raise WrongValue(f"{raw!r} is not a time of day", mend)
    hour, minute = int(raw[:2]), int(raw[3:])
    if hour > 23 or minute > 59:
        raise WrongValue(f"{raw} is not an hour of the day", mend)
    return time(hour, minute)


def _strings(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(one, str) and one.strip() for one in raw):
        raise WrongValue(f"{raw!r} is not a list of words", 'Write a list such as ["one", "two"]')
    if len(set(raw)) != len(raw):
        raise WrongValue(f"{raw!r} names the same thing twice", "Name each once")
    return tuple(raw)


def _weekdays(raw: Any) -> tuple[str, ...]:
    days = _strings(raw)
    for day in days:
        if day not in WEEKDAYS:
            raise WrongValue(f"{day!r} is not a day of the week", f"Use {', '.join(WEEKDAYS)}")
    return days


def _choice(raw: Any, options: Collection[str]) -> str:
    if not isinstance(raw, str) or raw not in options:
        raise WrongValue(f"{raw!r} is not one of the choices", f"Write one of: {', '.join(options)}")
    return raw


def _choices(raw: Any, options: Collection[str]) -> tuple[str, ...]:
    return tuple(_choice(one, options) for one in _strings(raw))


def _flag(raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise WrongValue(f"{raw!r} is neither true nor false", "Write true or false without quotes")
    return raw


def _text(raw: Any) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise WrongValue(f"{raw!r} is not a text", 'Write the words in quotes, such as "..."')
    return raw


def _coded(raw: Any) -> tuple[tuple[str, str], ...]:
    pairs = [list(one) if isinstance(one, (list, tuple)) else [] for one in raw] if isinstance(raw, list) else []
    if not pairs or not all(len(one) == 2 and all(isinstance(word, str) and word for word in one) for one in pairs):
        raise WrongValue(f"{raw!r} is not a list of codes with their words", 'Write [["code", "the words"], ...]')
    return tuple((code, text) for code, text in pairs)


def _limit(raw: Any) -> Limit:
    shape = 'Write { parameter = "ph", below = "6.0", severity = "reject" }'
    if not isinstance(raw, dict) or not isinstance(raw.get("parameter"), str) or not raw["parameter"]:
        raise WrongValue(f"{raw!r} is not a limit", shape)
    unknown = sorted(set(raw) - set(LIMIT_FIELDS))
    if unknown:
        close = difflib.get_close_matches(unknown[0], LIMIT_FIELDS, n=1, cutoff=0.5)
        mend = f"Did you mean {close[0]}? {shape}" if close else shape
        raise WrongValue(f"a limit has no {', '.join(unknown)}", mend)
    if raw.get("severity") not in SEVERITIES:
        raise WrongValue(f"{raw.get('severity')!r} is not a severity", f"Write one of: {', '.join(SEVERITIES)}")
    if "below" in raw and "above" in raw:
        raise WrongValue("a limit is either below or above", "Write two rows under two keys")
    below = _number(raw["below"], "6.0") if "below" in raw else None
    above = _number(raw["above"], "9.0") if "above" in raw else None
    return Limit(raw["parameter"], raw["severity"], below, above, str(raw.get("unit", "")))


_LOWER_FIELDS = ("from", "to", "first", "last")
_LOWER_SHAPE = 'Write [{ from = "06:00", to = "07:30", gph = 90 }] or [{ first = "05-01", last = "06-30", gph = 90 }]'


def _lower(raw: Any) -> tuple[LowerRate, ...]:
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise WrongValue(f"{raw!r} is not a list of lower limits", _LOWER_SHAPE)
    return tuple(_lower_one(one) for one in raw)


def _lower_one(raw: dict[str, Any]) -> LowerRate:
    unknown = sorted(set(raw) - {"gph", *_LOWER_FIELDS})
    if unknown:
        raise WrongValue(f"a lower limit has no {', '.join(unknown)}", _LOWER_SHAPE)
    hours, days = {"from", "to"} & set(raw), {"first", "last"} & set(raw)
    if "gph" not in raw or len(hours) == 1 or len(days) == 1 or not hours | days:
        raise WrongValue(f"{raw!r} is not a whole lower limit", _LOWER_SHAPE)
    opens, closes = (_time(raw[one]) if hours else None for one in ("from", "to"))
    first, last = (_month_day(raw[one]) if days else None for one in ("first", "last"))
    if opens is not None and closes is not None and opens >= closes:
        raise WrongValue(
            f"a lower limit from {raw['from']} to {raw['to']} has no hours", "Write the later time after to"
        )
    return LowerRate(_integer(raw["gph"]), opens, closes, first, last)


def _lower_fields(one: LowerRate) -> dict[str, Any]:
    texts = {
        "from": f"{one.opens:%H:%M}" if one.opens else "", "to": f"{one.closes:%H:%M}" if one.closes else "",
        "first": str(one.first or ""), "last": str(one.last or ""),
    }  # fmt: skip
    return {name: text for name, text in texts.items() if text} | {"gph": one.gph}


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "money": lambda raw: _number(raw, "12.50"),
    "decimal": lambda raw: _number(raw, "0.25"),
    "integer": _integer,
    "month_day": _month_day,
    "time": _time,
    "weekdays": _weekdays,
    "flag": _flag,
    "text": _text,
    "names": _strings,
    "texts": _strings,
    "coded": _coded,
    "limit": _limit,
    "lower": _lower,
}
