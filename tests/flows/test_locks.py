"""Locks are taken in one order everywhere: plant, approval, day rows, account, number counters, journal head last.

Read from the SQL itself. SQLite has one lock for everything, taken at the start by whoever may write.
"""

import re
from datetime import date

import pytest
from sqlalchemy import event

from intake import actions
from intake.queries.capacity import day_picture
from intake.sample.cast import PASSWORD
from office.db import db
from ordinances import offers
from tests import world

pytestmark = pytest.mark.xdist_group("season")
ORDER = ("plant", "approval", "day_row", "account", "counter", "journal_head")


class Log:
    """The statements of one request, in order."""

    def __init__(self):
        self.statements = []

    def __enter__(self):
        event.listen(db.engine, "before_cursor_execute", self._note)
        return self

    def __exit__(self, *_):
        event.remove(db.engine, "before_cursor_execute", self._note)

    def _note(self, _connection, _cursor, statement, *_rest):
        self.statements.append(" ".join(statement.split()))

    def locked(self):
        """The tables in the order of their first lock; asking again for a lock already held waits for nobody."""
        found = []
        for text in self.statements:
            table = re.search(r"FROM (\w+).* FOR (?:UPDATE|SHARE)", text)
            if table and table[1] in ORDER and table[1] not in found:
                found.append(table[1])
        return found


def in_order(tables):
    places = [ORDER.index(table) for table in tables]
    return places == sorted(places)


def check(log, expected):
    if db.engine.dialect.name == "sqlite":
        begun = [text for text in log.statements if text.startswith("BEGIN")]
        assert begun
        assert set(begun) == {"BEGIN IMMEDIATE"}
    else:
        assert log.locked() == expected
        assert in_order(expected)


def who(name):
    from office.access import actor
    from office.signin import person_with_email

    person = person_with_email(f"{name}@sample.example")
    return actor(person.id, person.name, world.plant().id, world.at("2027-02-09T07:52"))


def test_booking_locks_plant_approval_days_numbers_journal(season):
    from haulers import queries as haulers

    plant, law, at = world.plant(), world.law(date(2027, 2, 9)), world.at("2027-02-09T07:52")
    by = who("hauler")
    business = haulers.business_of_party(by.party_id)
    truck = haulers.trucks_of(business.id)[0]
    picture = day_picture(plant, law, date(2027, 2, 17), at)
    session = offers.offers(picture.steps, 300)[0][0]
    db.session.rollback()
    with Log() as log:
        booked = actions.book_discharge(world.plant(), business.id, truck.id, "septic_tank", 300, [session], by=by,
                                        at=at, law=law)  # fmt: skip
        db.session.commit()
    assert booked.number.startswith("B-0217-")
    check(log, ["plant", "approval", "day_row", "counter", "journal_head"])


def test_moving_a_booking_locks_plant_approval_days_journal(season):
    from haulers import queries as haulers
    from intake.actions.moving import move_booking

    law, at, by = world.law(date(2027, 2, 9)), world.at("2027-02-09T07:52"), who("hauler")
    business = haulers.business_of_party(by.party_id)
    truck = haulers.trucks_of(business.id)[0]
    first, later = (offers.offers(day_picture(world.plant(), law, date(2027, 2, day), at).steps, 300)[0][0]
                    for day in (18, 17))  # fmt: skip
    booking = actions.book_discharge(world.plant(), business.id, truck.id, "septic_tank", 300, [first], by=by, at=at,
                                     law=law)  # fmt: skip
    db.session.commit()
    ident = booking.id
    db.session.rollback()
    with Log() as log:
        moved = move_booking(world.plant(), ident, [later], by=by, at=at, law=law)
        db.session.commit()
    assert moved.moves == 1
    check(log, ["plant", "approval", "day_row", "journal_head"])


def test_restriction_locks_the_plant_and_the_journal_last(season):
    law, at = world.law(date(2027, 2, 9)), world.at("2027-02-09T07:52")
    by = who("director")
    db.session.rollback()
    with Log() as log:
        made = actions.restrict_plant(world.plant(), "permit_threat", by=by, at=at, law=law)
        db.session.commit()
    assert made.scope == "everything"
    check(log, ["plant", "journal_head"])


def test_logging_a_load_locks_in_order(season):
    from intake.queries.bookings import booking_numbered

    plant, law, at = world.plant(), world.law(date(2027, 2, 9)), world.at("2027-02-09T07:52")
    booking = booking_numbered(plant.id, "B-0209-02")
    values = {"business_id": booking.business_id, "truck_id": booking.truck_id, "waste": booking.waste}
    by = who("operator")
    db.session.rollback()
    with Log() as log:
        load = actions.log_load(world.plant(), "a" * 32, gallons=500, booking=booking, driver="Test", bottle="0209-77",
                                by=by, at=at, law=law, **values)  # fmt: skip
        db.session.commit()
    assert load.ticket == "2027-00049"
    check(log, ["plant", "approval", "day_row", "account", "counter", "journal_head"])


def test_arranging_a_special_time_locks_in_order(season):
    law, at = world.law(date(2027, 2, 9)), world.at("2027-02-09T07:52")
    by = who("director")
    db.session.rollback()
    with Log() as log:
        row = actions.arrange_special(world.plant(), "S-0211-01", by=by, at=at, law=law)
        db.session.commit()
    assert row.state == "arranged"
    check(log, ["plant", "approval", "day_row", "counter", "journal_head"])


def test_get_pages_take_no_lock_and_cannot_write(season):
    client = season.test_client()
    world.sign_in(client, "clerk@sample.example", PASSWORD)
    with Log() as log:
        assert client.get("/bayfield/clerk").status_code == 200
    assert log.locked() == []
    begun = {text for text in log.statements if text.startswith(("BEGIN", "PRAGMA query_only", "SET TRANSACTION"))}
    expected = (
        {"PRAGMA query_only=ON", "BEGIN"} if db.engine.dialect.name == "sqlite" else {"SET TRANSACTION READ ONLY"}
    )
    assert begun == expected
