"""A result that is another load's: it is taken off, and what was written of it stays in the history (§ 329-7 F(1))."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions import charging
from intake.actions.lab import LAB
from intake.models import Load, Result
from intake.queries import loads, retests
from intake.queries.results import NAMES, in_words
from intake.states import RetestState
from office import formats
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

STANDS = (RetestState.ASKED.value, RetestState.ACCEPTED.value, RetestState.DONE.value)


@act("take_back_result", roles=LAB)
def take_back_result(load: Load, parameter: str, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Take a result off a load it does not belong to, with the reason: the load waits for its own again, charges by
    strength follow, and the hauler is told.

    Refusals: no_result, no_reason, new_tests (they stand beside it).
    """
    load = lock(Load, load.id)
    result: Result | None = loads.results_of([load.id]).get(load.id, {}).get(parameter)
    if result is None:
        return Refusal("no_result", f"Load {load.ticket} has no such result any more.", "")
    if any(parameter in row.parameters and row.state in STANDS for row in retests.of_loads([load.id]).get(load.id, ())):
        why = f"New tests of {NAMES[parameter]} of load {load.ticket} stand beside it: it stays."
        return Refusal("new_tests", why, "", next_step="Change the result, or correct the new tests.")
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is taken back.", "")
    plant, was = db.session.get_one(Plant, load.plant_id), in_words(result)
    said = formats.full_stop(f"{NAMES[parameter]}, {was}, is taken back: {reason.strip()}")
    db.session.delete(result)
    load.note = "\n".join(filter(None, (load.note, said)))
    db.session.flush()
    of_day = law_in_force(plant, load.day)
    refused = charging.results_changed(load, f"{NAMES[parameter]} is taken back", by=by, at=at, law=of_day)
    if refused is not None:
        return refused
    because(reason.strip())
    if load.business_id is not None:
        tell_party(haulers.party_of_business(load.business_id), "result_changed",
                   f"{NAMES[parameter]} of load {load.ticket} is taken back", said, at, plant_id=plant.id)  # fmt: skip
    return load
