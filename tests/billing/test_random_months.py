"""Random months of an account by the real acts, held against books kept by other code, to the cent.

8 months in the test command (each makes up to fifteen acts on a database), as many as SEPTAGE_EXAMPLES says in a soak.
"""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from billing import actions
from billing.models import Entry, Invoice, Payment
from billing.queries import (
    aging,
    aging_of,
    balance_cents,
    check_ledger,
    disputed_cents,
    invoice_lines,
    invoice_states,
    late_entries,
    ledger,
    left_of,
    reversal_of,
    statement,
    unpaid_cents,
)
from office.access import system
from office.db import db
from office.law import law_in_force
from ordinances.fees import for_load
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books

MONTHS = int(os.environ.get("SEPTAGE_EXAMPLES") or 8)
FIRST = date(2026, 10, 1)


@dataclass
class Paper:
    """The books by hand: what each line was, what was taken off it, what came in. Cents only."""

    charges: dict[int, int] = field(default_factory=dict)
    off: dict[int, int] = field(default_factory=dict)
    money: dict[int, int] = field(default_factory=dict)
    on_invoice: dict[int, int] = field(default_factory=dict)

    def asked(self, invoice: int) -> int:
        return sum(self.charges[one] - self.off.get(one, 0) for one, at in self.on_invoice.items() if at == invoice)

    @property
    def balance(self) -> int:
        return sum(self.charges.values()) - sum(self.off.values()) - sum(self.money.values())


@dataclass
class Month:
    """One account, its paper, the day it is, and chance."""

    who: Any
    dice: random.Random
    day: date = FIRST
    paper: Paper = field(default_factory=Paper)

    @property
    def known(self) -> dict[str, Any]:
        return {"by": system(), "at": books.noon(self.day), "law": world.law(self.day)}

    def some(self, model: Any, **more: Any) -> Any:
        rows = db.session.query(model).filter_by(account_id=books.account(self.who).id, **more).all()
        return self.dice.choice(rows) if rows else None


def load(month: Month) -> None:
    gallons, tested = month.dice.randint(1, 3000), month.dice.random() < 0.7
    for entry in books.load(month.who, gallons, month.day, tested=tested):
        month.paper.charges[entry.id] = entry.amount_cents
    # A gallon costs 2.4 cents: half a cent goes up, by whole numbers alone.
    assert entry_sum(month, gallons, tested) == (24 * gallons + 5) // 10 + (1216 if tested else 0)


def entry_sum(month: Month, gallons: int, tested: bool) -> int:
    lines = for_load(world.law(month.day), [(month.day, gallons)], "septic_tank", tested=tested)
    assert not isinstance(lines, Refusal)
    return sum(line.cents for line in lines)


def bill(month: Month) -> None:
    made = actions.make_invoice(world.plant(), books.account(month.who), **month.known)
    if isinstance(made, Invoice):
        _billed(month, made)


def _billed(month: Month, made: Invoice) -> None:
    assert made.total_cents == sum(month.paper.charges[entry.id] for entry, _ in invoice_lines(made.id))
    for entry, _ in invoice_lines(made.id):
        assert entry.id not in month.paper.on_invoice
        month.paper.on_invoice[entry.id] = made.id


def pay(month: Month) -> None:
    cents = month.dice.choice([1, 1216, 3 * 1216, month.dice.randint(1, 20_000), max(1, month.paper.balance)])
    received = max(FIRST, month.day - timedelta(days=month.dice.randint(0, 12)))
    before = late_of(month)
    made: Any = actions.record_payment(world.plant(), books.account(month.who), cents, "check", "", received,
                                       ahead=month.dice.random() < 0.2, **month.known)  # fmt: skip
    month.paper.money[made.entry_id] = cents
    _late_corrected(month, before)


def late_of(month: Month) -> set[int]:
    return {one.id for one in db.session.query(Entry).filter_by(kind="late", account_id=books.account(month.who).id)}


