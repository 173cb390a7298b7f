"""A plant's file of daily flow: which column is which, and each row read as a day and its gallons.

Columns (capitals, spaces and brackets do not matter): ``date``; one whose name tells flow and its unit (``flow_mgd``,
``Influent flow (MGD)``, ``flow_gallons``); perhaps ``site``. They may stand below a title.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from intake.forms.flow_sheet import BadCell, NotReadableError, Sheet, letter, plain, sheets_of

__all__ = ["UNITS", "BadCell", "FlowFile", "NotReadableError", "day_of", "flow_of", "read_flow"]

MILLION = 1_000_000
UNITS = {"mgd": MILLION, "gallons": 1}
# Whole names of a flow column without the word flow; "flow" alone tells no unit.
UNIT_OF = {"mgd": "mgd", "gpd": "gallons", "gallons": "gallons", "flow": None}
DATES = ("date", "sample_date", "date_sampled")
FIGURE = re.compile(r"[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
# What laboratories and the state's reports write where no figure was measured: no-data codes, "less than", "more than".
NO_FIGURE = re.compile(r"(NODI\b.*|[<>]\s*[\d.,]+|[+-]?NaN|N/?D|N/?A|-+)?", re.ASCII | re.IGNORECASE)
# No plant comes near: a thousand million gallons a day.
MOST = 1_000_000_000
EARLIEST, LATEST = date(1950, 1, 1), date(2100, 1, 1)
# The days a workbook counts from; from 1900 on it counts a February 29 that never was.
EPOCH, MAC_EPOCH = date(1899, 12, 30), date(1904, 1, 1)
DAY_LIKE = "Type it like 2026-10-05 or 10/5/2026"
LIKE = {"mgd": "0.162", "gallons": "162,000"}
# Rows above the names of the columns: titles, the plant's name.
TITLES = 20


@dataclass
class FlowFile:
    """(day, gallons a day) of each row, words in place of a figure that was not measured; the sites it names."""

    rows: list[tuple[date, int | str]] = field(default_factory=list)
    sites: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Columns:
    """Where the columns stand, the unit of the flow, and the words by which a cell is named."""

    day: int
    flow: int
    site: int | None
    unit: str
    names: list[str]

    def called(self, index: int) -> str:
        return f"{letter(index)} ({self.names[index]})"


def read_flow(content: bytes, unit: str | None = None, site: str | None = None) -> FlowFile:
    """Read a whole file. ``unit``: ``mgd`` or ``gallons`` where the column does not tell. Raises NotReadableError."""
    for sheet in sheets_of(content):
        for place, (_, cells) in enumerate(sheet.rows[:TITLES]):
            if columns := _columns(cells, unit):
                return _rows(Sheet(sheet.rows[place + 1 :], sheet.mac), columns, site)
    raise NotReadableError("The first line must name the columns date and flow_mgd, or date and flow_gallons.")


def day_of(text: str, mac: bool = False) -> date:
    """A day as files write it: 2026-10-05, 10/5/2026, 10/5/26, Excel's 46300. Raises ValueError."""
    if found := re.fullmatch(r"(\d{5})(\.\d+)?", text, re.ASCII):
        day = (MAC_EPOCH if mac else EPOCH) + timedelta(days=int(found[1]))
    else:
        # A time of the day beside it says when the meter was read.
        words = re.sub(r"[T ]\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AP]M)?$", "", text, flags=re.ASCII | re.IGNORECASE)
        if found := re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})", words, re.ASCII):
            year = int(found[3]) + (0 if len(found[3]) == 4 else 1900 if int(found[3]) >= 70 else 2000)
            day = date(year, int(found[1]), int(found[2]))
        elif re.fullmatch(r"\d{4}-\d\d-\d\d", words, re.ASCII):
            day = date.fromisoformat(words)
        else:
            raise ValueError(text)
    if not EARLIEST <= day < LATEST:
        raise ValueError(text)
    return day


