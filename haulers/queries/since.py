"""What became of a decided application: its approval as it stands, given back or changed since (§ 329-7 B(2), G)."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from haulers.models import Amendment, Application, Approval, Decision
from haulers.queries.approvals import allowances_of
from haulers.queries.new_sources import source_words
from haulers.states import AmendmentState
from office.db import db
from office.formats import gallons, volume


@dataclass(frozen=True)
class Since:
    """The newest approval of an application, its winter and rest gallons as they stand, and the changes granted.

    ``old`` is the revoked approval it stands in the place of; ``granted`` has the changes of that too, oldest first.
    """

    approval: Approval
    winter: int
    rest: int
    old: Approval | None = None
    granted: tuple[Amendment, ...] = ()

    @property
    def more(self) -> int:
        """Gallons granted on top of what was decided."""
        return sum(one.granted_winter + one.granted_rest for one in self.granted)


def since_of(application_ids: Collection[int]) -> dict[int, Since]:
    """What became of applications that led to an approval. A constant number of queries."""
    query = select(Approval).join(Application, Application.id == Approval.application_id)
    rows = list(db.session.scalars(query.where(Application.id.in_(set(application_ids))).order_by(Approval.id)))
    newest, by_id = {row.application_id: row for row in rows}, {row.id: row for row in rows}
    of = {row.id: row.application_id for row in rows}
    changes = select(Amendment).where(Amendment.approval_id.in_(of), Amendment.state == AmendmentState.GRANTED.value,
                                      Amendment.letter_id.is_not(None))  # fmt: skip
    granted: dict[int, list[Amendment]] = {}
    for one in db.session.scalars(changes.order_by(Amendment.id)):
        granted.setdefault(of[one.approval_id], []).append(one)
    stand = allowances_of(newest.values())
    return {
        ident: Since(row, *stand[row.id], by_id[row.replaces_id] if row.replaces_id is not None else None,
                     tuple(granted.get(ident, ())))
        for ident, row in newest.items()
    }  # fmt: skip


def conditions_of(approvals: Collection[Approval]) -> dict[int, list[dict[str, str]]]:
    """The conditions of approvals as their letters have them: each with its text and its section, which may be ""."""
    query = select(Decision.id, Decision.conditions).where(Decision.id.in_({one.decision_id for one in approvals}))
    written: dict[int, Any] = {row[0]: row[1] for row in db.session.execute(query)}
    return {one.id: list(written.get(one.decision_id) or []) for one in approvals}


def granted_words(one: Amendment) -> str:
    """What was granted, in a line: "4,000 gallons more in winter and 0 in the rest of the year"."""
    more = f"{volume(one.granted_winter)} more in winter and {gallons(one.granted_rest)} in the rest of the year"
    if one.kind == "gallons":
        return more
    if one.kind == "truck":
        return f"truck {one.new['plate']}, {volume(int(one.new['capacity']))}"
    said = source_words(one.new)
    return f"{said}, {more}" if one.granted_winter + one.granted_rest else said
