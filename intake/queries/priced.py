"""What the charges of a load may hang on beside its gallons: other kinds in it, where it runs, what the plant paid."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select

from haulers import queries as haulers
from intake.models import LoadCost
from intake.queries.bookings import first_point, points
from office.db import db
from office.plants import Plant
from ordinances.hauled import Part
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_words import point_word, points_without


def stored(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Other kinds of a load as its row keeps them."""
    return [{"waste": part.waste, "origin": part.origin or "", "gallons": part.gallons} for part in parts]


def kinds_covered(plant_id: int, approval_id: int | None, others: Iterable[Part], law: Law) -> Refusal | None:
    """Why another kind in a mixed load may not come under its approval; None where it may, or nobody's is asked."""
    approval = haulers.approval(plant_id, approval_id) if approval_id is not None else None
    if approval is None:
        return None
    return next(filter(None, (haulers.waste_covered(approval, part.waste, law) for part in others)), None)


def scheduled_point(plant_id: int, point_id: int | None) -> str | None:
    """A receiving point, the plant's first where none is named, by the name a schedule has for it."""
    point = first_point(plant_id)
    if point_id is not None and (point is None or point.id != point_id):
        # Asked for by plant: an address may name a number that no point has.
        point = next((one for one in points(plant_id) if one.id == point_id), None)
    return point_word(point.name) if point is not None else None


def points_charged_nowhere(plant: Plant, law: Law, day: date) -> tuple[str, ...]:
    """The points a law charges by that no receiving point of a plant is called: nothing is ever charged by them."""
    return points_without(law, day, [one.name for one in points(plant.id)])


def costs_of(load_id: int) -> dict[str, Decimal]:
    """What the plant paid for a load, in dollars by the names of the schedule; without what was taken back."""
    query = (
        select(LoadCost.name, func.sum(LoadCost.cents))
        .where(LoadCost.load_id == load_id, LoadCost.ended_at.is_(None))
        .group_by(LoadCost.name)
    )
    return {name: Decimal(cents) / 100 for name, cents in db.session.execute(query)}


def cost_rows(load_id: int) -> list[LoadCost]:
    """Every cost entered for a load, the oldest first, what was taken back too."""
    return list(db.session.scalars(select(LoadCost).filter_by(load_id=load_id).order_by(LoadCost.id)))
