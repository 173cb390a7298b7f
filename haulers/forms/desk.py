"""Forms of the clerk's desk: a filing fee, a license looked up. And the button forms that only confirm."""

from billing.forms import PickField
from office.forms import ChoiceField, Date3Field, Form, TextField

METHODS = (("check", "Check"), ("cash", "Cash"), ("card", "Card"))


class FeeForm(Form):
    """A filing fee received; the amount is the Council's, so it is not typed."""

    method = ChoiceField("How it was paid", METHODS, word="how it was paid")
    reference = TextField("Check or receipt number", empty=None, longest=60)
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
