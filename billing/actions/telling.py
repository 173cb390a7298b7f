"""What a hauler is told when the clerk changes what is owed: each act tells it once, with the reason.

Money that comes in is told by its receipt, what a load comes to by its ticket, an invoice by itself; a late charge that
follows from another change is told by itself, as it has a letter of its own.
"""

from datetime import datetime

from billing.actions.documents import balance_words
from billing.models import Account, Entry
from billing.queries import invoice_with
from billing.queries.deposits import drawn_for
from billing.states import RECEIVED, EntryKind
from office import formats
from office.db import db
from office.notices import tell_party
from office.people import Party


def tell_account(account: Account, kind: str, subject: str, said: str, reason: str, at: datetime) -> None:
    """One notice to the hauler of an account: what changed, why, and what is owed after it."""
    tell_party(
        db.session.get_one(Party, account.party_id), kind, subject,
        f"{said}\nWhy: {reason.strip()}\n{balance_words(account.id, 'this')}", at, plant_id=account.plant_id,
    )  # fmt: skip


def tell_line_back(entry: Entry, left: int, reason: str, at: datetime) -> None:
    """Tell that the clerk took back a line of which some cents were left; of one that came to nothing, nothing."""
    cents = left if entry.amount_cents > 0 else -entry.amount_cents
    if cents:
        account = db.session.get_one(Account, entry.account_id)
        amount = formats.money(cents)
        tell_account(account, "taken_back", f"Taken back: {entry.what}, {amount}", _said(entry, amount), reason, at)


def _said(entry: Entry, amount: str) -> str:
    what = ", ".join(part for part in (entry.what, entry.source_label) if part)
    if entry.kind in RECEIVED or (entry.kind == EntryKind.CREDIT and entry.credits_id is None):
        return f"{what}, {amount}, is taken back: what it paid is owed again."
    if entry.kind == EntryKind.REFUND:
        return f"{what}, {amount}, is taken back: it counts as your credit again."
    if entry.credits_id is None:
        return f"{what}: {amount} is taken back. You do not owe it; what you paid for it is your credit."
    invoice = drawn_for(entry)
    if invoice is not None:
        return (f"{amount} was drawn on your deposit ({entry.source_label}) for invoice {invoice.number}. That is "
                "taken back: the invoice asks for it again, and nothing has to be left anew.")  # fmt: skip
    charge = db.session.get_one(Entry, entry.credits_id)
    asks = invoice_with(charge.id)
    where = f" on invoice {asks.number}" if asks is not None else ""
    return f"{what}: {amount} is taken back, and is owed again{where}."
