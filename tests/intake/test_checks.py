"""``verify`` looks at the capacity of every day again, from the rows, and names the row that is wrong."""

import pytest
from sqlalchemy import text

from intake.queries.checks import check_capacity
from office.db import db
from office.plants import set_closure
from tests import world
from tests.intake.plant import MORNING, TUESDAY, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def booked():
    who = hauler()
    book(who, session("2026-10-06T07:00", 600))
    book(who, session("2026-10-06T07:55", 600))
    return who


def change(statement: str) -> list[str]:
    db.session.execute(text(statement))
    db.session.commit()
    return check_capacity()


def test_what_was_booked_is_within_the_limit(booked):
    assert check_capacity() == []


def test_a_rate_raised_by_hand_is_named(booked):
    assert change("UPDATE planned_session SET gph = 667 WHERE id = 2") == [
        "planned_session 2: 667 gallons an hour at 2026-10-06 07:55, the limit is 666."
    ]


def test_two_sessions_moved_over_each_other_are_named(booked):
    assert change(
        "UPDATE planned_session SET starts = (SELECT starts FROM planned_session WHERE id = 1) WHERE id = 2"
    ) == ["planned_session 1, planned_session 2: 1310 gallons an hour at 2026-10-06 07:00, the limit is 666."]


def test_gallons_that_do_not_add_up_are_named(booked):
    assert change("UPDATE planned_session SET gallons = 599 WHERE id = 1") == [
        "booking 1: 600 gallons, but its sessions hold 599."
    ]


def test_gallons_that_do_not_run_out_in_their_time_are_named(booked):
    assert change("UPDATE planned_session SET gallons = 700 WHERE id = 1") == [
        "planned_session 1: 700 gallons do not run out in its time.",
        "booking 1: 600 gallons, but its sessions hold 700.",
    ]


def test_a_session_on_a_closed_day_is_named(booked):
    set_closure(world.plant(), TUESDAY, "Pump", "closed", by=world.staff("manager"), at=MORNING)
    db.session.commit()
    assert check_capacity() == [
        "planned_session 1: the plant is closed on 2026-10-06.",
        "planned_session 2: the plant is closed on 2026-10-06.",
    ]


def test_a_cancelled_booking_is_left_out(booked):
    ended = "UPDATE booking SET state = 'cancelled', ended_at = made_at WHERE id = 2"
    db.session.execute(text(ended))
    assert change("UPDATE planned_session SET gph = 667 WHERE id = 2") == []
