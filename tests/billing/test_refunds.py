"""Credit is paid back from the payments it comes from, no more than is credit, and can be taken back."""

from datetime import date
from typing import Any

import pytest

from billing import actions
from billing.models import Entry, Payment
from billing.queries import aging_of, balance_cents, check_ledger, credit_cents, free_money, parts_of_payment
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

__all__ = ["two"]
OCT_6, OCT_8, OCT_9, OCT_12 = (date(2026, 10, day) for day in (6, 8, 9, 12))
KNOWN: dict[str, Any] = {"method": "check", "reference": "1201", "reason": "Asked for"}


def back(who: Any, cents: int | None = None, on: date = OCT_12, **more: Any) -> Any:
    given, account = KNOWN | more, books.account(who)
    return actions.refund_credit(world.plant(), account, cents, **given, by=world.staff("clerk"), at=books.noon(on),
                                 law=world.law(on))  # fmt: skip


@pytest.fixture
def rich(two: Any) -> Any:
    """$36.16 was asked for, $50.00 and $20.00 came: $33.84 is credit."""
    books.pay(two[1], "50.00", OCT_6)
    books.pay(two[1], "20.00", OCT_8)
    db.session.commit()
    return two[1]


def test_all_credit_goes_back_a_line_for_each_payment_the_oldest_first(app: Any, rich: Any) -> None:
    made = back(rich)
    assert [(one.kind, one.what, one.amount_cents, one.source_label) for one in made] == [
        ("refund", "Paid back by check, no. 1201", 1384, "Receipt 2026-00002"),
        ("refund", "Paid back by check, no. 1201", 2000, "Receipt 2026-00003"),
    ]  # fmt: skip
    account = books.account(rich).id
    assert (balance_cents(account), credit_cents(account), free_money(account)) == (0, 0, [])
    assert check_ledger() == []
    notice = db.session.query(Notice).filter_by(kind="refund").one()
    assert (notice.subject, notice.body) == (
        "$33.84 of your credit is paid back",
        "City of Bayfield pays $33.84 of your credit back by check, no. 1201.\nWhy: Asked for",
    )


@pytest.mark.parametrize(
    ("cents", "more", "code"),
    [(3385, {}, "too_much"), (0, {}, "amount_not_positive"), (1, {"reason": " "}, "no_reason"),
     (1, {"method": "gold"}, "method_unknown"), (3384, {}, None)],
)  # fmt: skip
def test_no_more_than_is_credit_goes_back(app: Any, rich: Any, cents: int, more: Any, code: str | None) -> None:
    result = back(rich, cents, **more)
    assert (result.code if isinstance(result, Refusal) else None) == code


def test_charges_on_no_invoice_yet_are_kept_back(app: Any, rich: Any) -> None:
    books.load(rich, 1000, OCT_9)  # $36.16
    refused: Any = back(rich)
    assert (refused.code, refused.why) == ("no_credit", "There is no credit to pay back.")


def test_the_next_invoice_is_paid_by_what_was_left(app: Any, rich: Any) -> None:
    back(rich, 3000)
    books.load(rich, 1000, OCT_9)
    invoice = books.bill(rich, OCT_12)
    last = db.session.query(Payment).order_by(Payment.id.desc()).first()
    assert last is not None
    assert parts_of_payment(last.id) == [(invoice, 384)]
    assert aging_of(books.account(rich).id, "", OCT_12).credit_cents == 0
    assert check_ledger() == []


def test_a_payment_that_was_paid_back_bounces_only_after_the_refund_is_taken_back(app: Any, rich: Any) -> None:
    made, payment = back(rich), db.session.query(Payment).order_by(Payment.id.desc()).first()
    known: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    assert payment is not None
    refused: Any = actions.return_check(world.plant(), payment, "No funds", **known)
    assert (refused.code, refused.why) == (
        "refunded", "Part of this payment was paid back: take the refund back first.",
    )  # fmt: skip
    assert isinstance(actions.reverse_entry(made[1], "Never cashed", **known), Entry)
    assert credit_cents(books.account(rich).id) == 2000
    assert isinstance(actions.return_check(world.plant(), payment, "No funds", **known), Entry)
    assert (balance_cents(books.account(rich).id), check_ledger()) == (0, [])


def test_the_clerk_pays_it_back_on_a_page_and_the_receipt_says_so(app: Any, rich: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(rich).id
    assert "Pay credit back" in text_of(clerk.get(f"/bayfield/clerk/accounts/{account}"))
    address = f"/clerk/accounts/{account}/refund"
    assert "<dt>Credit</dt> <dd>$33.84</dd>" in text_of(clerk.get(f"/bayfield{address}"))
    much = send(clerk, address, amount="33.85", method="check", reference="9", reason="Asked", once="b" * 32)
    assert "Amount must be $33.84 or less: no more is credit." in text_of(much)
    done = send(clerk, address, amount="", method="check", reference="9", reason="Asked", once="c" * 32)
    assert done.status_code == 303
    page = text_of(clerk.get(done.location))
    assert "Paid back: $33.84." in page
    assert "Pay credit back" not in page
    assert "Invoice 2026-00002 $36.16; Paid back $13.84" in text_of(clerk.get("/bayfield/clerk/receipts/2026-00002"))
