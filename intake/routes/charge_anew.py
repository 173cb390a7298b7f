"""What was taken back of a load, charged after all: the clerk's page."""

from typing import Any

from flask import abort

from billing.queries import reversal_of, taken_back_by_choice
from intake.actions.charge_anew import charge_load_anew
from intake.forms.load_costs import AnewForm
from intake.queries import loads
from intake.routes.base import bp
from office import formats
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/plant/loads/<ticket>/charge-anew", Role.CLERK, methods=("GET", "POST"))
def load_charge_anew(here: Page, ticket: str) -> Any:
    """Charge what somebody took back of a load, at what it comes to now."""
    load, form = loads.with_ticket(here.plant.id, ticket) or abort(404), AnewForm()
    if form.validate_on_submit():
        made = charge_load_anew(load, form.reason.data, by=here.by, at=here.at, law=here.law)
        if not isinstance(made, Refusal):
            return here.done("intake.load_ticket", ticket=ticket, said=f"Load {ticket} is charged anew.")
        form.refuse("reason" if made.code == "no_reason" else None, made.why)
    gone = taken_back_by_choice("load", load.id).values()
    facts = [("Hauler", load.business_name), ("Day", formats.day(load.day))]
    for entry in gone:
        back = reversal_of(entry.id)
        why = f", taken back by {back.by_name} on {formats.day(back.on_day)}: {back.reason}" if back else ""
        facts.append((entry.what, f"{formats.money(entry.amount_cents)}{why}"))
    return here.show(
        "billing/change.html", form=form, title="Charge what was taken back", button="Charge it anew", facts=facts,
        back=("intake.load_ticket", {"ticket": ticket}),
        words="The load is charged what it comes to now, by the charges of its own days; what was taken back stays in "
              "the account. The hauler gets the ticket anew." if gone else "Nothing of this load is taken back.",
    )  # fmt: skip
