"""Forms of the flow in force."""

from office.forms import Date3Field, Form, GallonsField, TextField, TickField


class FlowForm(Form):
    """Put a flow in force."""

    flow = GallonsField("Flow, gallons a day", word="Flow")
    since = Date3Field("In force from", empty="Enter the day it is in force from", word="The day it is in force from")
    order = TextField("Order or resolution", hint="Such as Director's order 12", empty="Enter the order that sets it")
    sure = TickField("Take these times away and tell the haulers")


class SettleForm(Form):
    """Say whether an odd reading is right: nothing to fill in, two buttons."""
