"""The rows of days, locked in date order by whoever plans or runs discharges on them."""

from collections.abc import Iterable
from datetime import date

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from intake.models import DayRow
from office.db import db, engine_name
from office.seals import sealed_values

# The day whose row is locked, before all others, by whoever plans or runs anything at a plant with a receiving tank.
TANK_ROW = date.min


def lock_days(plant_id: int, days: Iterable[date]) -> None:
    """Lock the rows of some days in date order until the transaction ends, making those that are missing."""
    wanted = sorted(set(days))
    insert = postgresql.insert if engine_name() == "postgresql" else sqlite.insert
    for day in wanted:
        # Two bookings of the first load of a day meet here: the second waits and finds the row of the first.
        row = insert(DayRow).values(**sealed_values(DayRow.__table__, plant_id=plant_id, day=day))
        db.session.execute(row.on_conflict_do_nothing(index_elements=["plant_id", "day"]))
    # What is planned for a receiving tank on one day leaves less room on all: where there is one, so is its row.
    query = select(DayRow.id).where(DayRow.plant_id == plant_id, DayRow.day.in_([TANK_ROW, *wanted]))
    query = query.order_by(DayRow.day)
    db.session.execute(query.with_for_update()).all()
