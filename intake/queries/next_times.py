"""The first times that fit a load that lost its own, for the message that tells its hauler (§ 329-7 F(3))."""

from datetime import date, datetime
from urllib.parse import urlencode

from flask import current_app

from haulers import queries as haulers
from intake.models import Booking
from intake.queries import offered, waiting
from intake.queries.terms import terms_of
from office.plants import Plant
from ordinances.booking_terms import answer_time
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

SHOWN = 3


def may_wait(plant: Plant, law: Law, booking: Booking, last: date, at: datetime, gallons: int | None = None) -> bool:
    """Whether a load that lost its time, whole or what is left, can stand in line for room through a day: nothing fits
    it now, some day could.

    A truck stands in line once.
    """
    today = at.astimezone(plant.tz).date()
    line = waiting.in_line(plant.id, at, today, (today, last)) if answer_time(law, today) else None
    if line is None or any(one.truck_id == booking.truck_id for one in line):
        return False
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, truck=haulers.truck(booking.truck_id))
    found = waiting.asked_days(plant, law, terms, gallons or booking.gallons, booking.truck_id, (today, last), at)
    return bool(found.days and found.holds and not found.why and not found.fits)


def times_for(plant: Plant, law: Law, booking: Booking, at: datetime, gallons: int | None = None
              ) -> tuple[Session, ...]:  # fmt: skip
    """The first times offered for a booking's load, whole or what is left, on the first day it fits; none where it
    fits no window."""
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, truck=haulers.truck(booking.truck_id))
    found = offered.find(plant, terms, at, gallons or booking.gallons, truck=haulers.truck(booking.truck_id))
    return tuple(found.fits[:SHOWN])


def mornings_for(plant: Plant, law: Law, booking: Booking, at: datetime, gallons: int | None = None
                 ) -> tuple[Session, ...]:  # fmt: skip
    """The mornings over which a load that fits no single window can be split; none where no split holds it."""
    truck = haulers.truck(booking.truck_id)
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, truck=truck)
    found = offered.split_over(plant, terms, at, gallons or booking.gallons, truck=truck)
    return () if isinstance(found, Refusal) else tuple(found)


def book_address(plant: Plant, booking: Booking, gallons: int, day: date) -> str:
    """Where its hauler books these gallons again, the times of that day shown."""
    base = str(current_app.config["SEPTAGE_URL"]).rstrip("/")
    load = urlencode({"truck": booking.truck_id, "gallons": gallons, "waste": booking.waste, "day": day.isoformat()})
    return f"{base}/{plant.slug}/hauler/book/times?{load}"
