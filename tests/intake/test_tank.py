"""A plant with a receiving tank: set by the manager, short stays, as much as the tank takes, bled within the limit."""

from dataclasses import replace
from datetime import time

import pytest
from sqlalchemy import select

from intake.actions.booking import cancel_booking
from intake.actions.flow import open_point
from intake.actions.moving import move_booking
from intake.models import Booking, PlannedSession, TankReading, TankTerms
from intake.queries import tank_level
from intake.queries.tank import tank_point
from office.access import system
from office.db import db
from ordinances.offers import Session
from tests import world
from tests.intake import tanks
from tests.intake.gatehouse import good, said
from tests.intake.plant import MORNING, THURSDAY, TUESDAY, WEDNESDAY, Hauler, book, code, hauler, picture
from tests.intake.tanks import PLAIN, into, only_tank, read, room, set_to
from tests.intake.test_points import set_to as set_point_to


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


def seven(start: str = "07:00", gallons: int = 1_000, minutes: int = 5, day: str = "2026-10-06") -> Session:
    begins = world.at(f"{day}T{start}")
    hours, late = divmod(begins.hour * 60 + begins.minute + minutes, 60)
    return Session(begins, begins.replace(hour=hours, minute=late), 12_000, gallons)


def test_a_tank_takes_nothing_until_the_manager_has_set_it(who):
    point = open_point(world.plant(), "Receiving tank", "tank", by=system(), at=world.START)
    db.session.commit()
    # The station beside it takes what it took.
    assert (picture().room, picture().largest, picture().whole) == (1_998, 1_998, 1_998)
    asked = replace(seven(), point=point.id)
    assert said(book(who, asked)) == (
        "point_closed", "Receiving tank is closed on Tuesday, October 6, 2026.", "§ 329-7 C(1)")  # fmt: skip
    assert code(open_point(world.plant(), "Another", "tank", by=system(), at=world.START)) == "one_tank"


@pytest.mark.parametrize(("wanted", "refused"), [
    (replace(PLAIN, gallons=0), ("numbers", "Gallons and rates must be 1 or more", "§ 329-7 C(1)")),
    (replace(PLAIN, held=-1), ("numbers", "Gallons and rates must be 1 or more", "§ 329-7 C(1)")),
    (replace(PLAIN, unload_gph=600), ("slower", "Trucks must unload at least as fast as the valve bleeds",
                                      "§ 329-7 C(1)")),
    (replace(PLAIN, bleed_gph=667), (
        "over_limit", "The valve must let through at most the plant's limit, 666 gallons an hour", "§ 329-7 F(3)")),
    (replace(PLAIN, held=3_001), ("held", "The tank holds 3,000 gallons at most", "§ 329-7 C(1)")),
])  # fmt: skip
def test_a_tank_that_cannot_be_is_refused_in_words(who, wanted, refused):
    only_tank()
    assert said(set_to(wanted)) == refused
    assert db.session.scalars(select(TankTerms)).one().gallons == 3_000


def test_only_the_manager_sets_it_and_it_keeps_what_was_set_and_read(who):
    only_tank()
    assert code(set_to(PLAIN, by="operator")) == "not_your_role"
    good(set_to(replace(PLAIN, gallons=4_000, held=500)))
    assert [(row.gallons, row.set_by) for row in db.session.scalars(select(TankTerms).order_by(TankTerms.id))] == [
        (3_000, "Manager of the City"), (4_000, "Manager of the City")]  # fmt: skip
    rows = db.session.scalars(select(TankReading).order_by(TankReading.id))
    assert [(row.gallons, row.reckoned) for row in rows] == [(0, None), (500, None)]
    assert room().tank.tank.gallons == 4_000 and room().tank.held == 500


def test_the_largest_load_books_and_one_gallon_more_does_not(who):
    only_tank()
    # x gallons at 12,000 an hour while 666 an hour leave: 3,000 ÷ (1 − 666 ÷ 12,000) = 3,176.
    assert (picture().largest, picture().room, picture().whole) == (3_176, 4_998, 4_998)
    assert said(book(who, seven(gallons=3_177, minutes=16))) == (
        "taken", "The tank has room for 3,176 gallons from here, not 3,177.", "§ 329-7 F(3)")  # fmt: skip
    assert code(book(who, seven(gallons=3_176, minutes=16))) == "booked B-1006-01"
    row = db.session.scalars(select(PlannedSession)).one()
    assert (row.starts, row.ends, row.gph) == (world.at("2026-10-06T07:00"), world.at("2026-10-06T07:16"), 12_000)
    assert row.point_id == tank_point(world.plant().id).id


def test_a_stay_is_short_and_what_it_left_is_bled_all_morning(who):
    only_tank()
    good(book(who, into("07:00", 3_000)))
    now = picture()
    level = [now.tank.plan.course.level(world.at(f"2026-10-06T{at}")) for at in ("07:15", "08:15", "10:00", "23:00")]
    assert level == [3_000 - 666 / 4, 3_000 - 166.5 - 666, 1_002, 1_002]
    # The quarter hours say what the valve lets through.
    assert {one.taken for one in now.quarters} == {666}
    # What is in it in the evening is bled the next morning.
    assert picture(WEDNESDAY).tank.plan.course.level(world.at("2026-10-07T08:30")) == 1_002 - 999


