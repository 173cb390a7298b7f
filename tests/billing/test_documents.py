import io
from datetime import date, timedelta
from typing import Any

from pypdf import PdfReader

from office.db import db
from office.letters import Letter, make_pdf, render
from tests import world
from tests.billing import books

OCT_1 = date(2026, 10, 1)


def pages(letter_id: int | None) -> list[str]:
    letter = db.session.get_one(Letter, letter_id)
    reader = PdfReader(io.BytesIO(render(letter.template, letter.data)))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def test_invoice_is_one_page_with_lines_readings_last_day_and_slip(app: Any) -> None:
    who = books.party("Åsa Example & Sons #1 $ *Septic*")
    books.load(who, label="Load 2026-00412")
    text = pages(books.bill(who, OCT_1).letter_id)
    assert len(text) == 1
    for words in (
        "City of Bayfield",
        "Åsa Example & Sons #1 $ *Septic* 12 Example Road Washburn, WI 54891",
        "Invoice October 1, 2026 No. 2026-00001",
        "Wednesday, September 30, 2026 · Load 2026-00412",
        "Septage unloaded § 329-7 F(2); § 329-2 B(2)(d) 1,500 gallons $0.024 $36.00",
        "Testing for BOD5 and TSS § 329-2 B(2)(d); § 329-7 F(1) 1 load $12.16 $12.16",
        "Total $48.16",
        "Pay $48.16 by the end of Wednesday, October 21, 2026. A late charge of 10 % is added once",
        "How we read the ordinance. § 329-2 B(2)(d); § 329-7 F(1): One charge covers both tests of a load",
        "Send this part with your check to City of Bayfield, 125 South First Street, Bayfield, WI 54814",
    ):
        assert words in text[0], text[0]


def test_invoice_paid_ahead_asks_for_nothing(app: Any) -> None:
    who = books.party()
    books.load(who, 100)
    books.pay(who, "60.00", OCT_1)
    books.load(who)
    text = pages(books.bill(who, OCT_1).letter_id)[0]
    assert "Total $62.72 Credit on your account −$60.00 To pay $2.72" in text
    books.pay(who, "100.00", OCT_1)
    books.load(who, 100, OCT_1)
    paid = pages(books.bill(who, OCT_1).letter_id)[0]
    assert "To pay $0.00" in paid
    assert "Nothing is left to pay on this invoice." in paid
    assert "late charge" not in paid


def test_long_invoice_goes_on_with_its_heads(app: Any) -> None:
    who = books.party()
    for n in range(40):
        books.load(who, 100 + n, OCT_1 - timedelta(days=n))
    text = pages(books.bill(who, OCT_1).letter_id)
    assert len(text) == 4
    assert all("What Quantity Each Amount" in page for page in text[:3])
    assert "page 2 of 4" in text[1]


def test_receipt_is_one_page_and_says_what_is_still_owed(app: Any) -> None:
    who = books.party()
    books.load(who)
    books.bill(who, OCT_1)
    text = pages(books.pay(who, "20.00", OCT_1).letter_id)
    assert len(text) == 1
    for words in (
        "Receipt October 1, 2026 No. 2026-00001", "$20.00 received on October 1, 2026 by check, no. 1042",
        "Invoice 2026-00001 $20.00", "$28.16 is still owed after this payment.",
    ):  # fmt: skip
        assert words in text[0], text[0]


def test_sent_document_never_changes(app: Any) -> None:
    who = books.party("Old Example Name")
    books.load(who)
    invoice = books.bill(who, OCT_1)
    db.session.commit()
    make_pdf(invoice.letter_id or 0, world.START)
    letter = db.session.get_one(Letter, invoice.letter_id)
    before = (letter.file_id, letter.data_sha256, letter.data)
    who.name = "New Example Name"
    books.pay(who, "20.00", OCT_1)
    db.session.commit()
    make_pdf(letter.id, world.START)
    assert (letter.file_id, letter.data_sha256, letter.data) == before
    assert letter.data["addressee"][0] == "Old Example Name"
