"""The driver signs a load, on the tablet or on paper: that is the written record from then on (§ 329-7 C(3))."""

from datetime import date, datetime

from haulers import queries as haulers
from intake.actions import tickets
from intake.actions.records import file_record
from intake.models import Load, Signature
from intake.queries import loads, signatures
from intake.queries.named_places import NamedPlace
from intake.queries.pickups import PickUp, read
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


@act("sign_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def sign_load(load: Load, name: str, strokes: str, places: str = "", *, paper: str = "",
              signed_at: datetime | None = None, by: Actor, at: datetime, law: Law) -> Signature | Refusal:  # fmt: skip
    """Keep what the driver wrote with a finger, or that ``paper`` was signed, and write the ticket anew with it.

    Each morning of a load may be signed: a signature stands for the newest morning until then and for those before it
    that nobody had signed. Once every morning is, and none is still to come, the signed ticket is the written record,
    taken down for the hauler with ``places``, the pick-ups, one a line; with the places named it is so before.
    ``signed_at`` is when it was signed where that was before it is told: on a tablet without network, or on paper.
    Refusals: no_name, no_strokes, not_taken, signed.
    """
    plant = lock(Plant, load.plant_id, shared=True)
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_taken", f"Load {load.ticket} was not taken: nobody signs it.", "")
    before = signatures.signed(load, plant.tz)
    day = before.morning(signed_at or at)
    known = before.on(day)
    if known is not None:
        return Refusal("signed", f"{known.name} has signed load {load.ticket} already.", "")
    cite = law.cite("record.due_working_days", load.day)
    if not name.strip():
        return Refusal("no_name", "Enter the driver's name.", cite)
    if not paper and not signatures.is_written(strokes):
        return Refusal("no_strokes", "Sign in the box, or print the ticket and sign on paper.", cite)
    row = Signature(plant_id=plant.id, load_id=load.id, name=name.strip(), strokes="" if paper else strokes,
                    signed_at=signed_at or at, taken_by=by.name, paper=paper, day=day)  # fmt: skip
    db.session.add(row)
    db.session.flush()
    refused = _record(load, signatures.signed(load, plant.tz), read(places), by, at, law)
    if refused is not None:
        return refused
    said = f"Signed by {row.name}{_for(before, day)}{f' on paper, {paper}' if paper else ''}"
    load.note = "\n".join(filter(None, (load.note, f"{said}." if paper else f"{said} at the gate.")))
    because(said, cite)
    tickets.write(plant, load, haulers.party_of_business(load.business_id), at=at, law=law, what="signed")
    return row


def _for(before: signatures.Signed, day: date) -> str:
    """For which mornings one signs, where the load has several: " for October 6, 2026"."""
    if len(before.mornings) < 2:
        return ""
    return " for " + " and ".join(formats.date_only(one) for one, _ in before.unsigned if one <= day)


def settle_record(load: Load, *, at: datetime, law: Law) -> Refusal | None:
    """The written record of a load of which no morning is to come any more, where drivers signed all that ran."""
    if load.booking_id is None or not load.gallons:
        return None
    plant = db.session.get_one(Plant, load.plant_id)
    signed = signatures.signed(load, plant.tz)
    if signed.last is None:
        return None
    # By whom of the plant the last signature was taken.
    by = Actor(None, signed.last.taken_by, frozenset({Role.OPERATOR}))
    return _record(load, signed, (), by, at, law)


def _record(load: Load, signed: signatures.Signed, several: tuple[PickUp, ...], by: Actor, at: datetime,
            law: Law) -> Refusal | None:  # fmt: skip
    """The written record of what the driver named and signed, where none is in yet, from when it was signed."""
    last = signed.last
    if last is None or loads.record_of(load.id) is not None or load.record_due is None:
        return None
    if not several and (signatures.goes_on(load, at) or not signed.whole):
        return None
    places = [NamedPlace(one.place, one.gallons) for one in several if one.gallons is not None]
    words = "\n".join(one.place for one in several if one.gallons is None)
    if not several:
        what = f"{formats.volume(load.gallons)}, {WASTE_TYPES[load.waste].lower()} waste, truck {load.plate}"
        ticket = (
            f"{last.paper}, which {signed.words} signed" if last.paper else f"the ticket that {signed.words} signed"
        )
        words = f"As on {ticket}: {what}. No place was named."
    filed_at = max(one.signed_at for one in signed.several)
    made = file_record(load, words, places, by=by.for_(load.business_name), at=filed_at, law=law)
    return made if isinstance(made, Refusal) else None
