"""A limit that falls while trucks are at the plant: shown before, operators told after, said on the board (F(3))."""

import re
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.flow import put_flow_in_force
from intake.actions.limits import set_limit
from intake.queries.checks import check_capacity
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import TUESDAY, WEDNESDAY, book, hauler, session
from tests.intake.tanks import into, only_tank

pytestmark = pytest.mark.usefixtures("app")
AT = "2026-10-06T07:10"
SINCE = {"since-month": "10", "since-day": "6", "since-year": "2026", "order": "Order 12"}


def words(answer):
    return " ".join(re.sub("<[^>]+>", " ", answer.get_data(as_text=True)).replace("&#39;", "'").split())


def trucks():
    """One that runs since 7:00, one that is logged and begins at 7:55."""
    first, second = hauler(), hauler("Second Pumping", number=2)
    early = book(first, session("2026-10-06T07:00", 600))
    later = book(second, session("2026-10-06T07:55", 600))
    good(log(first, 600, "2026-10-06T07:00", booking=early))
    good(log(second, 600, "2026-10-06T07:05", booking=later))


def told():
    return list(db.session.scalars(select(Notice).where(Notice.kind == "turn_down")))


def order(gph, since=TUESDAY):
    good(kept(set_limit(world.plant(), "rate.own_ceiling_gph", gph, since, "Order 12", by=world.staff("director"),
                        at=world.at(AT), law=world.law())))  # fmt: skip


def test_the_operator_is_told_which_trucks_to_turn_down():
    trucks()
    order(500)
    [one] = told()
    assert (one.to_name, one.subject) == ("Operator of the City", "Lower the rate of 2 trucks at the plant")
    assert one.body.splitlines() == [
        "The limit on Tuesday, October 6, 2026 is 500 gallons an hour now (Order 12, § 329-7 F(3)).",
        "",
        "Turn these down, so that together they stay within it:",
        "Test Pumping, T-1, load 2026-00001: 655 gallons an hour.",
        "Second Pumping, T-2, load 2026-00002: 655 gallons an hour, begins at 7:55 a.m.",
    ]
    # What is logged keeps its room, and is no fault of the rows.
    assert check_capacity() == []


@pytest.mark.parametrize(("gph", "since"), [(655, TUESDAY), (500, WEDNESDAY)])
def test_a_limit_they_stay_within_or_one_of_another_day_tells_nobody(gph, since):
    trucks()
    order(gph, since)
    assert told() == []


def test_what_goes_into_a_tank_is_turned_down_by_nobody():
    only_tank()
    who = hauler()
    good(log(who, 600, "2026-10-06T07:00", booking=book(who, into("07:00", 600))))
    order(500)
    assert told() == []


def test_a_lower_flow_tells_it_too():
    trucks()
    good(kept(put_flow_in_force(world.plant(), 156_000, TUESDAY, "Order 7", by=world.staff("director"),
                                at=world.at(AT), law=world.law())))  # fmt: skip
    assert [one.subject for one in told()] == ["Lower the rate of 2 trucks at the plant"]


@pytest.mark.parametrize(("address", "typed"), [
    ("/director/capacity/ceiling", {"value": "500"}), ("/director/flow", {"flow": "120,000"}),
])  # fmt: skip
def test_the_director_sees_the_trucks_before_and_the_board_says_how_fast_one_that_waits_may_begin(
    app, clock_at, address, typed
):
    trucks()
    clock_at(AT)
    client = app.test_client()
    world.sign_in(client, "director")
    page = words(client.post(f"/bayfield{address}", data=SINCE | typed | {"once": uuid4().hex}))
    above = "2 trucks at the plant above it What is logged keeps its room. The operators are told to turn them down:"
    assert above in page
    assert "Second Pumping, load 2026-00002: 655 gallons an hour, begins at 7:55 a.m." in page
    board = app.test_client()
    world.sign_in(board, "operator")
    assert "an hour at most" not in words(board.get("/bayfield/station"))
    order(500)
    assert "Waits, begins 7:55 a.m. Begin at 500 gallons an hour at most" in words(board.get("/bayfield/station"))
