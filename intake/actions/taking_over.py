"""Bookings made under a carried-over approval stand under the new one once its letter is issued (§ 329-7 B(2))."""

from datetime import date, datetime

from sqlalchemy import select

from intake.models import Booking, PlannedSession
from intake.states import BookingState
from office.db import db
from office.plants import Plant


def take_over(plant: Plant, old_id: int, new_id: int, first: date, last: date, at: datetime) -> None:
    """Give the bookings of an approval for some days to the one that came in its place; their room and times stay.

    Run inside the act that issues the letter. What begins before it stays under the old one, as do loads.
    """
    still = select(PlannedSession.booking_id).where(PlannedSession.day.between(first, last), PlannedSession.starts > at)
    query = select(Booking).where(Booking.plant_id == plant.id, Booking.approval_id == old_id, Booking.id.in_(still),
                                  Booking.state == BookingState.BOOKED.value)  # fmt: skip
    for booking in db.session.scalars(query.order_by(Booking.id).with_for_update()):
        booking.approval_id = new_id
    db.session.flush()
