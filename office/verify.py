"""``verify``: walks the journal's chains and compares every row with its newest digest; rooms add their own checks.

It sees a changed, added or removed row, a changed entry and a break in a chain. It cannot see that the newest entries
and their rows were cut off together, unless it is given a chain's head exported earlier.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import func, select, text

from office.db import Model, db
from office.facts import MOVING, NONE
from office.files import File
from office.journal import FIRST, JournalEntry, JournalHead, digest, entry_hash, place
from office.numbers import MARKS, SERIES, Counter
from office.seals import SEALED, seal_of
from office.serve import ROOT

CHECKS: list[Callable[[], list[str]]] = []
CANNOT = (
    "What this cannot see: newest entries cut off together with their rows and the head (keep the heads below "
    "somewhere else and give them to the next run), and rows removed from the mechanical tables: "
    "answered forms, job claims, sign-ins and tries to sign in, days locked."
)


def verify(heads: dict[str, tuple[int, str]] | None = None) -> list[str]:
    """Everything that does not hold, a sentence each naming table and row; empty when all is well."""
    parts: list[Callable[[], Iterable[str]]] = [
        lambda: _chains(heads or {}), _rows, _sealed, _counters, _files, _schema, *CHECKS,
    ]  # fmt: skip
    return [finding for part in parts for finding in _whole(part)]


def _whole(part: Callable[[], Iterable[str]]) -> Iterator[str]:
    """A check's findings; one that stumbles over a changed cell says so and keeps what it found before."""
    try:
        yield from part()
    except Exception as error:
        name = getattr(part, "__name__", "check").strip("_")
        yield f"{name}: this check stumbled over a changed cell ({type(error).__name__}: {error})."


def heads() -> dict[str, tuple[int, str]]:
    """The end of every chain, to be kept elsewhere."""
    return {head.chain: (head.seq, head.hash) for head in db.session.scalars(select(JournalHead))}


def _mappings(table: Any, *order: Any) -> Iterator[tuple[int, Any]]:
    """(id, row) of a table; the row is None where it cannot be read any more."""
    query = select(table).order_by(*(order or (table.c.id,)))
    try:
        rows = list(db.session.execute(query).mappings())
    except (ValueError, TypeError, ArithmeticError):
        ids = list(db.session.scalars(query.with_only_columns(table.c.id)))
        rows = [_readable(table, ident) for ident in ids]
        yield from zip(ids, rows, strict=True)
        return
    for row in rows:
        yield row["id"], row


def _readable(table: Any, ident: int) -> Any:
    try:
        return db.session.execute(select(table).where(table.c.id == ident)).mappings().one()
    except (ValueError, TypeError, ArithmeticError):
        return None


def _chains(exported: dict[str, tuple[int, str]]) -> Iterator[str]:
    ends: dict[str, tuple[int, str]] = {}
    seen: dict[tuple[str, int], str] = {}
    facts: dict[str, str] = {}
    table: Any = JournalEntry.__table__
    for ident, row in _mappings(table, table.c.chain, table.c.seq):
        if row is None:
            yield f"journal_entry {ident}: cannot be read any more."
            continue
        entry = SimpleNamespace(**row)
        seq, before = ends.get(entry.chain, (0, FIRST))
        if entry.seq != seq + 1:
            yield f"journal_entry {entry.id}: chain {entry.chain} jumps from {seq} to {entry.seq}; entries are missing."
        elif entry.before != before:
            yield f"journal_entry {entry.id}: does not follow entry {seq} of chain {entry.chain}."
        if entry.hash != entry_hash(entry) or entry.id != _place(entry):
            yield f"journal_entry {entry.id}: entry {entry.seq} of {entry.chain} was changed after it was written."
        ends[entry.chain] = (entry.seq, entry.hash)
        seen[(entry.chain, entry.seq)] = entry.hash
        if entry.table_name not in MOVING:
            facts[entry.chain] = entry.hash
    known = db.session.scalars(select(JournalHead)).all()
    for head in known:
        if ends.get(head.chain, (0, FIRST)) != (head.seq, head.hash) or head.id != _place(head, 0):
            yield f"journal_head {head.id}: {head.chain} should end at entry {head.seq}; its tail was cut or changed."
        if head.facts != facts.get(head.chain, NONE):
            yield f"journal_head {head.id}: {head.chain} does not name the entry that changed a fact last."
    for chain in sorted(set(ends) - {head.chain for head in known}):
        yield f"journal_head: the head of chain {chain} is missing."
    for chain, (seq, hash_) in exported.items():
        if seen.get((chain, seq), FIRST if seq == 0 else None) != hash_:
            yield f"chain {chain}: the exported head, entry {seq}, is gone; the tail was cut or rewritten."


