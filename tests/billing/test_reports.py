"""Aging, statements and the ledger as files."""

import csv
import io
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from openpyxl import load_workbook

from billing.queries import aging, balance_cents, files, statement
from office.db import db
from tests import world
from tests.billing import books
from tests.billing.test_routes import signed_in, text_of, two

__all__ = ["two"]
OCT_6, NOV_15 = date(2026, 10, 6), date(2026, 11, 15)


def test_aging_adds_up_to_the_balance_of_each_account(app: Any, two: Any) -> None:
    books.pay(two[1], "50.00", OCT_6)
    db.session.commit()
    found = aging(world.plant().id, NOV_15)
    assert [(one.name, one.balance_cents, one.unbilled_cents, one.credit_cents) for one in found] == [
        ("Apostle Example Septic", 2816 + 2416, 2416, 0), ("Birch Example Pumping", -1384, 0, 1384),
    ]  # fmt: skip
    assert {age: cents for age, cents in found[0].by_age.items() if cents} == {"1 to 30 days": 2816}
    ages = []
    for day in (date(2026, 10, 21), date(2026, 10, 22), date(2027, 1, 19), date(2027, 1, 20)):
        ages += [age for age, cents in aging(world.plant().id, day)[0].by_age.items() if cents]
    assert ages == ["not due", "1 to 30 days", "61 to 90 days", "over 90 days"]


def test_a_statement_goes_on_where_the_one_before_ended(app: Any, two: Any) -> None:
    account = books.account(two[0])
    first, second = (statement(account.id, *days) for days in (
        (date(2026, 9, 1), date(2026, 9, 30)), (date(2026, 10, 1), date(2026, 10, 31))))  # fmt: skip
    assert (first.opening_cents, first.closing_cents, second.opening_cents) == (0, 4816, 4816)
    assert second.closing_cents == balance_cents(account.id) == 4816 - 2000 + 2416
    assert statement(account.id, date(2027, 1, 1), date(2027, 1, 31)).closing_cents == 0 + second.closing_cents


@pytest.mark.parametrize(
    ("text", "written"),
    [("=1+1", "'=1+1"), ("+SUM(A1)", "'+SUM(A1)"), ("@now", "'@now"), ("-x", "'-x"), ("-12.16", "-12.16"),
     ("+1 (715) 555-0199", "+1 (715) 555-0199"), ("007", "007"), ("Łukasik", "Łukasik")],
)  # fmt: skip
def test_only_what_a_spreadsheet_would_run_is_defused(text: str, written: str) -> None:
    assert files.harmless(text) == written


def test_the_ledger_as_csv_and_as_a_workbook_adds_up_to_the_balances(app: Any, two: Any) -> None:
    who = books.party("=cmd|Nuñez-Łukasik 007")
    books.load(who, 1998)
    db.session.commit()
    lines = files.rows(world.plant().id, date(2026, 1, 1), date(2026, 12, 31))
    raw = files.as_csv(lines)
    assert raw.startswith(b"\xef\xbb\xbfDay,Hauler,Kind,What,Quantity,Unit,Unit price,Amount,Section")
    table = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))
    volume = next(row for row in table if row["Quantity"] == "1998")
    assert (volume["Hauler"], volume["Amount"], volume["Unit price"]) == ("'=cmd|Nuñez-Łukasik 007", "47.95", "0.024")
    assert {row["Amount"] for row in table if row["Kind"] == "payment"} == {"-20.00"}
    sheet = load_workbook(io.BytesIO(files.as_xlsx(lines))).active
    assert sheet is not None
    cells = list(sheet.iter_rows(min_row=2, values_only=True))
    assert "=cmd|Nuñez-Łukasik 007" in {row[1] for row in cells}
    assert {cell.data_type for cell in sheet["B"]} == {"s"}
    whole = Decimal(sum(balance_cents(books.account(one).id) for one in (*two, who))) / 100
    assert sum((Decimal(row["Amount"]) for row in table), Decimal(0)) == whole
    assert sum((Decimal(str(row[7])) for row in cells), Decimal(0)) == whole


def test_the_pages_and_files_are_given_out(app: Any, two: Any) -> None:
    clerk, hauler = signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    account = books.account(two[0]).id
    assert "not due: $28.16" in text_of(clerk.get("/bayfield/clerk/aging"))
    page = text_of(clerk.get(f"/bayfield/clerk/accounts/{account}/statement?from=2026-10-01&to=2026-10-31"))
    assert "Owed before October 1, 2026" in page
    assert "<b>$52.32</b>" in page
    mine = text_of(hauler.get("/bayfield/hauler/statement"))
    assert "Statement of Apostle Example Septic" in mine
    for kind, start in (("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK")):
        answer = clerk.get(f"/bayfield/clerk/ledger/{kind}")
        assert answer.get_data()[: len(start)] == start
        assert answer.headers["Content-Disposition"] == (
            f"attachment; filename=ledger-bayfield-2026-01-01-2026-10-12.{kind}"
        )
        answer.close()
    assert clerk.get("/bayfield/clerk/ledger/pdf").status_code == 404
    assert clerk.get("/bayfield/clerk/ledger/csv?from=x").status_code == 404
    assert hauler.get("/bayfield/clerk/ledger/csv").status_code in (302, 303, 403)
