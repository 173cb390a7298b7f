"""Forms of sampling: how often a hauler's loads are tested, and how its waste is sampled."""

from intake.queries.sampling_plan import PARTS
from office.forms import AreaField, ChoiceField, Date3Field, Form, TickField, WholeField
from ordinances.testing_draw import EVERY, MOST_LOADS, ONE_IN, SHARE


class RuleForm(Form):
    """How often a hauler's loads are tested, from when, and why."""

    kind = ChoiceField("Which loads are tested?", (
        (EVERY, "Every load"),
        (ONE_IN, "One load in so many", "Exactly one of each so many, at a place drawn anew each time"),
        (SHARE, "Some percent of the loads", "Each drawn by itself: one just tested says nothing of the next"),
    ), empty="Select which loads are tested")  # fmt: skip
    figure = WholeField("How many?", "One load in how many, or how many percent. Blank for every load", word="How many",
                        empty=None, max=MOST_LOADS)  # fmt: skip
    since = Date3Field("First day", empty="Enter the first day")
    reason = AreaField("Why?", "The hauler reads it in the letter", empty="Enter why", longest=2_000, rows=3)


class PlanForm(Form):
    """How a hauler's waste is sampled."""

    methods = AreaField("Methods", "How samples are taken and tested", empty="Enter methods", longest=2_000, rows=3)
    places = AreaField("Places", "Where samples are taken", empty="Enter places", longest=2_000, rows=2)
    times = AreaField("Times", "When, such as while the truck unloads", empty="Enter times", longest=1_000, rows=2)
    durations = AreaField("Durations", "Such as a grab sample, or over the whole load", empty="Enter durations",
                          longest=1_000, rows=2)  # fmt: skip
    frequencies = AreaField("Frequencies", "How often. Which loads are tested the Director says by letter",
                            empty="Enter frequencies", longest=1_000, rows=2)  # fmt: skip
    facility = AreaField("Testing facility", "Laboratory with its address and certification", longest=1_000, rows=2,
                         empty="Enter testing facility")  # fmt: skip
    access = AreaField("Access for the plant's laboratory", "How it gets to the place of sampling", empty=None,
                       longest=1_000, rows=2)  # fmt: skip
    preservation = AreaField("How samples are preserved", "Such as on ice, and for how long", empty=None,
                             longest=1_000, rows=2)  # fmt: skip

    def parts(self) -> dict[str, str]:
        """What was typed, by part."""
        return {name: str(self[name].data or "") for name, _ in PARTS}


class ApproveForm(Form):
    """From when a plan holds."""

    since = Date3Field("First day", empty="Enter the first day")
    note = AreaField("Note", "The hauler reads it in the letter", empty=None, longest=2_000, rows=2)
    sure = TickField("This one is to hold only until then")


class ReturnForm(Form):
    """Why a plan is returned."""

    reason = AreaField("What is to be changed?", "The hauler reads it in the letter",
                       empty="Enter what is to be changed", longest=2_000, rows=3)  # fmt: skip
