"""Aging, statements and the ledger as files."""

import csv
import io
import zipfile
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from openpyxl import load_workbook

from billing import actions
from billing.queries import aging, balance_cents, files, statement
from office import tables
from office.access import Role, system
from office.acts import act
from office.db import db
from office.exports import Export, hand_out
from office.journal import JournalEntry
from office.people import Party, PartyName
from tests import world
from tests.billing import books
from tests.billing.test_routes import send, signed_in, text_of, two

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
     ("+1 (715) 555-0199", "+1 (715) 555-0199"), ("007", "007"), ("Łukasik", "Łukasik"), ("-1,234.50", "-1,234.50"),
     ("+1-715-555-0199", "'+1-715-555-0199"), ("+17155550199", "'+17155550199"), ("-715-555-0199", "'-715-555-0199"),
     ("-1+2", "'-1+2"), ("715-555-0199", "715-555-0199"), ("(715) 555-0111", "(715) 555-0111")],
)  # fmt: skip
def test_only_what_a_spreadsheet_would_run_is_defused(text: str, written: str) -> None:
    assert files.harmless(text) == written


def test_a_telephone_number_stays_text_in_both_files_and_the_workbook_adds_no_apostrophe() -> None:
    row = ("+1-715-555-0199", "+1 (715) 555-0199", "007", Decimal("-12.16"))
    raw = tables.as_csv(("a", "b", "c", "d"), [row], money=("d",)).decode("utf-8-sig")
    assert raw.splitlines()[1] == "'+1-715-555-0199,+1 (715) 555-0199,007,-12.16"
    sheet = load_workbook(
        io.BytesIO(tables.as_xlsx("T", ("a", "b", "c", "d"), [row], at=world.START, money=("d",)))
    ).active
    assert sheet is not None
    assert [(cell.value, cell.data_type, cell.quotePrefix) for cell in sheet[2]] == [
        ("+1-715-555-0199", "s", False), ("+1 (715) 555-0199", "s", False), ("007", "s", False), (-12.16, "n", False),
    ]  # fmt: skip


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
    sheet = load_workbook(io.BytesIO(files.as_xlsx(lines, world.START))).active
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


def exported(client: Any, **more: str) -> Any:
    """The page of a ledger that was exported."""
    form = {"account": "0", "first-month": "9", "first-day": "1", "first-year": "2026", "last-month": "10",
            "last-day": "12", "last-year": "2026"}  # fmt: skip
    return send(client, "/clerk/ledger/export", once=uuid4().hex, **(form | more))


def test_exporting_the_ledger_is_recorded_and_its_files_hold_what_was_known_then(app: Any, two: Any) -> None:
    clerk, hauler = signed_in(app, "clerk"), signed_in(app, "first@septic.example")
    page = exported(clerk)
    made = db.session.query(Export).one()
    assert page.location == f"/bayfield/clerk/ledger/exports/{made.id}"
    assert (made.kind, made.first_day, made.last_day, made.party_id, made.by_name) == (
        "ledger", date(2026, 9, 1), date(2026, 10, 12), None, "Clerk of the City",
    )  # fmt: skip
    entry = db.session.query(JournalEntry).filter_by(table_name="export", record_id=made.id).one()
    assert (entry.act, entry.person, entry.new["first_day"]) == ("hand_out", "Clerk of the City", "2026-09-01")
    files_ = {}
    for kind, start in (("csv", b"\xef\xbb\xbf"), ("xlsx", b"PK")):
        answer = clerk.get(f"{page.location}/{kind}")
        files_[kind] = answer.get_data()
        assert files_[kind][: len(start)] == start
        assert answer.headers["Content-Disposition"] == (
            f"attachment; filename=ledger-bayfield-2026-09-01-2026-10-12.{kind}"
        )
        answer.close()
    actions.make_invoices(world.plant(), by=system(), at=books.noon(date(2026, 10, 13)), law=world.law())
    books.load(two[0], day=date(2026, 10, 13))
    db.session.commit()
    assert clerk.get(f"{page.location}/csv").get_data() == files_["csv"]
    account = books.account(two[1])
    one = exported(clerk, account=str(account.id))
    rows = list(csv.DictReader(io.StringIO(clerk.get(f"{one.location}/csv").get_data(as_text=True)[1:], newline="")))
    assert sum(Decimal(row["Amount"]) for row in rows) * 100 == balance_cents(account.id)
    assert text_of(clerk.get("/bayfield/clerk/ledger/export")).count("September 1, 2026 to October 12, 2026") == 2
    late = exported(clerk, **{"first-year": "2027", "last-year": "2027"})
    assert "From must be October 12, 2026 or earlier" in text_of(late)
    assert clerk.get(f"{page.location}/pdf").status_code == 404
    assert hauler.get(f"{page.location}/csv").status_code in (302, 303, 403)
    assert db.session.query(Export).count() == 2


