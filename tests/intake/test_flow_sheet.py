"""A plant's file as Excel saves it: day numbers, titles above, other sheets; and text with any sign between cells."""

import io
from datetime import date, datetime

import pytest
from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from intake.forms.flow_file import NotReadableError, day_of, read_flow
from intake.forms.flow_sheet import BadCell

DAY, NEXT = date(2020, 10, 5), date(2020, 10, 6)
HEAD = ["Date", "Flow (MGD)"]


def saved(*rows, mac=False, before=None):
    book = Workbook()
    if mac:
        book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    if before:
        sheet.append(before)
        sheet = book.create_sheet("Daily")
    for row in rows:
        sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def problem(content, **options):
    with pytest.raises(NotReadableError) as found:
        read_flow(content, **options)
    return found.value


MIDNIGHT = datetime.fromisoformat("2020-10-05T00:00")


@pytest.mark.parametrize("day", [DAY, MIDNIGHT, MIDNIGHT.replace(hour=7, minute=30), "2020-10-05", "10/5/2020", 44109])
def test_a_workbooks_days_are_read_as_days_as_words_and_as_bare_numbers(day):
    assert read_flow(saved(HEAD, [day, 0.162])).rows == [(DAY, 162_000)]


def test_days_of_a_workbook_that_counts_from_1904_are_the_days_it_shows():
    assert read_flow(saved(HEAD, [DAY, 0.162], [42647, 0.154], mac=True)).rows == [(DAY, 162_000), (DAY, 154_000)]


@pytest.mark.parametrize(("cell", "gallons"), [
    (0.162, 162_000), (0.1 + 0.062, 162_000), ("0.162", 162_000), ("NODI: 9", "NODI: 9"), ("<0.05", "<0.05"),
    (None, ""), (0, 0), (1, 1_000_000),
])  # fmt: skip
def test_a_workbooks_flow_is_read_to_the_gallon_and_codes_stay_words(cell, gallons):
    assert read_flow(saved(HEAD, [DAY, cell])).rows == [(DAY, gallons)]


def test_the_names_of_the_columns_may_stand_below_a_title_and_on_another_sheet():
    content = saved(["City of Washburn"], [], HEAD, [DAY, 0.162], before=["Notes to the operator"])
    assert read_flow(content).rows == [(DAY, 162_000)]


@pytest.mark.parametrize("head", ["Influent flow (MGD)", "FLOW_MGD", "Total Flow, MG"])
def test_a_column_that_tells_flow_and_unit_is_found_and_other_gallons_are_not(head):
    content = saved(["Date", "Septage gallons", head], [DAY, 1_500, 0.162])
    assert read_flow(content).rows == [(DAY, 162_000)]


def test_bad_cells_of_a_workbook_are_named_by_their_own_row_and_letter():
    found = problem(saved(["Plant"], [], ["pH", *HEAD], [7, DAY, 0.162], [], [7, "soon", True], [7, NEXT, "#DIV/0!"]))
    like = "Type it like 0.162, or NODI where none was measured"
    assert found.cells == (
        BadCell(6, "B (Date)", "'soon' is not a day", "Type it like 2026-10-05 or 10/5/2026"),
        BadCell(6, "C (Flow (MGD))", "'True' is not a flow", like),
        BadCell(7, "C (Flow (MGD))", "'#DIV/0!' is not a flow", like),
    )
    assert found.why == "Nothing was taken. Mend these cells and import the file again."


def test_a_formula_without_a_kept_result_has_no_figure():
    assert read_flow(saved(HEAD, [DAY, "=1/8"])).rows == [(DAY, "")]


def test_a_workbook_that_unpacks_without_end_is_not_opened(monkeypatch):
    content = saved(HEAD, [DAY, 0.162])
    monkeypatch.setattr("intake.forms.flow_sheet.MOST_UNPACKED", 1_000)
    assert problem(content).why == "This workbook is too large. Save the one sheet as CSV UTF-8."


def test_more_rows_than_any_plants_days_are_not_read(monkeypatch):
    monkeypatch.setattr("intake.forms.flow_sheet.MOST_ROWS", 2)
    assert read_flow(b"date,mgd\n2020-10-05,0.1\n").rows == [(DAY, 100_000)]
    content = b"date,mgd\n2020-10-05,0.1\n2020-10-06,0.1\n"
    assert problem(content).why == "The file has more than 2 rows. Import it in parts."


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_text_is_read_whatever_sign_stands_between_its_cells(sign):
    text = f"date{sign}flow_gallons\n10/5/2020{sign}162000\n"
    assert read_flow(text.encode("utf-16" if sign == "\t" else "utf-8")).rows == [(DAY, 162_000)]


@pytest.mark.parametrize(("text", "day"), [
    ("2020-10-05", DAY), ("10/5/2020", DAY), ("10/05/20", DAY), ("2/29/2024", date(2024, 2, 29)), ("44109", DAY),
    ("44109.5", DAY), ("2020-10-05 07:30", DAY), ("2020-10-05T00:00:00", DAY), ("10/5/2020 7:30 AM", DAY),
    ("43890", date(2020, 2, 29)),
])  # fmt: skip
def test_a_day_is_read_as_files_write_it(text, day):
    assert day_of(text) == day


@pytest.mark.parametrize("text", [
    "", "2/29/2023", "25/10/2020", "10-5-2020", "5 Oct 2020", "2020-13-01", "20201005", "0.162", "99999", "1/1/1949",
    "10/5/020", "１０/5/2020",
])  # fmt: skip
def test_what_is_no_day_or_could_be_two_is_not_guessed_at(text):
    with pytest.raises(ValueError):
        day_of(text)
