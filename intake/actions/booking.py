"""Book a time to unload and cancel it: every rule again, under the locks (§ 329-7 C, F(3), F(4) of Bayfield)."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers import queries as haulers
from intake.models import Booking, Hold, PlannedSession
from intake.queries import bookings, capacity, restrictions
from intake.queries.allowance import limits, used_and_booked
from intake.queries.chosen import not_offered
from intake.queries.restrictions import full_stop
from intake.queries.terms import is_winter
from intake.queries.truck_times import truck_taken
from intake.states import BookingState, HoldEnd
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed

BOOKING = numbers.series("booking", "booking", "number")
BOOKERS = (Role.HAULER, Role.CLERK, Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)


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
    refused = _yours(business_id, by) or _asked(law, truck_id, business_id, waste, gallons, sessions, at)
    if refused is not None:
        return refused
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    approval = _approval(plant, business_id, sessions, at, law)
    if isinstance(approval, Refusal):
        return approval
    days = [_day(law, one) for one in sessions]
    capacity.lock_days(plant.id, days)
    pictures = capacity.day_pictures(plant, law, days, at)
    pairs = list(zip(sessions, days, strict=True))
    refused = (
        haulers.waste_covered(approval, waste, law)
        or truck_taken(plant, haulers.truck(truck_id), business_id, sessions, at)
        or next((no for one, day in pairs if (no := _no_room(law, pictures[day], one, at))), None)
    )
    if refused is not None:
        return refused
    point = bookings.first_point(plant.id)
    if point is None:
        return _no_point(law, days[0])
    found = limits(approval, law, at)
    parts = [(day, one.gallons) for one, day in pairs]
    refused = _no_allowance(law, approval, sessions, days, at) or found.refusal(parts, waste)
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
    _tell(plant, booking, sessions, "booked", "Booked", at, found.note(parts, waste))
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
    refused = _yours(booking.business_id, by)
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
    _tell(plant, booking, sessions, "cancelled", "Cancelled", at)
    return booking


def _yours(business_id: int, by: Actor) -> Refusal | None:
    """A hauler books and cancels for their own business only; staff for anybody."""
    if by.capacity(BOOKERS) is not Role.HAULER or by.capacity(BOOKERS[1:]) is not None:
        return None
    mine = haulers.business_of_party(by.party_id) if by.party_id is not None else None
    if mine is not None and mine.id == business_id:
        return None
    return Refusal("not_yours", "This is not one of your company's bookings.", "")


def _asked(law: Law, truck_id: int, business_id: int, waste: str, gallons: int, sessions: Sequence[Session],
           at: datetime) -> Refusal | None:  # fmt: skip
    """What can be said without looking at other bookings."""
    if not sessions or gallons <= 0 or sum(one.gallons for one in sessions) != gallons:
        return Refusal("not_whole", "The times chosen do not add up to the whole load. Choose again.", "")
    days = [_day(law, one) for one in sessions]
    if len(set(days)) != len(days):
        return Refusal("not_whole", "A load has one time on each day it needs. Choose again.", "")
    truck = next((one for one in haulers.trucks_of(business_id) if one.id == truck_id), None)
    if truck is None:
        return Refusal("truck", "This truck is not one of the company's trucks. Add it first.", "")
    if gallons > truck.capacity:
        why = f"{formats.volume(gallons)} are more than truck {truck.plate} holds ({truck.capacity:,})."
        return Refusal("too_big", why, law.cite("fees.volume_basis", days[0]))
    return _begun(law, sessions[0].start, at) or waste_allowed(law, days[0], waste)


def _begun(law: Law, start: datetime, at: datetime) -> Refusal | None:
    """A booking starts in a minute that is still to come."""
    first = capacity.next_minute(at)
    if start >= first:
        return None
    if start < first - capacity.MINUTE:
        return Refusal("past", "The time you chose has passed. Nothing was booked.", "")
    began, next_one = formats.clock_time(start, law.zone), formats.clock_time(first, law.zone)
    why = f"The minute of {began} has begun. A booking starts in a minute to come: {next_one} or later."
    return Refusal("past", f"{full_stop(why)} Nothing was booked.", "")


def _approval(plant: Plant, business_id: int, sessions: Sequence[Session], at: datetime, law: Law) -> Any:
    """The approval that covers every day, locked for its allowance; looked at again once locked: it may be revoked."""
    days = [_day(law, one) for one in sessions]
    found = bookings.approval_for(plant.id, business_id, days, at)
    if found is not None:
        haulers.lock_approval(found.id)
        # Revoked while this request waited: then its own clock is behind, and the revocation's counts.
        revocation = haulers.revocation_of(found.id)
        at = max(at, revocation.at) if revocation is not None and revocation.from_day is None else at
        found = bookings.approval_for(plant.id, business_id, days, at)
    standing = haulers.standing(plant.id, business_id, at, law)
    if found is None or standing.state == "suspended":
        return _not_approved(standing)
    needs = law.has("approval.licence", days[-1]) and law.value("approval.licence", days[-1])
    if needs and not haulers.licence_holds(standing.licence, days[-1]):
        return Refusal("licence", f"No state license of your company holds on {formats.day(days[-1])}.",
                       law.cite("approval.licence", days[-1]), next_step="Enter its number and end date.")  # fmt: skip
    return next((no for day in days if (no := haulers.papers_wrong(business_id, day, law)) is not None), found)


def _not_approved(standing: haulers.Standing) -> Refusal:
    """Why no approval covers the days asked for."""
    why, code = standing.why, str(standing.state) if standing.why else "not_approved"
    if standing.approval is not None and not why:
        revocation = haulers.revocation_of(standing.approval.id)
        if revocation is not None and revocation.from_day is not None:
            code, why = "revoked", f"Your approval {standing.approval.number} is revoked from " \
                                   f"{formats.date_only(revocation.from_day)}."  # fmt: skip
        else:
            first, last = formats.date_only(standing.approval.starts), formats.date_only(standing.approval.ends)
            why = f"Your approval {standing.approval.number} runs from {first} to {last}."
    return Refusal(code, why, standing.cite, next_step="Call the plant if this is not so.")


def _no_room(law: Law, picture: capacity.DayPicture, one: Session, at: datetime) -> Refusal | None:
    """Why a session cannot be had on its day: closed, restricted, outside the hours, or not among the offers now."""
    hours = picture.hours
    if not isinstance(hours, Hours):
        return hours
    if not (hours.start <= one.start < one.end <= hours.end):
        why = full_stop(f"Unloading on {formats.day(picture.day)} is {formats.span(hours.start, hours.end)}")
        return Refusal("outside_hours", why, hours.cite, hours.reading)
    stop = picture.restriction
    if stop is not None and stop.scope == "everything" and one.start < restrictions.planned_until(stop, law, at):
        why = f"No septage is being accepted: {restrictions.words_of(stop.reason)}."
        return Refusal("restricted", why, law.cite("restriction.by", picture.day),
                       next_step="We will write when the restriction is lifted.")  # fmt: skip
    return not_offered(law, picture, one, at)


def _no_allowance(
    law: Law, approval: Any, sessions: Sequence[Session], days: Sequence[date], at: datetime
) -> Refusal | None:
    """Which part of the season's gallons would be passed, and how much of it is left."""
    taken = used_and_booked(approval.id, law, at)
    in_winter, in_rest = haulers.allowances_of([approval])[approval.id]
    for winter, granted, name in ((True, in_winter, "the winter"), (False, in_rest, "the rest of the year")):
        asked = sum(one.gallons for one, day in zip(sessions, days, strict=True) if is_winter(law, day) is winter)
        left = max(0, granted - taken.taken(winter))
        if asked > left:
            has = f"{approval.number} has {formats.volume(left)} left for {name}, of {granted:,}"
            why = f"Your approval {has}; this load needs {asked:,}."
            return Refusal("allowance", why, law.cite("decision.settles", days[0]), details={"left": left})
    return None


