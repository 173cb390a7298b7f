"""Forms of restricting and lifting. Nothing but the reason has to be given, and the reason is the button."""

from intake.queries.restriction_words import Asked
from office.forms import AreaField, ChoiceField, Form, GallonsField, TicksField

HOURS = (("1", "In 1 hour"), ("4", "In 4 hours"), ("12", "In 12 hours"), ("24", "In 24 hours"))

SCOPES = (
    ("everything", "All unloading"), ("types", "Some types of waste"), ("points", "Some receiving points"),
    ("rate", "Only the gallons an hour"),
)  # fmt: skip
# Where a refusal of the act is said.
AT_FIELD = {"rate_not_lower": "gph", "no_types": "wastes", "no_points": "points", "unknown_reason": "scope"}
NEXT_UPDATE_HOURS = 4


class RestrictForm(Form):
    """Why are you restricting septage?"""

    reason = ChoiceField("Reason", empty="Select the reason")
    scope = ChoiceField("What is restricted", SCOPES, empty=None, default="everything")
    wastes = TicksField("Types of waste", hint="Only when some types are stopped", empty=None)
    points = TicksField("Receiving points", hint="Only when some points are shut", empty=None, coerce=int)
    gph = GallonsField("Lower limit, gallons an hour", hint="Only when the gallons an hour are lowered", empty=None)
    hours = ChoiceField("Next update", HOURS, empty=None, default=str(NEXT_UPDATE_HOURS), coerce=int)
    note = AreaField("Note for haulers", empty=None, rows=3)

    def asked(self) -> Asked:
        """What is restricted: of the parts only those of the scope count, but a limit typed is never passed over."""
        scope = self.scope.data or "everything"
        return Asked(
            scope, self.gph.data, tuple(self.wastes.data if scope == "types" else ()),
            tuple(sorted(self.points.data)) if scope == "points" else (),
        )  # fmt: skip


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
