"""Forms of a laboratory's file: choosing it, and taking in what was shown."""

from wtforms import HiddenField

from office.forms import Form, TickField
from office.upload_fields import TABLE_ENDINGS, TABLE_HINT, ReadField


class ImportLabForm(Form):
    """A file as the laboratory, or a spreadsheet, saved it."""

    file = ReadField("The laboratory's file", TABLE_HINT, "Choose the laboratory's file", endings=TABLE_ENDINGS)


class TakeLabForm(Form):
    """The results a person has seen, signed, and the one button that takes them in."""

    results = HiddenField()
    sure = TickField("They are right as the laboratory has them")
