"""The ledger as files for the city's books: CSV that spreadsheets open as it is, and a workbook."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from billing.models import Entry
from billing.queries.statements import journal_lines

HEADS = (
    "Day", "Hauler", "Kind", "What", "Quantity", "Unit", "Unit price", "Amount", "Section", "For", "Invoice", "Receipt",
    "Why", "Entered by", "Entered at", "Line", "Takes back line", "Law",
)  # fmt: skip
# What a spreadsheet would run as a formula; a number or a telephone number is none.
_FORMULA = re.compile(r"^[=+\-@\t\r]")
_FIGURES = re.compile(r"^[+\-]?[0-9][0-9 ().,\-]*$")
Cell = str | Decimal | int | date | None


def rows(plant_id: int, first: date, last: date) -> list[tuple[Cell, ...]]:
    """The lines of a plant's ledger between two days, as cells under ``HEADS``; amounts in dollars."""
    return [_row(*line) for line in journal_lines(plant_id, first, last)]


def _row(entry: Entry, name: str, invoice: str | None, receipt: str | None) -> tuple[Cell, ...]:
    return (
        entry.on_day, name, entry.kind, entry.what, entry.quantity, entry.unit, entry.unit_price,
        Decimal(entry.amount_cents) / 100, entry.cite, entry.source_label, invoice, receipt, entry.reason,
        entry.by_name, entry.at.isoformat(timespec="seconds"), entry.id, entry.reverses_id or entry.credits_id,
        entry.law_version,
    )  # fmt: skip


def harmless(text: str) -> str:
    """A text no spreadsheet takes for a formula: an apostrophe goes before one that looks like it."""
    return f"'{text}" if _FORMULA.match(text) and not _FIGURES.match(text) else text


def as_csv(lines: Iterable[Sequence[Cell]]) -> bytes:
    """UTF-8 with the mark by which Excel knows it; amounts with two places, days as 2026-10-06."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADS)
    for line in lines:
        writer.writerow([_written(one, at) for at, one in enumerate(line)])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")


def _written(cell: Cell, at: int) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Decimal):
        return f"{cell:.2f}" if HEADS[at] == "Amount" else f"{cell:f}"
    return harmless(cell) if isinstance(cell, str) else str(cell)


def as_xlsx(lines: Iterable[Sequence[Cell]]) -> bytes:
    """A workbook: amounts and quantities are numbers, days are days, and every text is only a text."""
    from openpyxl import Workbook  # noqa: PLC0415 - takes long to load
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Ledger")
    sheet.append(list(HEADS))

    def cell(value: Cell, at: int) -> Any:
        made = WriteOnlyCell(sheet, value=value)
        if isinstance(value, str):
            made.data_type = "s"
        elif HEADS[at] == "Amount":
            made.number_format = "0.00"
        return made

    for line in lines:
        sheet.append([cell(value, at) for at, value in enumerate(line)])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
