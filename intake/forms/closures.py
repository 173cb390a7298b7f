"""Forms of the closure calendar: one day, a day taken off, a year's holidays as the city lists them."""

import re
from datetime import date, time
from typing import Any

from office.date_fields import MONTHS
from office.forms import AreaField, ChoiceField, Date3Field, Form, TextField, TickField, TimeField

KINDS = (
    ("closed", "Closed", "All day, or the hours below"), ("holiday", "A holiday the city keeps"),
    ("opened", "Open although closed by rule"),
)  # fmt: skip
SURE = "Take these times away and tell the haulers"
PART = "Only when part of the day is closed"
LIKE = "November 26, 2026 Thanksgiving Day"
# Where a refusal of the act is said.
AT_FIELD = {"past": "day", "not_open": "day", "unchanged": "name", "day_taken": "day", "no_name": "name",
            "wrong_part": "shut_until", "no_reason": "reason"}  # fmt: skip


class ClosureForm(Form):
    """A day of the calendar, new or changed."""

    day = Date3Field("Day", empty="Enter the day")
    kind = ChoiceField("What it is", choices=KINDS, default="closed", empty="Select what the day is")
    shut_from = TimeField("Closed from", hint=PART, empty=None)
    shut_until = TimeField("Closed until", empty=None)
    name = TextField("Name or reason", hint="Haulers and the public read this", empty="Enter the name or the reason")
    sure = TickField(SURE)

    def validate(self, extra_validators: Any = None) -> bool:
        """Both hours or neither, of a closed day only, the second after the first."""
        if not super().validate(extra_validators):
            return False
        first, last = self.shut_from.data, self.shut_until.data
        if (first is None) != (last is None):
            missing = "shut_until" if last is None else "shut_from"
            self.refuse(missing, "Enter both times, or leave both empty for the whole day")
        elif first is not None and last is not None and first >= last:
            self.refuse("shut_until", "The time it is closed until must be after the time it is closed from")
        elif first is not None and self.kind.data != "closed":
            self.refuse("shut_from", "Only a closed day has closed hours: select Closed, or leave both times empty")
        return not self.errors

    @property
    def shut(self) -> tuple[time, time] | None:
        """The hours of a closure of part of the day."""
        both = self.shut_from.data, self.shut_until.data
        return (both[0], both[1]) if both[0] is not None and both[1] is not None else None


class RemoveForm(Form):
    """A day taken off the calendar."""

    reason = TextField("Why the day is taken off", empty="Enter why the day is taken off the calendar")
    sure = TickField(SURE)


class HolidaysForm(Form):
    """A year's holidays, a line each."""

    days = AreaField("Holidays, one on each line", hint=f"The date, then the name, like {LIKE}", empty=None, rows=12)
    sure = TickField(SURE)
    found: dict[date, str]

    def validate(self, extra_validators: Any = None) -> bool:
        """Every line a date and a name; no day twice. Each line that is wrong is named."""
        if not super().validate(extra_validators):
            return False
        self.found = {}
        for number, line in enumerate((self.days.data or "").splitlines(), 1):
            read = read_line(line) if line.strip() else None
            if read is not None and read[0] not in self.found:
                self.found[read[0]] = read[1]
            elif read is not None:
                self.refuse("days", f"Line {number}: that day is listed twice")
            elif line.strip():
                self.refuse("days", f"Line {number}: enter the date with its year, then the name, like {LIKE}")
        if not self.found and not self.errors:
            self.refuse("days", f"Enter at least one holiday, like {LIKE}")
        return not self.errors


def read_line(line: str) -> tuple[date, str] | None:
    """A date and a name: "November 26, 2026 Thanksgiving Day", "11/26/2026: ...", "2026-11-26 ..."; None else."""
    parts = r"(?:(?P<word>[A-Za-z]+)\.? +(?P<a>[0-9]{1,2}),? +(?P<b>[0-9]{4})|(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})/" \
            r"(?P<y>[0-9]{4})|(?P<iso>[0-9]{4}-[0-9]{2}-[0-9]{2}))[ ,:;\t-]+(?P<name>.*[^ ].*)"  # fmt: skip
    match = re.fullmatch(parts, line.strip())
    if match is None:
        return None
    day = _day(match.groupdict())
    return (day, match["name"].strip()) if day is not None else None


def _day(found: dict[str, Any]) -> date | None:
    try:
        if found["iso"]:
            return date.fromisoformat(found["iso"])
        if found["word"]:
            return date(int(found["b"]), MONTHS[found["word"].lower()], int(found["a"]))
        return date(int(found["y"]), int(found["m"]), int(found["d"]))
    except (ValueError, KeyError):
        return None
