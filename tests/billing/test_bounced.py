"""What a check that bounced leaves late: what it had paid, and nothing that other money paid in time."""

from datetime import date
from typing import Any

import pytest

from billing.queries import balance_cents, check_ledger, late_entries, left_of
from office.db import db
from office.jobs import tick
from tests.billing import books
from tests.billing.own_books import Books
from tests.billing.test_late import only_late_charges, took_back

__all__ = ["only_late_charges"]
OCT_1, OCT_11, OCT_26, NOV_10, DEC_1 = (
    date(2026, 10, 1), date(2026, 10, 11), date(2026, 10, 26), date(2026, 11, 10), date(2026, 12, 1),
)  # fmt: skip


def billed(who: Any, day: date) -> Any:
    """An invoice of one tested load of 1,500 gallons: $48.16."""
    books.load(who, day=day)
    return books.bill(who, day)


def late(*invoices: Any) -> list[list[tuple[date, int]]]:
    assert check_ledger() == []
    raw = Books(invoices[0].account_id, "bayfield")
    found = [[(one.on_day, left_of(one)) for one in late_entries(invoice.id)] for invoice in invoices]
    assert [sum(cents for _, cents in one) for one in found] == [raw.late_rule(invoice.id) for invoice in invoices]
    return found


@pytest.mark.parametrize("third", [False, True])
def test_only_what_the_bounced_check_had_paid_is_late(app: Any, third: bool) -> None:
    who = books.party()
    first = billed(who, OCT_1)
    check = books.pay(who, "48.16", OCT_11)
    second = billed(who, OCT_26)
    books.pay(who, "48.16", NOV_10)  # the last day is November 15
    found = [first, second]
    if third:
        found.append(billed(who, date(2026, 11, 12)))
        books.pay(who, "48.16", date(2026, 11, 30))
    db.session.commit()
    took_back(check, DEC_1)
    for day in (1, 2, 20):
        tick(books.noon(date(2026, 12, day)))
        assert late(*found) == [[(date(2026, 10, 22), 482)], *([] for _ in found[1:])]
    assert balance_cents(first.account_id) == 4816 + 482


def test_a_check_that_paid_two_invoices_leaves_both_late_for_its_part(app: Any) -> None:
    who = books.party()
    first = billed(who, OCT_1)
    check = books.pay(who, "68.16", OCT_11)
    second = billed(who, OCT_26)
    books.pay(who, "28.16", NOV_10)
    db.session.commit()
    took_back(check, DEC_1)
    tick(books.noon(DEC_1))
    assert late(first, second) == [[(date(2026, 10, 22), 482)], [(date(2026, 11, 16), 200)]]


def test_credit_that_lay_free_would_have_paid_in_time(app: Any) -> None:
    who = books.party()
    first = billed(who, OCT_1)
    check = books.pay(who, "48.16", OCT_11)
    books.pay(who, "20.00", date(2026, 10, 12))
    db.session.commit()
    took_back(check, DEC_1)
    tick(books.noon(DEC_1))
    assert late(first) == [[(date(2026, 10, 22), 282)]]


def test_money_that_came_after_the_check_bounced_is_counted_where_it_would_have_gone(app: Any) -> None:
    """A deposit pays the first invoice, the check the second; the next check, in time for it, waits as credit."""
    who = books.party()
    first = billed(who, OCT_1)
    books.pay(who, "48.16", OCT_1)
    check = books.pay(who, "48.16", OCT_11)
    second = billed(who, OCT_26)
    books.pay(who, "48.16", NOV_10)
    third = billed(who, date(2026, 11, 20))
    db.session.commit()
    took_back(check, DEC_1)
    books.pay(who, "48.16", date(2026, 12, 5))
    db.session.commit()
    tick(books.noon(date(2026, 12, 12)))
    assert late(first, second, third) == [[], [], []]
    assert balance_cents(first.account_id) == 0


def test_a_late_charge_made_before_stays_as_it_was_when_another_invoices_check_bounces(app: Any) -> None:
    who = books.party()
    first = billed(who, OCT_1)
    db.session.commit()
    tick(books.noon(date(2026, 10, 22)))
    books.pay(who, "48.16", date(2026, 10, 23))
    second = billed(who, OCT_26)  # with the late charge of the first
    check = books.pay(who, "52.98", NOV_10)
    db.session.commit()
    took_back(check, DEC_1)
    tick(books.noon(DEC_1))
    assert late(first, second) == [[(date(2026, 10, 22), 482)], [(date(2026, 11, 16), 482)]]
