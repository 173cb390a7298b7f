"""Accounts, their balances and their ledger."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import Integer, and_, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from billing.models import Account, Entry, Invoice, InvoiceLine, Payment
from billing.states import OWING, EntryKind, Method
from office.db import db
from office.people import Party

# Marks what took a charge back because its source came to something else, not because somebody chose so.
BY_RULE = "by_rule"


@dataclass(frozen=True)
class AccountLine:
    """One account in the list: the party's name, what it owes, and how much of that is on no invoice yet."""

    account_id: int
    party_id: int
    name: str
    balance_cents: int
    unbilled_cents: int


@dataclass(frozen=True)
class LedgerLine:
    """One line of a ledger with the balance after it."""

    entry: Entry
    balance_cents: int
    invoice_number: str | None
    receipt_number: str | None
    reversed_by: int | None


def account_of(plant_id: int, party_id: int) -> Account | None:
    """The account of a party at a plant, if it has one."""
    return db.session.scalars(select(Account).filter_by(plant_id=plant_id, party_id=party_id)).one_or_none()


def balance_cents(account_id: int) -> int:
    """What the account owes now; less than 0 is credit."""
    total = select(func.coalesce(func.sum(Entry.amount_cents), 0)).where(Entry.account_id == account_id)
    return int(db.session.scalars(total).one())


@cache
def of_day() -> Any:
    """SQL: the day a charge is for (``Entry.day``)."""
    return func.coalesce(Entry.for_day, Entry.on_day)


@cache
def stands() -> Any:
    """SQL condition: the entry was not reversed."""
    back = aliased(Entry)
    return ~select(back.id).where(back.reverses_id == Entry.id).correlate(Entry).exists()


def owed_again(end_of: date | None = None) -> Any:
    """SQL condition: what was paid back of a payment that was itself taken back since, by the end of a day (none: now).

    The money went out, so it is owed as a line of the next invoice. It is no charge: nothing late is taken of it.
    """
    back = aliased(Entry)
    gone = select(back.id).join(Payment, Payment.entry_id == back.reverses_id).where(Payment.id == Entry.source_id)
    if end_of is not None:
        gone = gone.where(back.on_day <= end_of)
    return and_(Entry.kind == EntryKind.REFUND, gone.correlate(Entry).exists())


@cache
def waits() -> Any:
    """SQL condition: on no invoice yet: a charge neither reversed nor paid at the desk at once; a refund owed again."""
    back = aliased(Entry)
    on_invoice = select(InvoiceLine.id).where(InvoiceLine.entry_id == Entry.id)
    bounced = select(back.id).where(back.reverses_id == Payment.entry_id).correlate(Payment).exists()
    at_desk = select(Payment.id).where(Payment.charge_id == Entry.id, ~bounced)
    return and_(
        or_(Entry.kind.in_(OWING), owed_again()),
        ~on_invoice.correlate(Entry).exists(),
        stands(),
        ~at_desk.correlate(Entry).exists(),
    )


def waiting(charge_id: int) -> bool:
    """Whether one charge waits: on no invoice, neither reversed nor paid at the desk."""
    return db.session.scalars(select(Entry.id).where(Entry.id == charge_id, waits())).first() is not None


def invoice_with(charge_id: int) -> Invoice | None:
    """The invoice that holds a charge, or None."""
    query = select(Invoice).join(InvoiceLine, InvoiceLine.invoice_id == Invoice.id)
    return db.session.scalars(query.where(InvoiceLine.entry_id == charge_id)).first()


def invoices_of(charge_ids: Sequence[int]) -> dict[int, Invoice]:
    """By charge, the invoice that holds it."""
    query = select(InvoiceLine.entry_id, Invoice).join(Invoice, InvoiceLine.invoice_id == Invoice.id)
    rows: Any = db.session.execute(query.where(InvoiceLine.entry_id.in_(charge_ids)))
    return dict(list(rows))


