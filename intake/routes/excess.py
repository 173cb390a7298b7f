"""Pages of measured rates above the limit, for the Director and the plant manager."""

from typing import Any

from intake.actions.excess import settle_excess
from intake.forms.running import SettledForm
from intake.queries import excess
from intake.routes.base import bp
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/director/rates", Role.DIRECTOR, Role.MANAGER)
def rates_over(here: Page) -> Any:
    """Each measured rate above the limit, whose load it was and what was done."""
    return here.show("intake/director/rates.html", rows=excess.of_plant(here.plant.id))


@page(bp, "/director/rates/<int:excess_id>", Role.DIRECTOR, methods=("GET", "POST"))
def rate_over(here: Page, excess_id: int) -> Any:
    """Write what was done about one, or go on to a notice of violation that names its load."""
    found = next((pair for pair in excess.of_plant(here.plant.id) if pair[0].id == excess_id), None)
    if found is None:
        return here.refuse(Refusal("no_excess", "There is no such rate above the limit at this plant.", ""))
    form = SettledForm()
    if form.validate_on_submit():
        result = settle_excess(here.plant, excess_id, form.done.data, by=here.by, at=here.at, law=here.law)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("intake.rates_over", "What was done is in the record.")
    return here.show("intake/director/rate.html", form=form, row=found[0], load=found[1])
