"""Invoices: what waits for one, what is unpaid of each and when that was so."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Literal

from sqlalchemy import ColumnElement, Integer, Select, bindparam, case, func, select
from sqlalchemy.orm import aliased

from billing.models import Account, Allocation, Entry, Invoice, InvoiceLine, Payment
from billing.ports import goes_on, of_loads
from billing.queries.accounts import of_day, stands, waits
from billing.queries.holds import held
from billing.states import EntryKind, HoldKind
from office.db import db
from office.people import Party

Day = date | ColumnElement[Any] | Any


class InvoiceState(StrEnum):
    """What is said of an invoice on a day."""

    PAID = "Paid"
    CANCELLED = "Taken back"
    WRITTEN_OFF = "Written off"
    OPEN = "Open"
    LATE = "Past due"
    DISPUTED = "In dispute"


@dataclass(frozen=True)
class InvoiceView:
    """An invoice with what is unpaid of it now, how much of that is in dispute, and what that means today."""

    invoice: Invoice
    unpaid_cents: int
    state: InvoiceState
    disputed_cents: int = 0

    @property
    def to_pay_cents(self) -> int:
        """What is unpaid and not in dispute."""
        return self.unpaid_cents - self.disputed_cents


@dataclass(frozen=True)
class Unbilled:
    """The charges of one account that wait for an invoice, oldest first."""

    account_id: int
    party_id: int
    name: str
    entries: tuple[Entry, ...]

    @property
    def total_cents(self) -> int:
        return sum(entry.amount_cents for entry in self.entries)


def _sum(column: Any) -> Any:
    return func.coalesce(func.sum(column), 0, type_=Integer)


@lru_cache(64)
def charged(
    end_of: Day | None = None, *, own: bool = False, disputed: bool = False, standing: bool = False,
    sources: tuple[str, ...] = (),
) -> Any:  # fmt: skip
    """SQL: what stands on the invoice of the outer query, less what was taken back or credited by the end of a day.

    ``own`` leaves late charges out, and refunds owed again: a late charge is taken of charges alone. ``disputed``
    counts only what was in dispute at the end of the day, or is now. ``standing`` leaves out each charge that was
    taken back, also since. ``sources`` counts only what is charged for these kinds of source.
    """
    back = aliased(Entry)
    lines = select(_sum(Entry.amount_cents)).join(InvoiceLine, InvoiceLine.entry_id == Entry.id)
    gone = (
        select(_sum(back.amount_cents))
        .select_from(InvoiceLine)
        .join(Entry, Entry.id == InvoiceLine.entry_id)
        .join(back, back.reverses_id == Entry.id)
    )
    credit, undone = aliased(Entry), aliased(Entry)
    credited = (
        select(_sum(credit.amount_cents))
        .select_from(InvoiceLine)
        .join(Entry, Entry.id == InvoiceLine.entry_id)
        .join(credit, credit.credits_id == Entry.id)
    )
    restored = (
        select(_sum(undone.amount_cents))
        .select_from(InvoiceLine)
        .join(Entry, Entry.id == InvoiceLine.entry_id)
        .join(credit, credit.credits_id == Entry.id)
        .join(undone, undone.reverses_id == credit.id)
    )
    if end_of is not None:
        gone, credited = gone.where(back.on_day <= end_of), credited.where(credit.on_day <= end_of)
        restored = restored.where(undone.on_day <= end_of)
    whole = (lines, gone, credited, restored)
    parts = [part.where(InvoiceLine.invoice_id == Invoice.id).correlate(Invoice) for part in whole]
    if own:
        parts = [part.where(Entry.kind == EntryKind.CHARGE) for part in parts]
    if sources:
        parts = [part.where(Entry.source_kind.in_(sources)) for part in parts]
    if standing:
        parts = [part.where(stands()) for part in parts]
    if disputed:
        parts = [part.where(held(HoldKind.DISPUTE, end_of)) for part in parts]
    first, *others = (part.scalar_subquery() for part in parts)
    return sum(others, first)


@lru_cache(64)
def paid(end_of: Day | None = None) -> Any:
    """SQL: what was paid on the invoice of the outer query by the end of a day."""
    query = select(_sum(Allocation.amount_cents)).where(Allocation.invoice_id == Invoice.id).correlate(Invoice)
    if end_of is not None:
        query = query.where(Allocation.on_day <= end_of)
    return query.scalar_subquery()


@lru_cache(64)
def unpaid(end_of: Day | None = None, *, own: bool = False) -> Any:
    """SQL: what is unpaid of the invoice of the outer query at the end of a day (none: now), never below 0."""
    left = charged(end_of, own=own) - paid(end_of)
    return case((left > 0, left), else_=0)


def unpaid_cents(invoice_id: int, end_of: date | None = None, *, own: bool = False) -> int:
    """What is unpaid of an invoice at the end of a day, counted by the day money was received; None: now."""
    return _cents("unpaid", invoice_id, end_of, own)


def asked_cents(invoice_id: int) -> int:
    """What an invoice asks for now, paid or not: its charges less what was taken back."""
    return _cents("asked", invoice_id, None, False)


def paid_cents(invoice_id: int, end_of: date) -> int:
    """What was paid of an invoice at the end of a day, counted by the day money was received."""
    return _cents("paid", invoice_id, end_of, False)


def own_cents(invoice_id: int, end_of: date, *, loads_only: bool, disputed: bool = False) -> int:
    """What a late charge may be taken of, paid or not: own charges of an invoice that were never taken back.

    Less what was credited by the end of the day. ``loads_only``: those for what was unloaded; ``disputed``: only those
    that were in dispute then.
    """
    return _cents("own disputed" if disputed else "own", invoice_id, end_of, True, of_loads() if loads_only else ())


What = Literal["unpaid", "asked", "disputed", "paid", "own", "own disputed"]


def _cents(what: What, invoice_id: int, end_of: date | None, own: bool, sources: tuple[str, ...] = ()) -> int:
    given = {"invoice": invoice_id} if end_of is None else {"invoice": invoice_id, "end_of": end_of}
    return int(db.session.scalars(_of_invoice(what, end_of is not None, own, sources), given).one())


@cache
def _of_invoice(what: str, dated: bool, own: bool, sources: tuple[str, ...]) -> Any:
    """Built once, as every act of billing asks it several times."""
    end_of: Any = bindparam("end_of") if dated else None
    if what in ("unpaid", "paid"):
        cents = unpaid(end_of, own=own) if what == "unpaid" else paid(end_of)
    else:
        standing, disputed = what.startswith("own"), what.endswith("disputed")
        cents = charged(end_of, own=own, disputed=disputed, standing=standing, sources=sources)
    return select(cents).select_from(Invoice).where(Invoice.id == bindparam("invoice"))


def views(query: Select[Any], today: date) -> list[InvoiceView]:
    """Invoices of a query (of Invoice) with their state, in one query."""
    gone = select(Entry.id).join(InvoiceLine, InvoiceLine.entry_id == Entry.credits_id)
    gone = gone.where(Entry.kind == EntryKind.WRITE_OFF, InvoiceLine.invoice_id == Invoice.id, stands())
    columns = (unpaid(), charged(), gone.correlate(Invoice).exists(), charged(disputed=True))
    return [_view(row[0], int(row[1]), int(row[2]), bool(row[3]), int(row[4]), today)
            for row in db.session.execute(query.add_columns(*columns))]  # fmt: skip


def _view(invoice: Invoice, unpaid_now: int, charged_now: int, gone: bool, disputed: int, today: date) -> InvoiceView:
    # Money passes what is in dispute by, so what is unpaid is that first.
    disputed = max(0, min(unpaid_now, disputed))
    state = _state(invoice, unpaid_now, charged_now, gone, today)
    if unpaid_now and disputed == unpaid_now:
        state = InvoiceState.DISPUTED
    return InvoiceView(invoice, unpaid_now, state, disputed)


def _state(invoice: Invoice, unpaid_now: int, charged_now: int, written_off: bool, today: date) -> InvoiceState:
    if written_off and unpaid_now == 0:
        return InvoiceState.WRITTEN_OFF
    if charged_now <= 0 < invoice.total_cents:
        return InvoiceState.CANCELLED
    if unpaid_now == 0:
        return InvoiceState.PAID
    return InvoiceState.LATE if invoice.due_on is not None and invoice.due_on < today else InvoiceState.OPEN


def invoice_states(plant_id: int, today: date, account_id: int | None = None, limit: int = 200) -> list[InvoiceView]:
    """The newest invoices of a plant, or of one account, newest first."""
    query = select(Invoice).where(Invoice.plant_id == plant_id).order_by(Invoice.issued_on.desc(), Invoice.id.desc())
    if account_id is not None:
        query = query.where(Invoice.account_id == account_id)
    return views(query.limit(limit), today)


def invoice_view(invoice: Invoice, today: date) -> InvoiceView:
    """One invoice with its state."""
    return views(select(Invoice).where(Invoice.id == invoice.id), today)[0]


def open_invoices(plant_id: int, account_id: int | None = None) -> list[tuple[Invoice, int]]:
    """(invoice, unpaid cents) of everything unpaid at a plant, oldest first."""
    query = select(Invoice, unpaid()).where(Invoice.plant_id == plant_id, unpaid() > 0)
    if account_id is not None:
        query = query.where(Invoice.account_id == account_id)
    return [(row[0], int(row[1])) for row in db.session.execute(query.order_by(Invoice.issued_on, Invoice.id))]


def invoice_named(plant_id: int, number: str) -> Invoice | None:
    """The invoice with this number at a plant."""
    return db.session.scalars(select(Invoice).filter_by(plant_id=plant_id, number=number)).one_or_none()


def replacing(invoice: Invoice) -> tuple[Invoice | None, Invoice | None]:
    """The void invoice this one was made again for, and the one made again for this; None where there is none."""
    before = db.session.get(Invoice, invoice.replaces_id) if invoice.replaces_id is not None else None
    return before, db.session.scalars(select(Invoice).filter_by(replaces_id=invoice.id)).one_or_none()


def invoice_lines(invoice_id: int) -> list[tuple[Entry, Entry | None]]:
    """The charges on an invoice in the order printed, each with what took it back later."""
    back = aliased(Entry)
    query = (
        select(Entry, back)
        .join(InvoiceLine, InvoiceLine.entry_id == Entry.id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(InvoiceLine.invoice_id == invoice_id)
        .order_by(of_day(), Entry.id)
    )
    return [(row[0], row[1]) for row in db.session.execute(query)]


@dataclass(frozen=True)
class Credited:
    """What was credited or written off of an invoice on one day for one reason, in cents."""

    what: str
    on_day: date
    reason: str
    cents: int


def credited(invoice_id: int) -> list[Credited]:
    """The credits and write-offs of an invoice's charges that stand, oldest first, those of one act together."""
    query = (
        select(Entry)
        .join(InvoiceLine, InvoiceLine.entry_id == Entry.credits_id)
        .where(InvoiceLine.invoice_id == invoice_id, stands())
        .order_by(Entry.at, Entry.id)
    )
    acts: dict[tuple[str, datetime, date, str], int] = {}
    for one in db.session.scalars(query):
        key = ("Written off" if one.kind == EntryKind.WRITE_OFF else "Credited", one.at, one.on_day, one.reason)
        acts[key] = acts.get(key, 0) - one.amount_cents
    return [Credited(what, day, reason, cents) for (what, _, day, reason), cents in acts.items()]


