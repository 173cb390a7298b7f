"""A hauler's drivers: the list, adding one, changing one, taking one off."""

from typing import Any

from flask import abort, request

from haulers.actions.drafts import say_no_drivers
from haulers.actions.drivers import change_driver, driver_mark, end_driver, list_driver, retire_driver
from haulers.forms import ConfirmForm
from haulers.forms.drivers import DriverForm, driver_fields
from haulers.models import Business
from haulers.queries import application_for
from haulers.queries import drivers as queries
from haulers.queries.completeness import drivers as listed_drivers
from haulers.queries.files import files_of
from haulers.queries.papers import certificates_block
from haulers.queries.saves import last_save
from haulers.queries.windows import working_season
from haulers.routes.back import back
from haulers.routes.base import bp, own_business
from haulers.states import FileKind
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

FIELDS = {"short_password": "password", "email_taken": "email", "incomplete": "name", "name_another": "in_charge"}


@page(bp, "/hauler/drivers", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def drivers(here: Page) -> Any:
    """The list of drivers, and adding one; in an application the word that there are none."""
    business, none = own_business(here), ConfirmForm()
    form = DriverForm(formdata=None) if "none" in request.form else DriverForm()
    if "none" in request.form:
        if none.validate_on_submit():
            said = say_no_drivers(here.plant, business.id, by=here.by, at=here.at, law=here.law)
            return here.refuse(said) if isinstance(said, Refusal) else here.done(back().endpoint)
    elif form.validate_on_submit():
        result = list_driver(business, form.line(), *form.sign_in(), by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.drivers", _added(form), **back().query)
        form.refused(result, FIELDS)
    files = files_of(business.id, FileKind.CERTIFICATE)
    return here.show("haulers/drivers.html", form=form, drivers=queries.roster(business, here.at), files=files,
                     head=queries.in_charge(business.id), back=back(),
                     no_drivers=none if _may_say_none(here, business) else None)  # fmt: skip


def _may_say_none(here: Page, business: Business) -> bool:
    """Whether an application is worked on that may name no drivers."""
    work = working_season(here.plant.id, business.id, here.law, here.at)
    if isinstance(work, Refusal) or listed_drivers(business.id) or certificates_block(here.law, work.season.start):
        return False
    draft = application_for(here.plant.id, business.id, work.season.name)
    return draft is None or draft.filed_at is None


def _added(form: DriverForm) -> str:
    if form.email.data:
        return f"{form.name.data} can sign in now, with {form.email.data}."
    return f"{form.name.data} is on your list."


@page(bp, "/hauler/driver/<int:driver_id>", Role.HAULER, methods=("GET", "POST"))
def driver(here: Page, driver_id: int) -> Any:
    """Change what is said of a driver, or give them a sign-in."""
    business = own_business(here)
    found = next((one for one in queries.roster(business, here.at) if one.row and one.row.id == driver_id), None)
    if found is None or found.row is None:
        abort(404)
    form = DriverForm(data=driver_fields(found))
    if found.signed is not None:
        form.without_sign_in()
    form.first_shown(driver_mark(found.row))
    if form.validate_on_submit():
        result = change_driver(business, driver_id, form.line(), *form.sign_in(), seen=form.seen.data,
                               zone=here.plant.tz, by=here.by, at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.drivers", f"{result.name} is changed.")
        form.refused(result, FIELDS)
    return here.show("haulers/change_driver.html", form=form, found=found, saved=last_save(found.row))


@page(bp, "/hauler/driver/<int:driver_id>/remove", Role.HAULER, methods=("GET", "POST"))
def take_off_driver(here: Page, driver_id: int) -> Any:
    """Take a driver off the list, after asking."""
    business, form = own_business(here), ConfirmForm()
    found = queries.driver(business.id, driver_id) or abort(404)
    name = found.name
    if form.validate_on_submit():
        result = retire_driver(business, driver_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.drivers", _gone(name, bool(found.person_id)))
    return here.show("haulers/remove_driver.html", form=form, name=name, signs_in=bool(found.person_id))


@page(bp, "/hauler/drivers/<int:grant_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_driver(here: Page, grant_id: int) -> Any:
    """Take a driver who signs in off the list, after asking."""
    business, form = own_business(here), ConfirmForm()
    one = next((one for one in queries.drivers_of(business.party_id, here.at) if one.grant_id == grant_id), None)
    if one is None:
        abort(404)
    if form.validate_on_submit():
        result = end_driver(business, grant_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.drivers", _gone(one.name, True))
    return here.show("haulers/remove_driver.html", form=form, name=one.name, signs_in=True)


def _gone(name: str, signed: bool) -> str:
    return f"{name} is off your list{' and can no longer open your pages' if signed else ''}."
