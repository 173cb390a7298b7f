"""Who missed a time by a restriction is offered times first on lifting: in the words, with the address to book at."""

import pytest
from sqlalchemy import select

from intake.actions.listing import times_words
from intake.models import Booking, Wait
from office.db import db
from office.notices import Notice
from tests import world
from tests.haulers.test_kept_words import nobody_signs_in
from tests.intake.gatehouse import good, log
from tests.intake.plant import WEDNESDAY, book, hauler, session, times_page
from tests.intake.test_restriction import lift, restrict

pytestmark = pytest.mark.usefixtures("app")


def told(name="Test Pumping"):
    """What the message about the lifting says of the bookings of a hauler."""
    body = db.session.scalars(select(Notice.body).filter_by(kind="lifted", to_name=name)).one()
    lines = body.splitlines()
    return lines[lines.index("Your bookings:") + 1 : -2]


def test_the_address_in_the_message_shows_its_hauler_the_times_of_that_day(app, clock_at):
    who, client = hauler(), app.test_client()
    book(who, session("2026-10-06T09:00", 300))
    lift(restrict(), world.at("2026-10-06T12:00"))
    assert told() == [
        "B-1006-01, Tue, Oct 6, 9:00 a.m.: missed by restriction; book again.",
        "Times that fit it now: Wed, Oct 7, 7:00 to 7:28 a.m.; 7:15 to 7:43 a.m.; 7:30 to 7:58 a.m.",
        f"Book here: {times_page(who, 300, WEDNESDAY)}", "",
        "Choose first: book one of these times now.",
    ]  # fmt: skip
    clock_at("2026-10-06T12:05")
    world.sign_in(client, who.email)
    page = client.get(times_page(who, 300, WEDNESDAY).removeprefix("http://localhost:8000"))
    assert (page.status_code, "7:00 to 7:28 a.m." in page.text, "Wednesday, October 7" in page.text) == (
        200,
        True,
        True,
    )


def test_two_who_missed_a_time_each_read_the_times_of_their_own_load():
    one, two = hauler(), hauler("Second Pumping", number=2)
    good(book(one, session("2026-10-06T09:00", 300)))
    good(book(two, session("2026-10-06T08:15", 60)))
    lift(restrict(), world.at("2026-10-06T12:00"))
    assert told("Second Pumping")[:2] == [
        "B-1006-02, Tue, Oct 6, 8:15 a.m.: missed by restriction; book again.",
        "Times that fit it now: Wed, Oct 7, 7:00 to 7:06 a.m.; 7:15 to 7:21 a.m.; 7:30 to 7:36 a.m.",
    ]
    assert [line for line in told() if "B-1006-02" in line] == []


def test_a_load_that_fits_no_window_is_offered_the_mornings_it_can_be_split_over():
    who = hauler()
    book(who, [session("2026-10-06T09:00", 502), session("2026-10-07T07:00", 1_998)])
    lift(restrict(), world.at("2026-10-06T12:00"))
    assert told()[1:3] == [
        "It fits split over Wed, Oct 7, 7:00 to 10:00 a.m., 1,998 gallons and Thu, Oct 8, 7:00 to 7:46 a.m., "
        "502 gallons",
        f"Book here: {times_page(who, 2_500, WEDNESDAY)}",
    ]


def test_a_load_that_fits_no_day_now_stands_in_line_as_early_as_it_was_booked():
    who, other = hauler(), hauler("Second Pumping", number=2)
    made = book(who, session("2026-10-06T09:00", 300))
    row = restrict()
    for n in range(7, 31):
        if world.at(f"2026-10-{n:02}T07:00").weekday() < 5:
            book(other, session(f"2026-10-{n:02}T07:00", 1_998))
    lift(row, world.at("2026-10-06T12:00"))
    wait = db.session.scalars(select(Wait)).one()
    assert (wait.gallons, wait.asked_at) == (300, made.made_at)
    assert told()[1] == ("No time fits it now. It stands in line for room until October 20, 2026, as early as it was "
                         "booked.")  # fmt: skip


def test_what_is_left_of_a_load_split_over_mornings_is_offered_times_not_the_whole():
    who = hauler()
    made = good(book(who, [session("2026-10-06T07:00", 300), session("2026-10-07T07:00", 400)]))
    good(log(who, 300, booking=made))
    lift(restrict(), world.at("2026-10-07T12:00"))
    assert told()[1:3] == [
        "Times that fit it now: Thu, Oct 8, 7:00 to 7:37 a.m.; 7:15 to 7:52 a.m.; 7:30 to 8:07 a.m.",
        "Move it here: http://localhost:8000/bayfield/bookings/B-1006-01/move/times?part=all&day=2026-10-08",
    ]


def test_no_address_is_written_to_a_company_for_which_nobody_signs_in():
    who, at = hauler(), world.at("2026-10-06T12:00")
    booking = good(book(who, session("2026-10-07T09:00", 300)))
    nobody_signs_in(who.business_id)
    words = times_words(world.plant(), world.law(), db.session.get_one(Booking, booking.id), at)
    assert words == "Times that fit it now: Wed, Oct 7, 7:00 to 7:28 a.m.; 7:15 to 7:43 a.m.; 7:30 to 7:58 a.m."
