"""Every approval of a plant with what ends it, kept between requests: which of many bookings still keep their room."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from haulers.models import Approval, Revocation, Suspension
from haulers.queries.approvals import carried_until
from office import facts
from office.facts import fact


@dataclass(frozen=True)
class Span:
    """First and last day of an approval, carried over or not, when it was revoked and from which day, and its
    suspensions: when each began, when it was lifted, its last day."""

    first: date
    last: date
    revoked_at: datetime | None = None
    revoked_from: date | None = None
    suspended: tuple[tuple[datetime, datetime | None, date | None], ...] = ()

    def holds(self, at: datetime, day: date, held: bool) -> bool:
        """Whether it holds on a day as things stand at an instant; ``held`` counts it also while it is suspended."""
        if not held and any(since <= at and (lifted is None or lifted > at) and (until is None or until >= day)
                            for since, lifted, until in self.suspended):  # fmt: skip
            return False
        if not self.first <= day <= self.last:
            return False
        if self.revoked_at is None:
            return True
        return self.revoked_at > at and (self.revoked_from is None or self.revoked_from > day)


@dataclass(frozen=True)
class Spans:
    """The approvals of a plant by id."""

    by_id: Mapping[int, Span] = field(default_factory=dict)

    def hold(self, approval_id: int, at: datetime, day: date, held: bool = True) -> bool:
        """Whether an approval holds on a day: ``approval_in_force`` without asking the database."""
        found = self.by_id.get(approval_id)
        return found is not None and found.holds(at, day, held)


@fact
def spans(plant_id: int) -> Spans:
    """The approvals of a plant. Three queries, when one of them was changed since."""
    rows = facts.values(_approvals(), plant_id=plant_id)
    carried = carried_until([row[0] for row in rows]) if rows else {}
    suspended: dict[int, list[Any]] = {}
    for ident, *times in facts.values(_suspensions(), plant_id=plant_id) if rows else ():
        suspended.setdefault(ident, []).append(tuple(times))
    return Spans({ident: Span(first, max(last, carried.get(ident, last)), revoked_at, revoked_from,
                              tuple(suspended.get(ident, ())))
                  for ident, first, last, revoked_at, revoked_from in rows})  # fmt: skip


@cache
def _suspensions() -> Any:
    columns = (Suspension.approval_id, Suspension.at, Suspension.lifted_at, Suspension.until)
    return select(*columns).where(Suspension.plant_id == bindparam("plant_id"))


@cache
def _approvals() -> Any:
    return (
        select(Approval.id, Approval.starts, Approval.ends, Revocation.at, Revocation.from_day)
        .outerjoin(Revocation, Revocation.approval_id == Approval.id)
        .where(Approval.plant_id == bindparam("plant_id"))
    )  # fmt: skip
