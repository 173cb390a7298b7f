"""Answers of the gate that were set aside for one load: which still hold, and whose they were (§ 329-7 C(1))."""

from collections.abc import Collection, Iterable
from datetime import date

from sqlalchemy import func, or_, select

from intake.models import Load, SetAside
from intake.states import LoadState
from office.db import db


def holding(plant_id: int, day: date, business_id: int, truck_id: int | None) -> list[SetAside]:
    """What was set aside for a truck on a day and was not used yet, in order; a void load gives its own back."""
    void = select(Load.id).where(Load.plant_id == plant_id, Load.day == day, Load.state == LoadState.VOID.value)
    query = select(SetAside).where(
        SetAside.plant_id == plant_id, SetAside.day == day, SetAside.business_id == business_id,
        SetAside.truck_id == truck_id, or_(SetAside.load_id.is_(None), SetAside.load_id.in_(void)),
    )  # fmt: skip
    return list(db.session.scalars(query.order_by(SetAside.id)))


def of_loads(load_ids: Iterable[int]) -> dict[int, list[SetAside]]:
    """What loads came in under, by load, in one query."""
    found: dict[int, list[SetAside]] = {}
    query = select(SetAside).where(SetAside.load_id.in_(list(load_ids))).order_by(SetAside.id)
    for row in db.session.scalars(query):
        found.setdefault(row.load_id or 0, []).append(row)
    return found


def by_business(plant_id: int, business_ids: Collection[int], first: date, last: date) -> dict[int, int]:
    """How many answers were set aside for loads of each business in some days. One query."""
    query = (
        select(SetAside.business_id, func.count(SetAside.id)).join(Load, Load.id == SetAside.load_id)
        .where(SetAside.plant_id == plant_id, SetAside.business_id.in_(business_ids),
               SetAside.day.between(first, last), Load.state == LoadState.ACCEPTED.value)
        .group_by(SetAside.business_id)
    )  # fmt: skip
    return {business_id: int(count) for business_id, count in db.session.execute(query)}


def words(row: SetAside) -> str:
    """What the ticket says of it: the answer, who set it aside, and why."""
    return f"{row.said} Set aside for this load by {row.given_by}: {row.reason}"
