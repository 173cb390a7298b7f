"""Set an answer of the gate aside for one load, in writing: papers and lists, never an approval (§ 329-7 C(1))."""

from datetime import datetime

from haulers import queries as haulers
from intake.models import Booking, Load, SetAside
from intake.queries import capacity
from intake.queries.gate import GateAnswer, may_discharge
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

WHO = (Role.DIRECTOR, Role.MANAGER)


@act("set_aside", roles=WHO)
def set_aside_answer(
    plant: Plant, code: str, reason: str, *, business_id: int, truck_id: int, waste: str,
    booking: Booking | None = None, driver: str | None = None, by: Actor, at: datetime, law: Law,
) -> SetAside | Refusal:  # fmt: skip
    """Let one load of a truck in today although the gate said ``code``; what it would say next still holds.

    Asked as ``may_discharge`` is. The Director and the hauler are told; it stands on the ticket and in the hauler's
    record. Refusals: changed (the gate says something else now), not_set_aside, not_your_role, no_reason.
    """
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    standing = haulers.standing(plant.id, business_id, at, law)
    if standing.approval is not None:
        # Two managers at once set it aside once.
        haulers.lock_approval(standing.approval.id)
    gate = may_discharge(plant, law, at, business_id=business_id, truck_id=truck_id, waste=waste, booking=booking,
                         driver=driver)  # fmt: skip
    refused = _wrong(gate, code, reason, by)
    if refused is not None:
        return refused
    capacity_ = by.capacity(WHO)
    assert gate.may is not None and capacity_ is not None
    row = SetAside(
        plant_id=plant.id, business_id=business_id, truck_id=truck_id, day=at.astimezone(plant.tz).date(), code=code,
        said=gate.sentence, cite=gate.cite, reason=reason.strip(), given_at=at,
        given_by=f"{by.name}, {TITLES[capacity_]}", law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    because(reason.strip(), gate.may.cite)
    _tell(plant, row, at)
    return row


def _wrong(gate: GateAnswer, code: str, reason: str, by: Actor) -> Refusal | None:
    if gate.ok or gate.code != code:
        return Refusal("changed", f"The gate answers otherwise now. {gate.sentence}", gate.cite,
                       next_step="Look at it again, and decide again.")  # fmt: skip
    may = gate.may
    if may is None or not may.roles:
        return Refusal("not_set_aside", may.words if may else gate.sentence, gate.cite)
    if not {role.value for role in by.roles} & set(may.roles):
        return Refusal("not_your_role", may.words, may.cite, may.reading)
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is set aside for this load.", may.cite)
    return None


def _tell(plant: Plant, row: SetAside, at: datetime) -> None:
    party, truck = haulers.party_of_business(row.business_id), haulers.truck(row.truck_id)
    plate = truck.plate if truck is not None else ""
    subject = f"Set aside for one load: {party.name}, truck {plate}"
    body = (f"The gate said: {row.said} ({row.cite})\n\n{row.given_by}, set this aside for one load of truck {plate} "
            f"today: {row.reason}\n\nIt stands on the load ticket and in the hauler's record.")  # fmt: skip
    tell_role(Role.DIRECTOR, "set_aside", subject, body, at, plant_id=plant.id)
    tell_party(party, "set_aside", subject, body, at, plant_id=plant.id)


def used_by(load: Load, gate: GateAnswer) -> None:
    """Write down under what a load came in, so that the next one does not."""
    for row in gate.aside:
        row.load_id = load.id