def test_an_export_adds_the_lines_of_earlier_days_entered_since_the_one_before(
    app: Any, two: Any, clock_at: Any
) -> None:
    def lines(address: str) -> list[tuple[str, str]]:
        raw = clerk.get(f"{address}/csv").get_data(as_text=True)[1:]
        return [(row["Day"], row["Amount"]) for row in csv.DictReader(io.StringIO(raw, newline=""))]

    def told_late(source: int, gallons: int, day: date, entered: date) -> None:
        line = books.volume(world.law(day), day, gallons)
        actions.post_charges(world.plant(), two[0].id, [line], "load", source, day, by=system(), at=books.noon(entered),
                             law=world.law(day))  # fmt: skip
        db.session.commit()

    clerk = signed_in(app, "clerk")
    september = {"last-month": "9", "last-day": "30"}
    first = exported(clerk, **september).location
    assert "of earlier days" not in text_of(clerk.get(first))
    known = lines(first)
    clock_at("2026-11-02T08:00")
    told_late(601, 2000, date(2026, 9, 30), date(2026, 10, 20))
    clerk = signed_in(app, "clerk")
    october = {"first-month": "10", "last-day": "31"}
    second = exported(clerk, **october).location
    assert lines(second) == [("2026-09-30", "48.00"), *[one for one in lines(second) if one[0] >= "2026-10-01"]]
    assert "Also in it: 1 line of earlier days, together $48.00, entered since" in text_of(clerk.get(second))
    assert lines(first) == known
    account = exported(clerk, account=str(books.account(two[0]).id), **october).location
    assert "2026-09-30" not in {day for day, _ in lines(account)}  # of this hauler alone nothing was exported before
    clock_at("2026-12-01T08:00")
    told_late(602, 1000, date(2026, 9, 30), date(2026, 11, 20))
    told_late(603, 500, date(2026, 10, 6), date(2026, 11, 20))
    clerk = signed_in(app, "clerk")
    november = {"first-month": "11", "last-month": "11", "last-day": "30"}
    third = exported(clerk, **november).location
    assert lines(third) == [("2026-09-30", "24.00"), ("2026-10-06", "12.00")]
    fourth = exported(clerk, **(november | {"first-month": "12", "last-month": "12", "last-day": "1"})).location
    assert "No line of earlier days was entered since" in text_of(clerk.get(fourth))
    everything = [Decimal(cents) for one in (first, second, third, fourth) for _, cents in lines(one)]
    assert sum(everything) * 100 == sum(balance_cents(books.account(one).id) for one in two)


@act("test_rename_hauler", roles=(Role.SYSTEM,))
def _renamed(party_id: int, name: str, *, by: Any, at: Any) -> None:
    party = db.session.get_one(Party, party_id)
    db.session.add(PartyName(party_id=party_id, name=party.name, until=at))
    party.name = name


def test_a_ledger_handed_out_keeps_the_names_of_then(app: Any, two: Any, clock_at: Any) -> None:
    who, noon = books.account(two[0]).party_id, books.noon
    _renamed(who, "Apostle Second Name", by=system(), at=noon(date(2026, 10, 11)))
    db.session.commit()
    clerk = signed_in(app, "clerk")
    address = f"{exported(clerk).location}/csv"
    before = clerk.get(address).get_data()
    for day, name in ((14, "Apostle Third Name"), (15, "Apostle Fourth Name")):
        _renamed(who, name, by=system(), at=noon(date(2026, 10, day)))
        db.session.commit()
    assert clerk.get(address).get_data() == before
    names = {row["Hauler"] for row in csv.DictReader(io.StringIO(before.decode("utf-8-sig"), newline=""))}
    assert names == {"Apostle Second Name", "Birch Example Pumping"}
    now = {row[1] for row in files.rows(world.plant().id, date(2026, 9, 1), date(2026, 10, 12))}
    assert now == {"Apostle Fourth Name", "Birch Example Pumping"}


