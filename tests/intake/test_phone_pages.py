"""The desk books for somebody on the phone by the same act, sees every booking, cancels, and says that nobody came."""

import re
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.models import Booking
from intake.queries import offered
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.plant import book, hauler, queries, session


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def desk(app, who):
    made = app.test_client()
    world.sign_in(made, "clerk")
    return made


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(path, data={"once": uuid4().hex} | data)


def test_a_booking_by_phone_goes_the_same_way_and_names_who_entered_it(desk, who):
    page = text(desk.get("/bayfield/plant/phone"))
    link = re.search(r'href="(/bayfield/plant/phone/\d+)">Test Pumping</a>, 715-555-0199', page)[1]
    assert "<h1>How much will Test Pumping bring?</h1>" in text(desk.get(link))
    first = post(desk, link, truck=str(who.truck_id), gallons="600", waste="septic_tank")
    times = text(desk.get(first.location))
    assert "Test Pumping brings <b>600 gallons</b>" in times
    second = post(desk, first.location, time=re.search(r'name="time" value="([^"]+)"', times)[1])
    check = text(desk.get(second.location))
    assert "By phone for <b>Test Pumping</b>, entered by Clerk of the City." in check
    done = post(desk, second.location)
    assert done.location == "/bayfield/plant/bookings/B-1006-01"
    shown = text(desk.get(done.location))
    assert "Monday, October 5, 2026, 4:00 p.m., by phone, entered by Clerk of the City" in shown
    booking = db.session.scalars(select(Booking)).one()
    assert (booking.by_phone, booking.made_by, booking.business_id) == (True, "Clerk of the City", who.business_id)
    body = db.session.scalars(select(Notice.body).where(Notice.kind == "booking_booked")).one()
    assert "\nBooked by phone, entered by Clerk of the City.\n" in body


def test_a_refusal_is_worded_for_the_one_on_the_phone(desk, app):
    small = hauler("Small Pumping", rest=100, number=3)
    key = offered.to_key(session("2026-10-06T07:00", 300))
    path = (
        f"/bayfield/plant/phone/{small.business_id}/check?truck={small.truck_id}&gallons=300&waste=septic_tank&s={key}"
    )
    page = text(post(desk, path))
    assert "<h1>Tell Small Pumping: this booking cannot be made</h1>" in page
    assert "has 100 gallons left for the rest of the year, of 100; this load needs 300." in page


def test_a_haulers_own_booking_is_not_by_phone_whatever_is_sent(who):
    assert book(who, session("2026-10-06T07:00", 600)).by_phone is False


def test_the_list_shows_what_is_to_come_first_one_first_and_finds_old_ones(desk, who, clock_at):
    other = hauler("Second Pumping", number=2)
    book(other, session("2026-10-07T07:00", 600))
    book(who, session("2026-10-06T07:00", 600))
    page = text(desk.get("/bayfield/plant/bookings"))
    assert re.findall(r"B-\d{4}-\d\d(?=</a>)", page) == ["B-1006-01", "B-1007-01"]
    clock_at("2026-10-06T12:00")
    page = text(desk.get("/bayfield/plant/bookings"))
    assert re.findall(r"B-\d{4}-\d\d(?=</a>)", page) == ["B-1007-01"]
    for words in ("b-1006", "test pump"):
        found = text(desk.get(f"/bayfield/plant/bookings?find={words}"))
        assert re.findall(r"B-\d{4}-\d\d(?=</a>)", found) == ["B-1006-01"]
    assert "No booking has “zzz” in its number" in text(desk.get("/bayfield/plant/bookings?find=zzz"))


def test_an_empty_list_says_so(desk):
    assert "No bookings to come." in text(desk.get("/bayfield/plant/bookings"))


def test_the_list_costs_the_same_queries_however_long(desk, who):
    counts = []
    for n in range(3):
        book(who, session(f"2026-10-06T07:{n:02d}", 1, minutes=1))
        desk.get("/bayfield/plant/bookings")
        with queries() as seen:
            desk.get("/bayfield/plant/bookings")
        counts.append(len([one for one in seen if one.startswith("SELECT")]))
    assert counts == [8] * 3


def test_nobody_came_and_came_after_all_by_two_buttons(desk, who, clock_at):
    book(who, session("2026-10-06T07:00", 600))
    path = "/bayfield/plant/bookings/B-1006-01"
    assert "Nobody came" not in text(desk.get(path))
    clock_at("2026-10-06T07:30")
    page = text(desk.get(path))
    assert 'href="/bayfield/plant/bookings/B-1006-01/no-show">Nobody came</a>' in page
    assert "You can take it back while the room is still free." in text(desk.get(f"{path}/no-show"))
    done = post(desk, f"{path}/no-show", note="Called twice")
    shown = text(desk.get(done.location))
    assert ("Did not come" in shown, "Called twice" in shown, "They came after all" in shown) == (True, True, True)
    again = post(desk, f"{path}/no-show")
    assert again.status_code == 409
    assert "Booking B-1006-01 is not waited for any more: did not come." in text(again)
    back = post(desk, f"{path}/came")
    assert "Booking B-1006-01 stands again." in text(desk.get(back.location))


def test_the_desk_cancels_for_them(desk, who):
    book(who, session("2026-10-06T07:00", 600))
    assert "the gallons go back to the hauler's season" in text(desk.get("/bayfield/plant/bookings/B-1006-01/cancel"))
    done = post(desk, "/bayfield/plant/bookings/B-1006-01/cancel", reason="They called")
    assert "They called" in text(desk.get(done.location))
