"""Forms of sampling: how often a hauler's loads are tested."""

from office.forms import AreaField, ChoiceField, Date3Field, Form, WholeField
from ordinances.testing_draw import EVERY, MOST_LOADS, ONE_IN, SHARE


class RuleForm(Form):
    """How often a hauler's loads are tested, from when, and why."""

    kind = ChoiceField("Which loads are tested?", (
        (EVERY, "Every load"), (ONE_IN, "One load in so many", "Drawn, so that nobody can foretell which"),
        (SHARE, "Some percent of the loads", "Drawn, so that nobody can foretell which"),
    ), empty="Select which loads are tested")  # fmt: skip
    figure = WholeField("How many?", "One load in how many, or how many percent. Blank for every load", word="Figure",
                        empty=None, max=MOST_LOADS)  # fmt: skip
    since = Date3Field("First day", empty="Enter the first day")
    reason = AreaField("Why?", "The hauler reads it in the letter", empty="Enter why", longest=2_000, rows=3)
