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
