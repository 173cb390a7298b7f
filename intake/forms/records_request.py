"""The form of a records request."""

from billing.forms import PickField, SpanForm
from office.forms import TextField


class RecordsForm(SpanForm):
    """Whose records of which days somebody asks for."""

    business = PickField("Hauler", coerce=int, empty="Select a hauler")
    asked_by = TextField("Who asks for them?", "It stays in the history", empty="Enter who asks for them", longest=200)
