"""One day for everybody and the same day with names for staff; what neither shows to whom."""

import re
from fractions import Fraction

import pytest

from intake.actions.restriction import restrict_plant
from intake.queries.pictures import initials, staff_day
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import TUESDAY, book, hauler, queries, session

DAY, SHEET = "/bayfield/day/2026-10-06", "/bayfield/plant/day/2026-10-06"


@pytest.fixture
def two(app, clock_at):
    """Two haulers of the same initials, both booked on Tuesday."""
    clock_at("2026-10-05T16:00")
    one, other = hauler("Test Pumping"), hauler("Tank Pros", number=2)
    book(one, session("2026-10-06T07:00", 600))
    book(other, session("2026-10-06T07:55", 500))
    return one, other


def text(client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.get_data(as_text=True))


def staff(app, name: str = "operator"):
    client = app.test_client()
    world.sign_in(client, name)
    return client


def test_the_days_page_says_what_is_left_and_names_nobody(app, two):
    page = text(app.test_client(), DAY)
    assert "<h1>Tuesday, October 6, 2026</h1>" in page
    assert "896 of 1,998 gallons left. The largest single load that fits is 876 gallons." in page
    assert 'href="/bayfield/hauler/book?day=2026-10-06">Book this day</a>' in page
    assert [word for word in ("Test Pumping", "Tank Pros", "TP", "T-1", "B-1006") if word in page] == []
    assert "Striped" not in page


def test_a_hauler_sees_its_own_booking_striped_and_only_that(app, two):
    client = app.test_client()
    world.sign_in(client, two[0].email)
    page = text(client, DAY)
    assert "Striped: your booking." in page
    wide = page.split("pic-narrow")[0]
    assert len(re.findall(r'fill="url\(#[^"]+-mine\)"', wide)) == 4
    assert "Tank Pros" not in page


def test_a_closed_day_says_why_and_has_no_booking(app, clock_at):
    clock_at("2026-11-24T12:00")
    page = text(app.test_client(), "/bayfield/day/2026-11-26")
    assert "Closed: Thanksgiving Day." in page
    assert "Book this day" not in page
    assert '<a class="beside" href="/bayfield/day/2026-11-25">Wed, Nov 25</a>' in page
    assert '<a class="beside" href="/bayfield/day/2026-11-27">Fri, Nov 27</a>' in page


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "20261006", "2026-W41-2", "1850-01-01", "2099-01-01"])
def test_an_address_without_such_a_day_is_not_found(app, clock_at, day):
    clock_at("2026-10-05T16:00")
    assert app.test_client().get(f"/bayfield/day/{day}").status_code == 404
    assert staff(app).get(f"/bayfield/plant/day/{day}").status_code == 404


def test_the_day_sheet_names_each_session_with_initials_of_its_own(app, two):
    page = text(staff(app), SHEET)
    table = re.sub(r"<[^>]+>", " ", page.split("<h2>Sessions</h2>")[1].split("</table>")[0])
    assert re.findall(
        r"(TP2?) +(Test Pumping|Tank Pros) +, T-\d +(T-\d) +([\d,]+) +(\d+) +(\w+), +(B-[\d-]+)", table
    ) == [
        ("TP2", "Test Pumping", "T-1", "600", "655", "Booked", "B-1006-01"),
        ("TP", "Tank Pros", "T-2", "500", "653", "Booked", "B-1006-02"),
    ]
    wide = page.split("pic-narrow")[0]
    assert re.findall(r'class="mid strong">(TP2?)<', wide) == ["TP2"] * 4 + ["TP"] * 4
    assert "2 haulers, 2 sessions; 896 gallons still free." in page


def test_the_day_sheet_shows_what_ran_and_what_is_held(app, two):
    log(two[0], 600, "2026-10-06T07:00", bottle="B1")
    good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), law=world.law(),
                             at=world.at("2026-10-06T07:30"))))  # fmt: skip
    at = world.at("2026-10-06T07:30")
    day = staff_day(world.plant(), world.law(), TUESDAY, at)
    assert [(one.hauler, one.state(at)) for one in day.lines] == [
        ("Test Pumping", "Unloading"), ("Tank Pros", "Held by restriction"),
    ]  # fmt: skip
    assert [one.state(world.at("2026-10-06T08:30")) for one in day.lines] == ["Unloaded", "Held by restriction"]
    drawn = sum(piece.part for column in day.columns for piece in column.pieces) * Fraction(666, 4)
    assert drawn == Fraction(655 * 55 + 653 * 46, 60)


def test_the_sheet_takes_as_many_queries_with_two_sessions_as_with_one(app, clock_at):
    clock_at("2026-10-05T16:00")
    one, other = hauler(), hauler("Tank Pros", number=2)
    counts = []
    for who, start in ((one, "07:00"), (other, "08:00")):
        book(who, session(f"2026-10-06T{start}", 300))
        staff_day(world.plant(), world.law(), TUESDAY, world.at("2026-10-05T16:00"))
        db.session.rollback()
        with queries() as seen:
            staff_day(world.plant(), world.law(), TUESDAY, world.at("2026-10-05T16:00"))
        counts.append(sum(query.startswith("SELECT") for query in seen))
    assert counts == [9] * 2


def test_initials_of_one_word_of_three_and_of_namesakes_differ():
    names = {
        1: "Nuñez & Sons Septic",
        2: "Honeywagon",
        3: "Test Pumping",
        4: "Tank Pros",
        5: "Top Pump Inc. of Bayfield",
    }
    assert initials(names) == {2: "HO", 1: "NSS", 4: "TP", 3: "TP2", 5: "TPI"}
