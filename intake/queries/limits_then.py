"""For ``verify``: the limit as it was when a truck began, before a flow or an order was put in force later that day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time

from sqlalchemy import select

from office.db import db
from office.plants import Plant, PlantRow
from ordinances.rate_cap import Cap, cap_on
from ordinances.reader import Law


@dataclass(frozen=True)
class Before:
    """The cap of a day as it was until an instant at which something of it was set."""

    until: datetime
    cap: Cap


def set_rows(plant: Plant) -> list[PlantRow]:
    """What the plant has ever set of its limit, in the order it was set. One query."""
    query = select(PlantRow).where(PlantRow.plant_id == plant.id, PlantRow.key.startswith("rate."))
    return list(db.session.scalars(query.order_by(PlantRow.set_at, PlantRow.id)))


def caps_before(law: Law, day: date, rows: Sequence[PlantRow]) -> list[Before]:
    """The caps of a day before each value that was set for it on that day or later."""
    midnight = datetime.combine(day, time(0), law.zone)
    late = [row for row in rows if row.since <= day and row.set_at >= midnight]
    return [Before(one.set_at, cap_on(_without(law, late[n:]), day)) for n, one in enumerate(late)]


def still(before: Iterable[Before], begun: datetime) -> list[Cap]:
    """The caps that held when something began."""
    return [one.cap for one in before if begun < one.until]


def _without(law: Law, rows: Iterable[PlantRow]) -> Law:
    gone = {(row.key, row.since, row.resolution, row.withdrawn) for row in rows}
    # A withdrawal stands as a row that ends before it begins.
    kept = tuple(one for one in law.plant_rows
                 if (one.key, one.since, one.resolution, one.until is not None) not in gone)  # fmt: skip
    return replace(law, plant_rows=kept)
