"""Facts: what changes only by rare acts, read once and kept in each process until an act changes any of it.

The head of each chain of the journal names the entry that changed a fact last (``journal_head.facts``). It is written
where every entry is written, in the act's own transaction, so no act can forget it; only entries of the tables in
``MOVING`` (bookings, loads, messages, money) leave it as it is. Who asks for a fact reads the heads first, in their own
transaction, and takes what is kept under just these: an act of another process counts in the very next answer.
Whoever waited for a lock reads them again, and whoever has changed a fact reads the database until they commit.
"""

from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from types import MappingProxyType
from typing import Any, TypeVar

from flask import Flask, current_app
from sqlalchemy import Select, bindparam, column, event, select, table
from sqlalchemy.orm.attributes import QueryableAttribute

from office.asked import OPEN, cells
from office.db import Base, Model, db, engine_name

# Tables that change with every booking, load, sample, message or payment: no fact may be read from them.
MOVING = frozenset({
    "blank_ticket", "booking", "charge_hold", "custody_step", "elsewhere", "entry", "excess", "feed_address", "file",
    "freed_room", "hold", "incident", "incident_word", "invoice", "invoice_line", "letter", "load", "more_tests",
    "notice", "offline_load", "own_sheet", "payment", "planned_session", "rest_refused", "result", "retest",
    "room_offer", "run", "sampling_draw", "signature", "special_time", "wait", "written_record",
})  # fmt: skip
# The mark of a chain in which no fact was written yet.
NONE = "0" * 64
# Where the session notes that it changed a fact, the facts of the heads it has read, and what else it has seen.
_CHANGED, _READ, _SEEN = "facts_changed", "facts_read", "facts_seen"
# What is found where nothing is kept yet: None may be an answer.
_UNKNOWN = object()
# How many plants a process keeps the facts of, and how many answers of each.
PLANTS, ANSWERS = 200, 5_000

# Every function whose answers are kept.
FACTS: list[Callable[..., Any]] = []
F = TypeVar("F", bound=Callable[..., Any])
_ROOM = Lock()
_kept: dict[tuple[str, int | None], tuple[tuple[str, ...], dict[Any, Any]]] = {}


def fact(work: F) -> F:
    """Keep what a function of a plant's id (None: of the whole host) and further values has read.

    It reads no table in ``MOVING`` and, without a plant, none that belongs to plants (``tests/house/test_facts.py``);
    what it returns is never changed by anybody.
    """
    FACTS.append(work)

    @wraps(work)
    def known(plant_id: int | None, *args: Any) -> Any:
        session = db.session()
        if _unwritten(session) and _changes_fact(session):
            session.flush()
        info = session.info
        if _CHANGED in info:
            return work(plant_id, *args)
        kept = info[_READ].get(plant_id) if _READ in info else None
        if kept is None:
            kept = _of_heads(session, plant_id)
        key = (work, args)
        found = kept.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = kept[key] = work(plant_id, *args)
        return found

    return known  # type: ignore[return-value]


def seen(work: F) -> F:
    """Ask something that changes all the time once in a transaction: until this session writes, waits for a lock or
    takes something back. Nobody changes what is returned."""

    @wraps(work)
    def known(*args: Any) -> Any:
        session = db.session()
        _written(session)
        kept, key = session.info.setdefault(_SEEN, {}), (work, args)
        if key not in kept:
            kept[key] = work(*args)
        return kept[key]

    return known  # type: ignore[return-value]


def _unwritten(session: Any) -> Any:
    """Whether rows were added, changed or taken away and none of it is written yet."""
    return session._new or session._deleted or session.identity_map._modified


def _changes_fact(session: Any) -> bool:
    """Whether a row that was added or changed and is not written yet may be a fact."""
    return any(one.class_.__tablename__ not in MOVING
               for several in (session._new, session._deleted, session.identity_map._modified) if several
               for one in several)  # fmt: skip


def _written(session: Any) -> None:
    """What was added and not written yet is written first, as before any query."""
    if _unwritten(session):
        session.flush()


def changed(session: Any, table_name: str) -> None:
    """The journal saw a row change: a session that changed a fact keeps none and reads the database."""
    session.info.pop(_SEEN, None)
    if table_name not in MOVING:
        session.info[_CHANGED] = True


