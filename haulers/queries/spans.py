"""Every approval of a plant with what ends it, kept between requests: which of many bookings still keep their room."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from haulers.models import Approval, Revocation, Suspension
from haulers.queries.approvals import carried_until, taken_away
from haulers.queries.enforcement import suspension_holds
from office import facts
from office.facts import fact


@dataclass(frozen=True)
class Span:
    """First and last day of an approval, carried over or not, its revocation and its suspensions."""

    first: date
    last: date
    revocation: Revocation | None = None
    suspended: tuple[Suspension, ...] = ()

    def holds(self, at: datetime, day: date, held: bool) -> bool:
        """Whether it holds on a day as things stand at an instant; ``held`` counts it also while it is suspended."""
        if not held and any(suspension_holds(one, at, day) for one in self.suspended):
            return False
        return self.first <= day <= self.last and not taken_away(self.revocation, at, day)


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
    """The approvals of a plant. Four queries, when one of them was changed since."""
    rows = facts.values(_approvals(), plant_id=plant_id)
    if not rows:
        return Spans()
    carried = carried_until([row[0] for row in rows])
    gone = {one.approval_id: one for one in facts.rows(Revocation, _of_plant(Revocation), plant_id=plant_id)}
    suspended: dict[int, list[Suspension]] = {}
    for one in facts.rows(Suspension, _of_plant(Suspension), plant_id=plant_id):
        suspended.setdefault(one.approval_id, []).append(one)
    return Spans({ident: Span(first, max(last, carried.get(ident, last)), gone.get(ident),
                              tuple(suspended.get(ident, ())))
                  for ident, first, last in rows})  # fmt: skip


@cache
def _of_plant(model: Any) -> Any:
    return select(model).where(model.plant_id == bindparam("plant_id"))


@cache
def _approvals() -> Any:
    return select(Approval.id, Approval.starts, Approval.ends).where(Approval.plant_id == bindparam("plant_id"))
