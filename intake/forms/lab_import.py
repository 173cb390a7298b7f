"""Forms of a laboratory's file: choosing it, and taking in what was shown."""

from wtforms import HiddenField

from intake.forms.flow_readings import TableField
from office.files import LIMIT, size_words
from office.forms import Form, TickField


class ImportLabForm(Form):
    """A file as the laboratory, or a spreadsheet, saved it."""

    file = TableField(
        "The laboratory's file", f"CSV, or XLSX as Excel saves it, up to {size_words(LIMIT)}",
        "Choose the laboratory's file",
    )  # fmt: skip


class TakeLabForm(Form):
    """The results a person has seen, signed, and the one button that takes them in."""

    results = HiddenField()
    sure = TickField("They are right as the laboratory has them")
