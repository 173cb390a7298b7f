"""Runs migrations on the app's own engine, in one transaction, with SQLite's foreign keys checked at the end."""

from alembic import context
from flask import current_app

from office.db import db


def compare_nothing_else(_object, _name, kind, reflected, compare_to):
    """Autogenerate looks at our tables only."""
    return not (kind == "table" and reflected and compare_to is None)


def run() -> None:
    with db.engine.connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        raw = connection.connection.dbapi_connection
        if sqlite:
            # A batch change copies tables; the pragma works only outside a transaction.
            raw.execute("PRAGMA foreign_keys=OFF")
        args = {"compare_type": True, "render_as_batch": True} | current_app.extensions["migrate"].configure_args
        context.configure(
            connection=connection, target_metadata=db.metadata, include_object=compare_nothing_else, **args
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
        if sqlite:
            broken = raw.execute("PRAGMA foreign_key_check").fetchall()
            raw.execute("PRAGMA foreign_keys=ON")
            if broken:
                raise RuntimeError(f"the migration left rows without their parents: {broken[:5]}")


run()
