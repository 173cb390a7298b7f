"""What the plant says to everybody: the state, the gallons left, the application window, three feeds that agree."""

from datetime import date, timedelta
from xml.etree import ElementTree

import pytest

from intake.actions.restriction import lift_restriction, restrict_plant
from intake.queries.public import plant_status
from office.db import db
from office.plants import set_closure
from tests import world
from tests.intake.plant import MORNING, book, code, hauler, picture, session

pytestmark = pytest.mark.usefixtures("app")


def status(at: str):
    moment = world.at(at)
    return plant_status(world.plant(), world.law(moment.date()), moment)


@pytest.mark.parametrize(("at", "state", "headline"), [
    ("2026-10-06T06:59:59", "opens_later", "Opens today at 7:00 a.m."),
    ("2026-10-06T07:00", "open", "Open until 10:00 a.m."),
    ("2026-10-06T07:52", "open", "Open until 10:00 a.m."),
    ("2026-10-06T09:59:59", "open", "Open until 10:00 a.m."),
    ("2026-10-06T10:00", "opens_later", "Opens Wednesday, October 7, at 7:00 a.m."),
    ("2026-10-09T19:30", "opens_later", "Opens Monday, October 12, at 7:00 a.m."),
    ("2026-10-11T08:00", "opens_later", "Opens Monday, October 12, at 7:00 a.m."),
    ("2026-11-26T08:00", "closed", "Closed today: holiday"),
    ("2026-11-25T10:00", "opens_later", "Opens Friday, November 27, at 7:00 a.m."),
    ("2026-11-01T01:30", "opens_later", "Opens Monday, November 2, at 7:00 a.m."),
])  # fmt: skip
def test_the_headline_says_open_until_when_or_opens_when(at, state, headline):
    now = status(at)
    assert (now.state, now.headline) == (state, headline)


def test_a_holiday_is_named_with_the_next_open_day():
    assert status("2026-11-26T08:00").lines == (
        "Thanksgiving Day. Next open: Friday, November 27, at 7:00 a.m. 1,998 gallons are free that day. "
        "The largest single load that fits is 1,998.",
    )


def test_a_closure_is_named_and_the_day_is_not_open():
    set_closure(
        world.plant(), date(2026, 10, 6), "no operator on duty", "closed", by=world.staff("manager"), at=MORNING
    )
    db.session.commit()
    now = status("2026-10-06T08:00")
    assert (now.state, now.headline, now.gallons_left) == ("closed", "Closed today: no operator on duty", 0)


def test_gallons_left_count_from_now_and_the_next_free_time_follows():
    who = hauler()
    book(who, session("2026-10-06T07:30", 666))
    now = status("2026-10-06T07:52")
    assert (now.gallons_left, now.largest) == (999, 999)
    assert now.next_free == world.at("2026-10-06T08:30")
    assert now.limit_gph == 666


def test_the_next_free_time_skips_full_days():
    who = hauler()
    for day in ("06", "07"):
        book(who, session(f"2026-10-{day}T07:00", 1_998))
    assert status("2026-10-06T06:00").next_free == world.at("2026-10-08T07:00")


def test_after_hours_the_gallons_of_the_next_open_day_are_told():
    who = hauler()
    book(who, session("2026-10-07T07:00", 300))
    book(who, session("2026-10-07T08:15", 600))
    assert status("2026-10-06T12:00").lines == (
        "1,097 gallons are free that day. The largest single load that fits is 555.",
    )


def test_a_restriction_goes_before_everything_and_lifting_ends_it():
    law, by, at = world.law(), world.staff("director"), world.at("2026-10-06T08:12")
    row = restrict_plant(world.plant(), "permit_threat", by=by, at=at, law=law)
    db.session.commit()
    now = status("2026-10-06T09:00")
    assert (now.state, now.headline, now.gallons_left) == ("restricted", "Restricted since 8:12 a.m.", 0)
    assert now.lines == (
        "No septage is being accepted. Reason: risk of breaking our discharge permit.",
        "Next update by 12:12 p.m.",
    )
    assert status("2026-10-07T06:00").headline == "Restricted since Tuesday, October 6, 2026, 8:12 a.m."
    lift_restriction(world.plant(), row.id, "Ammonia is down", by=by, at=at + timedelta(minutes=30), law=law)
    db.session.commit()
    assert status("2026-10-06T09:00").headline == "Open until 10:00 a.m."


