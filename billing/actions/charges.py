"""Put charges on a party's account."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from billing.models import Account, Entry
from billing.queries import account_of
from billing.states import EntryKind
from office.access import Actor, Role
from office.acts import act
from office.db import db, fit, lock
from office.plants import Plant
from ordinances.fee_line import FeeLine
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_lines import ScheduleLine


@act("open_account", roles=(Role.CLERK, Role.SYSTEM))
def _open_account(plant: Plant, party_id: int, *, by: Actor, at: datetime) -> Account:
    account = Account(plant_id=plant.id, party_id=party_id)
    db.session.add(account)
    db.session.flush()
    return account


def locked_account(plant: Plant, party_id: int, *, by: Actor, at: datetime) -> Account:
    """The account of a party at a plant, opened if it has none, locked until the transaction ends."""
    account = account_of(plant.id, party_id)
    if account is None:
        try:
            account = _open_account(plant, party_id, by=by, at=at)
        except IntegrityError:
            # Another transaction opened it between our look and our insert.
            account = account_of(plant.id, party_id)
            if account is None:
                raise
    locked: Account = lock(Account, account.id)
    return locked


@act("post_charges", roles=(Role.CLERK, Role.SYSTEM))
def post_charges(
    plant: Plant,
    party_id: int,
    lines: Sequence[FeeLine],
    source_kind: str,
    source_id: int,
    on_day: date,
    *,
    part: int = 1,
    label: str = "",
    for_day: date | None = None,
    by: Actor,
    at: datetime,
    law: Law,
) -> list[Entry] | Refusal:
    """Post the lines to the party's account, dated ``on_day``, and return the entries in their order.

    ``for_day``: the day they are for, where they stand in place of charges that were taken back on ``on_day``.

    A source is charged once for each code; ``part`` 2, 3 … is for what comes later from the same source (the second
    morning of a load). What was reversed may be charged again. ``label`` is printed beside the lines, such as
    ``Load 2026-00412``. Refused: ``already_charged``; nothing is posted then.
    """
    if not lines:
        return []
    account = locked_account(plant, party_id, by=by, at=at)
    entries: list[Entry] = []
    for line in lines:
        place = part + sum(e.code == line.code for e in entries)
        line_code = _free_code(account, source_kind, source_id, line.code, place)
        if line_code is None:
            what = f"{label or source_kind.capitalize()} is already charged: {line.what.lower()}."
            return Refusal("already_charged", what, line.cite, next_step="Reverse the charge first.")
        entry = charge_entry(account, line, on_day, by=by, at=at)
        entry.source_kind, entry.source_id, entry.line_code, entry.source_label = (
            source_kind, source_id, line_code, fit(label, Entry.source_label)
        )  # fmt: skip
        entry.for_day = for_day if for_day != on_day else None
        db.session.add(entry)
        db.session.flush()
        entries.append(entry)
    return entries


def charge_entry(
    account: Account, line: FeeLine, on_day: date, *, kind: EntryKind = EntryKind.CHARGE, by: Actor, at: datetime
) -> Entry:
    """The ledger line of a fee line, not added yet; the caller names its source."""
    return Entry(
        plant_id=account.plant_id, account_id=account.id, kind=kind, on_day=on_day, at=at, by_name=by.name,
        code=line.code, what=fit(line.what, Entry.what), quantity=line.quantity, unit=fit(line.unit, Entry.unit),
        unit_price=line.unit_price, amount_cents=line.cents, cite=fit(line.cite, Entry.cite), reading=line.reading,
        law_version=line.law_version, how=explained(line),
    )  # fmt: skip


def explained(line: FeeLine) -> str:
    """A charge's arithmetic in words, as far as its line says it."""
    return (
        " ".join(filter(None, (f"{line.how}." if line.how else "", line.also)))
        if isinstance(line, ScheduleLine)
        else ""
    )


def _free_code(account: Account, source_kind: str, source_id: int, code: str, part: int) -> str | None:
    """The code under which this line of the source may be posted, or None while an earlier one stands."""
    base = code if part == 1 else f"{code}/{part}"
    given = {"account": account.id, "kind": source_kind, "source": source_id, "base": base, "again": f"{base}#%"}
    reversals = list(db.session.scalars(_coded(), given))
    if None in reversals:
        return None
    return f"{base}#{len(reversals) + 1}" if reversals else base


@cache
def _coded() -> Any:
    """What took back each charge of a source under a code, None where it stands. Built once."""
    back = aliased(Entry)
    return (
        select(back.id)
        .select_from(Entry)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(Entry.account_id == bindparam("account"))
        .where(Entry.source_kind == bindparam("kind"), Entry.source_id == bindparam("source"))
        .where(or_(Entry.line_code == bindparam("base"), Entry.line_code.like(bindparam("again"))))
    )
