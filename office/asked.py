"""Statements that nearly every page asks: built once, compiled once, then handed straight to the driver.

The library's own way to run a statement serves any statement; for these it takes several times as long as the database
takes to answer. So the library compiles each once (for every length of its lists) with all conversions of what goes in
and comes out, and what is kept of that runs it. Whoever listens to statements (locks, counts in tests) hears these too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import DBAPIError

from office.db import db

Convert = Callable[[Any], Any]
Make = Callable[[tuple[Any, ...]], Any]
# By statement, database and the lengths of its lists; so many of them, then that begins anew.
_made: dict[tuple[Any, ...], _Words] = {}
MOST = 2_000
# Where a session notes the connection of its transaction (``office.facts`` forgets it with its end).
OPEN = "asked_connection"


@dataclass(frozen=True)
class _Slot:
    """A value of a statement: the name it is given under, and its place in a list."""

    name: str
    index: int | None = None

    def of(self, given: Mapping[str, Any]) -> Any:
        return given[self.name] if self.index is None else given[self.name][self.index]


class _Words:
    """One statement in the words of one database, with lists of just these lengths."""

    def __init__(self, statement: Any, connection: Connection, given: Mapping[str, Any]) -> None:
        self.dialect = connection.dialect
        compiled = statement.compile(dialect=self.dialect, column_keys=None if statement.is_select else list(given))
        marks = {name: [_Slot(name, n) for n in range(len(value))] if isinstance(value, tuple) else _Slot(name)
                 for name, value in given.items()}  # fmt: skip
        made = compiled.construct_expanded_state(marks)
        self.sql, self.positional = made.statement, compiled.positional
        order = made.positiontup if self.positional else list(made.parameters)
        # Of lists the library hands out the conversion of each value; of all else its type knows it.
        into = {name: one.type.dialect_impl(self.dialect).bind_processor(self.dialect)
                for name, one in compiled.binds.items()} | made.processors  # fmt: skip
        self.slots = [(name, *_slot(made.parameters[name], into.get(name))) for name in order or ()]
        self.kinds = [one.type for one in statement.selected_columns] if statement.is_select else []
        self._cells: list[tuple[int, Convert]] | None = None
        self.seen: dict[Any, Any] | None = None

    def values(self, given: Mapping[str, Any]) -> Any:
        """What the driver is given."""
        found = []
        for _, value, convert in self.slots:
            mine = value.of(given) if isinstance(value, _Slot) else value
            found.append(mine if convert is None else convert(mine))
        if self.positional:
            return tuple(found)
        return {name: value for (name, _, _), value in zip(self.slots, found, strict=True)}

    def cells(self, rows: Iterable[Sequence[Any]], description: Any) -> list[tuple[Any, ...]]:
        """Rows of the driver with what the types of their columns make of them."""
        if self._cells is None:
            kinds = [one.dialect_impl(self.dialect) for one in self.kinds]
            each = [(n, one.result_processor(self.dialect, description[n][1])) for n, one in enumerate(kinds)]
            self._cells = [(n, convert) for n, convert in each if convert is not None]
        if not self._cells:
            return [tuple(row) for row in rows]
        return [self._converted(row) for row in rows]

    def again(self, rows: Iterable[Sequence[Any]], description: Any, make: Make) -> list[Any]:
        """What ``make`` makes of each row, made once for the same row."""
        if self.seen is None or len(self.seen) >= MOST:
            self.seen = {}
        found, fresh = [], self.seen
        for row in rows:
            one = fresh.get((make, row))
            if one is None:
                one = fresh[make, row] = make(self.cells([row], description)[0])
            found.append(one)
        return found

    def _converted(self, row: Sequence[Any]) -> tuple[Any, ...]:
        cells = list(row)
        for n, convert in self._cells or ():
            cells[n] = convert(cells[n])
        return tuple(cells)


def _slot(value: Any, convert: Any) -> tuple[Any, Convert | None]:
    """A value with its conversion; one that never changes is converted now."""
    if isinstance(value, _Slot) or convert is None:
        return value, convert
    return convert(value), None


def cells(query: Any, **given: Any) -> list[tuple[Any, ...]]:
    """The rows of a query that was built once and selects columns, as plain tuples. Lists are given as tuples."""
    words, cursor = _run(query, given)
    try:
        found = words.cells(cursor.fetchall(), cursor.description)
    finally:
        cursor.close()
    return found


def made(make: Make, query: Any, **given: Any) -> list[Any]:
    """What ``make`` makes of the cells of each row of such a query, kept by what the row holds: of many rows that are
    asked for again and again few have changed. Nobody changes what it makes."""
    words, cursor = _run(query, given)
    try:
        found = words.again(cursor.fetchall(), cursor.description, make)
    finally:
        cursor.close()
    return found


def hold_row(model: Any, ident: int, *, shared: bool = False) -> None:
    """Lock one row until the transaction ends, reading nothing of it (``db.lock`` reads it too)."""
    cells(_holding(model, shared), ident=ident)


@cache
def _holding(model: Any, shared: bool) -> Any:
    row = model.__table__.c
    return select(row.id).where(row.id == bindparam("ident")).with_for_update(read=shared)


def put(statement: Any, **given: Any) -> None:
    """Run an INSERT, UPDATE or DELETE of a table the journal does not keep, built once."""
    _run(statement, given)[1].close()


def _connection() -> Connection:
    """The connection of the running transaction; asking the library for it each time takes longer than most answers."""
    session = db.session()
    found: Connection | None = session.info.get(OPEN)
    if found is None or not session.is_active:
        found = session.info[OPEN] = session.connection()
    return found


def _run(statement: Any, given: dict[str, Any]) -> tuple[_Words, Any]:
    connection = _connection()
    key = (statement, connection.dialect.name,
           *(len(value) for value in given.values() if isinstance(value, tuple)))  # fmt: skip
    words = _made.get(key)
    if words is None:
        if len(_made) >= MOST:
            _made.clear()
        words = _made[key] = _Words(statement, connection, given)
    values, plain = words.values(given), connection.connection.dbapi_connection
    cursor = plain.cursor()  # type: ignore[union-attr]
    # Asked of the engine: a connection puts a list together anew for each statement.
    listeners, heard = connection.engine.dispatch, (connection, cursor, words.sql, values, None, False)
    for listen in listeners.before_cursor_execute:
        listen(*heard)
    try:
        cursor.execute(words.sql, values)
    except words.dialect.dbapi.Error as error:  # type: ignore[union-attr]
        cursor.close()
        raise DBAPIError.instance(words.sql, values, error, words.dialect.dbapi.Error,  # type: ignore[union-attr]
                                  dialect=words.dialect) from error  # fmt: skip
    for listen in listeners.after_cursor_execute:
        listen(*heard)
    return words, cursor
