"""The first times that fit a load that lost its own, for the message that tells its hauler (§ 329-7 F(3))."""

from datetime import date, datetime

from haulers import queries as haulers
from intake.models import Booking
from intake.queries import offered, waiting
from intake.queries.terms import terms_of
from office.plants import Plant
from ordinances.booking_terms import answer_time
from ordinances.offers import Session
from ordinances.reader import Law

SHOWN = 3


def may_wait(plant: Plant, law: Law, booking: Booking, last: date, at: datetime) -> bool:
    """Whether a load that lost its time can stand in line for room through a day: nothing fits it now, some day could.

    A truck stands in line once.
    """
    today = at.astimezone(plant.tz).date()
    line = waiting.in_line(plant.id, at, today, (today, last)) if answer_time(law, today) else None
    if line is None or any(one.truck_id == booking.truck_id for one in line):
        return False
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, truck=haulers.truck(booking.truck_id))
    found = waiting.asked_days(plant, law, terms, booking.gallons, booking.truck_id, (today, last), at)
    return bool(found.days and found.holds and not found.why and not found.fits)


def times_for(plant: Plant, law: Law, booking: Booking, at: datetime) -> tuple[Session, ...]:
    """The first times offered for a booking's whole load on the first day it fits; none where it fits no window."""
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, truck=haulers.truck(booking.truck_id))
    found = offered.find(plant, terms, at, booking.gallons, truck=haulers.truck(booking.truck_id))
    return tuple(found.fits[:SHOWN])