def written_off(account_id: int) -> list[tuple[Invoice, list[Entry]]]:
    """The invoices of an account that are written off, oldest first, each with the write-offs that stand."""
    query = (
        select(Invoice, Entry)
        .join(InvoiceLine, InvoiceLine.invoice_id == Invoice.id)
        .join(Entry, Entry.credits_id == InvoiceLine.entry_id)
        .where(Invoice.account_id == account_id, Entry.kind == EntryKind.WRITE_OFF, stands())
        .order_by(Invoice.issued_on, Invoice.id, Entry.id)
    )
    found: dict[int, tuple[Invoice, list[Entry]]] = {}
    for invoice, entry in db.session.execute(query):
        found.setdefault(invoice.id, (invoice, []))[1].append(entry)
    return list(found.values())


def unbilled(plant_id: int, account_ids: list[int] | None = None, *, before: date | None = None) -> list[Unbilled]:
    """Charges that are on no invoice yet and that nothing holds back, by account, accounts by name.

    ``before``: only those of earlier days, and nothing of a load that goes on that day or later: it is billed whole.
    """
    query = (
        select(Entry, Account.party_id, Party.name)
        .join(Account, Account.id == Entry.account_id)
        .join(Party, Party.id == Account.party_id)
        .where(Entry.plant_id == plant_id, waits(), ~held())
        .order_by(Party.name, Account.id, of_day(), Entry.id)
    )
    if account_ids is not None:
        query = query.where(Entry.account_id.in_(account_ids))
    if before is not None:
        query = query.where(of_day() < before)
    on = goes_on(plant_id, before) if before is not None else set()
    found: dict[int, tuple[int, str, list[Entry]]] = {}
    for entry, party_id, name in db.session.execute(query):
        if (entry.source_kind, entry.source_id) not in on:
            found.setdefault(entry.account_id, (party_id, name, []))[2].append(entry)
    return [Unbilled(account, *head[:2], tuple(head[2])) for account, head in found.items()]


