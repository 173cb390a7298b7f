"""What the plant paid for a load, where the charges pass it on: the clerk's and the manager's page."""

from typing import Any

from flask import abort

from intake.actions.load_costs import enter_load_cost, take_load_cost_back
from intake.actions.tickets import charges_of
from intake.forms.load_costs import CostForm
from intake.models import LoadCost
from intake.queries import loads
from intake.queries.priced import cost_rows
from intake.routes.base import bp
from office.access import Role
from office.db import db
from office.law import law_in_force
from office.pages import Page, page
from ordinances.refusal import Refusal
from ordinances.schedule_words import costs_passed_on

WHO = (Role.CLERK, Role.MANAGER)
FIELDS = {"no_amount": "dollars", "no_bill": "bill", "not_passed_on": "name"}


@page(bp, "/plant/loads/<ticket>/costs", *WHO, methods=("GET", "POST"), asks_again=True)
def load_costs(here: Page, ticket: str) -> Any:
    """What was paid for a load, and one cost more."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    named, form = costs_passed_on(law_in_force(here.plant, load.day), load.day), CostForm()
    form.name.choices = list(named.items())
    if form.validate_on_submit():
        made = enter_load_cost(load, form.name.data, form.dollars.data, form.bill.data, by=here.by, at=here.at,
                               law=here.law)  # fmt: skip
        if not isinstance(made, Refusal):
            return here.done("intake.load_costs", "The cost is passed on.", ticket=ticket)
        if made.code not in FIELDS:
            return here.refuse(made)
        form.refuse(FIELDS[made.code], made.why.rstrip("."))
    return here.show("intake/loads/costs.html", load=load, form=form, named=named, rows=cost_rows(load.id),
                     charges=charges_of(load))  # fmt: skip


@page(bp, "/plant/loads/<ticket>/costs/<int:cost_id>/back", *WHO, methods=("POST",))
def load_cost_back(here: Page, ticket: str, cost_id: int) -> Any:
    """Take one cost back."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    row = db.session.get(LoadCost, cost_id)
    if row is None or row.load_id != load.id:
        abort(404)
    done = take_load_cost_back(row, by=here.by, at=here.at, law=here.law)
    if isinstance(done, Refusal):
        return here.refuse(done)
    return here.done("intake.load_costs", "The cost is taken back.", ticket=ticket)
