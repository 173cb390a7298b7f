"""Loads searched for, and every one found as a row of a file: for the plant, and for a hauler its own."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import exists, select

from intake.models import Load, Run, WrittenRecord
from intake.queries import load_charges, loads
from intake.queries.counting import Figure
from intake.queries.point_words import names_of
from intake.queries.results import as_typed, lacking
from intake.states import BASIS_WORDS, REFUSAL_WORDS, Basis, LoadState, RefusalReason, RunKind
from office import formats
from office.db import db
from office.law import law_in_force
from office.plants import Plant
from office.tables import Cell
from ordinances.screening import WASTE_TYPES
from ordinances.strength import ABOVE, BELOW, PARAMETERS, pounds_of

# Loads read at a time: what belongs to them is asked of so many at once.
AT_ONCE = 500
STATES = {
    "accepted": "Unloaded", "refused": "Refused", "void": "Void", "late": "Written record overdue",
    "lab": "Waiting for results",
}  # fmt: skip


@dataclass(frozen=True)
class Sought:
    """Which loads: days from ``first`` to ``last``, ``words`` of their ticket, slip, hauler, plate or bottle, ``state``
    one of ``STATES``. ``business_id``: only one hauler's.
    """

    words: str = ""
    first: date | None = None
    last: date | None = None
    state: str = ""
    business_id: int | None = None


def query_of(plant_id: int, sought: Sought, at: datetime) -> Any:
    """The loads sought, newest first."""
    query = select(Load).where(Load.plant_id == plant_id).order_by(Load.id.desc())
    if sought.business_id is not None:
        query = query.where(Load.business_id == sought.business_id)
    if sought.first is not None:
        query = query.where(Load.day >= sought.first)
    if sought.last is not None:
        query = query.where(Load.day <= sought.last)
    if sought.words:
        query = query.where(loads.holding(plant_id, sought.words))
    return query.where(*_in_state(plant_id, sought.state, at))


def _in_state(plant_id: int, state: str, at: datetime) -> list[Any]:
    accepted = Load.state == LoadState.ACCEPTED.value
    if state == "late":
        filed = exists().where(WrittenRecord.load_id == Load.id)
        return [accepted, ~filed, Load.record_due < at.replace(microsecond=0)]
    if state == "lab":
        return [accepted, Load.tested.is_(True), lacking(plant_id)]
    return [Load.state == state] if state in ("accepted", "refused", "void") else []


def found(plant_id: int, sought: Sought, at: datetime, limit: int = 100) -> list[loads.Line]:
    """The newest loads sought."""
    return loads.lines(query_of(plant_id, sought, at).limit(limit))


HEADS = (
    "Ticket", "Slip", "Day", "Hauler", "Truck plate", "Driver", "Waste", "Gallons", "Flush water", "Gallons found by",
    "Unloaded from", "Unloaded to", "Receiving point", "State", "Why", "pH at the gate", "Sample bottle", "Tested",
)  # fmt: skip
AFTER = ("Record due", "Record in", "Record by", "Came from", "Record corrected", "Logged", "Logged by", "Note", "Law")


FIRST, CHARGED = "First results, where a new test counts", "Charged in all"
ESTIMATES = "Estimates (between the limits of detection and of quantitation)"


@dataclass
class Table:
    """A file of loads: its columns, the rows under them, and which columns are dollars to the cent."""

    heads: tuple[str, ...]
    rows: Iterable[tuple[Cell, ...]]
    money: list[str] = field(default_factory=list)


def table(plant: Plant, sought: Sought, at: datetime) -> Table:
    """Every load sought, newest first, with each charge that stands and their sum; times are the plant's own.

    Ten queries for 500 loads.
    """
    ids = list(db.session.scalars(query_of(plant.id, sought, at).with_only_columns(Load.id)))
    charged = load_charges.of_loads(ids)
    tests = tuple(one for name, test in PARAMETERS.items() for one in _of_test(name, test.unit))
    money = [*_apart(charged.names, (*HEADS, *tests, *AFTER)), CHARGED]
    return Table((*HEADS, *tests, ESTIMATES, FIRST, *money, *AFTER), _rows(plant, ids, charged), money)


def _apart(names: Mapping[str, str], others: Collection[str]) -> list[str]:
    """A heading for each kind of charge, none of them twice."""
    found: list[str] = []
    for code, name in names.items():
        found.append(f"{name} ({code})" if name in found or name in others else name)
    return found


def _of_test(name: str, unit: str) -> tuple[str, ...]:
    return (f"{name} ({unit})", f"{name} pounds") if unit == PARAMETERS["BOD5"].unit else (f"{name} ({unit})",)


def _rows(plant: Plant, ids: Sequence[int], charged: load_charges.Charged) -> Iterator[tuple[Cell, ...]]:
    points = names_of(plant.id)
    for place in range(0, len(ids), AT_ONCE):
        some = ids[place : place + AT_ONCE]
        lines = loads.lines(select(Load).where(Load.id.in_(some)).order_by(Load.id.desc()))
        runs = _runs(some)
        for line in lines:
            mine = charged.cents.get(line.load.id, {})
            money = (_dollars(mine.get(one)) for one in charged.names)
            yield _row(plant, line, runs.get(line.load.id, ()), points, (*money, _dollars(sum(mine.values()))))


def _dollars(cents: int | None) -> Decimal | None:
    return Decimal(cents).scaleb(-2) if cents is not None else None


def _runs(load_ids: Sequence[int]) -> dict[int, list[Run]]:
    query = select(Run).where(Run.load_id.in_(load_ids), Run.kind == RunKind.RAN.value, Run.gallons > 0)
    found_: dict[int, list[Run]] = {}
    for run in db.session.scalars(query.order_by(Run.starts, Run.id)):
        found_.setdefault(run.load_id, []).append(run)
    return found_


def _row(plant: Plant, line: loads.Line, runs: Sequence[Run], points: Mapping[int, str], money: tuple[Cell, ...]
         ) -> tuple[Cell, ...]:  # fmt: skip
    load, record = line.load, line.record
    refused = REFUSAL_WORDS[RefusalReason(load.reason_code)] if load.reason_code else ""
    here = dict.fromkeys(points.get(run.point_id, "") for run in runs)
    return (
        load.ticket, load.slip, load.day, load.business_name, load.plate, load.driver, WASTE_TYPES[load.waste],
        load.gallons, load.flush_gallons, BASIS_WORDS[Basis(load.basis)],
        _wall(plant, runs[0].starts if runs else None), _wall(plant, runs[-1].ends if runs else None), ", ".join(here),
        STATES[load.state], ". ".join(filter(None, (refused, load.reason))), load.ph, load.bottle,
        "Yes" if load.tested else "No", *_results(plant, load, line.figures), _estimates(line), _first(line.figures),
        *money, _wall(plant, load.record_due),
        _wall(plant, record.filed_at if record else None), record.filed_by if record else "",
        record.sources if record else "", _corrected(plant, record), _wall(plant, load.logged_at), load.logged_by,
        load.note, load.law_version,
    )  # fmt: skip


def _corrected(plant: Plant, record: WrittenRecord | None) -> str:
    """What each correction of a written record says, who filed it, when and why; the record itself stands beside it."""
    return "\n\n".join(
        f"{formats.day_time(one.at, plant.tz)}, {one.by}{' for the hauler' if one.on_behalf else ''}: {one.why}\n"
        f"{one.sources}" for one in (record.versions[1:] if record is not None else ())
    )  # fmt: skip


def _estimates(line: loads.Line) -> str:
    """The tests whose result counts and lies between the limits its laboratory states."""
    return ", ".join(name for name, one in line.figures.items() if one.estimate)


def _first(figures: Mapping[str, Figure]) -> str:
    """What a laboratory found first of the tests of which a new one counts."""
    found = {name: one.first for name, one in figures.items()}
    return "; ".join(f"{name} {as_typed(first)}" for name, first in found.items() if first is not None)


def _results(plant: Plant, load: Load, figures: Mapping[str, Figure]) -> Iterable[Cell]:
    """Each test by the figure that counts, "<2" as it is and never 0, with its pounds."""
    law = law_in_force(plant, load.day) if figures else None
    for name, test in PARAMETERS.items():
        one = figures.get(name)
        yield None if one is None else as_typed(one).replace(",", "") if one.qualifier else one.value
        if test.unit != PARAMETERS["BOD5"].unit:
            continue
        pounds = pounds_of(law, load.day, name, one.qualifier, one.value, load.gallons) if one and law else None
        if pounds is None:
            yield None
        else:
            yield f"{pounds.qualifier}{pounds.amount}" if pounds.qualifier in (BELOW, ABOVE) else pounds.amount


def _wall(plant: Plant, at: datetime | None) -> datetime | None:
    """An instant as the plant's clock showed it, to the second; spreadsheets know no zones."""
    return at.astimezone(plant.tz).replace(tzinfo=None, microsecond=0) if at is not None else None