def accounts(plant_id: int) -> list[AccountLine]:
    """Every account of the plant by name, in one query."""
    owed = func.coalesce(func.sum(Entry.amount_cents), 0)
    free = func.coalesce(func.sum(Entry.amount_cents).filter(waits()), 0)
    query = (
        select(Account.id, Account.party_id, Party.name, owed, free)
        .join(Party, Party.id == Account.party_id)
        .outerjoin(Entry, Entry.account_id == Account.id)
        .where(Account.plant_id == plant_id)
        .group_by(Account.id, Account.party_id, Party.name)
        .order_by(Party.name, Account.id)
    )
    return [AccountLine(row[0], row[1], row[2], int(row[3]), int(row[4])) for row in db.session.execute(query)]


def open_charges_cents(account_id: int) -> int:
    """The sum of the charges of an account that are on no invoice yet."""
    total = select(func.coalesce(func.sum(Entry.amount_cents), 0))
    return int(db.session.scalars(total.where(Entry.account_id == account_id, waits())).one())


def ledger(account_id: int) -> list[LedgerLine]:
    """The whole ledger by day, oldest first, with the running balance."""
    back = aliased(Entry)
    query = (
        select(Entry, Invoice.number, Payment.number, back.id)
        .outerjoin(InvoiceLine, InvoiceLine.entry_id == Entry.id)
        .outerjoin(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .outerjoin(Payment, Payment.entry_id == Entry.id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(Entry.account_id == account_id)
        .order_by(Entry.on_day, Entry.id)
    )
    lines, running = [], 0
    for entry, invoice, receipt, reversed_by in db.session.execute(query):
        running += entry.amount_cents
        lines.append(LedgerLine(entry, running, invoice, receipt, reversed_by))
    return lines


def entries_of(source_kind: str, source_id: int, account_id: int | None = None) -> list[Entry]:
    """The charges made for one source, oldest first, reversed ones included; with an account only those of it."""
    query = select(Entry).filter_by(source_kind=source_kind, source_id=source_id)
    if account_id is not None:
        query = query.where(Entry.account_id == account_id)
    return list(db.session.scalars(query.order_by(Entry.id)))


def standing_of(source_kind: str, source_ids: Collection[int]) -> list[Entry]:
    """The charges made for some sources of one kind that were not taken back, oldest first. One query."""
    query = select(Entry).where(Entry.source_kind == source_kind, Entry.source_id.in_(source_ids),
                                Entry.kind == EntryKind.CHARGE.value, stands())  # fmt: skip
    return list(db.session.scalars(query.order_by(Entry.id)))


def returned_payments(account_id: int) -> int:
    """How many payments of an account were taken back, as a check the bank returned is."""
    back = aliased(Entry)
    query = select(func.count(Payment.id)).join(back, back.reverses_id == Payment.entry_id)
    return db.session.scalars(query.where(Payment.account_id == account_id)).one()


def first_charge_day(account_id: int) -> date | None:
    """The day of the first charge of an account; None before there is one."""
    query = select(func.min(Entry.on_day)).where(Entry.account_id == account_id, Entry.kind.in_(OWING))
    return db.session.scalars(query).one()


def reversal_of(entry_id: int) -> Entry | None:
    """The entry that took this one back, or None."""
    return db.session.scalars(select(Entry).filter_by(reverses_id=entry_id)).one_or_none()


def taken_back_by_choice(source_kind: str, source_id: int) -> dict[tuple[str, date], Entry]:
    """The charges of a source that somebody chose to take back, by code and the day they are for.

    None that was charged anew since, or that went because the source came to something else.
    """
    newest = {(one.code, one.day): one for one in entries_of(source_kind, source_id)}
    backs = {key: reversal_of(one.id) for key, one in newest.items()}
    return {key: newest[key] for key, back in backs.items() if back is not None and back.line_code != BY_RULE}


def given_back_on(entry_id: int) -> date | None:
    """The last day on which a charge was taken back or credited; None where neither was done."""
    query = select(func.max(Entry.on_day)).where((Entry.reverses_id == entry_id) | (Entry.credits_id == entry_id))
    return db.session.scalars(query).one()


def left_of(entry: Entry) -> int:
    """What is left of a charge in cents, after it was taken back or credited."""
    gone = (int(db.session.scalars(one, {"charge": entry.id}).one()) for one in _gone_queries())
    return entry.amount_cents + sum(gone)


@cache
def left() -> Any:
    """SQL: what is left of a charge of the outer query, as ``left_of`` counts it."""
    back, credit, undone, credited = (aliased(Entry) for _ in range(4))
    gone = (
        select(func.sum(back.amount_cents)).where(back.reverses_id == Entry.id),
        select(func.sum(credit.amount_cents)).where(credit.credits_id == Entry.id),
        select(func.sum(undone.amount_cents))
        .join(credited, credited.id == undone.reverses_id)
        .where(credited.credits_id == Entry.id),
    )
    parts = (func.coalesce(one.correlate(Entry).scalar_subquery(), 0, type_=Integer) for one in gone)
    return sum(parts, Entry.amount_cents)


@cache
def _gone_queries() -> tuple[Any, ...]:
    """Cents of what took a charge back, of what credits it, and of what took a credit back."""
    credit, undone = aliased(Entry), aliased(Entry)
    charge: Any = bindparam("charge")
    return (
        select(func.coalesce(func.sum(Entry.amount_cents), 0)).where(Entry.reverses_id == charge),
        select(func.coalesce(func.sum(credit.amount_cents), 0)).where(credit.credits_id == charge),
        select(func.coalesce(func.sum(undone.amount_cents), 0))
        .join(credit, credit.id == undone.reverses_id)
        .where(credit.credits_id == charge),
    )


def entry_named(plant_id: int, account_id: int, entry_id: int) -> Entry | None:
    """One entry of one account of one plant."""
    query = select(Entry).filter_by(id=entry_id, plant_id=plant_id, account_id=account_id)
    return db.session.scalars(query).one_or_none()


def payment_named(plant_id: int, number: str) -> tuple[Payment, Entry] | None:
    """A payment and its line of the ledger by the number of its receipt."""
    query = select(Payment, Entry).join(Entry, Entry.id == Payment.entry_id)
    row = db.session.execute(query.where(Payment.plant_id == plant_id, Payment.number == number)).one_or_none()
    return (row[0], row[1]) if row else None


def same_check(account: Account, number: str, cents: int) -> tuple[Payment, Entry, str] | None:
    """The newest check of a number that stands on an account, or in the same cents on another one of its plant.

    With its line of the ledger and the hauler's name.
    """
    query = (
        select(Payment, Entry, Party.name)
        .join(Entry, Entry.id == Payment.entry_id)
        .join(Account, Account.id == Payment.account_id)
        .join(Party, Party.id == Account.party_id)
        .where(Payment.plant_id == account.plant_id, Payment.method == Method.CHECK.value, stands())
        .where(func.lower(Payment.reference) == number.lower())
        .where(or_(Payment.account_id == account.id, Entry.amount_cents == -cents))
        .order_by((Payment.account_id == account.id).desc(), Payment.id.desc())
    )
    row = db.session.execute(query.limit(1)).first()
    return (row[0], row[1], row[2]) if row else None


def payment_of(entry_id: int) -> Payment | None:
    """The payment of a line of the ledger, None for any other line."""
    return db.session.scalars(select(Payment).filter_by(entry_id=entry_id)).one_or_none()


def payments_of(account_id: int) -> Sequence[Any]:
    """(Payment, its cents, id of what reversed it) of an account, newest first."""
    back = aliased(Entry)
    query = (
        select(Payment, -Entry.amount_cents, back.id)
        .join(Entry, Entry.id == Payment.entry_id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(Payment.account_id == account_id)
        .order_by(Payment.received_on.desc(), Payment.id.desc())
    )
    return db.session.execute(query).all()
