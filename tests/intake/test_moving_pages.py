"""Pages to move a booking or cancel one part: what stays is said before, a time just taken changes nothing."""

import re
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.models import Booking
from intake.queries import offered
from office.db import db
from ordinances import offers
from tests import world
from tests.intake.plant import MORNING, TUESDAY, WEDNESDAY, book, hauler, picture, session


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def client(app, who):
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def text(answer) -> str:
    return re.sub(r"\s+", " ", answer.get_data(as_text=True))


def post(client, path, **data):
    return client.post(path, data={"once": uuid4().hex} | data)


def split(who):
    return book(who, offers.split([(day, picture(day).steps) for day in (TUESDAY, WEDNESDAY)], 2_000, MORNING))


def test_a_booking_is_moved_in_four_clicks_and_its_page_says_so(client, who):
    book(who, session("2026-10-06T07:00", 1_998))
    assert 'href="/bayfield/bookings/B-1006-01/move"' in text(client.get("/bayfield/hauler/bookings/B-1006-01"))
    times = client.get("/bayfield/bookings/B-1006-01/move").location
    page = text(client.get(times))
    assert "<h1>To when do you move it?</h1>" in page
    assert "1,998 gallons still free." in page
    chosen = re.search(r'name="time" value="(20261006T1200[^"]+)"', page)[1]
    day = text(client.get(times + "&day=2026-10-07"))
    chosen = re.search(r'name="time" value="([^"]+)"', day)[1]
    assert chosen.startswith("20261007T1200")
    check = post(client, times + "&day=2026-10-07", time=chosen)
    shown = text(client.get(check.location))
    assert "<dt>From</dt> <dd><div><b>Tuesday, October 6, 7:00 to 10:00 a.m.</b>" in shown
    assert "<dt>To</dt> <dd><div><b>Wednesday, October 7, 7:00 to 10:00 a.m.</b>" in shown
    done = post(client, check.location)
    assert done.location == "/bayfield/hauler/bookings/B-1006-01"
    after = text(client.get(done.location))
    assert "Booking B-1006-01 is moved." in after
    assert "<dt>Moved</dt> <dd>Monday, October 5, 2026, 4:00 p.m.</dd>" in after
    assert "Wednesday, October 7, 7:00 to 10:00 a.m." in after


def test_a_time_taken_meanwhile_shows_fresh_times_and_the_old_time_stays(client, who):
    book(who, session("2026-10-06T07:00", 600))
    book(hauler("Second Pumping", number=2), session("2026-10-07T07:00", 1_998))
    key = offered.to_key(session("2026-10-07T08:00", 600))
    answer = post(client, f"/bayfield/bookings/B-1006-01/move/check?part=all&s={key}")
    page = text(answer)
    assert answer.status_code == 409
    assert "<h1>That time was just taken</h1>" in page
    assert "Nothing was moved: booking B-1006-01 keeps its time." in page
    assert len(re.findall('name="time"', page)) > 1
    assert len(re.findall('name="time" value="[^"]+" checked', page)) == 1
    assert "Tuesday, October 6, 7:00 to 7:55 a.m." in text(client.get("/bayfield/hauler/bookings/B-1006-01"))


def test_moving_one_morning_of_a_split_says_before_what_stays_and_offers_no_day_the_rest_has(client, who):
    split(who)
    page = text(client.get("/bayfield/bookings/B-1006-01/move"))
    assert "<h1>What do you move?</h1>" in page
    assert "2 gallons. The rest stays booked: 1,998 gallons on Tue, Oct 6" in page
    times = post(client, "/bayfield/bookings/B-1006-01/move", part="2026-10-07").location
    shown = text(client.get(times))
    assert "<dt>Stays as it is</dt> <dd><div><b>Tuesday, October 6, 7:00 to 10:00 a.m.</b>" in shown
    assert 'name="time" value="20261006' not in shown
    key = offered.to_key(session("2026-10-08T07:00", 2, minutes=1))
    done = post(client, f"/bayfield/bookings/B-1006-01/move/check?part=2026-10-07&s={key}")
    after = text(client.get(done.location))
    assert ("Thursday, October 8, 7:00 to 7:01 a.m." in after, "Tuesday, October 6" in after) == (True, True)


def test_a_whole_split_is_offered_other_mornings(client, who):
    split(who)
    book(hauler("Second Pumping", number=2), session("2026-10-08T07:00", 1_000))
    page = text(client.get("/bayfield/bookings/B-1006-01/move/times?part=all"))
    assert "No time fits 2,000 gallons in the next open days" in page
    assert "<h2>Split over 2 days</h2>" in page


def test_cancelling_one_morning_says_before_what_stays(client, who):
    split(who)
    page = text(client.get("/bayfield/hauler/bookings/B-1006-01/cancel"))
    assert "1,998 gallons. The rest stays booked: 2 gallons on Wed, Oct 7" in page
    wrong = post(client, "/bayfield/hauler/bookings/B-1006-01/cancel")
    assert (wrong.status_code, "Select what you cancel" in text(wrong)) == (422, True)
    done = post(client, "/bayfield/hauler/bookings/B-1006-01/cancel", part="2026-10-06")
    assert "One time of booking B-1006-01 is cancelled." in text(client.get(done.location))
    assert db.session.scalars(select(Booking.gallons)).one() == 2


def test_what_cannot_move_says_why(client, who):
    book(who, session("2026-10-06T07:00", 600))
    post(client, "/bayfield/hauler/bookings/B-1006-01/cancel")
    for tail in ("", "/times"):
        answer = client.get(f"/bayfield/bookings/B-1006-01/move{tail}")
        assert (answer.status_code, "Booking B-1006-01 is cancelled already." in text(answer)) == (409, True)
    assert client.get("/bayfield/bookings/B-1006-99/move").status_code == 404


def test_anothers_booking_reads_as_not_found_and_the_plant_moves_any(app, who):
    other = hauler("Second Pumping", number=2)
    book(who, session("2026-10-06T07:00", 600))
    theirs, desk = app.test_client(), app.test_client()
    world.sign_in(theirs, other.email)
    world.sign_in(desk, "operator")
    key = offered.to_key(session("2026-10-07T08:00", 600))
    path = f"/bayfield/bookings/B-1006-01/move/check?part=all&s={key}"
    assert post(theirs, path).status_code == 404
    assert post(desk, path).location == "/bayfield/plant/bookings/B-1006-01"
