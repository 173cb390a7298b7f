"""Bookings that lose their time, to a closure, a lower limit or others: listed, told once with times that fit."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.actions.freed import offer_anywhere, tell_lost_offers
from intake.models import Booking, Hold, Wait
from intake.queries import bookings
from intake.queries.calendar_met import DueMoved, Lost
from intake.queries.next_times import book_address, may_wait, mornings_for, move_address, times_for
from intake.queries.restrictions import full_stop
from intake.states import HoldEnd
from office import formats
from office.access import party_signs_in
from office.db import db
from office.notices import tell_party
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law

# How the words begin that name times, or the mornings a load can be split over.
TIMES, SPLIT = "Times that fit it now", "It fits split over"
# What is refused where a time was booked between the list shown and the click.
OTHERS = "The bookings that lose their time are not those you were shown. Look at the list again."
# How long a load that lost its time stands in line for another.
IN_LINE = timedelta(days=14)


def list_lost(plant: Plant, law: Law, lost: Sequence[Lost], at: datetime, dues: Sequence[DueMoved] = ()) -> None:
    """Take the time of each booking, move each due time, and write one notice a hauler. The caller holds the locks.

    ``law`` is the one with the change in force: the times offered are looked for under it. Room that is free then is
    offered to who waits for it.
    """
    for one in lost:
        _take(plant, one, at)
    for due in dues:
        due.load.record_due = due.new
    db.session.flush()
    ids = {one.group.sessions[0].business_id for one in lost} | {due.load.business_id for due in dues}
    for business_id in sorted(one for one in ids if one is not None):
        mine = [one for one in lost if one.group.sessions[0].business_id == business_id]
        _tell(plant, law, business_id, mine, [due for due in dues if due.load.business_id == business_id], at)
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)


def list_one(plant: Plant, law: Law, lost: Lost, at: datetime) -> None:
    """Take the time of one booking whose day's row is locked, and tell its hauler; the caller offers what is free."""
    _take(plant, lost, at)
    db.session.flush()
    _tell(plant, law, lost.group.sessions[0].business_id, [lost], [], at)


def _take(plant: Plant, lost: Lost, at: datetime) -> None:
    db.session.add(Hold(
        plant_id=plant.id, restriction_id=None, booking_id=lost.group.booking_id, made_at=at, ended_at=at,
        outcome=HoldEnd.LISTED.value, why=lost.why, day=lost.day,
    ))  # fmt: skip


def tell_open_again(plant: Plant, again: Sequence[Booking], at: datetime) -> None:
    """A time lost to a closure is open again: its hauler may book it, it is not brought back by itself."""
    sessions = bookings.sessions_of([one.id for one in again])
    for one in again:
        when = when_words(plant, sessions[one.id])
        words = f"{when}: the plant is open again. Booking {one.number} gave up that time and does not stand."
        foot = full_stop(f"Book it, or another time, if you still need it, or call {plant.phone}, {plant.help_hours}")
        party = haulers.party_of_business(one.business_id)
        subject = f"Open again: {when} ({one.number})"
        tell_party(party, "open_again", subject, f"{words}\n\n{foot}", at, plant_id=plant.id)


def _tell(plant: Plant, law: Law, business_id: int, lost: Sequence[Lost], dues: Sequence[DueMoved],
          at: datetime) -> None:  # fmt: skip
    lines: list[str] = []
    for why in dict.fromkeys(one.why for one in lost):
        lines += [why, ""]
    if lost:
        lines.append("Do not bring these loads then:")
    for one in lost:
        booking = db.session.get_one(Booking, one.group.booking_id)
        # Of a load that is unloaded in part, what is left of it.
        left = bookings.gallons_left(booking)
        lines.append(f"{one.number}, {when_words(plant, one.group.sessions)}: {formats.volume(left)}.")
        lines.append(times_words(plant, law, booking, at, left))
    if lost:
        lines += ["", full_stop(f"Choose first: book one of these times now, or call {plant.phone}, "
                                f"{plant.help_hours}")]  # fmt: skip
    if lost and dues:
        lines.append("")
    lines += [
        f"The written record of load {due.load.ticket} is due by the end of {formats.day(due.new, plant.tz)} now, not "
        f"of {formats.day(due.old, plant.tz)} ({due.cite})." for due in dues
    ]  # fmt: skip
    party = haulers.party_of_business(business_id)
    tell_party(party, "time_lost" if lost else "due_moved", _subject(plant, lost, dues), "\n".join(lines), at,
               plant_id=plant.id)  # fmt: skip


def _subject(plant: Plant, lost: Sequence[Lost], dues: Sequence[DueMoved]) -> str:
    if len(lost) > 1:
        return f"{len(lost)} bookings cannot be kept ({', '.join(one.number for one in lost)})"
    if lost:
        return f"Cannot be kept: {when_words(plant, lost[0].group.sessions)} ({lost[0].number})"
    return f"Send your load record by the end of {formats.day_short(dues[0].new, plant.tz)}"


def times_words(plant: Plant, law: Law, booking: Booking, at: datetime, gallons: int | None = None) -> str:
    """The first times that fit, and where to book them; else a place in line by the time the booking was made; else the
    mornings it can be split over; else a call. ``gallons`` are those left of it, None the whole load."""
    found = times_for(plant, law, booking, at, gallons)
    last = at.astimezone(plant.tz).date() + IN_LINE
    if not found and may_wait(plant, law, booking, last, at, gallons):
        db.session.add(Wait(
            plant_id=plant.id, business_id=booking.business_id, truck_id=booking.truck_id, waste=booking.waste,
            gallons=gallons or booking.gallons, first_day=last - IN_LINE, last_day=last, asked_at=booking.made_at,
            asked_by=f"Booking {booking.number}",
        ))  # fmt: skip
        db.session.flush()
        until = formats.date_only(last)
        return f"No time fits it now. It stands in line for room until {until}, as early as it was booked."
    if found:
        first = formats.day_short(found[0].start, plant.tz)
        times = "; ".join(formats.span(one.start, one.end, plant.tz) for one in found)
        return _with_link(plant, booking, f"{TIMES}: {first}, {times}", found, at, gallons)
    split = mornings_for(plant, law, booking, at, gallons)
    if not split:
        return "No single time fits it now: the plant will call."
    times = " and ".join(f"{formats.day_short(one.start, plant.tz)}, {formats.span(one.start, one.end, plant.tz)}, "
                         f"{formats.volume(one.gallons)}" for one in split)  # fmt: skip
    return _with_link(plant, booking, f"{SPLIT} {times}", split, at, gallons)


def _with_link(plant: Plant, booking: Booking, words: str, found: Sequence[Session], at: datetime,
               gallons: int | None) -> str:  # fmt: skip
    """The words with the address at which its hauler books, or moves what is left of a load that is unloaded in part:
    booked anew it would be a second load with tests of its own. Without it where nobody signs in for them."""
    if not party_signs_in(haulers.party_of_business(booking.business_id).id, at):
        return words
    day, view = found[0].start.astimezone(plant.tz).date(), bookings.view(booking, at)
    if view.opened:
        here = f"Move it here: {move_address(plant, booking, day)}"
        return f"{words}\n{here if view.may_change else 'Call the plant to have it moved.'}"
    return f"{words}\nBook here: {book_address(plant, booking, gallons or booking.gallons, day)}"
