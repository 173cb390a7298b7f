"""Which flow is in force, since when and by whose order; what a change of it did; how a reading came to be."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers import queries as haulers
from intake.models import FlowReading
from intake.queries.bookings import sessions_of
from intake.queries.flow import FLOW_KEY
from intake.queries.limits import Change, history
from intake.states import FlowState
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant, PlantRow
from ordinances.reader import Law, plant_row

STATE_WORDS = {
    FlowState.ACCEPTED: "counts", FlowState.HELD: "waits for a person", FlowState.DISMISSED: "does not count",
}  # fmt: skip


@dataclass(frozen=True)
class InForce:
    """The flow in force on a day, gallons a day. ``by`` and ``order`` are None where the law itself states it.

    ``mean_of``: the limit is reckoned from the mean of so many recorded days, and this flow is the most it can be.
    """

    gpd: int
    since: date
    by: str | None
    order: str | None
    cite: str
    mean_of: int | None = None


@dataclass(frozen=True)
class Line:
    """One line of a reading's history."""

    at: datetime
    who: str
    what: str
    why: str | None


def in_force(plant: Plant, law: Law, day: date) -> InForce:
    """The flow in force on a day, with who signed it. Raises NoLaw where the law knows no flow."""
    stated = law.row("rate.flow_gpd", day)
    rolling = law.has("rate.basis", day) and law.value("rate.basis", day) == "rolling_mean"
    mean_of = law.value("rate.basis_days", day) if rolling else None
    if not law.has(FLOW_KEY, day):
        return InForce(stated.value, stated.since, None, None, stated.cite, mean_of)
    row = law.row(FLOW_KEY, day)
    signed = next(one for one in flow_rows(plant.id) if one.since == row.since)
    return InForce(row.value, row.since, signed.set_by, signed.resolution, stated.cite, mean_of)


def flow_rows(plant_id: int) -> Sequence[PlantRow]:
    """The flows the Director has put in force, newest first; of two from one day the one entered later first."""
    query = select(PlantRow).filter_by(plant_id=plant_id, key=FLOW_KEY)
    return db.session.scalars(query.order_by(PlantRow.since.desc(), PlantRow.id.desc())).all()


def with_flow(law: Law, gpd: int, since: date) -> Law:
    """The law as it would be with another flow in force from a day on: a flow put in force from a later day stays."""
    # Among the plant's own rows the last entered counts; which resolution sets it does not matter here.
    return replace(law, plant_rows=(*law.plant_rows, plant_row(FLOW_KEY, gpd, since, "-")))


def changes(plant_id: int, only: int | None = None) -> list[Change]:
    """Every change of the flow in force, newest first, with the bookings that lost their time. ``only``: of this id."""
    return [one for one in history(plant_id, only) if one.row.key == FLOW_KEY]


def ended_lines(change: Change) -> list[dict[str, Any]]:
    """The bookings that lost their time by a change, with hauler and first time."""
    ids = [one.id for one in change.lost]
    names = haulers.business_names({one.business_id for one in change.lost})
    sessions = sessions_of(ids)
    return [
        {"number": one.number, "hauler": names[one.business_id], "starts": sessions[one.id][0].starts,
         "gallons": one.gallons} for one in change.lost
    ]  # fmt: skip


def history_of(reading: FlowReading) -> list[Line]:
    """What was recorded for a day, by whom and why, the first line first."""
    query = select(JournalEntry).filter_by(table_name=FlowReading.__tablename__, record_id=reading.id)
    found = db.session.scalars(query.order_by(JournalEntry.id))
    return [Line(one.at, one.person, _what(one.old, one.new), one.reason) for one in found]


def _what(old: dict[str, Any], new: dict[str, Any]) -> str:
    parts = []
    if "gallons" in new:
        before = f"{_figure(old['gallons'])} → " if "gallons" in old else ""
        parts.append(f"{before}{_figure(new['gallons'])}")
    if "state" in new:
        parts.append(STATE_WORDS[FlowState(new["state"])])
    return ", ".join(parts) or "Recorded again"


def _figure(gallons: int | None) -> str:
    return "no figure" if gallons is None else f"{gallons:,} gallons"
