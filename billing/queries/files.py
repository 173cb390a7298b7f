"""The ledger as files for the city's books: CSV that spreadsheets open as it is, and a workbook."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from billing.models import Entry
from billing.queries.lines import journal_lines
from office import tables
from office.exports import Export
from office.tables import Cell, harmless

__all__ = ["HEADS", "as_csv", "as_xlsx", "earlier_entries", "handed_out_rows", "harmless", "rows"]

HEADS = (
    "Day", "Hauler", "Kind", "What", "Quantity", "Unit", "Unit price", "Amount", "Section", "For", "Invoice", "Receipt",
    "Why", "Entered by", "Entered at", "Line", "Takes back line", "Law",
)  # fmt: skip


def rows(
    plant_id: int, first: date, last: date, *, party_id: int | None = None, until: Export | None = None
) -> list[tuple[Cell, ...]]:
    """The lines of a plant's ledger between two days, as cells under ``HEADS``; amounts in dollars.

    ``party_id``: of one hauler. ``until``: as they were known when a file was handed out.
    """
    return [_row(*line) for line in journal_lines(plant_id, first, last, party_id=party_id, until=until)]


def handed_out_rows(made: Export) -> list[tuple[Cell, ...]]:
    """The lines of a ledger that was handed out, first those of earlier days that were in none before it."""
    return [_row(*line) for line in _lines(made)]


def earlier_entries(made: Export) -> list[Entry]:
    """The lines of earlier days in a ledger that was handed out."""
    return [line[0] for line in _lines(made) if line[0].on_day < made.first_day]


def _lines(made: Export) -> Sequence[Any]:
    return journal_lines(made.plant_id, made.first_day, made.last_day, party_id=made.party_id, until=made, goes_on=True)


def _row(entry: Entry, name: str, invoice: str | None, receipt: str | None) -> tuple[Cell, ...]:
    return (
        entry.on_day, name, entry.kind, entry.what, entry.quantity, entry.unit, entry.unit_price,
        Decimal(entry.amount_cents) / 100, entry.cite, entry.source_label, invoice, receipt, entry.reason,
        entry.by_name, entry.at.isoformat(timespec="seconds"), entry.id, entry.reverses_id or entry.credits_id,
        entry.law_version,
    )  # fmt: skip


def as_csv(lines: Iterable[Sequence[Cell]], _at: datetime | None = None) -> bytes:
    """As CSV: amounts with two places."""
    return tables.as_csv(HEADS, lines, money=("Amount",))


def as_xlsx(lines: Iterable[Sequence[Cell]], at: datetime) -> bytes:
    """As a workbook that was handed out at that time."""
    return tables.as_xlsx("Ledger", HEADS, lines, at=at, money=("Amount",))
