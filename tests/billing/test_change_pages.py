"""The clerk's pages of credits, void invoices, write-offs, returned checks and spreads, by their forms."""

import re
from datetime import date
from typing import Any

import pytest

from billing.models import Entry, Invoice, Payment
from billing.queries import balance_cents, check_ledger, invoice_lines, parts_of_payment
from office.db import db
from office.notices import Notice
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

__all__ = ["two"]
OCT_1 = date(2026, 10, 1)


@pytest.fixture
def clerk(app: Any, two: Any) -> Any:
    return signed_in(app, "clerk")


def invoice(number: str) -> Invoice:
    return db.session.query(Invoice).filter_by(number=number).one()


def owed(number: str) -> int:
    assert check_ledger() == []
    return balance_cents(invoice(number).account_id)


def test_part_of_a_line_is_credited_on_a_page_and_shown_on_the_invoice(clerk: Any) -> None:
    found = invoice("2026-00001")
    volume = invoice_lines(found.id)[0][0]
    address = f"/clerk/accounts/{found.account_id}/credit/{volume.id}"
    page = text_of(clerk.get(f"/bayfield{address}"))
    assert "<h1>Credit a charge</h1>" in page
    assert "<dt>Left of it</dt> <dd>$36.00</dd>" in page
    before = owed("2026-00001")
    wrong = send(clerk, address, amount="36.01", reason="Too many gallons", once="b" * 32)
    assert "Amount must be $36.00 or less: no more is left of it." in text_of(wrong)
    lacking = send(clerk, address, amount="5.00", reason="", once="c" * 32)
    assert "Enter why" in text_of(lacking)
    done = send(clerk, address, amount="10.00", reason="Too many gallons", once="d" * 32)
    assert done.status_code == 303
    assert owed("2026-00001") == before - 1000
    assert "$18.16" in text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))


def test_a_whole_invoice_is_credited_written_off_or_void(clerk: Any) -> None:
    one, two_ = owed("2026-00001"), owed("2026-00002")
    told = "It stays on the record, and the hauler is told."
    asked = {way: text_of(clerk.get(f"/bayfield/clerk/invoices/2026-00001/{way}")) for way in ("credit", "write-off")}
    assert {way: told in page for way, page in asked.items()} == {"credit": True, "write-off": True}
    assert send(clerk, "/clerk/invoices/2026-00001/write-off", reason="Gone", once="b" * 32).status_code == 303
    assert owed("2026-00001") == one - 2816
    gone = db.session.query(Notice).filter_by(kind="written_off").one()
    assert (gone.subject, gone.body) == (
        "$28.16 written off: invoice 2026-00001",
        "$28.16 of invoice 2026-00001 is written off: the city asks for it no longer.\nWhy: Gone\n"
        "$24.16 is still owed after this.",
    )  # fmt: skip
    assert send(clerk, "/clerk/invoices/2026-00002/credit", reason="Wrong", once="c" * 32).status_code == 303
    assert owed("2026-00002") == two_ - 3616
    again = send(clerk, "/clerk/invoices/2026-00002/credit", reason="Wrong", once="d" * 32)
    assert "Nothing is left of this invoice." in text_of(again)


@pytest.mark.parametrize(("number", "cents"), [("2026-00001", "$28.16"), ("2026-00002", "$36.16")])
def test_a_written_off_invoice_says_so_with_the_day_the_dollars_and_why(clerk: Any, number: str, cents: str) -> None:
    send(clerk, f"/clerk/invoices/{number}/write-off", reason="The firm is gone", once="b" * 32)
    listed = text_of(clerk.get("/bayfield/clerk/invoices"))
    assert f'{number}</a> <span class="tag tag-plain">Written off</span>' in listed
    page = " ".join(re.sub("<[^>]+>", " ", text_of(clerk.get(f"/bayfield/clerk/invoices/{number}"))).split())
    day = "Written off on Monday, October 12, 2026: nothing is to be paid"
    assert f"{day} {cents}, The firm is gone. Download the invoice" in page
    assert f"Written off October 12, 2026 The firm is gone −{cents} " in page
    assert "Taken back" not in page


def test_a_void_invoice_leads_to_the_one_in_its_place(clerk: Any) -> None:
    before = owed("2026-00001")
    page = text_of(clerk.get("/bayfield/clerk/invoices/2026-00001/void"))
    assert "Put the same charges on a new invoice" in page
    done = send(clerk, "/clerk/invoices/2026-00001/void", reason="Wrong address", again="y", once="b" * 32)
    assert done.location == "/bayfield/clerk/invoices/2026-00003"
    assert owed("2026-00003") == before
    page = text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
    assert "Taken back: nothing is to be paid" in page
    assert "/clerk/invoices/2026-00001/void" not in page


def test_a_payment_is_spread_otherwise_and_a_check_comes_back(clerk: Any) -> None:
    payment = db.session.query(Payment).order_by(Payment.id).first()
    assert payment is not None
    page = text_of(clerk.get(f"/bayfield/clerk/receipts/{payment.number}/spread"))
    assert "For invoice 2026-00001" in page
    assert 'value="20.00"' in page
    ident = invoice("2026-00001").id
    done = send(clerk, f"/clerk/receipts/{payment.number}/spread", **{f"invoice_{ident}": "15.00"}, once="b" * 32)
    assert done.status_code == 303
    assert [cents for _, cents in parts_of_payment(payment.id)] == [2000]  # the rest goes to the oldest: the same one
    much = send(clerk, f"/clerk/receipts/{payment.number}/spread", **{f"invoice_{ident}": "20.01"}, once="c" * 32)
    assert "The amounts must come to $20.00 or less: that is what was received." in text_of(much)
    before = owed("2026-00001")
    sent = send(clerk, f"/clerk/receipts/{payment.number}/returned", reason="No funds", once="d" * 32)
    assert sent.status_code == 303
    assert owed("2026-00001") == before + 2000


