"""Credit is paid back from the payments it comes from, no more than is credit, and can be taken back."""

from datetime import date
from typing import Any

import pytest

from billing import actions
from billing.models import Entry, Invoice, InvoiceLine, Payment
from billing.queries import (
    aging_of,
    balance_cents,
    check_ledger,
    credit_cents,
    free_money,
    invoice_lines,
    late_entries,
    open_charges_cents,
    parts_of_payment,
    unpaid_cents,
)
from billing.reminders import late_charges
from office.access import system
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.reader import Law, load_profile
from ordinances.refusal import Refusal
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two
from tests.ordinances.common import changed
from tests.ordinances.town import item

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


def returned(payment: Payment, day: date, law: Any = None) -> Any:
    known: Any = {"by": world.staff("clerk"), "at": books.noon(day), "law": law or world.law(day)}
    return actions.return_check(world.plant(), payment, "No funds", **known)


def newest() -> Payment:
    found = db.session.query(Payment).order_by(Payment.id.desc()).first()
    assert found is not None
    return found


def test_what_was_paid_back_of_a_check_that_bounces_is_owed_again_with_the_fee(
    app: Any, rich: Any, tmp_path: Any
) -> None:
    made, account = back(rich), books.account(rich).id
    fee = item("returned", "per_event", 'price = "25.00"\nevent = "returned_check"')
    law = Law(load_profile(changed(tmp_path, extra=fee)))
    assert isinstance(returned(newest(), OCT_12, law), Entry)
    # The refund stands; the $20.00 that went out is owed, and the fee.
    assert [(one.kind, one.amount_cents) for one in db.session.query(Entry).order_by(Entry.id.desc()).limit(4)] == [
        ("charge", 2500), ("reversal", 2000), ("refund", 2000), ("refund", 1384),
    ]  # fmt: skip
    assert (balance_cents(account), open_charges_cents(account), credit_cents(account)) == (4500, 4500, 0)
    aged = aging_of(account, "", OCT_12)
    assert (aged.unbilled_cents, aged.credit_cents, aged.unpaid_cents) == (4500, 0, 0)
    told = db.session.query(Notice).filter_by(kind="check_returned").one()
    assert told.body == (
        "The bank returned your check of $20.00: No funds\n"
        "What it paid is owed again. So is $20.00 that was paid back of it.\nReturned: $25.00 (§ 1-1)"
    )
    invoice = books.bill(rich, OCT_12)
    data: Any = db.session.get_one(Letter, invoice.letter_id).data
    assert [(line["what"], line["amount"]) for group in data["groups"] for line in group["lines"]] == [
        ("Paid back by check, no. 1201; the payment it came from was taken back", "$20.00"), ("Returned", "$25.00"),
    ]  # fmt: skip
    assert (invoice.total_cents, unpaid_cents(invoice.id), check_ledger()) == (4500, 4500, [])
    # Late is what is unpaid of septage charges: money that is owed back and the fee for the check are none.
    known: Any = {"by": system(), "at": books.noon(date(2026, 11, 2)), "law": world.law(date(2026, 11, 2))}
    late: Any = actions.add_late_charge(invoice, **known)
    assert (late.code, late.why) == (
        "nothing_unpaid",
        "Nothing that a late charge is taken of was unpaid on the last day.",
    )
    # Nothing of it was ever cashed: then it is not owed.
    assert isinstance(actions.take_back_line(made[1], "Never cashed", **known), Entry)
    assert (unpaid_cents(invoice.id), balance_cents(account), check_ledger()) == (2500, 2500, [])


