"""Gapless numbers per plant, series and year: taken last in the transaction that uses them."""

from functools import cache
from typing import Any

from sqlalchemy import ForeignKey, Integer, String, UniqueConstraint, bindparam, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, mapped_column

from office.asked import cells, put
from office.db import Model, db, engine_name
from office.seals import seal_of, sealed, sealed_id, sealed_values


@sealed
class Counter(Model):
    """The last number given in a series: sealed, and checked by ``verify`` against the numbers in use."""

    __tablename__ = "counter"
    __journal__ = False
    __table_args__ = (UniqueConstraint("plant_id", "series", "period"),)
    id: Mapped[int] = sealed_id()
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    series: Mapped[str] = mapped_column(String(30))
    period: Mapped[str] = mapped_column(String(10))
    last: Mapped[int] = mapped_column(Integer)
    seal: Mapped[str] = mapped_column(String(64))


# Which column of which table holds the numbers of a series: rooms register theirs, ``verify`` compares.
SERIES: dict[str, tuple[str, str]] = {}
# What stands between season and number where two series share a column: ``2026-27/L-003``.
MARKS: dict[str, str] = {}


def series(name: str, table: str, column: str, mark: str = "") -> str:
    """Register where a series' numbers are kept, and return its name. ``mark`` tells it from one in the same column."""
    SERIES[name], MARKS[name] = (table, column), mark
    return name


def take(plant_id: int, name: str, period: str | int) -> int:
    """The next whole number of a series; a rolled-back transaction gives it back. Series must be registered."""
    if name not in SERIES:
        raise KeyError(f"the number series {name} is not registered")
    series: dict[str, Any] = {"plant_id": plant_id, "series": name, "period": str(period)}
    found = cells(_counter(), **series)
    if not found:
        # The first number may be asked for by two at once: whoever comes second waits for the first's row.
        put(_first(engine_name()), **sealed_values(Counter.__table__, **series, last=0))
        found = cells(_counter(), **series)
    ident, last = found[0]
    row = series | {"id": ident, "last": last + 1}
    put(_counted(), ident=ident, to=row["last"], sealed=seal_of(db.metadata.tables["counter"], row))
    return int(row["last"])


@cache
def _counter() -> Any:
    counter = db.metadata.tables["counter"].c
    query = select(counter.id, counter.last).where(
        counter.plant_id == bindparam("plant_id"), counter.series == bindparam("series"),
        counter.period == bindparam("period"))  # fmt: skip
    return query.with_for_update()


@cache
def _first(engine: str) -> Any:
    insert = postgresql.insert if engine == "postgresql" else sqlite.insert
    return insert(db.metadata.tables["counter"]).on_conflict_do_nothing()


@cache
def _counted() -> Any:
    counter = db.metadata.tables["counter"]
    return update(counter).where(counter.c.id == bindparam("ident")).values(
        last=bindparam("to"), seal=bindparam("sealed"))  # fmt: skip


def numbered(plant_id: int, name: str, year: int) -> str:
    """A number as printed, such as ``2026-00412``."""
    return f"{year}-{take(plant_id, name, year):05d}"


def numbered_in_season(plant_id: int, name: str, season: str) -> str:
    """A number within a season, such as ``2026-27/0014``."""
    return f"{season}/{take(plant_id, name, season):04d}"


def marked_in_season(plant_id: int, name: str, season: str) -> str:
    """A number within a season in a series with a mark, such as ``2026-27/L-003``."""
    period = f"{season}{MARKS[name]}"
    return f"{period}-{take(plant_id, name, period):03d}"
