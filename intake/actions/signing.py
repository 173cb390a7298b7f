"""The driver signs a load, on the tablet or on paper: that is the written record from then on (§ 329-7 C(3))."""

from datetime import datetime

from haulers import queries as haulers
from intake.actions import tickets
from intake.actions.records import file_record
from intake.models import Load, Signature
from intake.queries import bookings, loads, signatures
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

    A signed ticket is the written record at once, taken down for the hauler with ``places``, the pick-ups, one a line.
    While mornings of the load are still to come it is so only with the places named. ``signed_at`` is when it was
    signed where that was before it is told: on a tablet without network, or on paper.
    Refusals: no_name, no_strokes, not_taken, signed.
    """
    plant = lock(Plant, load.plant_id, shared=True)
    load = lock(Load, load.id)
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_taken", f"Load {load.ticket} was not taken: nobody signs it.", "")
    known = signatures.of_load(load.id)
    if known is not None:
        return Refusal("signed", f"{known.name} has signed load {load.ticket} already.", "")
    cite = law.cite("record.due_working_days", load.day)
    if not name.strip():
        return Refusal("no_name", "Enter the driver's name.", cite)
    if not paper and not signatures.is_written(strokes):
        return Refusal("no_strokes", "Sign in the box, or print the ticket and sign on paper.", cite)
    row = Signature(plant_id=plant.id, load_id=load.id, name=name.strip(), strokes="" if paper else strokes,
                    signed_at=signed_at or at, taken_by=by.name, paper=paper)  # fmt: skip
    db.session.add(row)
    db.session.flush()
    refused = _record(load, row, read(places), by, law)
    if refused is not None:
        return refused
    said = f"Signed by {row.name} on paper, {paper}" if paper else f"Signed by {row.name}"
    load.note = "\n".join(filter(None, (load.note, f"{said}." if paper else f"{said} at the gate.")))
    because(said, cite)
    tickets.write(plant, load, haulers.party_of_business(load.business_id), at=at, law=law, what="signed")
    return row


def _goes_on(load: Load) -> bool:
    """Whether mornings of a load are still planned that have not run."""
    if load.booking_id is None:
        return False
    ran = bookings.opened_days(load.booking_id)
    return any(one.day not in ran for one in bookings.sessions_of([load.booking_id])[load.booking_id])


def _record(load: Load, row: Signature, several: tuple[PickUp, ...], by: Actor, law: Law) -> Refusal | None:
    """The written record of what the driver named and signed, where none is in yet, from when it was signed."""
    if loads.record_of(load.id) is not None or load.record_due is None:
        return None
    if not several and _goes_on(load):
        return None
    places = [NamedPlace(one.place, one.gallons) for one in several if one.gallons is not None]
    words = "\n".join(one.place for one in several if one.gallons is None)
    if not several:
        what = f"{formats.volume(load.gallons)}, {WASTE_TYPES[load.waste].lower()} waste, truck {load.plate}"
        ticket = f"{row.paper}, which {row.name} signed" if row.paper else f"the ticket that {row.name} signed"
        words = f"As on {ticket}: {what}. No place was named."
    made = file_record(load, words, places, by=by.for_(load.business_name), at=row.signed_at, law=law)
    return made if isinstance(made, Refusal) else None
