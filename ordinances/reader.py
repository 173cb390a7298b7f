"""Files of the law read into profiles: loading, checking, and the canonical text whose hash is the law version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from ordinances.checks import Document, check_layer, read_document, read_tables, read_text
from ordinances.rows import Closure, Law, LawError, NoLaw, Problem, Profile, Row, plant_row
from ordinances.schedule_reader import TABLES, check_schedule, is_schedule
from ordinances.schema import KEYS, ORDER
from ordinances.values import to_raw

__all__ = [
    "Closure", "Law", "LawError", "NoLaw", "Problem", "Profile", "Row",
    "check", "load_profile", "plant_row", "profile_from_canonical", "profile_from_toml", "profile_of_tables", "shipped",
    "state_rows", "tables_of",
]  # fmt: skip

_HOME = Path(__file__).parent
_HEAD = ("id", "name", "place", "zone", "state_layer", "historic")


def shipped() -> dict[str, Path]:
    """Short name to file of every profile that comes with the program; state layers are not among them."""
    return {path.stem: path for path in _files() if _kind(path) == "profile"}


def check(paths: Iterable[Path | str]) -> list[Problem]:
    """Every mistake in every file, in one run; a path may also be the short name of a shipped profile.

    A fee schedule of its own, a file that begins with [schedule], is checked too.
    """
    problems: list[Problem] = []
    for path in paths:
        if is_schedule(_path(path)):
            problems.extend(check_schedule(_path(path)))
            continue
        document = read_document(_path(path))
        if document.kind == "profile":
            check_layer(document, _layers(_path(path).parent))
        problems.extend(document.problems)
    return problems


def load_profile(name_or_path: str | Path) -> Profile:
    """A profile with its state layer; raises LawError with all problems of both files."""
    path = _path(name_or_path)
    return _with_layer(read_document(path), _layers(path.parent))


def profile_from_toml(text: str, file: str = "the new version") -> Profile:
    """The profile a TOML text holds, with a shipped state layer, as ``load_profile`` reads a file; raises LawError."""
    return _with_layer(read_text(text, file), _layers())


def profile_of_tables(tables: dict[str, Any], layer: Iterable[Row], file: str = "the new version") -> Profile:
    """The profile of parsed tables, checked as a new text, with the rows of a layer kept as they are; raises LawError.

    For a version made from one that was adopted: the state's law it was adopted with stays in it.
    """
    document = Document(file)
    read_tables(document, tables)
    if document.problems:
        raise LawError(document.problems)
    return _profile(document, [*document.rows, *layer])


def _with_layer(document: Document, layers: dict[str, Path]) -> Profile:
    if document.kind == "layer":
        document.wrong("layer", "is a state layer, not a profile", "Name a file that begins with [profile]")
    check_layer(document, layers)
    layer = None
    name = document.head.get("state_layer")
    if isinstance(name, str) and name in layers:
        layer = read_document(layers[name])
    problems = document.problems + (layer.problems if layer else [])
    if problems:
        raise LawError(problems)
    return _profile(document, [*document.rows, *(layer.rows if layer else ())])


def profile_from_canonical(text: str) -> Profile:
    """The profile a canonical text was made from, the same to its hash; raises LawError."""
    try:
        stored = json.loads(text)
        head, rows = stored["profile"], stored["rows"]
    except (ValueError, KeyError, TypeError):
        raise LawError([Problem("stored law", "", "is not a canonical text", "Store the text of a profile")]) from None
    mine, layer = Document("stored law", "profile"), Document("stored law", "layer")
    for document, source in ((mine, "profile"), (layer, "state")):
        charges = stored.get("charges", {}) if document is mine else {}
        _rebuild(document, head, [row for row in rows if row["source"] == source], charges)
    problems = mine.problems + layer.problems
    if problems:
        raise LawError(problems)
    return _profile(mine, [*mine.rows, *layer.rows])


def state_rows(layer: str) -> tuple[Row, ...]:
    """The rows of a shipped state layer by its id, for what is the same at every plant of a state."""
    document = read_document(_layers()[layer])
    if document.problems:
        raise LawError(document.problems)
    return tuple(document.rows)


def _rebuild(document: Document, head: dict[str, Any], rows: list[dict[str, Any]], charges: dict[str, Any]) -> None:
    """Rows of a canonical text through the checks of a file, but for what is asked of new texts only."""
    if document.kind == "layer" and not rows:
        return
    tables: dict[str, Any] = {document.kind: head if document.kind == "profile" else {"id": "-", "name": "-"}}
    read_tables(document, tables | _tables(rows, charges), kept=True)


def tables_of(profile: Profile) -> dict[str, Any]:
    """The tables of the file a profile could be written as, without those of its state layer."""
    stored = json.loads(profile.text)
    mine = [row for row in stored["rows"] if row["source"] == "profile"]
    return {"profile": stored["profile"], **_tables(mine, stored.get("charges", {}))}


def _tables(rows: list[dict[str, Any]], charges: dict[str, Any]) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    for row in rows:
        group, name = row["key"].split(".", 1)
        fields = {field: value for field, value in row.items() if field not in ("key", "source")}
        tables.setdefault(group, {}).setdefault(name, []).append(_with_dates(fields))
    for name, found in charges.items():
        tables[name] = [_with_dates(one) for one in found] if isinstance(found, list) else found
    return tables


def _in_order(table: Any) -> Any:
    """A table with its keys in order; its rows keep theirs, in which charges are printed."""
    if isinstance(table, list):
        return [_in_order(one) for one in table]
    return {name: table[name] for name in sorted(table)} if isinstance(table, dict) else table


def _with_dates(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: date.fromisoformat(one) if name in ("from", "until") else one for name, one in fields.items()}


def _profile(document: Document, rows: list[Row]) -> Profile:
    head = document.head
    ordered = tuple(sorted(rows, key=lambda row: (row.source, ORDER[row.key], row.since)))
    kept = {name: head[name] for name in _HEAD if name in head}
    whole = {"format": 1, "profile": kept, "rows": [_row_fields(row) for row in ordered]}
    if document.charges:
        whole["charges"] = {name: _in_order(document.charges[name]) for name in TABLES if name in document.charges}
    text = json.dumps(whole, ensure_ascii=False, indent=1, default=str)
    return Profile(
        head["id"], head["name"], head["place"], head["zone"], head.get("state_layer"), head.get("historic"),
        ordered, text, hashlib.sha256(text.encode()).hexdigest(), document.schedule,
    )  # fmt: skip


def _row_fields(row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "key": row.key,
        "value": to_raw(KEYS[row.key].type, row.value),
        "from": row.since.isoformat(),
        "cite": row.cite,
        "source": row.source,
    }
    if row.until is not None:
        fields["until"] = row.until.isoformat()
    for name in ("reading", "note", "quote"):
        if getattr(row, name):
            fields[name] = getattr(row, name)
    if row.unconfirmed:
        fields["unconfirmed"] = True
    return fields


def _files(home: Path = _HOME) -> list[Path]:
    return sorted(home.glob("*.toml"))


def _kind(path: Path) -> str:
    """What a file is by its first table, without checking it."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.strip().startswith("["):
            return line.strip().strip("[]")
    return ""


def _layers(folder: Path = _HOME) -> dict[str, Path]:
    """State layers by id: those shipped, and those in the folder of a profile."""
    layers: dict[str, Path] = {}
    for path in (*_files(), *_files(folder)):
        if _kind(path) == "layer":
            name = read_document(path).head.get("id")
            if isinstance(name, str):
                layers[name] = path
    return layers


def _path(name_or_path: str | Path) -> Path:
    """A shipped profile by its short name, or else the file itself."""
    if isinstance(name_or_path, str) and "/" not in name_or_path and not name_or_path.endswith(".toml"):
        return _HOME / f"{name_or_path}.toml"
    return Path(name_or_path)
