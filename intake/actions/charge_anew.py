"""Charge of a load what was taken back of it, where it is owed after all."""

from datetime import datetime

from billing.actions.charges import locked_account
from billing.queries import taken_back_by_choice
from haulers import queries as haulers
from intake.actions import charging, tickets
from intake.models import Load
from intake.queries.words import sentence
from intake.states import LoadState
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("charge_load_anew", roles=(Role.CLERK,))
def charge_load_anew(load: Load, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Charge what somebody took back of a load, at what it comes to now; the hauler gets the ticket anew.

    Refusals: no_reason, not_accepted, not_taken_back, and those of the prices.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is charged after all.", "")
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_accepted", f"Load {load.ticket} was not unloaded: nothing is charged for it.", "")
    plant, party = db.session.get_one(Plant, load.plant_id), haulers.party_of_business(load.business_id)
    locked_account(plant, party.id, by=by, at=at)
    if not taken_back_by_choice("load", load.id):
        return Refusal("not_taken_back", f"Nothing that was taken back of load {load.ticket} is left to charge.", "")
    words = sentence(f"Charged after all: {reason.strip()}")
    refused = charging.charge_again(plant, load, words, anew=True, by=by, at=at, law=law)
    if refused is not None:
        return refused
    load.note = "\n".join(filter(None, (load.note, words)))
    because(reason.strip())
    tickets.write(plant, load, party, at=at, law=law, what="corrected")
    return load
