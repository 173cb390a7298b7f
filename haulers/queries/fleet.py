"""Trucks of many businesses at once, for the receiving station's lists."""

from collections.abc import Collection

from sqlalchemy import select

from haulers.models import Truck, TruckOfBusiness
from office.db import db


def trucks(ids: Collection[int]) -> dict[int, Truck]:
    """Trucks by id, retired ones included, in one query."""
    return {truck.id: truck for truck in db.session.scalars(select(Truck).where(Truck.id.in_(set(ids))))}


def trucks_by_business(business_ids: Collection[int]) -> dict[int, list[Truck]]:
    """The trucks each business uses now, in one query; a shared truck is under each of them."""
    rows = db.session.execute(
        select(TruckOfBusiness.business_id, Truck).join(Truck, Truck.id == TruckOfBusiness.truck_id)
        .where(TruckOfBusiness.business_id.in_(set(business_ids)), TruckOfBusiness.ended_at.is_(None),
               Truck.retired_at.is_(None)).order_by(Truck.id)
    )  # fmt: skip
    found: dict[int, list[Truck]] = {}
    for business_id, truck in rows:
        found.setdefault(business_id, []).append(truck)
    return found
