"""Rises of fees that haulers were told of, and whether one may start on its day (§ 281.49(12))."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from billing import ports
from billing.models import FeeNotice, FeeNoticeTo
from office.db import db
from office.law import law_in_force
from office.letters import Letter
from office.people import Party
from office.plants import Plant, PlantRow
from ordinances.fee_rise import cannot_start, rise_of
from ordinances.refusal import Refusal
from ordinances.rows import NoLaw


@dataclass(frozen=True)
class Told:
    """A rise as it was told: to whom, by which letters, and the row that set it, None until one does."""

    row: FeeNotice
    to: tuple[tuple[FeeNoticeTo, Party, Letter], ...]
    set_by: PlantRow | None

    @property
    def last_day(self) -> date:
        """The day of the last notice that went out."""
        return max(one.told_on for one, _, _ in self.to)


def told(plant_id: int, notice_id: int | None = None) -> list[Told]:
    """The rises of a plant that were told, or one of them, the newest first, in three queries."""
    query = select(FeeNotice).where(FeeNotice.plant_id == plant_id).order_by(FeeNotice.id.desc())
    rows = list(db.session.scalars(query if notice_id is None else query.where(FeeNotice.id == notice_id)))
    if not rows:
        return []
    people = (
        select(FeeNoticeTo, Party, Letter)
        .join(Party, Party.id == FeeNoticeTo.party_id)
        .join(Letter, Letter.id == FeeNoticeTo.letter_id)
        .where(FeeNoticeTo.notice_id.in_([row.id for row in rows]))
        .order_by(Party.name, FeeNoticeTo.id)
    )
    to: dict[int, list[Any]] = defaultdict(list)
    for one, party, letter in db.session.execute(people):
        to[one.notice_id].append((one, party, letter))
    keys = {row.key for row in rows}
    sets = select(PlantRow).where(PlantRow.plant_id == plant_id, PlantRow.key.in_(keys)).order_by(PlantRow.id)
    set_rows = list(db.session.scalars(sets))
    return [Told(row, tuple(to[row.id]), _set_by(row, set_rows)) for row in rows]


def _set_by(row: FeeNotice, rows: list[PlantRow]) -> PlantRow | None:
    same = (one for one in rows if (one.key, one.since) == (row.key, row.since))
    return next((one for one in same if not one.withdrawn and Decimal(one.value) == row.becomes), None)


def told_days(plant_id: int, key: str, value: Decimal, since: date) -> dict[int, date]:
    """The first day each party was told that an amount rises to this much, or more, by a day."""
    query = (
        select(FeeNoticeTo.party_id, FeeNoticeTo.told_on, FeeNotice.becomes)
        .join(FeeNotice, FeeNotice.id == FeeNoticeTo.notice_id)
        .where(FeeNotice.plant_id == plant_id, FeeNotice.key == key, FeeNotice.since <= since)
        .order_by(FeeNoticeTo.told_on.desc())
    )
    return {party_id: day for party_id, day, becomes in db.session.execute(query) if becomes >= value}


def untold(plant: Plant, key: str, value: Decimal, since: date, at: datetime) -> list[Party]:
    """Who is approved and was not told of a rise yet, by name."""
    known = told_days(plant.id, key, value, since)
    return [party for party in ports.approved(plant, at) if party.id not in known]


def may_start(plant: Plant, key: str, value: Any, since: date, at: datetime) -> Refusal | None:
    """Why an amount may not rise from a day on: asked by the act that sets it. None for what is no rise."""
    try:
        law = law_in_force(plant, since)
        rise = rise_of(law, key, Decimal(value), since) if key.startswith("fees.") else None
    except NoLaw:
        return None
    if rise is None:
        return None
    approved, known = ports.approved(plant, at), told_days(plant.id, key, rise.becomes, since)
    days = [known[party.id] for party in approved if party.id in known]
    missing = [party.name for party in approved if party.id not in known]
    return cannot_start(law, rise.since, missing, max(days, default=None), at.astimezone(plant.tz).date())
