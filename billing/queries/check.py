"""What ``verify`` asks of the ledger: separate code that adds everything up again and names the row that is wrong."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import aliased

from billing.models import Allocation, Entry, Invoice, InvoiceLine, Payment
from billing.states import ASKED, RECEIVED, EntryKind
from office.db import db
from office.numbers import SERIES, Counter


def check_ledger() -> list[str]:
    """One sentence for each row of the ledger that does not agree with the others, naming table and row id."""
    return [*_entries(), *_invoices(), *_allocations(), *_counters()]


def _entries() -> Iterator[str]:
    first = aliased(Entry)
    pairs = select(Entry, first).join(first, first.id == Entry.reverses_id)
    for back, entry in db.session.execute(pairs):
        if back.amount_cents != -entry.amount_cents or back.account_id != entry.account_id:
            yield f"entry {back.id} does not take back exactly entry {entry.id}."
    paid = select(Payment, Entry).join(Entry, Entry.id == Payment.entry_id)
    for payment, entry in db.session.execute(paid):
        kept = entry.kind == EntryKind.CREDIT and entry.credits_id is None
        if not (kept or entry.kind in RECEIVED) or entry.account_id != payment.account_id:
            yield f"payment {payment.id} does not belong to entry {entry.id}."
        if entry.on_day != payment.received_on:
            yield f"payment {payment.id} was received on another day than entry {entry.id} says."
    lone = select(Entry.id).outerjoin(Payment, Payment.entry_id == Entry.id)
    money = or_(Entry.kind.in_(RECEIVED), and_(Entry.kind == EntryKind.CREDIT, Entry.credits_id.is_(None)))
    for ident in db.session.scalars(lone.where(money, Payment.id.is_(None))):
        yield f"entry {ident} is a payment without a row in payment."
    yield from _credits()
    for ident, cents in sorted(_payments_are_worth().items()):
        if cents < 0:
            yield f"payment {ident} is paid back by {-cents} cents more than it holds."


def _credits() -> Iterator[str]:
    """No charge is credited by more than it was, and none that was taken back is credited too."""
    gone = _gone()
    left: dict[int, int] = defaultdict(int)
    charges = {entry.id: entry for entry in db.session.scalars(select(Entry).where(Entry.kind.in_(ASKED)))}
    for credit in db.session.scalars(select(Entry).where(Entry.credits_id.is_not(None)).order_by(Entry.id)):
        if credit.id in gone or credit.credits_id is None:
            continue
        charge = charges.get(credit.credits_id)
        if charge is None or charge.account_id != credit.account_id or charge.id in gone:
            yield f"entry {credit.id} credits entry {credit.credits_id}, which is no standing charge of its account."
            continue
        left[charge.id] += credit.amount_cents
        if charge.amount_cents + left[charge.id] < 0:
            yield f"entry {credit.id} credits more than is left of entry {charge.id}."


def _invoices() -> Iterator[str]:
    sums: dict[int, int] = defaultdict(int)
    query = select(InvoiceLine, Entry, Invoice.account_id)
    query = query.join(Entry, Entry.id == InvoiceLine.entry_id).join(Invoice, Invoice.id == InvoiceLine.invoice_id)
    gone = _gone()
    bounced = {
        ident for ident, entry_id in db.session.execute(select(Payment.id, Payment.entry_id)) if entry_id in gone
    }
    for line, entry, account_id in db.session.execute(query):
        sums[line.invoice_id] += entry.amount_cents
        owed = entry.kind in ASKED and (entry.kind != EntryKind.REFUND or entry.source_id in bounced)
        if entry.account_id != account_id or not owed:
            yield f"invoice_line {line.id} holds entry {entry.id}, which is no charge of its account."
    for ident, total in db.session.execute(select(Invoice.id, Invoice.total_cents)):
        if sums[ident] != total:
            yield f"invoice {ident} says {total} cents, its lines add up to {sums[ident]}."


def _grouped(rows: Iterable[Any]) -> dict[int, int]:
    return {row[0]: int(row[1]) for row in rows}


def _allocations() -> Iterator[str]:
    for column, name, most in (
        (Allocation.payment_id, "payment", _payments_are_worth()),
        (Allocation.invoice_id, "invoice", _invoices_ask_for()),
    ):
        given = db.session.execute(select(column, func.sum(Allocation.amount_cents)).group_by(column))
        for ident, cents in sorted(_grouped(given).items()):
            if not 0 <= cents <= most.get(ident, 0):
                yield f"allocation: {name} {ident} is spread over {cents} cents, it holds {most.get(ident, 0)}."


def _gone() -> set[int]:
    return set(db.session.scalars(select(Entry.reverses_id).where(Entry.reverses_id.is_not(None))))


def _payments_are_worth() -> dict[int, int]:
    gone, worth = _gone(), {}
    charge = aliased(Entry)
    query = (
        select(Payment.id, Entry.id, -Entry.amount_cents, charge.id, charge.amount_cents)
        .join(Entry, Entry.id == Payment.entry_id)
        .outerjoin(charge, charge.id == Payment.charge_id)
    )
    for ident, entry_id, cents, charge_id, charged in db.session.execute(query):
        at_desk = charged if charge_id is not None and charge_id not in gone else 0
        if entry_id not in gone:
            worth[ident] = cents - at_desk
    for refund in db.session.scalars(select(Entry).where(Entry.kind == EntryKind.REFUND)):
        # Of a payment that is gone itself, what was paid back is owed: it is on an invoice, or waits for one.
        if refund.id not in gone and refund.source_id in worth:
            worth[refund.source_id] -= refund.amount_cents
    return worth


def _invoices_ask_for() -> dict[int, int]:
    gone = _gone()
    asks: dict[int, int] = defaultdict(int)
    query = select(InvoiceLine.invoice_id, Entry.id, Entry.amount_cents).join(Entry, Entry.id == InvoiceLine.entry_id)
    for invoice_id, entry_id, cents in db.session.execute(query):
        asks[invoice_id] += 0 if entry_id in gone else cents
    credit = aliased(Entry)
    credited = select(InvoiceLine.invoice_id, credit.id, credit.amount_cents)
    for invoice_id, credit_id, cents in db.session.execute(
        credited.join(credit, credit.credits_id == InvoiceLine.entry_id)
    ):
        asks[invoice_id] += 0 if credit_id in gone else cents
    return asks


def _counters() -> Iterator[str]:
    """Every number of a year from 1 to the counter is used once: invoices and receipts have no gap."""
    for series, model in (("invoice", Invoice), ("receipt", Payment)):
        assert SERIES[series] == (model.__tablename__, "number")
        used: dict[tuple[int, str], set[int]] = defaultdict(set)
        for plant_id, number in db.session.execute(select(model.plant_id, model.number)):
            year, _, place = number.partition("-")
            used[(plant_id, year)].add(int(place))
        counters = db.session.scalars(select(Counter).filter_by(series=series).order_by(Counter.id))
        last = {(c.plant_id, c.period): c for c in counters}
        for key in sorted(used.keys() | last.keys()):
            counter, places = last.get(key), used.get(key, set())
            if counter is None or places != set(range(1, counter.last + 1)):
                name = f"counter {counter.id}" if counter else f"counter ({series} {key[1]}, missing)"
                count = f"{len(places)} numbers up to {max(places, default=0)}"
                yield f"{name} stands at {counter.last if counter else 0}; {model.__tablename__} uses {count}."
