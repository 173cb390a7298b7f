"""Forms of another version of the law: a file of it or its text, or other amounts in the one in force."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from office.forms import AreaField, Date3Field, Form, TextField
from office.number_fields import DecimalField_
from office.upload_fields import ReadField
from ordinances.amending import Amount

LONGEST = 200_000
MOST_DOLLARS, MOST_PERCENT = Decimal(100_000), Decimal(100)
BASIS = "Such as hours of staff, power and bills of the laboratory; haulers read it"


class _VersionForm(Form):
    """From when on a version holds, by what, and what its charges rest on."""

    since = Date3Field("In force from", "Tomorrow or later", empty="Enter the day it takes effect")
    resolution = TextField("By which resolution or ordinance", "With its number and day",
                           empty="Enter the resolution or ordinance")  # fmt: skip
    basis = AreaField("Which costs do its charges rest on?", BASIS,
                      empty="Enter the costs that its charges rest on", rows=3)  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for last in ("since", "resolution", "basis"):  # they stand last on the page, and so do their mistakes
            self._fields[last] = self._fields.pop(last)


class LawFileForm(_VersionForm):
    """The whole of a version, as a file or as text."""

    file = ReadField("File of the new version", "TOML, the whole ordinance with its charges", endings=".toml,.txt")
    text = AreaField("Or its text", "Paste it here when there is no file", empty=None, longest=LONGEST, rows=10)

    def validate(self, extra_validators: Any = None) -> bool:
        if not super().validate(extra_validators):
            return False
        if self["file"].data is None and not self["text"].data.strip():
            self.refuse("file", "Choose the file of the new version, or paste its text")
            return False
        return True

    @property
    def content(self) -> str:
        """The text that was sent; raises UnicodeDecodeError for a file that is none."""
        upload = self["file"].data
        return str(self["text"].data) if upload is None else str(upload.content.decode("utf-8-sig"))

    @property
    def name(self) -> str:
        """What its problems call it."""
        upload = self["file"].data
        return "the text" if upload is None else str(upload.name)


class TakeBackForm(Form):
    """Why a version is taken back before its day."""

    reason = AreaField("Why is it taken back?", "It stays on the record, and everybody who was told of it reads it",
                       empty="Enter why it is taken back", longest=500, rows=3)  # fmt: skip


class LawDayForm(Form):
    """The day on which something of a version happens."""

    since = Date3Field("From", empty="Enter the day it takes effect")


class PriceField(DecimalField_):
    """Dollars, parts of a cent too, as ordinances price a gallon; ``data`` Decimal."""

    before = "$"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, like="0.05", places=6, max=MOST_DOLLARS, **kwargs)

    def show(self, value: Any) -> str:
        return f"{Decimal(value):,f}"


class PercentField(DecimalField_):
    """Percent; ``data`` Decimal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, like="10", places=4, max=MOST_PERCENT, **kwargs)

    def show(self, value: Any) -> str:
        return f"{Decimal(value):,f}"


def amounts_form(amounts: Sequence[Amount]) -> Any:
    """A form with a field for each amount of the law in force, filled in; ``changed`` gives those that differ."""
    fields = {
        _field(one.name): (PercentField if one.unit else PriceField)(
            f"{one.title}{', percent' if one.unit else ''}", hint=one.cite, default=one.value,
            empty="Enter the amount, 0 for none",
        )
        for one in amounts
    }  # fmt: skip
    form: Any = type("AmountsForm", (_VersionForm,), fields)()
    form.changed = lambda: {
        one.name: form[_field(one.name)].data for one in amounts if form[_field(one.name)].data != one.value
    }
    form.amount_names = [_field(one.name) for one in amounts]
    return form


def _field(name: str) -> str:
    return "amount_" + "".join(one if one.isalnum() else "_" for one in name)
