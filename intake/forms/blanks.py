"""Forms of blank tickets: print some, mark one spoiled."""

from office.forms import AreaField, Form, WholeField


class IssueForm(Form):
    """How many blank tickets to print."""

    count = WholeField("How many blank tickets?", "Two fit on a page", word="How many", empty="Enter how many")


class SpoilForm(Form):
    """Why a blank ticket is not used any more."""

    reason = AreaField("Why is it not used?", "Like: torn, printed twice", empty="Enter why it is not used",
                       longest=300, rows=2)  # fmt: skip
