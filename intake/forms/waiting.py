"""The form of the waiting list: the days wanted. An offer is answered by two buttons."""

from office.forms import Date3Field, Form


class DaysForm(Form):
    """From which day to which a load may wait."""

    first = Date3Field("First day", hint="Like 10 7 2026")
    last = Date3Field("Last day")
