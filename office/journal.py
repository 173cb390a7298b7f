"""The journal: append-only, one entry per record touched, chained by hashes, one chain per plant and one for the host.

Nobody writes entries by hand. The session notices every row an act adds, changes or removes; just before the commit
each touched record gets one entry with who, in which capacity, what, old and new, when, why, under which §, and the
digest of the row as the database now holds it.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import cache
from types import SimpleNamespace
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    event,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.orm import Mapped, Session, mapped_column

from office import access, clock, facts
from office.asked import cells, put
from office.db import Json, Model, Utc, db, fit

FIRST = "0" * 64


class JournalEntry(Model):
    """One line of history."""

    __tablename__ = "journal_entry"
    __journal__ = False
    __table_args__ = (UniqueConstraint("chain", "seq"),)
    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False, sort_order=-1
    )
    chain: Mapped[str] = mapped_column(String(30))
    seq: Mapped[int] = mapped_column(Integer)
    act_id: Mapped[str] = mapped_column(String(32), index=True)
    act: Mapped[str] = mapped_column(String(60))
    at: Mapped[datetime] = mapped_column(Utc)
    person_id: Mapped[int | None] = mapped_column(ForeignKey("person.id"))
    person: Mapped[str] = mapped_column(String(200))
    on_behalf: Mapped[str | None] = mapped_column(String(200))
    capacity: Mapped[str] = mapped_column(String(30))
    table_name: Mapped[str] = mapped_column(String(60), index=True)
    record_id: Mapped[int] = mapped_column(Integer, index=True)
    old: Mapped[Any] = mapped_column(Json)
    new: Mapped[Any] = mapped_column(Json)
    reason: Mapped[str | None] = mapped_column(Text)
    cite: Mapped[str | None] = mapped_column(String(200))
    law_version: Mapped[str | None] = mapped_column(String(64))
    digest: Mapped[str | None] = mapped_column(String(64))
    before: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))


class JournalHead(Model):
    """The end of each chain: taken last in every transaction, so entries follow each other without a gap.

    ``facts`` is the hash of the last entry that changed a fact: what ``office.facts`` keeps holds until it changes.
    """

    __tablename__ = "journal_head"
    __journal__ = False
    chain: Mapped[str] = mapped_column(String(30), unique=True)
    seq: Mapped[int] = mapped_column(Integer)
    hash: Mapped[str] = mapped_column(String(64))
    facts: Mapped[str] = mapped_column(String(64), default=facts.NONE)


@dataclass
class Frame:
    """The act now running."""

    act: str
    by: Any
    capacity: str
    at: datetime
    law_version: str | None
    act_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    reason: str | None = None
    cite: str | None = None


@dataclass
class Touch:
    """One change of one row inside a frame."""

    row: Any
    frame: Frame
    old: dict[str, Any]
    new: dict[str, Any]
    gone: tuple[str, int, str] | None = None


_frame: ContextVar[Frame | None] = ContextVar("journal_frame", default=None)


def inside_act() -> bool:
    """True while an act runs."""
    return _frame.get() is not None


def current_act_id() -> str:
    """The id every record of the running act shares."""
    frame_ = _frame.get()
    if frame_ is None:
        raise RuntimeError("only inside an act")
    return frame_.act_id


@contextmanager
def frame(act: str, by: Any, capacity: Any, at: datetime, law_version: str | None = None) -> Iterator[Frame]:
    """Run an act. An act inside another belongs to the outer one: same id, same name."""
    outer = _frame.get()
    if outer is not None:
        yield outer
        return
    mine = Frame(act, by, str(capacity.value if capacity else "system"), at, law_version)
    token = _frame.set(mine)
    try:
        yield mine
        db.session.flush()
    finally:
        _frame.reset(token)


def because(reason: str | None = None, cite: str | None = None) -> None:
    """Say why, and under which §: kept on every entry of the running act."""
    frame_ = _frame.get()
    if frame_ is None:
        raise RuntimeError("only inside an act")
    frame_.reason = reason or frame_.reason
    frame_.cite = fit(cite, JournalEntry.cite) if cite else frame_.cite


def _touches(session: Any) -> list[Touch]:
    found: list[Touch] = session.info.setdefault("journal", [])
    return found


def mark() -> int:
    """Where the list of touches stands now (for a savepoint)."""
    db.session.flush()
    return len(_touches(db.session()))


def forget_since(place: int) -> None:
    """Drop touches made since ``mark``: their savepoint was rolled back."""
    del _touches(db.session())[place:]


def added() -> set[str]:
    """The journalled tables to which the running transaction, not yet committed, has added rows."""
    db.session.flush()
    return {one.row.__tablename__ for one in _touches(db.session()) if not one.old and one.gone is None}


def plain(value: Any) -> Any:
    """A column's value as JSON that is the same on both engines."""
    if isinstance(value, bytes):
        return "sha256:" + hashlib.sha256(value).hexdigest()
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Enum):
        return value.value
    return value


