"""The booking of a ticket that is void: it stands as booked, is held by a restriction, or is listed; never dropped."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from haulers import queries as haulers
from intake.actions.booking_rules import no_allowance
from intake.actions.holding import hold_again
from intake.actions.listing import list_one
from intake.models import Booking, Load
from intake.queries import bookings, capacity, loads, standing
from intake.queries.allowance import limits
from intake.queries.calendar_met import Lost
from intake.queries.capacity import DayPicture, Planned, planned
from intake.queries.truck_times import truck_taken
from office import formats
from office.db import db
from office.plants import Plant
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal


def days_of(load: Load) -> list[date]:
    """The days whose rows are locked before a ticket is made void: its own, and every one of its booking."""
    booked = bookings.sessions_of([load.booking_id])[load.booking_id] if load.booking_id is not None else ()
    return [load.day, *(run.day for run in loads.runs_of(load.id)), *(one.day for one in booked)]


def stands_again(plant: Plant, load: Load, at: datetime) -> set[date]:
    """The plan a void load stood in for is there again, as far as its time is to come: of a truck that was refused
    every time it had booked. The caller holds the locks of its days.

    Where the room of one is closed or others have it, or the truck or the gallons of the approval are booked elsewhere
    since, the booking is listed, and the days it gives up are returned; one that a restriction meets is held.
    """
    db.session.flush()
    ran = {run.day for run in loads.runs_of(load.id)}
    stays = [one for one in planned(plant.id, at, since=at) if one.booking_id == load.booking_id]
    mine = [one for one in stays if not ran or one.day in ran]
    if load.booking_id is None or not mine:
        return set()
    law = capacity.law_under_lock(plant, at)
    booking = db.session.get_one(Booking, load.booking_id)
    pictures = standing.pictures_without(plant, law, booking.id, [one.day for one in mine], at)
    lost = _lost(plant, law, booking, mine, stays, pictures, at)
    if lost is None:
        hold_again(plant, law, booking, mine, f"Ticket {load.ticket} is void", at)
        return set()
    why, day = lost
    whole = [row.day for row in bookings.sessions_of([booking.id])[booking.id]]
    [group] = bookings.grouped(one for one in planned(plant.id, at, whole) if one.booking_id == booking.id)
    list_one(plant, law, Lost(group, f"Ticket {load.ticket} is void{why}", day), at)
    return {one.day for one in group.sessions}


def _lost(plant: Plant, law: Law, booking: Booking, mine: Sequence[Planned], stays: Sequence[Planned],
          pictures: Mapping[date, DayPicture], at: datetime) -> tuple[str, date] | None:  # fmt: skip
    """Why a booking cannot stand again as it was, and for which of its days; None where it can."""
    several = len(bookings.sessions_of([booking.id])[booking.id]) > 1
    for one in mine:
        gone = _room_gone(law, one, pictures[one.day], several=several)
        if gone:
            return gone, one.day
    parts = [Session(one.starts, one.ends, one.gph, one.gallons) for one in mine]
    refused = truck_taken(plant, haulers.truck(booking.truck_id), booking.business_id, parts, at, booking.id)
    refused = refused or _gallons_gone(law, booking, stays, at)
    if refused is None:
        return None
    cite = f" ({refused.cite})" if refused.cite else ""
    return f". {refused.why.rstrip('.')}{cite}.", mine[0].day


def _gallons_gone(law: Law, booking: Booking, stays: Sequence[Planned], at: datetime) -> Refusal | None:
    """Its approval has not the gallons for all of it any more: they were booked or unloaded elsewhere since."""
    approval, days = haulers.approval(booking.plant_id, booking.approval_id), [one.day for one in stays]
    assert approval is not None
    parts = [Session(one.starts, one.ends, one.gph, one.gallons) for one in stays]
    by_day = [(one.day, one.gallons) for one in stays]
    found = no_allowance(law, approval, parts, days, at, booking.id)
    return found or limits(approval, law, at, booking.id).refusal(by_day, booking.waste)


def _room_gone(law: Law, one: Planned, picture: DayPicture, *, several: bool) -> str:
    """Why the room of a session is not there, whatever is restricted; "" where it is. Of several the day is named."""
    if not isinstance(picture.hours, Hours):
        return f". {picture.hours.why.rstrip('.')} ({picture.hours.cite})."
    if standing.has_room(one, picture):
        return ""
    when = f" on {formats.day(one.day)}" if several else ""
    cite = law.cite("rate.plan_gph", one.day)
    return f", and the time of its booking{when} is taken by others or no longer given ({cite})."
