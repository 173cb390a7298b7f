"""A plant's file as rows of words, whether it is comma-separated text or a workbook as Excel saves it."""

import csv
import io
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

# Unpacked bytes of a workbook, and rows with something in them: a plant's file is far smaller.
MOST_UNPACKED, MOST_ROWS = 200_000_000, 100_000
OLD = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True)
class BadCell:
    """A cell that stops the file: where it is, what stands there, what to type instead."""

    row: int
    column: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column}: {self.what}. {self.mend}."


class NotReadableError(ValueError):
    """The file cannot be taken: ``why`` it cannot and what to do, or ``cells`` with each cell to mend."""

    def __init__(self, why: str, cells: Iterable[BadCell] = ()) -> None:
        self.why, self.cells = why, tuple(cells)
        super().__init__("\n".join([*map(str, self.cells), why]))


@dataclass(frozen=True)
class Sheet:
    """Rows that hold something, with the number each has in the file. ``mac``: day numbers count from 1904."""

    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    mac: bool = False


def plain(name: str) -> str:
    """The name of a column without capitals, spaces and brackets: "BOD5 (mg/L)" is bod5_mg_l."""
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def letter(index: int) -> str:
    """A column as spreadsheets call it: A, B ... Z, AA."""
    return (letter(index // 26 - 1) if index >= 26 else "") + chr(ord("A") + index % 26)


def sheets_of(content: bytes) -> list[Sheet]:
    """The one table of a text file, or every sheet of a workbook. Raises NotReadableError."""
    if content.startswith(b"PK"):
        return _workbook(content)
    if content.startswith(OLD):
        raise NotReadableError("This is an old or locked workbook. Save it as XLSX without a password, or CSV UTF-8.")
    text = _text(content)
    try:
        return [Sheet(list(_filled(_lines(text))))]
    except csv.Error as error:
        raise NotReadableError(f"This is no table of commas and lines ({error}). Save it as CSV UTF-8.") from None


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    head = next((line for line in text.splitlines() if line.strip()), "")
    # Excel writes tabs into "Unicode text", and semicolons where the comma is the decimal sign.
    found = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    for cells in found:
        yield found.line_num, [cell.strip() for cell in cells]


def _text(content: bytes) -> str:
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotReadableError("The letters of this file cannot be read. Save it as CSV UTF-8.")


def _filled(rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    count = 0
    for number, cells in rows:
        if any(cells):
            count += 1
            if count > MOST_ROWS:
                raise NotReadableError(f"The file has more than {MOST_ROWS:,} rows. Import it in parts.")
            yield number, cells


def _workbook(content: bytes) -> list[Sheet]:
    # Here and not above: it takes a tenth of a second, and only a workbook needs it.
    from openpyxl import load_workbook  # noqa: PLC0415
    from openpyxl.utils.datetime import CALENDAR_MAC_1904  # noqa: PLC0415

    try:
        with warnings.catch_warnings(), zipfile.ZipFile(io.BytesIO(content)) as parts:
            # What openpyxl warns of (drop-down lists, missing styles) does not touch the cells.
            warnings.simplefilter("ignore")
            if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
                raise NotReadableError("This workbook is too large. Save the one sheet as CSV UTF-8.")
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            mac = book.epoch == CALENDAR_MAC_1904
            return [Sheet(list(_filled(_cells(sheet))), mac) for sheet in book.worksheets]
    except NotReadableError:
        raise
    except Exception:  # a damaged archive fails in as many ways as it has parts
        raise NotReadableError("This workbook cannot be opened. Save it again as XLSX, or as CSV UTF-8.") from None


def _cells(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    # The size a file states of its own sheet is not to be relied on.
    sheet.reset_dimensions()
    for number, values in enumerate(sheet.iter_rows(values_only=True), 1):
        yield number, [_words(value) for value in values]


def _words(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    # The shortest words that are the same number: 0.162, not 0.16200000000000001.
    return repr(value) if isinstance(value, float) and not value.is_integer() else str(value).removesuffix(".0").strip()
