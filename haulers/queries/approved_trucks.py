"""Which trucks may unload under an approval: those the committee saw, and those granted since (§ 329-7 A-B)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from haulers.models import Amendment, Approval, Truck, TruckOfBusiness
from haulers.queries.businesses import folded
from haulers.states import AmendmentState
from office.db import db
from office.facts import fact
from office.formats import volume
from ordinances.reader import Law
from ordinances.refusal import Refusal

NEXT_STEP = "Ask the committee for another truck, on the page Your approval."


@dataclass(frozen=True)
class ApprovedTruck:
    """A truck as an approval has it. ``capacity`` in gallons."""

    plate: str
    capacity: int

    @property
    def words(self) -> str:
        """ "WI 1234, 1,500 gallons" """
        return f"{self.plate}, {volume(self.capacity)}"

    def is_this(self, truck: Truck) -> bool:
        """Whether a truck has this plate, and a tank no larger."""
        return folded(truck.plate) == folded(self.plate) and truck.capacity <= self.capacity


def listed_by(business_id: int, until: datetime) -> list[dict[str, Any]]:
    """A business's trucks as they stood on its list at an instant, as an approval keeps them."""
    query = (
        select(Truck).join(TruckOfBusiness, TruckOfBusiness.truck_id == Truck.id)
        .where(TruckOfBusiness.business_id == business_id, TruckOfBusiness.ended_at.is_(None),
               Truck.retired_at.is_(None),
               TruckOfBusiness.since.is_(None) | (TruckOfBusiness.since <= until)).order_by(Truck.id)
    )  # fmt: skip
    return [{"plate": one.plate, "capacity": one.capacity} for one in db.session.scalars(query)]


def approved_trucks_of(approvals: Collection[Approval]) -> dict[int, tuple[ApprovedTruck, ...]]:
    """The trucks of each approval, those granted last at the end. Two queries at most.

    An approval made before trucks were approved one by one has those its business listed by then.
    """
    found = {one.id: [ApprovedTruck(**truck) for truck in one.trucks or ()] for one in approvals}
    older = [one for one in approvals if one.trucks is None]
    if older:
        before = _listed_before({one.business_id for one in older})
        for one in older:
            found[one.id] = list(before.get(one.business_id, ()))
    granted = (
        select(Amendment).where(Amendment.approval_id.in_(set(found)), Amendment.kind == "truck",
                                Amendment.state == AmendmentState.GRANTED.value, Amendment.letter_id.is_not(None))
        .order_by(Amendment.decided_at, Amendment.id)
    )  # fmt: skip
    for asked in db.session.scalars(granted):
        found[asked.approval_id] = with_truck(found[asked.approval_id], asked.new)
    return {ident: tuple(trucks) for ident, trucks in found.items()}


def with_truck(trucks: Collection[ApprovedTruck], new: Mapping[str, Any]) -> list[ApprovedTruck]:
    """An approval's trucks with one granted: the same plate with a larger tank takes its own place."""
    granted = ApprovedTruck(str(new["plate"]).strip().upper(), int(new["capacity"]))
    return [*(one for one in trucks if folded(one.plate) != folded(granted.plate)), granted]


def _listed_before(business_ids: Collection[int]) -> dict[int, list[ApprovedTruck]]:
    rows: Any = db.session.execute(
        select(TruckOfBusiness.business_id, Truck.plate, Truck.capacity)
        .join(Truck, Truck.id == TruckOfBusiness.truck_id)
        .where(TruckOfBusiness.business_id.in_(business_ids), TruckOfBusiness.since.is_(None),
               TruckOfBusiness.ended_at.is_(None), Truck.retired_at.is_(None)).order_by(Truck.id)
    ).all()  # fmt: skip
    found: dict[int, list[ApprovedTruck]] = {}
    for business_id, plate, capacity in rows:
        found.setdefault(business_id, []).append(ApprovedTruck(plate, capacity))
    return found


def approved_trucks(approval: Approval) -> tuple[ApprovedTruck, ...]:
    """The trucks of one approval, kept between requests."""
    found: tuple[ApprovedTruck, ...] = _approved(approval.plant_id, approval.id)
    return found


@fact
def _approved(_plant_id: int, approval_id: int) -> tuple[ApprovedTruck, ...]:
    return approved_trucks_of([db.session.get_one(Approval, approval_id)])[approval_id]


def truck_covered(approval: Approval, truck: Truck, law: Law,
                  trucks: Collection[ApprovedTruck] | None = None) -> Refusal | None:  # fmt: skip
    """Why a truck may not come under an approval, or None. For the gate and for booking."""
    known = approved_trucks(approval) if trucks is None else trucks
    if any(one.is_this(truck) for one in known):
        return None
    cite = law.cite("approval.covers", approval.starts) if law.has("approval.covers", approval.starts) else ""
    as_approved = next((one for one in known if folded(one.plate) == folded(truck.plate)), None)
    why = f"Truck {truck.plate} is not one of the trucks of approval {approval.number}."
    if as_approved is not None:
        why = (f"Approval {approval.number} has truck {truck.plate} with {volume(as_approved.capacity)}; it is listed "
               f"with {truck.capacity:,}.")  # fmt: skip
    return Refusal("truck_not_approved", why, cite, next_step=NEXT_STEP, details={"plate": truck.plate})
