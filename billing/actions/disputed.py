"""What is in dispute of an account's invoices, as steps of the replay that spreads payments."""

from collections import defaultdict
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import aliased

from billing.actions.spread import Step
from billing.models import ChargeHold, Entry, FeeDispute, Invoice, InvoiceLine
from billing.states import HoldKind
from office.db import db


def disputed_steps(account_id: int) -> list[Step]:
    """How much more or less of each invoice is in dispute from a day on: what is left of the lines at issue then."""
    given = {"account": account_id}
    spans: dict[int, list[tuple[date, date | None]]] = defaultdict(list)
    lines: dict[int, tuple[int, date, int]] = {}
    for invoice, issued, entry, cents, since, until in db.session.execute(_held(), given):
        lines[entry] = invoice, issued, cents
        spans[entry].append((max(since, issued), until))
    if not lines:
        return []
    off: dict[int, list[tuple[date, int]]] = defaultdict(list)
    for query in _off():
        for entry, day, cents in db.session.execute(query, {"entries": list(lines)}):
            off[entry].append((day, cents))
    return [step for entry, line in lines.items() for step in _of_line(*line, spans[entry], off[entry])]


def _of_line(
    invoice: int, issued: date, cents: int, spans: list[tuple[date, date | None]], off: list[tuple[date, int]]
) -> list[Step]:
    steps, before = [], 0
    days = {issued, *(day for span in spans for day in span if day is not None), *(day for day, _ in off)}
    for day in sorted(one for one in days if one >= issued):
        doubted = any(since <= day and (until is None or day < until) for since, until in spans)
        now = cents + sum(less for on, less in off if on <= day) if doubted else 0
        if now != before:
            steps.append(Step(day, now - before, invoice=invoice, disputed=True))
        before = now
    return steps


@cache
def _held() -> Any:
    """(invoice, its day, line, its cents, in dispute since, until) of an account. Built once."""
    release = aliased(ChargeHold)
    query: Any = select(Invoice.id, Invoice.issued_on, Entry.id, Entry.amount_cents)
    return (
        query.add_columns(func.coalesce(FeeDispute.asked_on, ChargeHold.on_day), release.on_day)
        .join(InvoiceLine, InvoiceLine.invoice_id == Invoice.id)
        .join(Entry, Entry.id == InvoiceLine.entry_id)
        .join(ChargeHold, ChargeHold.entry_id == Entry.id)
        .outerjoin(FeeDispute, FeeDispute.id == ChargeHold.dispute_id)
        .outerjoin(release, release.releases_id == ChargeHold.id)
        .where(Invoice.account_id == bindparam("account"))
        .where(ChargeHold.kind == HoldKind.DISPUTE, ChargeHold.releases_id.is_(None))
        .order_by(Entry.id, ChargeHold.id)
    )


@cache
def _off() -> tuple[Any, ...]:
    """(line, day, cents) of what took lines back, of what credits them, and of what took a credit back. Built once."""
    credit, undone = aliased(Entry), aliased(Entry)
    entries: Any = bindparam("entries", expanding=True)
    return (
        select(Entry.reverses_id, Entry.on_day, Entry.amount_cents).where(Entry.reverses_id.in_(entries)),
        select(credit.credits_id, credit.on_day, credit.amount_cents).where(credit.credits_id.in_(entries)),
        select(credit.credits_id, undone.on_day, undone.amount_cents)
        .join(credit, credit.id == undone.reverses_id)
        .where(credit.credits_id.in_(entries)),
    )
