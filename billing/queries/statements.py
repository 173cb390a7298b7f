"""What an account owes by age, and what happened on it between two days."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate
from typing import Any

from sqlalchemy import func, or_, select
from sqlalchemy.orm import aliased

from billing.models import Account, Entry, Invoice, InvoiceLine, Payment
from billing.queries.accounts import LedgerLine, accounts, ledger, owed_again
from billing.queries.invoices import open_invoices, unpaid
from billing.states import OWING
from office import formats
from office.db import db
from office.goes_on import Out, missing_since
from office.letters import Letter

AGES = ("not due", "1 to 30 days", "31 to 60 days", "61 to 90 days", "over 90 days")


@dataclass(frozen=True)
class Aging:
    """One account by the age of what it owes, in cents: past the due day by so many days, on no invoice, its credit.

    The parts add up to the balance: invoices of every age and charges on no invoice, less the credit.
    """

    account_id: int
    name: str
    balance_cents: int
    unbilled_cents: int
    by_age: dict[str, int] = field(default_factory=dict)

    @property
    def unpaid_cents(self) -> int:
        return sum(self.by_age.values())

    @property
    def credit_cents(self) -> int:
        return self.unpaid_cents + self.unbilled_cents - self.balance_cents


def aging(plant_id: int, today: date) -> list[Aging]:
    """Every account that owes something or has credit, by name, in two queries."""
    ages: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(AGES, 0))
    for invoice, cents in open_invoices(plant_id):
        ages[invoice.account_id][_age(invoice, today)] += cents
    found = [
        Aging(one.account_id, one.name, one.balance_cents, one.unbilled_cents, dict(ages[one.account_id]))
        for one in accounts(plant_id)
    ]
    return [one for one in found if one.balance_cents or one.unbilled_cents or one.unpaid_cents]


def _age(invoice: Invoice, today: date) -> str:
    days = (today - invoice.due_on).days if invoice.due_on is not None else 0
    return AGES[0] if days <= 0 else AGES[min(4, 1 + (days - 1) // 30)]


@dataclass(frozen=True)
class Statement:
    """An account from one day to another: what was owed before, the lines, what is owed after them.

    ``earlier`` are lines of days before the first that were entered since the statement ``since`` of those days was
    sent: what was owed before is what that one closed with, and they follow it. ``newest`` is the last line entered.
    """

    first: date
    last: date
    opening_cents: int
    lines: tuple[LedgerLine, ...]
    earlier: tuple[LedgerLine, ...] = ()
    since: Letter | None = None
    newest: int = 0

    @property
    def closing_cents(self) -> int:
        lines = self.lines or self.earlier
        return lines[-1].balance_cents if lines else self.opening_cents


def statement(account_id: int, first: date, last: date, sent: Sequence[Letter] = ()) -> Statement:
    """The statement of an account: lines by their day, both days counted; it goes on from those ``sent`` before it.

    Of earlier days it has what none has of those that began before it; one of the same days again has what that had.
    ``since`` is the one of the latest days before the first, the newest of several.
    """
    lines = ledger(account_id)
    before = [line for line in lines if line.entry.on_day < first]
    within = tuple(line for line in lines if first <= line.entry.on_day <= last)
    ended = [(_last_day(one), one.id, one) for one in sent if _last_day(one) < first]
    opening, since = before[-1].balance_cents if before else 0, max(ended)[2] if ended else None
    began_before = [one for one in sorted(sent, key=lambda one: one.id) if formats.day_said(one.data["first"]) < first]
    spans = missing_since([_out(one, lines) for one in began_before], first)
    earlier = [
        line
        for line in before
        if any(one.first <= line.entry.on_day <= one.last and line.entry.id > one.mark for one in spans)
    ]
    if earlier and since is None:
        since = began_before[-1]
    opening -= sum(line.entry.amount_cents for line in earlier)
    sums = list(accumulate((line.entry.amount_cents for line in earlier), initial=opening))[1:]
    late = tuple(replace(line, balance_cents=cents) for line, cents in zip(earlier, sums, strict=True))
    newest = max((line.entry.id for line in lines), default=0)
    return Statement(first, last, opening, within, late, since if late else None, newest)


def _last_day(sent: Letter) -> date:
    """The last day of a statement that was sent: one sent before it was kept as a day has it in words."""
    day = sent.data.get("last_day")
    return date.fromisoformat(day) if day else formats.day_said(sent.data["last"])


def _out(sent: Letter, lines: Sequence[LedgerLine]) -> Out:
    """A statement that was sent: its days, and the newest line there was. One opens with the sum of all days before its
    first: so the first of them has every earlier day too."""
    known = sent.data.get("newest")
    if known is None:
        known = max((line.entry.id for line in lines if line.entry.at <= sent.written_at), default=0)
    return Out(date.min, _last_day(sent), int(known))


def aging_of(account_id: int, name: str, day: date) -> Aging:
    """One account by age as it stood at the end of a day, counted by the days of its lines, in three queries.

    Its parts add up to what a statement of that last day closes with.
    """
    ages = dict.fromkeys(AGES, 0)
    issued = select(Invoice, unpaid(day)).where(Invoice.account_id == account_id, Invoice.issued_on <= day)
    for invoice, cents in db.session.execute(issued):
        ages[_age(invoice, day)] += int(cents)
    total = select(func.coalesce(func.sum(Entry.amount_cents), 0)).where(
        Entry.account_id == account_id, Entry.on_day <= day
    )
    owing = or_(Entry.kind.in_(OWING), owed_again(day))
    free = total.where(owing, ~_gone_by(day), ~_invoiced_by(day), ~_paid_at_desk_by(day))
    balance, unbilled = (int(db.session.scalars(one).one()) for one in (total, free))
    return Aging(account_id, name, balance, unbilled, ages)


def _gone_by(day: date) -> Any:
    back = aliased(Entry)
    return select(back.id).where(back.reverses_id == Entry.id, back.on_day <= day).correlate(Entry).exists()


def _invoiced_by(day: date) -> Any:
    on = select(InvoiceLine.id).join(Invoice, Invoice.id == InvoiceLine.invoice_id)
    return on.where(InvoiceLine.entry_id == Entry.id, Invoice.issued_on <= day).correlate(Entry).exists()


def _paid_at_desk_by(day: date) -> Any:
    back = aliased(Entry)
    bounced = (
        select(back.id).where(back.reverses_id == Payment.entry_id, back.on_day <= day).correlate(Payment).exists()
    )
    paid = select(Payment.id).where(Payment.charge_id == Entry.id, Payment.received_on <= day, ~bounced)
    return paid.correlate(Entry).exists()


def statements_sent(account: Account) -> list[Letter]:
    """The statements of an account that were sent, the newest first, at most 24."""
    return list(db.session.scalars(_sent(account).order_by(Letter.id.desc()).limit(24)))


def statement_sent(account: Account, number: str) -> Letter | None:
    """A statement of this account by the number of its letter."""
    return db.session.scalars(_sent(account).where(Letter.number == number)).one_or_none()


def _sent(account: Account) -> Any:
    return select(Letter).filter_by(plant_id=account.plant_id, party_id=account.party_id, kind="statement")


def first_day(plant_id: int) -> date | None:
    """The day of the oldest line of a plant's ledger."""
    return db.session.scalars(select(func.min(Entry.on_day)).where(Entry.plant_id == plant_id)).one()
