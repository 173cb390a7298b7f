"""Forms of findings on waste: what was found and what follows, what the Council said, why one ends."""

from intake.states import COSTS_PER
from office.forms import AreaField, ChoiceField, Date3Field, Form, GallonsField, MoneyField, TicksField
from ordinances.screening import WASTE_TYPES

MOST_GPH = 100_000
AT_FIELD = {"waste": "waste", "no_facts": "facts", "outcomes": "outcomes", "pretreatment": "pretreatment", "gph": "gph",
            "cents": "cost", "cost_per": "cost_per", "since": "since", "until": "until", "no_words": "words",
            "on": "on", "no_reason": "reason"}  # fmt: skip


class FindingForm(Form):
    """What was found of a hauler's waste, and what is to follow."""

    waste = ChoiceField("Type of waste", tuple(WASTE_TYPES.items()), empty="Select the type of waste")
    facts = AreaField("What was found?", "Quantities, flows, what it may harm. The hauler reads it in the letter",
                      empty="Enter what was found", longest=4_000, rows=4)  # fmt: skip
    outcomes = TicksField("What is to follow?", empty="Select what is to follow")
    pretreatment = AreaField("What must be done first?", "For pretreatment", empty=None, longest=2_000, rows=2)
    gph = GallonsField("Highest rate, gallons an hour", "For control of the rate", empty=None, word="Rate",
                       max=MOST_GPH)  # fmt: skip
    cost = MoneyField("Added cost", "For payment. Charged once the Common Council has adopted it", empty=None)
    cost_per = ChoiceField("The added cost is for each", tuple((one, one.capitalize()) for one in COSTS_PER),
                           empty=None)  # fmt: skip
    since = Date3Field("First day", empty="Enter the first day")
    until = Date3Field("Last day", "Empty: until it is ended", empty=None)


class CouncilForm(Form):
    """What the Common Council said."""

    adopted = ChoiceField("What did the Common Council do?", (("yes", "Adopted it"), ("no", "Declined it")),
                          empty="Select what the Common Council did")  # fmt: skip
    on = Date3Field("On", empty="Enter the day")
    words = AreaField("The resolution, with its number", empty="Enter the resolution, with its number", longest=2_000,
                      rows=2)  # fmt: skip


class EndForm(Form):
    """Why a finding ends."""

    reason = AreaField("Why does it end?", "The hauler reads it", empty="Enter why it ends", longest=2_000, rows=2)
