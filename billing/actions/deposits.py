"""Draw on a deposit for what is not paid, and have it left anew, where a town asks deposits of haulers."""

from datetime import date, datetime
from decimal import Decimal

from billing.actions.charges import post_charges
from billing.actions.credits import credit_charge
from billing.models import Account, Entry, Invoice
from billing.queries import entries_of, invoice_lines, invoice_with, left_of, open_invoices, unpaid_cents
from billing.queries.holds import holds_of
from billing.states import HoldKind
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.law import law_in_force
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.fee_line import FeeLine
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_words import deposit_codes


@act("draw_deposit", roles=(Role.CLERK,))
def draw_deposit(entry: Entry, reason: str, *, by: Actor, at: datetime, law: Law) -> Entry | Refusal:
    """Pay what of an account's invoices is overdue out of a deposit, as far as both go, and charge as much anew.

    The deposit is credited, which pays the oldest that is unpaid and not in dispute; the new charge makes it whole
    again. What is in dispute, not due yet or on no invoice is not drawn for, nor a deposit that has to be left anew.
    Refused: ``not_a_deposit``, ``deposit_unpaid``, ``nothing_owed``, and as by ``credit_charge``.
    """
    account: Account = lock(Account, entry.account_id)
    plant = db.session.get_one(Plant, account.plant_id)
    if entry.code not in deposit_codes(law_in_force(plant, entry.day), entry.day):
        return Refusal("not_a_deposit", "Only a deposit can be drawn on.", "")
    invoice = invoice_with(entry.id)
    if invoice is None or unpaid_cents(invoice.id):
        return Refusal("deposit_unpaid", "This deposit is not paid itself: there is nothing to draw on.", entry.cite)
    cents = min(left_of(entry), overdue_cents(plant, account.id, at.astimezone(plant.tz).date()))
    if cents <= 0:
        return Refusal("nothing_owed", "Nothing is overdue that the deposit could pay.", entry.cite)
    drawn = credit_charge(entry, cents, reason, by=by, at=at, law=law)
    if isinstance(drawn, Refusal):
        return drawn
    return _anew(plant, account, entry, cents, by=by, at=at, law=law)


def overdue_cents(plant: Plant, account_id: int, today: date) -> int:
    """What a deposit may be drawn on for: unpaid of invoices past their last day, in cents.

    What is unpaid counts as of lines in dispute and of deposits first. An invoice without a last day is due at once.
    """
    found = open_invoices(plant.id, account_id)
    return sum(_for_deposit(plant, one, cents) for one, cents in found if one.due_on is None or one.due_on < today)


def _for_deposit(plant: Plant, invoice: Invoice, unpaid: int) -> int:
    lines = [entry for entry, _ in invoice_lines(invoice.id)]
    disputed = {one.entry_id for one in holds_of([entry.id for entry in lines]) if one.kind == HoldKind.DISPUTE}
    deposits = deposit_codes(law_in_force(plant, invoice.issued_on), invoice.issued_on)
    kept = [one for one in lines if one.id in disputed or one.code in deposits]
    return max(0, unpaid - sum(left_of(one) for one in kept))


def _anew(
    plant: Plant, account: Account, entry: Entry, cents: int, *, by: Actor, at: datetime, law: Law
) -> Entry | Refusal:
    """As much of the deposit again, under its own section."""
    amount = Decimal(cents) / 100
    line = FeeLine(entry.code, entry.what, Decimal(1), "deposit drawn on", amount, amount, entry.cite, entry.reading,
                   law.version)  # fmt: skip
    assert entry.source_kind is not None
    assert entry.source_id is not None
    known = [one for one in entries_of(entry.source_kind, entry.source_id, account.id) if one.code == entry.code]
    today = at.astimezone(plant.tz).date()
    made = post_charges(plant, account.party_id, [line], entry.source_kind, entry.source_id, today,
                        part=1 + len(known), label=entry.source_label, by=by, at=at, law=law)  # fmt: skip
    if isinstance(made, Refusal):
        return made
    said = formats.money(cents)
    tell_party(db.session.get_one(Party, account.party_id), "deposit_drawn", f"{said} is drawn on your deposit",
               f"{said} of your deposit ({entry.source_label}) pays what was unpaid. It has to be left anew "
               f"({entry.cite}).", at, plant_id=plant.id)  # fmt: skip
    return made[0]
