"""The first times that fit a load that lost its own, for the message that tells its hauler (§ 329-7 F(3))."""

from datetime import datetime

from haulers import queries as haulers
from intake.models import Booking
from intake.queries import offered
from intake.queries.terms import terms_of
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law

SHOWN = 3


def times_for(plant: Plant, law: Law, booking: Booking, at: datetime) -> tuple[Session, ...]:
    """The first times offered for a booking's whole load on the first day it fits; none where it fits no window."""
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste)
    found = offered.find(plant, terms, at, booking.gallons, truck=haulers.truck(booking.truck_id))
    return tuple(found.fits[:SHOWN])
