"""The acts of this room. Each returns rows or a Refusal and never commits."""

from billing.actions.charges import locked_account, post_charges
from billing.actions.credits import credit_charge, credit_invoice, void_invoice, write_off
from billing.actions.damages import add_evidence, charge_damage, dispute_damage
from billing.actions.disputes import open_dispute, take_dispute_on
from billing.actions.holding import hold_charges, release_charges
from billing.actions.invoices import make_invoice, make_invoices
from billing.actions.late import (
    add_late_charge,
    correct_all_late_charges,
    credit_rest,
    take_back_line,
    void_late,
)
from billing.actions.payments import charge_and_pay, pay_charge, record_payment, return_check, spread_payment
from billing.actions.refunds import pay_back, refund_credit
from billing.actions.replacing import TakenBack, pass_on, take_back
from billing.actions.reversals import reverse_entry
from billing.actions.rises import announce_rise, tell_of_rise
from billing.actions.sending import send_invoice_again
from billing.actions.statements import send_statement, statement_words

__all__ = [
    "TakenBack",
    "add_evidence",
    "add_late_charge",
    "announce_rise",
    "charge_and_pay",
    "charge_damage",
    "correct_all_late_charges",
    "credit_charge",
    "credit_invoice",
    "credit_rest",
    "dispute_damage",
    "hold_charges",
    "locked_account",
    "make_invoice",
    "make_invoices",
    "open_dispute",
    "pass_on",
    "pay_back",
    "pay_charge",
    "post_charges",
    "record_payment",
    "refund_credit",
    "release_charges",
    "return_check",
    "reverse_entry",
    "send_invoice_again",
    "send_statement",
    "spread_payment",
    "statement_words",
    "take_back",
    "take_back_line",
    "take_dispute_on",
    "tell_of_rise",
    "void_invoice",
    "void_late",
    "write_off",
]
