"""``verify`` looks at the capacity of every day again, from the rows, and names the row that is wrong."""

import pytest
from sqlalchemy import select, text

from intake.actions.flow import put_flow_in_force
from intake.models import Run
from intake.queries.checks import check_capacity
from office.db import db
from office.plants import set_closure
from tests import world
from tests.intake.gatehouse import good, kept, log
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


def flow(gpd, since, at):
    good(kept(put_flow_in_force(world.plant(), gpd, since, "Order 7", by=world.staff("director"), at=world.at(at),
                                law=world.law())))  # fmt: skip


def test_what_ran_before_a_lower_flow_was_put_in_force_for_its_day_was_right():
    who = hauler()
    good(log(who, 600, "2026-10-06T07:00"))
    flow(60_000, TUESDAY, "2026-10-06T07:30")
    assert check_capacity() == []
    # What begins after it is held to the lower limit, beside what still runs.
    later = good(log(hauler("Second Pumping", number=2), 100, "2026-10-06T08:00"))
    run = db.session.scalars(select(Run).filter_by(load_id=later.id)).one()
    assert (run.gph, check_capacity()) == (250, [])
    run.gph = 251
    db.session.flush()
    assert check_capacity() == [f"run {run.id}: 251 gallons an hour at 2026-10-06 08:00, the limit is 250."]
    db.session.rollback()


def test_a_flow_put_in_force_before_the_day_holds_for_all_of_it():
    flow(60_000, TUESDAY, "2026-10-05T23:59")
    load = good(log(hauler(), 100, "2026-10-06T07:00"))
    run = db.session.scalars(select(Run).filter_by(load_id=load.id)).one()
    run.gph = 665
    db.session.flush()
    assert check_capacity() == [f"run {run.id}: 665 gallons an hour at 2026-10-06 07:00, the limit is 250."]
    db.session.rollback()
