"""The booking of a ticket that is void: it stands as booked, is held by a restriction, or is listed; never dropped."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from intake.actions.booking_mail import tell_booking
from intake.actions.holding import hold_bookings
from intake.actions.listing import list_one
from intake.models import Booking, Load, Restriction
from intake.queries import bookings, capacity, loads, restrictions
from intake.queries.calendar_met import Lost
from intake.queries.capacity import DayPicture, Planned, planned
from intake.queries.tank_rest import with_rest
from office.db import db
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law


def stands_again(plant: Plant, load: Load, at: datetime) -> None:
    """The plan a void load stood in for is there again, as far as its time is to come. The caller holds the locks of
    its days. Where its room is closed or others have it, the booking is listed; one that a restriction meets is held.
    """
    db.session.flush()
    days = {load.day, *(run.day for run in loads.runs_of(load.id))}
    mine = [one for one in planned(plant.id, at, since=at) if one.booking_id == load.booking_id and one.day in days]
    if load.booking_id is None or not mine:
        return
    law = capacity.law_under_lock(plant, at)
    pictures = {day: with_rest(one, plant.id, load.booking_id, at, but=[day]) for day, one in capacity.day_pictures(
        plant, law, [one.day for one in mine], at, load.booking_id).items()}  # fmt: skip
    for one in mine:
        why = _room_gone(law, load, one, pictures[one.day])
        if why:
            whole = [row.day for row in bookings.sessions_of([one.booking_id])[one.booking_id]]
            rows = [each for each in planned(plant.id, at, whole) if each.booking_id == one.booking_id]
            [group] = bookings.grouped(rows)
            list_one(plant, law, Lost(group, why, one.day), at)
            return
    _hold(plant, law, load, mine, pictures, at)


def _room_gone(law: Law, load: Load, one: Planned, picture: DayPicture) -> str:
    """Why the room of a session is not there, whatever is restricted; "" where it is."""
    void = f"Ticket {load.ticket} is void"
    if not isinstance(picture.hours, Hours):
        return f"{void}. {picture.hours.why.rstrip('.')} ({picture.hours.cite})."
    limits = picture.cap.limits if picture.cap is not None else ()
    free = offers.free_steps((picture.hours.start, picture.hours.end), limits, picture.taken)
    if replace(picture, steps=free).holds(one.point_id, _session(one)):
        return ""
    cite = law.cite("rate.plan_gph", one.day)
    return f"{void}, and the time of its booking is taken by others or no longer given ({cite})."


def _hold(plant: Plant, law: Law, load: Load, mine: Sequence[Planned], pictures: dict[date, DayPicture],
          at: datetime) -> None:  # fmt: skip
    """Hold the booking by each restriction that meets it as long as it is planned with, and tell its hauler."""
    stops: list[Restriction] = []
    for row in restrictions.in_force(plant.id, at):
        for one in mine:
            slowed = row.scope == "rate" and not pictures[one.day].holds(one.point_id, _session(one))
            stopped = row.scope != "rate" and restrictions.meets(row, one.waste, one.point_id)
            if one.starts < restrictions.planned_until(row, law, at) and (slowed or stopped) and row not in stops:
                stops.append(row)
    for row in stops:
        hold_bookings(row, [mine[0].booking_id], at)
    if stops:
        booking = db.session.get_one(Booking, mine[0].booking_id)
        said = (f"Ticket {load.ticket} is void, so the booking stands again, but a restriction holds it. Do not bring "
                "this load. It keeps its place; we will write when the restriction is lifted.")  # fmt: skip
        tell_booking(plant, booking, bookings.sessions_of([booking.id])[booking.id], "held", "On hold", at,
                     said)  # fmt: skip


def _session(one: Planned) -> Session:
    return Session(one.starts, one.ends, one.gph, one.gallons)
