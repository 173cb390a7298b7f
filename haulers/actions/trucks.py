"""A hauler's trucks. One truck may serve several businesses: it is then one record on each of their lists."""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.models import Business, Truck, TruckOfBusiness
from haulers.queries import TruckLine, folded, trucks_of
from haulers.queries.approved_trucks import NEXT_STEP, truck_covered
from haulers.queries.businesses import plate_elsewhere
from haulers.queries.last_days import approvals_to_come
from haulers.queries.saves import mark_of, saved_since
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import volume
from office.journal import because
from office.law import law_in_force
from office.plants import Plant
from ordinances.refusal import Refusal


@act("add_truck", roles=(Role.HAULER,))
def add_truck(business: Business, line: TruckLine, *, by: Actor, at: datetime) -> Truck | Refusal:
    """Add a truck to a business's list.

    A plate that another hauler lists with this tank size and state vehicle number is the same truck, shared from now
    on. Where those differ it is a record of its own: what one hauler claims keeps no other from its truck. An approval
    the business has already does not cover it: that is asked of the committee (``ask_amendment``).
    """
    if not stands_for(business, by):
        return NOT_YOURS
    lock(Business, business.id)
    return put_truck(business, line, at)


def put_truck(business: Business, line: TruckLine, at: datetime) -> Truck | Refusal:
    """Put a truck on a list, inside an act that holds the business."""
    line = _trimmed(line)
    if (wrong := _wrong(business, line)) is not None:
        return wrong
    truck = next((one for one in plate_elsewhere(business.id, line.plate) if _agrees(one, line)), None)
    if truck is None:
        truck = Truck(plate=line.plate, capacity=line.capacity, name=line.name, sticker=line.sticker)
        db.session.add(truck)
        db.session.flush()
    else:
        because(f"Truck {truck.plate} is shared with another hauler")
    db.session.add(TruckOfBusiness(truck_id=truck.id, business_id=business.id, since=at))
    db.session.flush()
    return truck


def put_approved(business: Business, line: TruckLine, at: datetime) -> Truck | Refusal:
    """Put a truck on a list as it was granted: one listed already gets the tank size that was asked for.

    A shared truck stays with the others as it is; this business then has a record of its own.
    """
    known = next((one for one in trucks_of(business.id) if folded(one.plate) == folded(line.plate)), None)
    if known is None:
        return put_truck(business, line, at)
    if known.capacity == line.capacity:
        return known
    if not others_use(business.id, known.id):
        truck: Truck = lock(Truck, known.id)
        truck.capacity = line.capacity
        return truck
    if (listing := _listing(business, known.id)) is not None:
        listing.ended_at = at
    db.session.flush()
    return put_truck(business, TruckLine(known.plate, line.capacity, known.name, known.sticker), at)


@act("change_truck", roles=(Role.HAULER,))
def change_truck(business: Business, truck_id: int, line: TruckLine, *, seen: str = "", zone: ZoneInfo | None = None,
                 by: Actor, at: datetime) -> Truck | Refusal:  # fmt: skip
    """Mend what is said of a truck; tickets already written keep their plate. A shared truck is not changed.

    ``seen`` is the ``truck_mark`` the form was filled from. The plate of a truck that an approval covers, and a larger
    tank, are the committee's to grant. Refusals: not_yours, shared, saved_since, no_plate, no_capacity, plate_listed,
    approved.
    """
    listing = _listing(business, truck_id)
    if not stands_for(business, by) or listing is None:
        return NOT_YOURS
    lock(Business, business.id)
    truck: Truck = lock(Truck, truck_id)
    line = _trimmed(line)
    wrong = (_shared(business, truck) or saved_since(seen, truck_mark(truck), (truck,), zone)
             or _wrong(business, line, besides=truck_id) or _approved_otherwise(business, truck, line, at))  # fmt: skip
    if wrong is not None:
        return wrong
    if _another(truck, line):
        listing.since = at
    truck.plate, truck.capacity, truck.name, truck.sticker = line.plate, line.capacity, line.name, line.sticker
    return truck


