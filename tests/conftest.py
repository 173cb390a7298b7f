"""What every test shares: an application on a fresh database of the chosen engine, and a held clock.

``--engine sqlite`` (default) or ``--engine postgresql``: every test that opens a database runs on each.
"""

import contextvars
import os
import shutil
import sqlite3
import uuid
import weakref
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask, has_app_context
from flask.testing import FlaskClient

from app import create_app
from intake import sample
from office import clock
from office.db import db
from office.serve import migrate
from tests import world
from tests.machine import fast_folder, postgresql

QUICK = {"time_cost": 1, "memory_cost": 8, "parallelism": 1}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", default=os.environ.get("SEPTAGE_TEST_ENGINE", "sqlite"),
                     choices=("sqlite", "postgresql"))  # fmt: skip


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What opens no database, or only looks at pages, is the same on every engine: PostgreSQL's run leaves it out."""
    if config.getoption("--engine") != "postgresql":
        return
    stored = [one for one in items if {"databases", "engine"} & set(getattr(one, "fixturenames", ()))]
    asks = [one for one in stored if one.get_closest_marker("looks") is None]
    config.hook.pytest_deselected(items=[one for one in items if one not in asks])
    items[:] = asks


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.config.getoption("--engine"))


class Client(FlaskClient):
    """A browser: each request in a context of its own, after what the test itself wrote is committed."""

    def open(self, *args: Any, **kwargs: Any) -> Any:
        if has_app_context():
            db.session.commit()
        return contextvars.Context().run(super().open, *args, **kwargs)


def make_app(url: str, **config: Any) -> Flask:
    app = create_app({
        "DATABASE_URL": url, "TESTING": True, "SECRET_KEY": "a-key-for-tests-only-0123456789abcdef",
        "SEPTAGE_CLOCK": "", "MAIL_SERVER": "", "WTF_CSRF_ENABLED": False, "PROPAGATE_EXCEPTIONS": True,
        "SECURITY_PASSWORD_HASH_PASSLIB_OPTIONS": {f"argon2__{k}": v for k, v in QUICK.items()},
    } | config)  # fmt: skip
    app.test_client_class = Client
    return app


class Database:
    """A template with every table, copied for each test."""

    def __init__(self, engine: str, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.server = postgresql() if engine == "postgresql" else None
        self.shared: Flask | None = None
        self.url = ""
        self.opened: list[weakref.ref[Any]] = []

    def connect(self) -> Any:
        """A plain connection to the database of the test now running."""
        if self.server:
            made = psycopg.connect(self.url.replace("+psycopg", ""))
            self.opened.append(weakref.ref(made))
            return made
        return sqlite3.connect(self.url.removeprefix("sqlite:///"), check_same_thread=False)

    def close_left(self) -> int:
        """Close what a test left open, so that no later test hears of it; how many there were."""
        left = [one for one in (ref() for ref in self.opened) if one is not None and not one.closed]
        for one in left:
            one.close()
        self.opened.clear()
        return len(left)

    def create(self, like: str | None = None) -> str:
        name = f"t{uuid.uuid4().hex[:12]}"
        if self.server:
            self.server.create(name, like=like.rpartition("/")[2] if like else None)
            return self.server.url(name)
        path = self.folder / f"{name}.db"
        if like:
            shutil.copy(like.removeprefix("sqlite:///"), path)
        return f"sqlite:///{path}"

    def drop(self, url: str) -> None:
        if self.server:
            self.server.drop(url.rpartition("/")[2])
        else:
            for suffix in ("", "-wal", "-shm"):
                Path(url.removeprefix("sqlite:///") + suffix).unlink(missing_ok=True)


@pytest.fixture(scope="session")
def databases(engine: str) -> Iterator[Database]:
    base = Database(engine, fast_folder("septage-db-"))
    yield base
    if base.server:
        base.server.stop()
    shutil.rmtree(base.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def empty(databases: Database) -> str:
    """The address of a database with all tables and nothing in them."""
    url = databases.create()
    app = make_app(url)
    with app.app_context():
        migrate()
        db.session.remove()
        _settle(app)
    return url


@pytest.fixture(scope="session")
def bayfield_base(databases: Database, empty: str) -> str:
    """The same with the plant of Bayfield set up under its ordinance."""
    url = databases.create(like=empty)
    app = make_app(url)
    with app.app_context(), clock.held(world.START):
        world.bayfield()
        db.session.commit()
        _settle(app)
    return url


def _settle(app: Flask) -> None:
    db.session.remove()
    if db.engine.dialect.name == "sqlite":
        connection = db.engine.raw_connection()
        connection.execute("PRAGMA query_only=OFF")  # type: ignore[attr-defined]
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
        connection.close()
    db.engine.dispose()


@pytest.fixture(scope="session")
def season_base(databases: Database, empty: str) -> str:
    """The sample season, made by its acts: half a minute, so its tests share one worker (xdist_group)."""
    url = databases.create(like=empty)
    app = make_app(url)
    with app.app_context():
        sample.load(lambda _loads, _day: None)
        _settle(app)
    return url


@pytest.fixture
def season(databases: Database, season_base: str) -> Iterator[Flask]:
    """The application on the sample season, the clock held at its morning of February 9, 2027, 7:52."""
    clock.hold(world.at(sample.NOW))
    try:
        yield from _app(databases, season_base)
    finally:
        clock.reset()


@pytest.fixture
def app(databases: Database, bayfield_base: str) -> Iterator[Flask]:
    """The application with the Bayfield plant, on a database of its own, inside an application context."""
    yield from _app(databases, bayfield_base)


@pytest.fixture
def bare_app(databases: Database, empty: str) -> Iterator[Flask]:
    """The application with tables and nothing else."""
    yield from _app(databases, empty)


def _app(databases: Database, like: str) -> Iterator[Flask]:
    url = databases.create(like=like)
    app = shared_app(databases, url)
    kept = dict(app.config)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()
    app.config.clear()
    app.config.update(kept)
    left = databases.close_left()
    databases.drop(url)
    assert left == 0, f"the test left {left} connections open"


def shared_app(databases: Database, url: str) -> Flask:
    """One application a worker, led to another database for each test: making its hundred addresses anew is slow."""
    if databases.shared is None:
        databases.url = url
        databases.shared = make_app(url, SQLALCHEMY_ENGINE_OPTIONS={"creator": databases.connect})
    databases.url = databases.shared.config["DATABASE_URL"] = url
    return databases.shared


@pytest.fixture
def clock_at() -> Iterator[Any]:
    """``clock_at("2026-10-06T07:40")`` holds the clock at that plant-local instant until the test ends."""

    def hold(text: str) -> datetime:
        clock.hold(world.at(text))
        return world.at(text)

    yield hold
    clock.reset()
