"""A hauler's own money: what is owed, invoices, payments."""

from typing import Any

from billing import queries
from billing.routes.base import bp, my_account, my_invoice, shown_invoice
from office.access import Role
from office.pages import Page, page


@page(bp, "/hauler/money", Role.HAULER)
def money(here: Page) -> Any:
    """What the hauler owes this plant, invoice by invoice, and every line."""
    account = my_account(here)
    if account is None:
        return here.show("billing/money.html", account=None, form=None)
    return here.show(
        "billing/money.html", account=account, balance=queries.balance_cents(account.id),
        waiting=queries.open_charges_cents(account.id), payments=queries.payments_of(account.id),
        views=queries.invoice_states(here.plant.id, here.today, account.id), lines=queries.ledger(account.id),
        disputes=queries.disputes(here.plant.id, account.id),
        damages=queries.damages(here.plant.id, account.id), form=None,
    )  # fmt: skip


@page(bp, "/hauler/invoices/<number>", Role.HAULER)
def my_invoice_page(here: Page, number: str) -> Any:
    """One of the hauler's own invoices."""
    found = my_invoice(here, number)
    return here.show("billing/invoice.html", invoice=found, mine=True, form=None, **shown_invoice(here, found))
