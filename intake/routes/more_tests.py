"""Further tests of a load, ordered by the operator or the state (§ 329-7 F(1))."""

from typing import Any

from flask import abort

from intake.actions.more_tests import ORDERERS, order_more_tests
from intake.forms.more_tests import AT_FIELD, MoreTestsForm
from intake.queries import loads, more_tests, retests
from intake.routes.base import bp
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/station/load/<ticket>/tests", *ORDERERS, methods=("GET", "POST"), asks_again=True)
def load_more_tests(here: Page, ticket: str) -> Any:
    """Order further tests of a load; the hauler is told and billed."""
    load = loads.with_ticket(here.plant.id, ticket) or abort(404)
    form = MoreTestsForm(data={"tests": 1})
    form.office.choices = [(one, f"{one[:1].upper()}{one[1:]}") for one in more_tests.offices(here.law, here.today)]
    if form.validate_on_submit():
        result = order_more_tests(load, form.what.data, form.tests.data or 0, form.office.data, form.ordered_by.data,
                                  form.reason.data, cost=form.cost.data, by=here.by, at=here.at,
                                  law=here.law)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("intake.load_ticket", "They are ordered, and the hauler is told.", ticket=ticket)
        if result.code not in AT_FIELD:
            return here.refuse(result)
        form.refuse(AT_FIELD[result.code], result.why)
    cite = here.law.cite(more_tests.MORE_BY, here.today) if form.office.choices else ""
    return here.show("intake/sampling/more_tests.html", form=form, load=load, cite=cite,
                     price=retests.usual_price(here.law, here.today, 1))  # fmt: skip
