"""Rows as files that spreadsheets open as they are: CSV and a workbook.

Text stays text: what a spreadsheet would run as a formula is defused, a number stays a number, also a negative one, and
in the workbook no zero before a number is lost. The same rows make the same bytes, whenever the file is made.
"""

import csv
import io
import re
import zipfile
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
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


class Archive(zipfile.ZipFile):
    """A zip whose parts carry no time of their own: what they hold says all that there is to say."""

    def __init__(self, out: io.BytesIO) -> None:
        super().__init__(out, "w", zipfile.ZIP_DEFLATED)

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_args: Any, **_kwargs: Any) -> None:
        """Add a part by its name."""
        part = zipfile.ZipInfo(str(zinfo_or_arcname))
        part.compress_type, part.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
        super().writestr(part, data)

    def write(self, filename: Any, arcname: Any = None, *_args: Any, **_kwargs: Any) -> None:
        """Add a part from a file."""
        self.writestr(arcname or filename, Path(filename).read_bytes())


def as_xlsx(title: str, heads: Sequence[str], lines: Iterable[Sequence[Cell]], *, at: datetime,
            money: Collection[str] = ()) -> bytes:  # fmt: skip
    """A workbook: amounts and quantities are numbers, days are days, and every text is only a text.

    ``at`` is the time it says it was made at: of what is recorded as handed out, that of its record.
    """
    from openpyxl import Workbook  # noqa: PLC0415 - takes long to load
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415
    from openpyxl.writer.excel import ExcelWriter  # noqa: PLC0415

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
    book.properties.created = book.properties.modified = at.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    out = io.BytesIO()
    # By its own save a book takes the time of the day.
    ExcelWriter(book, Archive(out)).save()
    return out.getvalue()
