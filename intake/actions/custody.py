"""Hand samples over and receive them at the laboratory (§ 329-7 E(1) of Bayfield)."""

from collections.abc import Sequence
from datetime import datetime

from intake.models import CustodyStep, Load
from intake.queries.custody import near, sample_of, with_bottle
from intake.states import CUSTODY_WORDS, CustodyKind, LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

KEEPERS = (Role.OPERATOR, Role.MANAGER)
ACCESS = "testing.access"


@act("hand_over_samples", roles=KEEPERS)
def hand_over_samples(
    plant: Plant, bottles: Sequence[str], kind: str, to_name: str, when: datetime, *, place: str = "",
    preserved: str = "", by: Actor, at: datetime, law: Law,
) -> list[CustodyStep] | Refusal:  # fmt: skip
    """Write down that samples went from who has them to somebody, all of them or none.

    ``kind``: handed, or received (by the laboratory). Refusals: no_bottles, unknown_bottle, no_name, future, before,
    received.
    """
    cite = law.cited(ACCESS, at.astimezone(plant.tz).date())
    wanted = list(dict.fromkeys(one.strip() for one in bottles if one.strip()))
    if not wanted:
        return Refusal("no_bottles", "Select the samples, or enter their bottle numbers.", "")
    if not to_name.strip():
        return Refusal("no_name", "Enter who has the samples now.", cite)
    if when > at:
        return Refusal("future", "The time must be now or earlier.", "")
    made, found = [], {bottle: with_bottle(plant.id, bottle) for bottle in wanted}
    # In the order of their numbers, whatever the order typed: two people at the same samples wait, neither for ever.
    for ident in sorted({load.id for load in found.values() if load is not None}):
        lock(Load, ident)
    for bottle, load in found.items():
        # It may have been voided, or its bottle corrected, while this waited.
        gone = load is None or load.bottle != bottle or load.state == LoadState.VOID.value
        step = _step(plant, bottle, None if gone else load, CustodyKind(kind), to_name.strip(), when, at)
        if isinstance(step, Refusal):
            return step
        step.place, step.preserved, step.entered_by = place.strip(), preserved.strip(), by.name
        db.session.add(step)
        made.append(step)
    because(f"{CUSTODY_WORDS[CustodyKind(kind)]}: {to_name.strip()}", cite)
    return made


def _step(plant: Plant, bottle: str, load: Load | None, kind: CustodyKind, to_name: str, when: datetime, at: datetime
          ) -> CustodyStep | Refusal:  # fmt: skip
    if load is None:
        known = near(plant.id)
        newest = f" The newest bottles in use: {', '.join(known)}." if known else " No bottle is in use yet."
        return Refusal("unknown_bottle", f"No load has bottle {bottle}. Check the number on the label.{newest}", "")
    sample = sample_of(load)
    last = sample.links[-1]
    if sample.received:
        said = f"Bottle {bottle} was received by {last.to_name} on {formats.day_time(last.at, plant.tz)}"
        return Refusal("received", formats.full_stop(said), "")
    if when < last.at.replace(second=0, microsecond=0):
        said = f"Bottle {bottle} was with {last.to_name} from {formats.day_time(last.at, plant.tz)} on"
        return Refusal("before", f"{formats.full_stop(said)} Enter a later time.", "")
    return CustodyStep(plant_id=plant.id, load_id=load.id, bottle=load.bottle, kind=kind.value, at=when,
                       from_name=last.to_name, to_name=to_name, entered_at=at)  # fmt: skip
