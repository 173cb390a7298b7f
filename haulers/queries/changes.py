"""Changes to applications already sent: asked for, open, answered, refused."""

from collections.abc import Collection

from sqlalchemy import select

from haulers.models import Application, ApplicationChange
from haulers.queries.answers import differences
from haulers.states import ApplicationState
from office.db import db

CHANGEABLE = (ApplicationState.FILED.value, ApplicationState.ASKED_LATE.value)


def change(plant_id: int, change_id: int) -> ApplicationChange | None:
    """One change of a plant; None for another plant's."""
    query = select(ApplicationChange).filter_by(id=change_id, plant_id=plant_id)
    return db.session.scalars(query).one_or_none()


def changes_of(application_ids: Collection[int]) -> dict[int, list[ApplicationChange]]:
    """Every change of each application, oldest first, in one query."""
    query = select(ApplicationChange).where(ApplicationChange.application_id.in_(set(application_ids)))
    found: dict[int, list[ApplicationChange]] = {}
    for row in db.session.scalars(query.order_by(ApplicationChange.id)):
        found.setdefault(row.application_id, []).append(row)
    return found


def waiting_change(application_id: int) -> ApplicationChange | None:
    """The change that is neither answered nor refused yet: asked for by the hauler, or open for them to make."""
    query = select(ApplicationChange).filter_by(application_id=application_id, answered_at=None, refused_at=None)
    return db.session.scalars(query).one_or_none()


def asked_changes(plant_id: int) -> list[ApplicationChange]:
    """What haulers asked to change and the clerk has not answered, oldest first, while it can be changed at all."""
    query = select(ApplicationChange).filter_by(plant_id=plant_id, opened_at=None, refused_at=None)
    query = query.join(Application, Application.id == ApplicationChange.application_id)
    query = query.where(Application.state.in_(CHANGEABLE))
    return list(db.session.scalars(query.order_by(ApplicationChange.id)))


def changes_shown(application_id: int) -> list[tuple[ApplicationChange, list[tuple[str, str, str]]]]:
    """The changes of one application, each with what it changed: (answer, before, after)."""
    return [(one, differences(one.before or {}, one.after or {}) if one.answered_at else [])
            for one in changes_of([application_id]).get(application_id, [])]  # fmt: skip
