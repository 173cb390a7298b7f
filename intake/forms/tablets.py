"""Forms of tablets: enrol one, revoke one, and a load that came from one without network."""

from typing import Any

from werkzeug.datastructures import MultiDict

from intake.forms.station import YES_NO, LoadForm
from office.forms import AreaField, Date3Field, Form, TextField, TilesField, TimeField


class TabletForm(Form):
    """A tablet to enrol."""

    name = TextField("What is it called?", "Like Gate tablet", empty="Enter what the tablet is called", longest=60,
                     autocomplete="off")  # fmt: skip


class RevokeForm(Form):
    """Why a tablet is revoked."""

    reason = AreaField("Why is it revoked?", empty="Enter why the tablet is revoked", longest=300, rows=2)


class GiveUpForm(Form):
    """Why a load that waits is no load of its own."""

    reason = AreaField("Why is it not entered?", empty="Enter why it is not entered", longest=300, rows=3)


class SentForm(LoadForm):
    """A load as a tablet sent it: the fields of the station's own form, without token, read from what came."""

    class Meta(LoadForm.Meta):
        csrf = False

    def __init__(self, sent: MultiDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(formdata=sent, **kwargs)
        self.start.choices = []


class LateForm(LoadForm):
    """A load that somebody enters afterwards: when it was unloaded, and who was on duty."""

    day = Date3Field("Day it was unloaded", empty="Enter the day it was unloaded")
    time = TimeField("Time it began", "By the plant's clock", empty="Enter when it began")
    on_duty = TextField("Who was on duty?", empty="Enter who was on duty", longest=100, autocomplete="off")
    # Whether a manhole was among the points of that day.
    manhole = False


class PaperForm(LateForm):
    """The same from a blank ticket: whether the driver signed the paper, and when."""

    signed = TilesField("Did the driver sign the paper?", YES_NO, default="no", word="whether the driver signed")
    signed_time = TimeField("Time it was signed", "By the plant's clock", word="The time it was signed", empty=None)
    signed_day = Date3Field("Day it was signed", "Only where it is another day than it was unloaded", empty=None,
                            word="The day it was signed")  # fmt: skip

    def complete(self) -> bool:
        """Whether a paper that is signed has its time."""
        if self.signed.data == "yes" and self.signed_time.data is None:
            self.refuse("signed_time", "Enter when the driver signed, or select No")
            return False
        return True
