"""A driver's pages: today's bookings with what the gate asks for, and the load records to write. No money."""

from typing import Any

from haulers import queries as haulers
from intake.queries import bookings, loads, statements
from intake.queries.pieces import told
from intake.routes.base import booking_of, bp, business_of, slip
from intake.routes.loads import own_load
from intake.states import REFUSAL_WORDS
from office.access import Role
from office.pages import Page, page
from ordinances.screening import WASTE_TYPES

LOADS_SHOWN = 20


@page(bp, "/driver", Role.DRIVER)
def driver_home(here: Page) -> Any:
    """Today: the company's bookings, the records to write, the newest loads."""
    business_id = business_of(here)
    found = bookings.of_business(here.plant.id, business_id, here.at)
    today = [one for one in found if any(part.day == here.today for part in one.sessions)]
    lines = loads.of_business(here.plant.id, business_id, LOADS_SHOWN)
    standing = haulers.standing(here.plant.id, business_id, here.at, here.law)
    later = standing.later if standing.state != "not_begun" else None
    return here.show(
        "intake/driver/home.html", party=haulers.party_of_business(business_id), bookings=today, lines=lines,
        standing=standing, begins=haulers.begins_words(later) if later is not None else "", wastes=WASTE_TYPES,
        trucks={one.booking.truck_id: haulers.truck(one.booking.truck_id) for one in today},
        missing=[line for line in lines if loads.record_missing(line.load, line.record)],
    )  # fmt: skip


@page(bp, "/driver/bookings/<number>", Role.DRIVER)
def driver_booking(here: Page, number: str) -> Any:
    """One booking of the company: what the gate asks for."""
    found = booking_of(here, number)
    return here.show("intake/driver/booking.html", view=found, waste=WASTE_TYPES[found.booking.waste],
                     **slip(here, found))  # fmt: skip


@page(bp, "/driver/loads/<ticket>", Role.DRIVER)
def driver_load(here: Page, ticket: str) -> Any:
    """One load of the company: its ticket and its record, without the charges."""
    load = own_load(here, ticket)
    return here.show("intake/driver/load.html", load=load, runs=told(loads.runs_of(load.id), here.plant.tz),
                     wastes=WASTE_TYPES, record=loads.record_of(load.id), refusals=REFUSAL_WORDS,
                     missing=statements.wanted(load, here.law))  # fmt: skip
