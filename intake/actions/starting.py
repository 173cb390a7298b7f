"""A truck that waits for the start it was logged with begins now, where its gallons fit now (§ 329-7 F(3), F(4))."""

from datetime import datetime

from intake.actions import pieces
from intake.actions.run_words import laid_words
from intake.models import Load
from intake.queries.loads import approved
from intake.queries.pieces import Layout, Morning, beside, resumed
from intake.queries.words import sentence
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("start_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def start_load(load: Load, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Let a truck that waits begin before its time, at its rate or slower, beside the times of others.

    What it was to take later is free at once. Refusals: not_running (it does not wait), revoked, not_yet (its gallons
    do not fit before: it keeps its time).
    """
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    waits = found.to_begin
    if waits is None or found.piece is not None:
        return pieces.not_running(gate.plant, load)
    if not approved(load, at, found.day):
        cite = gate.law.cite("revocation.by", found.day) if gate.law.has("revocation.by", found.day) else ""
        return Refusal("revoked", f"The approval of {load.business_name} is no longer in force.", cite,
                       next_step="Stop the truck.")  # fmt: skip
    laid = sooner(gate.plant, gate.law, found, at)
    if isinstance(laid, Refusal):
        return laid
    like, planned = pieces.like(waits), formats.clock_time(waits.starts, gate.plant.tz)
    pieces.cut(found, found.before, at)
    pieces.place(found, like, laid)
    said = sentence(f"Began at {formats.clock_time(at, gate.plant.tz)} and not at {planned}")
    return pieces.settle(gate, found, said, "began", plan=laid_words(gate.plant, laid)) or load


def sooner(plant: Plant, law: Law, found: Morning, at: datetime) -> Layout | Refusal:
    """How all gallons of a load that waits would flow from now on, or why it keeps its time."""
    waits = found.to_begin
    assert waits is not None
    there = beside(plant, law, found.load, waits, at, found.before)
    laid = resumed(there, at, waits.gallons, waits.gph)
    if laid is not None and laid.now is not None and laid.now.gallons == waits.gallons and laid.now.end <= waits.ends:
        return laid
    cap = there.picture.cap
    planned = formats.span(waits.starts, waits.ends, plant.tz)
    why = sentence(f"{formats.volume(waits.gallons)} do not fit under the limit before. Its time stays {planned}")
    return Refusal("not_yet", why, cap.cite if cap else "", cap.reading if cap else None)
