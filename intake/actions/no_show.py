"""A truck that did not come: staff's judgement, never the clock's, taken back while nothing depends on it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from haulers import queries as haulers
from intake.actions.booking import booking_to_end
from intake.actions.booking_mail import tell_booking, when_words
from intake.actions.booking_rules import STAFF, no_allowance
from intake.actions.freed import offer_freed
from intake.actions.holding import hold_again, release_holds
from intake.models import Booking, PlannedSession
from intake.queries import bookings, capacity, standing
from intake.queries.allowance import limits
from intake.queries.bookings import BookingView
from intake.queries.restrictions import full_stop
from intake.queries.special_spans import span_of
from intake.queries.tank_rest import beside
from intake.queries.truck_times import truck_taken
from intake.states import BookingState
from office import formats
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("record_no_show", roles=STAFF)
def record_no_show(
    plant: Plant, booking_id: int, note: str = "", *, by: Actor, at: datetime, law: Law
) -> Booking | Refusal:
    """Record that no truck came for a booking: its room and its gallons are free at once, its hauler is told.

    Refusals: no_booking, already_ended, already_unloading, not_due (its time has not begun), not_kept (held or ended by
    the plant, refused at the gate, approval not in force: then it is not the hauler's doing).
    """
    booking = booking_to_end(plant, booking_id, by, at, law)
    if isinstance(booking, Refusal):
        return booking
    found = bookings.view(booking, at)
    refused = cannot_miss(plant, found, at, law)
    if refused is not None:
        return refused
    booking.state, booking.ended_at, booking.end_reason = BookingState.NO_SHOW.value, at, note.strip() or None
    release_holds(booking_id, at)
    because(note.strip() or f"No truck came for {when_words(plant, found.sessions)}", _cite(law, found.sessions))
    said = "The plant recorded that no truck came at this time. If that is not so, call the plant."
    tell_booking(plant, booking, found.sessions, "no_show", "Did not come", at, said)
    offer_freed(plant, [one.day for one in found.sessions], at, law)
    return booking


def cannot_miss(plant: Plant, found: BookingView, at: datetime, law: Law) -> Refusal | None:
    """Why it cannot be said of a booking that nobody came: it was not to come, or not yet."""
    number, cite = found.booking.number, _cite(law, found.sessions)
    if found.opened:
        why = f"Booking {number} was unloaded in part: its truck came."
        step = "Move what is left of it, or cancel that with a reason."
        return Refusal("already_unloading", why, cite, next_step=step)
    if found.state not in ("booked", "passed"):
        return Refusal("not_kept", f"Booking {number} is not waited for any more: {found.words.lower()}.", cite)
    if found.starts > at:
        begins = formats.day_time(found.starts, plant.tz)
        return Refusal("not_due", full_stop(f"The time of booking {number} begins {begins}"), cite,
                       next_step="If they called that they do not come, cancel the booking.")  # fmt: skip
    return None


def cannot_undo(found: BookingView, law: Law) -> Refusal | None:
    """Why there is no no-show to take back."""
    if found.booking.state == BookingState.NO_SHOW.value:
        return None
    return Refusal("not_no_show", f"Booking {found.booking.number} is not recorded as a no-show.",
                   _cite(law, found.sessions))  # fmt: skip


@act("undo_no_show", roles=STAFF)
def undo_no_show(plant: Plant, booking_id: int, *, by: Actor, at: datetime, law: Law) -> Booking | Refusal:
    """Take the record of a no-show back: the booking stands as it was, while its room and gallons are still there. One
    that a restriction meets is held by it.

    Refusals: no_booking, not_no_show, room_gone, truck_taken, allowance, limit.
    """
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    booking = db.session.get(Booking, booking_id)
    if booking is None or booking.plant_id != plant.id:
        return Refusal("no_booking", "There is no such booking at this plant.", "")
    approval = haulers.lock_approval(booking.approval_id)
    sessions = bookings.sessions_of([booking_id])[booking_id]
    capacity.lock_days(plant.id, [one.day for one in sessions])
    booking = lock(Booking, booking_id)
    refused = cannot_undo(bookings.view(booking, at), law)
    if refused is not None:
        return refused
    parts = [_whole(one, law) for one in sessions]
    refused = _room_gone(plant, booking, sessions, parts, at, law)
    ahead = [one for one in parts if one.start.date() >= at.astimezone(law.zone).date()]
    days = [one.start.date() for one in ahead]
    if refused is None and ahead:
        by_day = [(one.start.date(), one.gallons) for one in ahead]
        refused = no_allowance(law, approval, ahead, days, at)
        refused = refused or limits(approval, law, at).refusal(by_day, booking.waste)
    if refused is not None:
        return refused
    booking.state, booking.ended_at, booking.end_reason = BookingState.BOOKED.value, None, None
    because("The no-show was recorded by mistake", _cite(law, sessions))
    db.session.flush()
    said = "The record that no truck came is taken back."
    to_come = [one for one in sessions if one.ends > at]
    if bookings.view(booking, at).state == "not_approved":
        said += " The booking does not stand: the approval it was made under does not hold any more."
        tell_booking(plant, booking, sessions, "stands", "No no-show", at, said)
    elif not hold_again(plant, law, booking, to_come, said.rstrip("."), at):
        tell_booking(plant, booking, sessions, "stands", "Stands again", at, f"{said} The booking stands as it was.")
    return booking


def _whole(one: PlannedSession, law: Law) -> Session:
    return Session(one.starts.astimezone(law.zone), one.ends.astimezone(law.zone), one.gph, one.gallons)


def _room_gone(plant: Plant, booking: Booking, sessions: Sequence[PlannedSession], parts: Sequence[Session],
               at: datetime, law: Law) -> Refusal | None:  # fmt: skip
    """Somebody else has its room, or its truck is booked elsewhere at that time."""
    # A special time stands in the span arranged for it, which may lie outside the hours.
    pictures = capacity.day_pictures(plant, law, [one.day for one in sessions], at, other=span_of(booking.id))
    each = [replace(one, point=row.point_id) for row, one in zip(sessions, parts, strict=True)]
    if not all(standing.has_room(row, beside(pictures[row.day], each[:n])) for n, row in enumerate(sessions)):
        why = f"The time of booking {booking.number} is given to others, or the plant takes less now."
        return Refusal("room_gone", why, _cite(law, sessions), next_step="Book another time for this hauler.")
    return truck_taken(plant, haulers.truck(booking.truck_id), booking.business_id, parts, at)


def _cite(law: Law, sessions: Sequence[PlannedSession]) -> str:
    return law.cite("hours.opens", sessions[0].day)