def _sha(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def digest(table: Table, mapping: Any) -> str:
    """The digest of one row, given as a mapping of column name to value (``office.db.born`` says what is left out)."""
    kept = {name: plain(value) for name, value in mapping.items() if not as_born(table.c[name].info, value)}
    return _sha(kept)


def as_born(info: Mapping[Any, Any], value: Any) -> bool:
    """Whether a column a later migration added still holds what every older row was given then."""
    return "born" in info and type(value) is type(info["born"]) and value == info["born"]


def _note(session: Session, _context: Any, _instances: Any) -> None:
    for row in list(session.new) + [row for row in session.dirty if session.is_modified(row)] + list(session.deleted):
        if not getattr(row, "__journal__", False):
            continue
        facts.changed(session, row.__tablename__)
        frame_ = _frame.get() or _unnamed()
        state = inspect(row)
        old, new = {}, {}
        is_new = row in session.new
        for column in state.mapper.column_attrs:
            if is_new:
                new[column.key] = plain(getattr(row, column.key, None))
                continue
            # Only what was set since it was read can differ.
            if column.key not in state.committed_state:
                continue
            history = state.attrs[column.key].history
            if history.has_changes():
                old[column.key] = plain(history.deleted[0]) if history.deleted else None
                new[column.key] = plain(history.added[0]) if history.added else None
        gone = None
        if row in session.deleted:
            old = {c.key: plain(getattr(row, c.key)) for c in state.mapper.column_attrs}
            gone = (row.__tablename__, row.id, chain_of(row))
        _touches(session).append(Touch(row, frame_, old, new, gone))


def _unnamed() -> Frame:
    # Flask-Security writes people (a new password) outside our acts; such a change is still on the record.
    return Frame("account_change", access.system("Sign-in"), "system", clock.now(), None)


def chain_of(row: Any) -> str:
    """The chain a record belongs to: its plant's, or the host's."""
    if row.__tablename__ == "plant":
        return f"plant:{row.id}"
    plant = getattr(row, "plant_id", None)
    return "host" if plant is None else f"plant:{plant}"


def _write(session: Session) -> None:
    if session.in_nested_transaction():
        return
    session.flush()
    touches = _touches(session)
    if not touches:
        return
    merged: dict[tuple[str, str, str, int], Touch] = {}
    for touch in touches:
        table, ident, chain = touch.gone or (touch.row.__tablename__, touch.row.id, chain_of(touch.row))
        key = (chain, touch.frame.act_id, table, ident)
        first = merged.setdefault(key, touch)
        if first is not touch:
            first.old = touch.old | first.old
            first.new = first.new | touch.new
            first.gone = touch.gone
    touches.clear()
    digests = _digests(session, merged)
    for chain in sorted({key[0] for key in merged}):
        _append(session, chain, [(key, touch) for key, touch in merged.items() if key[0] == chain], digests)
    session.flush()


def _digests(session: Session, merged: Any) -> dict[tuple[str, int], str]:
    wanted: dict[str, set[int]] = {}
    for (_chain, _act, table, ident), touch in merged.items():
        if touch.gone is None:
            wanted.setdefault(table, set()).add(ident)
    found = {}
    for name, ids in wanted.items():
        table = db.metadata.tables[name]
        for row in cells(_rows(name), ids=tuple(ids)):
            mapping = dict(zip(table.c.keys(), row, strict=True))
            found[(name, mapping["id"])] = digest(table, mapping)
    return found


@cache
def _rows(name: str) -> Any:
    table = db.metadata.tables[name]
    return select(table).where(table.c.id.in_(bindparam("ids", expanding=True)))


def _append(session: Session, chain: str, items: Any, digests: dict[tuple[str, int], str]) -> None:
    head = _head(session, chain)
    entries = []
    for (_chain, _act, table, ident), touch in items:
        frame_ = touch.frame
        entry = SimpleNamespace(
            id=place(chain, head.seq + 1), chain=chain, seq=head.seq + 1,
            act_id=frame_.act_id, act=frame_.act, at=frame_.at,
            person_id=frame_.by.person_id, person=frame_.by.name, on_behalf=frame_.by.on_behalf,
            capacity=frame_.capacity, table_name=table, record_id=ident, old=touch.old, new=touch.new,
            reason=frame_.reason, cite=frame_.cite, law_version=frame_.law_version,
            digest=digests.get((table, ident)), before=head.hash,
        )  # fmt: skip
        entry.hash = entry_hash(entry)
        head.seq, head.hash = entry.seq, entry.hash
        if table not in facts.MOVING:
            head.facts = entry.hash
        entries.append(vars(entry))
    for each in entries:
        put(_new_entry(), **each)
    put(_new_head(), of=chain, to=head.seq, hashed=head.hash, fact=head.facts)


def place(chain: str, seq: int) -> int:
    """The id of an entry follows from its chain and its place there, so that no cell of it is free to be changed."""
    return seq * 1_000_000 + (0 if chain == "host" else int(chain.removeprefix("plant:")))


def _head(session: Session, chain: str) -> SimpleNamespace:
    """The end of a chain, locked; its first entry makes it."""
    row = next(iter(cells(_locked_head(), of=chain)), None)
    if row is not None:
        return SimpleNamespace(seq=row[0], hash=row[1], facts=row[2])
    first = {"id": place(chain, 0), "chain": chain, "seq": 0, "hash": FIRST, "facts": facts.NONE}
    session.execute(insert(db.metadata.tables["journal_head"]), first)
    return SimpleNamespace(**first)


@cache
def _locked_head() -> Any:
    head = db.metadata.tables["journal_head"].c
    return select(head.seq, head.hash, head.facts).where(head.chain == bindparam("of")).with_for_update()


@cache
def _new_entry() -> Any:
    return insert(db.metadata.tables["journal_entry"])


@cache
def _new_head() -> Any:
    head = db.metadata.tables["journal_head"]
    return update(head).where(head.c.chain == bindparam("of")).values(
        seq=bindparam("to"), hash=bindparam("hashed"), facts=bindparam("fact"))  # fmt: skip


HASHED = ("chain", "seq", "act_id", "act", "at", "person_id", "person", "on_behalf", "capacity", "table_name",
          "record_id", "old", "new", "reason", "cite", "law_version", "digest", "before")  # fmt: skip


def entry_hash(entry: Any) -> str:
    """The hash of an entry: over everything it says and the hash of the entry before it."""
    return _sha({name: plain(getattr(entry, name)) for name in HASHED})


def _drop(session: Session) -> None:
    if not session.in_nested_transaction():
        _touches(session).clear()


def start() -> None:
    """Listen to the session. Called once when the app is made; a second call changes nothing."""
    if not event.contains(db.session, "before_flush", _note):
        event.listen(db.session, "before_flush", _note)
        event.listen(db.session, "before_commit", _write)
        event.listen(db.session, "after_rollback", _drop)
