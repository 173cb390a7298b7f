"""Accounts of haulers who were never charged: opened for what comes before a first charge."""

from typing import Any

from flask import abort

from billing.actions import locked_account
from billing.queries import accounts
from haulers import queries
from haulers.forms.desk import AccountForm
from haulers.routes.base import bp
from office.access import Role
from office.pages import Page, page


@page(bp, "/clerk/accounts/new", Role.CLERK, methods=("GET", "POST"))
def open_account(here: Page) -> Any:
    """Open the account of a hauler this plant knows, so that a damage or a payment made ahead can be entered."""
    have = {line.party_id for line in accounts(here.plant.id)}
    without = {party.id: party for _, party in queries.businesses_at(here.plant.id) if party.id not in have}
    form = AccountForm()
    form.party.choices = [(party.id, party.name) for party in without.values()]
    if form.validate_on_submit():
        party = without.get(form.party.data) or abort(404)
        made = locked_account(here.plant, party.id, by=here.by, at=here.at)
        return here.done("billing.account_ledger", f"The account of {party.name} is open.", account_id=made.id)
    return here.show("haulers/open_account.html", form=form, without=without)
