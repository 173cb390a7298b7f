"""A plant's file of daily flow read row by row: comma-separated text, in million gallons or gallons a day.

Columns (capitals, spaces and brackets do not matter): ``date``; one of the flow columns in UNIT_OF; perhaps ``site``.
"""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

MILLION = 1_000_000
UNITS = {"mgd": MILLION, "gallons": 1}
# The unit that a column's name tells; "flow" tells none.
UNIT_OF = {"flow_mgd": "mgd", "mgd": "mgd", "flow_gpd": "gallons", "gpd": "gallons", "flow_gallons": "gallons",
           "gallons": "gallons", "flow": None}  # fmt: skip
FIGURE = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
# What laboratories and the state's reports write where no figure was measured: no-data codes, "less than", "more than".
NO_FIGURE = re.compile(r"(NODI\b.*|[<>]\s*[\d.,]+|[+-]?NaN|N/?D|N/?A|-+)?", re.ASCII | re.IGNORECASE)
# No plant comes near: a thousand million gallons a day.
MOST = 1_000_000_000


class NotReadableError(ValueError):
    """The file cannot be taken; the text says why, a line for each bad cell, and what to do."""


@dataclass
class FlowFile:
    """(day, gallons a day) of each row, words in place of a figure that was not measured; the sites it names."""

    rows: list[tuple[date, int | str]] = field(default_factory=list)
    sites: set[str] = field(default_factory=set)


def read_flow(content: bytes, unit: str | None = None, site: str | None = None) -> FlowFile:
    """Read a whole file. ``unit``: ``mgd`` or ``gallons`` where the column does not tell. Raises NotReadableError."""
    rows = csv.DictReader(io.StringIO(_text(content), newline=""))
    try:
        names = {_plain(name): name for name in reversed(rows.fieldnames or [])}
        column, times = _flow_column(names, unit)
        return _rows(rows, names, column, times, site)
    except csv.Error as error:
        raise NotReadableError(f"This is no table of commas and lines ({error}). Save it as CSV UTF-8.") from None


def _text(content: bytes) -> str:
    if content.startswith(b"PK"):
        raise NotReadableError("This is a workbook. Save the sheet as CSV UTF-8 and import that.")
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotReadableError("The letters of this file cannot be read. Save it as CSV UTF-8.")


def _plain(name: str | None) -> str:
    return re.sub(r"[^a-z0-9]+", "_", (name or "").casefold()).strip("_")


def _flow_column(names: dict[str, str], unit: str | None) -> tuple[str, int]:
    """The flow column as the file writes it, and the gallons in one of its unit."""
    found = [name for name in UNIT_OF if name in names]
    if "date" not in names or not found:
        raise NotReadableError("The first line must name the columns date and flow_mgd, or date and flow_gallons.")
    if len(found) > 1:
        columns = " and ".join(names[name] for name in found)
        raise NotReadableError(f"The columns {columns} both hold the flow. Keep one of them.")
    told = UNIT_OF[found[0]]
    if told is None and unit is None:
        raise NotReadableError(f"The column {names[found[0]]} does not tell its unit. Say which: mgd or gallons.")
    if told is not None and unit is not None and told != unit:
        raise NotReadableError(f"The column {names[found[0]]} is in {told}, and {unit} was asked for. Mend one.")
    return names[found[0]], UNITS[told or unit or ""]


def _rows(rows: "csv.DictReader[str]", names: dict[str, str], column: str, times: int, site: str | None) -> FlowFile:
    taken, bad = FlowFile(), []
    for row in rows:
        place = (row.get(names.get("site", "")) or "").strip()
        day, flow = ((row.get(name) or "").strip() for name in (names["date"], column))
        if not (day or flow):
            continue
        taken.sites.add(place)
        if site is not None and "site" in names and place != site:
            continue
        problems = list(_problems(day, flow, times))
        bad += [f"line {rows.line_num}: {one}" for one in problems]
        if not problems:
            taken.rows.append((date.fromisoformat(day), _gallons(flow, times)))
    _whole(taken, bad, site, "site" in names)
    return taken


def _whole(taken: FlowFile, bad: list[str], site: str | None, has_sites: bool) -> None:
    sites = ", ".join(sorted(taken.sites - {""}))
    if has_sites and site is None and len(taken.sites) > 1:
        raise NotReadableError(f"The file holds several sites. Say which: {sites}.")
    if has_sites and site is not None and site not in taken.sites:
        raise NotReadableError(f"The file holds no site {site}. It holds: {sites or 'none'}.")
    if bad:
        raise NotReadableError("\n".join([*bad, "Nothing was taken. Mend these cells and import the file again."]))


def _problems(day: str, flow: str, times: int) -> Iterator[str]:
    try:
        date.fromisoformat(day)
    except ValueError:
        yield f"{day!r} is not a day, like 2026-10-05." if day else "the day is missing."
    if NO_FIGURE.fullmatch(flow):
        return
    if not (FIGURE.fullmatch(flow) and re.search(r"^[^e]*\d", flow, re.IGNORECASE)):
        yield f"{flow!r} is not a flow."
    elif abs(Decimal(flow.replace(",", "")) * times) > MOST:
        yield f"{flow!r} is more than any plant's flow."


def _gallons(flow: str, times: int) -> int | str:
    """Whole gallons, to the nearest; the words themselves where there is no figure."""
    if NO_FIGURE.fullmatch(flow):
        return flow
    return int((Decimal(flow.replace(",", "")) * times).to_integral_value())
