"""A file of a fee schedule read into a ``Schedule``; each mistake is named with file, key and what to write instead."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from ordinances.lengths import too_long
from ordinances.rows import LawError, Problem
from ordinances.schedule import NORMAL, Item, Mixed, Schedule, StrengthClass, Untested, Wage
from ordinances.schedule_fields import ITEM_FIELDS, KINDS, known_class, read_field, read_strengths, wrong_together
from ordinances.schedule_graph import follow
from ordinances.schema import WASTES
from ordinances.values import WrongValue, parse

_HEAD = ("id", "name", "source")
_LISTS = ("wastes", "origins", "points", "tests")
TABLES = ("schedule", "item", "wage", "strength_class", "mixed", "untested")
_CITE = re.compile(r"§\s?\d|\bNR \d|\b[Cc]h\. \d|\bOrd\. |\bRes\. |[Rr]ates? |[Ff]ee |[Cc]ode of ")
_CITE_MEND = 'Write the section, such as cite = "§ 12-3", or the sheet the price stands in: "Fee schedule of 2024"'


@dataclass
class _Reading:
    """What was read of one file so far, and what is wrong with it."""

    file: str
    problems: list[Problem] = field(default_factory=list)
    head: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in TABLES[1:]})

    def wrong(self, key: str, what: str, mend: str) -> None:
        self.problems.append(Problem(self.file, key, what, mend))

    def value(self, key: str, name: str, raw: Any) -> Any:
        try:
            return read_field(name, raw)
        except WrongValue as error:
            self.wrong(f"{key}.{name}", error.what, error.mend)
            return None


def is_schedule(path: Path) -> bool:
    """Whether a file says that it is a fee schedule, without checking it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return False
    tables = (line.strip() for line in lines)
    return next((line for line in tables if line.startswith("[")), "") == "[schedule]"


def read_schedule(path: Path) -> Schedule:
    """The schedule of a file; raises LawError with every mistake in it."""
    reading, text = _Reading(str(path)), ""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        reading.wrong("", f"the file cannot be read ({error.strerror})", "Name a file that exists")
    except UnicodeDecodeError:
        reading.wrong("", "the file is not UTF-8 text", "Save it as UTF-8")
    if reading.problems:
        raise LawError(reading.problems)
    return schedule_from_text(text, str(path))


def schedule_from_text(text: str, file: str = "schedule") -> Schedule:
    """The schedule a TOML text holds; `file` names it in problems. Raises LawError."""
    reading = _Reading(file)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reading.wrong("", f"not TOML: {error}", "Mend the line named; the rest is checked after that")
        raise LawError(reading.problems) from None
    _read_head(reading, tables.get("schedule"))
    for name, rows in tables.items():
        _read_table(reading, name, rows)
    _check_whole(reading)
    for key, what, mend in too_long(tables):
        reading.wrong(key, what, mend)
    if reading.problems:
        raise LawError(reading.problems)
    return _schedule(reading, tables)


def charges_of(
    tables: dict[str, Any], profile: dict[str, Any], file: str = "profile"
) -> tuple[Schedule | None, list[Problem]]:
    """The charges a profile writes as items, and what is wrong with them; none where it writes none.

    Its tables are those of a schedule without a name of its own.
    """
    mine = {name: tables[name] for name in TABLES if name in tables}
    if not mine:
        return None, []
    head = mine.get("schedule", {})
    named = {name: str(profile.get(name) or "-") for name in ("id", "name")} | {"source": str(profile.get("name"))}
    reading = _Reading(file)
    for name in _HEAD if isinstance(head, dict) else ():
        if name in head:
            reading.wrong(f"schedule.{name}", "is that of the profile", "Leave it out")
    _read_head(reading, {**head, **named} if isinstance(head, dict) else head)
    for name, rows in mine.items():
        _read_table(reading, name, rows)
    _check_whole(reading)
    return (None if reading.problems else _schedule(reading, mine)), reading.problems


def check_schedule(path: Path) -> list[Problem]:
    """Every mistake in one file; none, and it can be used."""
    try:
        read_schedule(path)
    except LawError as error:
        return error.problems
    return []


def _schedule(reading: _Reading, tables: dict[str, Any]) -> Schedule:
    text = json.dumps({"format": 1, **tables}, ensure_ascii=False, indent=1, sort_keys=True, default=str)
    head = {name: reading.head[name] for name in _HEAD}
    lists = {name: reading.head[name] for name in _LISTS}
    rows = {name: tuple(found) for name, found in reading.rows.items()}
    return Schedule(
        **head, **lists, items=rows["item"], wages=rows["wage"], classes=rows["strength_class"], mixed=rows["mixed"],
        untested=rows["untested"], text=text, version=hashlib.sha256(text.encode()).hexdigest(),
    )  # fmt: skip


