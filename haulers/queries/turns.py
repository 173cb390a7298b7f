"""Where the history of an approval is written: its revocation, its suspensions, a later season's rejection."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import select

from haulers.models import Application, Approval, Decision, Revocation, Suspension
from haulers.states import Outcome
from office.db import db

# An approval, and a record by its table and id.
Turn = tuple[int, str, int]


def turns_of(approval_ids: Collection[int]) -> list[Turn]:
    """The records that turned what may be done under some approvals. Three queries."""
    wanted = set(approval_ids)
    found: list[Turn] = []
    tables: tuple[Any, ...] = (Revocation, Suspension)
    for table in tables:
        rows = db.session.execute(select(table.approval_id, table.id).where(table.approval_id.in_(wanted)))
        found += [(approval_id, table.__tablename__, ident) for approval_id, ident in rows]
    later = (
        select(Approval.id, Decision.id)
        .join(Application, (Application.plant_id == Approval.plant_id)
              & (Application.business_id == Approval.business_id) & (Application.season > Approval.season))
        .join(Decision, Decision.application_id == Application.id)
        .where(Approval.id.in_(wanted), Decision.outcome == Outcome.REJECTED.value)
    )  # fmt: skip
    return found + [(approval_id, "decision", ident) for approval_id, ident in db.session.execute(later)]


def taken_by(touched: Mapping[str, Collection[int]]) -> set[int]:
    """The approvals that an act took, held or gave back, by the records it touched. At most two queries."""
    found: set[int] = set()
    tables: tuple[Any, ...] = (Revocation, Suspension)
    for table in tables:
        if ids := touched.get(table.__tablename__):
            found |= set(db.session.scalars(select(table.approval_id).where(table.id.in_(ids))))
    return found
