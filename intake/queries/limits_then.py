"""The limit and the calendar as they were when a truck began, before anything of that day was set later."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import select

from office.db import db
from office.plants import ClosureDay, Plant, PlantRow
from ordinances.rate_cap import Cap, cap_on
from ordinances.reader import Closure, Law
from ordinances.rows import Row


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
    """The caps that held when something began; one set in that very instant may have come after it."""
    return [one.cap for one in before if begun <= one.until]


def known_at(plant: Plant, law: Law, at: datetime) -> Law:
    """The law of an instant's day as people knew it then: without a limit or a closure of that day set afterwards.

    What a load costs is no matter of it: amounts hold from their day on, whenever they were written down.
    """
    day = at.astimezone(plant.tz).date()
    late = [row for row in set_rows(plant) if row.since <= day and row.set_at > at]
    law = _without(law, late) if late else law
    query = select(ClosureDay).filter_by(plant_id=plant.id, day=day)
    row = db.session.scalars(query).one_or_none()
    if row is None or row.set_at is None or row.set_at <= at:
        return law
    rest = {on: one for on, one in law.closures.items() if on != day}
    holiday = {day: Closure(day, row.over_holiday, "holiday")} if row.over_holiday else {}
    return replace(law, closures=rest | holiday)


def _without(law: Law, rows: Iterable[PlantRow]) -> Law:
    """The law without the last entered of its rows: one put right under the same number leaves the one before it."""
    gone = Counter[tuple[Any, ...]]((row.key, row.since, row.resolution, row.withdrawn) for row in rows)
    kept: list[Row] = []
    for one in reversed(law.plant_rows):
        # A withdrawal stands as a row that ends before it begins.
        named = (one.key, one.since, one.resolution, one.until is not None)
        if gone[named]:
            gone[named] -= 1
        else:
            kept.append(one)
    return replace(law, plant_rows=tuple(reversed(kept)))