def _no_point(law: Law, day: date) -> Refusal:
    cite = law.cite("approval.points_by", day) if law.has("approval.points_by", day) else ""
    return Refusal("no_point", "The plant manager has not opened a receiving point yet.", cite)


def _day(law: Law, one: Session) -> date:
    return one.start.astimezone(law.zone).date()


def _number(plant: Plant, day: date) -> str:
    """Month and day of the first session, and a running number, such as B-1007-02."""
    return f"B-{day:%m%d}-{numbers.take(plant.id, BOOKING, f'{day:%m%d}'):02d}"


def when_words(plant: Plant, sessions: Sequence[Any]) -> str:
    """``Wed, Oct 7, 7:45 a.m.``, both mornings of a split load."""
    starts = [getattr(one, "start", None) or one.starts for one in sessions]
    return " and ".join(f"{formats.day_short(s, plant.tz)}, {formats.clock_time(s, plant.tz)}" for s in starts)


def _tell(plant: Plant, booking: Booking, sessions: Sequence[Any], kind: str, word: str, at: datetime,
          note: str = "") -> None:  # fmt: skip
    party = haulers.party_of_business(booking.business_id)
    when = when_words(plant, sessions)
    subject = f"{word}: {when}, {formats.volume(booking.gallons)} ({booking.number})"
    lines = [f"{word} at {plant.name}: booking {booking.number}, {formats.volume(booking.gallons)}.", ""]
    for one in sessions:
        start, end = getattr(one, "start", None) or one.starts, getattr(one, "end", None) or one.ends
        when = f"{formats.day(start, plant.tz)}, {formats.span(start, end, plant.tz)}"
        lines.append(f"{when}: {formats.volume(one.gallons)} at {formats.rate(one.gph)}.")
    lines += ["", note] if note else []
    lines += ["", full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    tell_party(party, f"booking_{kind}", subject, "\n".join(lines), at, plant_id=plant.id)
