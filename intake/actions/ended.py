"""A booking the plant ends, because its room is no longer there: never in silence."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.models import Booking
from intake.queries import bookings
from intake.queries.restrictions import full_stop
from intake.states import BookingState
from office import formats
from office.access import party_signs_in
from office.db import lock
from office.notices import tell_party
from office.plants import Plant


def end_by_plant(plant: Plant, booking_id: int, reason: str, at: datetime) -> None:
    """End a booking with a reason in a sentence and tell its hauler what to do. The caller holds the locks."""
    booking = lock(Booking, booking_id)
    booking.state, booking.ended_at, booking.end_reason = BookingState.CANCELLED.value, at, reason
    when = when_words(plant, bookings.sessions_of([booking.id])[booking.id])
    ended = f"Booking {booking.number}, {when}, {formats.volume(booking.gallons)}, is cancelled by the plant."
    subject = f"Cancelled by the plant: {when} ({booking.number})"
    party = haulers.party_of_business(booking.business_id)
    how = "Book another time, or call" if party_signs_in(party.id, at) else "For another time, call"
    again = full_stop(f"{how} {plant.phone}, {plant.help_hours}")
    tell_party(party, "booking_ended", subject, f"{reason}\n\n{ended} {again}", at, plant_id=plant.id)
