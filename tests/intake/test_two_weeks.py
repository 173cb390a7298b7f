"""The two-week table: its days, its cells, its links, and as many queries with three hundred bookings as with none."""

import re
from datetime import date, timedelta
from html import unescape

import pytest

from intake.actions.restriction import restrict_plant
from intake.models import Booking, PlannedSession
from intake.queries import two_weeks
from intake.queries.bookings import first_point
from intake.queries.two_weeks import Cell, days_shown
from office.access import Role, system
from office.acts import act
from office.db import db
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import TUESDAY, book, hauler, planned, queries, session

NOON = "2026-10-05T12:00"


def table(at: str = NOON):
    moment = world.at(at)
    return two_weeks.two_weeks(world.plant(), world.law(moment.date()), moment)


def row(day: date = TUESDAY, at: str = NOON):
    return next(one for one in table(at).rows if one.day == day)


def words(found) -> list[str]:
    return [one.words for one in found.cells]


@pytest.mark.parametrize(("today", "first"), [
    ("2026-10-05", "2026-10-05"), ("2026-10-09", "2026-10-05"), ("2026-10-10", "2026-10-12"),
    ("2026-10-11", "2026-10-12"), ("2026-12-31", "2026-12-28"),
])  # fmt: skip
def test_the_table_has_ten_weekdays_from_the_monday_of_this_week_or_after_its_last_open_day(app, today, first):
    days = days_shown(world.law(), date.fromisoformat(today))
    monday = date.fromisoformat(first)
    assert days == [monday + timedelta(days=n) for n in (0, 1, 2, 3, 4, 7, 8, 9, 10, 11)]


def test_a_cell_says_full_or_the_gallons_still_free_and_its_shade(app):
    planned(hauler(), session("2026-10-06T07:00", 333, gph=666))
    planned(hauler("Other Pumping", number=2), session("2026-10-06T07:30", 75, gph=300))
    found = row()
    assert words(found) == ["full", "full", "91"] + ["166"] * 9
    assert [one.shade for one in found.cells] == [0, 0, 2] + [3] * 9
    # Once round: 1,998 − 333 − 75, not the sum of the rounded cells.
    assert (found.left, sum(int(one) for one in words(found)[2:])) == (1_590, 1_585)


def test_hours_gone_by_and_restricted_ones_are_hatched_with_a_word(app):
    assert row(at="2026-10-06T07:45").cells[:4] == (Cell("over", None),) * 3 + (Cell("166", 3),)
    good(kept(restrict_plant(world.plant(), "permit_threat", by=world.staff("director"), law=world.law(),
                             at=world.at("2026-10-06T08:00"))))  # fmt: skip
    assert words(row(at="2026-10-06T08:00")) == ["over"] * 4 + ["no"] * 8


@pytest.mark.parametrize(("day", "at", "closed"), [
    ("2026-11-26", "2026-11-24T12:00", "Closed: Thanksgiving Day"), ("2026-10-06", "2026-10-06T10:00", "Over"),
    ("2026-10-06", "2026-10-06T09:59:59", ""), ("2026-10-05", "2026-10-06T06:00", "Over"),
])  # fmt: skip
def test_a_closed_or_finished_day_says_why_instead_of_cells(app, day, at, closed):
    found = row(date.fromisoformat(day), at)
    assert (found.closed, len(found.cells)) == (closed, 0 if closed else 12)


@act("test_many", roles=(Role.SYSTEM,))
def _many(who, count, *, by, at):
    """So many bookings of one gallon, thirty on each of ten days."""
    plant = world.plant()
    point = first_point(plant.id)
    for n in range(count):
        one = session(f"2026-10-{(5, 6, 7, 8, 9, 12, 13, 14, 15, 16)[n // 30]:02d}T07:{n % 30:02d}", 1, minutes=1)
        booking = Booking(plant_id=plant.id, number=f"B-X-{n}", approval_id=who.approval_id,
                          business_id=who.business_id, truck_id=who.truck_id, waste="septic_tank", gallons=1,
                          state="booked", made_at=at, made_by="Test", law_version=world.law().version)  # fmt: skip
        db.session.add(booking)
        db.session.flush()
        db.session.add(PlannedSession(plant_id=plant.id, booking_id=booking.id, point_id=point.id, gallons=1,
                                      day=one.start.date(), starts=one.start, ends=one.end, gph=one.gph))  # fmt: skip
    return True


def test_the_page_takes_as_many_queries_with_three_hundred_bookings_as_with_none(app, clock_at):
    clock_at("2026-10-05T06:00")
    who, client, counts = hauler(), app.test_client(), []
    for count in (0, 300):
        _many(who, count, by=system(), at=world.at("2026-10-04T12:00"))
        db.session.commit()
        client.get("/bayfield/week")
        with queries() as seen:
            page = client.get("/bayfield/week").get_data(as_text=True)
        counts.append((sum(one.startswith("SELECT") for one in seen), page.count("<b>1,998<"), page.count("<b>1,968<")))
    assert counts == [(4, 10, 0), (4, 0, 10)]


def links(page: str) -> list[tuple[str, str]]:
    """What each link of the table says to a screen reader, and where it leads."""
    rows = re.findall(r'<a href="([^"]+)">(.*?)</a>', page.split("<tbody>")[1], re.DOTALL)
    return [(unescape(re.sub(r"<[^>]+>", "", said)), href) for href, said in rows]


def test_a_phone_sees_times_and_a_desk_books_staff_have_the_day_sheet(app, clock_at):
    clock_at("2026-10-15T12:00")
    page = app.test_client().get("/bayfield/week").get_data(as_text=True)
    assert links(page)[:2] == [("See times of Fri, Oct 16", "/bayfield/day/2026-10-16"),
                               ("Book Fri, Oct 16", "/bayfield/hauler/book?day=2026-10-16")]  # fmt: skip
    client = app.test_client()
    world.sign_in(client, "operator")
    assert links(client.get("/bayfield/week").get_data(as_text=True))[:2] == [
        ("Day sheet of Mon, Oct 12", "/bayfield/plant/day/2026-10-12"),
        ("Day sheet of Tue, Oct 13", "/bayfield/plant/day/2026-10-13"),
    ]


def test_a_hauler_is_not_led_to_book_a_day_outside_its_approval(app, clock_at):
    clock_at("2026-09-24T12:00")
    who = hauler()
    client = app.test_client()
    world.sign_in(client, who.email)
    booked = [words for words, _ in links(client.get("/bayfield/week").get_data(as_text=True)) if "Book" in words]
    assert booked == ["Book Thu, Oct 1", "Book Fri, Oct 2"]


def test_a_day_booked_whole_shows_its_times_but_no_booking(app, clock_at):
    clock_at("2026-10-05T12:00")
    book(hauler(), session("2026-10-06T07:00", 1_998))
    found = links(app.test_client().get("/bayfield/week").get_data(as_text=True))
    assert [words for words, href in found if "2026-10-06" in href] == ["See times of Tue, Oct 6"]