def _late_corrected(month: Month, before: set[int]) -> None:
    """Late charges that were taken back, or made again smaller, by what came in time."""
    for entry in db.session.query(Entry).filter_by(kind="late", account_id=books.account(month.who).id):
        month.paper.charges.setdefault(entry.id, entry.amount_cents)
        if reversal_of(entry.id) is not None:
            month.paper.off[entry.id] = entry.amount_cents


def credit(month: Month) -> None:
    entry = month.some(Entry, kind="charge")
    if entry is None:
        return
    left, before = left_of(entry), late_of(month)
    cents = month.dice.choice([None, 1, left, month.dice.randint(1, max(1, left))])
    made = actions.credit_charge(entry, cents, "Wrong", **month.known)
    if isinstance(made, Entry):
        assert -made.amount_cents == (cents or left)
        month.paper.off[entry.id] = month.paper.off.get(entry.id, 0) - made.amount_cents
        _late_corrected(month, before)


def credit_whole(month: Month) -> None:
    invoice = month.some(Invoice)
    if invoice is None:
        return
    before, made = late_of(month), actions.credit_invoice(invoice, "Wrong", **month.known)
    if isinstance(made, list):
        for entry, _ in invoice_lines(invoice.id):
            month.paper.off[entry.id] = month.paper.charges[entry.id]
        assert unpaid_cents(invoice.id) == 0
        _late_corrected(month, before)


def write_off(month: Month) -> None:
    invoice = month.some(Invoice)
    made = actions.write_off(invoice, "Gone", **month.known) if invoice is not None else None
    for one in made if isinstance(made, list) else ():
        month.paper.off[one.credits_id or 0] = month.paper.off.get(one.credits_id or 0, 0) - one.amount_cents


def void(month: Month) -> None:
    invoice, again = month.some(Invoice), month.dice.random() < 0.7
    if invoice is None:
        return
    late = sum(one.amount_cents for one in late_entries(invoice.id))
    own = {entry.id for entry, _ in invoice_lines(invoice.id)}
    mine = sum(one.amount_cents for one in late_entries(invoice.id) if one.id in own)
    before = month.paper.balance
    made = actions.void_invoice(world.plant(), invoice, "Wrong", again=again, **month.known)
    if isinstance(made, Refusal):
        return
    for entry in db.session.query(Entry).filter_by(account_id=invoice.account_id):
        if entry.kind in ("charge", "late") and entry.id not in month.paper.charges:
            month.paper.charges[entry.id] = entry.amount_cents
        if entry.reverses_id in month.paper.charges:
            month.paper.off[entry.reverses_id] = month.paper.charges[entry.reverses_id]
    if isinstance(made, Invoice):
        _billed(month, made)
        assert month.paper.balance == before - (late - mine)


def take_back(month: Month) -> None:
    entry = month.some(Entry)
    if entry is None or entry.kind in ("credit", "write_off"):
        return
    made = actions.reverse_entry(entry, "Wrong", **month.known)
    if isinstance(made, Entry):
        if entry.kind in ("charge", "late"):
            month.paper.off[entry.id] = entry.amount_cents
        else:
            month.paper.money.pop(entry.id)


def check_back(month: Month) -> None:
    payment = month.some(Payment)
    if payment is not None and isinstance(actions.return_check(world.plant(), payment, "x", **month.known), Entry):
        month.paper.money.pop(payment.entry_id)


def refund(month: Month) -> None:
    cents = month.dice.randint(1, 3000)
    for one in _list(actions.refund_credit(world.plant(), books.account(month.who), cents, "check", "7", "Asked for",
                                           **month.known)):  # fmt: skip
        month.paper.money[one.id] = -one.amount_cents


def _list(made: Any) -> list[Entry]:
    return made if isinstance(made, list) else []


