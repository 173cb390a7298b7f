"""What a truck that is turned away leaves, whether now or told late: a load with its reason and its ticket."""

from dataclasses import dataclass
from datetime import date, datetime

from haulers import queries as haulers
from intake.actions import taking, tickets
from intake.actions.freed import offer_freed
from intake.models import Booking, Load
from intake.queries import bookings, capacity
from intake.queries.arrivals import Arrival
from intake.queries.capacity import planned
from intake.queries.gate import GateAnswer
from intake.states import LoadState
from office import numbers
from office.db import db
from office.journal import because


@dataclass(frozen=True)
class TurnedAway:
    """A truck that was refused: why, whose it was as far as anybody knew, and who was on duty.

    ``slip``, ``registered_at`` and ``how`` are of one told late: where it was written, and what was flagged of it.
    """

    client_id: str
    code: str
    reason: str
    business_id: int | None
    business_name: str
    plate: str
    booking: Booking | None
    logged_by: str
    slip: str = ""
    registered_at: datetime | None = None
    how: str = ""
    flagged: tuple[str, ...] = ()


def days_of(booking: Booking | None) -> list[date]:
    """The days whose room a booking gives back when its truck is turned away: their rows are locked before."""
    return [one.day for one in bookings.sessions_of([booking.id])[booking.id]] if booking is not None else []


def turn_away(arrival: Arrival, of: TurnedAway, *, at: datetime) -> Load:
    """Write it with its ticket, and offer to those in line what its booking gives back. The caller holds the locks of
    the house up to the rows of the day and of the booking's days, and has judged it."""
    freed = {one.day for one in planned(arrival.plant.id, at, since=at)
             if of.booking is not None and one.booking_id == of.booking.id}  # fmt: skip
    party = haulers.party_of_business(of.business_id) if of.business_id else None
    approval_id = of.booking.approval_id if of.booking is not None else None
    gate = GateAnswer(False, "refused", "", "", of.booking, approval_id=approval_id)
    load = taking.new_load(arrival, of.client_id, gate, of.logged_by)
    load.business_id, load.business_name = of.business_id, party.name if party else of.business_name.strip()
    load.plate = load.plate or of.plate.strip()
    load.state, load.reason_code, load.reason = LoadState.REFUSED.value, of.code, of.reason.strip()
    load.slip, load.registered_at = of.slip, of.registered_at
    if of.how:
        load.note = "\n".join((*of.flagged, of.how))
    load.ticket = numbers.numbered(arrival.plant.id, taking.TICKET, arrival.day.year)
    db.session.add(load)
    db.session.flush()
    because(f"{of.how} {load.reason}".strip(), arrival.cite("approval.points_by"))
    tickets.write(arrival.plant, load, party, at=at, law=arrival.law)
    offer_freed(arrival.plant, freed, at, capacity.law_under_lock(arrival.plant, at))
    return load
