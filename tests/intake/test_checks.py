"""``verify`` looks at the capacity of every day again, from the rows, and names the row that is wrong."""

from datetime import date, time

import pytest
from sqlalchemy import select, text

from intake.actions.flow import put_flow_in_force
from intake.actions.running import pause_load
from intake.actions.station import refuse_load
from intake.actions.voiding import void_load
from intake.models import Booking, Load, Run
from intake.queries.checks import check_capacity
from office.db import db
from office.plants import set_closure
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import MORNING, TUESDAY, book, hauler, session
from tests.intake.tanks import into, only_tank

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


def test_an_order_put_right_under_its_number_leaves_the_one_before_it_for_what_ran_then():
    who = hauler()
    flow(60_000, date(2026, 10, 5), "2026-10-05T08:00")
    flow(160_000, TUESDAY, "2026-10-05T09:00")
    good(log(who, 600, "2026-10-06T07:00"))
    flow(125_000, TUESDAY, "2026-10-06T08:30")
    assert check_capacity() == []
    ran = db.session.scalars(select(Run)).one().id
    assert change("UPDATE run SET gph = 671") == [
        f"run {ran}: 671 gallons an hour at 2026-10-06 07:00, the limit is 670."
    ]


def test_a_flow_put_in_force_before_the_day_holds_for_all_of_it():
    flow(60_000, TUESDAY, "2026-10-05T23:59")
    load = good(log(hauler(), 100, "2026-10-06T07:00"))
    run = db.session.scalars(select(Run).filter_by(load_id=load.id)).one()
    run.gph = 665
    db.session.flush()
    assert check_capacity() == [f"run {run.id}: 665 gallons an hour at 2026-10-06 07:00, the limit is 250."]
    db.session.rollback()


def put(day, kind="closed", shut=None, at=MORNING):
    """The calendar changed by hand: nobody is asked and no booking loses its time."""
    kept(good(set_closure(world.plant(), day, "Works", kind, shut, by=world.staff("manager"), at=at)))


@pytest.mark.parametrize(("part", "named"), [
    ((time(8), time(8, 40)), True), ((time(7, 4), time(7, 5)), True), ((time(7, 5), time(8)), False),
    ((time(6), time(7, 5)), True), ((time(6), time(7)), False),
])  # fmt: skip
def test_a_plan_into_a_tank_that_meets_a_closed_part_of_its_day_is_named(part, named):
    only_tank()
    who = hauler()
    good(book(who, into("07:00", 1_000)))
    good(book(who, into("08:39", 200)))
    put(TUESDAY, shut=part)
    found = [one for one in check_capacity() if "closed" in one or "outside" in one]
    if part == (time(8), time(8, 40)):
        assert found == ["planned_session 2: the plant is closed on 2026-10-06 from 08:00 to 08:40 (Works)."]
    assert [one.split(":")[0] for one in found] == (["planned_session 2" if part[0] == time(8) else "planned_session 1"]
                                                    if named else [])  # fmt: skip


def test_a_plan_that_was_over_when_its_day_was_closed_is_no_fault(booked):
    put(TUESDAY, at=world.at("2026-10-06T07:55"))
    assert check_capacity() == ["planned_session 2: the plant is closed on 2026-10-06."]


def test_the_plan_of_a_void_ticket_that_was_over_is_not_held_against_who_has_its_time_since(booked):
    first = db.session.scalars(select(Booking).order_by(Booking.id)).first()
    load = good(log(booked, 100, "2026-10-06T07:00", booking=first))
    other = hauler("Second Pumping", number=2)
    good(book(other, session("2026-10-06T07:30", 200), at=world.at("2026-10-06T07:20")))
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=world.at("2026-10-06T12:00"),
                        law=world.law())))  # fmt: skip
    assert check_capacity() == []


def test_the_plan_of_a_truck_turned_away_by_mistake_that_was_over_is_not_held_against_who_has_its_time_since(booked):
    first = db.session.scalars(select(Booking).order_by(Booking.id)).first()
    staff, law = world.staff("operator"), world.law()
    away = good(kept(refuse_load(
        world.plant(), "away-1", reason_code="field_test", reason="Smells of solvent", business_id=booked.business_id,
        truck_id=booked.truck_id, booking=first, waste="septic_tank", by=staff, at=world.at("2026-10-06T07:00"),
        law=law,
    )))  # fmt: skip
    other = hauler("Second Pumping", number=2)
    good(book(other, session("2026-10-06T07:30", 200), at=world.at("2026-10-06T07:20")))
    good(kept(void_load(away, "Wrong truck", by=staff, at=world.at("2026-10-06T12:00"), law=law)))
    assert check_capacity() == []


def test_what_waits_in_a_truck_keeps_its_room_under_the_limit_its_load_began_under(booked):
    first = db.session.scalars(select(Booking).order_by(Booking.id)).first()
    load = good(log(booked, 600, "2026-10-06T07:00", booking=first))
    at = world.at("2026-10-06T07:10")
    good(kept(pause_load(load, 100, by=world.staff("operator"), at=at, law=world.law())))
    lower = put_flow_in_force(world.plant(), 125_000, TUESDAY, "Order 7", by=world.staff("director"), at=at,
                              law=world.law())  # fmt: skip
    good(kept(lower))
    assert check_capacity() == []


def test_a_truck_paused_with_nothing_out_after_the_limit_fell_keeps_its_room_from_when_it_was_logged(booked):
    first = db.session.scalars(select(Booking).order_by(Booking.id)).first()
    load = good(log(booked, 600, "2026-10-06T07:00", booking=first))
    flow(60_000, TUESDAY, "2026-10-06T07:05")
    good(kept(pause_load(load, 0, by=world.staff("operator"), at=world.at("2026-10-06T07:10"), law=world.law())))
    assert check_capacity() == []
    db.session.scalars(select(Load)).one().logged_at = world.at("2026-10-06T07:06")
    waiting = db.session.scalars(select(Run)).one().id
    assert check_capacity() == [f"run {waiting}: 655 gallons an hour at 2026-10-06 07:10, the limit is 250."]
