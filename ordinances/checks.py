"""Reading one file of the law and naming every mistake in it."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ordinances.followed import check_followed, not_followed
from ordinances.lengths import too_long
from ordinances.ranges import check_cents, check_range
from ordinances.rows import Problem, Row
from ordinances.schedule import Schedule
from ordinances.schedule_law import READ_AS
from ordinances.schedule_reader import TABLES, charges_of
from ordinances.schema import BY_AGREEMENT, KEYS, PROGRAMMES, PROHIBITED, WINDOW, Key, state_needs
from ordinances.values import LIMIT_FIELDS, WrongValue, day_words, parse

_ROW_FIELDS = ("value", "from", "until", "cite", "reading", "unconfirmed", "note", "quote")
_HEAD_NEEDS = {"profile": ("id", "name", "place", "zone"), "layer": ("id", "name")}
_HEAD_MAY = {"profile": ("state_layer", "historic"), "layer": ("note",)}
_SECTION = re.compile(r"§\s?\d|\bNR \d|\bch\. \d")
# Pairs that must stand in this order on every day: the first may be equal to the second only where `True`.
_ORDERED = (
    ("hours.opens", "hours.closes", False),
    ("application.form_opens", "application.opens", True),
    ("application.opens", "application.closes", True),
    ("rate.plan_gph", "rate.hard_gph", True),
)


@dataclass
class Document:
    """What one file holds, as far as it could be read, and what is wrong with it."""

    file: str
    kind: str = ""
    head: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    charges: dict[str, Any] = field(default_factory=dict)
    schedule: Schedule | None = None
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, key: str, what: str, mend: str) -> None:
        self.problems.append(Problem(self.file, key, what, mend))


def read_document(path: Path) -> Document:
    """A file of the law with its rows and its problems; never raises for what is in the file."""
    document = Document(str(path))
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        document.wrong("", f"the file cannot be read ({error.strerror})", "Name a file that exists")
    except UnicodeDecodeError:
        document.wrong("", "the file is not UTF-8 text", "Save it as UTF-8")
    else:
        return read_text(text, str(path))
    return document


def read_text(text: str, file: str) -> Document:
    """A text of the law as ``read_document`` reads a file; `file` names it in problems."""
    document = Document(file)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        document.wrong("", f"not TOML: {error}", "Mend the line named; the rest is checked after that")
    else:
        read_tables(document, tables)
    return document


def read_tables(document: Document, tables: dict[str, Any], *, kept: bool = False) -> None:
    """Fill a document from parsed tables and check it as a whole.

    ``kept`` text was adopted once and stays readable for ever: what is refused only of new texts is not asked of it.
    """
    heads = [kind for kind in _HEAD_NEEDS if isinstance(tables.get(kind), dict)]
    if len(heads) != 1:
        document.wrong("profile", "the file does not say what it is", "Begin with one table, [profile] or [layer]")
        document.kind = "profile"
    else:
        document.kind = heads[0]
        _read_head(document, tables[heads[0]])
    for group, terms in tables.items():
        if group in _HEAD_NEEDS or group in TABLES:
            continue
        if not isinstance(terms, dict):
            document.wrong(group, "stands outside any table", "Write rows such as [[rate.plan_gph]]")
            continue
        for name, rows in terms.items():
            _read_term(document, f"{group}.{name}", rows)
    _read_charges(document, tables)
    _check_needs(document)
    _check_ordered(document)
    _check_companions(document)
    if not kept:
        for key, what, mend in too_long(tables):
            document.wrong(key, what, mend)
        _check_cents(document)
        _check_followed(document)


def check_layer(document: Document, known: Iterable[str]) -> None:
    """Name a state layer that does not exist."""
    layer, names = document.head.get("state_layer"), sorted(known)
    if isinstance(layer, str) and layer not in names:
        have = ", ".join(names) or "none"
        document.wrong("profile.state_layer", f"there is no state layer {layer!r}", _nearest(layer, names, have))


def _nearest(word: str, known: Iterable[str], otherwise: str) -> str:
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"Did you mean {close[0]}?" if close else f"Use one of: {otherwise}"


def _read_head(document: Document, head: dict[str, Any]) -> None:
    kind = document.kind
    document.head = head
    for name in _HEAD_NEEDS[kind]:
        if not isinstance(head.get(name), str) or not head[name].strip():
            document.wrong(f"{kind}.{name}", "is missing", f'Write {name} = "..." under [{kind}]')
    allowed = (*_HEAD_NEEDS[kind], *_HEAD_MAY[kind])
    for name, value in head.items():
        if name not in allowed:
            document.wrong(f"{kind}.{name}", "unknown key", _nearest(name, allowed, ", ".join(allowed)))
        elif not isinstance(value, str):
            document.wrong(f"{kind}.{name}", f"{value!r} is not a text", "Write it in quotes")
    zone = head.get("zone")
    if kind == "profile" and isinstance(zone, str) and zone and not _is_zone(zone):
        document.wrong("profile.zone", f"{zone!r} is not a time zone", 'Write a name such as "America/Chicago"')


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return False
    return True


def _read_charges(document: Document, tables: dict[str, Any]) -> None:
    """The charges written as items; what is written so is written so only."""
    document.charges = {name: tables[name] for name in TABLES if name in tables}
    if document.charges and document.kind == "layer":
        document.wrong("item", "belongs in a profile", "Move it there")
        return
    document.schedule, problems = charges_of(document.charges, document.head, document.file)
    document.problems.extend(problems)
    codes = {item.code for item in document.schedule.items} if document.schedule else set()
    for key in sorted({row.key for row in document.rows} & set(READ_AS)):
        if READ_AS[key] in codes:
            document.wrong(key, f"is written as the item {READ_AS[key]!r} too", "Write it once: keep the item")


def _read_term(document: Document, name: str, rows: Any) -> None:
    key = KEYS.get(name)
    if key is None:
        document.wrong(name, "unknown key", _nearest(name, KEYS, "the keys of the schema"))
        return
    if key.state != (document.kind == "layer"):
        place = "a state layer" if key.state else "a profile"
        document.wrong(name, f"belongs in {place}", "Move it there")
    if key.plant:
        document.wrong(name, "is set by each plant, not by a profile", "Take it out and set it at the plant")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        document.wrong(name, "is not a dated row", f"Write [[{name}]] with value, from and cite under it")
        return
    read = [_read_row(document, key, row) for row in rows]
    dated = [row for row in read if row is not None]
    _check_dates(document, name, dated)
    document.rows.extend(dated)


def _read_row(document: Document, key: Key, row: dict[str, Any]) -> Row | None:
    before = len(document.problems)
    for name in row:
        if name not in _ROW_FIELDS:
            document.wrong(key.name, f"a row has no {name!r}", _meant(key, name))
    value = _read_value(document, key, row)
    since = _read_date(document, key.name, row, "from")
    until = _read_date(document, key.name, row, "until") if "until" in row else None
    if since and until and until < since:
        document.wrong(key.name, f"until {until} is before from {since}", "Write the last day in force")
    cite = row.get("cite")
    if not isinstance(cite, str) or not _SECTION.search(cite):
        what = "cite is missing" if cite is None else f"cite {cite!r} names no section"
        document.wrong(key.name, what, 'Write the section, such as cite = "§ 1-2 A(3)"')
    for name in ("reading", "note", "quote"):
        if name in row and (not isinstance(row[name], str) or not row[name].strip()):
            document.wrong(key.name, f"{name} is not a text", "Write words in quotes or leave it out")
    if not isinstance(row.get("unconfirmed", False), bool):
        document.wrong(key.name, "unconfirmed is neither true nor false", "Write unconfirmed = true or leave it out")
    if len(document.problems) > before or since is None:
        # A row with a mistake still counts for the other checks as far as it could be read.
        return Row(key.name, value, since, until, str(cite)) if since else None
    return Row(
        key.name, value, since, until, str(cite), row.get("reading"), row.get("unconfirmed", False),
        row.get("note", ""), "state" if document.kind == "layer" else "profile", None, row.get("quote", ""),
    )  # fmt: skip


def _meant(key: Key, name: str) -> str:
    """What was meant by an unknown name in a row: one of a row's own, or one that stands inside its value."""
    inside = LIMIT_FIELDS if key.type == "limit" else ("unit",)
    close = difflib.get_close_matches(name, [*_ROW_FIELDS, *inside], n=1, cutoff=0.5)
    if not close or close[0] in _ROW_FIELDS:
        return _nearest(name, _ROW_FIELDS, ", ".join(_ROW_FIELDS))
    if key.type == "limit":
        return f"Did you mean {close[0]}? It stands inside value = {{ ... }}"
    said = f" ({key.unit})" if key.unit else ""
    return f"Did you mean unit? Take it out: each key has its own{said}"


