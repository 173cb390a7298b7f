"""The times page draws the one point in question, at its own rate and in its own hours (§ 329-7 C(1))."""

from datetime import time

import pytest

from intake.queries import offered
from intake.queries.terms import terms_of
from tests import world
from tests.intake.plant import MORNING, TUESDAY, book, hauler, session
from tests.intake.test_points import set_to, station
from tests.intake.test_points_pages import second, text


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-05T16:00")
    return hauler()


def found(who, gallons=300, point_id=None, day=TUESDAY, at=MORNING):
    terms = terms_of(world.plant().id, who.business_id, world.law(), at, "septic_tank")
    return offered.find(world.plant(), terms, at, gallons, day, point_id=point_id)


def columns(drawn):
    """Start, gallons free, limit and taken, gallons an hour, of each quarter hour."""
    return [(f"{one.start:%H:%M}", float(one.free), float(one.cap), float(one.taken)) for one in drawn.picture.quarters]


def test_a_plant_without_rules_at_its_point_draws_itself(who):
    drawn = found(who).drawn
    assert (drawn.gph, drawn.where, drawn.picture.room, len(columns(drawn))) == (666, "", 1_998, 12)
    assert columns(drawn)[0] == ("07:00", 166.5, 666.0, 0.0)


def test_a_point_with_its_own_rate_and_hours_is_drawn_in_them(who):
    set_to(station(), max_gph=300, opens=time(8), closes=time(9, 30))
    drawn = found(who).drawn
    assert (drawn.gph, drawn.where, drawn.picture.room, drawn.picture.limit_gph) == (300, "", 450, 300)
    starts = ("08:00", "08:15", "08:30", "08:45", "09:00", "09:15")
    assert columns(drawn) == [(start, 75.0, 300.0, 0.0) for start in starts]


def test_what_others_take_at_the_plant_bounds_the_point_and_a_truck_there_takes_all_of_it(who):
    set_to(station(), max_gph=300)
    other = second()
    book(who, session("2026-10-06T07:00", 150, 300))
    drawn = found(who, point_id=station().id).drawn
    assert (drawn.where, columns(drawn)[:3]) == ("Receiving station", [
        ("07:00", 0.0, 300.0, 300.0), ("07:15", 0.0, 300.0, 300.0), ("07:30", 75.0, 300.0, 0.0)])  # fmt: skip
    there = found(who, point_id=other.id).drawn
    # Nothing is set for the other: it has what the plant has.
    assert (there.gph, there.where, columns(there)[0]) == (666, "", ("07:00", 91.5, 666.0, 300.0))


def test_several_points_in_question_are_drawn_as_the_plant(who):
    set_to(station(), max_gph=300)
    second()
    drawn = found(who).drawn
    assert (drawn.gph, drawn.where, drawn.picture.room) == (666, "", 1_998)


def test_the_page_says_the_points_limit_and_what_is_left_there(app, who):
    set_to(station(), max_gph=300)
    second()
    client = app.test_client()
    world.sign_in(client, who.email)
    load = f"truck={who.truck_id}&gallons=300&waste=septic_tank&day=2026-10-06"
    page = text(client.get(f"/bayfield/hauler/book/times?{load}&point={station().id}"))
    assert "Gallons free at Receiving station on Tue, Oct 6" in page
    assert "Limit: 75 gallons each quarter hour (300 an hour)" in page
    assert "900 gallons still free. The largest single load that fits is 900" in page
    page = text(client.get(f"/bayfield/hauler/book/times?{load}"))
    assert "Gallons free on Tue, Oct 6" in page
    assert "Limit: 166.5 gallons each quarter hour (666 an hour)" in page