def _read_head(reading: _Reading, head: Any) -> None:
    if not isinstance(head, dict):
        reading.wrong("schedule", "the file does not say what it is", "Begin with one table, [schedule]")
        head = {"id": "-", "name": "-", "source": "-"}
    for name in _HEAD:
        if not isinstance(head.get(name), str) or not head[name].strip():
            reading.wrong(f"schedule.{name}", "is missing", f'Write {name} = "..." under [schedule]')
    for name in head:
        if name not in (*_HEAD, *_LISTS):
            reading.wrong(f"schedule.{name}", "unknown key", _nearest(name, (*_HEAD, *_LISTS)))
    reading.head = {name: head.get(name) for name in _HEAD}
    for name in _LISTS:
        reading.head[name] = ()
        try:
            reading.head[name] = parse("names", head.get(name, list(WASTES) if name == "wastes" else []))
        except WrongValue as error:
            reading.wrong(f"schedule.{name}", error.what, error.mend)


def _read_table(reading: _Reading, name: str, rows: Any) -> None:
    if name == "schedule":
        return
    if name not in TABLES:
        reading.wrong(name, "unknown table", _nearest(name, TABLES))
        return
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        reading.wrong(name, "is not a list of rows", f"Write [[{name}]] above each row")
        return
    read = {"item": _item, "wage": _wage, "strength_class": _class, "mixed": _mixed,
            "untested": _untested}[name]  # fmt: skip
    for raw in rows:
        found = read(reading, raw)
        if found is not None:
            reading.rows[name].append(found)


def _item(reading: _Reading, raw: dict[str, Any]) -> Item | None:
    key, before = f"item {raw.get('code', '?')}", len(reading.problems)
    code = _word(reading, key, "code", raw)
    kind = KINDS.get(str(raw.get("kind")))
    if kind is None:
        reading.wrong(f"{key}.kind", f"{raw.get('kind')!r} is no kind of charge", _nearest(str(raw.get("kind")), KINDS))
        return None
    _known_fields(reading, key, {name: one for name, one in raw.items() if name not in ITEM_FIELDS}, kind.fields)
    for name in raw:
        if name in ITEM_FIELDS and name not in kind.fields:
            mend = "Leave it out, or write an item of another kind"
            reading.wrong(f"{key}.{name}", f"a {raw['kind']!r} has none", mend)
    for name in ("what", *kind.needs):
        if name not in raw:
            reading.wrong(f"{key}.{name}", "is missing", f"An item {raw['kind']!r} is charged {kind.title}: write it")
    dated = _dated(reading, key, raw)
    plain = [name for name in raw if name in kind.fields and name not in ("code", "kind", *_DATED)]
    fields = {name: reading.value(key, name, raw[name]) for name in plain}
    for name, choices in (("waste", "wastes"), ("origin", "origins"), ("point", "points"), ("test", "tests")):
        _known_names(reading, f"{key}.{name}", fields.get(name) or (), reading.head[choices], choices)
    if len(reading.problems) == before:
        for name, what, mend in wrong_together(raw["kind"], fields):
            reading.wrong(f"{key}.{name}", what, mend)
    return Item(code=code, kind=raw["kind"], **dated, **fields) if len(reading.problems) == before else None


def _wage(reading: _Reading, raw: dict[str, Any]) -> Wage | None:
    key, before = f"wage {raw.get('role', '?')}", len(reading.problems)
    _known_fields(reading, key, raw, ("role", "price", *_DATED))
    role = _word(reading, key, "role", raw)
    if "price" not in raw:
        reading.wrong(f"{key}.price", "is missing", 'Write what an hour costs, such as price = "31.00"')
    price = reading.value(key, "price", raw.get("price", "0"))
    dated = _dated(reading, key, raw)
    return Wage(role, price, **dated) if len(reading.problems) == before else None


def _class(reading: _Reading, raw: dict[str, Any]) -> StrengthClass | None:
    key, before = f"strength_class {raw.get('code', '?')}", len(reading.problems)
    _known_fields(reading, key, raw, ("code", "above", "needs", *_DATED))
    code = _word(reading, key, "code", raw)
    dated = _dated(reading, key, raw)
    try:
        above = read_strengths(raw.get("above"))
        needs = parse("choice", raw.get("needs"), ("all", "any"))
    except WrongValue as error:
        reading.wrong(key, error.what, error.mend)
        return None
    return StrengthClass(code, above, needs, **dated) if len(reading.problems) == before else None


