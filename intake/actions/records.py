"""The written record of a load, within one working day (§ 329-7 C(3)), and the notice when it is late."""

from datetime import datetime

from haulers import queries as haulers
from intake.models import Load, WrittenRecord
from intake.queries import loads
from intake.states import LoadState
from office import formats
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

AT_THE_PLANT = (Role.OPERATOR, Role.MANAGER, Role.CLERK)


@act("file_record", roles=(Role.HAULER, Role.DRIVER, *AT_THE_PLANT))
def file_record(load: Load, sources: str, *, by: Actor, at: datetime, law: Law) -> WrittenRecord | Refusal:
    """File where a load came from. The hauler files their own; the plant may for them, marked so.

    Late is late but is taken. Refusals: no_sources, not_yours, nothing_to_record, already_filed.
    """
    if not sources.strip():
        return Refusal("no_sources", "Enter where the load came from.", law.cite("record.filed_by", load.day))
    mine = by.party_id is not None and load.business_id is not None and (
        haulers.party_of_business(load.business_id).id == by.party_id
    )  # fmt: skip
    if not mine and by.capacity(AT_THE_PLANT) is None:
        return Refusal("not_yours", "This is not one of your company's loads.", "")
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value:
        return Refusal("nothing_to_record", f"Load {load.ticket} was not unloaded: it needs no record.", "")
    if loads.record_of(load.id) is not None:
        return Refusal("already_filed", f"The record of load {load.ticket} is in already.", "")
    # The due second is in time to its end, so an instant is kept as the second it lies in.
    filed_at = at.replace(microsecond=0)
    record = WrittenRecord(plant_id=load.plant_id, load_id=load.id, filed_at=filed_at, filed_by=by.name,
                           on_behalf=not mine, sources=sources.strip())  # fmt: skip
    db.session.add(record)
    because(cite=law.cite("record.due_working_days", load.day))
    return record


@act("remind_of_record", roles=(Role.SYSTEM,))
def remind_of_record(load: Load, *, by: Actor, at: datetime) -> bool:
    """Tell the hauler once that the written record of a load is late; False when there is nothing to say."""
    if load.business_id is None or load.record_due is None or loads.record_of(load.id) is not None:
        return False
    plant = db.session.get_one(Plant, load.plant_id)
    due = formats.day_short(load.record_due, plant.tz)
    party = haulers.party_of_business(load.business_id)
    how = "Send it now: sign in and open Loads."
    if not party_signs_in(party.id, at):
        how = f"Send it now to {plant.name}, {', '.join(plant.address.splitlines())}, or call {plant.phone}."
    body = (f"The written record of load {load.ticket} ({formats.volume(load.gallons)}, truck {load.plate}) "
            f"was due by the end of {formats.day(load.record_due, plant.tz)}.\n\n{how}")  # fmt: skip
    tell_party(party, "record_late", f"Late: the record of load {load.ticket} was due {due}", body, at,
               plant_id=plant.id)  # fmt: skip
    because(f"Written record not in by {due}")
    return True
