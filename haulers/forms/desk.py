"""Forms of the clerk's desk: a filing fee, a license looked up. And the button forms that only confirm."""

from billing.forms import ANOTHER, PickField
from office.forms import ChoiceField, Date3Field, Form, TextField

METHODS = (("check", "Check"), ("cash", "Cash"), ("card", "Card"))
# Where on the form of a fee an act's refusal belongs.
FEE_AT = {"future_date": "received_on", "date_in_future": "received_on", "too_long_ago": "received_on",
          "method_unknown": "method", "number_used": "another"}  # fmt: skip


class FeeForm(Form):
    """A filing fee received; the amount is the Council's, so it is not typed."""

    method = ChoiceField("How it was paid", METHODS, word="how it was paid")
    reference = TextField("Check or receipt number", empty=None, longest=60)
    another = TextField("Why is this another payment?", ANOTHER, empty=None, longest=200)
    received_on = Date3Field("Date received", empty="Enter the date received")


class VerifyForm(Form):
    """A license looked up."""

    against = TextField("List it was checked against", "For example, the state's list of septage businesses",
                        word="the list it was checked against")  # fmt: skip


class ConfirmForm(Form):
    """Nothing but the key and the token."""


class WaiveForm(Form):
    """A filing fee waived by the Council."""

    resolution = TextField("Resolution of the Council", "For example, Resolution 2026-14",
                           word="the resolution of the Council", longest=200)  # fmt: skip
    resolved_on = Date3Field("Date of the resolution", empty="Enter the date of the resolution")


class AccountForm(Form):
    """Whose account is opened."""

    party = PickField("Hauler", coerce=int, empty="Select a hauler")
