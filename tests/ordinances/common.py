"""The law of Bayfield, instants in its zone, and changed copies of a profile, for the tests of the rules."""

import os
import re
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import settings

from ordinances.reader import Closure, Law, Profile, Row, load_profile, shipped
from ordinances.schedule_law import READ_AS

ZONE = ZoneInfo("America/Chicago")
LOADED = date(2026, 10, 6)
ROWS_OF_PRICES = Path(__file__).parent / "rows_of_prices.toml"
# 200 fixed examples in the test command; ``make soak`` asks for more, from a seed it prints.
MANY = os.environ.get("SEPTAGE_EXAMPLES")
FIXED = settings(max_examples=int(MANY or 200), derandomize=MANY is None, deadline=None, database=None)
HOLIDAYS = (
    Closure(date(2026, 11, 26), "Thanksgiving", "holiday"),
    Closure(date(2026, 12, 25), "Christmas", "holiday"),
    Closure(date(2027, 1, 1), "New Year's Day", "holiday"),
    Closure(date(2027, 1, 18), "Martin Luther King Jr. Day", "holiday"),
)


@cache
def profile(name: str = "bayfield") -> Profile:
    return load_profile(name)


def bayfield(*closures: Closure, rows: tuple[Row, ...] = ()) -> Law:
    return Law(profile(), rows, {one.day: one for one in closures})


def law_of(name: str) -> Law:
    return Law(profile(name))


def local(text: str) -> datetime:
    """An instant in the plant's zone: local("2026-08-01 00:00:00")."""
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def changed(
    folder: Path, *swaps: tuple[str, str], name: str = "bayfield", extra: str = "", in_rows: bool = False
) -> Path:
    """A copy of a shipped profile with texts swapped (each must stand in it exactly once) and rows added at the end.

    `in_rows`, or a swap that names a price as a row: its charges are rows of one number each, as they once were.
    """
    text = shipped()[name].read_text(encoding="utf-8")
    if in_rows or any(f"[[{key}]]" in one for key in READ_AS for one in (extra, *(old for old, _ in swaps))):
        text = without_items(text) + "\n" + ROWS_OF_PRICES.read_text(encoding="utf-8")
    for old, new in swaps:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}.toml"
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text + extra, encoding="utf-8")
    return path


def changed_law(folder: Path, *swaps: tuple[str, str], extra: str = "", in_rows: bool = False) -> Law:
    return Law(load_profile(changed(folder, *swaps, extra=extra, in_rows=in_rows)))


def without_items(text: str) -> str:
    """A profile without the charges it writes as items."""
    parts = re.split(r"(?m)^(?=\[)", text)
    return "".join(one for one in parts if not one.startswith(("[[item]]", "[schedule]")))


def in_rows(folder: Path) -> Profile:
    """Bayfield with its charges as rows of one number each: what was adopted before a profile could write items."""
    return load_profile(changed(folder, in_rows=True))


def row_text(key: str, value: str, since: str = "1992-01-01", cite: str = "§ 329-7 F(4)") -> str:
    return f'\n[[{key}]]\nvalue = {value}\nfrom = {since}\ncite = "{cite}"\n'


def without_typical(name: str = "bayfield") -> Law:
    """A law that states no typical strength of any waste."""
    found = profile(name)
    rows = tuple(row for row in found.rows if not row.key.startswith("strength.typical_"))
    return Law(replace(found, rows=rows))
