"""Forms of the money pages."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from markupsafe import Markup
from wtforms import ValidationError
from wtforms.widgets import html_params

from billing.states import Method
from office import formats
from office.forms import (
    AreaField,
    ChoiceField,
    Date3Field,
    Form,
    GallonsField,
    MoneyField,
    TextField,
    TickField,
    TicksField,
    UploadField,
)
from ordinances.screening import WASTE_TYPES

METHODS = ((Method.CHECK.value, "Check"), (Method.CASH.value, "Cash"), (Method.CARD.value, "Card"))
# A slip of the finger, not a payment: an amount a row of the ledger could not hold.
MOST = Decimal("9999999.99")
ANOTHER = "Such as another bank's check of the same number, or one check for two things. It stays on the record."
# Where on the payment form an act's refusal belongs.
REFUSED_AT = {
    "amount_not_positive": "amount",
    "date_in_future": "received_on",
    "too_long_ago": "received_on",
    "method_unknown": "method",
    "number_used": "another",
}


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


class SpanForm(Form):
    """The days of a statement."""

    first = Date3Field("From", empty="Enter the first day")
    last = Date3Field("To", empty="Enter the last day")

    def only(self, since: date, today: date, until: date | None = None) -> None:
        """Take only days of which anything can be kept, to today or (``until``) a later one."""
        self.first.after, self.first.until, self.last.until = since - timedelta(days=1), today, until or today

    def validate_last(self, field: Any) -> None:
        if field.data and self.first.data and field.data < self.first.data:
            raise ValidationError(f"To must be {formats.date_only(self.first.data)} or later")


class ExportForm(SpanForm):
    """Which lines of the ledger are handed out as a file."""

    account = PickField("Hauler", coerce=int, empty="Select a hauler")


class PaymentForm(Form):
    """A payment that came in."""

    account = PickField("Hauler", coerce=int, empty="Select a hauler")
    amount = MoneyField("Amount", max=MOST)
    method = ChoiceField("Paid by", METHODS, empty="Select how it was paid")
    reference = TextField("Check number or card reference", empty=None, longest=80)
    another = TextField("Why is this another payment?", ANOTHER, empty=None, longest=200)
    ahead = TickField("Paid ahead, such as for a book of tickets")
    received_on = Date3Field("Date received", "The day the money came in. It decides whether it was in time.")


class ReasonForm(Form):
    """Why something is put right."""

    reason = AreaField("Why?", "It stays on the record, and the hauler is told.", empty="Enter why", rows=3)


class CreditForm(ReasonForm):
    """How much of a charge is credited, and why."""

    amount = MoneyField("Amount", "Leave it empty to credit all that is left", empty=None, max=MOST)


class RefundForm(ReasonForm):
    """How much credit is paid back, how, and why."""

    amount = MoneyField("Amount", "Leave it empty to pay all of it back", empty=None, max=MOST)
    method = ChoiceField("Paid back by", METHODS, empty="Select how it is paid back")
    reference = TextField("Check number or card reference", empty=None, longest=80)


class VoidForm(ReasonForm):
    """Why an invoice is void, and whether it is made again."""

    again = TickField("Put the same charges on a new invoice")


def spread_form(invoices: Sequence[tuple[int, str]], now: Mapping[int, int]) -> Any:
    """The form of how a payment is spread: an amount for each invoice, filled with what counts ``now`` (cents)."""

    class SpreadForm(Form):
        def cents(self) -> dict[int, int]:
            """Cents by invoice id, of the amounts that were entered."""
            typed = {ident: self[f"invoice_{ident}"].data for ident, _ in invoices}
            return {ident: int(amount * 100) for ident, amount in typed.items() if amount}

    for ident, number in invoices:
        setattr(SpreadForm, f"invoice_{ident}", MoneyField(f"For invoice {number}", empty=None, max=MOST))
    return SpreadForm(**{f"invoice_{ident}": Decimal(cents) / 100 for ident, cents in now.items()})


class DisputeForm(Form):
    """Which fees a hauler disputes, for what quantity and type of waste."""

    fees = AreaField("Which fees, and why?", empty="Enter which fees are disputed, and why", rows=3)
    gallons = GallonsField("Gallons they are for")
    waste = ChoiceField("Kind of waste", tuple(WASTE_TYPES.items()), empty="Select the kind of waste")
    charges = TicksField("Charges at issue", empty="Select the charges that are disputed", coerce=int)
    asked_on = Date3Field("Date asked", "The day the hauler asked the city to review them.")


class StepForm(Form):
    """The next stage of a dispute, or how it ended."""

    stage = TextField("Stage reached", "Leave it empty when it has ended", empty=None)
    outcome = AreaField("How it ended", "What is left of the charges is to be paid then: on the invoice they are on, "
                        "or on the next one. Credit first what the city gives up.", empty=None, rows=3)  # fmt: skip
    on_day = Date3Field("Date", "The day of this stage, or of the end.")


class RiseForm(Form):
    """An amount that is to rise, told to the haulers ahead."""

    key = ChoiceField("Which amount rises?", empty="Select the amount")
    value = MoneyField("It rises to", max=MOST)
    since = Date3Field("From", empty="Enter the day it starts")
    resolution = TextField("By which resolution", "With its number and day", empty="Enter the resolution")
    basis = AreaField("Which costs does it rest on?", "In words and dollars, as the haulers will read them",
                      empty="Enter the costs that the amount rests on", rows=4)  # fmt: skip


class EvidenceForm(Form):
    """One more file of evidence."""

    file = UploadField("File", empty="Choose the file of evidence")
    note = TextField("What it shows", "Such as the bill of the repair", empty="Enter what the file shows", longest=200)


class DamageForm(EvidenceForm):
    """An expense, loss or damage that a hauler is charged."""

    what = TextField("What was it?", "As the invoice names it", empty="Enter what it was", longest=160)
    amount = MoneyField("Amount", max=MOST)
    happened_on = Date3Field("On which day?", word="The day")
    cause = AreaField("How did the hauler bring it about?", "Which rule was broken, where and how. The hauler reads it",
                      empty="Enter how the hauler brought it about", rows=4)  # fmt: skip


class DamageDisputeForm(Form):
    """That a hauler disputes a damage."""

    why = AreaField("What is disputed, and why?", empty="Enter what is disputed, and why", rows=3)
    asked_on = Date3Field("Date asked", "The day the hauler asked the city to review it.")


class ReleaseForm(Form):
    """Why a charge does not wait any longer."""

    reason = AreaField("Why does it wait no longer?", "It stays on the record.", empty="Enter why it waits no longer",
                       rows=3)  # fmt: skip


class ReverseForm(Form):
    """Why a line is taken back."""

    reason = AreaField(
        "Why is this taken back?",
        "It stays on the record, and the hauler is told.",
        empty="Enter why this is taken back",
        rows=3,
    )
