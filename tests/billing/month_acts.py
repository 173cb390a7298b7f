"""What may happen in a random month: each act with what it must leave on paper, in whole cents by hand."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from billing import actions, reminders
from billing.models import Entry, FeeDispute, Invoice, Payment
from office.db import db
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.month_charges import (
    _off,
    _post,
    bill,
    corrected,
    credit,
    credit_whole,
    deposit,
    desk,
    dollars,
    fee_back,
    gone,
    load,
    pay,
    replaced,
    results_in,
    undrawn,
    void,
    write_off,
)
from tests.billing.months import FIRST, SOURCES, Month, Stated
from tests.billing.own_books import Books, day_of


def take_back(month: Month) -> Any:
    """One line of any kind: a payment, a deposit, a refund, a charge, a late charge, a credit."""
    raw, entry = month.raw, month.some(Entry)
    made = actions.take_back_line(entry, "Wrong", **month.known)
    if isinstance(made, Refusal):
        return made
    payment = next((one.id for one in raw.payments.values() if one.entry_id == entry.id), None)
    if payment is not None:
        gone(month, raw, payment)
    elif entry.id in month.paper.left:
        month.paper.left[entry.id] = 0
    elif entry.kind == "refund":
        month.paper.money[entry.source_id] += entry.amount_cents
    elif entry.credits_id is not None:
        undrawn(month, raw, entry.id, entry.credits_id)
        _off(month, db.session.get_one(Entry, entry.credits_id), entry.amount_cents)
    else:
        _off(month, entry, entry.amount_cents)
    return made


def check_back(month: Month) -> Any:
    raw, payment = month.raw, month.some(Payment)
    if payment is None:
        return None
    made = actions.return_check(world.plant(), payment, "x", **month.known)
    if isinstance(made, Entry):
        gone(month, raw, payment.id)
    return made


def bounced_refund(month: Month) -> Any:
    """Paid too much, paid back, and then the bank returns the check: the money that went out is owed too."""
    if not _paid_back(month.raw):
        pay(month, max(1, month.paper.balance) + month.lot.randint(1, 999))
        month.day += timedelta(days=month.lot.choice([0, 2]))
        refund(month)
        month.day += timedelta(days=month.lot.choice([0, 5]))
    raw, known = month.raw, _paid_back(month.raw)
    if not known:
        return None
    payment, owed = db.session.get_one(Payment, month.lot.choice(known)), raw.balance()
    cents = -db.session.get_one(Entry, payment.entry_id).amount_cents
    made = actions.return_check(world.plant(), payment, "No funds", **month.known)
    assert isinstance(made, Entry) == (payment.method == "check")
    if isinstance(made, Entry):
        gone(month, raw, payment.id)
        assert month.raw.balance() == owed + cents
    return made


def bounced_in_turn(month: Month) -> Any:
    """Each of two invoices is paid by a check of its own; once both were due the first check bounces."""
    checks = []
    for _ in range(2):
        _post(month, next(SOURCES))
        made = bill(month)
        if not isinstance(made, Invoice):
            return made
        month.day += timedelta(days=month.lot.choice([1, 8]))
        checks.append(pay(month, max(1, month.raw.unpaid(made.id))))
        month.day += timedelta(days=month.lot.choice([2, 15]))
    month.day += timedelta(days=22)
    raw = month.raw
    made = actions.return_check(world.plant(), checks[0], "No funds", **month.known)
    assert isinstance(made, Entry)
    gone(month, raw, checks[0].id)
    late(month)
    return made


def _paid_back(raw: Books) -> list[int]:
    """The payments that stand, of which something was paid back."""
    refunds = {one.source_id for one in raw.entries.values() if one.kind == "refund" and one.id not in raw.back}
    return [one.id for one in raw.payments.values() if one.id in refunds and one.entry_id not in raw.back]


def refund(month: Month) -> Any:
    raw = month.raw
    most, cents = raw.credit(), month.lot.choice([None, 1, month.lot.randint(1, 3000)])
    if not most and month.lot.random() < 0.8:
        return None
    given: Any = ("check", "7", "Asked for")
    made = actions.refund_credit(world.plant(), month.account, cents, *given, **month.known)
    rest = most if cents is None else cents
    assert isinstance(made, list) == (0 < rest <= most), made
    if isinstance(made, list):
        for row in sorted(raw.payments.values(), key=lambda one: (str(one.received_on), one.id)):
            part = min(rest, raw.worth(row.id) - raw.paid_of(row.id))
            month.paper.money[row.id] -= part
            rest -= part
    return made


def spread(month: Month) -> Any:
    payment, invoice, cents = month.some(Payment), month.some(Invoice), month.lot.randint(0, 5000)
    if payment is None or invoice is None:
        return None
    made = actions.spread_payment(world.plant(), payment, {invoice.id: cents}, **month.known)
    if not isinstance(made, Refusal):
        raw = month.raw
        reached = sum(one.amount_cents for one in raw.parts if (one.payment_id, one.invoice_id) == (
            payment.id, invoice.id))  # fmt: skip
        if not month.chosen:
            assert reached >= min(cents, raw.worth(payment.id), raw.asked(invoice.id)), (reached, cents)
        month.chosen = True
        _late_by_rule(month)
    return made


def _late_by_rule(month: Month) -> None:
    """How money is spread makes late charges larger too, but for one the clerk took back or credited, and at once."""
    raw = month.raw
    for ident, invoice in raw.invoices.items():
        if day_of(invoice.due_on) < month.day and not raw.void(ident):
            known = raw.late_of(ident)
            month.claimed |= {ident} if known else set()
            if not known or not _by_hand(raw, known[-1]):
                month.paper.late[ident] = raw.late_rule(ident)


def _by_hand(raw: Books, late: Any) -> bool:
    back = raw.back.get(late.id)
    # By itself, or with the void invoice it stood on.
    return back.reason.endswith("Wrong") if back is not None else late.left() != late.cents


def state(month: Month) -> Any:
    """A statement of all days since the last one: it opens as that closed, and has each line entered since once."""
    raw, before = month.raw, month.stated[-1] if month.stated else None
    last = month.day - timedelta(days=month.lot.choice([0, 1, 5]))
    first = before.last + timedelta(days=1) if before else FIRST - timedelta(days=9)
    made: Any = actions.send_statement(world.plant(), month.account, first, last, **month.known)
    assert isinstance(made, Refusal) == (first > last)
    if isinstance(made, Refusal):
        return None
    late, rows = month.not_stated(raw, first), raw.within(first, last)
    assert made.data["opening"] == dollars(before.closing if before else 0)
    for name, wanted in (("earlier", late), ("rows", rows)):
        assert [one["amount"] for one in made.data[name]] == [dollars(one.amount_cents) for one in wanted]
    assert made.data["closing"] == dollars(raw.balance(last))
    month.stated.append(Stated(first, last, max(raw.entries, default=0), raw.balance(last)))
    return made


def dispute(month: Month) -> Any:
    entries = [one for one in (month.some(Entry, kind="charge"), month.some(Entry, kind="charge")) if one is not None]
    if not entries:
        return None
    return actions.open_dispute(world.plant(), month.account, list({one.id: one for one in entries}.values()), "Doubt",
                                gallons=1, waste="other", asked_on=month.day - timedelta(month.lot.choice([0, 0, 9])),
                                **month.known)  # fmt: skip


def end_dispute(month: Month) -> Any:
    row, outcome = month.some(FeeDispute), month.lot.choice(["", "It stands"])
    if row is None:
        return None
    on = month.day - timedelta(days=month.lot.choice([0, 0, 3, 12]))
    made = actions.take_dispute_on(row, "Before the council", outcome, on, **month.known)
    if not isinstance(made, Refusal) and outcome and on < month.day:
        _late_by_rule(month)
    return made


def late(month: Month) -> Any:
    """The job of this hour: each invoice past its last day once, whatever it comes to."""
    raw, wanted = month.raw, {}
    known = not (month.chosen and raw.returned)
    for ident, invoice in raw.invoices.items():
        if day_of(invoice.due_on) < month.day and ident not in month.claimed and not raw.void(ident):
            wanted[ident] = raw.late_rule(ident)
    made = 0
    for period, work in list(reminders.late_charges(books.noon(month.day))):
        ident = int(period.split()[1].partition("/")[0])
        if period in month.claims:
            continue
        month.claims.add(period)
        answer: Any = work()
        if isinstance(answer, Entry):
            if known and ident not in month.claimed:
                assert (period, answer.amount_cents) == (period, wanted.pop(ident))
            else:
                assert raw.returned, period
            month.paper.late[ident], made = answer.amount_cents, made + 1
        month.claimed.add(ident)
    if known:
        assert [cents for cents in wanted.values() if cents] == []
        _late_after_a_check_came_back(month)
    return made or None


def _late_after_a_check_came_back(month: Month) -> None:
    """Once a check came back the job makes each late charge what the rule comes to, but for one the clerk changed."""
    raw = month.raw
    for ident, invoice in raw.invoices.items() if raw.returned else ():
        known = raw.late_of(ident)
        if day_of(invoice.due_on) < month.day and not raw.void(ident) and not (known and _by_hand(raw, known[-1])):
            assert sum(one.left() for one in known) == raw.late_rule(ident), ident


ACTS: list[tuple[Callable[[Month], Any], int]] = [
    (load, 5), (bill, 4), (pay, 4), (late, 6), (credit, 3), (credit_whole, 1), (write_off, 2), (void, 2),
    (take_back, 2), (check_back, 2), (spread, 2), (dispute, 2), (end_dispute, 3), (refund, 2), (bounced_refund, 2),
    (bounced_in_turn, 2), (corrected, 2), (replaced, 3), (deposit, 3), (fee_back, 3), (results_in, 1), (desk, 1),
    (state, 2),
]  # fmt: skip
