"""The calendar file that goes with a message about bookings: the events of the feed, under the same names (UID).

It is made when the message leaves, of the bookings the message's act touched, as they stand then: a message that was
late or came out of order never puts an older time back. Its versions (SEQUENCE) are the feed's, so a booking that was
moved, cancelled or held takes the place of what a calendar holds (RFC 5546: PUBLISH; CANCEL where nothing stands).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from flask import current_app
from sqlalchemy import and_, or_, select

from haulers import queries as haulers
from haulers.queries.turns import taken_by
from intake.models import Booking, Hold, PlannedSession
from intake.queries import feed
from intake.queries.calendar_file import calendar_file
from intake.queries.feed import Event
from office.db import db
from office.journal import JournalEntry
from office.mailer import Attached
from office.notices import Notice
from office.plants import Plant

# The messages to a hauler that say what has become of its bookings.
KINDS = (
    "booking_booked", "booking_moved", "booking_cancelled", "booking_no_show", "booking_stands", "booking_held",
    "special_arranged", "time_lost", "restricted", "restriction_update", "lifted", "revocation", "suspension",
    "suspension_lifted",
)  # fmt: skip


def attached(notice: Notice, at: datetime) -> Attached | None:
    """The file for one message, or None where it is about no booking of its hauler."""
    if notice.kind not in KINDS or notice.party_id is None or notice.plant_id is None:
        return None
    plant, business = db.session.get_one(Plant, notice.plant_id), haulers.business_of_party(notice.party_id)
    touched = _touched(plant.id, business.id, notice.act_id) if business is not None else []
    events = feed.events(plant, touched, at) if touched else []
    if not events:
        return None
    method = "CANCEL" if all(one.status == "CANCELLED" for one in events) else "PUBLISH"
    content = calendar_file(plant, plant.name, events, _links(plant, events), method=method,
                            organizer=current_app.config["MAIL_FROM"])  # fmt: skip
    name = f"{touched[0].number}.ics" if len(touched) == 1 else "bookings.ics"
    return Attached(content, "text", "calendar", name, {"method": method, "charset": "utf-8"})


def _touched(plant_id: int, business_id: int, act_id: str) -> Sequence[Booking]:
    """A hauler's bookings that an act wrote to, or that stand under an approval it took, held or gave back."""
    query = select(JournalEntry.table_name, JournalEntry.record_id, JournalEntry.old, JournalEntry.new).where(
        JournalEntry.act_id == act_id)  # fmt: skip
    ids: dict[str, set[int]] = {}
    gone: set[int] = set()
    for table, record_id, old, new in db.session.execute(query):
        ids.setdefault(table, set()).add(record_id)
        if table == PlannedSession.__tablename__:
            # A session that was taken away is no row any more.
            gone.add(new.get("booking_id") or old.get("booking_id") or 0)
    some = {"booking": Booking.id.in_(ids.get("booking", set()) | gone)}
    for model in (Hold, PlannedSession):
        rows: Any = ids.get(model.__tablename__)
        if rows:
            some[model.__tablename__] = Booking.id.in_(select(model.booking_id).where(model.id.in_(rows)))
    if approvals := taken_by(ids):
        some["approval"] = and_(Booking.approval_id.in_(approvals), Booking.state == "booked")
    found = select(Booking).where(Booking.plant_id == plant_id, Booking.business_id == business_id, or_(*some.values()))
    return db.session.scalars(found.order_by(Booking.id)).all()


def _links(plant: Plant, events: Sequence[Event]) -> dict[str, str]:
    base = str(current_app.config["SEPTAGE_URL"]).rstrip("/")
    return {one.number: f"{base}/{plant.slug}/hauler/bookings/{one.number}" for one in events}
