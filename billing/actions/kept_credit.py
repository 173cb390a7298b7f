"""What is left of a credit where no charge can take it: it is kept for the hauler, as money that came in is."""

from datetime import datetime

from billing.actions.documents import write_credit
from billing.actions.settle import settle
from billing.models import Account, Entry, Payment
from billing.states import EntryKind, Method
from office import numbers
from office.access import Actor
from office.db import db
from office.journal import because
from office.plants import Plant

RECEIPT = numbers.series("receipt", "payment", "number")


def keep_credit(account: Account, cents: int, of: str, reason: str, *, by: Actor, at: datetime) -> Payment:
    """Keep some cents of a credit for what the account owes now or later, with a number, inside an act.

    It is spread over invoices and may be paid back, as money is; it can be taken back as any line. The account must be
    locked.
    """
    plant = db.session.get_one(Plant, account.plant_id)
    today = at.astimezone(plant.tz).date()
    entry = Entry(
        plant_id=plant.id, account_id=account.id, kind=EntryKind.CREDIT, on_day=today, at=at, by_name=by.name,
        code=EntryKind.CREDIT.value, what=f"Credit kept, left over of {of}"[:200], amount_cents=-cents, reason=reason,
    )  # fmt: skip
    db.session.add(entry)
    db.session.flush()
    number = numbers.numbered(plant.id, RECEIPT, today.year)
    payment = Payment(plant_id=plant.id, account_id=account.id, entry_id=entry.id, charge_id=None, number=number,
                      method=Method.CREDIT, reference="", received_on=today, entered_at=at)  # fmt: skip
    db.session.add(payment)
    because(reason)
    settle(account, at)
    payment.letter_id = write_credit(plant, account, payment, entry, at).id
    return payment