def _read_value(document: Document, key: Key, row: dict[str, Any]) -> Any:
    if "value" not in row:
        document.wrong(key.name, "value is missing", "Write value = ...")
        return None
    try:
        value = parse(key.type, row["value"], key.options)
        check_range(key, value)
    except WrongValue as wrong:
        document.wrong(key.name, wrong.what, wrong.mend)
        return None
    return value


def _read_date(document: Document, name: str, row: dict[str, Any], which: str) -> date | None:
    raw = row.get(which)
    if isinstance(raw, date) and not isinstance(raw, datetime):
        return raw
    what = f"{which} is missing" if raw is None else f"{which} {raw!s} is not a date"
    document.wrong(name, what, f"Write {which} = 1992-01-01 without quotes or hours")
    return None


def _check_dates(document: Document, name: str, rows: list[Row]) -> None:
    for earlier, later in pairwise(rows):
        if later.since < earlier.since:
            document.wrong(
                name, f"rows out of order: {later.since} stands after {earlier.since}", "Put the oldest row first"
            )
        elif later.since == earlier.since:
            document.wrong(name, f"two rows begin on {later.since}", "Give each its own date")
        elif earlier.until is not None and earlier.until >= later.since:
            document.wrong(
                name, f"dates overlap: {earlier.until} is in force into {later.since}", "End the first a day earlier"
            )


