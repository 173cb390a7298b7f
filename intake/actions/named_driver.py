"""Name who drives a booked load: their certificate must hold on its days where the law asks for one."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions.booking import cannot_change
from intake.actions.booking_rules import BOOKERS, STAFF, yours
from intake.models import Booking
from intake.queries import capacity
from intake.queries.named_driver import days_of, driver_refused
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("name_driver", roles=BOOKERS)
def name_driver(plant: Plant, booking_id: int, driver: str, *, by: Actor, at: datetime,
                law: Law) -> Booking | Refusal:  # fmt: skip
    """Keep who is to drive a booking; "" for nobody named. The gate asks again whoever comes.

    Refusals: no_booking, not_yours, already_ended, already_unloading, and driver (no certificate that holds).
    """
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    booking = db.session.get(Booking, booking_id)
    if booking is None or booking.plant_id != plant.id:
        return Refusal("no_booking", "There is no such booking at this plant.", "")
    refused = yours(booking.business_id, by)
    if refused is not None:
        return refused
    booking, name = lock(Booking, booking_id), driver.strip()
    refused = cannot_change(booking) or driver_refused(booking.business_id, name, days_of(booking), law)
    if refused is not None:
        return refused
    booking.driver = name
    because(f"Driver: {name or 'not known yet'}")
    if by.capacity(STAFF) is not None:
        said = f"{name} is named as the driver." if name else "No driver is named any more."
        tell_party(haulers.party_of_business(booking.business_id), "booking_driver",
                   f"Driver of booking {booking.number}: {name or 'not known yet'}",
                   f"Booking {booking.number} at {plant.name}: {said} Entered by {by.name}.", at,
                   plant_id=plant.id)  # fmt: skip
    return booking
