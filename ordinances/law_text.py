"""A profile written out as the TOML file it could be read from again, for a town that changes its own law."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from ordinances.reader import tables_of
from ordinances.rows import Profile

_FIRST = ("code", "what", "kind", "value", "role", "rule", "from", "until", "cite", "reading", "note", "quote")


def toml_of(profile: Profile) -> str:
    """The text of a profile; read again it is the same profile, to its hash. Its state layer is only named."""
    written = []
    for name, table in tables_of(profile).items():
        if isinstance(table, list):
            written += [_table(f"[[{name}]]", row) for row in table]
        elif all(isinstance(rows, list) and _are_rows(rows) for rows in table.values()):
            written += [_table(f"[[{name}.{term}]]", row) for term, rows in table.items() for row in rows]
        else:
            written.append(_table(f"[{name}]", table))
    return "\n".join(written)


def _are_rows(rows: list[Any]) -> bool:
    return all(isinstance(row, dict) and "from" in row for row in rows)


def _table(head: str, fields: dict[str, Any]) -> str:
    order = sorted(fields, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    return "\n".join([head, *(f"{name} = {_value(fields[name])}" for name in order), ""])


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    # A basic string of TOML has the escapes of JSON.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
