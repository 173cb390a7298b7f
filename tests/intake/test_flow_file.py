"""The plant's file of daily flow: units, codes for no figure, and every bad cell named with its line."""

from datetime import date

import pytest

from intake.forms.flow_file import NotReadableError, read_flow

DAY = date(2020, 10, 5)


def flow(text, **options):
    return read_flow(text.encode(), **options).rows


def why(content, **options):
    with pytest.raises(NotReadableError) as problem:
        read_flow(content if isinstance(content, bytes) else content.encode(), **options)
    return str(problem.value)


def test_the_file_of_several_sites_is_read_for_one_in_million_gallons():
    text = "site,date,flow_mgd,ph\nAshland,2020-10-05,1.5,7\nWashburn,2020-10-05,0.162,7\nWashburn,2020-10-12,.1545,\n"
    assert flow(text, site="Washburn") == [(DAY, 162_000), (date(2020, 10, 12), 154_500)]
    assert why(text) == "The file holds several sites. Say which: Ashland, Washburn."
    assert why(text, site="washburn") == "The file holds no site washburn. It holds: Ashland, Washburn."


def test_a_bad_cell_of_another_site_stops_nobody():
    assert flow("site,date,flow_mgd\nA,never,abc\nB,2020-10-05,0.1\n", site="B") == [(DAY, 100_000)]


@pytest.mark.parametrize(("head", "cell", "unit"), [
    ("date,flow_mgd", "0.162", None), ("Date,Flow (MGD)", "0.162", None), ("DATE,MGD", "1.62e-1", None),
    ("date,flow_gpd", "162000", None), ("date,Flow (gallons)", '"162,000"', None), ("date,gallons", "162000.4", None),
    ("date,flow", "0.162", "mgd"), ("date,flow", "162000", "gallons"), ("date,flow_mgd", " +0.162 ", "mgd"),
])  # fmt: skip
def test_the_unit_is_told_by_the_column_or_by_the_option(head, cell, unit):
    assert flow(f"{head}\n2020-10-05,{cell}\n", unit=unit) == [(DAY, 162_000)]


@pytest.mark.parametrize(("head", "unit", "said"), [
    ("date,flow", None, "The column flow does not tell its unit. Say which: mgd or gallons."),
    ("date,flow_mgd", "gallons", "The column flow_mgd is in mgd, and gallons was asked for. Mend one."),
    ("date,MGD,gallons", None, "The columns MGD and gallons both hold the flow. Keep one of them."),
    ("day,mgd", None, "The first line must name the columns date and flow_mgd, or date and flow_gallons."),
    ("", None, "The first line must name the columns date and flow_mgd, or date and flow_gallons."),
])  # fmt: skip
def test_a_head_that_leaves_a_doubt_is_refused(head, unit, said):
    assert why(f"{head}\n2020-10-05,0.162,162000\n", unit=unit) == said


@pytest.mark.parametrize(
    "cell", ["", "NODI", "NODI: 9", "nodi: C", "<0.05", "< 0.05", "> 2", "NaN", "nan", "-nan", "ND", "N/A", "-"]
)
def test_a_code_for_no_figure_is_kept_as_words(cell):
    assert flow(f"date,flow_mgd\n2020-10-05,{cell}\n") == [(DAY, cell)]


@pytest.mark.parametrize(("cell", "gallons"), [("0", 0), ("-0.0054", -5_400), ("4e-7", 0), ("1000", 1_000_000_000)])
def test_a_figure_that_is_no_flow_is_read_as_it_stands(cell, gallons):
    assert flow(f"date,flow_mgd\n2020-10-05,{cell}\n") == [(DAY, gallons)]


def test_every_bad_cell_is_named_with_its_row_and_column():
    text = (
        "date,flow_mgd\n2020-10-05,0.162\n2020-13-01,abc\n,0.1\n2020-10-08,1e30\n2020-10-09,Infinity\n25/10/2020,0.1\n"
        "2020-10-11,1_0\n2020-10-12,e5\n2020-10-13,.\n2020-10-14,1e999\n"
    )
    date_like = "Type it like 2026-10-05 or 10/5/2026."
    flow_like = "Type it like 0.162, or NODI where none was measured."
    day, flow_ = "column A (date)", "column B (flow_mgd)"
    assert why(text).splitlines() == [
        f"row 3, {day}: '2020-13-01' is not a day. {date_like}", f"row 3, {flow_}: 'abc' is not a flow. {flow_like}",
        f"row 4, {day}: the day is missing. {date_like}",
        f"row 5, {flow_}: '1e30' is more than any plant's flow. {flow_like}",
        f"row 6, {flow_}: 'Infinity' is not a flow. {flow_like}",
        f"row 7, {day}: '25/10/2020' is not a day. {date_like}",
        f"row 8, {flow_}: '1_0' is not a flow. {flow_like}", f"row 9, {flow_}: 'e5' is not a flow. {flow_like}",
        f"row 10, {flow_}: '.' is not a flow. {flow_like}",
        f"row 11, {flow_}: '1e999' is more than any plant's flow. {flow_like}",
        "Nothing was taken. Mend these cells and import the file again.",
    ]  # fmt: skip


def test_empty_lines_and_short_rows_are_borne():
    assert flow("date,flow_mgd\n\n,,\n2020-10-05\n") == [(DAY, "")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_the_letters_of_any_office_are_read(encoding):
    content = "site,date,flow_mgd\nChâteau,2020-10-05,0.162\n".encode(encoding)
    assert read_flow(content, site="Château").rows == [(DAY, 162_000)]


@pytest.mark.parametrize(("content", "said"), [
    (b"date,flow_mgd\n2020-10-05,\x81\n", "The letters of this file cannot be read. Save it as CSV UTF-8."),
    (b"\xff\xfe\x00", "The letters of this file cannot be read. Save it as CSV UTF-8."),
    (b"PK\x03\x04rest", "This workbook cannot be opened. Save it again as XLSX, or as CSV UTF-8."),
    (b"\xd0\xcf\x11\xe0rest", "This is an old or locked workbook. Save it as XLSX without a password, or CSV UTF-8."),
    (b"date,flow_mgd\n" + b"x" * 140_000, "This is no table of commas and lines (field larger than field limit "
     "(131072)). Save it as CSV UTF-8."),
])  # fmt: skip
def test_a_file_that_is_no_text_says_how_to_save_it(content, said):
    assert why(content) == said
