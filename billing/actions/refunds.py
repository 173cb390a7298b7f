"""Pay credit back to a hauler: one line for each payment it comes from, the oldest first; or one payment's money."""

from datetime import datetime

from sqlalchemy import func, select

from billing.actions.settle import settle
from billing.models import Account, Entry, Payment
from billing.queries import credit_cents, free_money
from billing.states import METHOD_WORDS, EntryKind, Method
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


@act("refund_credit", roles=(Role.CLERK,))
def refund_credit(
    plant: Plant,
    account: Account,
    cents: int | None,
    method: str,
    reference: str,
    reason: str,
    *,
    by: Actor,
    at: datetime,
    law: Law,
) -> list[Entry] | Refusal:
    """Record that credit was paid back today, in cents, or all of it; the hauler is told.

    What is charged and on no invoice yet is kept back for it. Refused: ``no_reason``, ``method_unknown``,
    ``no_credit``, ``amount_not_positive``, ``too_much``.
    """
    account = lock(Account, account.id)
    most = credit_cents(account.id)
    wanted = most if cents is None else cents
    refused = _cannot_refund(most, wanted, method, reason)
    if refused is not None:
        return refused
    how = METHOD_WORDS[Method(method)] + (f", no. {reference.strip()}" if reference.strip() else "")
    made = _lines(plant, account, wanted, how, reason.strip(), by=by, at=at)
    because(reason.strip())
    settle(account, at)
    amount = formats.money(wanted)
    tell_party(
        db.session.get_one(Party, account.party_id), "refund", f"{amount} of your credit is paid back",
        f"{plant.city} pays {amount} of your credit back by {how}.\nWhy: {reason.strip()}", at, plant_id=plant.id,
    )  # fmt: skip
    return made


def _cannot_refund(most: int, cents: int, method: str, reason: str) -> Refusal | None:
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is paid back.", "")
    if method not in METHOD_WORDS:
        return Refusal("method_unknown", "Select how it is paid back: cash, check or card.", "")
    if not most:
        return Refusal("no_credit", "There is no credit to pay back.", "")
    if cents <= 0:
        return Refusal("amount_not_positive", f"Amount must be more than {formats.money(0)}.", "")
    if cents > most:
        return Refusal("too_much", f"Amount must be {formats.money(most)} or less: no more is credit.", "")
    return None


def _lines(plant: Plant, account: Account, cents: int, how: str, reason: str, *, by: Actor, at: datetime
           ) -> list[Entry]:  # fmt: skip
    made, left = [], cents
    for payment, free in free_money(account.id):
        part = min(left, free)
        if part:
            made.append(_line(plant, payment, part, how, reason, by=by, at=at))
            left -= part
    return made


def _line(plant: Plant, payment: Payment, cents: int, how: str, reason: str, *, by: Actor, at: datetime) -> Entry:
    known = select(func.count(Entry.id)).where(
        Entry.source_kind == "payment", Entry.source_id == payment.id, Entry.kind == EntryKind.REFUND
    )
    place = db.session.scalars(known).one() + 1
    made = Entry(
        plant_id=plant.id, account_id=payment.account_id, kind=EntryKind.REFUND, on_day=at.astimezone(plant.tz).date(),
        at=at, by_name=by.name, code=EntryKind.REFUND.value, what=f"Paid back by {how}", amount_cents=cents,
        source_kind="payment", source_id=payment.id, line_code=f"refund/{place}",
        source_label=f"Receipt {payment.number}", reason=reason,
    )  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made


def pay_back(plant: Plant, payment: Payment, cents: int, how: str, reason: str, *, by: Actor, at: datetime) -> Entry:
    """Pay some cents of one payment back, inside an act that saw that it holds them; the hauler is told by that."""
    account: Account = lock(Account, payment.account_id)
    made = _line(plant, payment, cents, how, reason, by=by, at=at)
    settle(account, at)
    return made