@act("retire_truck", roles=(Role.HAULER,))
def retire_truck(business: Business, truck_id: int, *, by: Actor, at: datetime) -> Truck | Refusal:
    """Take a truck off the list; what it brought keeps naming it. A shared truck stays with the others."""
    listing = _listing(business, truck_id)
    if not stands_for(business, by) or listing is None:
        return NOT_YOURS
    truck: Truck = lock(Truck, truck_id)
    if others_use(business.id, truck_id):
        listing.ended_at = at
    else:
        truck.retired_at = at
    return truck


def others_use(business_id: int, truck_id: int) -> bool:
    """Whether another business lists this very truck."""
    others = select(TruckOfBusiness.id).where(TruckOfBusiness.truck_id == truck_id,
                                              TruckOfBusiness.business_id != business_id,
                                              TruckOfBusiness.ended_at.is_(None))  # fmt: skip
    return db.session.scalars(others).first() is not None


def truck_mark(truck: Truck) -> str:
    """What a form carries to know which state of a truck it was filled from."""
    return mark_of(truck.plate, truck.capacity, truck.name, truck.sticker)


def _listing(business: Business, truck_id: int) -> TruckOfBusiness | None:
    query = (select(TruckOfBusiness).join(Truck, Truck.id == TruckOfBusiness.truck_id)
             .where(TruckOfBusiness.truck_id == truck_id, TruckOfBusiness.business_id == business.id,
                    TruckOfBusiness.ended_at.is_(None), Truck.retired_at.is_(None)))  # fmt: skip
    return db.session.scalars(query).one_or_none()


def _trimmed(line: TruckLine) -> TruckLine:
    return TruckLine(line.plate.strip().upper(), line.capacity, line.name.strip(), line.sticker.strip())


def _agrees(truck: Truck, line: TruckLine) -> bool:
    return truck.capacity == line.capacity and line.sticker in ("", truck.sticker)


def _wrong(business: Business, line: TruckLine, besides: int | None = None) -> Refusal | None:
    if not line.plate:
        return Refusal("no_plate", "Enter the truck's plate.", "")
    if line.capacity <= 0:
        return Refusal("no_capacity", "Tank size must be 1 gallon or more.", "")
    known = [truck for truck in trucks_of(business.id) if truck.id != besides]
    if any(folded(truck.plate) == folded(line.plate) for truck in known):
        return Refusal("plate_listed", f"A truck with plate {line.plate} is on your list already.", "")
    return None


def _another(truck: Truck, line: TruckLine) -> bool:
    """Whether a truck changed so is another one to an approval: by its plate, or by a larger tank."""
    return folded(truck.plate) != folded(line.plate) or line.capacity > truck.capacity


def _approved_otherwise(business: Business, truck: Truck, line: TruckLine, at: datetime) -> Refusal | None:
    """Why the plate and tank of a truck that an approval covers stay as the committee approved them (§ 329-7 B(2))."""
    if not _another(truck, line):
        return None
    for one in approvals_to_come(business.id, at):
        law = law_in_force(db.session.get_one(Plant, one.plant_id), one.starts)
        if truck_covered(one, truck, law) is None:
            why = f"Approval {one.number} is for truck {truck.plate} with {volume(truck.capacity)}."
            cite = law.cite("approval.covers", one.starts) if law.has("approval.covers", one.starts) else ""
            return Refusal("approved", why, cite, next_step=NEXT_STEP)
    return None


def _shared(business: Business, truck: Truck) -> Refusal | None:
    if not others_use(business.id, truck.id):
        return None
    return Refusal("shared", f"Truck {truck.plate} is on another hauler's list too, so it is not changed for one.", "",
                   next_step="Remove it from your list and add it as it should be.")  # fmt: skip
