"""The people who act for a company: the list, inviting one, ending somebody's access."""

from typing import Any

from flask import abort, current_app

from haulers.actions.people import end_access, invite_person
from haulers.forms import ConfirmForm
from haulers.forms.drivers import PersonForm
from haulers.queries.drivers import people_of
from haulers.routes.base import bp, own_business
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/people", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def people(here: Page) -> Any:
    """Who acts for the company, and inviting one more by e-mail."""
    business, form = own_business(here), PersonForm()
    if form.validate_on_submit():
        result = invite_person(here.plant, business, form.name.data, form.email.data, current_app.config["SEPTAGE_URL"],
                               by=here.by, at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            said = f"{form.name.data} can act for your company. An e-mail to {form.email.data} says how to sign in."
            return here.done("haulers.people", said)
        form.refuse("email" if result.code == "email_taken" else "name", result.why)
    return here.show("haulers/people.html", form=form, people=people_of(business.party_id, here.at))


@page(bp, "/hauler/people/<int:grant_id>/end", Role.HAULER, methods=("GET", "POST"))
def end_person(here: Page, grant_id: int) -> Any:
    """End somebody's access, after asking."""
    business, form = own_business(here), ConfirmForm()
    one = next((found for found in people_of(business.party_id, here.at) if found.grant_id == grant_id), None)
    if one is None:
        abort(404)
    if form.validate_on_submit():
        result = end_access(business, grant_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result, next=[("Your people", _people(here))])
        own = one.person_id == here.by.person_id
        return here.done("intake.status" if own else "haulers.people", f"{one.name} no longer acts for your company.")
    return here.show("haulers/end_person.html", form=form, one=one, own=one.person_id == here.by.person_id)


def _people(here: Page) -> str:
    return f"/{here.plant.slug}/hauler/people"
