"""Forms of restricting and lifting. Nothing but the reason has to be given, and the reason is the button."""

from office.forms import AreaField, ChoiceField, Form, GallonsField

HOURS = (("1", "In 1 hour"), ("4", "In 4 hours"), ("12", "In 12 hours"), ("24", "In 24 hours"))

SCOPES = (("everything", "All unloading"), ("rate", "Only the gallons an hour"))
NEXT_UPDATE_HOURS = 4


class RestrictForm(Form):
    """Why are you restricting septage?"""

    reason = ChoiceField("Reason", empty="Select the reason")
    scope = ChoiceField("What is restricted", SCOPES, empty=None, default="everything")
    gph = GallonsField("Lower limit, gallons an hour", hint="Only when the gallons an hour are lowered", empty=None)
    hours = ChoiceField("Next update", HOURS, empty=None, default=str(NEXT_UPDATE_HOURS), coerce=int)
    note = AreaField("Note for haulers", empty=None, rows=3)


class UpdateForm(Form):
    """How does it stand?"""

    note = AreaField("What haulers should know", empty="Enter what haulers should know", rows=3)
    hours = ChoiceField("Next update", HOURS, empty=None, default=str(NEXT_UPDATE_HOURS), coerce=int)


class LiftForm(Form):
    """What was done?"""

    done = AreaField(
        "What was done to fix the problem",
        hint="The ordinance ends a restriction by what was done. Haulers and the public read this.",
        empty="Enter what was done to fix the problem",
    )