def start(app: Flask) -> None:
    """Listen to the ends of transactions, and where others may write meanwhile to the locks taken in them."""
    if not event.contains(db.session, "after_transaction_end", _over):
        event.listen(db.session, "after_transaction_end", _over)
    with app.app_context():
        if engine_name() != "sqlite":
            event.listen(db.engine, "after_cursor_execute", _locked)


def _over(session: Any, transaction: Any) -> None:
    """The next transaction begins with nothing read and nothing changed."""
    session.info.pop(_SEEN, None)
    if transaction.parent is None:
        session.info.pop(OPEN, None)
        session.info.pop(_READ, None)
        session.info.pop(_CHANGED, None)


def _locked(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
    """A lock may have been waited for, and a fact have changed meanwhile: the heads are read anew."""
    if statement.endswith(("FOR UPDATE", "FOR SHARE")):
        session = db.session()
        session.info.pop(_READ, None)
        session.info.pop(_SEEN, None)


def _of_heads(session: Any, plant_id: int | None) -> dict[Any, Any]:
    """What is kept under the heads of a plant's chain and of the host's as they stand, read in one query."""
    read: dict[int | None, dict[Any, Any]] = session.info.setdefault(_READ, {})
    heads: dict[str, str] = dict(cells(_heads(), plant=f"plant:{plant_id}"))
    host = heads.get("host", NONE)
    read[None] = _under(None, (host,))
    if plant_id is not None:
        read[plant_id] = _under(plant_id, (host, heads.get(f"plant:{plant_id}", NONE)))
    return read[plant_id]


def _under(plant_id: int | None, version: tuple[str, ...]) -> dict[Any, Any]:
    place = (str(current_app.config["DATABASE_URL"]), plant_id)
    known = _kept.get(place)
    if known is None or known[0] != version or len(known[1]) > ANSWERS:
        # Another thread may look for its oldest at the same time: a dictionary must not change while it is walked.
        with _ROOM:
            _kept.pop(place, None)
            while len(_kept) >= PLANTS:
                _kept.pop(next(iter(_kept)))
            known = _kept[place] = (version, {})
    return known[1]


@cache
def _heads() -> Any:
    head = table("journal_head", column("chain"), column("facts"))
    return select(head.c.chain, head.c.facts).where((head.c.chain == "host") | (head.c.chain == bindparam("plant")))


class Fact:
    """A row as it was read: anybody may read it at once, nobody can change it."""

    __tablename__: str
    id: int

    def __init__(self, cells: Any) -> None:
        self.__dict__.update({name: _fixed(value) for name, value in cells.items()})

    def __eq__(self, other: object) -> bool:
        """A row is the same row, however it was read."""
        return getattr(other, "__tablename__", "") == self.__tablename__ and other.id == self.id  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.__tablename__, self.id))

    def __setattr__(self, name: str, _value: Any) -> None:
        raise TypeError(f"{type(self).__name__}.{name} is a fact read before: lock the row and change that")


def _fixed(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_fixed(one) for one in value)
    return MappingProxyType({name: _fixed(one) for name, one in value.items()}) if isinstance(value, dict) else value


@cache
def _kind(model: Any) -> type[Fact]:
    """A class with the properties of a model and none of its ways to be changed."""
    own: dict[str, Any] = {"__tablename__": model.__tablename__}
    for part in reversed(model.__mro__):
        if part in (object, Base, *Base.__mro__) or part is Model:
            continue
        own |= {name: value for name, value in vars(part).items()
                if not name.startswith("_") and not isinstance(value, QueryableAttribute)}  # fmt: skip
    return type(model.__name__, (Fact,), own)


@cache
def _plain(model: Any, query: Select[Any]) -> Any:
    return query.with_only_columns(*model.__table__.c, maintain_column_froms=True)


def rows(model: Any, query: Any, **given: Any) -> list[Any]:
    """The rows of a model that a query made once selects, as facts."""
    kind = _kind(model)
    return [kind(one) for one in db.session.execute(_plain(model, query), given).mappings()]


def values(query: Any, **given: Any) -> list[tuple[Any, ...]]:
    """The cells a query made once selects; lists and mappings among them are the caller's to copy."""
    return [tuple(row) for row in db.session.execute(query, given)]
