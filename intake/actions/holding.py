"""A booking stopped by a restriction (§ 329-7 B(3)): one hold for each restriction and booking, however often met."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import select

from intake.models import Hold
from intake.models.plant_state import Restriction
from office.db import db


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
