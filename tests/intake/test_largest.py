"""Beside every free figure stands the largest single load that fits, and at which of several points."""

import re
from datetime import date, timedelta
from typing import Any

import pytest

from intake.queries.largest import largest_at, largest_words
from intake.queries.public import plant_status
from ordinances import offers
from tests import world
from tests.intake.plant import TUESDAY, WEDNESDAY, Hauler, book, code, hauler, picture, session
from tests.intake.test_points import set_to, station
from tests.intake.test_points_pages import second, text

NOON = "2026-10-05T12:00"


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at(NOON)
    return hauler()


@pytest.fixture
def busy(who: Hauler) -> Hauler:
    """Tuesday with 1,097 gallons left, in pieces of which the largest holds 555."""
    book(who, session("2026-10-06T07:00", 300))
    book(who, session("2026-10-06T08:15", 600))
    return who


def page(app: Any, path: str, person: str = "") -> str:
    client = app.test_client()
    if person:
        world.sign_in(client, person)
    return text(client.get(f"/bayfield{path}"))


def row(app: Any, path: str, person: str = "") -> list[tuple[str, str]]:
    """What the row of Tuesday says is left and is the largest load."""
    client = app.test_client()
    if person:
        world.sign_in(client, person)
    table = client.get(f"/bayfield{path}").get_data(as_text=True)
    found = re.findall(r'<th scope="row">Tue, Oct 6</th>(.*?)</tr>', table, re.S)[0]
    return re.findall(r'<b>([\d,]+)</b><span class="note"><span class="visually-hidden">, largest load </span>([\d,]+)',
                      found)  # fmt: skip


def test_the_two_weeks_say_it_a_day_to_everybody_and_to_the_director(app, busy):
    assert row(app, "/week") == [("1,097", "555")]
    assert row(app, "/director/schedule", "director") == [("1,097", "555")]
    assert "Below it stands the largest single load that fits." in page(app, "/director/schedule", "director")
    assert "Left Largest load Mon, Oct 5" in page(app, "/week")


def test_the_stations_board_says_it_before_and_in_the_hours(app, busy, clock_at):
    clock_at("2026-10-06T06:30")
    assert "1,097 gallons free today, largest load 555" in page(app, "/station", "operator")
    clock_at("2026-10-06T09:30")
    assert "333 gallons left, largest load 321" in page(app, "/station", "operator")


def test_the_words_for_everybody_say_it_in_the_page_and_the_three_feeds(app, busy, clock_at):
    clock_at("2026-10-05T12:00")
    words = "1,097 gallons are free that day. The largest single load that fits is 555."
    client = app.test_client()
    assert words in page(app, "/")
    assert client.get("/bayfield/status.json").json["lines"] == [words]
    assert words in client.get("/bayfield/status.txt").get_data(as_text=True)
    assert words in client.get("/bayfield/status.atom").get_data(as_text=True)


def test_every_picture_of_a_day_says_it(app, busy):
    said = "1,097 gallons still free. The largest single load that fits is 555."
    assert said in page(app, "/")
    assert said in page(app, "/day/2026-10-06")
    assert said in page(app, "/hauler/book/times?truck=1&gallons=300&waste=septic_tank&day=2026-10-06", busy.email)
    assert said in page(app, "/plant/day/2026-10-06", "operator")


@pytest.mark.parametrize(("gallons", "books"), [(555, True), (556, False)])
def test_the_load_said_books_and_one_gallon_more_does_not(busy, gallons, books):
    assert picture().largest == 555
    answer = code(book(busy, session("2026-10-06T09:10", gallons, minutes=50)))
    assert answer == ("booked B-1006-03" if books else "over_limit")


def test_of_several_points_the_one_that_takes_it_is_named(app, who, clock_at):
    set_to(station(), max_gph=300)
    second()
    assert (largest_at(picture()), largest_words(picture())) == ("Lagoon", "1,998, at Lagoon")
    assert "the largest single load that fits is 1,998, at Lagoon" in page(app, "/")
    assert "The largest single load that fits is 1,998, at Lagoon." in page(app, "/")
    assert row(app, "/week") == [("1,998", "1,998")]
    assert "1,998 Lagoon" in page(app, "/week")
    clock_at("2026-10-06T08:00")
    client = app.test_client()
    assert client.get("/bayfield/status.json").json["largest_load_at"] == "Lagoon"
    assert "largest load 1,320, at Lagoon; limit" in client.get("/bayfield/status.txt").get_data(as_text=True)
    assert "1,332 gallons left, largest load 1,320, at Lagoon" in page(app, "/station", "operator")


def test_no_point_is_named_where_every_one_takes_it_or_there_is_one(who):
    assert largest_at(picture()) == ""
    lagoon = second()
    assert largest_at(picture()) == ""
    set_to(lagoon, WEDNESDAY, is_open=False)
    assert (largest_at(picture(WEDNESDAY)), largest_at(picture(TUESDAY))) == ("", "")


def test_a_full_day_says_no_largest_load(app, who):
    book(who, session("2026-10-06T07:00", 1_998))
    now = plant_status(world.plant(), world.law(date(2026, 10, 6)), world.at("2026-10-06T06:00"))
    assert now.lines == ("0 gallons are free that day.",)
    assert row(app, "/week") == [("0", "0")]


@pytest.mark.parametrize("second", ["06:59:59", "07:00:00", "07:00:01", "07:00:59", "07:01:00", "08:29:59", "09:58:00",
                                    "09:59:00"])  # fmt: skip
def test_the_largest_load_that_is_shown_books_in_that_second_and_one_gallon_more_does_not(who, second):
    at = world.at(f"2026-10-06T{second}")
    shown = picture(TUESDAY, at)
    assert shown.largest == 666 * max(0, 600 - int(shown.earliest.astimezone(world.ZONE).hour * 60)
                                      - shown.earliest.minute) // 60  # fmt: skip
    if not shown.largest:
        assert shown.next_free is None
        return
    one = offers.session_at(shown.steps, shown.next_free, shown.largest)
    more = offers.session_at(shown.steps, shown.earliest, shown.largest + 1)
    assert isinstance(more, offers.NoFit)
    assert code(book(who, one, at=at)) == "booked B-1006-01"


def test_beside_a_booked_time_too_it_counts_from_the_first_minute_that_can_be_booked(busy):
    at = world.at("2026-10-06T07:27:00")
    shown = picture(TUESDAY, at)
    assert (shown.largest, shown.next_free.astimezone(world.ZONE).strftime("%H:%M")) == (555, "09:10")
    at = world.at("2026-10-06T09:10:00")
    assert (picture(TUESDAY, at).largest, picture(TUESDAY, at - timedelta(seconds=1)).largest) == (543, 555)
