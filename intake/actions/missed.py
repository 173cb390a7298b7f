"""What a hauler whose approval holds again is told of the bookings whose time passed meanwhile (§ 329-7 G)."""

from datetime import datetime

from sqlalchemy import select

from intake.actions.booking_mail import when_words
from intake.actions.listing import times_words
from intake.models import Booking, PlannedSession
from intake.queries import bookings
from intake.queries.capacity import keeps_room
from intake.queries.restrictions import full_stop
from office import formats
from office.db import db
from office.plants import Plant
from ordinances.reader import Law


def missed_words(plant: Plant, approval_id: int, since: datetime, at: datetime, law: Law) -> list[str]:
    """Lines for the message that the suspension is lifted: each booking under the approval whose time passed after
    ``since`` without a load, with the first times that fit it now; none where no time was lost.

    A load that fits no time stands in line for one, as early as it was booked. Run inside that act.
    """
    db.session.flush()
    query = (
        select(PlannedSession, Booking).join(Booking, Booking.id == PlannedSession.booking_id)
        .where(Booking.plant_id == plant.id, Booking.approval_id == approval_id, PlannedSession.ends > since,
               PlannedSession.ends <= at, keeps_room()).order_by(PlannedSession.starts, PlannedSession.id)
    )  # fmt: skip
    gone: dict[int, tuple[Booking, list[PlannedSession]]] = {}
    for one, booking in db.session.execute(query).all():
        gone.setdefault(booking.id, (booking, []))[1].append(one)
    if not gone:
        return []
    lines = ["", "Their time passed while it was suspended:"]
    for booking, sessions in gone.values():
        gallons = sum(one.gallons for one in sessions)
        lines.append(f"{booking.number}, {when_words(plant, sessions)}: {formats.volume(gallons)}.")
        # What a load has left of its mornings stands as booked.
        left = bookings.gallons_left(booking)
        lines += [times_words(plant, law, booking, at, left)] if gallons == left else []
    return [*lines, "", full_stop(f"Choose first: book one of these times now, or call {plant.phone}, "
                                  f"{plant.help_hours}")]  # fmt: skip