def spread(month: Month) -> None:
    payment, invoice = month.some(Payment), month.some(Invoice)
    if payment is not None and invoice is not None:
        before = late_of(month)
        cents = month.dice.randint(0, 5000)
        actions.spread_payment(world.plant(), payment, {invoice.id: cents}, **month.known)
        _late_corrected(month, before)


def dispute(month: Month) -> None:
    entry = month.some(Entry, kind="charge")
    if entry is not None:
        before = late_of(month)
        actions.open_dispute(world.plant(), books.account(month.who), [entry], "Doubt", gallons=1, waste="other",
                             asked_on=month.day, **month.known)  # fmt: skip
        _late_corrected(month, before)


def late(month: Month) -> None:
    """The late charges of every invoice, as the job takes them: a tenth, half a cent up, of what was unpaid then."""
    for invoice in db.session.query(Invoice).filter_by(account_id=books.account(month.who).id).order_by(Invoice.id):
        base = max(
            0, unpaid_cents(invoice.id, invoice.due_on, own=True) - disputed_cents(invoice.id, invoice.due_on, own=True)
        )
        made = actions.add_late_charge(invoice, by=system(), at=books.noon(month.day),
                                       law=law_in_force(world.plant(), invoice.issued_on))  # fmt: skip
        if isinstance(made, Entry):
            assert made.amount_cents == (base + 5) // 10
            month.paper.charges[made.id] = made.amount_cents


ACTS: list[tuple[int, Callable[[Month], None]]] = [
    (9, load), (5, bill), (6, pay), (2, late), (2, credit), (1, credit_whole), (1, write_off), (1, void),
    (1, take_back), (1, check_back), (1, spread), (1, dispute), (2, refund),
]  # fmt: skip


def holds(month: Month) -> None:
    """Ledger, invoices, aging and statement say what the paper says."""
    account, paper = books.account(month.who), month.paper
    balance = balance_cents(account.id)
    assert balance == paper.balance
    assert ledger(account.id)[-1].balance_cents == balance
    views = invoice_states(world.plant().id, month.day, account.id)
    asked = {view.invoice.id: paper.asked(view.invoice.id) for view in views}
    money = sum(paper.money.values())
    unpaid = sum(view.unpaid_cents for view in views)
    # No money lies idle while something is unpaid, and none pays more than is asked.
    assert unpaid == max(0, sum(asked.values()) - money)
    assert all(0 <= view.unpaid_cents <= asked[view.invoice.id] for view in views)
    old = next((one for one in aging(world.plant().id, month.day) if one.account_id == account.id), None)
    waiting = sum(c - paper.off.get(one, 0) for one, c in paper.charges.items() if one not in paper.on_invoice)
    if old is not None:
        assert (old.unpaid_cents, old.unbilled_cents) == (unpaid, waiting)
        assert old.credit_cents == max(0, money - sum(asked.values()))
        assert aging_of(account.id, old.name, month.day) == old
    earlier = month.day - timedelta(days=month.dice.randint(1, 30))
    then = aging_of(account.id, "", earlier)
    assert then.balance_cents == statement(account.id, FIRST - timedelta(days=60), earlier).closing_cents
    assert min(then.credit_cents, then.unbilled_cents, *then.by_age.values()) >= 0
    whole = statement(account.id, FIRST - timedelta(days=60), month.day + timedelta(days=60))
    assert whole.closing_cents == balance == sum(line.entry.amount_cents for line in whole.lines)


def test_random_months_agree_with_books_kept_by_other_code(app: Any) -> None:
    seed = int(os.environ.get("SEPTAGE_SEED") or 6)
    for number in range(MONTHS):
        dice = random.Random(f"{seed}-{number}")
        month = Month(books.party(f"Hauler {number}"), dice)
        load(month)
        for _ in range(dice.randint(4, 14)):
            month.day += timedelta(days=dice.randint(0, 6))
            dice.choices([act for _, act in ACTS], [weight for weight, _ in ACTS])[0](month)
            db.session.flush()
        holds(month)
    db.session.commit()
    assert check_ledger() == []
