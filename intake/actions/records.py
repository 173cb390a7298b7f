"""The written record of a load, within one working day (§ 329-7 C(3)), and the notice when it is late."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from haulers import queries as haulers
from intake.models import Load, WrittenRecord
from intake.queries import loads
from intake.queries.named_places import NamedPlace
from intake.queries.records_due import BARS, in_words, record_changes
from intake.states import LoadState
from office import formats, letters
from office.access import Actor, Role, party_signs_in
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.letters import Letter
from office.notices import tell_party, tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

AT_THE_PLANT = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK)


@act("file_record", roles=(Role.HAULER, Role.DRIVER, *AT_THE_PLANT))
def file_record(load: Load, sources: str, places: Sequence[NamedPlace] = (), *, by: Actor, at: datetime,
                law: Law) -> WrittenRecord | Refusal:  # fmt: skip
    """File where a load came from: ``places`` with gallons, and ``sources`` in words. The hauler files their own; the
    plant may for them, marked so.

    Late is late but is taken. A place that the approval did not cover when the load came (§ 329-7 B(1)) is taken too:
    it is kept as such, the clerk and the Director read of it, and the hauler what to do. Refusals: no_sources,
    not_yours, nothing_to_record, already_filed, not_listed (a source that the approval does not list any more).
    """
    mine = _may_write(load, sources, places, by, law)
    if isinstance(mine, Refusal):
        return mine
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value:
        return Refusal("nothing_to_record", f"Load {load.ticket} was not unloaded: it needs no record.", "")
    if loads.record_of(load.id) is not None:
        return Refusal("already_filed", f"The record of load {load.ticket} is in already.", "")
    # The due second is in time to its end, so an instant is kept as the second it lies in.
    filed_at, named = at.replace(microsecond=0), named_of(load, places)
    if isinstance(named, Refusal):
        return named
    strange = [one["place"] for one in named if not one["approved"]]
    record = WrittenRecord(plant_id=load.plant_id, load_id=load.id, filed_at=filed_at, filed_by=by.name,
                           on_behalf=not mine, sources=in_words(named, sources), places=named,
                           unapproved=len(strange))  # fmt: skip
    db.session.add(record)
    because(cite=law.cite("record.due_working_days", load.day))
    if strange:
        _tell_strange(load, strange, at, law)
    return record


def _may_write(load: Load, sources: str, places: Sequence[NamedPlace], by: Actor, law: Law) -> bool | Refusal:
    """Whether it is the writer's own load, whose record may be written: by its hauler, or by the plant for it."""
    if not sources.strip() and not places:
        return Refusal("no_sources", "Enter where the load came from.", law.cite("record.filed_by", load.day))
    mine = by.party_id is not None and load.business_id is not None and (
        haulers.party_of_business(load.business_id).id == by.party_id
    )  # fmt: skip
    if not mine and by.capacity(AT_THE_PLANT) is None:
        return Refusal("not_yours", "This is not one of your company's loads.", "")
    return mine


@act("correct_record", roles=(Role.HAULER, Role.DRIVER, *AT_THE_PLANT))
def correct_record(load: Load, sources: str, places: Sequence[NamedPlace] = (), why: str = "", *, by: Actor,
                   at: datetime, law: Law) -> WrittenRecord | Refusal:  # fmt: skip
    """File a correction of a written record, with why: it stands beside the record, whose words and time stay.

    Whether the record came within its working day is told by the first alone. The clerk and the Director read what
    changed, and so does the hauler for whom the plant wrote it. Refusals: no_sources, not_yours, not_filed, no_why,
    same, not_listed.
    """
    mine = _may_write(load, sources, places, by, law)
    if isinstance(mine, Refusal):
        return mine
    load = lock(Load, load.id)
    known = loads.record_of(load.id)
    if load.state != LoadState.ACCEPTED.value or known is None:
        return Refusal("not_filed", f"Load {load.ticket} has no written record that could be corrected.", "")
    record: WrittenRecord = lock(WrittenRecord, known.id)
    if not why.strip():
        return Refusal("no_why", "Enter why the record is corrected.", law.cite("record.filed_by", load.day))
    named = named_of(load, places)
    if isinstance(named, Refusal):
        return named
    last, words = record.versions[-1], in_words(named, sources)
    if (words, named) == (last.sources, last.places):
        return Refusal("same", "That is what the record says already. Change what is wrong in it.", "")
    record.corrections = [*record.corrections, {
        "at": at.replace(microsecond=0).isoformat(), "by": by.name, "on_behalf": not mine, "sources": words,
        "places": named, "why": why.strip(),
    }]  # fmt: skip
    strange = [one["place"] for one in named if not one["approved"]]
    record.unapproved = len(strange)
    because(why.strip(), law.cite("record.due_working_days", load.day))
    _tell_corrected(load, last.sources, words, why, at, mine=mine)
    if new := [one for one in strange if one not in {place["place"] for place in last.places}]:
        _tell_strange(load, new, at, law)
    return record


