"""Bookings that lost their time and whose day is not long past: who is to be called, and who has another time since."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import func, select

from haulers import queries as haulers
from intake.models import Booking, Hold, PlannedSession
from intake.queries.bookings import NEXT_WORDS
from intake.queries.capacity import opened
from intake.states import BookingState, HoldEnd
from office.db import db
from office.plants import Plant

KEPT = timedelta(days=14)
LOST = (HoldEnd.LISTED.value, HoldEnd.MISSED.value)


@dataclass(frozen=True)
class LostTime:
    """A booking without its time: why, since when, and the numbers of what its hauler has booked since. Of a load that
    is unloaded in part, when what is left of it was to come, and its gallons."""

    booking: Booking
    hauler: str
    phone: str
    starts: datetime
    gallons: int
    why: str
    at: datetime
    since: tuple[str, ...]


def lost_times(plant: Plant, at: datetime) -> list[LostTime]:
    """Those of the last two weeks and to come, the earliest time first. Five queries, however many there are."""
    today = at.astimezone(plant.tz).date()
    rows = db.session.execute(_lost(plant.id, today)).all()
    holds = {booking.id: (booking, hold) for booking, hold in rows}
    sessions, later = _left(holds), _booked_since(plant.id, [hold for _, hold in holds.values()])
    parties = haulers.parties_of({booking.business_id for booking, _ in holds.values()}) if holds else {}
    found = [
        LostTime(
            booking, parties[booking.business_id].name, parties[booking.business_id].phone,
            sessions[booking.id][0].starts, sum(one.gallons for one in sessions[booking.id]),
            hold.why or NEXT_WORDS[str(hold.outcome)], hold.ended_at or hold.made_at,
            tuple(number for business_id, number, made_at in later
                  if business_id == booking.business_id and made_at > (hold.ended_at or hold.made_at)),
        )
        for booking, hold in holds.values() if booking.id in sessions
    ]  # fmt: skip
    return sorted(found, key=lambda one: (one.starts, one.booking.id))


def _left(booking_ids: Collection[int]) -> dict[int, list[PlannedSession]]:
    """The sessions of some bookings whose load was not logged, in time order; none of one that is unloaded."""
    query = select(PlannedSession).where(PlannedSession.booking_id.in_(booking_ids), ~opened())
    found: dict[int, list[PlannedSession]] = {}
    for one in db.session.scalars(query.order_by(PlannedSession.starts)):
        found.setdefault(one.booking_id, []).append(one)
    return found


def _lost(plant_id: int, today: date) -> Any:
    ends = select(PlannedSession.booking_id, func.max(PlannedSession.day).label("day"))
    last = ends.group_by(PlannedSession.booking_id).subquery()
    return (
        select(Booking, Hold).join(Hold, Hold.booking_id == Booking.id).join(last, last.c.booking_id == Booking.id)
        .where(Booking.plant_id == plant_id, Booking.state == BookingState.BOOKED.value, Hold.outcome.in_(LOST),
               last.c.day >= today - KEPT).order_by(Hold.id)
    )  # fmt: skip


def _booked_since(plant_id: int, holds: list[Hold]) -> list[tuple[int, str, datetime]]:
    """(business, number, made at) of every booking made since the first of them lost its time."""
    if not holds:
        return []
    first = min(one.ended_at or one.made_at for one in holds)
    query = select(Booking.business_id, Booking.number, Booking.made_at).where(
        Booking.plant_id == plant_id, Booking.state == BookingState.BOOKED.value, Booking.made_at > first
    )
    return [(one[0], one[1], one[2]) for one in db.session.execute(query.order_by(Booking.id))]
