"""A hauler's trucks: the list, adding, changing and taking off."""

from typing import Any

from flask import abort

from haulers import queries
from haulers.actions.trucks import add_truck, change_truck, others_use, retire_truck, truck_mark
from haulers.forms import ConfirmForm, TruckForm
from haulers.models import Approval, Business, Truck
from haulers.queries.businesses import plate_elsewhere
from haulers.queries.last_days import approvals_to_come
from haulers.queries.saves import last_save
from haulers.routes.back import back
from haulers.routes.base import bp, own_business
from office.access import Role
from office.pages import Page, page
from ordinances.refusal import Refusal

FIELDS = {"no_plate": "plate", "plate_listed": "plate", "no_capacity": "capacity", "approved": "plate"}
SHARED = "Another hauler lists it too: you share it."
ALIKE = "Another hauler lists this plate with another tank size or state number. Yours is kept as you wrote it."


@page(bp, "/hauler/trucks", Role.HAULER, methods=("GET", "POST"), asks_again=True)
def trucks(here: Page) -> Any:
    """The list of trucks, and adding one."""
    business = own_business(here)
    form = TruckForm()
    if form.validate_on_submit():
        result = add_truck(business, form.line(), by=here.by, at=here.at)
        if not isinstance(result, Refusal):
            waits = "".join(f" Under {one.number} it may unload once the committee has granted it."
                            for one in _lacking(here, business, [result])[result.id])  # fmt: skip
            said = f"Truck {result.plate} is on your list.{waits} {_told(business, result)}".strip()
            return here.done("haulers.trucks", said, **back().query)
        form.refused(result, FIELDS)
    mine = queries.trucks_of(business.id)
    return here.show("haulers/trucks.html", form=form, back=back(), lacking=_lacking(here, business, mine),
                     trucks=[(one, _told(business, one)) for one in mine])  # fmt: skip


def _lacking(here: Page, business: Business, mine: list[Truck]) -> dict[int, list[Approval]]:
    """By truck the approvals at this plant, of now or to come, that do not cover it."""
    held = [one for one in approvals_to_come(business.id, here.at) if one.plant_id == here.plant.id]
    known = queries.approved_trucks_of(held)
    return {truck.id: [one for one in held if queries.truck_covered(one, truck, here.law, known[one.id])]
            for truck in mine}  # fmt: skip


def _told(business: Business, truck: Truck) -> str:
    """What a hauler is told of others who list a plate: never who."""
    if others_use(business.id, truck.id):
        return SHARED
    return ALIKE if plate_elsewhere(business.id, truck.plate) else ""


def _own_truck(business: Business, truck_id: int) -> Truck:
    truck = queries.truck(truck_id)
    if truck is None or not queries.uses_truck(business.id, truck_id):
        abort(404)
    return truck


@page(bp, "/hauler/trucks/<int:truck_id>", Role.HAULER, methods=("GET", "POST"))
def change_truck_page(here: Page, truck_id: int) -> Any:
    """Change what is said of a truck."""
    business = own_business(here)
    truck = _own_truck(business, truck_id)
    form = TruckForm(obj=truck)
    form.first_shown(truck_mark(truck))
    if form.validate_on_submit():
        result = change_truck(business, truck_id, form.line(), seen=form.seen.data, zone=here.plant.tz, by=here.by,
                              at=here.at)  # fmt: skip
        if not isinstance(result, Refusal):
            return here.done("haulers.trucks", f"Truck {result.plate} is changed.")
        form.refused(result, FIELDS)
    return here.show("haulers/change_truck.html", form=form, truck=truck, saved=last_save(truck),
                     shared=others_use(business.id, truck_id))  # fmt: skip


@page(bp, "/hauler/trucks/<int:truck_id>/remove", Role.HAULER, methods=("GET", "POST"))
def remove_truck(here: Page, truck_id: int) -> Any:
    """Take a truck off the list, after asking."""
    business = own_business(here)
    truck = _own_truck(business, truck_id)
    form = ConfirmForm()
    if form.validate_on_submit():
        result = retire_truck(business, truck_id, by=here.by, at=here.at)
        if isinstance(result, Refusal):
            return here.refuse(result)
        return here.done("haulers.trucks", f"Truck {truck.plate} is off your list.")
    return here.show("haulers/remove_truck.html", form=form, truck=truck)
