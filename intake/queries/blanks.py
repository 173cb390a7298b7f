"""Blank tickets printed ahead: which are outstanding, used or spoiled."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy import func, select

from intake.models import BlankTicket, Load
from intake.queries.flow_recorded import recorded_for
from intake.queries.places import places_on
from office import formats
from office.db import db
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours
from ordinances.rate_cap import cap_on
from ordinances.reader import Law

OUTSTANDING, USED, SPOILED = "outstanding", "used", "spoiled"


def state(row: BlankTicket) -> str:
    """Outstanding, used, or spoiled."""
    if row.load_id is not None:
        return USED
    return SPOILED if row.void_at is not None else OUTSTANDING


def blank(plant_id: int, number: str) -> BlankTicket | None:
    """A blank ticket by its number."""
    return db.session.scalars(select(BlankTicket).filter_by(plant_id=plant_id, number=number)).one_or_none()


def listed(plant_id: int, *, outstanding: bool, limit: int = 300) -> Sequence[tuple[BlankTicket, Load | None]]:
    """Blank tickets that are outstanding, oldest first, or those that are done with, newest first; with the load."""
    is_out = BlankTicket.load_id.is_(None) & BlankTicket.void_at.is_(None)
    query = (
        select(BlankTicket, Load)
        .outerjoin(Load, Load.id == BlankTicket.load_id)
        .where(BlankTicket.plant_id == plant_id, is_out if outstanding else ~is_out)
        .order_by(BlankTicket.id if outstanding else BlankTicket.id.desc())
        .limit(limit)
    )
    return [(row, load) for row, load in db.session.execute(query)]


def count_outstanding(plant_id: int) -> int:
    """How many blank tickets are neither used nor spoiled."""
    query = select(func.count(BlankTicket.id)).filter_by(plant_id=plant_id, load_id=None, void_at=None)
    return int(db.session.scalars(query).one())


def limit_words(plant: Plant, law: Law, day: date) -> str:
    """The hours and the limit of a day, for who has no screen to look at; "" where the law sets none."""
    hours = dump_hours(law, day)
    said = []
    if isinstance(hours, Hours):
        said.append(f"Unloading {formats.span(hours.start, hours.end)} ({hours.cite}).")
    if law.has("rate.plan_gph", day):
        cap = cap_on(law, day, readings=recorded_for(plant.id, law, day, day))
        said.append(f"No more than {formats.rate(cap.plan_gph)} for all trucks together ({cap.cite}).")
    return " ".join(said)


def manhole_cite(plant: Plant, law: Law, day: date) -> str:
    """The § under which a manhole is used, where the plant has one open that day; "" where it has none."""
    key = "manhole.purposes"
    if not any(one.is_manhole and one.is_open for one in places_on(plant.id, [day])[day]) or not law.has(key, day):
        return ""
    return law.cite(key, day)
