"""Forms of booking: how much, when, cancel, and what a load would cost."""

from datetime import date
from typing import Any

from intake.forms.kinds import MOST, OtherChoices, offer
from office.forms import (
    ChoiceField,
    DecimalField_,
    Form,
    GallonsField,
    TextField,
    TickField,
    TilesField,
    TimeField,
    WholeField,
)
from ordinances.rows import Law
from ordinances.schedule_law import schedule_of
from ordinances.schedule_words import asks_for, asks_more
from ordinances.screening import WASTE_TYPES

WASTES = tuple(WASTE_TYPES.items())
MOST_POUNDS, MOST_YARDS = 1_000_000, 1_000
WHOLE = "all"


class PriceForm(OtherChoices):
    """Gallons and kind of waste, and whatever else the charges of the schedule hang on, for the charge."""

    gallons = GallonsField("Gallons", max=MOST)
    capacity = GallonsField("Gallons the tank holds", max=MOST)
    metered = TickField("The gallons are those of an approved meter")
    pounds = WholeField("Pounds by the scale", "Net: full less empty. Leave it empty where it is not weighed",
                        empty=None, max=MOST_POUNDS)  # fmt: skip
    cubic_yards = DecimalField_("Cubic yards", "Where the load is charged by them", empty=None, places=2,
                                max=MOST_YARDS)  # fmt: skip
    after_hours = TickField("It is unloaded outside the unloading hours")
    waste = ChoiceField("Kind of waste", WASTES[:3], empty="Select the kind of waste", default=WASTES[0][0])
    origin = ChoiceField("Where the waste comes from", empty="Select where the waste comes from")
    point = ChoiceField("Where it is unloaded", empty="Select where it is unloaded")

    def known(self) -> dict[str, Any]:
        """What ``for_load`` is told besides gallons and waste."""
        names = ("capacity", "origin", "metered", "pounds", "cubic_yards", "point", "after_hours")
        known = {name: self[name].data for name in names if name in self}
        known["measured"] = bool(known.get("metered"))
        return known | {"others": self.others()}


def price_form(law: Law, day: date, answers: Any) -> PriceForm:
    """The form of a law on a day: it asks only what the schedule charges by."""
    form = PriceForm(answers, meta={"csrf": False})
    if law.has("approval.covers", day):
        form.waste.choices = [(name, WASTE_TYPES[name]) for name in law.value("approval.covers", day)]
    schedule, asked = schedule_of(law), asks_for(law, day) | asks_more(law, day)
    form.origin.choices = [(name, name.replace("_", " ").capitalize()) for name in schedule.origins]
    form.point.choices = [(name, name.replace("_", " ").capitalize()) for name in schedule.points]
    offer(form, law, day)
    for name in {"capacity", "origin", "metered", "pounds", "cubic_yards", "point", "after_hours"} - asked:
        del form[name]
    return form


class LoadForm(Form):
    """How much will you bring? Trucks and the kinds of waste the approvals cover are set by the page."""

    truck = TilesField("Truck", empty="Select the truck", coerce=int)
    gallons = GallonsField("Gallons", hint="As much as the tank holds, unless you change it", max=MOST)
    waste = ChoiceField("Kind of waste", empty="Select the kind of waste")
    where = ChoiceField("Where?", default="any", empty="Select where you unload")
    driver = ChoiceField("Who drives?", empty="Select who drives, or that it is not known yet")


class TimeForm(Form):
    """When will you unload? Only times that fit are among the choices."""

    time = ChoiceField("Choose a start time", empty="Select a time")


class StartForm(Form):
    """Another start than those listed."""

    start = TimeField("Another start", hint="Like 7:05 a.m.", empty="Enter a start time")


class ConfirmForm(Form):
    """Confirm what is shown: nothing to fill in."""


class CancelForm(Form):
    """What is cancelled (a load split over mornings may give up one of them), and why, if they like to say."""

    part = ChoiceField("What do you cancel?", empty="Select what you cancel")
    reason = TextField("Reason", empty=None)


class PartForm(Form):
    """Which time of a split load moves."""

    part = ChoiceField("What do you move?", empty="Select what you move")


class DriverForm(Form):
    """Who drives a booked load; the page sets the company's drivers."""

    driver = ChoiceField("Who drives?", empty="Select who drives, or that it is not known yet")


class NoShowForm(Form):
    """That nobody came, with a note if there is something to say."""

    note = TextField("Note", hint="For the record, like: called twice, no answer", empty=None)
