"""Seals: mechanical rows carry a digest of their own cells instead of journal entries."""

import hashlib
import json
import secrets
from typing import Any

from sqlalchemy import BigInteger, Integer, Table, event, inspect
from sqlalchemy.orm import mapped_column

from office.journal import as_born, plain

SEALED: list[Any] = []
# The id is chosen before the row is written, so that the seal covers it.
Wide = BigInteger().with_variant(Integer, "sqlite")


def sealed_id() -> Any:
    """The id column of a sealed table."""
    return mapped_column(Wide, primary_key=True, autoincrement=False, sort_order=-1)


def new_id() -> int:
    """A fresh id: 62 random bits."""
    return secrets.randbits(62)


def seal_of(table: Table, values: dict[str, Any]) -> str:
    """The seal of a row: a digest of its other cells, so a change by hand shows (``born`` cells are left out)."""
    kept = {
        name: plain(value)
        for name, value in values.items()
        if name != "seal" and not as_born(table.c[name].info, value)
    }
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def sealed_values(table: Any, **values: Any) -> dict[str, Any]:
    """The cells of a new row with its id and seal, for an INSERT that may meet a row already there."""
    whole = {"id": new_id(), **values}
    return whole | {"seal": seal_of(table, whole)}


def sealed(model: Any) -> Any:
    """Seal every row of a model when it is added or changed."""
    SEALED.append(model)
    event.listen(model, "before_insert", _seal)
    event.listen(model, "before_update", _seal)
    return model


def _seal(mapper: Any, _connection: Any, row: Any) -> None:
    if row.id is None:
        row.id = new_id()
    values = {attr.key: getattr(row, attr.key) for attr in inspect(row).mapper.column_attrs}
    row.seal = seal_of(mapper.local_table, values)