def _place(entry: Any, seq: int | None = None) -> int | None:
    try:
        return place(entry.chain, entry.seq if seq is None else seq)
    except ValueError:
        return None


def _newest() -> dict[tuple[str, int], str | None]:
    last = (
        select(func.max(JournalEntry.id).label("id"))
        .group_by(JournalEntry.table_name, JournalEntry.record_id)
        .subquery()
    )
    query = select(JournalEntry.table_name, JournalEntry.record_id, JournalEntry.digest).join(
        last, last.c.id == JournalEntry.id
    )
    return {(table, ident): value for table, ident, value in db.session.execute(query)}


def journalled() -> list[Any]:
    """The tables whose rows the journal keeps digests of."""
    models: set[Any] = {mapper.class_ for mapper in Model.registry.mappers}
    return sorted((m.__table__ for m in models if m.__journal__), key=lambda table: table.name)


def _rows() -> Iterator[str]:
    newest = _newest()
    for table in journalled():
        for ident, row in _mappings(table):
            known = newest.pop((table.name, ident), "")
            if known == "":
                yield f"{table.name} {ident}: has no journal entry."
            elif row is None or known != digest(table, row):
                yield f"{table.name} {ident}: differs from its newest journal entry."
    for (table_name, ident), value in newest.items():
        if value is not None:
            yield f"{table_name} {ident}: is missing; the journal knows it."


def _sealed() -> Iterator[str]:
    for model in SEALED:
        for ident, row in _mappings(model.__table__):
            if row is None or row["seal"] != seal_of(model.__table__, dict(row)):
                yield f"{model.__tablename__} {ident}: was changed by hand."


def _counters() -> Iterator[str]:
    """Each series counts what is in use: no gap, no number twice, no series without its counter."""
    counters = {(one.plant_id, one.series, one.period): one for one in db.session.scalars(select(Counter))}
    used: dict[tuple[int, str, str], list[int]] = {}
    for series, (table_name, column) in SERIES.items():
        table = db.metadata.tables[table_name]
        query = select(table.c.plant_id, table.c[column]).where(table.c[column].is_not(None))
        if "own_number" in table.c:
            query = query.where(~table.c.own_number)
        for plant_id, number in db.session.execute(query):
            # 2026-00412, 2026-27/0014, 2026-27/L-003, A-2026-27-003: the period and its mark, the number within it.
            found = re.fullmatch(r"(?:[A-Z]+-)?([\d-]+(/[A-Z])?)[-/](\d+)", number)
            if found and (found[2] or "") == MARKS[series]:
                used.setdefault((plant_id, series, found[1]), []).append(int(found[3]))
    for key in sorted(set(counters) | set(used)):
        last = counters[key].last if key in counters else 0
        numbers = sorted(used.get(key, []))
        if numbers != list(range(1, last + 1)):
            ident = counters[key].id if key in counters else "missing"
            yield (
                f"counter {ident}: the series {key[1]} of {key[2]} says {last}, but {len(numbers)} numbers are in use, "
                f"the highest {numbers[-1] if numbers else 0}."
            )


def _schema() -> Iterator[str]:
    """The database's version is the one this program was written for."""
    wanted = set(ScriptDirectory(str(ROOT / "office" / "migrations")).get_heads())
    found = set(db.session.scalars(text("SELECT version_num FROM alembic_version")))
    if found != wanted:
        yield f"alembic_version: says {', '.join(sorted(found)) or 'nothing'}, this program needs {', '.join(wanted)}."


def _files() -> Iterator[str]:
    query = select(File.id, File.sha256, File.content).order_by(File.id).execution_options(yield_per=20)
    for ident, sha256, content in db.session.execute(query):
        if hashlib.sha256(content).hexdigest() != sha256:
            yield f"file {ident}: its content is not what was stored."
