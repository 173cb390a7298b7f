"""The database: one metadata for every room, and the connection rules of both engines.

SQLite and PostgreSQL must behave alike, so instants are UTC, money is integer cents and exact decimals are text.
"""

import json
import random
import sqlite3
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from time import sleep
from typing import Any

from flask import Flask, current_app, g, has_request_context
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, Engine, MetaData, String, bindparam, event, select
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator, TypeEngine

from office.held import READING, Apart, hold, lapsed, may_write
from office.turns import Turns

# Who may write is asked for here too.
__all__ = ["READING", "lapsed", "may_write"]

# On SQLite one writes at a time. Milliseconds that whoever reads waits for a lock; how often whoever writes looks
# whether it is their turn, and the seconds between two looks: at least half a minute together.
BUSY, LOOKS, BETWEEN = 30_000, 4_000, (0.004, 0.012)
# Connections each process keeps: its threads are four, and each reads and writes.
KEPT = 10


# The line of those who write, by database, and where a connection notes that it has its turn.
_TURNS: dict[str, Turns] = {}
_TURN = "turn"


class Base(DeclarativeBase):
    """Every table has an integer ``id``; ``__journal__`` says whether the journal keeps a digest of its rows."""

    __journal__ = True
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    id: Mapped[int] = mapped_column(primary_key=True, sort_order=-1)


def born(value: Any) -> dict[str, Any]:
    """``info`` of a column that a later migration added: the value every older row was given then.

    The journal's digests leave such a column out while it holds that value, so the digests of older rows stay true.
    """
    return {"born": value}


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": True})
Model: Any = db.Model


class Utc(TypeDecorator[datetime]):
    """An instant: goes in aware, is kept in UTC, comes back aware in UTC on both engines."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a zone; take it from office.clock or the plant")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        # SQLite hands out text. Instants are read more often than anything else: so at once, and not in two steps.
        return _instant if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(f"{text}+00:00")


class Exact(TypeDecorator[Decimal]):
    """A Decimal kept as text: SQLite would turn NUMERIC into floating point."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Any) -> str | None:
        return None if value is None else format(value, "f")

    def process_result_value(self, value: str | None, dialect: Any) -> Decimal | None:
        return None if value is None else Decimal(value)


class Json(TypeDecorator[Any]):
    """JSON kept as sorted text, byte for byte the same on both engines, so that digests agree after a move."""

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = db.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> str | None:
        return None if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Any) -> Any:
        return None if value is None else json.loads(value)


class TooLong(ValueError):  # noqa: N818 - it says what is wrong, as a Refusal does
    """A text is longer than its column: PostgreSQL would not take it, SQLite would in silence."""

    def __init__(self, column: str, length: int, most: int) -> None:
        self.length, self.most = length, most
        super().__init__(f"{column}: {length} letters, {most} at most")


def fit(words: str, column: Any) -> str:
    """Words put together from others, as far as their column (``Entry.what``) takes them."""
    most = column.type.length
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


@event.listens_for(Model, "before_insert", propagate=True)
@event.listens_for(Model, "before_update", propagate=True)
def _fits(mapper: Any, _connection: Any, row: Any) -> None:
    for name, most in _lengths(mapper):
        value = row.__dict__.get(name)
        if value is not None and len(value) > most:
            raise TooLong(f"{mapper.local_table.name}.{name}", len(value), most)


@cache
def _lengths(mapper: Any) -> tuple[tuple[str, int], ...]:
    """The texts of a table that have a length, by attribute."""
    found = ((one.key, one.columns[0].type) for one in mapper.column_attrs)
    return tuple((name, kind.length) for name, kind in found if type(kind) is String and kind.length)


def start(app: Flask) -> None:
    """Bind the database to the app and set the connection rules (stack.md's racing table is why)."""
    if app.config["SQLALCHEMY_DATABASE_URI"].startswith("sqlite"):
        given = app.config.get("SQLALCHEMY_ENGINE_OPTIONS", {})
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"poolclass": Apart, "pool_size": KEPT} | given
    db.init_app(app)
    with app.app_context():
        engine = db.engine
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_connected)
        event.listen(engine, "begin", _sqlite_begin)
        for over in ("commit", "rollback"):
            event.listen(engine, over, _turn_over)
        # Whatever ended otherwise gives its turn back with its connection.
        event.listen(engine, "checkin", _turn_lost)
    else:
        event.listen(engine, "begin", _postgresql_begin)


def only_read() -> None:
    """Give up what this request began: from here on it only reads, so that nobody who writes has to wait for it."""
    db.session.rollback()
    if has_request_context():
        g.only_reads = True


def _sqlite_connected(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in (f"busy_timeout={BUSY}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _sqlite_begin(connection: Any) -> None:
    # A transaction that reads first and then writes fails at once when another wrote meanwhile, whatever the
    # timeout; so whoever may write says so at the start, and a GET is held to reading by the engine itself.
    writes = may_write()
    hold(connection, writes)
    if writes:
        _take_turn(connection)
    else:
        connection.exec_driver_sql("BEGIN")


def _take_turn(connection: Any) -> None:
    # Those of this process wait in line; only the first of them looks whether another process is done.
    line = _TURNS.setdefault(str(current_app.config["DATABASE_URL"]), Turns())
    record = connection.connection._connection_record
    if line.take(BUSY / 1000):
        record.info[_TURN] = line
    try:
        _look(connection)
    except BaseException:
        _turn_lost(None, record)
        raise


def _look(connection: Any) -> None:
    # SQLite's own waiting looks ever more seldom whether it is its turn: of many who write, the one who waits longest
    # is beaten again and again, and shown an error in the end. So all look equally often.
    plain = connection.connection.dbapi_connection
    plain.execute("PRAGMA busy_timeout=0").close()
    try:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            if "locked" not in str(error.orig) or not _look_again(plain):
                raise
    finally:
        plain.execute(f"PRAGMA busy_timeout={BUSY}").close()


def _look_again(plain: Any) -> bool:
    """Whether it was one's turn in the end. Asked of the driver itself: an error of the library's takes much longer."""
    for _ in range(LOOKS):
        sleep(random.uniform(*BETWEEN))
        try:
            plain.execute("BEGIN IMMEDIATE").close()
            return True
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                return False
    return False


def _turn_over(connection: Any) -> None:
    _turn_lost(None, connection.connection._connection_record)


def _turn_lost(_connection: Any, record: Any) -> None:
    line = record.info.pop(_TURN, None) if record is not None else None
    if line is not None:
        line.give()


def _postgresql_begin(connection: Any) -> None:
    if not may_write():
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")


def lock(model: Any, ident: int, *, shared: bool = False) -> Any:
    """Lock one row until the transaction ends and return it fresh. SQLite holds the whole file already."""
    return db.session.scalars(_locking(model, shared), {"ident": ident}).one()


@cache
def _locking(model: Any, shared: bool) -> Any:
    query = select(model).where(model.id == bindparam("ident")).execution_options(populate_existing=True)
    return query.with_for_update(read=shared)


def engine_name(engine: Engine | None = None) -> str:
    return (engine or db.engine).dialect.name
