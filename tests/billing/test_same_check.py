"""The same check number entered for two payments: asked about first, then taken with the reason."""

from datetime import date
from typing import Any

from billing import actions
from billing.models import Entry, Payment
from office.db import db
from office.journal import JournalEntry
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

__all__ = ["two"]
OCT_6 = date(2026, 10, 6)


def test_a_check_of_a_number_that_stands_is_asked_about_and_taken_with_the_reason(app: Any, two: Any) -> None:
    """Two clerks enter one check; or there are two of one number, at two banks."""
    first, other = books.account(two[0]), books.account(two[1])
    books.pay(two[0], "5.00", OCT_6)

    def given(account: Any, cents: int, number: str = " 1042", method: str = "check", **more: Any) -> Any:
        return actions.record_payment(world.plant(), account, cents, method, number, OCT_6, by=world.staff("clerk"),
                                      at=books.noon(OCT_6), law=world.law(OCT_6), **more)  # fmt: skip

    why = ("Check no. 1042 of Apostle Example Septic, $5.00, was received on October 6, 2026: receipt 2026-00002. "
           "Enter why this is another payment.")  # fmt: skip
    asked = given(first, 700)
    assert (asked.code, asked.why) == ("number_used", why)
    assert given(other, 500).code == "number_used"
    assert isinstance(given(other, 501), Payment), "two haulers' checks of one number in two amounts are no slip"
    assert isinstance(given(first, 700, method="card"), Payment)
    assert isinstance(given(first, 700, number=""), Payment) and isinstance(given(first, 700, number=""), Payment)
    made = given(first, 700, another="Drawn on another bank")
    assert isinstance(made, Payment)
    db.session.commit()
    told = db.session.query(JournalEntry).filter_by(table_name="payment", record_id=made.id).one()
    assert told.reason == "Drawn on another bank"
    for one in db.session.query(Payment).filter_by(account_id=first.id, method="check", reference="1042"):
        actions.take_back_line(db.session.get_one(Entry, one.entry_id), "Returned", by=world.staff("clerk"),
                               at=books.noon(OCT_6), law=world.law(OCT_6))  # fmt: skip
    assert isinstance(given(first, 700), Payment), "a check that came back comes once more"


def test_the_page_asks_in_a_box_that_is_not_there_before(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    books.pay(two[0], "5.00", OCT_6)
    db.session.commit()
    boxes = {"received_on-month": "10", "received_on-day": "6", "received_on-year": "2026"}
    form = {"account": str(account.id), "amount": "7.00", "method": "check", "reference": "1042", **boxes}
    label = "Why is this another payment?"
    assert label not in text_of(clerk.get("/bayfield/clerk/payments/new"))
    asked = send(clerk, "/clerk/payments/new", **form)
    assert asked.status_code == 422 and label in text_of(asked)
    assert 'href="#another">Check no. 1042 of Apostle Example Septic, $5.00, was received' in text_of(asked)
    taken = send(clerk, "/clerk/payments/new", **form, another="Another bank", once="b" * 32)
    assert "/clerk/receipts/" in (taken.location or ""), text_of(taken)
