"""Forms of the money pages."""

from decimal import Decimal
from typing import Any

from markupsafe import Markup
from wtforms.widgets import html_params

from billing.states import Method
from office.forms import AreaField, ChoiceField, Date3Field, Form, MoneyField, TextField, TickField

METHODS = ((Method.CHECK.value, "Check"), (Method.CASH.value, "Cash"), (Method.CARD.value, "Card"))
# A slip of the finger, not a payment: an amount a row of the ledger could not hold.
MOST = Decimal("9999999.99")
# Where on the payment form an act's refusal belongs.
REFUSED_AT = {"amount_not_positive": "amount", "date_in_future": "received_on", "method_unknown": "method"}


class _ListWidget:
    def __call__(self, field: "PickField", **kwargs: Any) -> Markup:
        kwargs["class"] = kwargs["class"].replace("form-control", "form-select")
        kwargs.pop("required", None)
        options = Markup("").join(
            Markup("<option {}>{}</option>").format(
                Markup(html_params(value=option.value, selected=option.checked)), option.label
            )
            for option in field.options()
        )
        attributes = Markup(html_params(id=field.id, name=field.name, **kwargs))
        return Markup("<select {}><option value=''>Select</option>{}</select>").format(attributes, options)


class PickField(ChoiceField):
    """One of many from a drop-down list, where radios would fill the page; choices as of a ``ChoiceField``."""

    kind = "pick"
    widget = _ListWidget()

    @property
    def target(self) -> str:
        return str(self.id)


class ConfirmForm(Form):
    """One button: the key against sending twice and nothing else."""


class EarlyForm(ConfirmForm):
    """Make invoices before the period of the law is over: said once more."""

    early = TickField("Make them now, before the period is over", empty="Tick that the invoices are made early")


class PaymentForm(Form):
    """A payment that came in."""

    account = PickField("Hauler", coerce=int, empty="Select a hauler")
    amount = MoneyField("Amount", max=MOST)
    method = ChoiceField("Paid by", METHODS, empty="Select how it was paid")
    reference = TextField("Check number or card reference", empty=None, longest=80)
    received_on = Date3Field("Date received", "The day the money came in. It decides whether it was in time.")


class ReverseForm(Form):
    """Why a line is taken back."""

    reason = AreaField(
        "Why is this taken back?", "It stays on the record.", empty="Enter why this is taken back", rows=3
    )
