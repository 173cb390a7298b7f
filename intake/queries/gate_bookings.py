"""The booking a truck at the gate may have come for, and what may be wrong with the one it shows."""

from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, or_, select

from intake.models import Booking, Hold, Load, PlannedSession, Run
from intake.queries.special_spans import arranged_ids, now_for
from intake.states import BookingState, HoldEnd, LoadState
from office import formats
from office.db import db

HELD = "held"


def own(plant_id: int, at: datetime, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """What this truck booked that it may have come for: a special time that is now, else a booking of today."""
    return special_now(plant_id, at, day, business_id, truck_id) or booking_today(
        plant_id, at, day, business_id, truck_id)  # fmt: skip


def special_now(plant_id: int, at: datetime, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """The truck's special time that is now and still stands (§ 329-7 F(4))."""
    found = now_for(plant_id, at, business_id, truck_id)
    return next((one for one in found if not _stopped(one.id, at) and ticket_on(one.id, day) is None), None)


def wrong_with(booking: Booking, business_id: int | None, at: datetime, day: date) -> tuple[str, str] | None:
    """Code and words of what is wrong with a booking here at an instant of a day, or None."""
    days = sorted(db.session.scalars(select(PlannedSession.day).filter_by(booking_id=booking.id)))
    ticket, stop = ticket_on(booking.id, day), _stopped(booking.id, at)
    checks = (
        (booking.business_id != business_id, "booking_other_hauler", "is another hauler's"),
        (booking.state == BookingState.CANCELLED.value, "booking_ended", "was cancelled"),
        (booking.state == BookingState.NO_SHOW.value, "booking_ended", "was closed: the truck did not come"),
        (stop == HELD, "booking_held", "is on hold until the restriction is lifted"),
        (stop == HoldEnd.MISSED.value, "booking_lost", "lost its time to a restriction"),
        (stop == HoldEnd.LISTED.value, "booking_lost", "lost its time: it could not be kept"),
        (ticket is not None, "booking_used", f"was used: load ticket {ticket}"),
        (day not in days, "booking_other_day", f"is for {' and '.join(map(formats.day_short, days))}"),
    )
    return next(((code, why) for wrong, code, why in checks if wrong), None)


def _stopped(booking_id: int, at: datetime) -> str:
    """How a booking has lost its time for good, else ``held`` while a restriction holds it, else "".

    What it lost only after the instant is not asked: a load told late ran under the booking as it stood then.
    """
    gone: Any = Hold.outcome.in_((HoldEnd.MISSED.value, HoldEnd.LISTED.value)) & (Hold.made_at <= at)
    query = select(Hold.outcome).where(Hold.booking_id == booking_id, Hold.ended_at.is_(None) | gone)
    found = [one or HELD for one in db.session.scalars(query.order_by(Hold.id))]
    return next((one for one in found if one != HELD), next(iter(found), ""))


def ticket_on(booking_id: int, day: date) -> str | None:
    """The ticket under which a booking's load ran on a day, or was refused at all; a void one does not count."""
    ran = select(Run.load_id).where(Run.day == day)
    query = select(Load.ticket).where(
        Load.booking_id == booking_id,
        or_(Load.state == LoadState.REFUSED.value, and_(Load.state == LoadState.ACCEPTED.value, Load.id.in_(ran))),
    )
    return db.session.scalars(query.limit(1)).first()


def booking_today(plant_id: int, at: datetime, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """The business's booking of the day for this truck that still stands: the one whose time is now, else the nearest.

    So one that never came, which nobody has closed, does not stand before the one its truck has come for.
    """
    query = (
        select(Booking, PlannedSession.starts, PlannedSession.ends)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Booking.plant_id == plant_id, Booking.business_id == business_id, Booking.truck_id == truck_id,
               Booking.state == BookingState.BOOKED.value, PlannedSession.day == day,
               # A special time is for its own time only.
               Booking.id.not_in(arranged_ids()))
        .order_by(PlannedSession.starts, PlannedSession.id)
    )  # fmt: skip
    near = sorted(db.session.execute(query), key=lambda row: _away(row.starts, row.ends, at))
    return next((b for b, _, _ in near if not _stopped(b.id, at) and ticket_on(b.id, day) is None), None)


def _away(starts: datetime, ends: datetime, at: datetime) -> tuple[timedelta, bool]:
    """How far a time is from an instant, one that has just ended behind one that begins as it ends."""
    return max(starts - at, at - ends, timedelta()), at >= ends
