"""Forms beside a load at the gate: set an answer aside, refuse the rest, write where a refused load went."""

from wtforms import HiddenField

from intake.forms.station import MOST
from intake.states import REFUSAL_WORDS
from office.forms import AreaField, Date3Field, Form, GallonsField, TextField, TilesField

REASONS = tuple((one.value, words) for one, words in REFUSAL_WORDS.items())


class SetAsideForm(Form):
    """Why an answer of the gate is set aside for one load; ``code`` is the answer that was shown."""

    code = HiddenField()
    reason = AreaField("Why is it set aside?", "In words the hauler and the committee will read",
                       empty="Enter why it is set aside for this load", longest=500, rows=3)  # fmt: skip


class RestForm(Form):
    """What stays in the truck of a load that was taken in part, and why."""

    gallons = GallonsField("Gallons still in the truck", word="Gallons", max=MOST)
    code = TilesField("Why is the rest refused?", REASONS, empty="Select why the rest is refused")
    reason = AreaField("What was wrong", "In words the hauler will read", empty="Enter what was wrong", longest=500,
                       rows=3)  # fmt: skip


class ElsewhereForm(Form):
    """Where a refused load was taken, on which day, and who says so."""

    went_to = AreaField("Where did the load go?", "Name and place of the plant or field", empty="Enter where it went",
                        word="Where it went", longest=500, rows=3)  # fmt: skip
    went_on = Date3Field("On which day?", word="The day")
    signed_by = TextField("Who states it?", "First and last name, as a signature", empty="Enter who states it",
                          longest=200, autocomplete="name")  # fmt: skip