def test_a_lower_limit_is_told_in_gallons_an_hour():
    at = world.at("2026-10-06T07:00")
    restrict_plant(world.plant(), "operational_problem", scope="rate", gph=300, by=world.staff("director"), at=at,
                   law=world.law())  # fmt: skip
    db.session.commit()
    now = status("2026-10-06T07:00")
    assert (now.state, now.headline, now.limit_gph, now.gallons_left) == (
        "restricted", "Reduced to 300 gallons an hour", 300, 900,
    )  # fmt: skip


@pytest.mark.parametrize(("at", "title", "words"), [
    ("2026-06-30T23:59", "Forms open July 1", "You can apply from August 1."),
    ("2026-07-01T00:00", "You can fill in the form now",
     "You can send it from August 1. The committee decides by October 1."),
    ("2026-08-01T00:00", "32 days left to apply",
     "Closes Tuesday, September 1, at 11:59 p.m. Central time. The committee decides by October 1."),
    ("2026-08-06T12:00", "26 days left to apply",
     "Closes Tuesday, September 1, at 11:59 p.m. Central time. The committee decides by October 1."),
    ("2026-08-31T12:00", "36 hours left to apply",
     "Closes Tuesday, September 1, at 11:59 p.m. Central time. The committee decides by October 1."),
    ("2026-09-01T23:58", "2 minutes left to apply",
     "Closes Tuesday, September 1, at 11:59 p.m. Central time. The committee decides by October 1."),
    ("2026-09-02T00:00", "Closed. The committee decides by October 1",
     "Applications for season 2026-27 were taken until September 1. Forms for the next season open July 1."),
    ("2026-10-01T00:00", "Decisions for season 2026-27 were due",
     "Next season: forms open July 1. You can apply from August 1."),
])  # fmt: skip
def test_the_application_box_says_what_can_be_done_on_that_day(at, title, words):
    box = status(at).box
    assert (box.title, box.words) == (title, words)


def test_decisions_are_out_once_somebody_is_approved():
    hauler()
    assert status("2026-10-02T08:00").box.title == "Decisions are out"


def test_page_json_text_and_feed_say_the_same_at_the_same_instant(app, clock_at):
    who = hauler("Quiet Pumping")
    book(who, session("2026-10-06T07:30", 666))
    clock_at("2026-10-06T07:52")
    client = app.test_client()
    page = client.get("/bayfield/").get_data(as_text=True)
    data = client.get("/bayfield/status.json").get_json()
    line = client.get("/bayfield/status.txt").get_data(as_text=True)
    feed = ElementTree.fromstring(client.get("/bayfield/status.atom").get_data())
    title = feed.findtext("{*}entry/{*}title")
    assert data == {
        "plant": "Bayfield Wastewater Treatment Works", "state": "open", "word": "Open",
        "headline": "Open until 10:00 a.m.", "lines": ["An operator is on duty. Booked haulers may unload."],
        "accepting": True, "since": "2026-10-06T07:00-05:00", "until": "2026-10-06T10:00-05:00", "next_open": None,
        "gallons_left": 999, "largest_load": 999, "largest_load_at": None,
        "next_free": "2026-10-06T08:30-05:00", "limit_gph": 666,
        "restrictions": [], "at": "2026-10-06T07:52-05:00",
    }  # fmt: skip
    assert line == (
        "Bayfield Wastewater Treatment Works: Open until 10:00 a.m. 999 gallons left today; largest load 999; "
        "limit 666 gallons an hour.\n"
    )
    assert title == "Open: Open until 10:00 a.m."
    assert "Open until 10:00 a.m." in page
    assert "<b>999</b>" in page


