"""Migrations: numbered, one head, and they make exactly the tables the models say, on both engines."""

import re

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask_migrate import downgrade, upgrade

from office.db import db
from office.serve import ROOT
from tests.conftest import make_app

FOLDER = ROOT / "office" / "migrations"


def test_files_are_numbered_without_a_gap_and_follow_each_other():
    files = sorted(path.name for path in (FOLDER / "versions").glob("*.py"))
    assert [re.match(r"(\d{4})_[a-z0-9_]+\.py$", name)[1] for name in files] == [
        f"{number:04d}" for number in range(1, len(files) + 1)
    ]
    scripts = ScriptDirectory(str(FOLDER))
    assert scripts.get_heads() == [f"{len(files):04d}"]


def test_upgraded_database_is_what_the_models_say_and_goes_down_again(databases):
    url = databases.create()
    app = make_app(url)
    with app.app_context():
        upgrade(directory=str(FOLDER))
        with db.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, db.metadata) == []
        downgrade(directory=str(FOLDER), revision="base")
        with db.engine.connect() as connection:
            left = set(db.inspect(connection).get_table_names()) - {"alembic_version"}
        assert left == set()
        db.engine.dispose()
    databases.drop(url)


def test_upgraded_tables_keep_every_check_and_index_of_the_models(databases):
    migrated, made = databases.create(), databases.create()
    found = []
    for url, make in ((migrated, lambda: upgrade(directory=str(FOLDER))), (made, db.create_all)):
        app = make_app(url)
        with app.app_context():
            make()
            with db.engine.connect() as connection:
                look = db.inspect(connection)
                found.append({
                    name: (
                        sorted((check["name"], " ".join(check["sqltext"].split()))
                               for check in look.get_check_constraints(name)),
                        sorted(index["name"] for index in look.get_indexes(name)),
                        sorted(one["name"] for one in look.get_unique_constraints(name)),
                        sorted(one["name"] for one in look.get_foreign_keys(name)),
                    )
                    for name in db.metadata.tables
                })  # fmt: skip
            db.engine.dispose()
        databases.drop(url)
    assert found[0] == found[1]