def _check_needs(document: Document) -> None:
    have = {row.key for row in document.rows} | {one.key for one in document.problems}
    if document.kind == "layer":
        needed = [name for name in state_needs() if name not in have]
        who = "a state layer"
    else:
        kinds = {row.value for row in document.rows if row.key == "programme.kind"} & set(PROGRAMMES)
        kinds = kinds or {PROHIBITED, BY_AGREEMENT}
        have |= set(READ_AS) if document.charges else set()
        needed = [name for name, key in KEYS.items() if key.needed_by & kinds and name not in have]
        who = f"the programme {' or '.join(sorted(kinds))}"
    for name in needed:
        document.wrong(name, f"is missing, and {who} needs it", f"Add [[{name}]] with value, from and cite")


def _check_ordered(document: Document) -> None:
    """Compare the pairs on each day one of their rows begins, so that a later amendment is checked too."""
    for first, second, equal_ok in _ORDERED:
        days = sorted({row.since for row in document.rows if row.key in (first, second)})
        for day in days:
            low, high = (_in_force(document.rows, key, day) for key in (first, second))
            if low is None or high is None or low < high or (equal_ok and low == high):
                continue
            document.wrong(second, *_out_of_order(first, low, second, high, day))


def _out_of_order(first: str, low: Any, second: str, high: Any, day: date) -> tuple[str, str]:
    """What is wrong with a pair, and the mend: numbers are lower or higher, times and dates come before or after."""
    if isinstance(low, int | Decimal):
        mend = f"Write {low:,} or more, or lower {first}"
        return f"{second} {high:,} is lower than {first} {low:,} ({day_words(day)})", mend
    is_then = "is the same as" if high == low else "comes before"
    return f"{second} {high} {is_then} {first} {low} ({day_words(day)})", f"Write it after {first}"


def _check_companions(document: Document) -> None:
    """Name what the basis of a limit cannot do without on each day it begins."""
    for row in document.rows:
        if (row.key, row.value) != ("rate.basis", "rolling_mean"):
            continue
        for name in ("rate.basis_days", "rate.basis_short"):
            if _in_force(document.rows, name, row.since) is None:
                document.wrong(
                    name, f"is missing, and a mean from {row.since} on needs it", f"Add [[{name}]] from {row.since}"
                )


def _check_cents(document: Document) -> None:
    for row in document.rows:
        try:
            check_cents(KEYS[row.key], row.value)
        except WrongValue as wrong:
            document.wrong(row.key, wrong.what, wrong.mend)


def _check_followed(document: Document) -> None:
    """Name values no act follows yet, where the acts of a plant would have to."""
    if not any(row.key == "programme.kind" and row.value == WINDOW for row in document.rows):
        return
    for row in document.rows:
        try:
            check_followed(row.key, row.value)
        except WrongValue as wrong:
            document.wrong(row.key, wrong.what, wrong.mend)
    for key, what, mend in not_followed(document.schedule) if document.schedule is not None else ():
        document.wrong(key, what, mend)


def _in_force(rows: list[Row], key: str, day: date) -> Any:
    begun = [row for row in rows if row.key == key and row.since <= day and row.value is not None]
    return begun[-1].value if begun else None
