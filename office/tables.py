"""Rows as files that spreadsheets open as they are: CSV and a workbook.

Text stays text: what a spreadsheet would run as a formula is defused, a number stays a number, also a negative one, and
in the workbook no zero before a number is lost.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

Cell = str | Decimal | int | date | datetime | None
SORTS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# What a spreadsheet would run as a formula. A negative number is none, nor a telephone number with a blank after its
# country's digits; +1-715-555-0199 is: a spreadsheet would take the one from the other.
_FORMULA = re.compile(r"^[=+\-@\t\r]")
_FIGURES = re.compile(r"^(-[0-9][0-9,]*(\.[0-9]+)?|\+[0-9]{1,3} [0-9(][0-9 ().\-]*)$")


def harmless(text: str) -> str:
    """A text no spreadsheet takes for a formula: an apostrophe goes before one that looks like it."""
    return f"'{text}" if _FORMULA.match(text) and not _FIGURES.match(text) else text


def as_csv(heads: Sequence[str], lines: Iterable[Sequence[Cell]], *, money: Collection[str] = ()) -> bytes:
    """UTF-8 with the mark by which Excel knows it; ``money`` columns with two places, days as 2026-10-06."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(heads)
    for line in lines:
        writer.writerow([_written(one, heads[at] in money) for at, one in enumerate(line)])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")


def _written(cell: Cell, is_money: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return f"{cell:.2f}" if is_money else f"{cell:f}"
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "minutes")
    return harmless(cell) if isinstance(cell, str) else str(cell)


def as_xlsx(title: str, heads: Sequence[str], lines: Iterable[Sequence[Cell]], *, money: Collection[str] = ()) -> bytes:
    """A workbook: amounts and quantities are numbers, days are days, and every text is only a text."""
    from openpyxl import Workbook  # noqa: PLC0415 - takes long to load
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.append(list(heads))

    def cell(value: Cell, head: str) -> Any:
        made = WriteOnlyCell(sheet, value=value)
        if isinstance(value, str):
            made.data_type = "s"
        elif head in money:
            made.number_format = "0.00"
        return made

    for line in lines:
        sheet.append([cell(value, heads[at]) for at, value in enumerate(line)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
