"""Who may be named to drive a booked load: the company's own list of drivers, the one of the last booking first."""

from datetime import date, datetime

from haulers import queries as haulers
from haulers.queries.drivers import roster
from haulers.queries.papers import driver_shown
from intake.models import Booking
from intake.queries import bookings, loads
from ordinances.reader import Law
from ordinances.refusal import Refusal

LATER = "later"


def drivers_named(business_id: int, at: datetime) -> dict[str, str]:
    """The drivers of a company by name, each under its key in a form; empty where none is on the list."""
    owner = haulers.business(business_id)
    found = roster(owner, at) if owner is not None else []
    return {f"d{one.row.id}" if one.row is not None else f"p{one.signed.person_id if one.signed else 0}": one.name
            for one in found}  # fmt: skip


def choices(drivers: dict[str, str]) -> list[tuple[str, str]]:
    """The drivers to choose from, and that nobody is named yet."""
    return [*drivers.items(), (LATER, "Not known yet")]


def usual(plant_id: int, business_id: int, drivers: dict[str, str]) -> str:
    """The key of who was named last, or drove last; "later" for nobody on the list now."""
    last = bookings.last_of_business(plant_id, business_id)
    name = (last.driver if last is not None else "") or loads.last_driver(business_id)
    return key_of(name, drivers)


def key_of(name: str, drivers: dict[str, str]) -> str:
    """The key of a name on the list, capitals and spaces aside; "later" for none."""
    folded = " ".join(name.casefold().split())
    return next((key for key, one in drivers.items() if folded and " ".join(one.casefold().split()) == folded), LATER)


def driver_refused(business_id: int, name: str, days: list[date], law: Law) -> Refusal | None:
    """Why a driver named may not come on one of the days; None for nobody named, and where no certificate is needed."""
    if not name:
        return None
    return next((no for day in days if (no := haulers.driver_wrong(business_id, name, day, law)) is not None), None)


def driver_told(business_id: int, name: str, days: list[date], law: Law) -> Refusal | None:
    """What is only shown of the driver's certificate on the last of the days; None where there is nothing to say."""
    return driver_shown(business_id, name, max(days), law) if name and days else None


def days_of(booking: Booking) -> list[date]:
    """The days a booking has its times on."""
    return [one.day for one in bookings.sessions_of([booking.id])[booking.id]]
