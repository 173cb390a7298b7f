"""The late charge: once for an invoice, dated the day after the last day in time, whenever it is posted."""

from datetime import date, datetime, timedelta

from sqlalchemy import select

from billing.actions.charges import charge_entry
from billing.actions.reversals import reverse_entry
from billing.actions.settle import settle
from billing.models import Account, Entry, Invoice
from billing.queries import entries_of, late_entry, unpaid_cents
from billing.states import EntryKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.fees import late_charge
from ordinances.reader import Law
from ordinances.refusal import Refusal

IN_TIME = "A payment received in time was entered later."


@act("add_late_charge", roles=(Role.CLERK, Role.SYSTEM))
def add_late_charge(invoice: Invoice, *, by: Actor, at: datetime, law: Law) -> Entry | Refusal:
    """Charge what was unpaid of the invoice's own charges at the end of its last day in time (§ 329-2 A(3)(g)).

    ``law`` is the law of the day of issue. Refused: ``not_late_yet``, ``no_late_charge``, ``late_charged`` (once for
    an invoice, also when that charge was reversed), ``nothing_unpaid``.
    """
    plant = db.session.get_one(Plant, invoice.plant_id)
    lock(Account, invoice.account_id)
    if invoice.due_on is None:
        return Refusal("no_late_charge", "The invoice has no last day: the law sets no late charge.", "")
    if at.astimezone(plant.tz).date() <= invoice.due_on:
        last = formats.date_only(invoice.due_on)
        return Refusal("not_late_yet", f"The invoice can be paid in time until the end of {last}.", "")
    if entries_of("invoice", invoice.id):
        return Refusal("late_charged", "The late charge of this invoice was made before; it is made once.", "")
    return _charge(plant, invoice, invoice.due_on, law, "late", by=by, at=at)


def _charge(
    plant: Plant, invoice: Invoice, due_on: date, law: Law, line_code: str, *, by: Actor, at: datetime
) -> Entry | Refusal:
    late = late_charge(law, invoice.issued_on, unpaid_cents(invoice.id, due_on, own=True))
    if isinstance(late, Refusal):
        return late
    account = db.session.get_one(Account, invoice.account_id)
    entry = charge_entry(account, late.line, due_on + timedelta(days=1), kind=EntryKind.LATE, by=by, at=at)
    entry.source_kind, entry.source_id, entry.line_code = "invoice", invoice.id, line_code
    entry.source_label = f"Invoice {invoice.number}"
    db.session.add(entry)
    because(late.line.what, late.line.cite)
    words = formats.money(entry.amount_cents)
    tell_party(
        db.session.get_one(Party, account.party_id), "late_charge", f"Overdue: invoice {invoice.number}, {words} added",
        f"Invoice {invoice.number} was not paid in full by the end of {formats.date_only(due_on)}.\n"
        f"{late.line.what} is {words} ({late.line.cite}). It is added once and will be on your next invoice.",
        at, plant_id=plant.id,
    )  # fmt: skip
    return entry


def correct_late_charges(plant: Plant, account: Account, *, by: Actor, at: datetime) -> None:
    """Take back, or make smaller, late charges that money received in time makes wrong. The account must be locked."""
    query = (
        select(Invoice)
        .join(Entry, (Entry.source_id == Invoice.id) & (Entry.source_kind == "invoice"))
        .where(Invoice.account_id == account.id, Entry.kind == EntryKind.LATE)
        .distinct()
        .order_by(Invoice.id)
    )
    corrected = [_corrected(plant, invoice, by=by, at=at) for invoice in list(db.session.scalars(query))]
    if any(corrected):
        settle(account, at)


def _corrected(plant: Plant, invoice: Invoice, *, by: Actor, at: datetime) -> bool:
    standing = late_entry(invoice.id)
    if standing is None or invoice.due_on is None:
        return False
    unpaid = unpaid_cents(invoice.id, invoice.due_on, own=True)
    law = law_in_force(plant, invoice.issued_on)
    right = late_charge(law, invoice.issued_on, unpaid)
    if not isinstance(right, Refusal) and right.line.cents >= standing.amount_cents:
        return False
    reverse_entry(standing, IN_TIME, by=by, at=at)
    if not isinstance(right, Refusal):
        _charge(plant, invoice, invoice.due_on, law, f"late#{len(entries_of('invoice', invoice.id)) + 1}", by=by, at=at)
    return True
