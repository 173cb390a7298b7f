"""Gallons used and booked of an approval, winter apart; a truck that never came gives its gallons back."""

from datetime import date

import pytest

from intake.actions.station import void_load
from intake.queries.allowance import Allowance, used, used_and_booked
from tests import world
from tests.intake.gatehouse import TUESDAY_0700, booked, good, kept, log, refuse
from tests.intake.plant import MORNING, book, hauler, session

pytestmark = pytest.mark.usefixtures("app")


def of(who, at=MORNING, **given) -> Allowance:
    return used_and_booked(who.approval_id, world.law(), at, **given)


def test_bookings_count_by_the_day_of_each_session():
    who = hauler()
    booked(book(who, session("2026-10-06T07:00", 300)))
    booked(book(who, [session("2026-11-13T07:00", 1_998), session("2026-11-16T07:00", 502)]))
    assert of(who) == Allowance(winter_used=0, winter_booked=502, rest_used=0, rest_booked=2_298)
    assert (of(who).taken(True), of(who).taken(False)) == (502, 2_298)


def test_a_logged_load_takes_the_place_of_its_booking():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    good(log(who, 250, booking=booking))
    assert of(who) == Allowance(rest_used=250)
    assert used(who.approval_id) == 250


def test_the_first_morning_of_a_split_load_leaves_the_second_booked():
    who = hauler()
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    good(log(who, 1_998, booking=booking))
    assert of(who) == Allowance(rest_used=1_998, rest_booked=502)


def test_refused_and_void_loads_use_nothing():
    who = hauler()
    good(refuse(who, booking=booked(book(who, session("2026-10-06T09:00", 300)))))
    void = good(log(who, 300))
    good(kept(void_load(void, "Typed twice", by=world.staff("operator"), at=TUESDAY_0700, law=world.law())))
    assert of(who) == Allowance()


def test_a_truck_that_never_came_gives_its_gallons_back_the_day_after():
    who = hauler()
    booked(book(who, session("2026-10-06T07:00", 300)))
    assert of(who, world.at("2026-10-06T23:59:59")).rest_booked == 300
    assert of(who, world.at("2026-10-07T00:00")).rest_booked == 0


def test_one_booking_can_be_left_out():
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    booked(book(who, session("2026-10-07T07:00", 200)))
    assert of(who, except_booking=booking.id).rest_booked == 200


def test_the_winter_begins_on_november_15():
    who = hauler()
    booked(book(who, session("2026-11-16T07:00", 300)))
    booked(book(who, session("2027-04-15T07:00", 200)))
    booked(book(who, session("2027-04-16T07:00", 100)))
    assert of(who) == Allowance(winter_booked=500, rest_booked=100)
    assert date(2026, 11, 16).weekday() == 0
