"""The form of a truck turned away without network: the station's own fields, and of which load it is the rest."""

from typing import Any

from werkzeug.datastructures import MultiDict

from intake.forms.station import MOST, RefuseForm
from office.forms import GallonsField, TextField

AS_A_LOAD = "Log the gallons that were unloaded as a load, then refuse the rest"
NEEDS_OUT = "Enter how many gallons were unloaded, 0 if none"


class LateRefusal(RefuseForm):
    """A refusal that is told later. ``of`` names the load by its ticket or slip where a part of it was unloaded:
    ``out`` gallons until then, and ``left`` stay in the truck; "" for a truck of which nothing was."""

    gallons = GallonsField("Gallons unloaded", empty=None, min=0, max=MOST)
    of = TextField("Ticket or slip of that load", empty=None, longest=30, autocomplete="off")
    out = GallonsField("Gallons unloaded", empty=None, min=0, max=MOST)
    left = GallonsField("Gallons still in the truck", empty=None, max=MOST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Needed where a part was unloaded: the page shows them there, and the label does not call them optional.
        self.of.optional = self.out.optional = self.left.optional = False

    def validate(self, extra_validators: Any = None) -> bool:
        """True when it can be read, and of the rest of a load it says what was unloaded."""
        good = super().validate(extra_validators)
        if good and self.of.data and self.out.data is None:
            self.out.errors = [NEEDS_OUT]
        if good and self.gallons.data and not self.of.data:
            self.gallons.errors = [AS_A_LOAD]
        return good and not self.out.errors and not self.gallons.errors

    def values(self) -> dict[str, Any]:
        """What is registered of it."""
        return {"reason_code": self.reason_code.data, "reason": self.reason.data, "ph": self.ph.data,
                "business_name": self.business_name.data or "", "plate": self.plate.data or "",
                "driver": self.driver.data or "", "of": (self.of.data or "").strip(), "out": self.out.data,
                "left": self.left.data}  # fmt: skip


class SentRefusal(LateRefusal):
    """A refusal as a tablet sent it: without token, read from what came."""

    class Meta(LateRefusal.Meta):
        csrf = False

    def __init__(self, sent: MultiDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(formdata=sent, known=True, **kwargs)
