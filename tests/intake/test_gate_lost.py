"""A booking that lost its time, or that never came, beside the one its truck has come for (§ 329-7 B(3), F(3))."""

import pytest
from sqlalchemy import select

from intake.actions.closures import close_day
from intake.actions.restriction import lift_restriction, restrict_plant
from intake.models import Load
from intake.queries import station as board
from intake.queries.gate import may_discharge
from office.db import db
from tests import world
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.offline import body, device, enrolled, send
from tests.intake.plant import TUESDAY, book, hauler, planned, session

pytestmark = pytest.mark.usefixtures("app")
BOOK_ELSE = "Log the truck as not booked: it may unload if it fits."


def ask(who, at, booking=None):
    return may_discharge(world.plant(), world.law(), world.at(at), business_id=who.business_id, truck_id=who.truck_id,
                         waste="septic_tank", booking=booking)  # fmt: skip


def missed(who):
    """A booking of 7:00 that a restriction from 6:50 to 8:00 let pass by."""
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    by = world.staff("director")
    row = good(kept(restrict_plant(world.plant(), "operational_problem", by=by, at=world.at("2026-10-06T06:50"),
                                   law=world.law())))  # fmt: skip
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=by, at=world.at("2026-10-06T08:00"),
                               law=world.law())))  # fmt: skip
    return mine, "lost its time to a restriction"


def listed(who):
    """A booking of 7:00 whose day was closed, and opened again."""
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    manager, at = world.staff("manager"), world.at("2026-10-06T06:30")
    good(kept(close_day(world.plant(), TUESDAY, "Pump work", by=manager, at=at, law=world.law())))
    good(kept(close_day(world.plant(), TUESDAY, "Mended", "opened", by=manager, at=at, law=world.law())))
    return mine, "lost its time: it could not be kept"


@pytest.mark.parametrize("lost", [missed, listed])
def test_the_truck_comes_for_what_it_booked_again_not_for_the_time_it_lost(lost):
    who = hauler()
    dead, why = lost(who)
    again = booked(book(who, session("2026-10-06T09:00", 600), at=world.at("2026-10-06T08:05")))
    answer = ask(who, "2026-10-06T09:00")
    assert (answer.sentence, answer.booking) == (f"May unload under booking {again.number}: 600 gallons.", again)
    shown = ask(who, "2026-10-06T09:00", dead)
    assert (shown.code, shown.sentence, shown.next_step) == (
        "booking_lost", f"Booking {dead.number} {why}.", BOOK_ELSE)  # fmt: skip
    visit = board.visit(world.plant(), world.law(), world.at("2026-10-06T09:00"),
                        {"truck": str(who.truck_id), "business": str(who.business_id)})  # fmt: skip
    assert visit is not None
    assert (visit.booking, visit.run.start, visit.run.gallons) == (again, world.at("2026-10-06T09:00"), 600)
    assert good(log(who, 600, "2026-10-06T09:00")).booking_id == again.id


@pytest.mark.parametrize("lost", [missed, listed])
def test_a_truck_that_has_only_what_it_lost_is_not_booked(lost):
    who = hauler()
    lost(who)
    answer = ask(who, "2026-10-06T09:00")
    assert (answer.sentence, answer.booking) == ("May unload without a booking, if the gallons still fit.", None)


@pytest.mark.parametrize(("at", "number"), [
    ("07:00", "B-1006-01"), ("07:30", "B-1006-01"), ("08:05", "B-1006-01"), ("08:40", "B-1006-02"),
    ("09:00", "B-1006-02"), ("09:59", "B-1006-02"),
])  # fmt: skip
def test_of_two_bookings_the_one_whose_time_is_now_or_nearest(at, number):
    who = hauler()
    planned(who, session("2026-10-06T07:00", 600))
    planned(who, session("2026-10-06T09:00", 600))
    assert ask(who, f"2026-10-06T{at}").booking.number == number


def test_of_two_that_touch_the_second_is_that_of_the_minute_between():
    who = hauler()
    planned(who, session("2026-10-06T07:00", 600))
    second = planned(who, session("2026-10-06T07:55", 600))
    assert ask(who, "2026-10-06T07:55").booking == second


def test_a_load_told_late_counts_for_the_booking_it_ran_under_before_that_lost_its_time(app, clock_at):
    who = hauler()
    mine = booked(book(who, session("2026-10-06T07:00", 600)))
    by = world.staff("director")
    row = good(kept(restrict_plant(world.plant(), "operational_problem", by=by, at=world.at("2026-10-06T07:30"),
                                   law=world.law())))  # fmt: skip
    good(kept(lift_restriction(world.plant(), row.id, "Mended", by=by, at=world.at("2026-10-06T08:00"),
                               law=world.law())))  # fmt: skip
    assert ask(who, "2026-10-06T08:00", mine).code == "booking_lost"
    clock_at("2026-10-06T12:00")
    enrolled()
    send(device(app), body(who, 600, "2026-10-06T07:05", visit={"booking": mine.number, "truck": str(who.truck_id)}))
    load = db.session.scalars(select(Load)).one()
    assert load.booking_id == mine.id
