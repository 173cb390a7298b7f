"""Record money received: spread over invoices, or for one charge paid at the desk."""

from datetime import date, datetime

from billing.actions.charges import locked_account, post_charges
from billing.actions.documents import write_receipt
from billing.actions.late import correct_late_charges
from billing.actions.settle import settle
from billing.models import Account, Entry, Payment
from billing.queries import invoice_with, waiting
from billing.states import METHOD_WORDS, EntryKind, Method
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.fees import FeeLine
from ordinances.reader import Law
from ordinances.refusal import Refusal

RECEIPT = numbers.series("receipt", "payment", "number")


@act("record_payment", roles=(Role.CLERK, Role.SYSTEM))
def record_payment(
    plant: Plant,
    account: Account,
    cents: int,
    method: str,
    reference: str,
    received_on: date,
    *,
    by: Actor,
    at: datetime,
    law: Law,
) -> Payment | Refusal:
    """Record a payment and spread it over the oldest unpaid invoices first; what is left stays as credit.

    ``received_on`` is the day the money came in, which decides whether it was in time; a late charge it makes wrong is
    taken back. Refused: ``amount_not_positive``, ``date_in_future``, ``method_unknown``.
    """
    refusal = _cannot_receive(plant, cents, method, received_on, at)
    if refusal:
        return refusal
    account = lock(Account, account.id)
    payment = _received(plant, account, cents, (method, reference), received_on, by=by, at=at)
    settle(account, at)
    correct_late_charges(plant, account, by=by, at=at)
    payment.letter_id = write_receipt(plant, account, payment, cents, at).id
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
    payment = _received(plant, account, line.cents, (method, reference), received_on, charge=posted[0], by=by, at=at)
    because(cite=line.cite)
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
    by: Actor,
    at: datetime,
    law: Law,
) -> Payment | Refusal:
    """Record money for one charge that still stands after its first payment was taken back, in the charge's amount.

    While the charge is on no invoice the payment is for it alone; once invoiced it counts as any payment does, for the
    oldest unpaid invoice first. Refused: as ``record_payment``, and ``charge_settled`` for one that needs no money.
    """
    refusal = _cannot_receive(plant, charge.amount_cents, method, received_on, at)
    if refusal:
        return refusal
    account = lock(Account, charge.account_id)
    if invoice_with(charge.id) is not None:
        return record_payment(plant, account, charge.amount_cents, method, reference, received_on, by=by, at=at,
                              law=law)  # fmt: skip
    if not waiting(charge.id):
        return Refusal("charge_settled", "This charge is paid or was taken back.", charge.cite)
    payment = _received(plant, account, charge.amount_cents, (method, reference), received_on, charge=charge, by=by,
                        at=at)  # fmt: skip
    because(cite=charge.cite)
    payment.letter_id = write_receipt(plant, account, payment, charge.amount_cents, at, charge=charge).id
    return payment


def _cannot_receive(plant: Plant, cents: int, method: str, received_on: date, at: datetime) -> Refusal | None:
    today = at.astimezone(plant.tz).date()
    if cents <= 0:
        return Refusal("amount_not_positive", f"Amount must be more than {formats.money(0)}.", "")
    if received_on > today:
        return Refusal("date_in_future", f"Date received must be {formats.date_only(today)} or earlier.", "")
    if method not in set(Method):
        return Refusal("method_unknown", "Select how it was paid: cash, check or card.", "")
    return None


def _received(
    plant: Plant,
    account: Account,
    cents: int,
    how: tuple[str, str],
    received_on: date,
    *,
    charge: Entry | None = None,
    by: Actor,
    at: datetime,
) -> Payment:
    method, reference = how[0], how[1].strip()
    words = f"Payment by {METHOD_WORDS[Method(method)]}" + (f", no. {reference}" if reference else "")
    entry = Entry(plant_id=plant.id, account_id=account.id, kind=EntryKind.PAYMENT, on_day=received_on, at=at,
                  by_name=by.name, code="payment", what=words, amount_cents=-cents)  # fmt: skip
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
