"""Take a ticket back: it stays, marked void with its reason."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions import tickets
from intake.actions.freed import offer_freed
from intake.actions.retest import drop_retests
from intake.actions.standing_again import days_of, stands_again
from intake.models import Booking, Load
from intake.queries import capacity, loads
from intake.states import LoadState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
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
    booking = db.session.get(Booking, load.booking_id) if load.booking_id is not None else None
    for approval_id in sorted({one for one in (load.approval_id, booking and booking.approval_id) if one is not None}):
        haulers.lock_approval(approval_id)
    capacity.lock_days(plant.id, days_of(load))
    load = lock(Load, load.id)
    if load.state == LoadState.VOID.value:
        return Refusal("already_void", f"Load {load.ticket} is void already.", "")
    load.state, load.reason = LoadState.VOID.value, reason.strip()
    refused = tickets.take_back_charges(load, reason, by=by, at=at, law=law)
    if refused is not None:
        return refused
    drop_retests(plant, load, reason, by=by, at=at)
    given_up = stands_again(plant, load, at)
    because(reason.strip())
    party = haulers.party_of_business(load.business_id) if load.business_id is not None else None
    tickets.write(plant, load, party, at=at, law=law)
    offer_freed(plant, {load.day, *(run.day for run in loads.runs_of(load.id)), *given_up}, at, law)
    return load
