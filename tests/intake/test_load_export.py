"""Loads sought by words, days and state, and all of them as files: for the plant, and a hauler's own."""

import csv
import io
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openpyxl import load_workbook

from intake.actions.lab import enter_result
from intake.actions.more_tests import order_more_tests
from intake.actions.records import file_record
from intake.actions.station import void_load
from intake.queries import load_table
from intake.queries.load_table import Sought
from tests import world
from tests.intake.gatehouse import good, kept, log, refuse
from tests.intake.plant import hauler, queries
from tests.intake.test_station_pages import get, signed_in, text

FILE = "/plant/loads/file/csv"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at("2026-10-13T09:00")
    return signed_in(app, "operator")


def rows(client: FlaskClient, address: str = FILE) -> list[dict[str, str]]:
    answer = client.get(f"/bayfield{address}")
    assert answer.status_code == 200
    raw = answer.get_data()
    assert raw.startswith(b"\xef\xbb\xbfTicket,Slip,Day,Hauler")
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")))


def tickets(client: FlaskClient, asked: str) -> list[str]:
    return [one["Ticket"][-1] for one in rows(client, f"{FILE}?{asked}")]


def test_a_load_is_a_row_with_its_results_pounds_times_and_record(operator):
    who = hauler("=cmd|Nuñez & Sons")
    load = good(log(who, 1_500, bottle="0412", driver="-Ann"))
    for parameter, typed in (("BOD5", "4,200"), ("TSS", "<2")):
        good(kept(enter_result(load, parameter, typed, sure=True, by=world.staff("operator"),
                               at=world.at("2026-10-12T09:00"), law=world.law())))  # fmt: skip
    good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=world.at("2026-10-06T10:30"), law=world.law())))
    (row,) = rows(operator)
    wanted = {
        "Ticket": "2026-00001", "Day": "2026-10-06", "Hauler": "'=cmd|Nuñez & Sons", "Driver": "'-Ann",
        "Gallons": "1500", "Sample bottle": "0412", "State": "Unloaded", "Tested": "Yes", "pH at the gate": "6.9",
        "BOD5 (mg/L)": "4200", "BOD5 pounds": "52.5", "TSS (mg/L)": "<2", "TSS pounds": "<0.1", "P (mg/L)": "",
        "Unloaded from": "2026-10-06 07:00", "Record due": "2026-10-07 23:59", "Record in": "2026-10-06 10:30",
        "Came from": "12 Cedar Lane", "Septage unloaded": "36.00", "Testing for BOD5 and TSS": "12.16",
        "Charged in all": "48.16", "First results, where a new test counts": "",
    }  # fmt: skip
    assert {name: row[name] for name in wanted} == wanted


def test_the_workbook_keeps_numbers_days_and_zeros_and_runs_nothing(operator):
    good(log(hauler("=cmd|Nuñez"), 1_500, bottle="0412"))
    answer = operator.get("/bayfield/plant/loads/file/xlsx")
    assert answer.headers["Content-Disposition"] == "attachment; filename=loads-bayfield-2026-10-13.xlsx"
    sheet = load_workbook(io.BytesIO(answer.get_data())).active
    assert sheet is not None
    heads, cells = (list(one) for one in sheet.iter_rows(values_only=True))
    row = dict(zip(heads, cells, strict=True))
    assert (row["Hauler"], row["Sample bottle"], row["Gallons"]) == ("=cmd|Nuñez", "0412", 1500)
    assert [one.isoformat() for one in (row["Day"], row["Unloaded from"])] == [
        "2026-10-06T00:00:00", "2026-10-06T07:00:00"]  # fmt: skip
    assert {cell.data_type for cell in sheet["D"]} == {"s"}
    assert (row["Septage unloaded"], row["Testing for BOD5 and TSS"], row["Charged in all"]) == (36, 12.16, 48.16)
    assert sheet.cell(2, heads.index("Charged in all") + 1).number_format == "0.00"


def test_charges_are_those_that_stand_each_and_together_to_the_cent(operator):
    who = hauler()
    load, void = good(log(who, 1_501)), good(log(who, 100, "2026-10-07T07:00"))
    good(refuse(who, "2026-10-08T07:00"))
    good(kept(void_load(void, "Typed twice", by=world.staff("operator"), at=world.at("2026-10-09T08:00"),
                        law=world.law())))  # fmt: skip
    good(kept(order_more_tests(load, "=Copper", 1, "plant operator", "Max Weber", "Blue", cost=Decimal("0.05"),
                               by=world.staff("operator"), at=world.at("2026-10-09T08:00"),
                               law=world.law())))  # fmt: skip
    heads = ("Septage unloaded", "Testing for BOD5 and TSS", "Further tests", "Charged in all")
    assert [[one[name] for name in heads] for one in rows(operator)] == [
        ["", "", "", "0.00"], ["", "", "", "0.00"], ["36.02", "12.16", "0.05", "48.23"]]  # fmt: skip
    mine = rows(signed_in(operator.application, who.email), "/hauler/loads/file/csv")
    assert [one["Charged in all"] for one in mine] == ["0.00", "0.00", "48.23"]


