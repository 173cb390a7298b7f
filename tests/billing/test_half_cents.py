"""Half a cent goes up, alike on screen, in print and in files; what was issued stays as it was to the byte."""

import csv
import io
from datetime import date
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from sqlalchemy import select

from billing.models import Invoice, Payment
from billing.queries import balance_cents, files, unpaid_cents
from haulers.queries import party_of_business
from office.access import Role, system
from office.acts import act
from office.db import db
from office.files import File
from office.law import adopt_law
from office.letters import Letter, make_pdf
from office.people import Party
from tests import world
from tests.billing import books
from tests.billing.test_routes import signed_in, text_of
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.ordinances.common import changed

OCT_6, OCT_7, NOV_2 = date(2026, 10, 6), date(2026, 10, 7), date(2026, 11, 2)


def dearer(folder: Any, price: str, since: date) -> None:
    path = changed(folder, ('price = "0.024"', f'price = "{price}"'))
    adopt_law(world.plant(), path, since, "Ord. 400", by=world.staff("admin"), at=world.START)


@act("test_rename", roles=(Role.SYSTEM,))
def renamed(party: Party, *, by: Any, at: Any) -> None:
    party.name = "Apostle Septic, L.L.C."


def words_of(content: bytes) -> str:
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)


def stored(issued: Invoice | Payment) -> bytes:
    """The PDF of an invoice or a receipt as it is kept."""
    letter_id = issued.letter_id
    assert letter_id is not None
    make_pdf(letter_id, books.noon(NOV_2))
    query = select(File.content).join(Letter, Letter.file_id == File.id).where(Letter.id == letter_id)
    return db.session.scalars(query).one()


@pytest.mark.parametrize(("gallons", "amount"), [(1001, "25.03"), (1005, "25.13")])
def test_half_a_cent_goes_up_on_the_page_in_the_pdf_in_the_statement_and_in_the_csv(
    app: Any, clock_at: Any, tmp_path: Any, gallons: int, amount: str
) -> None:
    clock_at("2026-11-02T10:00")
    dearer(tmp_path, "0.025", OCT_6)
    who = books.party("Apostle Example Septic", "first@septic.example")
    books.load(who, gallons, OCT_6, tested=False)
    invoice = books.bill(who, NOV_2)
    db.session.commit()
    clerk = signed_in(app, "clerk")
    line = f"Septage unloaded: {gallons:,} gallons at $0.025"
    page = text_of(clerk.get(f"/bayfield/clerk/invoices/{invoice.number}"))
    assert line in page
    assert f'<td class="num">${amount}</td>' in page
    assert f"{gallons:,} gallons $0.025 ${amount}" in words_of(stored(invoice))
    asked = f"/bayfield/clerk/accounts/{invoice.account_id}/statement.pdf?from=2026-10-01&to=2026-11-02"
    said = words_of(clerk.get(asked).get_data())
    assert f"Septage unloaded invoice {invoice.number} ${amount} ${amount}" in said
    rows = files.as_csv(files.rows(world.plant().id, OCT_6, NOV_2)).decode("utf-8-sig")
    assert [row["Amount"] for row in csv.DictReader(io.StringIO(rows, newline=""))] == [amount]


@pytest.mark.parametrize(("gallons", "amount"), [(1001, "25.03"), (1005, "25.13")])
def test_half_a_cent_is_the_same_on_the_receipt_the_statement_the_ticket_and_in_the_workbook(
    app: Any, clock_at: Any, tmp_path: Any, gallons: int, amount: str
) -> None:
    clock_at("2026-11-02T10:00")
    dearer(tmp_path, "0.025", OCT_6)
    who = hauler()
    load = good(log(who, gallons, tested=False, bottle="", untested="The sampler is broken"))
    db.session.commit()
    party = party_of_business(who.business_id)
    invoice = books.bill(party, NOV_2)
    receipt = books.pay(party, amount, NOV_2)
    db.session.commit()
    assert unpaid_cents(invoice.id) == balance_cents(invoice.account_id) == 0
    clerk = signed_in(app, "clerk")
    for address in (
        f"/bayfield/clerk/receipts/{receipt.number}",
        f"/bayfield/clerk/accounts/{invoice.account_id}/statement?from=2026-10-01&to=2026-11-02",
        f"/bayfield/clerk/accounts/{invoice.account_id}",
        "/bayfield/clerk/invoices",
    ):
        assert f"${amount}" in text_of(clerk.get(address)), address
    ticket = text_of(signed_in(app, "operator").get(f"/bayfield/station/load/{load.ticket}"))
    assert f"{gallons:,} gallons at $0.025" in ticket and f"${amount}" in ticket
    asked = f"/bayfield/clerk/accounts/{invoice.account_id}/statement.pdf?from=2026-10-01&to=2026-11-02"
    assert f"${amount}" in words_of(stored(receipt))
    assert f"${amount} ${amount}" in words_of(clerk.get(asked).get_data())
    sheet = files.as_xlsx(files.rows(world.plant().id, OCT_6, NOV_2), books.noon(NOV_2))
    first, *lines = load_workbook(io.BytesIO(sheet)).active.iter_rows(values_only=True)
    amounts = [line[first.index("Amount")] for line in lines]
    assert [f"{one:.2f}" for one in amounts] == [amount, f"-{amount}"]


def test_a_new_rate_a_new_name_and_a_new_setting_leave_an_issued_invoice_as_it_was(
    app: Any, clock_at: Any, tmp_path: Any
) -> None:
    clock_at("2026-11-02T10:00")
    who = books.party("Apostle Example Septic", "first@septic.example")
    books.load(who, 1500, OCT_6)
    invoice = books.bill(who, OCT_6)
    db.session.commit()
    number, before = invoice.number, stored(invoice)
    client = signed_in(app, "clerk")
    dearer(tmp_path, "0.030", OCT_7)
    renamed(db.session.get_one(Party, who.id), by=system(), at=books.noon(OCT_7))
    books.load(db.session.get_one(Party, who.id), 1500, OCT_7)
    db.session.commit()
    assert client.get(f"/bayfield/clerk/invoices/{number}/pdf").get_data() == before
    page = text_of(client.get(f"/bayfield/clerk/invoices/{number}"))
    assert "1,500 gallons at $0.024" in page
    assert "<dd>Apostle Example Septic 12 Example Road Washburn, WI 54891</dd>" in page
    second: Any = books.bill(db.session.get_one(Party, who.id), NOV_2)
    assert (second.party_name, second.total_cents) == ("Apostle Septic, L.L.C.", 4500 + 1216)
