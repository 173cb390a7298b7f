"""What is owed: accounts, their append-only ledger, payments and how they were spread, invoices; rises of fees told.

Amounts are integer cents. A row of the ledger is never changed or removed: what was wrong is reversed.
"""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, String, Text, UniqueConstraint, event, inspect
from sqlalchemy.orm import Mapped, mapped_column

from billing.states import EntryKind, HoldKind, Method
from office.db import Exact, Model, Utc, born


class Account(Model):
    """What one party owes one plant."""

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("plant_id", "party_id"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    party_id: Mapped[int] = mapped_column(ForeignKey("party.id"), index=True)


class Entry(Model):
    """One line of the ledger. ``amount_cents`` is positive when it adds to what is owed, negative when it takes away.

    ``source_kind`` and ``source_id`` are opaque to this room; with ``line_code`` they are used once in an account.
    """

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("source_kind", "source_id", "line_code", "account_id"),
        Index("ix_entry_account_day", "account_id", "on_day"),
        CheckConstraint(f"kind IN {tuple(kind.value for kind in EntryKind)}", name="kind_known"),
        CheckConstraint("what <> ''", name="what_given"),
        CheckConstraint("kind NOT IN ('charge', 'late') OR amount_cents >= 0", name="charge_adds"),
        CheckConstraint(
            "kind NOT IN ('payment', 'credit', 'deposit', 'write_off') OR amount_cents < 0", name="payment_takes_away"
        ),
        CheckConstraint(
            "kind <> 'refund' OR (amount_cents > 0 AND reason <> '' AND source_kind = 'payment' "
            "AND source_id IS NOT NULL)",
            name="refund_of_payment",
        ),
        CheckConstraint(
            "(credits_id IS NULL OR kind IN ('credit', 'write_off')) AND "
            "(kind <> 'write_off' OR credits_id IS NOT NULL)",
            name="credit_of",
        ),
        CheckConstraint("kind NOT IN ('credit', 'write_off') OR reason <> ''", name="credit_with_reason"),
        CheckConstraint(
            "kind NOT IN ('charge', 'late') OR (cite <> '' AND law_version IS NOT NULL AND source_kind IS NOT NULL "
            "AND source_id IS NOT NULL AND line_code IS NOT NULL)",
            name="charge_rests_on_law",
        ),
        CheckConstraint("(kind = 'reversal') = (reverses_id IS NOT NULL)", name="reversal_of"),
        CheckConstraint("kind <> 'reversal' OR reason <> ''", name="reversal_with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"))
    kind: Mapped[str] = mapped_column(String(10))
    on_day: Mapped[date]
    at: Mapped[datetime] = mapped_column(Utc)
    by_name: Mapped[str] = mapped_column(String(200))
    code: Mapped[str] = mapped_column(String(30))
    what: Mapped[str] = mapped_column(String(200))
    quantity: Mapped[Decimal | None] = mapped_column(Exact)
    unit: Mapped[str] = mapped_column(String(40), default="")
    unit_price: Mapped[Decimal | None] = mapped_column(Exact)
    amount_cents: Mapped[int] = mapped_column(Integer)
    cite: Mapped[str] = mapped_column(String(200), default="")
    reading: Mapped[str | None] = mapped_column(Text)
    law_version: Mapped[str | None] = mapped_column(String(64))
    source_kind: Mapped[str | None] = mapped_column(String(30))
    source_id: Mapped[int | None] = mapped_column(Integer)
    line_code: Mapped[str | None] = mapped_column(String(40))
    source_label: Mapped[str] = mapped_column(String(80), default="")
    reason: Mapped[str] = mapped_column(Text, default="")
    reverses_id: Mapped[int | None] = mapped_column(ForeignKey("entry.id"), unique=True)
    # A charge's arithmetic in words, as it was quoted and shown.
    how: Mapped[str] = mapped_column(Text, default="", info=born(""))
    # The charge that is credited or written off, in part or as far as it was left; none of credit that is kept.
    credits_id: Mapped[int | None] = mapped_column(ForeignKey("entry.id"), index=True, info=born(None))
    # The day a charge is for that stands in place of another: itself it is dated when that one was taken back, so that
    # a past day has one of the two.
    for_day: Mapped[date | None] = mapped_column(info=born(None))

    @property
    def day(self) -> date:
        """The day a charge is for."""
        return self.for_day or self.on_day


