"""Credits of a charge or of a whole invoice, write-offs, and invoices that are void and made again."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select

from billing.actions.invoices import issue
from billing.actions.late import correct_late_charges, tell_taken_back
from billing.actions.replacing import pass_on, take_back, take_back_anew
from billing.actions.reversals import credit_entry, take_back_rest
from billing.actions.settle import settle
from billing.actions.telling import tell_account
from billing.models import Account, Entry, Invoice
from billing.queries import (
    Unbilled,
    holds_of,
    invoice_lines,
    invoice_with,
    late_entries,
    left_of,
    reversal_of,
    unpaid_cents,
)
from billing.states import ASKED, EntryKind, HoldKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

CREDITED = "A credit or write-off came since."
NO_REASON = Refusal("no_reason", "Enter why this is credited.", "")


@act("credit_charge", roles=(Role.CLERK, Role.SYSTEM))
def credit_charge(
    entry: Entry, cents: int | None, reason: str, *, by: Actor, at: datetime, law: Law
) -> Entry | Refusal:
    """Credit part of an invoiced charge, or (``cents`` None) all that is left of it, dated today.

    The invoice asks for so much less, what was paid for it becomes credit. Refused: ``no_reason``, ``not_a_charge``,
    ``not_invoiced``, ``nothing_left``, ``too_much``, ``amount_not_positive``.
    """
    if not reason.strip():
        return NO_REASON
    account: Account = lock(Account, entry.account_id)
    refused = _cannot_credit(entry, cents)
    if refused is not None:
        return refused
    made = credit_entry(entry, cents if cents is not None else left_of(entry), reason, EntryKind.CREDIT, by=by, at=at)
    _after(account, by=by, at=at)
    _tell(account, made, reason, at)
    return made


def _cannot_credit(entry: Entry, cents: int | None) -> Refusal | None:
    if entry.kind not in ASKED or (entry.kind == EntryKind.REFUND and invoice_with(entry.id) is None):
        return Refusal("not_a_charge", "Only a charge can be credited. Take this line back instead.", "")
    if invoice_with(entry.id) is None:
        why = ("This charge is on no invoice yet: take it back whole, or credit a part once it is invoiced. What was "
               "typed wrong of a load is corrected on its ticket.")  # fmt: skip
        return Refusal("not_invoiced", why, entry.cite)
    left = left_of(entry)
    if left <= 0:
        return Refusal("nothing_left", "Nothing is left of this charge.", entry.cite)
    if cents is not None and cents <= 0:
        return Refusal("amount_not_positive", f"Amount must be more than {formats.money(0)}.", "")
    if cents is not None and cents > left:
        return Refusal("too_much", f"Amount must be {formats.money(left)} or less: no more is left of it.", entry.cite)
    return None


def _after(account: Account, *, by: Actor, at: datetime) -> None:
    plant = db.session.get_one(Plant, account.plant_id)
    settle(account, at)
    correct_late_charges(plant, account, by=by, at=at, why=CREDITED)


def _tell(account: Account, made: Entry, reason: str, at: datetime) -> None:
    amount = formats.money(-made.amount_cents)
    what = ", ".join(part for part in (made.what, made.source_label) if part)
    said = f"{what}: {amount} is credited to you."
    tell_account(account, "credit", f"{amount} credited: {made.what}", said, reason, at)


@act("credit_invoice", roles=(Role.CLERK, Role.SYSTEM))
def credit_invoice(invoice: Invoice, reason: str, *, by: Actor, at: datetime, law: Law) -> list[Entry] | Refusal:
    """Credit all that is left of every line of an invoice; it asks for nothing then. Refused as ``credit_charge``."""
    if not reason.strip():
        return NO_REASON
    account: Account = lock(Account, invoice.account_id)
    left = [entry for entry, _ in invoice_lines(invoice.id) if left_of(entry) > 0]
    if not left:
        return Refusal("nothing_left", "Nothing is left of this invoice.", "")
    made = [credit_entry(entry, left_of(entry), reason, EntryKind.CREDIT, by=by, at=at) for entry in left]
    _after(account, by=by, at=at)
    cents = formats.money(-sum(one.amount_cents for one in made))
    said = f"{cents} is credited to you: all that was left of invoice {invoice.number}."
    tell_account(account, "credit", f"{cents} credited: invoice {invoice.number}", said, reason, at)
    return made


@act("write_off", roles=(Role.CLERK, Role.SYSTEM))
def write_off(invoice: Invoice, reason: str, *, by: Actor, at: datetime, law: Law) -> list[Entry] | Refusal:
    """Give up asking for what is unpaid of an invoice: its lines are written off, the oldest first.

    What is in dispute goes before all others, as money passes it by: it is what is unpaid. Late charges that were
    taken of it before stay. The hauler is told. Money that comes for it later takes the write-off back
    (``record_payment``). Refused: ``no_reason``, ``nothing_unpaid``.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why this is written off.", "")
    account: Account = lock(Account, invoice.account_id)
    unpaid, made = unpaid_cents(invoice.id), []
    if not unpaid:
        return Refusal("nothing_unpaid", "Nothing is unpaid of this invoice.", "")
    lines = [entry for entry, _ in invoice_lines(invoice.id)]
    disputed = {one.entry_id for one in holds_of([entry.id for entry in lines]) if one.kind == HoldKind.DISPUTE}
    for entry in sorted(lines, key=lambda one: one.id not in disputed):
        cents = min(unpaid, left_of(entry))
        if cents > 0:
            made.append(credit_entry(entry, cents, reason, EntryKind.WRITE_OFF, by=by, at=at))
            unpaid -= cents
    settle(account, at)
    gone = formats.money(-sum(one.amount_cents for one in made))
    said = f"{gone} of invoice {invoice.number} is written off: the city asks for it no longer."
    tell_account(account, "written_off", f"{gone} written off: invoice {invoice.number}", said, reason, at)
    return made


