"""Bring the stored spread of an account's payments up to what its history says. Rows are only added."""

from collections import defaultdict
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import aliased

from billing.actions.disputed import disputed_steps
from billing.actions.spread import Drawn, Moves, Step, spread
from billing.models import Account, Allocation, Entry, Invoice, InvoiceLine, Payment, SpreadChoice
from billing.queries import refunds_of
from billing.queries.deposits import draws
from office.db import db


def settle(account: Account, at: datetime) -> set[int]:
    """Write what the spread lacks; the ids of the invoices it changed. The account must be locked."""
    db.session.flush()
    wanted, held = spread(_steps(account.id), _choices(account.id), _drawn(account.id)), _held(account.id)
    changed = set()
    for key in sorted(wanted.keys() | held.keys()):
        lacking = wanted.get(key, 0) - held.get(key, 0)
        if lacking:
            payment_id, invoice_id, day = key
            db.session.add(
                Allocation(plant_id=account.plant_id, payment_id=payment_id, invoice_id=invoice_id, on_day=day,
                           amount_cents=lacking, written_at=at)
            )  # fmt: skip
            changed.add(invoice_id)
    db.session.flush()
    return changed


# What is asked at every act is built once (CONTRIBUTING.md, Questions asked often).
_ACCOUNT: Any = bindparam("account")


def _asked(query: Any, account_id: int) -> Any:
    return db.session.execute(query, {"account": account_id})


def _held(account_id: int) -> Moves:
    return {(row[0], row[1], row[2]): int(row[3]) for row in _asked(_held_query(), account_id)}


@cache
def _held_query() -> Any:
    return (
        select(Allocation.payment_id, Allocation.invoice_id, Allocation.on_day, func.sum(Allocation.amount_cents))
        .join(Payment, Payment.id == Allocation.payment_id)
        .where(Payment.account_id == _ACCOUNT)
        .group_by(Allocation.payment_id, Allocation.invoice_id, Allocation.on_day)
    )


def _choices(account_id: int) -> dict[int, list[tuple[int, int]]]:
    """(invoice, cents) by payment as the clerk chose last."""
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for payment_id, invoice_id, cents in _asked(_choices_query(), account_id):
        found[payment_id].append((invoice_id, cents))
    return found


@cache
def _choices_query() -> Any:
    newer = aliased(SpreadChoice)
    later = select(newer.id).where(newer.payment_id == SpreadChoice.payment_id, newer.turn > SpreadChoice.turn)
    return (
        select(SpreadChoice.payment_id, SpreadChoice.invoice_id, SpreadChoice.amount_cents)
        .join(Payment, Payment.id == SpreadChoice.payment_id)
        .where(Payment.account_id == _ACCOUNT, ~later.exists(), SpreadChoice.invoice_id.is_not(None))
        .order_by(SpreadChoice.payment_id, SpreadChoice.id)
    )


def _steps(account_id: int, *, kept: bool = False) -> list[Step]:
    return _invoiced(account_id) + disputed_steps(account_id) + _received(account_id, kept=kept)


def _drawn(account_id: int) -> list[Drawn]:
    """What was drawn on deposits, and what of that was taken back."""
    found = []
    for of, to, cents, day, taken_back in draws(account_id):
        found.append(Drawn(day, cents, of, to))
        if taken_back:
            found.append(Drawn(taken_back, cents, to, of, back=True))
    return found


def _invoiced(account_id: int) -> list[Step]:
    """What each invoice asks for, and what was taken back of it later."""
    issued, *others = _invoiced_queries()
    steps = [Step(day, cents, invoice=ident) for ident, day, cents in _asked(issued, account_id)]
    taken: dict[tuple[int, date], int] = defaultdict(int)
    for ident, issued_on, day, cents in (row for query in others for row in _asked(query, account_id)):
        taken[(ident, max(day, issued_on))] += cents
    return steps + [Step(day, cents, invoice=ident) for (ident, day), cents in taken.items()]


