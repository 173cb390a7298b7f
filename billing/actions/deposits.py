"""Draw on a deposit for what is overdue, and have it left anew, where a town asks deposits of haulers."""

from datetime import date, datetime
from decimal import Decimal

from billing.actions.charges import post_charges
from billing.actions.late import correct_late_charges
from billing.actions.reversals import credit_entry
from billing.actions.settle import settle
from billing.actions.telling import tell_account
from billing.models import Account, Entry, Invoice
from billing.queries import entries_of, invoice_lines, invoice_with, left_of, open_invoices, unpaid_cents
from billing.queries.deposits import ANEW, deposits_among, is_deposit
from billing.queries.holds import holds_of
from billing.states import EntryKind, HoldKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.plants import Plant
from ordinances.fee_line import FeeLine
from ordinances.reader import Law
from ordinances.refusal import Refusal

DRAWN = "A deposit was drawn on since."


@act("draw_deposit", roles=(Role.CLERK,))
def draw_deposit(entry: Entry, reason: str, *, by: Actor, at: datetime, law: Law) -> list[Entry] | Refusal:
    """Pay what of an account's invoices is overdue out of a deposit, as far as both go, and charge as much anew.

    Each overdue invoice, the oldest first, is paid by a credit of the deposit, and a charge makes that whole again: the
    pair is taken back together. What is in dispute, not due yet, a deposit that has to be left anew or on no invoice
    is not drawn for. The new charges are returned. Refused: ``no_reason``, ``not_a_deposit``, ``deposit_unpaid``,
    ``nothing_owed``, and as by ``post_charges``.
    """
    account: Account = lock(Account, entry.account_id)
    plant = db.session.get_one(Plant, account.plant_id)
    refused = _cannot_draw(plant, entry, reason)
    if refused is not None:
        return refused
    left, made = left_of(entry), list[Entry]()
    for invoice, cents in overdue(plant, account.id, at.astimezone(plant.tz).date()):
        part = min(left, cents)
        anew = _pair(plant, account, entry, invoice, part, reason, by=by, at=at, law=law) if part else None
        if isinstance(anew, Refusal):
            return anew
        made += [anew] if anew else []
        left -= part
    if not made:
        return Refusal("nothing_owed", "Nothing is overdue that the deposit could pay.", entry.cite)
    settle(account, at)
    correct_late_charges(plant, account, by=by, at=at, why=DRAWN)
    _tell(account, entry, sum(one.amount_cents for one in made), reason, at)
    return made


def _cannot_draw(plant: Plant, entry: Entry, reason: str) -> Refusal | None:
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is drawn on.", "")
    if not is_deposit(plant, entry):
        return Refusal("not_a_deposit", "Only a deposit can be drawn on.", "")
    invoice = invoice_with(entry.id)
    if invoice is None or unpaid_cents(invoice.id):
        return Refusal("deposit_unpaid", "This deposit is not paid itself: there is nothing to draw on.", entry.cite)
    return None


def overdue(plant: Plant, account_id: int, today: date) -> list[tuple[Invoice, int]]:
    """(invoice, cents) a deposit may be drawn on for, the oldest first: unpaid of invoices past their last day.

    What is unpaid counts as of lines in dispute and of deposits first. An invoice without a last day is due at once.
    """
    found = [(one, _for_deposit(plant, one, cents)) for one, cents in open_invoices(plant.id, account_id)
             if one.due_on is None or one.due_on < today]  # fmt: skip
    return [(one, cents) for one, cents in found if cents]


def _for_deposit(plant: Plant, invoice: Invoice, unpaid: int) -> int:
    lines = [entry for entry, _ in invoice_lines(invoice.id)]
    disputed = {one.entry_id for one in holds_of([entry.id for entry in lines]) if one.kind == HoldKind.DISPUTE}
    kept = disputed | deposits_among(plant, lines)
    return max(0, unpaid - sum(left_of(one) for one in lines if one.id in kept))


def _pair(
    plant: Plant, account: Account, entry: Entry, invoice: Invoice, cents: int, reason: str, *, by: Actor,
    at: datetime, law: Law,
) -> Entry | Refusal:  # fmt: skip
    """As much of the deposit again as one invoice takes, under its own section, and what is drawn of it for that."""
    amount = Decimal(cents) / 100
    line = FeeLine(entry.code, entry.what, Decimal(1), ANEW, amount, amount, entry.cite, entry.reading,
                   entry.law_version or law.version)  # fmt: skip
    assert entry.source_kind is not None
    assert entry.source_id is not None
    known = [one for one in entries_of(entry.source_kind, entry.source_id, account.id) if one.code == entry.code]
    made = post_charges(plant, account.party_id, [line], entry.source_kind, entry.source_id,
                        at.astimezone(plant.tz).date(), part=1 + len(known), label=entry.source_label, by=by, at=at,
                        law=law)  # fmt: skip
    if isinstance(made, Refusal):
        return made
    credit_entry(entry, cents, reason, EntryKind.CREDIT, drawn=(invoice.id, str(made[0].id)), by=by, at=at)
    return made[0]


def _tell(account: Account, entry: Entry, cents: int, reason: str, at: datetime) -> None:
    amount = formats.money(cents)
    said = (f"{amount} of your deposit ({entry.source_label}) pays what was overdue. It has to be left anew "
            f"({entry.cite}).")  # fmt: skip
    tell_account(account, "deposit_drawn", f"{amount} is drawn on your deposit", said, reason, at)