def _mixed(reading: _Reading, raw: dict[str, Any]) -> Mixed | None:
    before = len(reading.problems)
    _known_fields(reading, "mixed", raw, ("rule", *_DATED))
    dated = _dated(reading, "mixed", raw)
    try:
        rule = parse("choice", raw.get("rule"), ("highest_rate", "by_part"))
    except WrongValue as error:
        reading.wrong("mixed.rule", error.what, error.mend)
        return None
    return Mixed(rule, **dated) if len(reading.problems) == before else None


def _untested(reading: _Reading, raw: dict[str, Any]) -> Untested | None:
    before = len(reading.problems)
    _known_fields(reading, "untested", raw, ("strength_class", *_DATED))
    dated = _dated(reading, "untested", raw)
    code = _word(reading, "untested", "strength_class", raw)
    return Untested(code, **dated) if len(reading.problems) == before else None


_DATED = ("from", "until", "cite", "reading")


def _dated(reading: _Reading, key: str, raw: dict[str, Any]) -> dict[str, Any]:
    """The dates, section and reading that every row has."""
    since, until, cite = raw.get("from"), raw.get("until"), raw.get("cite")
    for name, day in (("from", since), ("until", until)):
        if (day is not None or name == "from") and (not isinstance(day, date) or isinstance(day, datetime)):
            what = "is missing" if day is None else f"{day!r} is not a day"
            reading.wrong(f"{key}.{name}", what, "Write a day without quotes, such as 2024-07-01")
    if isinstance(since, date) and isinstance(until, date) and until < since:
        reading.wrong(f"{key}.until", f"{until} is before {since}", "Write the last day on which the row counts")
    if not isinstance(cite, str) or not _CITE.search(cite):
        what = "is missing" if not cite else f"{cite!r} names no section, resolution or sheet"
        reading.wrong(f"{key}.cite", what, _CITE_MEND)
    reading_words = reading.value(key, "reading", raw["reading"]) if "reading" in raw else None
    return {"since": since, "until": until, "cite": cite, "reading": reading_words}


def _word(reading: _Reading, key: str, name: str, raw: dict[str, Any]) -> str:
    word = raw.get(name)
    if not isinstance(word, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", word):
        what = "is missing" if word is None else f"{word!r} is not a short name"
        reading.wrong(f"{key}.{name}", what, f'Write small letters and underscores, such as {name} = "after_hours"')
        return ""
    return word


def _known_fields(reading: _Reading, key: str, raw: dict[str, Any], known: Collection[str]) -> None:
    for name in raw:
        if name not in known:
            reading.wrong(f"{key}.{name}", "unknown key", _nearest(name, known))


def _known_names(reading: _Reading, key: str, names: Iterable[str], known: Collection[str], choices: str) -> None:
    for name in names:
        if name not in known:
            mend = _nearest(name, known) if known else f'List it under [schedule]: {choices} = ["{name}"]'
            reading.wrong(key, f"{name!r} is not among the schedule's {choices}", mend)


def _nearest(word: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"Did you mean {close[0]}?" if close else f"Use one of: {', '.join(known)}"


def _check_whole(reading: _Reading) -> None:
    """What only the rows together show: the order of dates, names of other items, circles, strength classes."""
    if not reading.rows["item"] and not reading.problems:
        reading.wrong("item", "the schedule charges nothing", "Write at least one [[item]]")
    for table, rows in reading.rows.items():
        last: dict[str, Any] = {}
        for row in rows:
            before = last.get(row.code)
            if before is not None and row.since <= before.since:
                mend = "Put the rows of one code in the order of their dates, each date once"
                reading.wrong(f"{table} {row.code}.from", f"{row.since} does not follow {before.since}", mend)
            last[row.code] = row
    classes = {row.code for row in reading.rows["strength_class"]}
    for item in reading.rows["item"]:
        for name in known_class(item.strength_class, classes):
            mend = "Write a [[strength_class]] for it"
            reading.wrong(f"item {item.code}.strength_class", f"there is no class {name!r}", mend)
    for row in reading.rows["untested"]:
        for name in known_class((row.strength_class,), classes):
            reading.wrong("untested.strength_class", f"there is no class {name!r}", _nearest(name, {*classes, NORMAL}))
    roles = {row.code for row in reading.rows["wage"]}
    for item in reading.rows["item"]:
        if item.role and roles and item.role not in roles:
            reading.wrong(f"item {item.code}.role", f"no wage of {item.role!r} is dated", _nearest(item.role, roles))
    if not reading.problems:
        for key, what, mend in follow(reading.rows["item"]):
            reading.wrong(key, what, mend)
