"""Forms of special times: ask, decide, what the plant enters for them, and how long one was supervised."""

from wtforms import HiddenField

from intake.forms.booking import MOST
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    Form,
    GallonsField,
    MoneyField,
    TextField,
    TilesField,
    TimeField,
)
from ordinances.refusal import Refusal

# Where a refusal of asking is said; what is not here stands above the form.
AT_FIELD = {
    "no_special_day": "day", "closed": "day", "past": "begins", "no_such_time": "begins", "inside_hours": "begins",
    "outside_work": "begins", "another_day": "begins", "no_room": "gallons", "too_big": "gallons",
    "allowance": "gallons", "limit": "gallons", "not_yours_to_bring": "day", "not_septage": "waste",
    "waste_not_covered": "waste", "truck": "truck", "truck_taken": "truck", "no_reason": "reason",
    "asked_before": "begins", "origin_missing": "origin",
}  # fmt: skip


class AskForm(Form):
    """Ask for a special time. ``shown`` is the charge in cents the page has shown ("none": it could not be quoted)."""

    shown = HiddenField(default="")
    day = Date3Field("Day", empty="Enter the day")
    begins = TimeField("Time to begin", hint="Like 2:00 p.m.", empty="Enter the time to begin")
    gallons = GallonsField("Gallons", max=MOST)
    truck = TilesField("Truck", empty="Select the truck", coerce=int)
    waste = ChoiceField("Kind of waste", empty="Select the kind of waste")
    origin = ChoiceField("Where the waste comes from", empty="Select where the waste comes from")
    reason = AreaField("Why it cannot come in the unloading hours", longest=1000, rows=3,
                       empty="Enter why the load cannot come in the unloading hours")  # fmt: skip

    def show_refusal(self, refusal: Refusal) -> None:
        """Put an act's refusal at its field, with the next step."""
        self.refuse(AT_FIELD.get(refusal.code), " ".join(filter(None, (refusal.why, refusal.next_step))))


class DecideForm(Form):
    """Decline with reason; approving needs nothing."""

    reason = AreaField("Reason, if you decline", hint="The hauler reads it", empty=None, longest=1000, rows=3)


class TermsForm(Form):
    """What the plant enters for special times, from a day on."""

    wage = MoneyField("Supervisor's wage, dollars an hour", empty=None)
    opens = TimeField("Normal working hours from", empty=None)
    closes = TimeField("Normal working hours to", empty=None)
    since = Date3Field("In force from", empty="Enter the day it takes effect")
    order = TextField("By which resolution or order", empty="Enter the resolution or order")


class SupervisedForm(Form):
    """From when to when a special time was supervised."""

    first = TimeField("Supervised from", empty="Enter from when it was supervised")
    last = TimeField("Supervised to", empty="Enter to when it was supervised")
