"""Money that comes for what was written off: the write-off is taken back as far as the money goes."""

from datetime import datetime

from billing.actions.reversals import credit_entry, line_against
from billing.actions.settle import settle
from billing.models import Account, Entry, Invoice, Payment
from billing.queries import credit_cents, disputed_cents, free_money, holds_of, unpaid_cents, written_off
from billing.states import EntryKind, HoldKind
from office.access import Actor
from office.db import db


def reinstate(account: Account, payment: Payment, *, by: Actor, at: datetime) -> list[tuple[Invoice, int]]:
    """Take back what was written off as far as a payment pays it, the oldest invoice first: (invoice, cents).

    Only with what the account does not owe: that is money for what the city gave up asking for. It is asked for again
    from the day the money came, or of the write-off where that came after. What is in dispute stays written off.
    Inside an act; the account must be locked and settled.
    """
    free = sum(cents for one, cents in free_money(account.id) if one.id == payment.id)
    left, found = min(free, credit_cents(account.id)), list[tuple[Invoice, int]]()
    for invoice, lines in written_off(account.id):
        # Money passes by what is in dispute, also what was paid of it before: it would not pay what is asked for again.
        if disputed_cents(invoice.id) > unpaid_cents(invoice.id):
            continue
        disputed = {one.entry_id for one in holds_of([line.credits_id or 0 for line in lines])
                    if one.kind == HoldKind.DISPUTE}  # fmt: skip
        before = left
        for line in lines:
            if left and line.credits_id not in disputed:
                left -= _taken_back(line, payment, left, by=by, at=at)
        if before != left:
            found.append((invoice, before - left))
    if found:
        settle(account, at)
    return found


def _taken_back(line: Entry, payment: Payment, most: int, *, by: Actor, at: datetime) -> int:
    """Take one write-off back up to some cents; what is more than they are is written off as it was. The cents."""
    day = max(payment.received_on, line.on_day)
    cents = min(most, -line.amount_cents)
    line_against(line, f"Receipt {payment.number} pays it", on_day=day, by=by, at=at)
    db.session.flush()
    rest = -line.amount_cents - cents
    if rest:
        charge = db.session.get_one(Entry, line.credits_id)
        credit_entry(charge, rest, line.reason, EntryKind.WRITE_OFF, on_day=day, by=by, at=at)
    return cents
