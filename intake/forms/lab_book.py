"""What a workbook holds besides the words of its cells: the names of its sheets, and formulas nobody counted."""

import io
import warnings
from dataclasses import dataclass
from typing import Any

from intake.forms.flow_sheet import NotReadableError


@dataclass(frozen=True)
class SheetFacts:
    """One sheet: its name, and each formula whose value the file does not keep, (row, column from 0, formula)."""

    name: str
    uncounted: tuple[tuple[int, int, str], ...] = ()


def facts_of(content: bytes) -> list[SheetFacts]:
    """The sheets of a workbook that can be opened, in its order; none for a text file. Raises NotReadableError."""
    if not content.startswith(b"PK"):
        return []
    # Here and not above: it takes a tenth of a second, and only a workbook needs it.
    from openpyxl import load_workbook  # noqa: PLC0415

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            written = load_workbook(io.BytesIO(content), read_only=True)
            kept = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            return [SheetFacts(one.title, _uncounted(one, other))
                    for one, other in zip(written.worksheets, kept.worksheets, strict=True)]  # fmt: skip
    except Exception:  # a damaged archive fails in as many ways as it has parts
        raise NotReadableError("This workbook cannot be opened. Save it again as XLSX, or as CSV UTF-8.") from None


def _uncounted(written: Any, kept: Any) -> tuple[tuple[int, int, str], ...]:
    # The size a file states of its own sheet is not to be relied on.
    written.reset_dimensions()
    kept.reset_dimensions()
    found = []
    for number, (cells, values) in enumerate(zip(written.iter_rows(), kept.iter_rows(), strict=True), 1):
        for index, (cell, value) in enumerate(zip(cells, values, strict=True)):
            # Words may be kept and empty, as of =IF(A2="","",A2*2): those were counted.
            if cell.data_type == "f" and value.value is None and value.data_type != "str":
                found.append((number, index, str(cell.value)))
    return tuple(found)