@pytest.mark.parametrize("typed", ["1234.50", "$1,234.50", "1 234,50", " 1234,5 "])
def test_an_amount_is_read_as_it_is_pasted(clerk: Any, two: Any, typed: str) -> None:
    form = {"account": str(books.account(two[0]).id), "amount": typed, "method": "check", "reference": "9",
            "received_on-month": "10", "received_on-day": "9", "received_on-year": "2026", "ahead": "y"}  # fmt: skip
    assert send(clerk, "/clerk/payments/new", **form).status_code == 303
    last = db.session.query(Entry).order_by(Entry.id.desc()).first()
    assert last is not None
    assert (last.kind, last.amount_cents, last.what) == ("deposit", -123_450, "Paid ahead by check, no. 9")


def test_a_fee_dispute_is_recorded_taken_on_and_ended_on_its_pages(app: Any, clerk: Any, two: Any) -> None:
    account = books.account(two[0])
    entry = db.session.query(Entry).filter_by(account_id=account.id, code="volume").first()
    assert entry is not None
    assert "Nobody disputes a fee." in text_of(clerk.get("/bayfield/clerk/disputes"))
    form = {"fees": "The gallons", "gallons": "1,500", "waste": "septic_tank", "charges": [str(entry.id)],
            "asked_on-month": "10", "asked_on-day": "9", "asked_on-year": "2026"}  # fmt: skip
    lacking = send(clerk, f"/clerk/accounts/{account.id}/dispute", **(form | {"charges": []}), once="b" * 32)
    assert "Select the charges that are disputed" in text_of(lacking)
    done = send(clerk, f"/clerk/accounts/{account.id}/dispute", **form, once="c" * 32)
    assert done.location == "/bayfield/clerk/disputes"
    page = text_of(clerk.get("/bayfield/clerk/disputes"))
    assert "2026-00001: Apostle Example Septic" in page
    assert "review by the municipal system" in page
    at_issue = "Charge Amount September 30, 2026, Septage unloaded Load 2026-00001 $36.00 Total at issue $36.00"
    for reader, path in ((clerk, "clerk/disputes"), (clerk, "clerk/disputes/2026-00001"),
                         (signed_in(app, "first@septic.example"), "hauler/money")):  # fmt: skip
        shown = " ".join(re.sub("<[^>]+>", " ", text_of(reader.get(f"/bayfield/{path}"))).split())
        assert f"Charges at issue in 2026-00001 {at_issue}" in shown
    assert "Charges at issue" not in text_of(signed_in(app, "second@septic.example").get("/bayfield/hauler/money"))
    day = {"on_day-month": "10", "on_day-day": "12", "on_day-year": "2026"}
    empty = send(clerk, "/clerk/disputes/2026-00001", stage="", outcome="", **day, once="d" * 32)
    assert "Enter the stage reached, or how it ended." in text_of(empty)
    send(clerk, "/clerk/disputes/2026-00001", stage="", outcome="The fees stand", **day, once="e" * 32)
    assert "The fees stand <span" in text_of(clerk.get("/bayfield/clerk/disputes"))


def test_an_invoice_is_sent_again_as_it_was_made(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    page = text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
    assert ">Send again</button>" in page
    assert send(clerk, "/clerk/invoices/2026-00001/send").location == "/bayfield/clerk/invoices/2026-00001"
    first, again = db.session.query(Notice).filter_by(kind="invoice", to_name="Apostle Example Septic")
    assert (again.subject, again.letter_id) == (
        "Invoice 2026-00001 once more: $48.16, due October 21, 2026", first.letter_id,
    )  # fmt: skip
    assert again.body == (
        "Invoice 2026-00001 of City of Bayfield for unloading septage is $48.16, due October 21, 2026.\n"
        "$28.16 is still to be paid.\nThe lines and the printed invoice are on your Money page after you sign in."
    )


def test_a_void_invoice_names_the_one_in_its_place_and_is_not_sent_again(app: Any, two: Any) -> None:
    clerk, hauler = signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    answer = send(clerk, "/clerk/invoices/2026-00001/void", reason="Wrong address", again="y")
    assert answer.location == "/bayfield/clerk/invoices/2026-00003"
    void = text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
    assert 'In its place is invoice <a class="text-nowrap" href="/bayfield/clerk/invoices/2026-00003">' in void
    assert "Send again" not in void
    mine = text_of(hauler.get("/bayfield/hauler/invoices/2026-00003"))
    assert 'It takes the place of invoice <a class="text-nowrap" href="/bayfield/hauler/invoices/2026-00001">' in mine
    assert "Send again" not in mine
    refused = send(clerk, "/clerk/invoices/2026-00001/send", once="b" * 32)
    assert "Nothing is to be paid of invoice 2026-00001: it was taken back." in text_of(refused)


def test_a_written_off_invoice_is_not_sent_again(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    assert send(clerk, "/clerk/invoices/2026-00001/write-off", reason="Bankrupt").status_code == 303
    assert "Send again" not in text_of(clerk.get("/bayfield/clerk/invoices/2026-00001"))
    refused = send(clerk, "/clerk/invoices/2026-00001/send", once="b" * 32)
    assert "Nothing is to be paid of invoice 2026-00001: what was unpaid of it is written off." in text_of(refused)
    assert db.session.query(Notice).filter(Notice.subject.contains("once more")).count() == 0
