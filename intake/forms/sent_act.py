"""The forms of what is done without network to loads in the books: pause, resume, stop, another rate, a signature;
everything stopped at once."""

from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import HiddenField

from intake.forms.station import MOST, StationForm
from intake.queries.pieces import FASTEST
from office.forms import AreaField, GallonsField, TextField, TilesField

WHAT = (("pause", "Pause"), ("resume", "Resume"), ("stop", "Stop"), ("rate", "Another rate"), ("more", "More gallons"),
        ("sign", "Driver signs"))  # fmt: skip


class LateAct(StationForm):
    """What was done to the load that ``of`` names by its ticket or slip; ``gallons`` None are those by the rate."""

    of = TextField("Ticket or slip", empty="Enter the ticket or slip of the load", longest=30, autocomplete="off")
    act = TilesField("What was done?", WHAT, empty="Select what was done")
    gallons = GallonsField("Gallons out today", "Empty: by the rate", empty=None, word="Gallons", min=0, max=MOST)
    rate = GallonsField("Gallons an hour, as measured", word="The rate", empty=None, max=FASTEST)
    more = GallonsField("Gallons more than logged", word="Gallons", empty=None, max=MOST)
    reason = TextField("Why?", empty=None, longest=300, autocomplete="off")
    driver = TextField("Driver", empty=None, longest=100, autocomplete="off")
    places = AreaField("Where did the load come from?", empty=None, longest=1_000, rows=2)
    strokes = HiddenField()
    paper = HiddenField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Needed for some of it: the page shows them there, and the label does not call them optional.
        self.rate.optional = self.more.optional = self.driver.optional = False

    def validate(self, extra_validators: Any = None) -> bool:
        """True when it can be read, and what that act cannot be without is there."""
        good = super().validate(extra_validators)
        if good and self.act.data == "stop" and not self.reason.data:
            self.reason.errors = ["Enter why the truck is stopped"]
        if good and self.act.data == "rate" and self.rate.data is None:
            self.rate.errors = ["Enter the rate, like 600"]
        if good and self.act.data == "more" and self.more.data is None:
            self.more.errors = ["Enter how many gallons more, like 200"]
        return good and not (self.reason.errors or self.rate.errors or self.more.errors)

    def values(self) -> dict[str, Any]:
        """What is registered of it."""
        words = ("reason", "driver", "places", "strokes", "paper")
        typed = {name: (self[name].data or "").strip() for name in words}
        return {"of": (self.of.data or "").strip(), "act": self.act.data, "gallons": self.gallons.data,
                "rate": self.rate.data, "more": self.more.data} | typed  # fmt: skip


class SentAct(LateAct):
    """The same as a tablet sent it: without token, read from what came."""

    class Meta(LateAct.Meta):
        csrf = False

    def __init__(self, sent: MultiDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(formdata=sent, **kwargs)


class LateStop(StationForm):
    """Everything was stopped at once; ``reason`` "" where nothing was typed."""

    reason = TextField("Why is everything stopped?", empty=None, longest=300, autocomplete="off")

    def values(self) -> dict[str, Any]:
        """What is registered of it."""
        return {"reason": (self.reason.data or "").strip()}


class SentStop(LateStop):
    """The same as a tablet sent it."""

    class Meta(LateStop.Meta):
        csrf = False

    def __init__(self, sent: MultiDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(formdata=sent, **kwargs)
