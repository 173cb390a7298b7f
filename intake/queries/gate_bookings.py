"""The booking a truck at the gate may have come for, and what may be wrong with the one it shows."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import and_, false, or_, select

from intake.models import Booking, Hold, Load, PlannedSession, Run
from intake.queries.special_spans import arranged_ids, now_for
from intake.states import BookingState, HoldEnd, LoadState
from office import formats
from office.db import db


def own(plant_id: int, at: datetime, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """What this truck booked that it may have come for: a special time that is now, else its next booking of today."""
    return special_now(plant_id, at, day, business_id, truck_id) or booking_today(plant_id, day, business_id, truck_id)


def special_now(plant_id: int, at: datetime, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """The truck's special time that is now and still stands (§ 329-7 F(4))."""
    found = now_for(plant_id, at, business_id, truck_id)
    return next((one for one in found if not _held(one.id, lost=True) and ticket_on(one.id, day) is None), None)


def wrong_with(booking: Booking, business_id: int | None, day: date) -> tuple[str, str] | None:
    """Code and words of what is wrong with a booking here and now, or None."""
    days = sorted(db.session.scalars(select(PlannedSession.day).filter_by(booking_id=booking.id)))
    ticket = ticket_on(booking.id, day)
    checks = (
        (booking.business_id != business_id, "booking_other_hauler", "is another hauler's"),
        (booking.state == BookingState.CANCELLED.value, "booking_ended", "was cancelled"),
        (booking.state == BookingState.NO_SHOW.value, "booking_ended", "was closed: the truck did not come"),
        (_held(booking.id), "booking_held", "is on hold until the restriction is lifted"),
        (ticket is not None, "booking_used", f"was used: load ticket {ticket}"),
        (day not in days, "booking_other_day", f"is for {' and '.join(map(formats.day_short, days))}"),
    )
    return next(((code, why) for wrong, code, why in checks if wrong), None)


def _held(booking_id: int, lost: bool = False) -> bool:
    """Whether a restriction holds a booking; with ``lost`` also whether it has lost its time for good."""
    gone: Any = Hold.outcome.in_((HoldEnd.MISSED.value, HoldEnd.LISTED.value))
    query = select(Hold.id).where(Hold.booking_id == booking_id, Hold.ended_at.is_(None) | (gone if lost else false()))
    return db.session.scalars(query.limit(1)).first() is not None


def ticket_on(booking_id: int, day: date) -> str | None:
    """The ticket under which a booking's load ran on a day, or was refused at all; a void one does not count."""
    ran = select(Run.load_id).where(Run.day == day)
    query = select(Load.ticket).where(
        Load.booking_id == booking_id,
        or_(Load.state == LoadState.REFUSED.value, and_(Load.state == LoadState.ACCEPTED.value, Load.id.in_(ran))),
    )
    return db.session.scalars(query.limit(1)).first()


def booking_today(plant_id: int, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """The business's first booking of the day for this truck that is still to come, or None."""
    query = (
        select(Booking)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Booking.plant_id == plant_id, Booking.business_id == business_id, Booking.truck_id == truck_id,
               Booking.state == BookingState.BOOKED.value, PlannedSession.day == day,
               # A special time is for its own time only.
               Booking.id.not_in(arranged_ids()))
        .order_by(PlannedSession.starts)
    )  # fmt: skip
    return next((b for b in db.session.scalars(query) if not _held(b.id) and ticket_on(b.id, day) is None), None)
