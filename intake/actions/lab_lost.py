"""A sample of which no result will come: it is waited for no more, and no test is charged (§ 329-7 F(1))."""

from datetime import datetime

from billing.actions import locked_account
from haulers import queries as haulers
from intake.actions import charging, pieces, tickets
from intake.actions.lab import LAB
from intake.models import Load
from intake.queries import loads
from intake.queries.results import NAMES
from intake.states import NO_RESULT_WORDS, LoadState
from office.access import Actor
from office.acts import act
from office.journal import because
from ordinances.fees import charge_cite
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("give_up_sample", roles=LAB)
def give_up_sample(load: Load, code: str, words: str = "", *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Say why no result of a load's sample will come: it counts as not tested, its test is taken back, a new ticket is
    written and the hauler told.

    Refusals: no_reason (none of the reasons, or another one without words), not_tested, results_in.
    """
    if code not in NO_RESULT_WORDS or (code == "other" and not words.strip()):
        return Refusal("no_reason", "Say why no result will come.", "")
    gate, (load,) = pieces.locked([load], by, at)
    if load.state != LoadState.ACCEPTED.value or not load.tested or load.business_id is None:
        return Refusal("not_tested", f"Load {load.ticket} has no sample to test.", "")
    known = loads.results_of([load.id]).get(load.id, {})
    if known:
        named = " and ".join(NAMES[name] for name in known)
        return Refusal("results_in", f"{named} of load {load.ticket} is in: the sample was tested.", "",
                       next_step="Enter what is missing, or change the result.")  # fmt: skip
    why = ". ".join(filter(None, (NO_RESULT_WORDS[code], words.strip().rstrip("."))))
    load.tested, load.note = False, "\n".join(filter(None, (load.note, f"No result of the sample: {why}.")))
    party = haulers.party_of_business(load.business_id)
    locked_account(gate.plant, party.id, by=by, at=at)
    refused = charging.charge_again(gate.plant, load, f"No test was made: {why}", by=by, at=at, law=gate.law)
    if refused is not None:
        return refused
    because(why, charge_cite(gate.law, load.day, "tests"))
    tickets.write(gate.plant, load, party, at=at, law=gate.law, what="corrected")
    return load
