"""What the application itself answers when it cannot answer."""

import sqlite3

from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import InternalServerError

from app import broken


def test_locked_database_is_told_as_busy_with_nothing_saved_and_no_code(app):
    locked = OperationalError("BEGIN IMMEDIATE", {}, sqlite3.OperationalError("database is locked"))
    with app.test_request_context("/bayfield/hauler/book/check", method="POST"):
        page, status, headers = broken(InternalServerError(original_exception=locked))
    assert (status, headers) == (503, {"Retry-After": "10"})
    assert "Nothing of what you sent was saved." in page


def test_any_other_fault_gets_a_code_to_say_on_the_telephone(app):
    with app.test_request_context("/bayfield/"):
        page, status = broken(InternalServerError(original_exception=ValueError("x")))
    assert status == 500
    assert "Say this code when you call" in page
