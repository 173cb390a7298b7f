"""Where refused loads went: which statements are missing, where the law of the plant asks for one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import or_, select

from intake.models import Elsewhere, Load, RestRefused
from intake.states import LoadState
from office import formats
from office.db import db
from ordinances.reader import Law

DAYS = "rejected.statement_days"


@dataclass(frozen=True)
class Missing:
    """A refused load, or the rest of one, of which nobody has written where it went. ``due`` is the last day."""

    load: Load
    due: date


def asked(law: Law, day: date) -> bool:
    """Whether a load refused on a day needs such a statement."""
    return law.has(DAYS, day)


def due(law: Law, day: date) -> date:
    """The last day on which the statement of a load refused on a day is in time."""
    return day + timedelta(days=int(law.value(DAYS, day)))


def missing(plant_id: int, law: Law, *, business_ids: Collection[int] = (), truck_id: int | None = None
            ) -> list[Missing]:  # fmt: skip
    """The statements not in yet, of some businesses or of one truck, the oldest first.

    One query, and none where the law never asked for any.
    """
    if all(row.key != DAYS for row in law.profile.rows):
        return []
    query = _turned_away(plant_id)
    if business_ids:
        query = query.where(Load.business_id.in_(business_ids))
    if truck_id is not None:
        query = query.where(Load.truck_id == truck_id)
    found: Sequence[Load] = db.session.scalars(query.order_by(Load.day, Load.id)).all()
    return [Missing(one, due(law, one.day)) for one in found if asked(law, one.day)]


def wanted(load: Load, law: Law) -> Missing | None:
    """The statement one load still needs, or None."""
    found = db.session.scalars(_turned_away(load.plant_id).where(Load.id == load.id)).first()
    return Missing(load, due(law, load.day)) if found is not None and asked(law, load.day) else None


def words(load: Load, law: Law) -> str:
    """What the ticket and its message ask of the hauler of a refused load; "" where nothing is asked."""
    missing = wanted(load, law)
    if missing is None:
        return ""
    when, cite = formats.date_only(missing.due), law.cite(DAYS, load.day)
    return f"State where it went by {when}: until then this truck is not let in ({cite})."


def _turned_away(plant_id: int) -> Any:
    in_part = select(RestRefused.load_id).where(RestRefused.plant_id == plant_id)
    filed = select(Elsewhere.load_id).where(Elsewhere.plant_id == plant_id)
    return select(Load).where(
        Load.plant_id == plant_id, Load.id.not_in(filed),
        or_(Load.state == LoadState.REFUSED.value, (Load.state == LoadState.ACCEPTED.value) & Load.id.in_(in_part)),
    )  # fmt: skip


def of_load(load_id: int) -> Elsewhere | None:
    """The statement where a load went, once it is in."""
    return db.session.scalars(select(Elsewhere).filter_by(load_id=load_id)).one_or_none()


def rest_of(load_id: int) -> RestRefused | None:
    """What of a load was turned away, where it was taken in part."""
    return db.session.scalars(select(RestRefused).filter_by(load_id=load_id)).one_or_none()
