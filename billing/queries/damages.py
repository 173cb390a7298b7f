"""Expense, loss and damage charged to haulers, with the evidence (§ 329-10 C of Bayfield, § 216-10 B of Lawrence)."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from billing.models import Account, Damage, DamageFile, Entry, Invoice, InvoiceLine
from billing.queries.accounts import left
from billing.queries.holds import Dispute, disputes
from office import formats
from office.db import db
from office.files import File
from office.people import Party

SOURCE = "damage"


@dataclass(frozen=True)
class DamageView:
    """A damage with its charge, the hauler's name, the files of evidence, and the disputes about it."""

    row: Damage
    name: str
    charge: Entry
    files: tuple[tuple[DamageFile, File], ...]
    disputed: tuple[Dispute, ...]
    # What is left of the charge in cents, after it was taken back or credited.
    left_cents: int
    # The number of the invoice the charge is on, "" for none.
    invoice: str = ""

    @property
    def words(self) -> str:
        """What it comes to now: "$1,234.50", "$1,000.00 left of $1,234.50", "nothing left of $1,234.50"."""
        whole, left = formats.money(self.charge.amount_cents), formats.money(self.left_cents)
        if self.left_cents == self.charge.amount_cents:
            return whole
        return f"{left if self.left_cents else 'nothing'} left of {whole}"

    @property
    def in_dispute(self) -> bool:
        return any(not one.ended for one in self.disputed)

    @property
    def may_dispute(self) -> bool:
        """Whether there is something to dispute that is not in dispute already."""
        return self.left_cents > 0 and not self.in_dispute


def damages(plant_id: int, account_id: int, damage_id: int | None = None) -> list[DamageView]:
    """The damages charged to an account, or one of them, the newest first, in a fixed number of queries."""
    query = (
        select(Damage, Party.name, Entry, left(), Invoice.number)
        .join(Account, Account.id == Damage.account_id)
        .join(Party, Party.id == Account.party_id)
        .join(Entry, (Entry.source_kind == SOURCE) & (Entry.source_id == Damage.id))
        .outerjoin(InvoiceLine, InvoiceLine.entry_id == Entry.id)
        .outerjoin(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .where(Damage.plant_id == plant_id, Damage.account_id == account_id)
        .order_by(Damage.id.desc(), Entry.id)
    )
    rows = db.session.execute(query if damage_id is None else query.where(Damage.id == damage_id)).all()
    if not rows:
        return []
    files: dict[int, list[Any]] = defaultdict(list)
    kept = select(DamageFile, File).join(File, File.id == DamageFile.file_id)
    for one, file in db.session.execute(
        kept.where(DamageFile.damage_id.in_({row[0].id for row in rows})).order_by(DamageFile.id)
    ):
        files[one.damage_id].append((one, file))
    about: dict[int, list[Dispute]] = defaultdict(list)
    for found in disputes(plant_id, account_id):
        for entry in found.charges:
            if entry.source_kind == SOURCE:
                about[entry.source_id or 0].append(found)
    # A charge on a void invoice is made again under the same source: the newest counts.
    newest = {row[0].id: row for row in rows}
    return [DamageView(row, name, entry, tuple(files[row.id]), tuple(about[row.id]), int(cents), number or "")
            for row, name, entry, cents, number in newest.values()]  # fmt: skip


def damage_named(plant_id: int, damage_id: int) -> Damage | None:
    """One damage of this plant."""
    return db.session.scalars(select(Damage).filter_by(id=damage_id, plant_id=plant_id)).one_or_none()
