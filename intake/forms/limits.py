"""Forms of the Director's own orders on the limit: one number, lower limits by part of day or season, a withdrawal."""

import re
from typing import Any

from office.date_fields import MONTHS
from office.forms import Date3Field, Form, Row, RowsField, TextField, TickField, TimeField, WholeField
from ordinances.values import LowerRate

SURE = "Take these times away and tell the haulers"
ORDER = "Such as Director's order 12"
LIKE = "May 1"
# Where a refusal of the act is said.
AT_FIELD = {
    "past": "since", "not_set": "since", "no_resolution": "order", "wrong_value": "value", "no_strength": "value",
}  # fmt: skip


class OrderForm(Form):
    """From when, by which order; the value comes with the kind."""

    since = Date3Field("In force from", empty="Enter the day it is in force from", word="The day it is in force from")
    order = TextField("Order", hint=ORDER, empty="Enter the order that sets it")
    sure = TickField(SURE)


class NumberForm(OrderForm):
    """An order that is one whole number. The label and its unit are set by the page."""

    value = WholeField("Value", min=1, empty="Enter the number", word="The number")

    def raw(self) -> Any:
        """The value as the law keeps it."""
        return self.value.data


class PartRow(Row):
    """One lower limit: gallons an hour, the hours, the first and last day of its season."""

    gph = WholeField("Gallons an hour", empty="Enter the gallons an hour, 0 for none", word="The gallons an hour")
    opens = TimeField("From", hint="Empty: all day", empty=None)
    closes = TimeField("Until", empty=None)
    first = TextField("First day of the season", hint=f"Like {LIKE}. Empty: all year", empty=None)
    last = TextField("Last day of the season", empty=None)


class LowerForm(OrderForm):
    """Lower limits for part of a day or a season."""

    parts = RowsField(PartRow, "Lower limits", "Lower limit")

    def validate(self, extra_validators: Any = None) -> bool:
        """Hours and season days come in pairs, and each part has one of them."""
        if not super().validate(extra_validators):
            return False
        for number, entry in enumerate(self.parts.entries, 1):
            wrong = part_wrong(entry.form)
            if wrong is not None:
                at = entry.form[wrong[0]]
                at.errors = [*at.errors, f"{self.parts.row} {number}: {wrong[1]}"]
                self.parts.errors = [*self.parts.errors, entry.form.errors]
        return not self.errors

    def raw(self) -> Any:
        """The parts as the law keeps them."""
        return [_raw(entry.form) for entry in self.parts.entries]

    def show(self, parts: tuple[LowerRate, ...]) -> None:
        """Fill in what is in force now."""
        while self.parts.entries:
            self.parts.pop_entry()
        for one in parts or (None,):
            self.parts.append_entry({} if one is None else {
                "gph": one.gph, "opens": one.opens, "closes": one.closes,
                "first": _words(one.first), "last": _words(one.last),
            })  # fmt: skip


class WithdrawForm(Form):
    """End an order from a day on."""

    since = Date3Field("Withdrawn from", empty="Enter the day it is withdrawn from",
                       word="The day it is withdrawn from")  # fmt: skip
    order = TextField("Order", hint=ORDER, empty="Enter the order that withdraws it")


def part_wrong(row: Any) -> tuple[str, str] | None:
    """The field and the sentence of what is wrong with one lower limit; None where nothing is."""
    if (row.opens.data is None) != (row.closes.data is None):
        return "closes", "Enter both times, or leave both empty for the whole day"
    if row.opens.data is not None and row.opens.data >= row.closes.data:
        return "closes", "The time until must be after the time from"
    for name in ("first", "last"):
        if row[name].data and month_day(row[name].data) is None:
            return name, f"Enter a month and a day, like {LIKE}"
    if bool(row.first.data) != bool(row.last.data):
        return "last", "Enter both days, or leave both empty for the whole year"
    if row.opens.data is None and not row.first.data:
        return "opens", "Enter hours or a season: for a lower limit at all times set the Director's own limit"
    return None


def month_day(typed: str) -> str | None:
    """ "May 1" as the law keeps it, "05-01"; None for what is no day of a year."""
    found = re.fullmatch(r"([A-Za-z]+)\.? +([0-9]{1,2})", typed.strip())
    month = MONTHS.get(found[1].lower()) if found else None
    if found is None or month is None or not 1 <= int(found[2]) <= _LENGTHS[month - 1]:
        return None
    return f"{month:02d}-{int(found[2]):02d}"


_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _raw(row: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"gph": row.gph.data}
    if row.opens.data is not None:
        made |= {"from": f"{row.opens.data:%H:%M}", "to": f"{row.closes.data:%H:%M}"}
    if row.first.data:
        made |= {"first": month_day(row.first.data), "last": month_day(row.last.data)}
    return made


def _words(day: Any) -> str:
    """A day of the year as it is typed."""
    if day is None:
        return ""
    name = next(name for name, number in MONTHS.items() if number == day.month)
    return f"{name.capitalize()} {day.day}"
