"""A hauler's own company and letters."""

from typing import Any

from flask import abort
from sqlalchemy import select

from haulers import actions, queries
from haulers.actions.registration import company_mark
from haulers.forms import CompanyForm
from haulers.queries.saves import last_save
from haulers.routes.back import back
from haulers.routes.base import bp, own_business
from office.access import Role
from office.db import db
from office.documents import send_letter
from office.letters import Letter
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/company", Role.HAULER, methods=("GET", "POST"))
def company(here: Page) -> Any:
    """Name, address and how to reach the company. A new phone number needs no vote."""
    business = own_business(here)
    party = queries.party_of_business(business.id)
    form = CompanyForm(obj=party, contact=business.contact)
    form.first_shown(company_mark(business, party))
    if form.validate_on_submit():
        names = ("name", "address", "phone", "email", "contact")
        result = actions.change_company(business, **{name: form[name].data for name in names}, seen=form.seen.data,
                                        zone=here.plant.tz, by=here.by, at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done(back().endpoint, "Your company details are saved.")
        form.refused(result, {"incomplete": "name"})
    return here.show("haulers/company.html", form=form, party=party, business=business, back=back(),
                     saved=last_save(party, business))  # fmt: skip


@page(bp, "/hauler/letters", Role.HAULER)
def letters(here: Page) -> Any:
    """Every letter this plant wrote to the company."""
    found = select(Letter).filter_by(plant_id=here.plant.id, party_id=own_business(here).party_id)
    return here.show("haulers/letters.html", letters=list(db.session.scalars(found.order_by(Letter.id.desc()))))


@page(bp, "/hauler/letters/<int:letter_id>", Role.HAULER)
def letter(here: Page, letter_id: int) -> Any:
    """One letter as PDF; another hauler's is not found."""
    query = select(Letter).filter_by(id=letter_id, plant_id=here.plant.id, party_id=own_business(here).party_id)
    return send_letter(db.session.scalars(query).one_or_none() or abort(404))
