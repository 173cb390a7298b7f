"""Deposits haulers leave, and what was drawn on them.

A draw is a pair of lines for each invoice it pays: a credit of the deposit, and a charge that has it left anew. The
credit names the invoice by its source and the charge by its line code.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import aliased

from billing.models import Entry, Invoice, InvoiceLine
from billing.ports import of_loads
from billing.queries.accounts import entries_of, reversal_of
from billing.states import EntryKind
from office.db import db
from office.law import law_in_force
from office.plants import Plant
from ordinances.reader import NoLaw
from ordinances.schedule_words import deposit_codes

# The source of a credit that draws on a deposit, and the unit of the charge that has it left anew.
DRAWN, ANEW = "drawn", "deposit drawn on"


def is_deposit(plant: Plant, entry: Entry) -> bool:
    """Whether a charge is a deposit by the law it was left under, whatever the law says today."""
    if entry.kind != EntryKind.CHARGE or entry.source_kind in of_loads():
        return False
    if entry.unit == ANEW:
        return True
    try:
        return entry.code in deposit_codes(law_in_force(plant, entry.day), entry.day)
    except NoLaw:
        return False


def deposits_among(plant: Plant, entries: Iterable[Entry]) -> set[int]:
    """The ids of those charges that are deposits."""
    return {one.id for one in entries if is_deposit(plant, one)}


def left_anew(credit: Entry) -> Entry | None:
    """The charge that stands for what a draw has left anew; None for any other credit, or where it was taken back."""
    if credit.source_kind != DRAWN:
        return None
    first = db.session.get_one(Entry, int((credit.line_code or "").split("#")[0]))
    assert first.source_kind is not None
    assert first.source_id is not None
    base = (first.line_code or "").split("#")[0]
    for one in entries_of(first.source_kind, first.source_id, first.account_id):
        if (one.line_code or "").split("#")[0] == base and reversal_of(one.id) is None:
            return one
    return None


def drawn_for(entry: Entry) -> Invoice | None:
    """The invoice a line of the ledger pays by drawing on a deposit; None for any other line."""
    return db.session.get(Invoice, entry.source_id) if entry.source_kind == DRAWN else None


def draws(account_id: int) -> list[Any]:
    """(invoice of the deposit, invoice it pays, cents, day, day it was taken back) of an account's draws."""
    return list(db.session.execute(_draws(), {"account": account_id}))


@cache
def _draws() -> Any:
    back = aliased(Entry)
    return (
        select(InvoiceLine.invoice_id, Entry.source_id, -Entry.amount_cents, Entry.on_day, back.on_day)
        .join(InvoiceLine, InvoiceLine.entry_id == Entry.credits_id)
        .outerjoin(back, back.reverses_id == Entry.id)
        .where(Entry.account_id == bindparam("account"), Entry.source_kind == DRAWN)
        .order_by(Entry.id)
    )
