"""Statements handed straight to the driver answer just as the library's own way does."""

from datetime import UTC, date, datetime

import pytest
from sqlalchemy import bindparam, event, insert, select, update
from sqlalchemy.exc import IntegrityError

from intake.models import DayRow, PlannedSession
from office.asked import cells, hold_row, made, put
from office.db import db
from office.once import Answered
from office.plants import Plant
from tests import world

AT = datetime(2026, 10, 5, 12, 30, 15, 250, tzinfo=UTC)
ROW = Answered.__table__
ASKED = select(ROW).where(ROW.c.at >= bindparam("since"), ROW.c.once.in_(bindparam("keys", expanding=True)))
ADDED = insert(ROW)
CHANGED = update(ROW).where(ROW.c.id == bindparam("ident")).values(at=bindparam("to"))


def add(ident, once, at=AT):
    put(ADDED, id=ident, once=once, visitor="v", person_id=None, location="/", at=at, sent=None, made=True, seal="s")


def test_a_row_comes_back_as_it_was_put_whatever_its_types(app):
    add(1, "a")
    add(2, "b")
    found = cells(ASKED, since=AT, keys=("a", "b", "c"))
    assert found == [tuple(one) for one in db.session.execute(ASKED, {"since": AT, "keys": ("a", "b", "c")})]
    assert found[0] == (1, "a", None, "v", "/", AT, None, True, "s")
    assert [type(one) for one in found[0][5:8]] == [datetime, type(None), bool]


def test_a_list_may_be_of_any_length_and_empty(app):
    add(1, "a")
    assert [len(cells(ASKED, since=AT, keys=keys)) for keys in ((), ("a",), ("a", "b"), ("b",))] == [0, 1, 1, 0]


def test_a_change_reaches_just_its_row(app):
    add(1, "a")
    add(2, "b")
    later = AT.replace(hour=18)
    put(CHANGED, ident=2, to=later)
    assert cells(ASKED, since=later, keys=("a", "b")) == [(2, "b", None, "v", "/", later, None, True, "s")]


def test_a_refused_row_is_the_librarys_own_error(app):
    add(1, "a")
    with pytest.raises(IntegrityError):
        add(2, "a")
    db.session.rollback()


def test_who_listens_to_statements_hears_them(app):
    heard = []

    def note(_connection, _cursor, statement, values, _context, many):
        heard.append((" ".join(statement.split()).split(" WHERE")[0], many))

    db.session.execute(select(DayRow.id))
    event.listen(db.engine, "before_cursor_execute", note)
    try:
        cells(select(DayRow.__table__.c.id).where(DayRow.__table__.c.day.in_(bindparam("days", expanding=True))),
              days=(date(2026, 10, 5),))  # fmt: skip
        hold_row(Plant, world.plant().id)
    finally:
        event.remove(db.engine, "before_cursor_execute", note)
    assert heard[0] == ("SELECT day_row.id FROM day_row", False)
    assert heard[-1] == ("SELECT plant.id FROM plant", False)


def test_what_never_changes_in_a_statement_is_converted_too(app):
    add(1, "a")
    fixed = select(ROW.c.at).where(ROW.c.at == AT, ROW.c.made.is_(True))
    assert cells(fixed) == [(AT,)]
    assert cells(select(PlannedSession.__table__.c.gph).where(PlannedSession.__table__.c.day == date(2026, 1, 1))) == []


def test_what_is_made_of_a_row_is_made_once_for_what_it_holds(app):
    asked = []

    def once_and_at(row):
        asked.append(row[1])
        return row[1], row[5]

    add(1, "a")
    add(2, "b")
    for _ in range(2):
        assert made(once_and_at, ASKED, since=AT, keys=("a", "b")) == [("a", AT), ("b", AT)]
    later = AT.replace(hour=18)
    put(CHANGED, ident=2, to=later)
    assert made(once_and_at, ASKED, since=AT, keys=("a", "b")) == [("a", AT), ("b", later)]
    assert asked == ["a", "b", "b"]
