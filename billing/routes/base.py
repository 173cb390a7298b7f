"""What the money pages share: the blueprint, and one record of this plant or "not found"."""

from datetime import date
from itertools import groupby
from typing import Any

from flask import Blueprint, abort, request

from billing import queries
from billing.actions.documents import group_title, line_words
from billing.models import Account, Entry, Invoice
from office import formats
from office.db import db
from office.exports import kept_since
from office.letters import Letter
from office.pages import Page
from ordinances.refusal import Refusal

bp = Blueprint("billing", __name__)
CHOOSE = "Open the statement anew and choose its days there."


def letter_of(letter_id: int | None) -> Letter | None:
    """The frozen document of a row, if it has one."""
    return db.session.get(Letter, letter_id) if letter_id is not None else None


def account_here(here: Page, account_id: int) -> Account:
    """An account of this plant, or "not found"."""
    account = db.session.get(Account, account_id)
    if account is None or account.plant_id != here.plant.id:
        abort(404)
    return account


def my_account(here: Page) -> Account | None:
    """The account of the party the person stands for; none before anything was charged."""
    return queries.account_of(here.plant.id, here.by.party_id) if here.by.party_id is not None else None


def my_invoice(here: Page, number: str) -> Invoice:
    """An invoice of the person's own party, or "not found"."""
    invoice, account = queries.invoice_named(here.plant.id, number), my_account(here)
    if invoice is None or account is None or invoice.account_id != account.id:
        abort(404)
    return invoice


def invoice_here(here: Page, number: str) -> Invoice:
    """An invoice of this plant, or "not found"."""
    return queries.invoice_named(here.plant.id, number) or abort(404)


def shown_invoice(here: Page, invoice: Invoice) -> dict[str, Any]:
    """What the invoice page shows: the invoice today, its lines by day and source, what was paid, the late charge."""
    lines = queries.invoice_lines(invoice.id)
    groups = [
        (title, [(line_words(entry) | {"how": entry.how}, entry.reading, back) for entry, back in group])
        for title, group in groupby(lines, lambda line: group_title(line[0]))
    ]
    before, after = queries.replacing(invoice)
    return {
        "before": before, "after": after,
        "taken_back": sum(back.amount_cents for _entry, back in lines if back is not None),
        "view": queries.invoice_view(invoice, here.today), "groups": groups,
        "parts_paid": queries.paid_parts(invoice.id), "lates": _lates(invoice),
        "credits": queries.credited(invoice.id),
        "balance": queries.balance_cents(invoice.account_id), "letter": letter_of(invoice.letter_id),
    }  # fmt: skip


def _lates(invoice: Invoice) -> list[tuple[Entry, int, Invoice | None]]:
    """The late charges of an invoice of which something is left: how much, and the invoice that asks for it."""
    found = [(one, queries.left_of(one), queries.invoice_with(one.id)) for one in queries.late_entries(invoice.id)]
    return [one for one in found if one[1]]


def days_kept(here: Page) -> tuple[date, date]:
    """The first and the last day a statement may be of: from when something is kept, to the end of this year."""
    return kept_since(here.plant, queries.first_day(here.plant.id)), here.today.replace(month=12, day=31)


def days_asked(here: Page, kept: tuple[date, date]) -> tuple[date, date] | Refusal:
    """The days asked for, without any this year until today. Refused: ``wrong_days``, as those not ``kept``."""
    (since, until), today = kept, here.today
    asked = {name: request.args.get(name, "").strip()[:80] for name in ("from", "to")}
    try:
        first = date.fromisoformat(asked["from"]) if asked["from"] else today.replace(month=1, day=1)
        last = date.fromisoformat(asked["to"]) if asked["to"] else today
    except ValueError:
        why = f"There are no days from “{asked['from']}” to “{asked['to']}”."
        return Refusal("wrong_days", why, "", next_step=CHOOSE)
    if not since <= first <= today:
        why = f"From must be {formats.date_only(since)} to {formats.date_only(today)}: of earlier days nothing is kept."
        return Refusal("wrong_days", why, "", next_step=CHOOSE)
    if not first <= last <= until:
        why = f"To must be {formats.date_only(first)} to {formats.date_only(until)}."
        return Refusal("wrong_days", why, "", next_step=CHOOSE)
    return first, last