def _tell_corrected(load: Load, before: str, now: str, why: str, at: datetime, *, mine: bool) -> None:
    plant = db.session.get_one(Plant, load.plant_id)
    subject = f"Load {load.ticket}: its written record is corrected"
    said = f"{' '.join(record_changes(before, now))}\n\nWhy: {why.strip()}\n\nThe first record stays beside it."
    head = f"{load.business_name}, {formats.volume(load.gallons)}, truck {load.plate}."
    tell_roles((Role.CLERK, Role.DIRECTOR), "record_corrected", subject, f"{head} {said}", at, plant_id=plant.id)
    if not mine and load.business_id is not None:
        how = f"Open the load to read both, and call if this is not right: {plant.name}, {plant.phone}"
        tell_party(haulers.party_of_business(load.business_id), "record_corrected", subject, f"{said}\n\n{how}", at,
                   plant_id=plant.id)  # fmt: skip


def named_of(load: Load, places: Sequence[NamedPlace]) -> list[dict[str, Any]] | Refusal:
    """The places as they are kept: each with its gallons and whether the approval covered it when the load came."""
    approved = haulers.approved_places(load.approval_id, load.discharged_at) if places else []
    by_key, known = {one.key: one for one in approved}, {one.place.casefold() for one in approved}
    named = []
    for one in places:
        if one.key and one.key not in by_key:
            return Refusal("not_listed", "The approval does not list that source any more. Look at the list again.", "")
        place = by_key[one.key].place if one.key else one.place.strip()
        # Where the approval names no place at all there is nothing to hold it against.
        named.append({"place": place, "waste": by_key[one.key].waste if one.key else "", "gallons": one.gallons,
                      "approved": bool(one.key) or not known or place.casefold() in known})  # fmt: skip
    return named


def _tell_strange(load: Load, strange: Sequence[str], at: datetime, law: Law) -> None:
    """The clerk, the Director and the hauler read of a place that is not approved; nothing is refused for it."""
    plant, where = db.session.get_one(Plant, load.plant_id), " and ".join(strange)
    cite = law.cite("application.asks", load.day) if law.has("application.asks", load.day) else ""
    said = (f"The written record of load {load.ticket} ({formats.volume(load.gallons)}, truck {load.plate}) names a "
            f"place that the approval does not cover: {where}")  # fmt: skip
    said = formats.full_stop(f"{said} ({cite})" if cite else said)
    tell_roles((Role.CLERK, Role.DIRECTOR), "record_place", f"Load {load.ticket}: a place that is not approved",
               f"{load.business_name}. {said} The record is taken as it was written.", at,
               plant_id=plant.id)  # fmt: skip
    if load.business_id is not None:
        how = f"Ask for a change of the approval before you bring more from there. {plant.name}, {plant.phone}"
        tell_party(haulers.party_of_business(load.business_id), "record_place",
                   f"Load {load.ticket}: a place that is not on your approval", f"{said} {how}", at,
                   plant_id=plant.id)  # fmt: skip


@act("remind_of_record", roles=(Role.SYSTEM,))
def remind_of_record(load: Load, *, by: Actor, at: datetime) -> bool:
    """Tell the hauler once, by a letter, that the written record of a load is late; False when nothing is to be said.

    Who signs in reads it there too; to who does not it is sent by post.
    """
    if load.business_id is None or load.record_due is None or loads.record_of(load.id) is not None:
        return False
    plant = db.session.get_one(Plant, load.plant_id)
    due = formats.day_short(load.record_due, plant.tz)
    party = haulers.party_of_business(load.business_id)
    how = "Send it now: sign in and open Loads."
    if not party_signs_in(party.id, at):
        how = f"Send it now to {plant.name}, {', '.join(plant.address.splitlines())}, or call {plant.phone}."
    letter = _overdue_letter(plant, load, party, how, at)
    body = (f"The written record of load {load.ticket} ({formats.volume(load.gallons)}, truck {load.plate}) "
            f"was due by the end of {formats.day(load.record_due, plant.tz)}.\n\n{how}")  # fmt: skip
    tell_party(party, "record_late", f"Late: the record of load {load.ticket} was due {due}", body, at,
               plant_id=plant.id, letter_id=letter.id)  # fmt: skip
    because(f"Written record not in by {due}")
    return True


def _overdue_letter(plant: Plant, load: Load, party: Any, how: str, at: datetime) -> Letter:
    law = law_in_force(plant, load.day)
    row, today = law.row("record.due_working_days", load.day), at.astimezone(plant.tz).date()
    now = law_in_force(plant, today)
    bars = now.has(BARS, today) and now.value(BARS, today)
    assert load.record_due is not None
    data = {
        "ticket": load.ticket, "due": formats.day(load.record_due, plant.tz), "cite": row.cite,
        "reading": row.reading or "", "how": how, "bars": now.cite(BARS, today) if bars else "",
        "facts": [["Unloaded", formats.day(load.day)], ["Gallons", formats.gallons(load.gallons)],
                  ["Waste", WASTE_TYPES[load.waste]], ["Truck", load.plate], ["Driver", load.driver]],
    }  # fmt: skip
    return letters.write(plant, party, "record_overdue", f"The record of load {load.ticket} is overdue", data, at,
                         law_version=law.version)  # fmt: skip
