"""At the gate of a plant with a receiving tank: a load runs into it at its trucks' rate, never more than it takes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.running import change_rate, pause_load, resume_load, run_on
from intake.actions.station import void_load
from intake.actions.stop import stop_load
from intake.models import Excess, Load
from intake.queries import station as board
from intake.queries.checks import check_capacity
from intake.queries.flow import flow_days
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import TUESDAY, WEDNESDAY, Hauler, book, code, hauler, picture
from tests.intake.tanks import PLAIN, beside_station, into, only_tank, read, room
from tests.intake.test_points_pages import text
from tests.intake.test_running import do, heard, pieces

pytestmark = pytest.mark.usefixtures("app")


@pytest.fixture
def who(app) -> Hauler:
    return hauler()


def clock(at: str) -> Any:
    return world.at(f"2026-10-06T{at}")


def level(at: str, now: str = "07:00") -> Any:
    return picture(TUESDAY, clock(now)).tank.plan.course.level(clock(at))


def test_a_booked_load_runs_as_booked_and_its_truck_leaves(who):
    only_tank()
    booking = good(book(who, into("07:00", 3_000)))
    load = good(log(who, 3_000, booking=booking))
    assert pieces(load) == ["07:00-07:15 3000 at 12000"]
    assert load.discharged_at == clock("07:15")
    assert level("07:15") == 3_000 - 166.5
    assert (picture(TUESDAY, clock("07:16")).room, check_capacity()) == (166 + 3 * 666 - 166, [])


def test_fewer_gallons_leave_sooner_and_free_the_rest(who):
    only_tank()
    booking = good(book(who, into("07:00", 3_000)))
    load = good(log(who, 1_000, booking=booking))
    assert pieces(load) == ["07:00-07:05 1000 at 12000"]
    assert level("07:05") == 1_000 - 55.5


def test_a_late_truck_begins_now(who):
    only_tank()
    booking = good(book(who, into("07:00", 3_000)))
    # Its place is another's by the time it comes? No: until its time is over its gallons are kept.
    assert room(TUESDAY, clock("07:10")).tank.most(room(TUESDAY, clock("07:10")).steps, clock("07:30")) < 600
    load = good(log(who, 3_000, "2026-10-06T07:10", booking=booking))
    assert pieces(load) == ["07:10-07:25 3000 at 12000"]


def test_one_gallon_above_what_fits_is_turned_to_the_first_time_that_does(who):
    only_tank(replace(PLAIN, held=1_000))
    assert said(log(who, 2_118, "2026-10-06T07:00")) == (
        "not_now", "2,118 gallons do not fit into the tank now. The first time that fits is 7:15 to 7:26 a.m. at "
        "12,000 gallons an hour.", "§ 329-7 F(3)")  # fmt: skip
    assert pieces(good(log(who, 2_117, "2026-10-06T07:00"))) == ["07:00-07:11 2117 at 12000"]
    other = hauler("Second Pumping", number=2)
    refused = log(other, 3_200, "2026-10-06T09:59")
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.details) == ("no_room", {"largest": 200})
    assert refused.why == "3,200 gallons do not fit into the tank by 10:00 a.m. today. 200 would."


def test_two_trucks_at_once_wait_for_the_place(who):
    only_tank()
    good(log(who, 1_000))
    other = hauler("Second Pumping", number=2)
    refused = log(other, 500, "2026-10-06T07:02")
    assert code(refused) == "not_now"
    assert pieces(good(log(other, 500, "2026-10-06T07:02", start=clock("07:05")))) == ["07:05-07:08 500 at 12000"]


def test_what_goes_in_is_no_draw_and_no_rate_above_the_limit(who):
    only_tank()
    load = good(log(who, 3_000))
    today = board.today(world.plant(), world.law(), clock("07:05"))
    assert (today.in_use, today.over) == (666, "")
    do(change_rate, load, 15_000, at="07:05")
    assert db.session.scalars(select(Excess)).all() == []
    assert pieces(load)[1].endswith("at 15000")


def test_a_paused_load_waits_goes_on_and_is_stopped_short(who):
    only_tank()
    load = good(log(who, 3_000))
    good(do(pause_load, load, 1_000, at="07:05"))
    # Its 2,000 keep their room until its time is over.
    assert room(TUESDAY, clock("07:06")).tank.most(room(TUESDAY, clock("07:06")).steps, clock("07:20")) < 250
    good(do(resume_load, load, at="07:10"))
    assert pieces(load) == ["07:00-07:05 1000 at 12000", "rest 07:05-07:10 0 at 12000", "07:10-07:20 2000 at 12000"]
    good(kept(stop_load(load, 1_700, "Empty", by=world.staff("operator"), at=clock("07:14"), law=world.law())))
    assert load.gallons == 1_700
    assert level("07:14", "07:14") == 1_700 - Fraction(666 * 14, 60)


def test_more_in_the_truck_than_the_tank_takes_stays_in_it(who):
    only_tank(replace(PLAIN, held=1_000))
    load = good(log(who, 2_000))
    good(do(run_on, load, 500, at="07:05"))
    # At 7:05 2,000 − 55.5 are in it: 1,055.5 free take 1,117 while they come.
    assert pieces(load) == ["07:00-07:05 1000 at 12000", "07:05-07:11 1117 at 12000", "rest 07:45-07:47 383 at 12000"]
    assert heard(load).endswith("Stop at 7:11 a.m.: the tank is full. The last 383 gallons fit 7:45 to 7:47 a.m.")
    assert picture(TUESDAY, clock("07:06")).tank.plan.course.full_at is None
    assert level("07:12", "07:06") <= 3_000


def test_what_is_kept_for_a_later_booking_is_no_full_tank(who):
    only_tank()
    load = good(log(who, 500))
    good(book(hauler("Second Pumping", number=2), into("07:10", 2_600, at=clock("07:00")), at=clock("07:00")))
    good(kept(run_on(load, 500, by=world.staff("operator"), at=clock("07:01"), law=world.law())))
    assert "the rest of the tank is kept for those who come after" in heard(load)
    assert "the tank is full" not in heard(load)


def test_who_has_no_room_left_in_the_tank_is_told_when_a_load_before_runs_on(who):
    only_tank(replace(PLAIN, held=1_000))
    later, next_day = hauler("Second Pumping", number=2), hauler("Third Pumping", number=3)
    load = good(log(who, 1_500))
    booking = good(book(later, into("07:30", 500, at=clock("07:00")), at=clock("07:00")))
    good(book(next_day, into("07:30", 600, WEDNESDAY, at=clock("07:00")), at=clock("07:00")))
    # By 7:08 its time is over, and 650 gallons more than logged have run into the tank.
    law, operator = world.law(), world.staff("operator")
    good(kept(run_on(load, 650, 2_150, by=operator, at=clock("07:11"), law=law)))
    told = db.session.scalars(select(Notice).filter_by(kind="runs_over")).all()
    assert [(one.to_name, one.subject) for one in told] == [
        ("Second Pumping", f"The tank may have no room for your load ({booking.number})")]  # fmt: skip
    assert told[0].body.splitlines()[:5] == [
        "A load before yours had more gallons than were booked for it. Receiving tank will not have room for 500 "
        "gallons then. 1,000 gallons were read in it Monday, October 5, 2026, 4:00 p.m.",
        "", f"Booked: Tue, Oct 6, 7:30 to 7:33 a.m., 500 gallons ({booking.number}).", "",
        "Move your booking to another time, or call the plant before you come.",
    ]  # fmt: skip


def test_a_void_load_gives_its_volume_back(who):
    only_tank()
    load = good(log(who, 3_000))
    assert picture(TUESDAY, clock("07:20")).room < 2_100
    good(kept(void_load(load, "Wrong truck", by=world.staff("operator"), at=clock("07:20"), law=world.law())))
    assert picture(TUESDAY, clock("07:20")).room == 3_000 + int(666 * 160 / 60)


def test_a_second_morning_goes_on_with_the_load(who):
    from intake.actions.station import continue_load

    only_tank(replace(PLAIN, held=1_000))
    first = into("07:00", 2_000)
    second = into("07:00", 1_500, WEDNESDAY)
    booking = good(book(who, [first, second]))
    load = good(log(who, 2_000, booking=booking))
    at = world.at("2026-10-07T07:00")
    again = good(kept(continue_load(load, 1_500, by=world.staff("operator"), at=at, law=world.law(WEDNESDAY))))
    assert pieces(again) == ["07:00-07:10 2000 at 12000", "07:00-07:08 1500 at 12000"]
    assert db.session.scalars(select(Load)).one().gallons == 3_500


def test_beside_a_station_the_operator_chooses_the_point(who):
    beside_station(replace(PLAIN, bleed_gph=400))
    station = next(one for one in picture().places if one.is_station)
    load = good(log(who, 266, point_id=station.id))
    assert pieces(load) == ["07:00-08:00 266 at 266"]
    other = hauler("Second Pumping", number=2)
    # Without a point it is done first at the tank.
    assert pieces(good(log(other, 1_000, "2026-10-06T07:01")))[0].endswith("1000 at 12000")
    today = board.today(world.plant(), world.law(), clock("07:03"))
    assert (today.in_use, today.over) == (666, "")
    assert check_capacity() == []


def test_the_board_says_level_and_free_gallons(app, who, clock_at):
    only_tank()
    good(log(who, 3_000))
    clock_at("2026-10-06T07:45")
    client = app.test_client()
    world.sign_in(client, "operator")
    page = text(client.get("/bayfield/station"))
    # 3,000 less three quarters of an hour: 2,500.5, of which half a gallon is not free.
    assert "Receiving tank: 2,501 of 3,000 gallons in it, 499 gallons free Bled at 666 gallons an hour" in page
    assert "666 of 666 gallons an hour in use" in page
    read(2_450, clock("07:45"))
    assert "2,450 of 3,000 gallons in it, 550 gallons free" in text(client.get("/bayfield/station"))


def test_the_flow_of_a_day_is_what_the_valve_let_through(who):
    only_tank(replace(PLAIN, held=1_000))
    good(log(who, 1_000, "2026-10-06T09:00"))
    read(700, clock("09:30"), reason="Less came")
    days = {one.day: one for one in flow_days(world.plant(), world.law(), TUESDAY, clock("12:00"))}
    # 7 to 9 at 666, but for what the first 1,000 do not last: they are out at 8:30; from 9:00 on at 666 again.
    assert days[TUESDAY].busiest == 666
    before = {one.day: one for one in flow_days(world.plant(), world.law(), TUESDAY, clock("07:30"))}
    assert before[TUESDAY].busiest == 333
