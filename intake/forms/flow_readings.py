"""Forms of the daily flow: one day entered or corrected, and a plant's file taken in."""

from decimal import Decimal
from typing import Any

from wtforms import HiddenField

from intake.forms.flow_file import LIKE, UNITS, flow_of
from office.forms import ChoiceField, Date3Field, Form, TextField
from office.upload_fields import TABLE_ENDINGS, TABLE_HINT, ReadField

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


class ImportFlowForm(Form):
    """A plant's file, with what its columns do not tell."""

    file = ReadField("File of daily flow", TABLE_HINT, "Choose the file of flow", endings=TABLE_ENDINGS)
    unit = ChoiceField(
        "Unit of the flow", ((TOLD, "The name of the column tells it"), *UNIT_WORDS), default=TOLD,
        empty="Select the unit of the flow",
    )  # fmt: skip
    site = TextField("Site", "Only for a file that holds several: its name as it stands there", empty=None)


class TakeFlowForm(Form):
    """The rows a person has seen, signed, and the one button that takes them in."""

    readings = HiddenField()
