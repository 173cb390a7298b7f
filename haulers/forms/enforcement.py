"""A review as it comes in and goes on."""

from haulers.forms.desk import METHODS
from haulers.states import REVIEW_OUTCOMES
from office.forms import AreaField, ChoiceField, Date3Field, Form, TextField


class ReviewForm(Form):
    """A request for review as it came in."""

    asked_on = Date3Field("Day it came in", empty="Enter the day it came in")
    asked_by = TextField("Who asked", word="who asked")
    words = AreaField("What was asked for", "In the words of the request.", empty="Enter what was asked for", rows=6)


class StepForm(Form):
    """The step a review waits for, done."""

    done_on = Date3Field("Done on", empty="Enter the day it was done")
    note = AreaField("What was done", "For the record.", empty=None, rows=3)


class RefundForm(Form):
    """The fee of a sustained appeal given back; its amount is what was received, so it is not typed."""

    method = ChoiceField("How it is given back", METHODS, word="how it is given back")
    reference = TextField("Check or card number", empty=None, longest=60)


class CloseForm(Form):
    """The outcome of a review."""

    outcome = ChoiceField("Outcome", [(key, words.capitalize()) for key, words in REVIEW_OUTCOMES.items()],
                          word="the outcome")  # fmt: skip
    on = Date3Field("Closed on", empty="Enter the day it was closed")
    words = AreaField("Outcome in words", "With its reason. The hauler reads this.", word="the outcome in words",
                      rows=4)  # fmt: skip
