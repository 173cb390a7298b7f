"""A booking stopped by restrictions (§ 329-7 B(3)): one hold for each restriction and booking, however often met."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.actions.booking_mail import tell_booking
from intake.models import Booking, Hold, PlannedSession
from intake.models.plant_state import Restriction
from intake.queries import bookings, capacity, standing
from intake.queries.standing import Part
from intake.states import HoldEnd
from office.asked import cells
from office.db import db
from office.plants import Plant
from ordinances.reader import Law

KEEPS = "Do not bring this load. It keeps its place; we will write when the restriction is lifted."
STILL_HELD = f"A restriction holds this booking still. {KEEPS}"
HELD_NO_MORE = "No restriction holds this booking any more."


def hold_bookings(row: Restriction, booking_ids: Iterable[int], at: datetime) -> None:
    """Stop these bookings by this restriction.

    One that it stops already stays stopped. One that it let go, because the hauler had moved it, is stopped again:
    it may stand again in the hours of the restriction when the ticket of its load is void.
    """
    wanted = sorted(set(booking_ids))
    met = {one.booking_id: one for one in db.session.scalars(
        select(Hold).where(Hold.restriction_id == row.id, Hold.booking_id.in_(wanted)))}  # fmt: skip
    for booking_id in wanted:
        hold = met.get(booking_id)
        if hold is None:
            db.session.add(Hold(plant_id=row.plant_id, restriction_id=row.id, booking_id=booking_id, made_at=at))
        elif hold.ended_at is not None:
            hold.made_at, hold.ended_at, hold.outcome = at, None, None
    db.session.flush()


def hold_again(plant: Plant, law: Law, booking: Booking, parts: Sequence[Part], why: str, at: datetime) -> bool:
    """Hold a booking that stands again by each restriction that meets one of its times, and tell its hauler; whether
    one does. The caller holds the locks of its days."""
    pictures = standing.pictures_without(plant, law, booking.id, [one.day for one in parts], at)
    stops = standing.meeting(plant, law, booking.waste, parts, pictures, at)
    for row in stops:
        hold_bookings(row, [booking.id], at)
    if stops:
        said = f"{why}, so the booking stands again, but a restriction holds it. {KEEPS}"
        tell_booking(plant, booking, bookings.sessions_of([booking.id])[booking.id], "held", "On hold", at,
                     said)  # fmt: skip
    return bool(stops)


def release_holds(booking_id: int, at: datetime, but: Collection[int] = ()) -> None:
    """A booking that ends or moves away is held by no restriction any more, ``but`` those of these ids."""
    for ident, restriction_id in cells(_holding(), booking_id=booking_id):
        if restriction_id not in but:
            hold = db.session.get_one(Hold, ident)
            hold.ended_at, hold.outcome = at, HoldEnd.RELEASED.value


def take_up_lost(booking_id: int) -> None:
    """What lost its time has another: that it lost one stands in the way no more."""
    lost = select(Hold).where(Hold.booking_id == booking_id, Hold.outcome.in_((HoldEnd.LISTED, HoldEnd.MISSED)))
    for hold in db.session.scalars(lost.order_by(Hold.id)):
        hold.outcome = HoldEnd.RELEASED.value


def release_what_is_free(plant: Plant, booking: Booking, left: Sequence[PlannedSession], at: datetime) -> str:
    """Of a load of which a time moved or was given up: end the holds by restrictions that meet none of the times left.

    Returns what its hauler is told of it, "" where nothing held it. The caller holds the locks of its days.
    """
    if not cells(_holding(), booking_id=booking.id):
        return ""
    law, done = capacity.law_under_lock(plant, at), bookings.opened_days(booking.id)
    parts = [one for one in left if one.day not in done]
    pictures = standing.pictures_without(plant, law, booking.id, [one.day for one in parts], at)
    met = standing.meeting(plant, law, booking.waste, parts, pictures, at)
    release_holds(booking.id, at, [row.id for row in met])
    db.session.flush()
    return {"held": STILL_HELD, "booked": HELD_NO_MORE}.get(bookings.view(booking, at).state, "")


@cache
def _holding() -> Any:
    query = select(Hold.id, Hold.restriction_id).where(Hold.booking_id == bindparam("booking_id"),
                                                       Hold.ended_at.is_(None))  # fmt: skip
    return query.order_by(Hold.id)
