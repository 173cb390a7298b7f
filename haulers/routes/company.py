"""A hauler's own company, trucks, license and letters."""

from typing import Any

from flask import abort
from sqlalchemy import select

from haulers import actions, queries
from haulers.forms import CompanyForm, ConfirmForm, LicenseForm, TruckForm
from haulers.models import Licence
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
    if form.validate_on_submit():
        names = ("name", "address", "phone", "email", "contact")
        result = actions.change_company(business, **{name: form[name].data for name in names}, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.apply_season", "Your company details are saved.")
        form.refuse("name", result.why)
    return here.show("haulers/company.html", form=form)


@page(bp, "/hauler/trucks", Role.HAULER, methods=("GET", "POST"))
def trucks(here: Page) -> Any:
    """The list of trucks, and adding one."""
    business = own_business(here)
    form = TruckForm()
    if form.validate_on_submit():
        result = actions.add_truck(business, form.line(), by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.trucks", f"Truck {result.plate} is on your list.")
        form.refuse("plate", result.why)
    return here.show("haulers/trucks.html", form=form, trucks=queries.trucks_of(business.id))


@page(bp, "/hauler/trucks/<int:truck_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_truck(here: Page, truck_id: int) -> Any:
    """Take a truck off the list, after asking."""
    business = own_business(here)
    truck = queries.truck(truck_id)
    if truck is None or not queries.uses_truck(business.id, truck_id):
        abort(404)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = actions.retire_truck(business, truck_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.trucks", f"Truck {truck.plate} is off your list.")
    return here.show("haulers/remove_truck.html", form=form, truck=truck)


@page(bp, "/hauler/license", Role.HAULER, methods=("GET", "POST"))
def license_page(here: Page) -> Any:
    """The state licenses given so far, and giving a new one."""
    business = own_business(here)
    form = LicenseForm()
    if form.validate_on_submit():
        result = actions.add_licence(business, state=form.licence_state.data, number=form.licence_number.data,
                                     ends_on=form.licence_ends.data, by=here.by, at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.license_page", "Your new license is kept.")
        form.refuse("licence_number", result.why)
    known = db.session.scalars(select(Licence).filter_by(business_id=business.id).order_by(Licence.ends_on.desc()))
    return here.show("haulers/license.html", form=form, licences=list(known))


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
