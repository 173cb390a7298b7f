"""Downloads of invoices and receipts as they were made."""

from typing import Any

from flask import abort

from billing import queries
from billing.routes.base import bp, invoice_here, letter_of, my_account, my_invoice
from office.access import Role
from office.documents import send_letter
from office.pages import Page, page


@page(bp, "/clerk/invoices/<number>/pdf", Role.CLERK)
def invoice_pdf(here: Page, number: str) -> Any:
    """The invoice as sent."""
    return send_letter(letter_of(invoice_here(here, number).letter_id))


@page(bp, "/clerk/receipts/<number>/pdf", Role.CLERK)
def receipt_pdf(here: Page, number: str) -> Any:
    """The receipt as given."""
    payment, _entry = queries.payment_named(here.plant.id, number) or abort(404)
    return send_letter(letter_of(payment.letter_id))


@page(bp, "/hauler/invoices/<number>/pdf", Role.HAULER)
def my_invoice_pdf(here: Page, number: str) -> Any:
    """One of the hauler's own invoices as sent."""
    return send_letter(letter_of(my_invoice(here, number).letter_id))


@page(bp, "/hauler/receipts/<number>/pdf", Role.HAULER)
def my_receipt_pdf(here: Page, number: str) -> Any:
    """One of the hauler's own receipts as given."""
    found, account = queries.payment_named(here.plant.id, number), my_account(here)
    if found is None or account is None or found[0].account_id != account.id:
        abort(404)
    return send_letter(letter_of(found[0].letter_id))