@cache
def _invoiced_queries() -> tuple[Any, ...]:
    """What was issued; what was taken back of it, credited, and credits that were taken back."""
    issued = select(Invoice.id, Invoice.issued_on, Invoice.total_cents).where(Invoice.account_id == _ACCOUNT)
    back = aliased(Entry)
    gone = (
        select(InvoiceLine.invoice_id, Invoice.issued_on, back.on_day, back.amount_cents)
        .join(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .join(back, back.reverses_id == InvoiceLine.entry_id)
        .where(Invoice.account_id == _ACCOUNT)
    )
    credit, undone = aliased(Entry), aliased(Entry)
    credited = (
        select(InvoiceLine.invoice_id, Invoice.issued_on, credit.on_day, credit.amount_cents)
        .join(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .join(credit, credit.credits_id == InvoiceLine.entry_id)
        .where(Invoice.account_id == _ACCOUNT)
    )
    restored = (
        select(InvoiceLine.invoice_id, Invoice.issued_on, undone.on_day, undone.amount_cents)
        .join(Invoice, Invoice.id == InvoiceLine.invoice_id)
        .join(credit, credit.credits_id == InvoiceLine.entry_id)
        .join(undone, undone.reverses_id == credit.id)
        .where(Invoice.account_id == _ACCOUNT)
    )
    return issued, gone, credited, restored


def kept_cents(account_id: int, invoice_id: int, end_of: date) -> int:
    """What was paid of an invoice at the end of a day in money that was not taken back since, as a bounced check is.

    Counted as that money lay then, so that only what the bounced one had paid is unpaid; or, where that is more, as it
    would have lain had the bounced one never come: credit that lay free would have paid it.
    """
    moves = spread(_steps(account_id, kept=True), _choices(account_id), _drawn(account_id))
    without = sum(cents for (_, invoice, day), cents in moves.items() if invoice == invoice_id and day <= end_of)
    lay = int(db.session.scalars(_kept_query(), {"invoice": invoice_id, "end_of": end_of}).one())
    return max(without, lay)


@cache
def _kept_query() -> Any:
    back = aliased(Entry)
    gone = select(back.id).where(back.reverses_id == Payment.entry_id).correlate(Payment).exists()
    return (
        select(func.coalesce(func.sum(Allocation.amount_cents), 0))
        .join(Payment, Payment.id == Allocation.payment_id)
        .where(Allocation.invoice_id == bindparam("invoice"), Allocation.on_day <= bindparam("end_of"), ~gone)
    )


def _received(account_id: int, *, kept: bool = False) -> list[Step]:
    """What each payment brings, less what it paid at the desk, until it is itself taken back.

    ``kept``: only of payments that were not taken back.
    """
    steps, refunded = [], _refunded(account_id)
    for ident, day, cents, gone_on, desk_cents, desk_gone_on in _asked(_received_query(), account_id):
        if kept and gone_on:
            continue
        mine = [Step(day, cents - (desk_cents or 0), payment=ident), *refunded[ident]]
        if desk_cents and desk_gone_on:
            mine.append(Step(max(desk_gone_on, day), desk_cents, payment=ident))
        if gone_on:
            # Nothing of it is left from then on, whatever else is taken back later.
            last = max(gone_on, day)
            mine = [one for one in mine if one.day <= last]
            mine.append(Step(last, -sum(one.cents for one in mine), payment=ident))
        steps += mine
    return steps


@cache
def _received_query() -> Any:
    paid, back, charge, charge_back = aliased(Entry), aliased(Entry), aliased(Entry), aliased(Entry)
    query: Any = (
        select(Payment.id, Payment.received_on, -paid.amount_cents, back.on_day)
        .add_columns(charge.amount_cents, charge_back.on_day)
        .join(paid, paid.id == Payment.entry_id)
        .outerjoin(back, back.reverses_id == paid.id)
        .outerjoin(charge, charge.id == Payment.charge_id)
        .outerjoin(charge_back, charge_back.reverses_id == charge.id)
        .where(Payment.account_id == _ACCOUNT)
    )
    return query


def _refunded(account_id: int) -> dict[int | None, list[Step]]:
    """By payment what was paid back of it, and what of that was taken back."""
    steps: dict[int | None, list[Step]] = defaultdict(list)
    for refund, taken_back in refunds_of(account_id):
        mine = steps[refund.source_id]
        mine.append(Step(refund.on_day, -refund.amount_cents, payment=refund.source_id))
        if taken_back:
            mine.append(Step(max(taken_back, refund.on_day), refund.amount_cents, payment=refund.source_id))
    return steps
