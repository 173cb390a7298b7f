"""Opening a receiving point."""

from office.forms import ChoiceField, Form, TextField

KINDS = (("station", "Receiving station"), ("manhole", "Manhole, with written approval and under supervision"))


class PointForm(Form):
    """A place where trucks may unload."""

    name = TextField("Name of the point", hint="Like Receiving station, or Manhole at Third Street", longest=100)
    kind = ChoiceField("Kind", choices=KINDS, default="station", empty="Select the kind")
