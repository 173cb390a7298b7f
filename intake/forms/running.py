"""Forms of a truck that unloads: pause, go on, another rate, more than logged, everything stopped."""

from intake.forms.station import MOST, WHY_KEPT, StartField, StationForm
from intake.queries.pieces import FASTEST
from office.forms import GallonsField, TextField

OUT = "How many gallons are out this morning?"
BY_RATE = "By the rate until now. Change it where the meter says something else."


class PauseForm(StationForm):
    """What came out until now, and why where it matters."""

    gallons = GallonsField(OUT, BY_RATE, word="Gallons", min=0, max=MOST)
    reason = TextField("Why is it paused?", empty=None, longest=300, autocomplete="off")


class ResumeForm(StationForm):
    """Go on: what was out when it paused, and a later time where it does not fit now."""

    gallons = GallonsField(OUT, "As it was paused. Change it where the meter says something else.", word="Gallons",
                           min=0, max=MOST)  # fmt: skip
    start = StartField("It goes on later", empty=None)


class RateForm(StationForm):
    """The rate a gauge shows."""

    rate = GallonsField("Gallons an hour, as measured", word="The rate", max=FASTEST)
    gallons = GallonsField(OUT, BY_RATE, word="Gallons", min=0, max=MOST)


class MoreForm(StationForm):
    """More than was logged."""

    more = GallonsField("How many gallons more than logged?", word="Gallons", max=MOST)
    gallons = GallonsField(OUT, "Leave it empty where the meter says nothing: then the rate counts.", empty=None,
                           word="Gallons", min=0, max=MOST)  # fmt: skip
    reason = TextField(WHY_KEPT, empty=None, longest=300, autocomplete="off")


class StopAllForm(StationForm):
    """Why everything is stopped."""

    reason = TextField("Why is everything stopped?", empty="Enter why everything is stopped", longest=300,
                       autocomplete="off")  # fmt: skip


class SettledForm(StationForm):
    """What the Director did about a rate above the hard limit."""

    done = TextField("What was done?", empty="Enter what was done", longest=500, autocomplete="off")
