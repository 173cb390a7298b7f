"""``verify`` names the row that was changed by hand, in any table."""

import pytest
from sqlalchemy import delete, inspect, select, text, update

from office import verify
from office.db import db
from office.journal import JournalEntry, JournalHead
from office.plants import PlantRow
from office.seals import SEALED
from tests import world

TABLES = ("plant", "plant_row", "closure_day", "person", "access_grant", "adoption", "law_text")


def test_untouched_database_has_no_findings(app):
    assert verify.verify() == []


@pytest.mark.parametrize("table", TABLES)
def test_one_changed_cell_of_every_column_names_the_row(app, table):
    columns = [c for c in db.metadata.tables[table].columns if c.name != "id" and not c.foreign_keys and not c.unique]
    for column in columns:
        ident = db.session.execute(select(column.table.c.id).limit(1)).scalar_one()
        value = db.session.execute(select(column).where(column.table.c.id == ident)).scalar_one()
        other = _other(column, value)
        try:
            db.session.execute(update(column.table).where(column.table.c.id == ident).values({column.name: other}))
        except Exception:
            db.session.rollback()  # the engine itself refused the value: a CHECK stands in the way
            continue
        assert verify.verify() == [f"{table} {ident}: differs from its newest journal entry."], column.name
        db.session.rollback()


def _other(column, value):
    from datetime import date, datetime, timedelta

    if isinstance(value, bool):
        return not value
    if isinstance(value, (date, datetime)):
        return value + timedelta(days=1)
    if value is None:
        return world.START if "at" in column.name or "until" in column.name else "changed"
    return value + 1 if isinstance(value, int) else f"{value}x"


def test_row_without_entry_and_row_gone_are_named(app):
    row = db.session.scalars(select(PlantRow)).first()
    db.session.execute(delete(PlantRow.__table__).where(PlantRow.__table__.c.id == row.id))
    assert verify.verify() == [f"plant_row {row.id}: is missing; the journal knows it."]
    db.session.rollback()
    db.session.execute(text("INSERT INTO security_role (name) VALUES ('x')"))
    plant = world.plant()
    db.session.execute(text(
        "INSERT INTO closure_day (plant_id, day, name, kind) VALUES (:p, '2027-05-31', 'Memorial Day', 'holiday')"
    ), {"p": plant.id})  # fmt: skip
    assert len(verify.verify()) == 1
    assert verify.verify()[0].endswith(": has no journal entry.")
    db.session.rollback()


def test_changed_entry_is_named(app):
    first = db.session.scalars(select(JournalEntry.id).order_by(JournalEntry.id)).first()
    entries = JournalEntry.__table__
    db.session.execute(update(entries).where(entries.c.id == first).values(person="Nobody"))
    assert any(line.startswith(f"journal_entry {first}: entry") for line in verify.verify())


def test_cut_tail_shows_against_the_head_and_wholly_cut_only_against_an_export(app):
    chain = f"plant:{world.plant().id}"
    exported = verify.heads()
    last = db.session.scalars(select(JournalEntry).filter_by(chain=chain).order_by(JournalEntry.seq.desc())).first()
    table, ident, before, seq = last.table_name, last.record_id, last.before, last.seq
    db.session.execute(delete(JournalEntry.__table__).where(JournalEntry.__table__.c.id == last.id))
    assert any("its tail was cut or changed" in line for line in verify.verify())
    heads = JournalHead.__table__
    db.session.execute(update(heads).where(heads.c.chain == chain).values(seq=seq - 1, hash=before, facts=before))
    db.session.execute(text(f"DELETE FROM {table} WHERE id = :i"), {"i": ident})
    assert verify.verify() == []
    assert verify.verify(exported) == [
        f"chain {chain}: the exported head, entry {seq}, is gone; the tail was cut or rewritten."
    ]


def test_every_table_is_journalled_sealed_or_checked_otherwise(app):
    other = {"journal_entry", "journal_head", "security_role"}
    covered = {table.name for table in verify.journalled()} | {model.__tablename__ for model in SEALED} | other
    assert set(inspect(db.engine).get_table_names()) - {"alembic_version"} <= covered
