"""Pages of the receiving tank: the manager sets it, the operator enters its level."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Booking, TankReading, TankTerms
from intake.queries import offered
from intake.queries.bookings import first_point, view
from intake.queries.tank import tank_point
from intake.queries.terms import terms_of
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake import tanks
from tests.intake.gatehouse import good
from tests.intake.plant import MORNING, Hauler, book, hauler, queries, session
from tests.intake.tanks import PLAIN, into, only_tank, read
from tests.intake.test_points_pages import NOW, send, text

TANK = {"gallons": "3,000", "unload_gph": "12,000", "bleed_gph": "666", "held": "0"}


@pytest.fixture
def who(app, clock_at) -> Hauler:
    clock_at(NOW)
    return hauler()


@pytest.fixture
def manager(app, who) -> Any:
    client = app.test_client()
    world.sign_in(client, "manager")
    return client


@pytest.fixture
def operator(app, who) -> Any:
    client = app.test_client()
    world.sign_in(client, "operator")
    return client


def test_manager_opens_a_tank_sets_it_and_its_page_says_what_is_in_it(manager):
    answer = send(manager, "/bayfield/director/points", name="Receiving tank", kind="tank")
    point = tank_point(world.plant().id)
    assert answer.location == f"/bayfield/director/points/{point.id}"
    fresh = text(manager.get(answer.location))
    assert "Receiving tank. It takes nothing until the tank is set: its gallons, how fast" in fresh
    path = f"/bayfield/director/points/{point.id}/tank"
    assert "Nothing is set: no truck unloads into it." in text(manager.get(path))
    assert send(manager, path, **TANK | {"held": "600"}).location == path
    page = text(manager.get(path))
    assert "Receiving tank is set." in page
    assert "600 of 3,000 gallons reckoned to be in it now; 2,400 gallons free. Nothing is bled now." in page
    assert "How we read it: the ordinance names no tank." in page
    assert "3,000 gallons, a truck unloads at 12,000 gallons an hour, bled at 666 gallons an hour, 1 truck at once" in (
        text(manager.get("/bayfield/director/points")))  # fmt: skip


def test_what_cannot_be_is_said_at_its_field(manager):
    only_tank()
    path = f"/bayfield/director/points/{tank_point(world.plant().id).id}/tank"
    answer = send(manager, path, **TANK | {"bleed_gph": "700"})
    assert answer.status_code == 422
    assert text(answer).count("The valve must let through at most the plant's limit, 666 gallons an hour") == 2
    answer = send(manager, path, **TANK | {"unload_gph": ""})
    assert text(answer).count("Enter how fast a truck unloads") == 2
    assert db.session.scalars(select(TankTerms)).one().bleed_gph == 666


def test_bookings_a_smaller_tank_has_no_room_for_are_shown_before_and_told_after(manager, who):
    only_tank()
    first = good(book(who, into("07:00", 1_500)))
    last = good(book(who, into("07:30", 1_500)))
    path = f"/bayfield/director/points/{tank_point(world.plant().id).id}/tank"
    small = TANK | {"gallons": "2,000"}
    page = text(send(manager, path, **small))
    assert "1 booking would lose its time" in page and last.number in page and first.number not in page
    assert db.session.scalars(select(TankTerms)).one().gallons == 3_000
    done = send(manager, path, **small | {"seen": last.number, "sure": "yes"})
    assert done.location == path
    assert "Receiving tank is set. 1 booking lost its time, and its hauler is told." in text(manager.get(path))
    kept = [db.session.get_one(Booking, one.id) for one in (first, last)]
    assert [view(one, MORNING).state for one in kept] == ["booked", "listed"]
    told = db.session.scalars(select(Notice).filter_by(kind="time_lost")).one()
    assert told.body.splitlines()[0] == "Receiving tank has no room for it as it is set now (§ 329-7 C(1))."


def test_a_valve_that_takes_more_leaves_other_points_less(manager, who):
    tanks.beside_station(replace(PLAIN, bleed_gph=300))
    station = replace(session("2026-10-06T07:00", 366, 366), point=world_station())
    booked = good(book(who, station))
    path = f"/bayfield/director/points/{tank_point(world.plant().id).id}/tank"
    page = text(send(manager, path, **TANK | {"bleed_gph": "301"}))
    assert "1 booking would lose its time" in page and booked.number in page
    assert "would lose" not in text(send(manager, path, **TANK | {"bleed_gph": "300", "held": "3,001"}))


def world_station() -> int:
    found = first_point(world.plant().id)
    assert found is not None
    return found.id


def test_operator_enters_the_level_and_a_far_one_is_asked_about(operator, who, clock_at):
    only_tank()
    clock_at("2026-10-06T06:50")
    page = text(operator.get("/bayfield/station/tank"))
    assert "0 of 3,000 gallons reckoned to be in it now; 3,000 gallons free." in page
    assert "Why is it that many?" not in page
    asked = send(operator, "/bayfield/station/tank", gallons="800", read_at="6:45 a.m.", reason="")
    assert asked.status_code == 422
    assert text(asked).count("0 gallons were reckoned to be in it. Check the number") == 2
    assert "Why is it that many?" in text(asked)
    done = send(operator, "/bayfield/station/tank", gallons="800", read_at="6:45 a.m.", reason="Rain")
    assert done.location == "/bayfield/station"
    row = db.session.scalars(select(TankReading).order_by(TankReading.id.desc()).limit(1)).one()
    assert (row.gallons, row.read_at, row.reckoned, row.reason) == (800, world.at("2026-10-06T06:45"), 0, "Rain")


def test_a_reading_that_leaves_no_room_is_told_to_the_director_and_the_hauler(operator, who, clock_at):
    only_tank()
    booking = good(book(who, into("07:00", 2_500)))
    at = world.at("2026-10-06T06:50")
    good(read(1_000, at, reason="Rain came in"))
    told = {
        one.kind: one
        for one in db.session.scalars(select(Notice).where(Notice.kind.in_(["limit_moved", "over_limit"])))
    }
    why = ("Receiving tank will not have room for 2,500 gallons then. 1,000 gallons were read in it Tuesday, "
           "October 6, 2026, 6:50 a.m.")  # fmt: skip
    assert told["limit_moved"].body.splitlines()[0] == why
    assert booking.number in told["over_limit"].body and why in told["over_limit"].body
    # It stands, and the gate says how much would fit.
    assert view(booking, at).state == "booked"


def test_a_plant_without_a_tank_has_no_such_page(operator):
    assert operator.get("/bayfield/station/tank").status_code == 404


@pytest.fixture
def client(app, who) -> Any:
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


AT = "/bayfield/hauler/book/times?truck=1&waste=septic_tank&day=2026-10-06&gallons="


def test_a_hauler_is_offered_short_stays_and_told_what_the_numbers_are(client):
    only_tank()
    page = text(client.get(f"{AT}3000"))
    assert "7:00 to 7:15 a.m." in page and "8:00 to 8:15 a.m." in page
    assert ("The number at each time is the largest load that may begin to unload in that quarter hour; the columns "
            "are what enters the sewer. Show") in page  # fmt: skip
    assert "So we read the ordinance, which names no tank." in page
    assert "4,998 gallons still free. The largest single load that fits is 3,176." in page


def test_a_load_no_tank_takes_is_split_and_the_page_says_why(client, who):
    only_tank()
    page = text(client.get(f"{AT}4000"))
    assert "No time fits 4,000 gallons in one day" in page
    assert ("Receiving tank holds 3,000 gallons; empty it takes 3,176 gallons at most in one load, and is open 7:00 to "
            "10:00 a.m. The largest load that still fits on Tuesday, October 6 is 3,176 gallons.") in page  # fmt: skip
    assert "Split over 2 days" in page
    # 3,176 on Tuesday from 7:00 on, the rest on Wednesday.
    assert "3,176 gallons at 12,000 gallons an hour" in page and "824 gallons at 12,000 gallons an hour" in page


def test_the_split_offered_is_what_is_booked(client, who):
    only_tank()
    terms = terms_of(world.plant().id, who.business_id, world.law(), MORNING, "septic_tank")
    found = offered.split_over(world.plant(), terms, MORNING, 5_000)
    assert [one.gallons for one in found] == [3_176, 1_824]
    assert book(who, found).number == "B-1006-01"


def test_public_pages_and_feeds_say_what_the_tank_takes(app, who, clock_at):
    only_tank()
    good(book(who, into("07:00", 2_000)))
    clock_at("2026-10-06T06:30")
    client = app.test_client()
    page = text(client.get("/bayfield/"))
    assert "2,998 gallons left today, of 4,998; the largest single load that fits is 2,997" in page
    assert "666 gallons an hour, the most that enters the sewer" in page
    for feed in ("status.txt", "status.atom"):
        assert "2,998 gallons are free that day. The largest single load that fits is 2,997" in client.get(
            f"/bayfield/{feed}").get_data(as_text=True)  # fmt: skip
    status = client.get("/bayfield/status.json").get_json()
    assert (status["gallons_left"], status["largest_load"]) == (2_998, 2_997)
    week = text(client.get("/bayfield/week"))
    assert "The number at each time is the largest load that may begin to unload in that quarter hour." in week
    assert "Largest load that may begin, in gallons, by quarter hour Day 7:00" in week
    assert " Left Largest load Mon, Oct 5 " in week
    assert "Test" not in page


def test_the_day_sheet_shows_the_bleed_and_who_goes_into_the_tank(operator, who, clock_at):
    only_tank()
    good(book(who, into("07:30", 1_000)))
    page = operator.get("/bayfield/plant/day/2026-10-06")
    words = text(page)
    assert "Tank: what its valve lets into the sewer." in words
    assert "7:30 to 7:35 a.m. TP Test Pumping" in words and "Booked, into the tank" in words
    # 1,000 gallons from 7:30 on at 666 an hour are out at 9:00:05: six quarter hours are full of it, in two pictures.
    assert page.get_data(as_text=True).count(">Tank</text>") == 12


def test_the_pages_of_the_tank_ask_as_much_however_much_is_booked_and_read(manager, who, clock_at):
    only_tank()
    clock_at("2026-10-06T06:30")
    pages = [f"/bayfield/director/points/{tank_point(world.plant().id).id}/tank", "/bayfield/station/tank"]
    asked = []
    for count in (1, 3):
        for n in range(count):
            good(book(who, into(f"07:{10 * count + 5 * n}", 100)))
            good(read(0, world.at(f"2026-10-06T06:{count * 5 + n:02d}")))
        for path in pages:
            assert manager.get(path).status_code == 200
            with queries() as seen:
                manager.get(path)
            asked.append(len([one for one in seen if one.startswith("SELECT")]))
    assert asked[:2] == asked[2:] == [13, 10]
