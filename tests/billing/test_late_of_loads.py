"""Where the law takes the late charge of septage charges, no fee, damage or deposit on the same invoice raises it."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from billing import actions
from billing.queries import check_ledger, late_entries
from office.access import system
from office.db import db
from office.jobs import tick
from ordinances.fee_line import FeeLine
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_late import law_with, only_late_charges

__all__ = ["only_late_charges"]
OCT_1, OCT_10, OCT_22, NOV_1 = (date(2026, 10, 1), date(2026, 10, 10), date(2026, 10, 22), date(2026, 11, 1))
# What stands on an invoice beside septage: its source, as each room names it.
OTHER = ["application", "review", "damage", "truck", "business", "payment"]


def fee(who: Any, source: str, dollars: str = "75.00", day: date = OCT_1) -> Any:
    line = FeeLine("fee", "Fee", Decimal(1), "time", Decimal(dollars), Decimal(dollars), "§ 1", None, "v1")
    posted: Any = actions.post_charges(world.plant(), who.id, [line], source, next(books.SOURCES), day, by=system(),
                                       at=books.noon(day), law=world.law(day))  # fmt: skip
    return posted


def late(invoice: Any) -> list[int]:
    db.session.commit()
    tick(books.noon(NOV_1))
    assert check_ledger() == []
    return [one.amount_cents for one in late_entries(invoice.id)]


@pytest.mark.parametrize("source", OTHER)
def test_a_fee_alone_on_an_invoice_is_never_late(app: Any, source: str) -> None:
    who = books.party()
    fee(who, source, "250.00")
    invoice = books.bill(who, OCT_1)
    assert late(invoice) == []
    refused = actions.add_late_charge(invoice, by=system(), at=books.noon(NOV_1), law=world.law(OCT_1))
    assert isinstance(refused, Refusal)
    assert refused.code == "nothing_unpaid"


@pytest.mark.parametrize("source", OTHER)
def test_beside_a_fee_only_the_septage_is_late(app: Any, source: str) -> None:
    who = books.party()
    books.load(who)
    fee(who, source)
    assert late(books.bill(who, OCT_1)) == [482]


@pytest.mark.parametrize("source", ["more_tests", "retest"])
def test_tests_of_what_was_unloaded_are_septage_charges(app: Any, source: str) -> None:
    who = books.party()
    fee(who, source, "24.32")
    assert late(books.bill(who, OCT_1)) == [243]


def test_what_was_paid_counts_for_the_septage_first(app: Any) -> None:
    who = books.party()
    books.load(who)
    fee(who, "damage", "250.00")
    invoice = books.bill(who, OCT_1)
    books.pay(who, "40.00", OCT_10)
    assert late(invoice) == [82]


def test_a_law_that_takes_it_of_all_that_is_unpaid_takes_it_of_fees_too(app: Any) -> None:
    who = books.party()
    books.load(who)
    fee(who, "damage", "250.00")
    invoice = books.bill(who, OCT_1)
    made = actions.add_late_charge(invoice, by=system(), at=books.noon(OCT_22), law=law_with(late_base="unpaid"))
    assert not isinstance(made, Refusal)
    assert made.amount_cents == 2982