def test_lines_are_found_by_hauler_month_and_kind(app: Any, two: Any) -> None:
    clerk, first = signed_in(app, "clerk"), books.account(two[0])
    page = text_of(clerk.get("/bayfield/clerk/ledger?kind=payment"))
    assert "1 line, together −$20.00." in page
    assert "Apostle Example Septic" in page
    page = text_of(clerk.get(f"/bayfield/clerk/ledger?hauler={first.id}&month=2026-10"))
    assert "3 lines, together $4.16." in page
    assert '<td class="num not-phone">$52.32</td>' in page
    assert "No line is found." in text_of(clerk.get(f"/bayfield/clerk/ledger?hauler={first.id}&kind=refund"))


def test_what_is_no_hauler_month_or_kind_is_said_not_left_out(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    for asked, said in (
        ("hauler=zz", "There is no hauler “zz” here."), ("hauler=99999", "There is no hauler “99999” here."),
        ("month=x", "There is no month “x” here."), ("kind=gift", "There is no kind of line “gift” here."),
    ):  # fmt: skip
        page = text_of(clerk.get(f"/bayfield/clerk/ledger?{asked}"))
        assert f"{said} Choose one from the list." in page
    assert "There is no" not in text_of(clerk.get("/bayfield/clerk/ledger?hauler=&month=&kind="))
    assert "There is no state “zz”." in text_of(clerk.get("/bayfield/plant/loads?state=zz"))
    assert clerk.get("/bayfield/plant/loads/file/csv?state=zz").status_code == 404


def test_days_to_come_and_days_before_anything_is_kept_are_refused_at_their_field(app: Any, two: Any) -> None:
    clerk = signed_in(app, "clerk")
    page = text_of(exported(clerk, **{"first-year": "1900"}))
    assert "From must be after December 31, 2025" in page
    assert 'value="1900"' in page
    page = text_of(exported(clerk, **{"last-month": "12"}))
    assert "To must be October 12, 2026 or earlier" in page
    assert 'name="last-month" value="12"' in page
    assert db.session.query(Export).count() == 0
    refused: Any = hand_out(world.plant(), "ledger", OCT_6, NOV_15, by=world.staff("clerk"), at=books.noon(OCT_6))
    assert (refused.code, refused.why) == ("days_to_come", "To must be October 6, 2026 or earlier.")


def test_the_page_of_an_export_names_the_hauler_as_of_then(app: Any, two: Any) -> None:
    clerk, account = signed_in(app, "clerk"), books.account(two[0])
    page = exported(clerk, account=str(account.id)).location
    _renamed(account.party_id, "Apostle Second Name", by=system(), at=books.noon(date(2026, 10, 14)))
    db.session.commit()
    for address in (page, "/bayfield/clerk/ledger/export"):
        shown = text_of(clerk.get(address)).partition("Exported before")[2] or text_of(clerk.get(address))
        assert "Apostle Example Septic" in shown
        assert "Apostle Second Name" not in shown


def test_a_workbook_is_the_same_bytes_whenever_it_is_made(app: Any, two: Any, clock_at: Any) -> None:
    clerk = signed_in(app, "clerk")
    page = exported(clerk).location
    made = db.session.query(Export).one().at
    before = clerk.get(f"{page}/xlsx").get_data()
    loads = clerk.get("/bayfield/plant/loads/file/xlsx").get_data()
    clock_at("2026-10-12T16:40")
    clerk = signed_in(app, "clerk")
    assert clerk.get("/bayfield/plant/loads/file/xlsx").get_data() == loads
    assert clerk.get(f"{page}/xlsx").get_data() == before
    whole = zipfile.ZipFile(io.BytesIO(before))
    assert {part.date_time for part in whole.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert f"{made:%Y-%m-%dT%H:%M:%SZ}" in whole.read("docProps/core.xml").decode()
