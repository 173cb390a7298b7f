"""Forms of booking: how much, when, cancel, and what a load would cost."""

from office.forms import ChoiceField, Form, GallonsField, TextField, TilesField
from ordinances.screening import WASTE_TYPES

WASTES = tuple(WASTE_TYPES.items())
MOST = 100_000


class PriceForm(Form):
    """Gallons and kind of waste, for the charge."""

    gallons = GallonsField("Gallons", max=MOST)
    waste = ChoiceField("Kind of waste", WASTES[:3], empty="Select the kind of waste", default=WASTES[0][0])


class LoadForm(Form):
    """How much will you bring? Trucks and the kinds of waste the approvals cover are set by the page."""

    truck = TilesField("Truck", empty="Select the truck", coerce=int)
    gallons = GallonsField("Gallons", hint="As much as the tank holds, unless you change it", max=MOST)
    waste = ChoiceField("Kind of waste", empty="Select the kind of waste")


class TimeForm(Form):
    """When will you unload? Only times that fit are among the choices."""

    time = ChoiceField("Choose a start time", empty="Select a time")


class ConfirmForm(Form):
    """Confirm what is shown: nothing to fill in."""


class CancelForm(Form):
    """Why a booking is cancelled, if the hauler likes to say."""

    reason = TextField("Reason", empty=None)