@act("void_invoice", roles=(Role.CLERK, Role.SYSTEM))
def void_invoice(
    plant: Plant, invoice: Invoice, reason: str, *, again: bool = True, by: Actor, at: datetime, law: Law
) -> Invoice | Refusal | None:
    """Make an invoice void: its lines are taken back with the reason; ``again`` charges the same on a new invoice.

    Its number stays used, the balance stays as it was where it is made again. A late charge taken of it is taken back.
    What was credited of it goes over to the new one. Money that was paid back and is owed again stays owed: without a
    new invoice it waits for the next. The new invoice is returned, None without one. Refused: ``no_reason``,
    ``already_void``, ``nothing_left``.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why the invoice is void.", "")
    account: Account = lock(Account, invoice.account_id)
    lines = [entry for entry, back in invoice_lines(invoice.id) if back is None]
    if not lines:
        return Refusal("already_void", f"Invoice {invoice.number} is void already.", "")
    if not any(left_of(entry) for entry in lines):
        return Refusal("nothing_left", f"Nothing is left of invoice {invoice.number}: it asks for nothing.", "")
    why = f"Invoice {invoice.number} is void: {reason.strip()}"
    taken = [take_back(entry, why, by=by, at=at, law=law) for entry in lines]
    for entry in late_entries(invoice.id):
        if reversal_of(entry.id) is None:
            left = left_of(entry)
            take_back_rest(entry, why, by=by, at=at)
            if left:
                tell_taken_back(invoice, left, 0, why, at)
    because(reason.strip())
    party = db.session.get_one(Party, account.party_id)
    tell_party(party, "invoice_void", f"Invoice {invoice.number} is void",
               f"Do not pay invoice {invoice.number} any more. It is void: {reason.strip()}", at,
               plant_id=plant.id)  # fmt: skip
    made = []
    for before, entry in zip(taken, lines, strict=True):
        assert not isinstance(before, Refusal)
        if again or entry.kind == EntryKind.REFUND:
            made.append(_again(entry, by=by, at=at))
            pass_on(before, made[-1:], by=by, at=at)
        else:
            take_back_anew(before.credits, why, by=by, at=at, law=law)
    if not again:
        return None
    waiting = Unbilled(account.id, party.id, party.name, tuple(made))
    return issue(plant, account, party, waiting, replaces=invoice, at=at, law=law)


def _again(entry: Entry, *, by: Actor, at: datetime) -> Entry:
    """The same charge once more, as it was priced and for the same day, for the invoice in place of a void one.

    It is dated today, as what takes the other back is: so an earlier day has one of the two.
    """
    same = (
        "plant_id", "account_id", "kind", "code", "what", "quantity", "unit", "unit_price", "amount_cents",
        "cite", "reading", "law_version", "source_kind", "source_id", "source_label", "how", "reason",
    )  # fmt: skip
    base = (entry.line_code or entry.code).split("#")[0]
    today = at.astimezone(db.session.get_one(Plant, entry.plant_id).tz).date()
    made = Entry(**{name: getattr(entry, name) for name in same}, at=at, by_name=by.name, on_day=today,
                 for_day=entry.day if entry.kind != EntryKind.REFUND and entry.day != today else None,
                 line_code=f"{base}#{len(_made(entry, base)) + 1}")  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


def _made(entry: Entry, base: str) -> Sequence[int]:
    query = select(Entry.id).filter_by(source_kind=entry.source_kind, source_id=entry.source_id)
    return db.session.scalars(query.where((Entry.line_code == base) | Entry.line_code.like(f"{base}#%"))).all()
