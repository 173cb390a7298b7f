"""The form of a hauler's own laboratory sheet."""

from office.forms import Form, TextField, UploadField


class SheetForm(Form):
    """One sheet, and what it says in a line."""

    file = UploadField("Laboratory sheet", empty="Choose the laboratory sheet")
    note = TextField("What it says, in a line", empty=None, longest=300)
