"""Measured rates above the hard limit: those still to be looked at, and whose they were (§ 329-7 F(3))."""

from collections.abc import Collection, Iterable
from datetime import date

from sqlalchemy import func, select

from intake.models import Excess, Load
from intake.states import LoadState
from office.db import db


def of_loads(load_ids: Iterable[int]) -> dict[int, list[Excess]]:
    """Rates above the limit by load, the first at the top, in one query."""
    found: dict[int, list[Excess]] = {}
    query = select(Excess).where(Excess.load_id.in_(list(load_ids))).order_by(Excess.measured_at, Excess.id)
    for row in db.session.scalars(query):
        found.setdefault(row.load_id, []).append(row)
    return found


def of_plant(plant_id: int, *, open_only: bool = False, limit: int = 200) -> list[tuple[Excess, Load]]:
    """Rates above the limit at a plant with their loads, the newest first; those of void tickets are left out."""
    query = (
        select(Excess, Load).join(Load, Load.id == Excess.load_id)
        .where(Excess.plant_id == plant_id, Load.state == LoadState.ACCEPTED.value)
    )  # fmt: skip
    if open_only:
        query = query.where(Excess.settled_at.is_(None))
    rows = db.session.execute(query.order_by(Excess.measured_at.desc(), Excess.id.desc()).limit(limit))
    return [(excess, load) for excess, load in rows]


def by_business(plant_id: int, business_ids: Collection[int], first: date, last: date) -> dict[int, int]:
    """How many rates above the limit each business had in some days. One query."""
    query = (
        select(Load.business_id, func.count(Excess.id)).join(Excess, Excess.load_id == Load.id)
        .where(Load.plant_id == plant_id, Load.business_id.in_(business_ids), Load.day.between(first, last),
               Load.state == LoadState.ACCEPTED.value)
        .group_by(Load.business_id)
    )  # fmt: skip
    return {business_id: int(count) for business_id, count in db.session.execute(query) if business_id is not None}
