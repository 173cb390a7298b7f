"""A restriction past its planning end before the job has run: what is booked is held, told and missed all the same."""

import pytest
from sqlalchemy import select

from intake.actions.station import void_load
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, refuse
from tests.intake.plant import book, hauler, session
from tests.intake.test_restriction import lift, outcomes, restrict
from tests.intake.test_restriction_outlasts import outlasts

pytestmark = pytest.mark.usefixtures("app")


def bodies(kind):
    return list(db.session.scalars(select(Notice.body).filter_by(kind=kind).order_by(Notice.id)))


@pytest.mark.parametrize("ran", [False, True])
@pytest.mark.parametrize("why", ["plant", "field_test"])
def test_a_truck_turned_away_loses_nothing_of_times_first_whether_the_job_ran_or_not(ran, why):
    who = hauler()
    mine = booked(book(who, session("2026-10-08T07:00", 600)))
    row = restrict()
    if ran:
        outlasts()
    good(refuse(who, "2026-10-08T07:00", reason_code=why, reason="Restricted", booking=mine))
    lift(row, world.at("2026-10-08T09:00"))
    assert outcomes() == {"B-1008-01": "missed"}
    [body] = [one for one in bodies("lifted") if mine.number in one]
    assert f"{mine.number}, Thu, Oct 8, 7:00 a.m.: missed by restriction; book again.\nTimes that fit it now:" in body
    assert "Choose first: book one of these times now." in body


def test_one_turned_away_before_the_planning_end_was_not_met_by_it():
    who = hauler()
    mine = booked(book(who, session("2026-10-08T07:00", 600)))
    good(refuse(who, "2026-10-06T08:00", booking=mine))
    row = restrict()
    lift(row, world.at("2026-10-08T09:00"))
    assert outcomes() == {}


def test_one_turned_away_at_another_point_or_under_a_lower_limit_is_not_missed_by_it():
    who = hauler()
    mine = booked(book(who, session("2026-10-08T07:00", 600)))
    row, slow = restrict(scope="types", wastes=["holding_tank"]), restrict(scope="rate", gph=300)
    good(refuse(who, "2026-10-08T07:00", booking=mine))
    for one in (row, slow):
        lift(one, world.at("2026-10-08T09:00"))
    assert outcomes() == {}


def test_a_ticket_made_void_in_the_gap_leaves_its_booking_held_and_told():
    who = hauler()
    mine = booked(book(who, session("2026-10-06T09:00", 600)))
    load = good(log(who, 600, "2026-10-06T08:12", booking=mine))
    row = restrict(at=world.at("2026-10-06T08:13"), planning_end=world.at("2026-10-06T08:20"))
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=world.at("2026-10-06T08:25"),
                        law=world.law())))  # fmt: skip
    assert outcomes() == {mine.number: None}
    [body] = bodies("booking_held")
    assert f"Ticket {load.ticket} is void, so the booking stands again, but a restriction holds it." in body
    lift(row, world.at("2026-10-06T08:30"))
    assert outcomes() == {mine.number: "released"}


def test_the_page_says_no_time_gone_by_as_the_end_of_what_it_holds(app, clock_at):
    row = restrict()
    client = app.test_client()
    world.sign_in(client, "director")
    path = f"/bayfield/director/restrictions/{row.id}"
    said = "The end of today. It was planned with until Wednesday, October 7, 2026, 10:00 a.m."
    for at, there in (("2026-10-07T09:59", False), ("2026-10-07T10:00", True), ("2026-10-08T08:00", True)):
        clock_at(at)
        text = client.get(path).get_data(as_text=True)
        assert (said in text, "Wednesday, October 7, 2026, 10:00 a.m." in text) == (there, True)
    lift(row, world.at("2026-10-08T09:00"))
    assert said not in client.get(path).get_data(as_text=True)
