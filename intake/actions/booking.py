"""Book a time to unload and cancel it: every rule again, under the locks (§ 329-7 C, F(3), F(4) of Bayfield)."""

from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions.booking_mail import tell_booking
from intake.actions.booking_rules import (
    BOOKERS,
    approval_covering,
    asked_wrongly,
    day_of,
    no_allowance,
    no_point,
    no_room,
    yours,
)
from intake.models import Booking, Hold, PlannedSession
from intake.queries import bookings, capacity
from intake.queries.allowance import limits
from intake.queries.truck_times import truck_taken
from intake.states import BookingState, HoldEnd
from office import numbers
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

BOOKING = numbers.series("booking", "booking", "number")


@act("book_discharge", roles=BOOKERS)
def book_discharge(
    plant: Plant, business_id: int, truck_id: int, waste: str, gallons: int, sessions: Sequence[Session], *,
    by: Actor, at: datetime, law: Law,
) -> Booking | Refusal:  # fmt: skip
    """Book one load over one or several mornings; every session is checked again under the locks.

    Refusals: not_yours, not_approved, revoked, suspended, not_begun, licence, insurance, certificates, truck, too_big,
    not_septage, waste_not_covered, no_point, restricted, closed, outside_hours, allowance, limit, and (show fresh
    times) past, truck_taken and those of ``chosen.not_offered``.
    """
    sessions = sorted(sessions, key=lambda one: one.start)
    refused = yours(business_id, by) or asked_wrongly(law, truck_id, business_id, waste, gallons, sessions, at)
    if refused is not None:
        return refused
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    approval = approval_covering(plant, business_id, sessions, at, law)
    if isinstance(approval, Refusal):
        return approval
    days = [day_of(law, one) for one in sessions]
    capacity.lock_days(plant.id, days)
    pictures = capacity.day_pictures(plant, law, days, at)
    pairs = list(zip(sessions, days, strict=True))
    refused = (
        haulers.waste_covered(approval, waste, law)
        or truck_taken(plant, haulers.truck(truck_id), business_id, sessions, at)
        or next((no for one, day in pairs if (no := no_room(law, pictures[day], one, at))), None)
    )
    if refused is not None:
        return refused
    point = bookings.first_point(plant.id)
    if point is None:
        return no_point(law, days[0])
    found = limits(approval, law, at)
    parts = [(day, one.gallons) for one, day in pairs]
    refused = no_allowance(law, approval, sessions, days, at) or found.refusal(parts, waste)
    if refused is not None:
        return refused
    booking = Booking(
        plant_id=plant.id, number=_number(plant, days[0]), approval_id=approval.id, business_id=business_id,
        truck_id=truck_id, waste=waste, gallons=gallons, state=BookingState.BOOKED.value, made_at=at,
        made_by=by.name, law_version=law.version,
    )  # fmt: skip
    db.session.add(booking)
    db.session.flush()
    for one, day in pairs:
        db.session.add(PlannedSession(
            plant_id=plant.id, booking_id=booking.id, point_id=point.id, day=day, starts=one.start, ends=one.end,
            gph=one.gph, gallons=one.gallons,
        ))  # fmt: skip
    because(cite=law.cite("hours.opens", days[0]))
    tell_booking(plant, booking, sessions, "booked", "Booked", at, found.note(parts, waste))
    return booking


@act("cancel_booking", roles=BOOKERS)
def cancel_booking(
    plant: Plant, booking_id: int, reason: str, *, by: Actor, at: datetime, law: Law
) -> Booking | Refusal:
    """Give a booking's room back at once. One whose load has opened cannot be cancelled."""
    lock(Plant, plant.id, shared=True)
    booking = db.session.get(Booking, booking_id)
    if booking is None or booking.plant_id != plant.id:
        return Refusal("no_booking", "There is no such booking at this plant.", "")
    refused = yours(booking.business_id, by)
    if refused is not None:
        return refused
    haulers.lock_approval(booking.approval_id)
    sessions = bookings.sessions_of([booking_id])[booking_id]
    capacity.lock_days(plant.id, [one.day for one in sessions])
    booking = lock(Booking, booking_id)
    if booking.state != BookingState.BOOKED.value:
        return Refusal("already_ended", f"Booking {booking.number} has already ended.", "")
    if bookings.opened_days(booking_id):
        why = f"The load of booking {booking.number} is at the plant or unloaded already."
        return Refusal("already_unloading", why, "", next_step="Ask the operator.")
    booking.state, booking.ended_at, booking.end_reason = BookingState.CANCELLED.value, at, reason.strip() or None
    for hold in db.session.scalars(select(Hold).where(Hold.booking_id == booking_id, Hold.ended_at.is_(None))):
        hold.ended_at, hold.outcome = at, HoldEnd.RELEASED.value
    because(reason.strip() or None)
    tell_booking(plant, booking, sessions, "cancelled", "Cancelled", at)
    return booking


def _number(plant: Plant, day: date) -> str:
    """Month and day of the first session, and a running number, such as B-1007-02."""
    return f"B-{day:%m%d}-{numbers.take(plant.id, BOOKING, f'{day:%m%d}'):02d}"
