"""Book a time to unload, and cancel it whole or in part: every rule again, under the locks (§ 329-7 C, F(3), F(4))."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from haulers import queries as haulers
from intake.actions.booking_mail import tell_booking, tell_cancelled_part
from intake.actions.booking_rules import BOOKERS, STAFF, day_of, yours
from intake.actions.freed import offer_freed
from intake.actions.holding import release_holds, release_what_is_free
from intake.actions.reserving import Room, Wanted, find_room
from intake.actions.split_rest import due_anew
from intake.models import Booking, PlannedSession
from intake.queries import bookings, capacity, loads
from intake.queries.pieces import left_paused
from intake.states import BookingState
from office import formats, numbers
from office.access import Actor
from office.acts import act
from office.asked import hold_row
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.booking_terms import late_cancel
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

BOOKING = numbers.series("booking", "booking", "number")


@act("book_discharge", roles=BOOKERS)
def book_discharge(
    plant: Plant, business_id: int, truck_id: int, waste: str, gallons: int, sessions: Sequence[Session], *,
    driver: str = "", by_phone: bool = False, by: Actor, at: datetime, law: Law,
) -> Booking | Refusal:  # fmt: skip
    """Book one load over one or several mornings; every session is checked again under the locks.

    ``by_phone``: staff enter what a hauler asks for on the telephone. Refusals: not_yours, not_approved, revoked,
    suspended, not_begun, licence, insurance, certificates, driver (the one named), truck, too_big, not_septage,
    waste_not_covered, no_point, restricted, closed, outside_hours, allowance, limit, and (show fresh times) past,
    truck_taken and those of ``chosen.not_offered``.
    """
    wanted = Wanted(business_id, truck_id, waste, tuple(sorted(sessions, key=lambda one: one.start)),
                    driver=driver.strip())  # fmt: skip
    room = find_room(plant, wanted, by=by, at=at, law=law, gallons=gallons)
    if isinstance(room, Refusal):
        return room
    booking = write_booking(plant, wanted, room, by_phone=by_phone and by.capacity(STAFF) is not None, by=by, at=at)
    tell_booking(plant, booking, room.placed, "booked", "Booked", at, room.note)
    return booking


def write_booking(plant: Plant, wanted: Wanted, room: Room, *, by_phone: bool = False, by: Actor,
                  at: datetime) -> Booking:  # fmt: skip
    """The rows of a booking whose room was found under the locks."""
    first = day_of(room.law, wanted.sessions[0])
    booking = Booking(
        plant_id=plant.id, number=_number(plant, first), approval_id=room.approval.id, business_id=wanted.business_id,
        truck_id=wanted.truck_id, waste=wanted.waste, gallons=sum(one.gallons for one in wanted.sessions),
        state=BookingState.BOOKED.value, made_at=at, made_by=by.name, law_version=room.law.version, by_phone=by_phone,
        driver=wanted.driver,
    )  # fmt: skip
    db.session.add(booking)
    db.session.flush()
    plan_sessions(booking, wanted.sessions, room)
    because(cite=room.law.cite("hours.opens", first))
    return booking


def plan_sessions(booking: Booking, sessions: Iterable[Session], room: Room) -> None:
    """Add the planned sessions of a booking."""
    for one in sessions:
        db.session.add(PlannedSession(
            plant_id=booking.plant_id, booking_id=booking.id, point_id=room.point_of(one), day=day_of(room.law, one),
            starts=one.start, ends=one.end, gph=one.gph, gallons=one.gallons,
        ))  # fmt: skip


@act("cancel_booking", roles=BOOKERS)
def cancel_booking(
    plant: Plant, booking_id: int, reason: str, *, part: date | None = None, by: Actor, at: datetime, law: Law
) -> Booking | Refusal:
    """Give a booking's room back at once; with ``part`` only that morning's, the rest stays booked. Of a load that is
    unloaded in part, what is left of it: it ends with what was unloaded then.

    What is at the plant or unloaded cannot be cancelled, nor by its hauler one whose time has begun: that the truck did
    not come is the plant's to say. Refusals: no_booking, not_yours, already_ended, already_unloading, no_part, paused,
    time_begun, no_reason (staff, once the time is over).
    """
    booking = booking_to_end(plant, booking_id, by, at, law)
    if isinstance(booking, Refusal):
        return booking
    sessions = bookings.sessions_of([booking_id])[booking_id]
    given_up = still_to_come(booking, sessions, part)
    if isinstance(given_up, Refusal):
        return given_up
    left = [one for one in sessions if one not in given_up]
    refused = time_begun(plant, booking, given_up, "cancel", by, at, law)
    lost = bookings.view(booking, at).lost_rest
    refused = refused or (None if lost else _no_reason(given_up, reason, at, law))
    if refused is not None:
        return refused
    because(reason.strip() or None)
    # What the plant took is not given up late.
    late = None if lost else late_cancel(law, min(one.starts for one in given_up), at)
    booking.ended_late = booking.ended_late or (late is not None and late.recorded)
    note = late.told if late else ""
    if left:
        for one in given_up:
            db.session.delete(one)
        booking.gallons -= sum(one.gallons for one in given_up)
        db.session.flush()
        note = "\n\n".join(filter(None, (note, release_what_is_free(plant, booking, left, at))))
        refused = due_anew(booking, at, law)
        if refused is not None:
            return refused
        tell_cancelled_part(plant, booking, given_up, left, at, note)
        offer_freed(plant, [one.day for one in given_up], at, law)
        return booking
    booking.state, booking.ended_at, booking.end_reason = BookingState.CANCELLED.value, at, reason.strip() or None
    release_holds(booking_id, at)
    tell_booking(plant, booking, sessions, "cancelled", "Cancelled", at, note)
    offer_freed(plant, [one.day for one in sessions], at, law)
    return booking


def booking_to_end(plant: Plant, booking_id: int, by: Actor, at: datetime, law: Law) -> Booking | Refusal:
    """A booking under its locks that stands, or why it cannot be ended."""
    hold_row(Plant, plant.id, shared=True)
    booking = db.session.get(Booking, booking_id)
    if booking is None or booking.plant_id != plant.id:
        return Refusal("no_booking", "There is no such booking at this plant.", "")
    refused = yours(booking.business_id, by)
    if refused is not None:
        return refused
    haulers.hold_approval(booking.approval_id)
    capacity.lock_days(plant.id, [one.day for one in bookings.sessions_of([booking_id])[booking_id]])
    booking = lock(Booking, booking_id)
    return ended_already(booking) or booking


def ended_already(booking: Booking) -> Refusal | None:
    """Why there is nothing of a booking to end or to move."""
    if booking.state == BookingState.BOOKED.value:
        return None
    return Refusal("already_ended", f"Booking {booking.number} has already ended.", "")


def cannot_change(booking: Booking) -> Refusal | None:
    """Why a booking, read fresh under its locks, stands as it is: it has ended or its load was logged."""
    refused = ended_already(booking)
    return _unloading(booking) if refused is None and bookings.opened_days(booking.id) else refused


def still_to_come(booking: Booking, sessions: Sequence[PlannedSession], part: date | None
                  ) -> list[PlannedSession] | Refusal:  # fmt: skip
    """The sessions of a booking, or of one morning of it, whose load was not logged, read under its locks; or why
    there is none. What waits in a truck at the plant is stopped first."""
    asked, ran = [one for one in sessions if part is None or one.day == part], bookings.opened_days(booking.id)
    left = [one for one in asked if one.day not in ran]
    if not asked:
        day = formats.day(part or sessions[0].day)
        return Refusal("no_part", f"Booking {booking.number} has no time on {day}.", "")
    if not left:
        return _unloading(booking)
    load = loads.opened_by(booking.id) if ran else None
    return (left_paused(load) if load is not None else None) or left


def _unloading(booking: Booking) -> Refusal:
    why = f"The load of booking {booking.number} is at the plant or unloaded already."
    return Refusal("already_unloading", why, "", next_step="Ask the operator.")


def time_begun(plant: Plant, booking: Booking, given_up: Sequence[PlannedSession], verb: str, by: Actor, at: datetime,
               law: Law) -> Refusal | None:  # fmt: skip
    """Why a hauler cannot cancel or move a time any more: it has begun, and whether the truck comes is the plant's to
    say. A truck may still come late. What a restriction or the plant took is the hauler's to move."""
    if by.capacity(STAFF) is not None:
        return None
    begun = {one.id for one in bookings.view(booking, at).begun}
    first = next((one for one in given_up if one.id in begun), None)
    if first is None:
        return None
    began = formats.day_time(first.starts, plant.tz)
    why = formats.full_stop(f"The time of booking {booking.number} began {began}")
    return Refusal("time_begun", f"{why} You cannot {verb} it any more.", law.cite("hours.opens", first.day),
                   next_step=formats.full_stop(f"Call the plant: {plant.phone}, {plant.help_hours}"))  # fmt: skip


def _no_reason(given_up: Sequence[PlannedSession], reason: str, at: datetime, law: Law) -> Refusal | None:
    """A time that is over is a no-show unless somebody says why it is cancelled instead."""
    if reason.strip() or all(one.ends > at for one in given_up):
        return None
    return Refusal("no_reason", "Enter why it is cancelled: its time is over. If nobody came, record a no-show instead",
                   law.cite("hours.opens", given_up[0].day))  # fmt: skip


def _number(plant: Plant, day: date) -> str:
    """Month and day of the first session, and a running number, such as B-1007-02."""
    return f"B-{day:%m%d}-{numbers.take(plant.id, BOOKING, f'{day:%m%d}'):02d}"
