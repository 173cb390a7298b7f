"""What holds a charge back: results that are awaited, a dispute."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from billing.models import Account, ChargeHold, DisputeStep, Entry, FeeDispute
from billing.queries.accounts import stands, waits
from billing.states import HoldKind
from office.db import db
from office.people import Party
from ordinances.pricing import AWAITS

# Why a wait for results ends that nobody ended.
RESULTS_IN = "The results are in"


@dataclass(frozen=True)
class HeldBack:
    """Charges of one source that are kept off the invoices, and why."""

    name: str
    label: str
    cents: int
    reasons: tuple[str, ...]


@lru_cache(64)
def held(kind: HoldKind | None = None, end_of: Any = None) -> Any:
    """SQL condition: the entry of the outer query is held, for a reason of this kind or any.

    ``end_of``: that it was at the end of a day. A dispute holds from the day it was asked, whenever it was entered.
    """
    hold, release, dispute = aliased(ChargeHold), aliased(ChargeHold), aliased(FeeDispute)
    released = select(release.id).where(release.releases_id == hold.id).correlate(hold)
    query = select(hold.id).where(hold.entry_id == Entry.id, hold.releases_id.is_(None))
    if end_of is not None:
        released = released.where(release.on_day <= end_of)
        query = query.outerjoin(dispute, dispute.id == hold.dispute_id)
        query = query.where(func.coalesce(dispute.asked_on, hold.on_day) <= end_of)
    query = query.where(~released.exists()).correlate(Entry)
    return (query.where(hold.kind == kind.value) if kind is not None else query).exists()


def holds_of(entry_ids: list[int]) -> list[ChargeHold]:
    """The holds of some charges that are not released, oldest first."""
    release = aliased(ChargeHold)
    released = select(release.id).where(release.releases_id == ChargeHold.id).correlate(ChargeHold).exists()
    query = select(ChargeHold).where(ChargeHold.entry_id.in_(entry_ids), ChargeHold.releases_id.is_(None), ~released)
    return list(db.session.scalars(query.order_by(ChargeHold.id)))


def held_back(plant_id: int) -> list[HeldBack]:
    """What the next invoices leave out, by hauler and source, with each reason once."""
    query = (
        select(Entry, Party.name)
        .join(Account, Account.id == Entry.account_id)
        .join(Party, Party.id == Account.party_id)
        .where(Entry.plant_id == plant_id, waits(), held())
        .order_by(Party.name, Entry.account_id, Entry.on_day, Entry.id)
    )
    rows = db.session.execute(query).all()
    reasons: dict[int, list[str]] = defaultdict(list)
    for hold in holds_of([row[0].id for row in rows]) if rows else ():
        reasons[hold.entry_id].append(hold.reason)
    found: dict[tuple[int, str], list[Any]] = {}
    for entry, name in rows:
        found.setdefault((entry.account_id, entry.source_label), []).append((entry, name))
    return [
        HeldBack(
            group[0][1], label, sum(entry.amount_cents for entry, _ in group),
            tuple(dict.fromkeys(reason for entry, _ in group for reason in reasons[entry.id])),
        )
        for (_, label), group in found.items()
    ]  # fmt: skip


def unpriced(source_kind: str, source_id: int | None = None) -> Any:
    """SELECT of the sources of a kind, or the one, whose price awaits a result: nothing is charged for them yet."""
    query = select(Entry.source_id).where(Entry.source_kind == source_kind, Entry.code == AWAITS, stands())
    return query if source_id is None else query.where(Entry.source_id == source_id)


def waits_ended(source_kind: str, source_id: int) -> set[tuple[str, date]]:
    """The charges of a source whose wait for results somebody ended, by code and the day they are for."""
    query = select(Entry).join(ChargeHold, ChargeHold.entry_id == Entry.id)
    query = query.where(Entry.source_kind == source_kind, Entry.source_id == source_id)
    query = query.where(ChargeHold.kind == HoldKind.RESULTS.value, ChargeHold.releases_id.is_not(None))
    return {(one.code, one.day) for one in db.session.scalars(query.where(ChargeHold.reason != RESULTS_IN))}


@dataclass(frozen=True)
class HeldCharge:
    """A charge that is held, with the hold, the hauler's name, and the number of the dispute it is in ("": in none)."""

    hold: ChargeHold
    entry: Entry
    name: str
    dispute: str


