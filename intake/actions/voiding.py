"""Take a ticket back: it stays, marked void with its reason."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions import tickets
from intake.actions.ended import end_by_plant
from intake.actions.freed import offer_freed
from intake.models import Booking, Load
from intake.queries import capacity, loads
from intake.queries.capacity import planned
from intake.states import LoadState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("void_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def void_load(load: Load, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Take a ticket back: it stays, marked void with its reason, its charges are reversed, its room is free again.

    Refusals: no_reason, already_void.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why the load is voided.", "")
    plant = lock(Plant, load.plant_id, shared=True)
    if load.approval_id is not None:
        haulers.lock_approval(load.approval_id)
    capacity.lock_days(plant.id, [load.day, *(run.day for run in loads.runs_of(load.id))])
    load = lock(Load, load.id)
    if load.state == LoadState.VOID.value:
        return Refusal("already_void", f"Load {load.ticket} is void already.", "")
    load.state, load.reason = LoadState.VOID.value, reason.strip()
    refused = tickets.take_back_charges(load, reason, by=by, at=at, law=law)
    if refused is not None:
        return refused
    _stands_again(plant, load, at)
    because(reason.strip())
    party = haulers.party_of_business(load.business_id) if load.business_id is not None else None
    tickets.write(plant, load, party, at=at, law=law)
    offer_freed(plant, [load.day, *(run.day for run in loads.runs_of(load.id))], at, law)
    return load


def _stands_again(plant: Plant, load: Load, at: datetime) -> None:
    """The plan a void load stood in for: it is as booked again, or ends where its room is no longer there."""
    db.session.flush()
    booking = db.session.get(Booking, load.booking_id) if load.booking_id is not None else None
    plan = next((one for one in planned(plant.id, at, since=at) if one.booking_id == load.booking_id), None)
    if booking is None or plan is None:
        return
    law = capacity.law_under_lock(plant, at)
    picture = capacity.day_picture(plant, law, plan.day, at, except_booking=booking.id)
    if not picture.holds(plan.point_id, Session(plan.starts, plan.ends, plan.gph, plan.gallons)):
        why = f"Ticket {load.ticket} is void, and the room of its booking is taken or closed."
        end_by_plant(plant, booking.id, why, at)
