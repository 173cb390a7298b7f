"""Charges that wait: for results, or because the hauler disputes them."""

from collections.abc import Sequence
from datetime import date, datetime

from billing.actions.settle import settle
from billing.models import Account, ChargeHold, Entry, FeeDispute
from billing.queries import holds_of
from billing.states import OWING, HoldKind
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.plants import Plant


@act("hold_charges", roles=(Role.CLERK, Role.SYSTEM))
def hold_charges(
    entries: Sequence[Entry], kind: HoldKind, reason: str, *, dispute: FeeDispute | None = None, by: Actor, at: datetime
) -> list[ChargeHold]:
    """Keep charges off the next invoices; held again for the same kind of reason they stay as they are."""
    _lock_accounts(entries)
    known = {(one.entry_id, one.kind) for one in holds_of([entry.id for entry in entries])}
    made = []
    for entry in entries:
        if (entry.id, kind.value) not in known and entry.kind in OWING:
            plant = db.session.get_one(Plant, entry.plant_id)
            made.append(ChargeHold(
                plant_id=entry.plant_id, entry_id=entry.id, kind=kind.value, reason=reason.strip(), at=at,
                on_day=at.astimezone(plant.tz).date(), by_name=by.name, dispute_id=dispute.id if dispute else None,
            ))  # fmt: skip
    return _written(made, kind, at)


@act("release_charges", roles=(Role.CLERK, Role.SYSTEM))
def release_charges(
    entries: Sequence[Entry], kind: HoldKind, reason: str, *, on_day: date | None = None, by: Actor, at: datetime
) -> list[ChargeHold]:
    """Let charges go on the next invoices again, as far as they were held for this kind of reason.

    ``on_day``: the day since which nothing held them, where it is entered later (none: today).
    """
    _lock_accounts(entries)
    made = []
    for hold in holds_of([entry.id for entry in entries]):
        if hold.kind == kind.value:
            plant = db.session.get_one(Plant, hold.plant_id)
            made.append(ChargeHold(
                plant_id=hold.plant_id, entry_id=hold.entry_id, kind=hold.kind, reason=reason.strip(), at=at,
                on_day=on_day or at.astimezone(plant.tz).date(), by_name=by.name, releases_id=hold.id,
                dispute_id=hold.dispute_id,
            ))  # fmt: skip
    return _written(made, kind, at)


def _written(made: list[ChargeHold], kind: HoldKind, at: datetime) -> list[ChargeHold]:
    """Add the rows; what a dispute holds or lets go moves what payments are spread over."""
    db.session.add_all(made)
    db.session.flush()
    if kind is HoldKind.DISPUTE:
        entries = [db.session.get_one(Entry, one.entry_id) for one in made]
        for ident in sorted({entry.account_id for entry in entries}):
            settle(db.session.get_one(Account, ident), at)
    return made


def _lock_accounts(entries: Sequence[Entry]) -> None:
    """So that no invoice takes a charge while it is held or let go, and nobody lets it go twice."""
    for ident in sorted({entry.account_id for entry in entries}):
        lock(Account, ident)
