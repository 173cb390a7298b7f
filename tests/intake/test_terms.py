"""No time is offered that would be refused at the end: past the license, past the gallons left; each says why."""

import re
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from sqlalchemy import select

from haulers.models import Licence
from intake.queries import offered
from intake.queries.terms import terms_of
from office.db import db
from tests import world
from tests.intake.plant import MORNING, book, code, hauler, session

LOAD = {"truck": "1", "gallons": "600", "waste": "septic_tank"}


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at("2026-10-05T16:00")


def license_ends(day: date) -> None:
    db.session.scalars(select(Licence)).one().ends_on = day
    db.session.commit()


def found(who, gallons: int, day: date | None = None, at=MORNING) -> offered.Offered:
    terms = terms_of(world.plant().id, who.business_id, world.law(at.date()), at)
    return offered.find(world.plant(), terms, at, gallons, day)


def times_page(app, who, **more) -> str:
    client = app.test_client()
    world.sign_in(client, who.email)
    address = f"/bayfield/hauler/book/times?{urlencode(LOAD | more)}"
    return str(client.get(address).get_data(as_text=True))


def test_the_last_day_of_the_license_is_offered_and_the_day_after_says_it_ended(app):
    who = hauler()
    license_ends(date(2026, 10, 7))
    days = {one.day: (one.fits, one.why) for one in found(who, 600).days}
    assert days[date(2026, 10, 7)] == (True, "")
    assert days[date(2026, 10, 8)] == (False, "Your license ends on October 7, 2026")
    assert found(who, 600, date(2026, 10, 8)).fits == ()
    page = times_page(app, who, day="2026-10-08")
    assert "<h1>You cannot book 600 gallons on Thursday, October 8, 2026</h1>" in page
    assert "Your license ends on October 7, 2026" in page
    assert 'name="time"' not in page
    assert [word for word in ("Split over", "Bring less") if word in page] == []


def test_a_license_that_has_ended_offers_no_day_and_leads_to_the_license_page(app):
    who = hauler()
    license_ends(date(2026, 10, 4))
    assert [one.fits for one in found(who, 600).days] == [False] * 10
    page = times_page(app, who)
    assert "<h1>You cannot book 600 gallons now</h1>" in page
    assert "Your license ended on October 4, 2026" in page
    assert 'href="/bayfield/hauler/license">Send us the new license</a>' in page
    assert "Split over" not in page


def test_the_last_gallon_left_is_offered_and_one_more_is_not(app):
    who = hauler(rest=900)
    book(who, session("2026-10-06T07:00", 300))
    assert [(one.day, one.over) for one in found(who, 600).days if not one.fits] == [(date(2026, 10, 5), True)]
    over = found(who, 601)
    assert (over.fits, over.largest, {one.why for one in over.days}) == (
        (), 600, {"You have 600 gallons left until November 14, 2026"},
    )  # fmt: skip
    page = times_page(app, who, gallons="601")
    assert "You have 600 gallons left until November 14, 2026" in page
    assert "See times for 600 gallons" in page


def test_winter_and_the_rest_of_the_year_are_offered_apart():
    who = hauler(winter=500, rest=100)
    at = world.at("2026-11-12T12:00")
    days = {one.day: one.why for one in found(who, 300, at=at).days}
    assert days[date(2026, 11, 13)] == "You have 100 gallons left until November 14, 2026"
    assert days[date(2026, 11, 16)] == ""
    spring = found(who, 501, at=world.at("2027-04-14T12:00")).days
    assert [one.why for one in spring][:3] == [
        "You have 500 gallons left until April 15, 2027", "You have 500 gallons left until April 15, 2027",
        "You have 100 gallons left until September 30, 2027",
    ]  # fmt: skip


def test_every_time_offered_for_the_gallons_left_is_booked():
    who = hauler(rest=600)
    license_ends(date(2026, 10, 9))
    for choice in found(who, 600).days:
        if choice.fits:
            assert code(book(who, found(who, 600, choice.day).fits[0])).startswith("booked")
            break
    assert [one.fits for one in found(who, 1).days] == [False] * 10


def test_a_split_stays_inside_the_license_and_the_gallons_left():
    who = hauler(winter=1_990, rest=100)
    terms = terms_of(world.plant().id, who.business_id, world.law(), world.at("2026-11-12T12:00"))
    parts = offered.split_over(world.plant(), terms, world.at("2026-11-12T12:00"), 1_990)
    assert [one.start.date() for one in parts] == [date(2026, 11, 16)]
    assert offered.split_over(world.plant(), terms, world.at("2026-11-12T12:00"), 2_200).code == "allowance"
    license_ends(date(2026, 10, 6))
    terms = terms_of(world.plant().id, who.business_id, world.law(), MORNING)
    assert offered.split_over(world.plant(), terms, MORNING, 2_000).code == "no_room"


def test_the_week_leads_to_booking_only_on_days_the_license_holds(app):
    who = hauler()
    license_ends(date(2026, 10, 7))
    client = app.test_client()
    world.sign_in(client, who.email)
    page = str(client.get("/bayfield/week").get_data(as_text=True))
    assert sorted(set(re.findall(r"book\?day=([0-9-]+)", page))) == ["2026-10-06", "2026-10-07"]


@pytest.mark.parametrize(("one", "clock", "heading", "words"), [
    (session("2026-10-06T07:00", 600), "2026-10-06T07:01", "That time has passed",
     "The time you chose has passed. Nothing was booked."),
    (replace(session("2026-10-06T07:07", 600), gph=660), "2026-10-05T16:00", "That time is not offered",
     "Tuesday, October 6, 2026, 7:07 to 8:02 a.m. is not one of the times offered. Nothing was booked."),
    (session("2026-10-06T07:00", 600, minutes=54), "2026-10-05T16:00", "That is more than the limit allows",
     "667 gallons an hour is more than the limit of 666 at that time. Nothing was booked."),
    (session("2026-10-06T07:00", 600, minutes=60), "2026-10-05T16:00", "That time has changed",
     "From 7:00 a.m. this load runs until 7:55 a.m. now, at 655 gallons an hour. Nothing was booked."),
])  # fmt: skip
def test_each_time_that_cannot_be_had_says_its_own_reason_and_shows_fresh_times(app, clock_at, one, clock, heading,
                                                                                words):  # fmt: skip
    who = hauler()
    client = app.test_client()
    clock_at(clock)
    world.sign_in(client, who.email)
    address = f"/bayfield/hauler/book/check?{urlencode(LOAD | {'s': offered.to_key(one)})}"
    answer = client.post(address, data={"once": uuid4().hex})
    page = str(answer.get_data(as_text=True))
    assert answer.status_code == 409
    assert f"<h1>{heading}</h1>" in page
    assert words in page
    assert "just taken" not in page
    assert 'name="time"' in page