@pytest.mark.parametrize(
    "address", ["", "week", "rules", "fees", "notices", "status.json", "status.txt", "status.atom"]
)
def test_no_public_page_names_a_hauler_a_plate_or_a_booking(app, clock_at, address):
    who = hauler("Quiet Pumping")
    book(who, session("2026-10-06T07:30", 666))
    clock_at("2026-10-06T07:52")
    answer = app.test_client().get(f"/bayfield/{address}")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 200
    assert [word for word in ("Quiet Pumping", "T-1", "B-1006") if word in text] == []


def test_the_free_gallons_of_the_table_add_up_to_the_headline(app, clock_at):
    import re
    from fractions import Fraction

    assert code(book(hauler(), session("2026-10-06T08:15", 500))) == "booked B-1006-01"
    clock_at("2026-10-06T07:52")
    page = app.test_client().get("/bayfield/").get_data(as_text=True)
    free = [Fraction(found) for found in re.findall(r'data-free="([0-9.]+)"', page)]
    left = picture(date(2026, 10, 6), world.at("2026-10-06T07:52")).room
    assert int(sum(free) + Fraction(1, 1000)) == left
    assert f"<b>{left:,}</b>" in page


def test_the_week_names_the_holiday_and_offers_no_booking_on_it(app, clock_at):
    clock_at("2026-11-24T12:00")
    page = app.test_client().get("/bayfield/week").get_data(as_text=True)
    assert "Closed: Thanksgiving Day" in page
    assert "day=2026-11-26" not in page
    assert "day=2026-11-27" in page


def test_every_rule_is_on_the_rules_page_with_its_section(app, clock_at):
    from markupsafe import escape

    clock_at("2026-10-06T12:00")
    page = app.test_client().get("/bayfield/rules").get_data(as_text=True)
    rows = world.law().rows(date(2026, 10, 6))
    missing = [
        row.key for row in rows if str(escape(row.cite)) not in page or str(escape(row.schema.title)) not in page
    ]
    assert (len(rows) > 50, missing) == (True, [])
    assert "160,000 gallons a day ÷ 24 = 6,666 gallons an hour" in page


def test_the_rules_page_says_choices_limits_and_quantities_in_plain_words(app, clock_at):
    import re

    clock_at("2026-10-06T12:00")
    page = app.test_client().get("/bayfield/rules").get_data(as_text=True)
    said = {
        title: " ".join(words.split())
        for title, words in re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)", page.replace("&#39;", "'"))
    }
    shown = ("pH too low", "Temperature", "Septage unloaded", "A late application")
    assert {title: said[title] for title in shown} == {
        "pH too low": "pH below 5.5: the load is refused",
        "Temperature": "temperature above 150 °F: the Superintendent is asked",
        "Septage unloaded": "$0.024 a gallon",
        "A late application": "the committee may be asked to take it",
    }
    assert said["Supervision at another time of the day"] == (
        "the hourly wage of the supervisor, rounded up to a quarter hour, at least 1 hour"
    )
    raw = re.compile(r"_|^(window committee|pro rata|none|stated|ch68)$|: (reject|ask|warn)$|^1 hours|^0\.25")
    assert [words for words in said.values() if raw.search(words)] == []


def test_the_calculator_totals_a_load_and_says_what_is_wrong_with_a_number(app, clock_at):
    clock_at("2026-10-06T12:00")
    client = app.test_client()
    assert "<b>$48.16</b>" in client.get("/bayfield/fees?gallons=1,500&waste=septic_tank").get_data(as_text=True)
    wrong = client.get("/bayfield/fees?gallons=lots&waste=septic_tank")
    assert (wrong.status_code, "Gallons must be a number, like 1,500" in wrong.get_data(as_text=True)) == (422, True)
