"""Move a booking, whole or in part: old and new swap in one act, never both, never neither (§ 329-7 C, F(3))."""

from collections.abc import Sequence
from datetime import date, datetime

from intake.actions.booking import ended_already, plan_sessions, still_to_come, time_begun
from intake.actions.booking_mail import tell_moved, when_words
from intake.actions.booking_rules import BOOKERS, yours
from intake.actions.freed import offer_freed
from intake.actions.holding import release_what_is_free, take_up_lost
from intake.actions.reserving import Room, Wanted, find_room
from intake.actions.split_rest import due_anew
from intake.models import Booking, PlannedSession
from intake.queries import bookings
from intake.queries.bookings import BookingView
from intake.queries.special_spans import arrangement
from office import formats
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.plants import Plant, plant_of
from ordinances.offers import Session
from ordinances.other_times import arranged_by
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("move_booking", roles=BOOKERS)
def move_booking(
    plant: Plant, booking_id: int, sessions: Sequence[Session], *, part: date | None = None, by: Actor, at: datetime,
    law: Law,
) -> Booking | Refusal:  # fmt: skip
    """Give a booking other times under its number; with ``part`` only that morning's, the rest stays as it is. Of one
    that is unloaded in part, what is left of it: it stays one load under one ticket.

    The room it has counts as free for the new times. A Refusal leaves the old time as it was: no_booking, not_yours,
    already_ended, already_unloading, no_part, paused, time_begun (a hauler's, once its time began), same_time, over
    (its last day is past), and those of ``book_discharge``.
    """
    booking = db.session.get(Booking, booking_id)
    if booking is None or booking.plant_id != plant.id:
        return Refusal("no_booking", "There is no such booking at this plant.", "")
    refused = yours(booking.business_id, by)
    if refused is not None:
        return refused
    leaves, stays = parted(booking, part)
    ran = bookings.opened_days(booking.id)
    # What ran is counted as unloaded already.
    keeps = [one for one in stays if one.day not in ran]
    wanted = Wanted(booking.business_id, booking.truck_id, booking.waste, tuple(sessions),
                    tuple(_as_session(one, law) for one in keeps), booking=booking, driver=booking.driver)  # fmt: skip
    seen, gone = _times([*leaves, *stays]), [_as_session(one, law) for one in leaves]
    begun = time_begun(plant, booking, leaves, "move", by, at, law)
    room = (
        begun
        or _cannot_move(plant, booking, part, wanted, at)
        or find_room(plant, wanted, by=by, at=at, law=law, gallons=sum(one.gallons for one in (*leaves, *keeps)))
    )
    if isinstance(room, Refusal):
        return room
    booking = lock(Booking, booking_id)
    for one in (*leaves, *stays):
        db.session.expire(one)
    leaves, stays = parted(booking, part)
    refused = _changed(booking, seen, [*leaves, *stays]) or _cannot_move(plant, booking, part, wanted, at)
    if refused is not None:
        return refused
    take_up_lost(booking_id)
    _swap(booking, leaves, wanted, room)
    booking.approval_id, booking.law_version = room.approval.id, room.law.version
    booking.moved_at, booking.moves = at, booking.moves + 1
    held, came = release_what_is_free(plant, booking, stays, at), room.placed
    refused = due_anew(booking, at, room.law)
    if refused is not None:
        return refused
    why = f"Moved from {when_words(plant, gone)} to {when_words(plant, came)}"
    because(why, room.law.cite("hours.opens", came[0].start.astimezone(law.zone).date()))
    tell_moved(plant, booking, gone, came, stays, at, "\n\n".join(filter(None, (room.note, held))))
    offer_freed(plant, [one.start.astimezone(law.zone).date() for one in gone], at, room.law)
    return booking


def parted(booking: Booking, part: date | None) -> tuple[list[PlannedSession], list[PlannedSession]]:
    """The sessions that would move and those that would stay; a morning whose load was logged stays."""
    mine, ran = bookings.sessions_of([booking.id])[booking.id], bookings.opened_days(booking.id)
    moves = [one for one in mine if part in (None, one.day) and one.day not in ran]
    return moves, [one for one in mine if one not in moves]


