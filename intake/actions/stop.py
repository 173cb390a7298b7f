"""Stop a truck that unloads, waits or is paused: what ran is kept and charged, the rest of its room is free at once.

A restriction or a revocation reaches trucks that were let in before it (§ 329-7 B(3), G of Bayfield).
"""

from datetime import datetime

from intake.actions import pieces
from intake.models import Load
from intake.queries.loads import run_to_stop
from intake.queries.pieces import Morning
from intake.queries.words import sentence
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("stop_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def stop_load(load: Load, gallons: int, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """End what runs or waits of a load; ``gallons`` are those unloaded this morning in all, whatever its pieces.

    The volume is charged anew for them (none for 0 gallons), the test charge stays where a sample was taken, and a
    corrected ticket is written. A morning that unloaded nothing is taken away, and with it what its booking still
    planned. Refusals: no_reason, not_running, gallons_below, not_begun, more_than_logged.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why the truck is stopped.", "")
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    refused = end_now(gate, found, gallons)
    if refused is not None:
        return refused
    said = stopped_words(gate.plant, at, reason)
    ended = f"Stopped as load {load.ticket}: {reason.strip()}"
    refused = pieces.settle(gate, found, said, "stopped", ended)
    if refused is not None:
        return refused
    because(reason.strip(), gate.law.cite("record.due_working_days", load.day))
    return load


def end_now(gate: pieces.Gate, found: Morning, gallons: int) -> Refusal | None:
    """End what runs or waits of a load, under its locks, with these gallons of its morning unloaded; or why not."""
    load, open_run = found.load, run_to_stop(found.load, gate.at)
    if open_run is None or load.business_id is None:
        return pieces.not_running(gate.plant, load)
    refused = pieces.gallons_wrong(found, gallons)
    if gallons > 0 and not any(one.starts < gate.at for one in found.ran):
        return pieces.begins_later(gate.plant, open_run)
    if refused is not None:
        return refused
    pieces.cut(found, gallons, gate.at)
    if not gallons:
        pieces.clear(found)
    return None


def stopped_words(plant: Plant, at: datetime, reason: str) -> str:
    """What the ticket says of the stop."""
    return sentence(f"Stopped at {formats.clock_time(at, plant.tz)}: {reason.strip()}")