def held_charges(plant_id: int, hold_id: int | None = None) -> list[HeldCharge]:
    """Every charge of a plant that is held now, invoiced or not, the longest held first; or that of one hold."""
    release, back = aliased(ChargeHold), aliased(Entry)
    released = select(release.id).where(release.releases_id == ChargeHold.id).correlate(ChargeHold).exists()
    gone = select(back.id).where(back.reverses_id == Entry.id).correlate(Entry).exists()
    query = (
        select(ChargeHold, Entry, Party.name, FeeDispute.number)
        .join(Entry, Entry.id == ChargeHold.entry_id)
        .join(Account, Account.id == Entry.account_id)
        .join(Party, Party.id == Account.party_id)
        .outerjoin(FeeDispute, FeeDispute.id == ChargeHold.dispute_id)
        .where(ChargeHold.plant_id == plant_id, ChargeHold.releases_id.is_(None), ~released, ~gone)
        .order_by(ChargeHold.on_day, Party.name, ChargeHold.id)
    )
    rows = db.session.execute(query if hold_id is None else query.where(ChargeHold.id == hold_id))
    return [HeldCharge(hold, entry, name, number or "") for hold, entry, name, number in rows]


@dataclass(frozen=True)
class Dispute:
    """A fee dispute with the hauler's name, its steps and the charges at issue, both oldest first."""

    row: FeeDispute
    name: str
    steps: tuple[DisputeStep, ...]
    charges: tuple[Entry, ...]

    @property
    def cents(self) -> int:
        """What the charges at issue came to when they were made."""
        return sum(entry.amount_cents for entry in self.charges)

    @property
    def ended(self) -> bool:
        return any(step.outcome for step in self.steps)


def disputes(plant_id: int, account_id: int | None = None, number: str | None = None) -> list[Dispute]:
    """Every fee dispute of a plant, of one account, or the one of a number, the newest first, in three queries."""
    query = (
        select(FeeDispute, Party.name)
        .join(Account, Account.id == FeeDispute.account_id)
        .join(Party, Party.id == Account.party_id)
        .where(FeeDispute.plant_id == plant_id)
        .order_by(FeeDispute.id.desc())
    )
    if account_id is not None:
        query = query.where(FeeDispute.account_id == account_id)
    if number is not None:
        query = query.where(FeeDispute.number == number)
    rows = db.session.execute(query).all()
    if not rows:
        return []
    ids, steps, charges = [row[0].id for row in rows], defaultdict(list), defaultdict(list)
    for step in db.session.scalars(select(DisputeStep).where(DisputeStep.dispute_id.in_(ids)).order_by(DisputeStep.id)):
        steps[step.dispute_id].append(step)
    back = aliased(Entry)
    at_issue = (
        select(ChargeHold.dispute_id, Entry, back.id)
        .join(Entry, Entry.id == ChargeHold.entry_id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(ChargeHold.dispute_id.in_(ids), ChargeHold.releases_id.is_(None))
        .order_by(Entry.on_day, Entry.id)
    )
    for ident, entry, gone in db.session.execute(at_issue):
        charges[ident].append((entry, gone is not None))
    return [Dispute(row, name, tuple(steps[row.id]), _at_issue(charges[row.id])) for row, name in rows]


def _at_issue(charges: list[tuple[Entry, bool]]) -> tuple[Entry, ...]:
    """Charges at issue but those taken back: the ones in their place are. Where none stands, the last of each."""
    standing = tuple(entry for entry, gone in charges if not gone)
    newest = {(one.source_kind, one.source_id, (one.line_code or "").split("#")[0]): one for one, _ in charges}
    return standing or tuple(newest.values())


def ended(dispute_id: int) -> DisputeStep | None:
    """The step that ended a dispute, or None while it goes on."""
    query = select(DisputeStep).where(DisputeStep.dispute_id == dispute_id, DisputeStep.outcome != "")
    return db.session.scalars(query.order_by(DisputeStep.id)).first()


def dispute_named(plant_id: int, number: str) -> FeeDispute | None:
    """A fee dispute of a plant by its number."""
    return db.session.scalars(select(FeeDispute).filter_by(plant_id=plant_id, number=number)).one_or_none()
