"""Receiving points: open one, set what it takes from a day on, approve a manhole in writing."""

from typing import Any

from intake.queries.places import MANY, Place
from intake.queries.point_met import Terms
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    Form,
    TextField,
    TickField,
    TicksField,
    TimeField,
    WholeField,
)
from ordinances.screening import WASTE_TYPES

KINDS = (("station", "Receiving station: straight into the sewer"),
         ("tank", "Receiving tank: trucks leave soon, a valve bleeds it into the sewer"),
         ("manhole", "Manhole, with written approval and under supervision"))  # fmt: skip
OPEN = (("open", "Open"), ("closed", "Closed"))


class PointForm(Form):
    """A place where trucks may unload."""

    name = TextField("Name of the point", hint="Like Receiving station, or Manhole at Third Street", longest=100)
    kind = ChoiceField("Kind", choices=KINDS, default="station", empty="Select the kind")


class TermsForm(Form):
    """What a point takes from a day on. A box left blank leaves it as the plant's hours and limit have it."""

    since = Date3Field("From which day?", empty="Enter the day it counts from", word="The day it counts from")
    name = TextField("Name of the point", longest=100)
    state = ChoiceField("Open or closed", choices=OPEN, default="open", empty="Select open or closed")
    opens = TimeField("Opens", hint="Blank: with the plant", empty=None)
    closes = TimeField("Closes", hint="Blank: with the plant", empty=None)
    trucks = WholeField("Trucks at once", hint="Blank: as many as the plant's limit lets in", empty=None, min=1,
                        max=100)  # fmt: skip
    max_gph = WholeField("Highest rate, gallons an hour", hint="All trucks there together. Blank: the plant's limit",
                         word="The highest rate", empty=None, min=1, max=1_000_000)  # fmt: skip
    changeover = WholeField("Minutes between two trucks", hint="To rinse and change the hose. Blank: none", empty=None,
                            max=240)  # fmt: skip
    wastes = TicksField("Waste it takes", choices=tuple(WASTE_TYPES.items()), empty="Select what the point takes")
    conditions = AreaField("Conditions", hint="Haulers read this when they book, on the slip and at the station",
                           empty=None, longest=1000, rows=3)  # fmt: skip
    sure = TickField("Take these times away and tell the haulers")

    def wanted(self) -> Terms:
        """The terms typed; every type ticked is every type there will be."""
        wastes = tuple(self.wastes.data)
        return Terms(
            self.state.data == "open", self.opens.data, self.closes.data, self.trucks.data, self.max_gph.data,
            self.changeover.data or 0, wastes=() if len(wastes) == len(WASTE_TYPES) else wastes,
            conditions=self.conditions.data or "",
        )  # fmt: skip


def filled(place: Place) -> dict[str, Any]:
    """A point as it is set, for its form."""
    rule = place.rule
    many = rule is None or rule.trucks >= MANY
    return {
        "name": place.name, "state": "open" if place.is_open else "closed", "opens": rule.opens if rule else None,
        "closes": rule.closes if rule else None, "trucks": None if many or rule is None else rule.trucks,
        "max_gph": rule.max_gph if rule else None, "changeover": rule.changeover or None if rule else None,
        "wastes": place.wastes or tuple(WASTE_TYPES),
        "conditions": place.conditions,
    }  # fmt: skip


class PermitForm(Form):
    """The written approval for a manhole (§ 329-7 D)."""

    hauler = ChoiceField("Which hauler?", empty="Select the hauler, or every hauler")
    words = AreaField("The approval, as it is written", hint="The hauler gets it in these words",
                      empty="Enter the approval in the words it is written in", longest=2000, rows=4)  # fmt: skip
    written_on = Date3Field("Written on", empty="Enter the day it was written", word="The day it was written")
    since = Date3Field("First day", empty="Enter the first day")
    until = Date3Field("Last day", empty="Enter the last day")


class EndPermitForm(Form):
    """Why an approval is taken back."""

    reason = AreaField("Why is it taken back?", empty="Enter why the approval is taken back", rows=2)
    sure = TickField("Take these times away and tell the haulers")
