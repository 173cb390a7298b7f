from datetime import date
from typing import Any

import pytest
from sqlalchemy import text

from billing import actions
from billing.models import Entry
from billing.queries import check_ledger
from office.access import system
from office.db import db
from tests import world
from tests.billing import books

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