class Payment(Model):
    """Money received, with its receipt. ``charge_id`` is the one charge it paid at the desk, such as a filing fee.

    Of the method ``credit`` no money came: it is what is left of a credit that no charge can take.
    """

    __tablename__ = "payment"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint(f"method IN {tuple(method.value for method in Method)}", name="method_known"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entry.id"), unique=True)
    charge_id: Mapped[int | None] = mapped_column(ForeignKey("entry.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    method: Mapped[str] = mapped_column(String(10))
    reference: Mapped[str] = mapped_column(String(80), default="")
    received_on: Mapped[date]
    entered_at: Mapped[datetime] = mapped_column(Utc)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))


class Invoice(Model):
    """Charges put on one numbered document. ``due_on`` is the last day in time, none where the law sets none.

    ``replaces_id`` is the void invoice it was made again for. ``others_wait``: it was made in a part of a run that left
    others to a later part.
    """

    __tablename__ = "invoice"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("total_cents >= 0", name="total_not_negative"),
        CheckConstraint("party_name <> ''", name="addressed"),
        CheckConstraint("due_on IS NULL OR due_on >= issued_on", name="due_after_issue"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    issued_on: Mapped[date] = mapped_column(index=True)
    issued_at: Mapped[datetime] = mapped_column(Utc)
    due_on: Mapped[date | None] = mapped_column(index=True)
    party_name: Mapped[str] = mapped_column(String(200))
    party_address: Mapped[str] = mapped_column(Text)
    total_cents: Mapped[int] = mapped_column(Integer)
    letter_id: Mapped[int | None] = mapped_column(ForeignKey("letter.id"))
    law_version: Mapped[str] = mapped_column(String(64))
    replaces_id: Mapped[int | None] = mapped_column(ForeignKey("invoice.id"), unique=True, info=born(None))
    others_wait: Mapped[bool] = mapped_column(default=False, info=born(False))


class InvoiceLine(Model):
    """One charge on one invoice: a charge is on one invoice at most."""

    __tablename__ = "invoice_line"
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    invoice_id: Mapped[int] = mapped_column(ForeignKey("invoice.id"), index=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entry.id"), unique=True)


class Allocation(Model):
    """So much of a payment counts for an invoice from ``on_day`` on; a negative row takes it back from that day on."""

    __tablename__ = "allocation"
    __table_args__ = (CheckConstraint("amount_cents <> 0", name="moves_something"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    payment_id: Mapped[int] = mapped_column(ForeignKey("payment.id"), index=True)
    invoice_id: Mapped[int] = mapped_column(ForeignKey("invoice.id"), index=True)
    on_day: Mapped[date]
    amount_cents: Mapped[int] = mapped_column(Integer)
    written_at: Mapped[datetime] = mapped_column(Utc)


class ChargeHold(Model):
    """Why a charge waits, from ``at`` on: results are awaited, or it is in dispute. A second row releases the first."""

    __tablename__ = "charge_hold"
    __table_args__ = (
        CheckConstraint(f"kind IN {tuple(kind.value for kind in HoldKind)}", name="kind_known"),
        CheckConstraint("reason <> ''", name="with_reason"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    entry_id: Mapped[int] = mapped_column(ForeignKey("entry.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    reason: Mapped[str] = mapped_column(Text)
    on_day: Mapped[date]
    at: Mapped[datetime] = mapped_column(Utc)
    by_name: Mapped[str] = mapped_column(String(200))
    dispute_id: Mapped[int | None] = mapped_column(ForeignKey("fee_dispute.id"), index=True)
    releases_id: Mapped[int | None] = mapped_column(ForeignKey("charge_hold.id"), unique=True)


class FeeDispute(Model):
    """A hauler doubts fees for a stated quantity and type of waste; its steps say how far it went and how it ended."""

    __tablename__ = "fee_dispute"
    __table_args__ = (
        UniqueConstraint("plant_id", "number"),
        CheckConstraint("gallons >= 0", name="gallons_not_negative"),
        CheckConstraint("fees <> ''", name="fees_given"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    number: Mapped[str] = mapped_column(String(20))
    asked_on: Mapped[date]
    gallons: Mapped[int] = mapped_column(Integer)
    waste: Mapped[str] = mapped_column(String(30))
    fees: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))


class DisputeStep(Model):
    """One stage a fee dispute reached, or, with an outcome, its end."""

    __tablename__ = "dispute_step"
    __table_args__ = (CheckConstraint("stage <> '' OR outcome <> ''", name="says_something"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    dispute_id: Mapped[int] = mapped_column(ForeignKey("fee_dispute.id"), index=True)
    on_day: Mapped[date]
    stage: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str] = mapped_column(Text, default="")
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))


class SpreadChoice(Model):
    """How the clerk wants a payment spread: so many cents to an invoice before the rest goes oldest first.

    The rows of the newest ``turn`` of a payment count; a turn of one row with no invoice gives the choice up.
    """

    __tablename__ = "spread_choice"
    __table_args__ = (
        UniqueConstraint("payment_id", "turn", "invoice_id"),
        CheckConstraint("(invoice_id IS NULL) = (amount_cents = 0)", name="amount_for_invoice"),
        CheckConstraint("amount_cents >= 0", name="amount_not_negative"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    payment_id: Mapped[int] = mapped_column(ForeignKey("payment.id"), index=True)
    turn: Mapped[int] = mapped_column(Integer)
    invoice_id: Mapped[int | None] = mapped_column(ForeignKey("invoice.id"))
    amount_cents: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime] = mapped_column(Utc)
    by_name: Mapped[str] = mapped_column(String(200))


class Damage(Model):
    """An expense, loss or damage a hauler is liable for: what it was, by what it came about, on which day.

    Its charge is the entry with the source ``damage`` and this id.
    """

    __tablename__ = "damage"
    __table_args__ = (CheckConstraint("what <> '' AND cause <> ''", name="said"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    account_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    happened_on: Mapped[date]
    what: Mapped[str] = mapped_column(String(160))
    cause: Mapped[str] = mapped_column(Text)
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))


class DamageFile(Model):
    """One file of evidence of a damage: a bill, a photo, a report."""

    __tablename__ = "damage_file"
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    damage_id: Mapped[int] = mapped_column(ForeignKey("damage.id"), index=True)
    file_id: Mapped[int] = mapped_column(ForeignKey("file.id"))
    note: Mapped[str] = mapped_column(String(200))
    added_at: Mapped[datetime] = mapped_column(Utc)
    added_by: Mapped[str] = mapped_column(String(200))


class FeeNotice(Model):
    """That an amount rises from a day on, as approved haulers were told, with the resolution and what it rests on."""

    __tablename__ = "fee_notice"
    __table_args__ = (
        CheckConstraint("resolution <> ''", name="resolution_given"),
        CheckConstraint("basis <> ''", name="basis_given"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    key: Mapped[str] = mapped_column(String(80))
    was: Mapped[Decimal] = mapped_column(Exact)
    becomes: Mapped[Decimal] = mapped_column(Exact)
    since: Mapped[date]
    resolution: Mapped[str] = mapped_column(Text)
    basis: Mapped[str] = mapped_column(Text)
    cite: Mapped[str] = mapped_column(String(200))
    entered_at: Mapped[datetime] = mapped_column(Utc)
    entered_by: Mapped[str] = mapped_column(String(200))


class FeeNoticeTo(Model):
    """One hauler told of a rise, on which day and by which letter."""

    __tablename__ = "fee_notice_to"
    __table_args__ = (UniqueConstraint("notice_id", "party_id"),)
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"))
    notice_id: Mapped[int] = mapped_column(ForeignKey("fee_notice.id"), index=True)
    party_id: Mapped[int] = mapped_column(ForeignKey("party.id"))
    told_on: Mapped[date]
    letter_id: Mapped[int] = mapped_column(ForeignKey("letter.id"))


def _never_changed(_mapper: Any, _connection: Any, row: Any) -> None:
    changed = [a.key for a in inspect(row).attrs if a.history.has_changes()]
    # A document is written after the row it is about; its letter is tied to the row once.
    if changed and (changed != ["letter_id"] or inspect(row).attrs.letter_id.history.deleted not in ((), [None])):
        raise RuntimeError(f"{row.__tablename__} {row.id} cannot be changed ({', '.join(changed)}): reverse it")


def _never_removed(_mapper: Any, _connection: Any, row: Any) -> None:
    raise RuntimeError(f"{row.__tablename__} {row.id} cannot be removed: reverse it")


for _model in (Account, Entry, Payment, Invoice, InvoiceLine, Allocation, ChargeHold, FeeDispute, DisputeStep,
               SpreadChoice, FeeNotice, FeeNoticeTo, Damage, DamageFile):  # fmt: skip
    event.listen(_model, "before_update", _never_changed)
    event.listen(_model, "before_delete", _never_removed)
