"""Record money received: spread over invoices, or for one charge paid at the desk."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from sqlalchemy import func, select

from billing.actions.charges import locked_account, post_charges
from billing.actions.documents import set_against, write_receipt
from billing.actions.kept_credit import RECEIPT
from billing.actions.late import SET, SPREAD, correct_late_charges, make_late_again
from billing.actions.reinstating import reinstate
from billing.actions.reversals import reverse_entry
from billing.actions.settle import settle
from billing.models import Account, Entry, Invoice, Payment, SpreadChoice
from billing.queries import (
    asked_cents,
    first_charge_day,
    invoice_with,
    left_of,
    refunded_cents,
    reversal_of,
    same_check,
    waiting,
)
from billing.states import METHOD_WORDS, EntryKind, Method
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.fee_line import FeeLine
from ordinances.pricing import event_lines
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_law import schedule_of

# Money entered so long after it came in is a slip of the year.
LONG = timedelta(days=366)


@act("record_payment", roles=(Role.CLERK, Role.SYSTEM))
def record_payment(
    plant: Plant,
    account: Account,
    cents: int,
    method: str,
    reference: str,
    received_on: date,
    *,
    ahead: bool = False,
    another: str = "",
    by: Actor,
    at: datetime,
    law: Law,
) -> Payment | Refusal:
    """Record a payment and spread it over the oldest unpaid invoices first; what is left stays as credit.

    What is in dispute of an invoice is passed by until that has ended, unless the clerk chooses otherwise.

    What is more than the account owes takes back what was written off before, as far as it pays that.

    Paid ``ahead``, such as for a book of tickets, it is a deposit: charges draw it down as they are invoiced.
    ``received_on`` is the day the money came in, which decides whether it was in time; a late charge it makes wrong is
    taken back. It may be before the first charge, as of what was paid ahead and entered after it. Refused:
    ``amount_not_positive``, ``date_in_future``, ``too_long_ago`` (more than a year), ``method_unknown``, and
    ``number_used`` where a check of that number stands already, unless ``another`` says why this is another payment.
    """
    refusal = _cannot_receive(plant, cents, method, received_on, at)
    if refusal:
        return refusal
    account = lock(Account, account.id)
    refusal = _number_used(account, cents, (method, reference), another)
    if refusal:
        return refusal
    payment = _received(plant, account, cents, (method, reference), received_on, ahead=ahead, by=by, at=at)
    because(another.strip() or None)
    settle(account, at)
    again = [] if ahead else reinstate(account, payment, by=by, at=at)
    correct_late_charges(plant, account, by=by, at=at)
    payment.letter_id = write_receipt(plant, account, payment, cents, at, again=again).id
    return payment


@act("charge_and_pay", roles=(Role.CLERK, Role.SYSTEM))
def charge_and_pay(
    plant: Plant,
    party_id: int,
    line: FeeLine,
    source_kind: str,
    source_id: int,
    method: str,
    reference: str,
    received_on: date,
    *,
    label: str = "",
    another: str = "",
    by: Actor,
    at: datetime,
    law: Law,
) -> Payment | Refusal:
    """Charge something that is paid at the desk at once, such as a filing fee: charge, payment and receipt.

    The charge is on no invoice and the payment is no credit, as long as neither is reversed. Refused: as
    ``record_payment``, and ``already_charged``.
    """
    refusal = _cannot_receive(plant, line.cents, method, received_on, at)
    if refusal:
        return refusal
    account = locked_account(plant, party_id, by=by, at=at)
    posted = post_charges(plant, party_id, [line], source_kind, source_id, received_on, label=label, by=by, at=at,
                          law=law)  # fmt: skip
    if isinstance(posted, Refusal):
        return posted
    refusal = _number_used(account, line.cents, (method, reference), another)
    if refusal:
        return refusal
    payment = _received(plant, account, line.cents, (method, reference), received_on, charge=posted[0], by=by, at=at)
    because(another.strip() or None, line.cite)
    payment.letter_id = write_receipt(plant, account, payment, line.cents, at, charge=posted[0]).id
    return payment


@act("pay_charge", roles=(Role.CLERK, Role.SYSTEM))
def pay_charge(
    plant: Plant,
    charge: Entry,
    method: str,
    reference: str,
    received_on: date,
    *,
    another: str = "",
    by: Actor,
    at: datetime,
    law: Law,
) -> Payment | Refusal:
    """Record money for one charge that still stands after its first payment was taken back, in what is left of it.

    While the charge is on no invoice the payment is for it alone; once invoiced it counts as any payment does, for the
    oldest unpaid invoice first. Refused: as ``record_payment``, and ``charge_settled`` for one that needs no money.
    """
    account = lock(Account, charge.account_id)
    cents = left_of(charge)
    refusal = _cannot_receive(plant, cents or charge.amount_cents, method, received_on, at)
    refusal = refusal or _too_early(charge.account_id, received_on)
    if refusal:
        return refusal
    if cents and invoice_with(charge.id) is not None:
        return record_payment(plant, account, cents, method, reference, received_on, another=another, by=by, at=at,
                              law=law)  # fmt: skip
    if not waiting(charge.id):
        return Refusal("charge_settled", "This charge is paid or was taken back.", charge.cite)
    refusal = _number_used(account, charge.amount_cents, (method, reference), another)
    if refusal:
        return refusal
    payment = _received(plant, account, charge.amount_cents, (method, reference), received_on, charge=charge, by=by,
                        at=at)  # fmt: skip
    because(another.strip() or None, charge.cite)
    payment.letter_id = write_receipt(plant, account, payment, charge.amount_cents, at, charge=charge).id
    return payment


@act("return_check", roles=(Role.CLERK, Role.SYSTEM))
def return_check(plant: Plant, payment: Payment, reason: str, *, by: Actor, at: datetime, law: Law) -> Entry | Refusal:
    """A check the bank sent back: the payment is taken back, and what the schedule charges for it is charged.

    What was paid back of it went out and stands: it is owed again, on the next invoice.
    Refused: ``not_a_check``, and as ``reverse_entry``.
    """
    if payment.method != Method.CHECK:
        return Refusal("not_a_check", "This payment was not a check. Take it back instead.", "")
    account: Account = lock(Account, payment.account_id)
    entry, paid_back = db.session.get_one(Entry, payment.entry_id), refunded_cents(payment.id)
    back = reverse_entry(entry, reason, by=by, at=at, law=law)
    if isinstance(back, Refusal):
        return back
    today = at.astimezone(plant.tz).date()
    lines = event_lines(schedule_of(law), today, "returned_check") if schedule_of(law).has_items(today) else ()
    posted = post_charges(plant, account.party_id, lines, "payment", payment.id, today,
                          label=f"Receipt {payment.number}", by=by, at=at, law=law)  # fmt: skip
    if isinstance(posted, Refusal):
        return posted
    again = f" So is {formats.money(paid_back)} that was paid back of it." if paid_back else ""
    fee = "".join(f"\n{line.what}: {formats.money(line.cents)} ({line.cite})" for line in lines)
    tell_party(
        db.session.get_one(Party, account.party_id), "check_returned", f"Check returned: receipt {payment.number}",
        f"The bank returned your check of {formats.money(-entry.amount_cents)}: {reason.strip()}\n"
        f"What it paid is owed again.{again}{fee}", at, plant_id=plant.id,
    )  # fmt: skip
    return back


@act("spread_payment", roles=(Role.CLERK, Role.SYSTEM))
def spread_payment(
    plant: Plant, payment: Payment, cents_by_invoice: Mapping[int, int], *, by: Actor, at: datetime, law: Law
) -> Payment | Refusal:
    """Set a payment against the invoices the clerk names, by their ids; the rest still goes to the oldest first.

    An empty choice gives an earlier one up. Late charges follow, smaller and larger.

    Refused: ``too_much`` (more than the payment has left, or than an invoice asks for; ``details`` name the invoice),
    ``amount_not_positive``, ``other_account``, ``taken_back``.
    """
    account: Account = lock(Account, payment.account_id)
    entry = db.session.get_one(Entry, payment.entry_id)
    chosen = {ident: cents for ident, cents in cents_by_invoice.items() if cents}
    if reversal_of(entry.id) is not None:
        return Refusal("taken_back", "This payment was taken back: it pays nothing.", "")
    if any(cents < 0 for cents in chosen.values()):
        return Refusal("amount_not_positive", f"Amount must be {formats.money(0)} or more.", "")
    paid_back = refunded_cents(payment.id)
    if sum(chosen.values()) > (there := -entry.amount_cents - paid_back):
        what = "what was received, less what was paid back of it" if paid_back else "what was received"
        return Refusal("too_much", f"The amounts must come to {formats.money(there)} or less: that is {what}.", "",
                       details={"invoice": next(iter(chosen))})  # fmt: skip
    mine = set(db.session.scalars(select(Invoice.id).where(Invoice.account_id == account.id)))
    if set(chosen) - mine:
        return Refusal("other_account", "Each invoice must be one of this hauler.", "")
    over = next((ident for ident, cents in chosen.items() if cents > asked_cents(ident)), None)
    if over is not None:
        number = db.session.get_one(Invoice, over).number
        why = f"Invoice {number} asks for {formats.money(asked_cents(over))}: enter that or less."
        return Refusal("too_much", why, "", details={"invoice": over})
    before = set_against(payment, -entry.amount_cents)
    last = db.session.scalars(select(func.max(SpreadChoice.turn)).where(SpreadChoice.payment_id == payment.id)).one()
    rows: list[tuple[int | None, int]] = [*chosen.items()] or [(None, 0)]
    for ident, cents in rows:
        db.session.add(SpreadChoice(plant_id=plant.id, payment_id=payment.id, turn=(last or 0) + 1, invoice_id=ident,
                                    amount_cents=cents, at=at, by_name=by.name))  # fmt: skip
    settle(account, at)
    correct_late_charges(plant, account, by=by, at=at, why=SET)
    make_late_again(plant, account, SPREAD, by=by, at=at)
    now = set_against(payment, -entry.amount_cents)
    if now != before:
        words = "\n".join(f"{row['what']}: {row['amount']}" for row in now)
        amount = formats.money(-entry.amount_cents)
        tell_party(
            db.session.get_one(Party, account.party_id), "receipt", f"What receipt {payment.number} pays has changed",
            f"Your payment of {amount}, receipt {payment.number}, counts now for:\n{words}", at, plant_id=plant.id,
        )  # fmt: skip
    return payment


def _cannot_receive(plant: Plant, cents: int, method: str, received_on: date, at: datetime) -> Refusal | None:
    today = at.astimezone(plant.tz).date()
    if cents <= 0:
        return Refusal("amount_not_positive", f"Amount must be more than {formats.money(0)}.", "")
    if received_on > today:
        return Refusal("date_in_future", f"Date received must be {formats.date_only(today)} or earlier.", "")
    if received_on < today - LONG:
        why = f"Date received must be {formats.date_only(today - LONG)} or later: the day the money came in."
        return Refusal("too_long_ago", why, "")
    if method not in METHOD_WORDS:
        return Refusal("method_unknown", "Select how it was paid: cash, check or card.", "")
    return None


def _number_used(account: Account, cents: int, how: tuple[str, str], another: str) -> Refusal | None:
    """A check of a number that stands on the account already, or in the same amount on another one, is asked about.

    Two checks may bear one number, of two banks or payers, and one check may pay for two things; who says so is
    believed. Of two haulers' checks of one number only those in one amount are taken for a slip.
    """
    if how[0] != Method.CHECK or not how[1].strip() or another.strip():
        return None
    found = same_check(account, how[1].strip(), cents)
    if found is None:
        return None
    payment, entry, name = found
    why = (
        f"Check no. {payment.reference} of {name}, {formats.money(-entry.amount_cents)}, was received on "
        f"{formats.date_only(payment.received_on)}: receipt {payment.number}. Enter why this is another payment."
    )
    return Refusal("number_used", why, "", next_step="Leave it where it is the same one.")


def _too_early(account_id: int, received_on: date) -> Refusal | None:
    """No money comes in for a charge before anything was charged on its account."""
    first = first_charge_day(account_id)
    if first is None or received_on >= first:
        return None
    why = f"Date received must be {formats.date_only(first)} or later: the day of this hauler's first charge."
    return Refusal("too_long_ago", why, "")


def _received(
    plant: Plant,
    account: Account,
    cents: int,
    how: tuple[str, str],
    received_on: date,
    *,
    charge: Entry | None = None,
    ahead: bool = False,
    by: Actor,
    at: datetime,
) -> Payment:
    method, reference = how[0], how[1].strip()
    kind = EntryKind.DEPOSIT if ahead else EntryKind.PAYMENT
    words = f"{'Paid ahead' if ahead else 'Payment'} by {METHOD_WORDS[Method(method)]}"
    words += f", no. {reference}" if reference else ""
    entry = Entry(plant_id=plant.id, account_id=account.id, kind=kind, on_day=received_on, at=at,
                  by_name=by.name, code=kind.value, what=words, amount_cents=-cents)  # fmt: skip
    db.session.add(entry)
    db.session.flush()
    payment = Payment(
        plant_id=plant.id, account_id=account.id, entry_id=entry.id, charge_id=charge.id if charge else None,
        number=numbers.numbered(plant.id, RECEIPT, at.astimezone(plant.tz).year), method=method, reference=reference,
        received_on=received_on, entered_at=at,
    )  # fmt: skip
    db.session.add(payment)
    db.session.flush()
    return payment
