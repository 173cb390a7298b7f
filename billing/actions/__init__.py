"""The acts of this room. Each returns rows or a Refusal and never commits."""

from billing.actions.charges import locked_account, post_charges
from billing.actions.invoices import make_invoice, make_invoices
from billing.actions.late import add_late_charge
from billing.actions.payments import charge_and_pay, pay_charge, record_payment
from billing.actions.reversals import reverse_entry

__all__ = [
    "add_late_charge",
    "charge_and_pay",
    "locked_account",
    "make_invoice",
    "make_invoices",
    "pay_charge",
    "post_charges",
    "record_payment",
    "reverse_entry",
]
