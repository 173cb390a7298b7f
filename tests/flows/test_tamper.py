"""Whatever cell of whatever table is changed by hand in the sample season, ``verify`` names that row."""

from datetime import date, datetime, timedelta

import pytest
from sqlalchemy import BigInteger, Integer, LargeBinary, String, Text, select, text

from office import verify
from office.db import Exact, Json, Utc, db

pytestmark = pytest.mark.xdist_group("season")


def other(column, value):  # noqa: PLR0911 - one answer a kind
    """Another value of the same kind, as a hand with a database tool would put it there."""
    kind = column.type
    if column.name == "id":
        return value + 77_000_000
    if isinstance(kind, Utc):
        return (value or datetime(2027, 1, 1).astimezone()) + timedelta(hours=1)
    if isinstance(kind, Json):
        return {"changed": "by hand"}
    if isinstance(kind, LargeBinary):
        return b"changed by hand"
    if isinstance(kind, Exact):
        return (value or 0) + 1
    if isinstance(value, bool):
        return not value
    if isinstance(value, date):
        return value + timedelta(days=1)
    if isinstance(kind, (Integer, BigInteger)):
        return (value or 0) + 1
    if isinstance(kind, (String, Text)):
        return f"{value or ''}x"[-(getattr(kind, "length", None) or 9999) :]
    return not value


def loosen():
    """Let the engine take anything, as somebody does who changes its file by hand."""
    if db.engine.dialect.name == "sqlite":
        connection = db.session.connection()
        connection.exec_driver_sql("PRAGMA ignore_check_constraints=ON")
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
    else:
        db.session.execute(text("SET session_replication_role = replica"))


def change(table, column):
    """Change one cell of the newest row; the row's name, or None where the engine itself does not take it."""
    row = db.session.execute(select(table.c.id, column).order_by(table.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    try:
        with db.session.begin_nested():
            query = table.update().where(table.c.id == row[0]).values({column.name: other(column, row[-1])})
            db.session.execute(query)
    except Exception:
        return None
    return f"{table.name} {row[0] + 77_000_000 if column.name == 'id' else row[0]}"


def tables():
    return sorted(db.metadata.tables.values(), key=lambda table: table.name)


def test_each_changed_cell_is_named_with_its_row(season):
    """One cell in every table at a time, so that no table's finding hides another's."""
    loosen()
    tried, unseen = 0, []
    for place in range(max(len(table.columns) for table in tables())):
        with db.session.begin_nested() as savepoint:
            changed = {}
            for table in tables():
                columns = list(table.columns)
                if place < len(columns) and table.name not in ("person", "journal_entry", "journal_head"):
                    name = change(table, columns[place])
                    changed |= {name: columns[place].name} if name else {}
            findings = verify.verify()
            tried += len(changed)
            unseen += [f"{name}.{column}" for name, column in changed.items()
                       if not any(line.startswith(f"{name}:") for line in findings)]  # fmt: skip
            savepoint.rollback()
    assert unseen == []
    assert tried > 250


@pytest.mark.parametrize("table", ["journal_entry", "journal_head", "person"])
def test_each_changed_cell_of_the_journal_and_of_people_is_seen(season, table):
    loosen()
    for column in db.metadata.tables[table].columns:
        with db.session.begin_nested() as savepoint:
            name = change(db.metadata.tables[table], column)
            if name:
                assert any(line.startswith((f"{name}:", table)) for line in verify.verify()), column.name
            savepoint.rollback()


def test_unreadable_cell_is_named_and_hides_nothing_else(season):
    loosen()
    for table, column, bad in (("approval", "plan", "{broken"), ("letter", "data", "not json"),
                               ("plant_row", "value", "{"), ("law_text", "text", "x")):  # fmt: skip
        with db.session.begin_nested() as savepoint:
            ident = db.session.execute(text(f"SELECT max(id) FROM {table}")).scalar_one()
            db.session.execute(text(f"UPDATE {table} SET {column} = :bad WHERE id = :id"), {"bad": bad, "id": ident})
            db.session.execute(text("UPDATE booking SET number = 'B-X' WHERE id = (SELECT max(id) FROM booking)"))
            findings = verify.verify()
            assert f"{table} {ident}: differs from its newest journal entry." in findings
            assert any(line.startswith("booking ") for line in findings)
            savepoint.rollback()


def test_database_of_another_version_and_a_missing_head_are_named(season):
    with db.session.begin_nested() as savepoint:
        db.session.execute(text("UPDATE alembic_version SET version_num = '0000'"))
        assert any(line.startswith("alembic_version: says 0000") for line in verify.verify())
        savepoint.rollback()
    with db.session.begin_nested() as savepoint:
        db.session.execute(text("DELETE FROM journal_head WHERE chain = 'host'"))
        assert "journal_head: the head of chain host is missing." in verify.verify()
        savepoint.rollback()
    with db.session.begin_nested() as savepoint:
        db.session.execute(text("DELETE FROM counter WHERE series = 'ticket'"))
        assert any(line.startswith("counter missing: the series ticket") for line in verify.verify())
        savepoint.rollback()
