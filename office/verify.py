"""``verify``: walks the journal's chains and compares every row with its newest digest; rooms add their own checks.

It sees a changed, added or removed row, a changed entry and a break in a chain. It cannot see that the newest entries
and their rows were cut off together, unless it is given a chain's head exported earlier.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import func, select

from office.db import Model, db
from office.files import File
from office.journal import FIRST, JournalEntry, JournalHead, digest, entry_hash
from office.numbers import SERIES, Counter
from office.once import SEALED, seal_of

CHECKS: list[Callable[[], list[str]]] = []
CANNOT = (
    "What this cannot see: newest entries cut off together with their rows and the head. "
    "Keep the heads below somewhere else and give them to the next run."
)


def verify(heads: dict[str, tuple[int, str]] | None = None) -> list[str]:
    """Everything that does not hold, a sentence each naming table and row; empty when all is well."""
    findings = [*_chains(heads or {}), *_rows(), *_sealed(), *_counters(), *_files()]
    for check in CHECKS:
        findings += check()
    return findings


def heads() -> dict[str, tuple[int, str]]:
    """The end of every chain, to be kept elsewhere."""
    return {head.chain: (head.seq, head.hash) for head in db.session.scalars(select(JournalHead))}


def _chains(exported: dict[str, tuple[int, str]]) -> Iterator[str]:
    ends: dict[str, tuple[int, str]] = {}
    seen: dict[tuple[str, int], str] = {}
    query = select(JournalEntry).order_by(JournalEntry.chain, JournalEntry.seq).execution_options(yield_per=1000)
    for entry in db.session.scalars(query):
        seq, before = ends.get(entry.chain, (0, FIRST))
        if entry.seq != seq + 1:
            yield f"journal_entry {entry.id}: chain {entry.chain} jumps from {seq} to {entry.seq}; entries are missing."
        elif entry.before != before:
            yield f"journal_entry {entry.id}: does not follow entry {seq} of chain {entry.chain}."
        if entry.hash != entry_hash(entry):
            yield f"journal_entry {entry.id}: entry {entry.seq} of {entry.chain} was changed after it was written."
        ends[entry.chain] = (entry.seq, entry.hash)
        seen[(entry.chain, entry.seq)] = entry.hash
    for head in db.session.scalars(select(JournalHead)):
        if ends.get(head.chain, (0, FIRST)) != (head.seq, head.hash):
            yield f"journal_head {head.id}: {head.chain} should end at entry {head.seq}; its tail was cut or changed."
    for chain, (seq, hash_) in exported.items():
        if seen.get((chain, seq), FIRST if seq == 0 else None) != hash_:
            yield f"chain {chain}: the exported head, entry {seq}, is gone; the tail was cut or rewritten."


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
        for row in db.session.execute(select(table).order_by(table.c.id).execution_options(yield_per=1000)).mappings():
            key = (table.name, row["id"])
            if key not in newest:
                yield f"{table.name} {row['id']}: has no journal entry."
            elif newest.pop(key) != digest(row):
                yield f"{table.name} {row['id']}: differs from its newest journal entry."
    for (table, ident), value in newest.items():
        if value is not None:
            yield f"{table} {ident}: is missing; the journal knows it."


def _sealed() -> Iterator[str]:
    for model in SEALED:
        for row in db.session.execute(select(model.__table__)).mappings():
            if row["seal"] != seal_of(dict(row)):
                yield f"{model.__tablename__} {row['id']}: was changed by hand."


def _counters() -> Iterator[str]:
    for counter in db.session.scalars(select(Counter).order_by(Counter.id)):
        table_name, column = SERIES[counter.series]
        table = db.metadata.tables[table_name]
        query = select(table.c[column]).where(table.c.plant_id == counter.plant_id)
        if "own_number" in table.c:
            query = query.where(~table.c.own_number)
        # 2026-00412, 2026-27/0014, A-2026-27-003, B-1007-02: the period, then the number within it.
        shape = re.compile(rf"(?:[A-Z]+-)?{re.escape(counter.period)}[-/](\d+)")
        used = sorted(int(found[1]) for number in db.session.scalars(query) if (found := shape.fullmatch(number or "")))
        if used != list(range(1, counter.last + 1)):
            yield (
                f"counter {counter.id}: the series {counter.series} of {counter.period} says {counter.last}, "
                f"but {len(used)} numbers are in use, the highest {used[-1] if used else 0}."
            )


def _files() -> Iterator[str]:
    query = select(File.id, File.sha256, File.content).order_by(File.id).execution_options(yield_per=20)
    for ident, sha256, content in db.session.execute(query):
        if hashlib.sha256(content).hexdigest() != sha256:
            yield f"file {ident}: its content is not what was stored."
