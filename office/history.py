"""Journal entries in the words a clerk reads."""

import re
from datetime import date, datetime
from typing import Any

from office import formats
from office.db import db
from office.journal import JournalEntry

# Keys, hashes and templates say nothing to a reader.
MACHINERY = re.compile(r"(^|_)(id|sha256|version|seal|key|hash|data|once|template)$|^fs_|^password$")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00")
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def changes(entry: JournalEntry) -> list[str]:
    """What an entry changed, in words: "gallons: 1,500 → 1,200". What only machines need is left out."""
    said = []
    for name, value in entry.new.items():
        old = entry.old.get(name)
        if value in (None, "") or value == old or MACHINERY.search(name) or _private(entry.table_name, name):
            continue
        shown, was = (readable(name, one) for one in (value, old))
        said.append(f"{_called(name)}: {f'{was} → ' if was else ''}{shown}")
    return said


def _called(name: str) -> str:
    """The name of a column or a kind as people read it; the stored ones have the other spelling of license."""
    return name.replace("_cents", "").replace("_", " ").replace("licence", "license")


def _private(table: str, name: str) -> bool:
    """Whether a column is its writer's own, such as a member's note (``info={"private": True}``): no page tells it."""
    known = db.metadata.tables.get(table)
    return known is not None and name in known.c and bool(known.c[name].info.get("private"))


def readable(name: str, value: Any) -> str:
    """A stored value as people write it: money in dollars, instants and days in words, long texts cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return formats.money(value) if name.endswith("_cents") else formats.gallons(value)
    text = "" if value is None else str(value)
    if INSTANT.fullmatch(text):
        return formats.day_time(datetime.fromisoformat(text), formats.plant_zone())
    if DAY.fullmatch(text):
        return formats.date_only(date.fromisoformat(text))
    if name == "kind":
        return _called(text)
    return text if len(text) <= 80 else f"{text[:77]}…"