def test_loads_are_found_by_words_days_and_state(operator):
    one, other = hauler(), hauler("Other Pumping", number=2)
    good(log(one, 300, bottle="4412"))
    good(log(other, 200, "2026-10-07T07:00", bottle="4413"))
    good(refuse(one, "2026-10-08T07:00"))
    good(kept(void_load(good(log(one, 100, "2026-10-09T07:00")), "Typed twice", by=world.staff("operator"),
                        at=world.at("2026-10-09T08:00"), law=world.law())))  # fmt: skip
    asked = ("", "find=4412", "find=other", "find=t-2", "find=2026-00003", "from=2026-10-07", "to=10/7/2026",
             "from=10/7/2026&to=10/8/2026", "state=accepted", "state=refused", "state=void", "state=late", "state=lab",
             "find=test&state=refused")  # fmt: skip
    wanted = ("4321", "1", "2", "2", "3", "432", "21", "32", "21", "3", "4", "21", "21", "3")
    found = [(one, "".join(tickets(operator, one))) for one in asked]
    assert found == list(zip(asked, wanted, strict=True))
    page = text(get(operator, "/plant/loads?from=10/7/2026&to=2026-10-08"))
    assert "Loads found" in page and "2026-00002" in page and "2026-00001" not in page.split("Loads found")[1]
    assert "All loads found as a file: CSV · Excel" in page


def test_ten_overdue_records_are_named_and_more_are_a_list_of_their_own(operator):
    who = hauler()
    for n in range(11):
        good(log(who, 10, f"2026-10-06T07:{n:02d}"))
        page = get(operator, "/plant/loads")
        assert ("All loads whose record is overdue" in page) == (n == 10)
    assert len(tickets(operator, "state=late")) == 11


def test_what_is_no_day_or_state_is_said_and_no_file_is_made_of_it(operator):
    good(log(hauler(), 300))
    page = text(get(operator, "/plant/loads?state=nonsense"))
    assert "There is no state “nonsense”. Choose one from the list." in page and "as a file" not in page
    get(operator, f"{FILE}?state=nonsense", 404)
    page = text(get(operator, "/plant/loads?from=yesterday"))
    assert "yesterday is not a day. Type it like 2026-10-05 or 10/5/2026" in page and "as a file" not in page
    get(operator, f"{FILE}?from=yesterday", 404)
    get(operator, "/plant/loads/file/pdf", 404)


def test_a_hauler_takes_only_its_own_loads_with_results_and_records(app, operator):
    one, other = hauler(), hauler("Other Pumping", number=2)
    good(log(one, 300))
    good(log(other, 200, "2026-10-07T07:00"))
    mine = signed_in(app, one.email)
    assert [row["Ticket"] for row in rows(mine, "/hauler/loads/file/csv")] == ["2026-00001"]
    assert rows(mine, "/hauler/loads/file/csv?find=2026-00002") == []
    get(mine, FILE, 403)
    page = text(get(mine, "/hauler/loads?state=late"))
    assert "Loads found Load Gallons 2026-00001" in page
    assert "No load is found." in text(get(mine, "/hauler/loads?find=other"))
    assert "file" not in text(get(signed_in(app, hauler("Third", number=3).email), "/hauler/loads"))


def test_a_file_asks_as_many_questions_for_more_loads(app: Flask) -> None:
    who, counts = hauler(), []
    for n in range(2):
        for k in range(1 + 3 * n):
            good(log(who, 10, f"2026-10-06T0{7 + n}:{10 + k}"))
        list(load_table.table(world.plant(), Sought(), world.at("2026-10-13T09:00")).rows)
        with queries() as seen:
            list(load_table.table(world.plant(), Sought(), world.at("2026-10-13T09:00")).rows)
        counts.append(sum(one.startswith("SELECT") for one in seen))
    assert counts == [9, 9]


def test_days_are_those_of_the_plant(app: Flask) -> None:
    good(log(hauler(), 300))
    found = load_table.found(world.plant().id, Sought(first=date(2026, 10, 6), last=date(2026, 10, 6)),
                             world.at("2026-10-13T09:00"))  # fmt: skip
    assert [line.load.ticket for line in found] == ["2026-00001"]
