"""Forms of bottle labels."""

from office.forms import Form, TextField, WholeField


class PrintForm(Form):
    """How many sheets are printed ahead."""

    sheets = WholeField("How many sheets?", "30 labels a sheet", empty="Enter how many sheets", word="Sheets", min=1)


class ReprintForm(Form):
    """Which labels are printed again, and why."""

    first = WholeField("First number", empty="Enter the first number", min=1)
    last = WholeField("Last number", empty="Enter the last number", min=1)
    reason = TextField("Why are they printed again?", empty="Enter why they are printed again", longest=300)
