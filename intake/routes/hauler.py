"""A hauler's own pages: home, one booking, cancel it."""

from datetime import timedelta
from typing import Any

from haulers import queries as haulers
from intake.actions.booking import cancel_booking
from intake.forms.booking import CancelForm
from intake.queries import bookings
from intake.queries.allowance import used_and_booked
from intake.queries.loads import of_business, record_missing
from intake.routes.base import booking_of, bp, business_of, price_of
from office.access import Role
from office.pages import Page, page
from ordinances.offers import Session
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

LICENCE_SOON = timedelta(days=30)


@page(bp, "/hauler", Role.HAULER)
def hauler_home(here: Page) -> Any:
    """Your company: what is to do, the next booking, the gallons left."""
    business_id = business_of(here)
    standing = haulers.standing(here.plant.id, business_id, here.at, here.law)
    ahead = bookings.of_business(here.plant.id, business_id, here.at)
    used = used_and_booked(standing.approval.id, here.law, here.at) if standing.approval else None
    return here.show(
        "intake/hauler/home.html", party=haulers.party_of_business(business_id), standing=standing, ahead=ahead,
        used=used, last=bookings.last_of_business(here.plant.id, business_id), todo=todo(here, business_id, standing),
    )  # fmt: skip


def todo(here: Page, business_id: int, standing: haulers.Standing) -> list[dict[str, Any]]:
    """What the hauler owes: written records, the licence that ends."""
    rows: list[dict[str, Any]] = []
    for line in of_business(here.plant.id, business_id, 50):
        if record_missing(line.load, line.record):
            rows.append({"kind": "record", "ticket": line.load.ticket, "due": line.load.record_due,
                         "late": line.load.record_due is not None and line.load.record_due < here.at})  # fmt: skip
    if standing.licence is not None and standing.licence.ends_on <= here.today + LICENCE_SOON:
        rows.append(
            {"kind": "licence", "ends": standing.licence.ends_on, "late": standing.licence.ends_on < here.today}
        )
    return rows


@page(bp, "/hauler/bookings", Role.HAULER)
def hauler_bookings(here: Page) -> Any:
    """Every booking of yours, newest first."""
    rows = bookings.of_business(here.plant.id, business_of(here), here.at, ahead=False)
    return here.show("intake/hauler/bookings.html", rows=rows)


@page(bp, "/hauler/bookings/<number>", Role.HAULER)
def hauler_booking(here: Page, number: str) -> Any:
    """One booking: times, truck, charge, what has become of it."""
    found = booking_of(here, number)
    parts = [Session(one.starts, one.ends, one.gph, one.gallons) for one in found.sessions]
    price, waste = price_of(here, parts, found.booking.waste), WASTE_TYPES[found.booking.waste]
    truck = haulers.truck(found.booking.truck_id)
    return here.show("intake/hauler/booking.html", view=found, truck=truck, waste=waste, price=price)


@page(bp, "/hauler/bookings/<number>/cancel", Role.HAULER, methods=("GET", "POST"))
def cancel(here: Page, number: str) -> Any:
    """Cancel this booking?"""
    found = booking_of(here, number)
    form = CancelForm()
    if form.validate_on_submit():
        done = cancel_booking(here.plant, found.booking.id, form.reason.data, by=here.by, at=here.at, law=here.law)
        if isinstance(done, Refusal):
            return here.refuse(done)
        return here.done("intake.hauler_booking", number=number, said=f"Booking {number} is cancelled.")
    return here.show("intake/hauler/cancel.html", form=form, view=found)
