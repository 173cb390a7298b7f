"""A laboratory's file is read by its headings, and what cannot be read is named by its cell."""

from datetime import date
from io import BytesIO
from typing import Any

import pytest
from openpyxl import Workbook

from intake.forms.flow_sheet import NotReadableError
from intake.forms.lab_file import read_lab


def csv(*lines: str, mark: bytes = b"\xef\xbb\xbf") -> bytes:
    """A file as Excel saves "CSV UTF-8"."""
    return mark + "\r\n".join(lines).encode()


def read(*lines: str) -> list[tuple[Any, ...]]:
    return [(one.row, one.bottle, one.parameter, one.text) for one in read_lab(csv(*lines)).lines]


def unread(*lines: str) -> tuple[str, list[str]]:
    with pytest.raises(NotReadableError) as problem:
        read_lab(csv(*lines))
    return problem.value.why, [str(one) for one in problem.value.cells]


def workbook(**sheets: list[list[Any]]) -> bytes:
    """A workbook with these sheets."""
    book, out = Workbook(), BytesIO()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


class TestReading:
    def test_the_byte_mark_the_order_of_columns_and_a_title_above_do_not_matter(self):
        assert read("County lab,,", "TSS (mg/L),Bottle,BOD5", '"12,862",0412,4200', ",0413,<2") == [
            (3, "0412", "TSS", "12,862"), (3, "0412", "BOD5", "4200"), (4, "0413", "BOD5", "<2")]  # fmt: skip

    def test_one_result_a_line_with_its_test_flag_limit_and_facts(self):
        found = read_lab(csv(
            "Sample ID,Analyte,Result,Qualifier,Units,MDL,Method,Analyst,Date Received,Lab ID",
            "1006-01,BOD,4200,,mg/L,2,SM 5210 B,R. Chem,10/7/2026,W-0417", "1006-01,TSS,2,U,mg/L,2,SM 2540 D,,,",
            "1006-01,COD,9000,,mg/L,,,,,", "1006-01,Phosphorus,ND,,,0.5,,,,",
        ))  # fmt: skip
        first, second, third = found.lines
        assert (first.method, first.analyst, first.received, first.lab_number) == (
            "SM 5210 B", "R. Chem", "2026-10-07", "W-0417")  # fmt: skip
        assert (second.text, second.own, third.text, third.limit) == ("<2", "U 2", "ND", "0.5")
        assert found.others == {"COD": 1}

    def test_a_workbook_is_read_as_excel_saves_it(self):
        book, out = Workbook(), BytesIO()
        for row in (["Bottle", "BOD5", "TSS", "Received"], [4412, 4200, "<2", date(2026, 10, 7)]):
            book.active.append(row)
        book.save(out)
        assert [(one.bottle, one.parameter, one.text, one.received) for one in read_lab(out.getvalue()).lines] == [
            ("4412", "BOD5", "4200", "2026-10-07"), ("4412", "TSS", "<2", "2026-10-07")]  # fmt: skip

    def test_every_bad_cell_is_named_by_row_and_column(self):
        assert unread("bottle,BOD5,TSS,received", "1,abc,2,", "2,4 ug/L,ND,", ",5,,", "3,7,,13/45/2026") == (
            "Nothing was taken. Mend these cells and import the file again.", [
                "row 2, column B (BOD5): 'abc' is not a result. Result must be a number, like 4,200 or <2.",
                "row 3, column B (BOD5): '4 ug/L' is not a result. Enter the result in mg/L, not in ug/L.",
                "row 3, column C (TSS): 'ND' is not a result. Enter ND with its limit, like <2.",
                "row 4, column A (bottle): the bottle is missing. Type the number on the label.",
                "row 5, column D (received): '13/45/2026' is not a day. Type it like 2026-10-05 or 10/5/2026.",
            ])  # fmt: skip

    @pytest.mark.parametrize(("head", "why"), [
        ("bottle,COD", "One line must name the columns bottle and BOD5 or TSS, or bottle, parameter and result."),
        ("bottle,BOD5,BOD (mg/L)", "The columns BOD5 and BOD (mg/L) both hold the same test. Keep one of them."),
        ("bottle,BOD5 (ug/L)", "The column BOD5 (ug/L) is in another unit. Results are in mg/L."),
    ])  # fmt: skip
    def test_a_file_that_is_none_says_why(self, head, why):
        assert unread(head, "1006-01,")[0] == why

    def test_a_file_of_a_heading_alone_holds_no_results(self):
        assert unread("bottle,BOD5", ",") == ("The file holds no results.", [])

    @pytest.mark.parametrize(("head", "row", "text", "own"), [
        ("bottle,parameter,result,qualifier,reporting limit,unit", "0204-01,BOD5,,U,2,mg/L", "<2", "U, limit 2"),
        ("bottle,parameter,result,qualifier,reporting limit,unit", "0204-01,BOD5,,ND,<2,", "<2", "ND, limit <2"),
        ("bottle,BOD5,flag,RL", "0204-01,,nd,2", "<2", "nd, limit 2"),
    ])  # fmt: skip
    def test_a_qualifier_and_a_limit_without_a_result_are_below_the_limit(self, head, row, text, own):
        assert [(one.parameter, one.text, one.own) for one in read_lab(csv(head, row)).lines] == [("BOD5", text, own)]

    def test_a_qualifier_without_a_result_and_a_limit_says_too_little(self):
        assert unread("bottle,parameter,result,flag,mdl", "1,TSS,,U,")[1] == [
            "row 2, column C (result): 'ND' is not a result. Enter ND with its limit, like <2."
        ]

    def test_every_row_that_gives_no_result_is_named(self):
        no = "the row holds no result. Enter one, like 4,200, or <2 if not detected, or take the row out."
        assert unread("bottle,BOD5,TSS", "1,4200,", "2,,", ",,", "Checked by R. Chem") [1] == [
            f"row 3, column B (BOD5): {no}", f"row 5, column B (BOD5): {no}"]  # fmt: skip
        assert unread("bottle,parameter,result,rl", "1,BOD5,,2", "2,COD,,", "3,,4200,", "4,,,")[1] == [
            f"row 2, column C (result): {no}",
            "row 4, column B (parameter): the test is missing. Name it, like BOD5 or TSS.",
            f"row 5, column C (result): {no}"]  # fmt: skip

    def test_a_second_sheet_with_rows_is_named_and_an_empty_one_is_not(self):
        assert [one.text for one in read_lab(workbook(Week_1=[["bottle", "BOD5"], ["1", 4200]], Sheet2=[])).lines] == [
            "4200"]  # fmt: skip
        with pytest.raises(NotReadableError) as problem:
            read_lab(workbook(Week_1=[["bottle", "BOD5"], ["1", 4200]], Week_2=[["bottle", "BOD5"], ["2", 4300]]))
        assert problem.value.why == (
            "The sheet 'Week_2' holds rows too. Save each sheet with results as a file of its own, and take the others "
            "out.")  # fmt: skip

    def test_a_formula_without_a_kept_value_is_named(self):
        with pytest.raises(NotReadableError) as problem:
            read_lab(
                workbook(Week_1=[["bottle", "BOD5", "TSS"], ["1", 4200, 9000], ["2", 4300, "=C2*2"], ["3", "=B2"]])
            )
        mend = "has no value kept. Open the file in Excel and save it again, or type the value."
        assert [str(one) for one in problem.value.cells] == [
            f"row 3, column C (TSS): the formula =C2*2 {mend}",
            f"row 4, column B (BOD5): the formula =B2 {mend}",
        ]

    def test_a_figure_between_semicolons_that_can_be_two_is_not_guessed(self):
        assert unread("bottle;BOD5;TSS", "1;4.200;9000", "2;<1.000;12,862 mg/L", "3;0.162;4200.5")[1] == [
            "row 2, column B (BOD5): '4.200' can be 4200 or 4.2. Write it as 4200 or 4.2.",
            "row 3, column B (BOD5): '<1.000' can be 1000 or 1. Write it as 1000 or 1.",
            "row 3, column C (TSS): '12,862 mg/L' can be 12862 or 12.862. Write it as 12862 or 12.862.",
        ]
        assert unread("bottle;BOD5;mdl", "1;ND;2.000")[1] == [
            "row 2, column B (BOD5): '2.000' can be 2000 or 2. Write it as 2000 or 2."
        ]

    def test_a_figure_that_can_be_one_thing_only_is_read(self):
        assert read("bottle;P;BOD5", "1;0.162;4200.5", "2;4.2;4200") == [
            (2, "1", "P", "0.162"), (2, "1", "BOD5", "4200.5"), (3, "2", "P", "4.2"),
            (3, "2", "BOD5", "4200")]  # fmt: skip
        assert read("bottle,P,BOD5", '1,4.200,"4,200"') == [(2, "1", "P", "4.200"), (2, "1", "BOD5", "4,200")]

    def test_another_unit_beside_a_result_is_refused(self):
        _, cells = unread("bottle,parameter,result,unit", "1,BOD5,4200,ug/L")
        mend = "Results are in mg/L. Enter the result in mg/L."
        assert cells == [f"row 2, column D (unit): 'ug/L' is another unit. {mend}"]

    @pytest.mark.parametrize(("head", "row", "column"), [
        ("bottle,BOD5,TSS,unit", "0205-01,4200,9000,ug/L", "D (unit)"),
        ("bottle,TSS,units,BOD5", "0205-01,9000,ug/L,", "C (units)"),
        ("bottle,BOD5,unit,TSS,unit", "0205-01,4200,mg/L,9000,ug/L", "E (unit)"),
        ("bottle,BOD5,pH,unit", "0205-01,4200,6.9,ug/L", "D (unit)"),
    ])  # fmt: skip
    def test_another_unit_beside_columns_of_tests_is_refused(self, head, row, column):
        mend = "Results are in mg/L. Enter the result in mg/L."
        assert unread(head, row)[1] == [f"row 2, column {column}: 'ug/L' is another unit. {mend}"]

    def test_the_unit_of_the_results_beside_columns_of_tests_is_read(self):
        assert read("bottle,BOD5,pH,unit", "1,4200,6.9,mg/L", "2,4300,,ppm", "3,4400,,", "4,,7,SU") == [
            (2, "1", "BOD5", "4200"), (2, "1", "pH", "6.9"), (3, "2", "BOD5", "4300"), (4, "3", "BOD5", "4400"),
            (5, "4", "pH", "7")]  # fmt: skip

    @pytest.mark.parametrize(("head", "row", "cells"), [
        ("bottle,BOD5,TSS,qualifier", "x,500,400,<", [("D (qualifier)", "<")]),
        ("bottle,BOD5,TSS,qualifier", "x,500,,U", [("D (qualifier)", "U")]),
        ("bottle,BOD5,flag,TSS,flag", "x,500,,400,<", [("E (flag)", "<")]),
        ("bottle,BOD5,BOD5 qual,TSS,TSS qual", "x,500,<,400,J", [("C (BOD5 qual)", "<"), ("E (TSS qual)", "J")]),
    ])  # fmt: skip
    def test_a_qualifier_beside_several_tests_is_unclear(self, head, row, cells):
        mend = "Say < in each result's own cell, or one result a line."
        assert unread(head, row)[1] == [
            f"row 2, column {column}: which result {flag!r} belongs to is unclear. {mend}" for column, flag in cells
        ]

    def test_a_qualifier_beside_the_one_test_of_a_file_is_its_own(self):
        assert read("bottle,BOD5,qualifier", "1,500,<", "2,500,U", "3,500,>", "4,500,") == [
            (2, "1", "BOD5", "<500"), (3, "2", "BOD5", "<500"), (4, "3", "BOD5", ">500"),
            (5, "4", "BOD5", "500")]  # fmt: skip

    def test_an_empty_qualifier_beside_several_tests_says_nothing(self):
        assert read("bottle,BOD5,TSS,qualifier", "x,<500,400,") == [(2, "x", "BOD5", "<500"), (2, "x", "TSS", "400")]
