"""A plant's receiving tank as the manager has set it, and what was read of its level."""

from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.models import Point, Run, TankReading, TankTerms
from office.db import db
from ordinances.tank import Tank

TANK = "tank"


def terms_of_tank(point_id: int) -> list[TankTerms]:
    """Everything that was set for a tank, the newest first: that counts."""
    return list(db.session.scalars(_terms(), {"point_id": point_id}))


@cache
def _terms() -> Any:
    query = select(TankTerms).where(TankTerms.point_id == bindparam("point_id")).order_by(TankTerms.id.desc())
    return query.execution_options(populate_existing=True)


def as_tank(row: TankTerms) -> Tank:
    """The tank that some terms describe."""
    return Tank(row.gallons, row.unload_gph, row.bleed_gph)


def tank_set(point_id: int) -> Tank | None:
    """A tank as it is set now; None while nothing is. One query."""
    row = next(iter(terms_of_tank(point_id)), None)
    return as_tank(row) if row is not None else None


def readings(point_id: int, limit: int = 1) -> list[TankReading]:
    """What was read of a tank's level, the newest first."""
    return list(db.session.scalars(_readings(), {"point_id": point_id, "most": limit}))


@cache
def _readings() -> Any:
    query = select(TankReading).where(TankReading.point_id == bindparam("point_id"))
    query = query.order_by(TankReading.read_at.desc(), TankReading.id.desc()).limit(bindparam("most"))
    return query.execution_options(populate_existing=True)


def tank_point(plant_id: int) -> Point | None:
    """The plant's receiving tank, set or not: it has one at most."""
    return db.session.scalars(_point(), {"plant_id": plant_id}).first()


@cache
def _point() -> Any:
    return select(Point).where(Point.plant_id == bindparam("plant_id"), Point.kind == TANK).order_by(Point.id)


def runs_into_tank(plant_id: int, load_id: int) -> bool:
    """Whether a load goes, or went, into the plant's receiving tank."""
    point = tank_point(plant_id)
    query = select(Run.id).where(Run.load_id == load_id, Run.point_id == (point.id if point else 0)).limit(1)
    return point is not None and db.session.scalars(query).first() is not None


def sewer_points(column: Any) -> Any:
    """SQL: a point (its id in this column) from which what is unloaded goes straight into the sewer."""
    return column.not_in(select(Point.id).where(Point.kind == TANK))