def flow_of(text: str, unit: str) -> int | str:
    """Whole gallons, to the nearest; the words themselves where there is no figure. Raises ValueError: why not."""
    if NO_FIGURE.fullmatch(text):
        return text
    if not (FIGURE.fullmatch(text) and re.search(r"^[^e]*\d", text, re.IGNORECASE)):
        raise ValueError("is not a flow")
    gallons = Decimal(text.replace(",", "")) * UNITS[unit]
    if abs(gallons) > MOST:
        raise ValueError("is more than any plant's flow")
    return int(gallons.to_integral_value())


def _unit_told(name: str) -> str | None:
    words = set(name.split("_"))
    if "flow" not in words:
        return None
    return "mgd" if words & {"mgd", "mg"} else "gallons" if words & {"gpd", "gallons", "gal"} else None


def _columns(cells: list[str], unit: str | None) -> _Columns | None:
    """The columns a row names; None where it names no day and no flow. Raises NotReadableError on a doubt."""
    names = [plain(cell) for cell in cells]
    day = next((names.index(name) for name in DATES if name in names), None)
    flows = {name: n for n, name in reversed(list(enumerate(names))) if name in UNIT_OF or _unit_told(name)}
    if day is None or not flows:
        return None
    found = sorted(flows.values())
    if len(found) > 1:
        columns = " and ".join(cells[n] for n in found)
        raise NotReadableError(f"The columns {columns} both hold the flow. Keep one of them.")
    name = names[found[0]]
    told = UNIT_OF[name] if name in UNIT_OF else _unit_told(name)
    if told is None and unit is None:
        raise NotReadableError(f"The column {cells[found[0]]} does not tell its unit. Say which: mgd or gallons.")
    if told is not None and unit is not None and told != unit:
        raise NotReadableError(f"The column {cells[found[0]]} is in {told}, and {unit} was asked for. Mend one.")
    return _Columns(day, found[0], names.index("site") if "site" in names else None, told or unit or "", cells)


def _rows(sheet: Sheet, columns: _Columns, site: str | None) -> FlowFile:
    taken, bad = FlowFile(), list[BadCell]()
    for number, cells in sheet.rows:
        day, flow, place = (
            cells[n] if n is not None and n < len(cells) else "" for n in (columns.day, columns.flow, columns.site)
        )
        if not (day or flow):
            continue
        taken.sites.add(place)
        if site is not None and columns.site is not None and place != site:
            continue
        problems = list(_problems(number, day, flow, columns, sheet.mac))
        bad += problems
        if not problems:
            taken.rows.append((day_of(day, sheet.mac), flow_of(flow, columns.unit)))
    _whole(taken, bad, site, columns.site is not None)
    return taken


def _whole(taken: FlowFile, bad: list[BadCell], site: str | None, has_sites: bool) -> None:
    sites = ", ".join(sorted(taken.sites - {""}))
    if has_sites and site is None and len(taken.sites) > 1:
        raise NotReadableError(f"The file holds several sites. Say which: {sites}.")
    if has_sites and site is not None and site not in taken.sites:
        raise NotReadableError(f"The file holds no site {site}. It holds: {sites or 'none'}.")
    if bad:
        raise NotReadableError("Nothing was taken. Mend these cells and import the file again.", bad)


def _problems(number: int, day: str, flow: str, columns: _Columns, mac: bool) -> Iterator[BadCell]:
    try:
        day_of(day, mac)
    except ValueError:
        what = f"{day!r} is not a day" if day else "the day is missing"
        yield BadCell(number, columns.called(columns.day), what, DAY_LIKE)
    try:
        flow_of(flow, columns.unit)
    except ValueError as why:
        mend = f"Type it like {LIKE[columns.unit]}, or NODI where none was measured"
        yield BadCell(number, columns.called(columns.flow), f"{flow!r} {why}", mend)
