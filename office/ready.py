"""Whether the database can be worked with, told in a sentence with the next command instead of a traceback."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ParamSpec, TypeVar

import click
from alembic.script import ScriptDirectory
from flask import current_app
from sqlalchemy import inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from office.db import db

P = ParamSpec("P")
R = TypeVar("R")
MIGRATIONS = Path(__file__).parent / "migrations"
MAKE_IT = "Make it with: flask --app app serve (your own plant) or make demo (the sample season)."
BUSY = "Another program is writing to it. Try again in a minute."


def needs_tables(command: Callable[P, R]) -> Callable[P, R]:
    """A command that works only on a database with our tables; elsewhere it ends with exit 1 and what to do."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        _versions()
        return command(*args, **kwargs)

    return run


def needs_database(command: Callable[P, R]) -> Callable[P, R]:
    """The same for a command that needs the tables as this program knows them, not those of an earlier one."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        wanted = set(ScriptDirectory(str(MIGRATIONS)).get_heads())
        if _versions() != wanted:
            step = "Bring it up to date first: flask --app app db upgrade"
            raise click.ClickException(f"The database at {place()} belongs to another version of this program.\n{step}")
        return command(*args, **kwargs)

    return run


def _versions() -> set[str]:
    """The versions the database says it has. Raises click.ClickException when there is none to ask."""
    if not _file_is_there():
        raise click.ClickException(f"There is no database at {place()} yet. {MAKE_IT}")
    with reachable():
        known = inspect(db.session.connection()).has_table("alembic_version")
        found = set(db.session.scalars(text("SELECT version_num FROM alembic_version"))) if known else set()
    db.session.rollback()
    if not found:
        raise click.ClickException(f"The database at {place()} holds no Septage Desk yet. {MAKE_IT}")
    return found


@contextmanager
def reachable() -> Iterator[None]:
    """Around the first use of the database: one that cannot be opened or reached is named, and the setting for it."""
    try:
        yield
    except SQLAlchemyError as error:
        why = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        step = BUSY if "is locked" in why else "Start it, or name another one in DATABASE_URL."
        raise click.ClickException(f"The database at {place()} does not answer: {why}\n{step}") from None


def place() -> str:
    """Where the database is, without its password."""
    url = make_url(current_app.config["DATABASE_URL"])
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def _file_is_there() -> bool:
    """Connecting to an SQLite file that is not there would make an empty one."""
    url = make_url(current_app.config["DATABASE_URL"])
    return url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:") or Path(url.database).exists()
