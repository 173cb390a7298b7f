"""A hauler's drivers: the list, adding one, taking one off."""

from typing import Any

from flask import abort

from haulers.actions.drivers import add_driver, end_driver
from haulers.forms import ConfirmForm
from haulers.forms.drivers import DriverForm
from haulers.queries.drivers import drivers_of
from haulers.routes.base import bp, own_business
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal


@page(bp, "/hauler/drivers", Role.HAULER, methods=("GET", "POST"))
def drivers(here: Page) -> Any:
    """The list of drivers, and adding one."""
    business, form = own_business(here), DriverForm()
    if form.validate_on_submit():
        result = add_driver(business, form.name.data, form.email.data, form.password.data, by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            return here.done("haulers.drivers", f"{form.name.data} can sign in now, with {form.email.data}.")
        form.refuse({"short_password": "password"}.get(result.code, "email"), result.why)
    return here.show("haulers/drivers.html", form=form, drivers=drivers_of(business.party_id, here.at))


@page(bp, "/hauler/drivers/<int:grant_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_driver(here: Page, grant_id: int) -> Any:
    """Take a driver off the list, after asking."""
    business, form = own_business(here), ConfirmForm()
    driver = next((one for one in drivers_of(business.party_id, here.at) if one.grant_id == grant_id), None)
    if driver is None:
        abort(404)
    if form.validate_on_submit():
        result = end_driver(business, grant_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.drivers", f"{driver.name} is off your list and can no longer open your pages.")
    return here.show("haulers/remove_driver.html", form=form, driver=driver)
