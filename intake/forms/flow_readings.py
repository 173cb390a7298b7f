"""Forms of the daily flow: one day entered or corrected, and a plant's file taken in."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from werkzeug.datastructures import FileStorage
from wtforms import HiddenField

from intake.forms.flow_file import LIKE, UNITS, flow_of
from office.files import LIMIT, size_words
from office.forms import ChoiceField, Date3Field, Form, TextField, UploadField
from office.upload_fields import upload_of

UNIT_WORDS = (("gallons", "Gallons a day"), ("mgd", "Million gallons a day (MGD)"))
TOLD = "told"


class _FlowForm(Form):
    """A flow and its unit; ``value`` is whole gallons, or the words typed where none was measured."""

    value: int | str

    def validate(self, extra_validators: Any = None) -> bool:
        if not super().validate(extra_validators):
            return False
        typed, unit = self["flow"].data.replace("−", "-"), self["unit"].data
        try:
            self.value = flow_of(typed, unit)
        except ValueError:
            self.refuse("flow", f"Flow must be a number, like {LIKE[unit]}, or NODI where none was measured")
            return False
        if isinstance(self.value, int) and Decimal(typed.replace(",", "")) < 0:
            self.refuse("flow", "Flow must be 0 or more")
            return False
        if isinstance(self.value, int) and Decimal(typed.replace(",", "")) * UNITS[unit] != self.value:
            small = "Flow must be whole gallons, like 162,000. For a figure like 0.162 select million gallons a day"
            self.refuse("flow", small if unit == "gallons" else "Flow must have 6 digits or fewer after the point")
            return False
        return True


class EnterFlowForm(_FlowForm):
    """One day by hand."""

    day = Date3Field("Day", empty="Enter the day the flow was measured")
    flow = TextField("Flow", "NODI where none was measured", empty="Enter the flow", longest=40)
    unit = ChoiceField("Unit of the flow", UNIT_WORDS, default="gallons", empty="Select the unit of the flow")


class CorrectFlowForm(_FlowForm):
    """Another figure for a recorded day, and why."""

    flow = TextField("Right flow", "NODI where none was measured", empty="Enter the right flow", longest=40)
    unit = ChoiceField("Unit of the flow", UNIT_WORDS, default="gallons", empty="Select the unit of the flow")
    reason = TextField("Why it is corrected", "Kept in the history of this day", empty="Enter why it is corrected")


class TableField(UploadField):
    """A file of rows, CSV or XLSX; what is inside, its reader says."""

    def __init__(self, label: str, hint: str, empty: str, **kwargs: Any) -> None:
        super().__init__(label, hint, empty, **kwargs)
        self.render_kw = {"accept": ".csv,.txt,.xlsx"}

    def process_formdata(self, values: Sequence[Any]) -> None:
        self.data, self.typed, self.wrong = None, "", None
        found = next((one for one in values if isinstance(one, FileStorage) and one.filename), None)
        if found is None:
            return
        self.data = upload_of(found)
        self.typed = self.data.name
        if self.data.size > LIMIT:
            self.wrong = f"The file must be {size_words(LIMIT)} or smaller. {self.typed} has {self.data.words}"
        elif not self.data.size:
            self.wrong = f"The file {self.typed} is empty. Choose another"


class ImportFlowForm(Form):
    """A plant's file, with what its columns do not tell."""

    file = TableField(
        "File of daily flow", f"CSV, or XLSX as Excel saves it, up to {size_words(LIMIT)}", "Choose the file of flow"
    )
    unit = ChoiceField(
        "Unit of the flow", ((TOLD, "The name of the column tells it"), *UNIT_WORDS), default=TOLD,
        empty="Select the unit of the flow",
    )  # fmt: skip
    site = TextField("Site", "Only for a file that holds several: its name as it stands there", empty=None)


class TakeFlowForm(Form):
    """The rows a person has seen, signed, and the one button that takes them in."""

    readings = HiddenField()
