"""The recorded days of the plant's meter that count, as the rules on the limit take them."""

from datetime import date
from typing import Any

from sqlalchemy import select

from intake.models import FlowReading
from intake.states import FlowState
from office.db import db
from ordinances.reader import Law


def recorded_before(plant_id: int, day: date, count: int) -> list[tuple[date, int]]:
    """The last so many (day, gallons) before a day that count, the latest last.

    A held reading, a slip and a day without a figure are not among them: none of these ever moves a limit.
    """
    query = _counting(plant_id).where(FlowReading.day < day).order_by(FlowReading.day.desc()).limit(count)
    return [(on, gallons) for on, gallons in reversed(db.session.execute(query).all())]


def recorded_for(plant_id: int, law: Law, first: date, last: date) -> list[tuple[date, int]]:
    """Every (day, gallons) that the limit on some day from first through last can look at, in the order of days.

    These are the days themselves and, before them, as many as the law takes its mean of; one at least, because a
    flow of the day before can stop a day.
    """
    before: int = law.value("rate.basis_days", last) if law.has("rate.basis_days", last) else 1
    query = _counting(plant_id).where(FlowReading.day >= first, FlowReading.day <= last).order_by(FlowReading.day)
    return [*recorded_before(plant_id, first, before), *((on, gallons) for on, gallons in db.session.execute(query))]


def _counting(plant_id: int) -> Any:
    return select(FlowReading.day, FlowReading.gallons).where(
        FlowReading.plant_id == plant_id, FlowReading.state == FlowState.ACCEPTED.value,
        FlowReading.gallons.is_not(None),
    )  # fmt: skip