def _times(sessions: Sequence[PlannedSession]) -> list[tuple[int, datetime, datetime]]:
    return sorted((one.id, one.starts, one.ends) for one in sessions)


def _as_session(one: PlannedSession, law: Law) -> Session:
    zone = law.zone
    return Session(one.starts.astimezone(zone), one.ends.astimezone(zone), one.gph, one.gallons)


def _cannot_move(plant: Plant, booking: Booking, part: date | None, wanted: Wanted, at: datetime
                 ) -> Refusal | None:  # fmt: skip
    """Why there is nothing to move, or nothing to move it to."""
    refused = ended_already(booking) or arranged_once(booking)
    mine = bookings.sessions_of([booking.id])[booking.id]
    leaves = refused or still_to_come(booking, mine, part)
    if isinstance(leaves, Refusal):
        return leaves
    found = bookings.view(booking, at)
    if leaves[-1].day < at.astimezone(plant.tz).date() and not found.opened:
        why = f"The day of booking {booking.number}, {formats.day(leaves[-1].day)}, is past."
        return Refusal("over", why, "", next_step="Book another time.")
    if not found.may_end:
        why = f"Booking {booking.number} keeps no time any more: {found.words.lower()}."
        return Refusal("not_kept", why, "", next_step="Book another time.")
    refused = _not_whole(found, part, {one.start.astimezone(plant.tz).date() for one in wanted.sessions})
    if refused is not None:
        return refused
    old = sorted((one.starts, one.ends, one.gallons) for one in leaves)
    if old == sorted((one.start, one.end, one.gallons) for one in wanted.sessions):
        return Refusal("same_time", f"Booking {booking.number} has this time already.", "")
    return None


def _not_whole(found: BookingView, part: date | None, days: set[date]) -> Refusal | None:
    """Why what is left of a load that is unloaded in part cannot move so to some days."""
    if found.lost_rest and part is not None and len(found.left) > 1:
        why = f"What is left of booking {found.booking.number} lost its time on every morning: all of it moves."
        return Refusal("not_whole", why, "", next_step="Choose times for all that is left.")
    meets = next((one for one in found.sessions if one.id in found.opened and one.day in days), None)
    if meets is None:
        return None
    why = f"A part of this load was unloaded on {formats.day(meets.day)} already. A load has one time on each day."
    return Refusal("not_whole", why, "", next_step="Choose another day.")


def arranged_once(booking: Booking) -> Refusal | None:
    """A special time was arranged in writing for its own time: it is not moved."""
    row = arrangement(booking.id)
    if row is None:
        return None
    law = law_in_force(plant_of(booking.plant_id), row.day)
    who = arranged_by(law, row.day)
    why = f"Booking {booking.number} is a special time, arranged in writing for its own."
    return Refusal("special_time", why, who.cite if who else "", None,
                   "Cancel it and ask for another special time, or book in the hours.")  # fmt: skip


def _changed(booking: Booking, seen: list[tuple[int, datetime, datetime]], now: Sequence[PlannedSession]
             ) -> Refusal | None:  # fmt: skip
    """Somebody else moved it or cancelled a part of it while this waited for the locks."""
    if _times(now) == seen:
        return None
    return Refusal("changed_meanwhile", f"Booking {booking.number} was changed meanwhile. Look at it again.", "")


def _swap(booking: Booking, leaves: Sequence[PlannedSession], wanted: Wanted, room: Room) -> None:
    """Old rows take the new times, so that the history of each shows both; what is over or missing goes or comes."""
    came = sorted(wanted.sessions, key=lambda one: one.start)
    for row, one in zip(leaves, came, strict=False):
        row.day, row.starts, row.ends = one.start.astimezone(room.law.zone).date(), one.start, one.end
        row.gph, row.gallons, row.point_id = one.gph, one.gallons, room.point_of(one)
    for row in leaves[len(came) :]:
        db.session.delete(row)
    plan_sessions(booking, came[len(leaves) :], room)
    db.session.flush()
