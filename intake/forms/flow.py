"""Forms of the flow in force and of closing a day."""

from office.forms import ChoiceField, Date3Field, Form, GallonsField, TextField, TickField


class FlowForm(Form):
    """Put a flow in force."""

    flow = GallonsField("Flow, gallons a day", word="Flow")
    since = Date3Field("In force from", empty="Enter the day it is in force from", word="The day it is in force from")
    order = TextField("Order or resolution", hint="Such as Director's order 12", empty="Enter the order that sets it")
    sure = TickField("End the bookings listed and tell their haulers")


KINDS = (("closed", "Closed"), ("holiday", "A holiday the city keeps"), ("opened", "Open although closed by rule"))


class CloseForm(Form):
    """Put a day on the closure calendar."""

    day = Date3Field("Day", empty="Enter the day")
    kind = ChoiceField("What it is", choices=KINDS, default="closed", empty="Select what the day is")
    name = TextField("Name or reason", hint="Haulers and the public read this", empty="Enter the name or the reason")
    sure = TickField("End the bookings listed and tell their haulers")


class SettleForm(Form):
    """Say whether an odd reading is right: nothing to fill in, two buttons."""
