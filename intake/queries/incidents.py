"""Accidents that were reported: which are open, what was written of each, who may read it (§ 329-6 L)."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta

from sqlalchemy import select

from intake.models import Incident, IncidentWord
from office.access import Actor, Role
from office.db import db
from office.plants import Plant
from ordinances.reader import Law

REPORT, BY, WRITTEN = "violations.accident_report", "violations.accident_by", "violations.accident_written_days"
READERS = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.STATE)


def cite_of(law: Law, day: date) -> str:
    """The section an accident is reported under; "" where the town's law has none."""
    return law.cite(REPORT, day) if law.has(REPORT, day) else ""


def written_due(plant: Plant, law: Law, known_at: datetime) -> datetime | None:
    """The last second in which a written report is in time; None where the law asks for none."""
    day = known_at.astimezone(plant.tz).date()
    if not law.has(WRITTEN, day):
        return None
    last = day + timedelta(days=int(law.value(WRITTEN, day)))
    return datetime.combine(last, time(23, 59, 59), plant.tz)


def of_plant(plant_id: int, *, open_only: bool = False, limit: int = 200) -> list[Incident]:
    """Accidents reported at a plant, the newest first."""
    query = select(Incident).where(Incident.plant_id == plant_id)
    if open_only:
        query = query.where(Incident.closed_at.is_(None))
    return list(db.session.scalars(query.order_by(Incident.id.desc()).limit(limit)))


def of_business(plant_id: int, business_id: int, limit: int = 100) -> list[Incident]:
    """What a hauler reported, or was reported of its loads, the newest first."""
    query = select(Incident).filter_by(plant_id=plant_id, business_id=business_id)
    return list(db.session.scalars(query.order_by(Incident.id.desc()).limit(limit)))


def numbered(plant_id: int, number: str) -> Incident | None:
    """One accident by its number."""
    return db.session.scalars(select(Incident).filter_by(plant_id=plant_id, number=number)).one_or_none()


def may_read(row: Incident, by: Actor, business_id: int | None) -> bool:
    """The city's people read every report; who reported reads their own, and so does their company."""
    mine = by.person_id is not None and row.person_id == by.person_id
    return mine or by.capacity(READERS) is not None or (business_id is not None and row.business_id == business_id)


def words_of(incident_ids: Iterable[int]) -> dict[int, list[IncidentWord]]:
    """What was written later, by accident, the first at the top, in one query."""
    found: dict[int, list[IncidentWord]] = {}
    query = select(IncidentWord).where(IncidentWord.incident_id.in_(list(incident_ids)))
    for row in db.session.scalars(query.order_by(IncidentWord.id)):
        found.setdefault(row.incident_id, []).append(row)
    return found


def written_in(row: Incident) -> bool:
    """Whether the written report is in."""
    return any(one.written for one in words_of([row.id]).get(row.id, ()))