def test_a_second_truck_waits_for_the_place_then_for_room(who):
    only_tank()
    good(book(who, into("07:00", 2_000)))
    other = hauler("Second Pumping", number=2)
    assert code(book(other, seven("07:05"))) == "taken"
    assert room().starting(world.at("2026-10-06T07:10"), 1_000).gph == 12_000
    # 2,000 − 111 are in it at 7:10: 1,111 free, and what is bled while it unloads.
    assert room().tank.most(room().steps, world.at("2026-10-06T07:10")) == 1_176
    good(book(other, into("07:10", 1_176)))
    assert picture().largest == room().tank.largest(room().steps, MORNING)
    assert room().tank.course.level(world.at("2026-10-06T07:16")) <= 3_000


def test_a_load_of_a_later_day_keeps_its_room_from_an_earlier_one(who):
    only_tank(replace(PLAIN, held=3_000))
    wednesday = into("07:00", 1_998, WEDNESDAY)
    good(book(who, wednesday))
    # The tank is full until Tuesday's three hours have made the room that Wednesday's load has booked, all but what is
    # bled while that one unloads: 666 gallons an hour for ten minutes.
    assert (picture().largest, picture().room) == (110, 110)
    good(cancel_booking(world.plant(), db.session.scalars(select(Booking)).one().id, "", by=who.by, at=MORNING,
                        law=world.law()))  # fmt: skip
    db.session.commit()
    # From 9:45: 1,831.5 gallons have left by then.
    assert (picture().largest, picture().room) == (1_939, 1_998)


def test_a_booking_moves_into_the_room_it_leaves(who):
    only_tank()
    booking = good(book(who, into("07:00", 3_100)))
    assert picture().room == 1_898
    other = Session(world.at("2026-10-06T07:30"), world.at("2026-10-06T07:46"), 12_000, 3_100)
    moved = move_booking(world.plant(), booking.id, [other], by=who.by, at=MORNING, law=world.law())
    assert code(good(moved)) == "booked B-1006-01"
    assert db.session.scalars(select(PlannedSession)).one().starts == other.start
    assert picture().room == 1_898


def test_the_valve_comes_before_the_other_points(who):
    tanks.beside_station(replace(PLAIN, bleed_gph=400))
    now = picture()
    station = next(one for one in now.places if one.is_station)
    assert {one.free for one in now.steps_at(station)} == {266}
    # 3 hours at 266 for the station, and the tank.
    assert (now.largest_at(station), now.room) == (798, 798 + 3_000 + 1_200)
    assert now.whole == 1_998 + 3_000
    above = Session(world.at("2026-10-06T07:00"), world.at("2026-10-06T08:00"), 267, 267, station.id)
    assert said(book(who, above)) == (
        "changed", "From 7:00 a.m. this load runs until 8:01 a.m. now, at 263 gallons an hour.",
        "§ 329-7 F(3)")  # fmt: skip


def test_hours_and_places_of_the_point_hold_for_its_trucks_not_for_its_valve(who):
    point = only_tank()
    good(set_point_to(point, opens=time(8), closes=time(9), changeover=10))
    assert room().starting(world.at("2026-10-06T07:45"), 10).free == 0
    good(book(who, into("08:00", 1_000)))
    # The place is free ten minutes after the five it takes.
    other = hauler("Second Pumping", number=2)
    assert code(book(other, seven("08:10", 100, 1))) == "taken"
    assert code(book(other, seven("08:15", 100, 1))) == "booked B-1006-02"
    assert room().tank.course.level(world.at("2026-10-06T09:30")) == 1_100 - 999


def test_a_closed_day_bleeds_nothing_and_a_short_limit_less(who):
    only_tank(replace(PLAIN, held=3_000))
    # Monday's hours were over when it was read; the weekend bleeds nothing.
    course = picture(THURSDAY).tank.plan.course
    assert [course.level(world.at(f"2026-10-0{day}T23:00")) for day in (5, 6, 7, 8)] == [3_000, 1_002, 0, 0]


def test_a_reading_counts_from_its_time_and_a_far_one_is_asked_about(who):
    only_tank()
    good(book(who, into("07:00", 2_000)))
    at = world.at("2026-10-06T06:50")
    assert said(read(400, at)) == ("far", "0 gallons were reckoned to be in it. Check the number", "")
    assert code(read(100, at, world.at("2026-10-06T06:51"))) == "future"
    assert said(read(100, at, world.at("2026-10-05T15:59"))) == (
        "earlier", "A later reading is entered: Monday, October 5, 2026, 4:00 p.m.", "")  # fmt: skip
    assert said(read(3_001, at)) == ("gallons", "Gallons must be between 0 and 3,000", "")
    row = good(read(400, at, reason="Rain came in"))
    assert (row.gallons, row.reckoned, row.reason, row.entered_by) == (400, 0, "Rain came in", "Operator of the City")
    level = tank_level.level_now(world.plant(), world.law(), at)
    assert (level.gallons, level.free, level.bleed_gph) == (400, 2_600, 0)
    # 2,000 are booked into it: from 7:10 on 600 are free, and 111 bled, less what leaves until the load is in.
    assert room(TUESDAY, at).tank.course.level(world.at("2026-10-06T07:10")) == 2_400 - 111


def test_terms_of_the_point_close_the_tank(who):
    point = only_tank()
    good(book(who, into("07:00", 1_000)))
    good(set_point_to(point, is_open=False))
    assert (picture().largest, picture().room) == (0, 0)
