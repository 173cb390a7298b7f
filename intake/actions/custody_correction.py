"""Put right what was written of a sample's way, or take a step of it back; what stood there stays (§ 329-7 E(1))."""

from datetime import datetime

from intake.actions.custody import ACCESS, KEEPERS
from intake.models import CustodyStep, Load
from intake.queries.custody import Link, Sample, sample_of
from intake.states import CustodyKind, LoadState
from office import formats
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

GONE = "That step was corrected or taken back by now. Look at the sample again."


@act("correct_custody", roles=KEEPERS)
def correct_custody(
    plant: Plant, load: Load, step_id: int, kind: str, to_name: str, when: datetime, why: str, *, place: str = "",
    preserved: str = "", by: Actor, at: datetime, law: Law,
) -> CustodyStep | Refusal:  # fmt: skip
    """Write one step of a sample's way anew, with the reason; the step as it stood is kept beside it.

    ``step_id`` 0 is the taking as the load was logged; who took a sample stays its taking. Refusals: void, gone,
    no_reason, no_name, same, future, before, after.
    """
    found = _standing(plant, load, step_id, why, law, at)
    if isinstance(found, Refusal):
        return found
    load, sample, old = found
    kept = CustodyKind.TAKEN if old.kind == CustodyKind.TAKEN.value else CustodyKind(kind)
    new = CustodyStep(plant_id=plant.id, load_id=load.id, bottle=load.bottle, kind=kept.value, at=when, from_name="",
                      to_name=to_name.strip(), place=place.strip(), preserved=preserved.strip(), entered_at=at,
                      entered_by=by.name, why=why.strip())  # fmt: skip
    wrong = _wrong(plant, load, sample, old, new, at)
    if wrong is not None:
        return wrong
    nth = sample.links.index(old)
    new.from_name = sample.links[nth - 1].to_name if nth else ""
    _end(old, why, by, at)
    db.session.add(new)
    return new


@act("take_back_custody", roles=KEEPERS)
def take_back_custody(plant: Plant, load: Load, step_id: int, why: str, *, by: Actor, at: datetime, law: Law
                      ) -> Link | Refusal:  # fmt: skip
    """Take back a step that did not happen, such as "received" of a bottle that is still here, with the reason.

    The sample is again with who had it before. Refusals: void, gone, no_reason, taken (somebody took every sample).
    """
    found = _standing(plant, load, step_id, why, law, at)
    if isinstance(found, Refusal):
        return found
    load, _sample, old = found
    if old.kind == CustodyKind.TAKEN.value:
        return Refusal("taken", "Somebody took the sample. Enter who it was.", "")
    _end(old, why, by, at)
    return old


def _standing(plant: Plant, load: Load, step_id: int, why: str, law: Law, at: datetime
              ) -> tuple[Load, Sample, Link] | Refusal:  # fmt: skip
    """The load, locked, its sample, and the step that is to be put right."""
    load = lock(Load, load.id)
    if load.state == LoadState.VOID.value or not load.bottle:
        return Refusal("void", f"Load {load.ticket} has no sample any more.", "")
    sample = sample_of(load)
    old = next((one for one in sample.links if one.step_id == step_id), None)
    if old is None:
        return Refusal("gone", GONE, "")
    cite = law.cited(ACCESS, at.astimezone(plant.tz).date())
    if not why.strip():
        return Refusal("no_reason", "Enter why it is put right.", cite)
    because(why.strip(), cite)
    return load, sample, old


def _wrong(plant: Plant, load: Load, sample: Sample, old: Link, new: CustodyStep, at: datetime) -> Refusal | None:
    """What of the new step cannot be."""
    if not new.to_name:
        return Refusal("no_name", "Enter who has the sample then.", "")
    if _told(plant, old) == _told(plant, new):
        return Refusal("same", "That is what stands there already. Change what is wrong in it.", "")
    if new.at > at:
        return Refusal("future", "The time must be now or earlier.", "")
    return _out_of_order(plant, load, sample, sample.links.index(old), new)


def _out_of_order(plant: Plant, load: Load, sample: Sample, nth: int, new: CustodyStep) -> Refusal | None:
    """Whether it cannot have been when it says, beside the step before it and the one after it."""
    before, after = sample.links[:nth][-1:], sample.links[nth + 1 :][:1]
    if not before and new.at.astimezone(plant.tz).date() < load.day:
        why = f"The load is of {formats.date_only(load.day)}. Enter a time of that day or later."
        return Refusal("before", why, "")
    if before and new.at < _minute(before[0].at):
        said = f"The sample was with {before[0].to_name} from {formats.day_time(before[0].at, plant.tz)} on"
        return Refusal("before", f"{formats.full_stop(said)} Enter a later time.", "")
    if after and (_minute(new.at) > after[0].at or new.kind == CustodyKind.RECEIVED.value):
        said = formats.full_stop(f"It went on to {after[0].to_name} on {formats.day_time(after[0].at, plant.tz)}")
        return Refusal("after", f"{said} Enter an earlier time, or correct that step first.", "")
    return None


def _minute(when: datetime) -> datetime:
    return when.replace(second=0, microsecond=0)


def _told(plant: Plant, one: Link | CustodyStep) -> tuple[str, ...]:
    return one.kind, formats.day_time(one.at, plant.tz), one.to_name, one.place, one.preserved


def _end(old: Link, why: str, by: Actor, at: datetime) -> None:
    """The step stands no more; of the taking as the load was logged there is no row, the new one tells of it."""
    if old.step_id:
        row = db.session.get_one(CustodyStep, old.step_id)
        row.ended_at, row.ended_by, row.ended_why = at, by.name, why.strip()