def test_what_is_owed_again_alone_is_never_late(app: Any, rich: Any) -> None:
    back(rich)
    returned(newest(), OCT_12)
    invoice = books.bill(rich, OCT_12)
    known: Any = {"by": system(), "at": books.noon(date(2026, 11, 2)), "law": world.law(date(2026, 11, 2))}
    refused: Any = actions.add_late_charge(invoice, **known)
    assert (refused.code, unpaid_cents(invoice.id)) == ("nothing_unpaid", 2000)
    db.session.commit()
    for _, work in list(late_charges(books.noon(date(2026, 11, 3)))):
        work()
    assert (late_entries(invoice.id), balance_cents(invoice.account_id)) == ([], 2000)


def test_what_was_paid_back_of_a_payment_that_paid_too_is_owed_beside_it(app: Any, rich: Any) -> None:
    back(rich, 1384)
    first = db.session.query(Payment).filter_by(number="2026-00002").one()
    returned(first, OCT_12)
    # $36.16 is owed again, less the $20.00 that came after; so is $13.84.
    account = books.account(rich).id
    assert (balance_cents(account), open_charges_cents(account), free_money(account)) == (3000, 1384, [])
    assert check_ledger() == []
    again = books.pay(rich, "30.00", OCT_12)
    invoice = books.bill(rich, OCT_12)
    assert [(one.number, cents) for one, cents in parts_of_payment(again.id)] == [
        ("2026-00002", 1616), (invoice.number, 1384),
    ]  # fmt: skip
    assert (balance_cents(account), credit_cents(account), check_ledger()) == (0, 0, [])


@pytest.mark.parametrize("again", [True, False])
def test_what_is_owed_again_outlives_its_invoice(app: Any, rich: Any, again: bool) -> None:
    refunds, account = back(rich), books.account(rich).id
    returned(newest(), OCT_12)
    invoice = books.bill(rich, OCT_12)
    known: Any = {"by": world.staff("clerk"), "at": books.noon(date(2026, 10, 14)), "law": world.law(OCT_12)}
    part = actions.credit_charge(refunds[1], 500, "A quarter is let go", **known)
    assert isinstance(part, Entry)
    made: Any = actions.void_invoice(world.plant(), invoice, "Wrong address", again=again, **known)
    assert (balance_cents(account), unpaid_cents(invoice.id), check_ledger()) == (1500, 0, [])
    made = made or books.bill(rich, date(2026, 10, 15))
    assert (made.total_cents, unpaid_cents(made.id), open_charges_cents(account)) == (2000, 1500, 0)
    assert aging_of(account, "", OCT_12).credit_cents == 0
    line = invoice_lines(made.id)[0][0]
    assert (line.on_day, line.what, line.reason) == (date(2026, 10, 14), "Paid back by check, no. 1201", "Asked for")


def test_a_refund_that_never_went_out_is_taken_back_and_then_the_check_bounces(app: Any, rich: Any) -> None:
    made = back(rich)
    known: Any = {"by": world.staff("clerk"), "at": books.noon(OCT_12), "law": world.law(OCT_12)}
    assert isinstance(actions.reverse_entry(made[1], "Never cashed", **known), Entry)
    assert credit_cents(books.account(rich).id) == 2000
    assert isinstance(returned(newest(), OCT_12), Entry)
    assert (balance_cents(books.account(rich).id), check_ledger()) == (0, [])


def test_money_paid_back_is_on_no_invoice_while_its_payment_stands(app: Any, rich: Any) -> None:
    made = back(rich)
    assert made[0].id
    invoice = db.session.query(Invoice).order_by(Invoice.id).first()
    assert invoice is not None
    row = InvoiceLine(plant_id=invoice.plant_id, invoice_id=invoice.id, entry_id=made[0].id)
    db.session.add(row)
    db.session.flush()
    said = f"invoice_line {row.id} holds entry {made[0].id}, which is no charge of its account."
    assert said in check_ledger()
    refused: Any = actions.credit_charge(made[1], 1, "x", by=world.staff("clerk"), at=books.noon(OCT_12),
                                         law=world.law(OCT_12))  # fmt: skip
    assert refused.why == "Only a charge can be credited. Take this line back instead."


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
