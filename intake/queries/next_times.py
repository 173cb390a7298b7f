"""The first times that fit a load that lost its own, for the message that tells its hauler (§ 329-7 F(3))."""

from datetime import date, datetime
from urllib.parse import urlencode

from flask import current_app

from haulers import queries as haulers
from intake.models import Booking
from intake.queries import offered, waiting
from intake.queries.bookings import opened_days
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
    truck, (moves, ran) = haulers.truck(booking.truck_id), _moves(booking)
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, moves, truck)
    found = offered.find(plant, terms, at, gallons or booking.gallons, truck=truck, booking_id=moves, without=ran)
    return tuple(found.fits[:SHOWN])


def mornings_for(plant: Plant, law: Law, booking: Booking, at: datetime, gallons: int | None = None
                 ) -> tuple[Session, ...]:  # fmt: skip
    """The mornings over which a load that fits no single window can be split; none where no split holds it."""
    truck, (moves, ran) = haulers.truck(booking.truck_id), _moves(booking)
    terms = terms_of(plant.id, booking.business_id, law, at, booking.waste, moves, truck)
    found = offered.split_over(plant, terms, at, gallons or booking.gallons, truck=truck, booking_id=moves, without=ran)
    return () if isinstance(found, Refusal) else tuple(found)


def _moves(booking: Booking) -> tuple[int | None, set[date]]:
    """The booking whose own room and gallons count as free, because what is left of its load moves, and the days it
    ran; None and none of a load that is booked anew."""
    ran = opened_days(booking.id)
    return (booking.id if ran else None), ran


def book_address(plant: Plant, booking: Booking, gallons: int, day: date) -> str:
    """Where its hauler books these gallons again, the times of that day shown."""
    load = urlencode({"truck": booking.truck_id, "gallons": gallons, "waste": booking.waste, "day": day.isoformat()})
    return f"{_base(plant)}/hauler/book/times?{load}"


def move_address(plant: Plant, booking: Booking, day: date) -> str:
    """Where what is left of a load that is unloaded in part gets another time under its ticket."""
    asked = urlencode({"part": "all", "day": day.isoformat()})
    return f"{_base(plant)}/bookings/{booking.number}/move/times?{asked}"


def _base(plant: Plant) -> str:
    return f"{str(current_app.config['SEPTAGE_URL']).rstrip('/')}/{plant.slug}"
