"""The rows of days, locked in date order by whoever plans or runs discharges on them."""

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from intake.models import DayRow
from office.asked import cells, put
from office.db import db, engine_name
from office.seals import sealed_values

# The day whose row is locked, before all others, by whoever plans or runs anything at a plant with a receiving tank.
TANK_ROW = date.min


def lock_days(plant_id: int, days: Iterable[date]) -> None:
    """Lock the rows of some days in date order until the transaction ends, making those that are missing."""
    wanted = sorted(set(days))
    for day in wanted:
        # Two bookings of the first load of a day meet here: the second waits and finds the row of the first.
        put(_make(engine_name()), **sealed_values(DayRow.__table__, plant_id=plant_id, day=day))
    # What is planned for a receiving tank on one day leaves less room on all: where there is one, so is its row.
    cells(_lock(), plant_id=plant_id, days=(TANK_ROW, *wanted))


@cache
def _make(engine: str) -> Any:
    insert = postgresql.insert if engine == "postgresql" else sqlite.insert
    return insert(db.metadata.tables["day_row"]).on_conflict_do_nothing(index_elements=["plant_id", "day"])


@cache
def _lock() -> Any:
    row = db.metadata.tables["day_row"].c
    query = select(row.id).where(row.plant_id == bindparam("plant_id"), row.day.in_(bindparam("days", expanding=True)))
    return query.order_by(row.day).with_for_update()
