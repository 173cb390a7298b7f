"""Who reads is held to reading by the database; connections that read and those that write are kept apart."""

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from office.db import db, only_read
from tests import world

ADD = text("UPDATE plant SET phone = '715-555-0199'")


@pytest.fixture
def told(app):
    """What connections are told while a test runs: "ON" for reading only."""
    seen = []

    def note(_connection, _cursor, statement, *_rest):
        if statement.startswith("PRAGMA query_only="):
            seen.append(statement.removeprefix("PRAGMA query_only="))

    db.session.remove()
    db.engine.dispose()
    event.listen(db.engine, "before_cursor_execute", note)
    yield seen
    event.remove(db.engine, "before_cursor_execute", note)


def writes(app, method):
    """Whether a request of a method could write."""
    with app.test_request_context("/", method=method):
        try:
            db.session.execute(ADD)
            return True
        except DBAPIError:
            return False
        finally:
            db.session.remove()


def test_reading_requests_are_held_to_reading_whoever_used_the_connection_before(app):
    db.session.remove()
    methods = ["GET", "POST", "GET", "HEAD", "POST", "OPTIONS", "POST", "POST", "GET"]
    assert [writes(app, one) for one in methods] == [one == "POST" for one in methods]


def test_a_request_that_gives_up_writing_is_held_to_reading(app):
    db.session.remove()
    with app.test_request_context("/", method="POST"):
        db.session.execute(ADD)
        only_read()
        with pytest.raises(DBAPIError):
            db.session.execute(ADD)
        db.session.remove()


def test_each_connection_is_told_once(app, engine, told):
    assert [writes(app, one) for one in ("GET", "POST", "GET", "POST", "GET")] == [False, True, False, True, False]
    assert told == (["ON", "OFF"] if engine == "sqlite" else [])


def test_where_no_more_may_be_opened_one_is_told_otherwise(app, engine, told, monkeypatch):
    if engine == "sqlite":
        monkeypatch.setattr(db.engine.pool, "_overflow", 0)
        monkeypatch.setattr(db.engine.pool, "_max_overflow", 1)
    assert [writes(app, one) for one in ("GET", "POST", "GET")] == [False, True, False]
    assert told == (["ON", "OFF", "ON"] if engine == "sqlite" else [])


def test_pages_read_and_forms_write_by_turns(app):
    client = app.test_client()
    world.sign_in(client, "director")
    for _ in range(3):
        assert client.get("/bayfield/").status_code == 200
        assert client.post("/sign-out").status_code == 302
        world.sign_in(client, "director")
