"""A hauler's trucks. One truck may serve several businesses: it is then one record on each of their lists."""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from haulers.actions.own import NOT_YOURS, stands_for
from haulers.models import Business, Truck, TruckOfBusiness
from haulers.queries import TruckLine, folded, trucks_of
from haulers.queries.businesses import plate_elsewhere
from haulers.queries.saves import mark_of, saved_since
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from ordinances.refusal import Refusal


@act("add_truck", roles=(Role.HAULER,))
def add_truck(business: Business, line: TruckLine, *, by: Actor, at: datetime) -> Truck | Refusal:
    """Add a truck to a business's list.

    A plate that another hauler lists with this tank size and state vehicle number is the same truck, shared from now
    on. Where those differ it is a record of its own: what one hauler claims keeps no other from its truck.
    """
    if not stands_for(business, by):
        return NOT_YOURS
    lock(Business, business.id)
    return put_truck(business, line)


def put_truck(business: Business, line: TruckLine) -> Truck | Refusal:
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
    db.session.add(TruckOfBusiness(truck_id=truck.id, business_id=business.id))
    db.session.flush()
    return truck


@act("change_truck", roles=(Role.HAULER,))
def change_truck(business: Business, truck_id: int, line: TruckLine, *, seen: str = "", zone: ZoneInfo | None = None,
                 by: Actor, at: datetime) -> Truck | Refusal:  # fmt: skip
    """Mend what is said of a truck; tickets already written keep their plate. A shared truck is not changed.

    ``seen`` is the ``truck_mark`` the form was filled from. Refusals: not_yours, shared, saved_since, no_plate,
    no_capacity, plate_listed.
    """
    if not stands_for(business, by) or _listing(business, truck_id) is None:
        return NOT_YOURS
    lock(Business, business.id)
    truck: Truck = lock(Truck, truck_id)
    line = _trimmed(line)
    wrong = (_shared(business, truck) or saved_since(seen, truck_mark(truck), (truck,), zone)
             or _wrong(business, line, besides=truck_id))  # fmt: skip
    if wrong is not None:
        return wrong
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
        db.session.delete(listing)
    else:
        truck.retired_at = at
    return truck


def others_use(business_id: int, truck_id: int) -> bool:
    """Whether another business lists this very truck."""
    others = select(TruckOfBusiness.id).where(TruckOfBusiness.truck_id == truck_id,
                                              TruckOfBusiness.business_id != business_id)  # fmt: skip
    return db.session.scalars(others).first() is not None


def truck_mark(truck: Truck) -> str:
    """What a form carries to know which state of a truck it was filled from."""
    return mark_of(truck.plate, truck.capacity, truck.name, truck.sticker)


def _listing(business: Business, truck_id: int) -> TruckOfBusiness | None:
    query = (select(TruckOfBusiness).join(Truck, Truck.id == TruckOfBusiness.truck_id)
             .where(TruckOfBusiness.truck_id == truck_id, TruckOfBusiness.business_id == business.id,
                    Truck.retired_at.is_(None)))  # fmt: skip
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


def _shared(business: Business, truck: Truck) -> Refusal | None:
    if not others_use(business.id, truck.id):
        return None
    return Refusal("shared", f"Truck {truck.plate} is on another hauler's list too, so it is not changed for one.", "",
                   next_step="Remove it from your list and add it as it should be.")  # fmt: skip
