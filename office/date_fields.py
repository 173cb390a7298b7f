"""Form fields for a date (three boxes) and a time of the day."""

import calendar
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any

from wtforms.utils import unset_value

from office import formats
from office.fields import Plain, clean

MONTHS = {name.lower(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if n}
MONTHS["sept"] = 9


@dataclass(frozen=True)
class Box:
    """One of the three boxes as the page draws it; ``wrong`` when the error is about it."""

    id: str
    name: str
    label: str
    value: str
    wrong: bool


YEARS = (1900, 2100)


class Date3Field(Plain):
    """Month, day and year typed in three boxes; ``data`` datetime.date. ``after`` and ``until`` may be set later.

    A month may be written as a word. The boxes post as ``<name>-month``, ``<name>-day`` and ``<name>-year``.
    """

    kind = "date3"
    parts = ("month", "day", "year")

    def __init__(self, *args: Any, after: date | None = None, until: date | None = None, **kwargs: Any) -> None:
        self.after, self.until = after, until
        self.typed_parts: dict[str, str] = dict.fromkeys(self.parts, "")
        super().__init__(*args, **kwargs)

    @property
    def boxes(self) -> list[Box]:
        """The three boxes in reading order."""
        blame = self._blamed() if self.errors else set()
        return [
            Box(f"{self.id}-{p}", f"{self.name}-{p}", p.capitalize(), self.typed_parts[p], p in blame)
            for p in self.parts
        ]

    def answer(self) -> str:
        return "/".join(filter(None, self.typed_parts.values()))

    @property
    def target(self) -> str:
        blame = self._blamed()
        return f"{self.id}-{next(p for p in self.parts if p in blame)}"

    def _blamed(self) -> set[str]:
        missing = {p for p in self.parts if not self.typed_parts[p]}
        return missing or ({"year"} if self._year_is_short() else set(self.parts))

    def _year_is_short(self) -> bool:
        return not re.fullmatch(r"[0-9]{4}", self.typed_parts["year"])

    def process_data(self, value: date | None) -> None:
        self.data = value
        shown = (value.month, value.day, value.year) if value else ("", "", "")
        self.typed_parts = {part: str(n) for part, n in zip(self.parts, shown, strict=True)}

    def process(self, formdata: Any, data: Any = unset_value, extra_filters: Any = None) -> None:
        super().process(None, data, extra_filters)
        if formdata is not None:
            self._process_boxes(formdata)

    def _process_boxes(self, formdata: Mapping[str, str]) -> None:
        self.typed_parts = {part: clean(formdata.get(f"{self.name}-{part}", "")) for part in self.parts}
        self.raw_data = list(self.typed_parts.values())
        self.data, self.wrong = None, None
        if any(self.raw_data):
            try:
                self.data = self._read_boxes()
            except ValueError as said:
                self.wrong = str(said)

    def _read_boxes(self) -> date:
        missing = [f"a {part}" for part in self.parts if not self.typed_parts[part]]
        if missing:
            raise ValueError(f"{self.word} must include {' and '.join(missing)}")
        if self._year_is_short():
            raise ValueError(f"{self.word} must include a year of four digits, like 2026")
        month, day, year = (self.typed_parts[part] for part in self.parts)
        try:
            return date(int(year), MONTHS.get(month.lower().rstrip(".")) or int(month), int(day))
        except ValueError:
            raise ValueError(f"{self.word} must be a real date") from None

    def check(self, value: date) -> str | None:
        if not YEARS[0] <= value.year <= YEARS[1]:
            return f"{self.word} must have a year between {YEARS[0]} and {YEARS[1]}"
        if self.after and value <= self.after:
            return f"{self.word} must be after {formats.date_only(self.after)}"
        if self.until and value > self.until:
            return f"{self.word} must be {formats.date_only(self.until)} or earlier"
        return None


class TimeField(Plain):
    """A time of the day on the wall clock; ``data`` datetime.time. Without a.m. or p.m. the 24-hour clock is meant."""

    size = "short"
    like = "7:45 a.m."

    def read(self, typed: str) -> time:
        pattern = r"([0-9]{1,2})(?:[:.]?([0-9]{2}))?\s*(?:([ap])\.?\s?m\.?|(noon|midnight))?"
        found = re.fullmatch(pattern, typed.lower())
        if not found or not (found[2] or found[3] or found[4]):
            raise ValueError(f"{self.word} must be a time, like {self.like}")
        hour, minute, half = int(found[1]), int(found[2] or 0), found[3] or {"noon": "p", "midnight": "a"}.get(found[4])
        if minute > 59 or hour > 23 or (half and not 1 <= hour <= 12) or (found[4] and (hour, minute) != (12, 0)):
            raise ValueError(f"{self.word} must be a time, like {self.like}")
        return time(hour % 12 + (12 if half == "p" else 0) if half else hour, minute)

    def show(self, value: time) -> str:
        return formats.clock_time(value)