def late_entries(invoice_id: int) -> list[Entry]:
    """The late charges of an invoice that stand, the oldest first: one, or one each period where the law has it so."""
    query = select(Entry).where(
        Entry.kind == EntryKind.LATE, Entry.source_kind == "invoice", Entry.source_id == invoice_id
    )
    return list(db.session.scalars(query.where(stands()).order_by(of_day(), Entry.id)))


def disputed_cents(invoice_id: int, end_of: date | None = None, *, own: bool = False) -> int:
    """What is left at the end of a day (None: now) of an invoice's charges that were in dispute then, in cents.

    Counted as ``unpaid_cents`` counts, so that one can be taken off the other.
    """
    return _cents("disputed", invoice_id, end_of, own)


@dataclass
class PaidPart:
    """What counts of a payment for an invoice now, in cents, and the newest day from which any of it counts."""

    payment: Payment
    cents: int
    since: date


def paid_parts(invoice_id: int) -> list[PaidPart]:
    """The payments that count for an invoice now, oldest first.

    ``since`` is later than the day the money came in where it was credit first and the invoice was made later.
    """
    total = func.sum(Allocation.amount_cents)
    query = (
        select(Payment, Allocation.on_day, total)
        .join(Allocation, Allocation.payment_id == Payment.id)
        .where(Allocation.invoice_id == invoice_id)
        .group_by(Payment, Allocation.on_day)
        .having(total != 0)
        .order_by(Payment.received_on, Payment.id, Allocation.on_day)
    )
    parts: dict[int, PaidPart] = {}
    for payment, day, cents in db.session.execute(query):
        part = parts.setdefault(payment.id, PaidPart(payment, 0, day))
        part.cents += int(cents)
        part.since = day if cents > 0 else part.since
    return [part for part in parts.values() if part.cents]


def parts_of_payment(payment_id: int) -> list[tuple[Invoice, int]]:
    """(invoice, cents) a payment counts for now, oldest invoice first."""
    total = func.sum(Allocation.amount_cents)
    query = (
        select(Invoice, total)
        .join(Allocation, Allocation.invoice_id == Invoice.id)
        .where(Allocation.payment_id == payment_id)
        .group_by(Invoice)
        .having(total != 0)
        .order_by(Invoice.issued_on, Invoice.id)
    )
    return [(row[0], int(row[1])) for row in db.session.execute(query)]
