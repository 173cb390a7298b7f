"""Lines of a plant's ledger sought by hauler, month and kind; and all of some days, for the city's books."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import aliased

from billing.models import Account, Entry, Invoice, InvoiceLine, Payment
from billing.queries.accounts import LedgerLine, ledger
from billing.queries.statements import first_day
from billing.states import EntryKind
from office.db import db
from office.exports import Export, earlier_days, place_of, written
from office.people import Party, name_then
from ordinances.late import month_later

KIND_WORDS = {
    EntryKind.CHARGE: "Charges", EntryKind.LATE: "Late charges", EntryKind.PAYMENT: "Payments",
    EntryKind.DEPOSIT: "Paid ahead", EntryKind.CREDIT: "Credits", EntryKind.WRITE_OFF: "Written off",
    EntryKind.REFUND: "Paid back", EntryKind.REVERSAL: "Taken back",
}  # fmt: skip
# Lines of all haulers shown on one page; a month or a hauler narrows them.
MOST = 300


@dataclass(frozen=True)
class LinesSought:
    """Which lines of a ledger: one account's, of one month (its first day), of one kind; None: of any."""

    account_id: int | None = None
    month: date | None = None
    kind: EntryKind | None = None

    @property
    def any(self) -> bool:
        """Whether anything narrows the lines."""
        return any((self.account_id, self.month, self.kind))

    def holds(self, entry: Entry) -> bool:
        """Whether a line of the account is of the month and kind."""
        of_month = self.month is None or self.month <= entry.on_day < month_later(self.month, 1)
        return of_month and self.kind in (None, entry.kind)


@dataclass(frozen=True)
class FoundLine:
    """A line of the ledger with the hauler's name and the numbers it belongs to."""

    entry: Entry
    name: str
    invoice_number: str | None
    receipt_number: str | None
    reversed_by: int | None


@dataclass(frozen=True)
class FoundLines:
    """How many lines were found and what they come to in cents; ``lines`` are the newest of them, newest first."""

    count: int
    cents: int
    lines: tuple[FoundLine, ...]


def own_lines(sought: LinesSought) -> list[LedgerLine]:
    """The lines sought of one account, oldest first, each with the balance of the account after it."""
    assert sought.account_id is not None
    return [line for line in ledger(sought.account_id) if sought.holds(line.entry)]


def find_lines(plant_id: int, sought: LinesSought) -> FoundLines:
    """The lines sought of every account of a plant, in two queries."""
    where = [Entry.plant_id == plant_id]
    if sought.month is not None:
        where += [Entry.on_day >= sought.month, Entry.on_day < month_later(sought.month, 1)]
    if sought.kind is not None:
        where.append(Entry.kind == sought.kind)
    count, cents = db.session.execute(
        select(func.count(Entry.id), func.coalesce(func.sum(Entry.amount_cents), 0)).where(*where)
    ).one()
    back = aliased(Entry)
    query = (
        select(Entry, Party.name, Invoice.number, Payment.number, back.id)
        .join(Account, Account.id == Entry.account_id)
        .join(Party, Party.id == Account.party_id)
        .outerjoin(InvoiceLine, InvoiceLine.entry_id == Entry.id)
        .outerjoin(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .outerjoin(Payment, Payment.entry_id == Entry.id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(*where)
        .order_by(Entry.on_day.desc(), Entry.id.desc())
    )
    lines = tuple(FoundLine(*row) for row in db.session.execute(query.limit(MOST)))
    return FoundLines(int(count), int(cents), lines)


def months(plant_id: int, today: date) -> list[date]:
    """The first day of each month the ledger knows, this month first."""
    oldest = first_day(plant_id) or today
    found = [today.replace(day=1)]
    while found[-1] > oldest:
        found.append(month_later(found[-1], -1))
    return found


def journal_lines(
    plant_id: int,
    first: date,
    last: date,
    *,
    party_id: int | None = None,
    until: Export | None = None,
    goes_on: bool = False,
) -> Sequence[Any]:
    """(Entry, hauler, invoice number, receipt number) of a plant's ledger from one day to another, oldest first.

    ``party_id``: of one hauler. ``until``: as it was known when a file was handed out, each hauler by the name of then.
    ``goes_on``: also the lines of earlier days that were in no file before it.
    """
    on_invoice = Invoice.id == InvoiceLine.invoice_id
    wanted, place = and_(Entry.on_day >= first, Entry.on_day <= last), place_of(until) if until is not None else 0
    entered = written("entry", Entry.id, plant_id)
    if goes_on and until is not None:
        wanted = or_(wanted, *(and_(Entry.on_day >= one.first, Entry.on_day <= one.last, entered > one.mark)
                               for one in earlier_days(until)))  # fmt: skip
    if place:
        on_invoice = and_(on_invoice, written("invoice", Invoice.id, plant_id) < place)
    query = (
        select(Entry, name_then(until.at if until is not None else None), Invoice.number, Payment.number)
        .join(Account, Account.id == Entry.account_id)
        .join(Party, Party.id == Account.party_id)
        .outerjoin(InvoiceLine, InvoiceLine.entry_id == Entry.id)
        .outerjoin(Invoice, on_invoice)
        .outerjoin(Payment, Payment.entry_id == Entry.id)
        .where(Entry.plant_id == plant_id, wanted)
        .order_by(Entry.on_day, Entry.id)
    )
    if party_id is not None:
        query = query.where(Account.party_id == party_id)
    if place:
        query = query.where(entered < place)
    return db.session.execute(query).all()
