from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from billing import actions
from billing.models import Allocation, Entry, Invoice
from billing.queries import accounts, balance_cents, check_ledger, open_invoices, unbilled, unpaid_cents
from office.access import system
from office.db import db
from tests import world
from tests.billing import books
from tests.ordinances.common import FIXED, MANY

START = date(2026, 10, 1)


def ledger_of_a_month() -> Any:
    who = books.party()
    books.load(who)
    invoice = books.bill(who, START)
    books.pay(who, "20.00", date(2026, 10, 10))
    db.session.commit()
    return invoice


def test_good_ledger_has_no_findings(app: Any) -> None:
    ledger_of_a_month()
    assert check_ledger() == []


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE entry SET amount_cents = 3700 WHERE id = 1", "invoice 1 says 4816 cents, its lines add up to 4916."),
        ("UPDATE invoice SET total_cents = 4815 WHERE id = 1", "invoice 1 says 4815 cents, its lines add up to 4816."),
        ("UPDATE allocation SET amount_cents = 9000 WHERE id = 1",
         "allocation: invoice 1 is spread over 9000 cents, it holds 4816."),
        ("UPDATE entry SET amount_cents = -1999 WHERE id = 3",
         "allocation: payment 1 is spread over 2000 cents, it holds 1999."),
        ("UPDATE payment SET received_on = '2026-10-11' WHERE id = 1",
         "payment 1 was received on another day than entry 3 says."),
        ("UPDATE invoice SET number = '2026-00003' WHERE id = 1",
         "stands at 1; invoice uses 1 numbers up to 3."),
        ("UPDATE counter SET last = 2 WHERE series = 'receipt'", "stands at 2; payment uses 1 numbers up to 1."),
    ],
)  # fmt: skip
def test_changed_cell_is_named(app: Any, change: str, finding: str) -> None:
    ledger_of_a_month()
    db.session.execute(text(change))
    db.session.expire_all()
    found = check_ledger()
    assert [one for one in found if one.endswith(finding)] != [], found


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("UPDATE entry SET amount_cents = -3601 WHERE id = 4", "entry 4 credits more than is left of entry 1."),
        ("UPDATE entry SET credits_id = 3 WHERE id = 4",
         "entry 4 credits entry 3, which is no standing charge of its account."),
    ],
)  # fmt: skip
def test_a_credit_of_too_much_or_of_no_charge_is_named(app: Any, change: str, finding: str) -> None:
    ledger_of_a_month()
    credited: Any = actions.credit_charge(db.session.get_one(Entry, 1), 1000, "Too many", by=system(),
                                          at=books.noon(date(2026, 10, 12)), law=world.law())  # fmt: skip
    db.session.commit()
    assert (credited.id, check_ledger()) == (4, [])
    db.session.execute(text(change))
    db.session.expire_all()
    assert finding in check_ledger()


EVENTS = st.lists(
    st.tuples(st.sampled_from(["load", "load", "pay", "bill", "reverse", "late"]), st.integers(0, 9),
              st.integers(1, 6000)),
    min_size=1, max_size=25,
)  # fmt: skip


def play(events: Any) -> Any:
    """Random acts on one account, days going on, payments received up to 9 days before they are entered."""
    who, clerk, today = books.party(), world.staff("clerk"), START
    books.load(who, 100, today)
    for kind, days, size in events:
        today += timedelta(days=days)
        at = books.noon(today)
        if kind == "load":
            books.load(who, size, today)
        elif kind == "pay":
            books.pay(who, f"{size / 100:.2f}", today - timedelta(days=days), entered=today)
        elif kind == "bill":
            actions.make_invoice(world.plant(), books.account(who), by=clerk, at=at, law=world.law(today))
        elif kind == "reverse":
            ids = list(db.session.scalars(select(Entry.id).order_by(Entry.id)))
            actions.reverse_entry(db.session.get_one(Entry, ids[size % len(ids)]), "Test", by=clerk, at=at)
        else:
            for invoice in list(db.session.scalars(select(Invoice).order_by(Invoice.id))):
                actions.add_late_charge(invoice, by=system(), at=at, law=world.law(invoice.issued_on))
    return books.account(who)


@settings(FIXED, max_examples=int(MANY or 50), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EVENTS)
def test_random_ledgers_add_up(app: Any, events: Any) -> None:
    account = play(events)
    try:
        rows = db.session.execute(select(Entry.id, Entry.kind, Entry.amount_cents, Entry.reverses_id)).all()
        gone = {row.reverses_id for row in rows}
        standing = [row for row in rows if row.kind != "reversal" and row.id not in gone]
        owed = sum(row.amount_cents for row in standing if row.kind in ("charge", "late"))
        paid = -sum(row.amount_cents for row in standing if row.kind == "payment")
        assert balance_cents(account.id) == owed - paid
        assert accounts(account.plant_id)[0].balance_cents == owed - paid
        unpaid = sum(cents for _, cents in open_invoices(account.plant_id))
        waiting = sum(one.total_cents for one in unbilled(account.plant_id))
        spread = db.session.scalars(select(func.coalesce(func.sum(Allocation.amount_cents), 0))).one()
        assert unpaid == owed - waiting - spread
        assert unpaid == max(0, owed - waiting - paid)
        assert check_ledger() == []
        late = [row for row in db.session.scalars(select(Entry).filter_by(kind="late")) if row.id not in gone]
        assert len({row.source_id for row in late}) == len(late)
        for row in late:
            invoice = db.session.get_one(Invoice, row.source_id)
            own = unpaid_cents(invoice.id, invoice.due_on, own=True)
            assert row.amount_cents == (own + 5) // 10
    finally:
        db.session.rollback()
