"""The load of a booking that is unloaded in part, once what is left of it was moved or given up (§ 329-7 C(3))."""

from datetime import datetime

from intake.actions.signing import settle_record
from intake.models import Booking, Load
from intake.queries import bookings, loads
from office.db import db, lock
from ordinances.calendar import record_due
from ordinances.reader import Law
from ordinances.refusal import Refusal


def due_anew(booking: Booking, at: datetime, law: Law) -> Refusal | None:
    """Its written record is due from its last morning, run or still to come; where none is to come and drivers signed
    all of it, it is in. Nothing where no load of the booking was logged. The caller holds the locks of its days."""
    db.session.flush()
    opened = loads.opened_by(booking.id)
    if opened is None or opened.record_due is None or opened.discharged_at is None:
        return None
    load, ran = lock(Load, opened.id), bookings.opened_days(booking.id)
    to_come = [one.ends for one in bookings.sessions_of([booking.id])[booking.id] if one.day not in ran]
    load.record_due = record_due(law, max([opened.discharged_at, *to_come])).at
    return settle_record(load, at=at, law=law)
