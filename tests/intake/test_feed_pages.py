"""The page of a hauler's calendar, the file under its secret address, one booking as a file."""

import re
from typing import Any
from uuid import uuid4

import pytest
from icalendar import Calendar

from tests import world
from tests.intake.plant import book, hauler, queries, session

PAGE = "/bayfield/hauler/calendar"


@pytest.fixture
def who(app, clock_at):
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def client(app, who):
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def send(client: Any, what: str) -> str:
    """Press a button of the page; the address it shows then, without the host, or ""."""
    client.post(PAGE, data={"do": what, "once": uuid4().hex})
    found = re.search(r'value="http://localhost:8000(/bayfield/calendar/[0-9a-f]{40}\.ics)"',
                      client.get(PAGE).get_data(as_text=True))  # fmt: skip
    return found[1] if found else ""


def test_a_hauler_makes_the_address_and_a_calendar_reads_it_without_signing_in(app, client, who):
    book(who, session("2026-10-06T07:00", 600))
    assert "Make the address" in client.get(PAGE).get_data(as_text=True)
    address = send(client, "make")
    answer = app.test_client().get(address)
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8")
    whole = Calendar.from_ical(answer.get_data())
    assert str(whole["x-wr-calname"]) == "Test Pumping: unloading at City of Bayfield"
    event = whole.walk("VEVENT")[0]
    assert str(event["url"]) == "http://localhost:8000/bayfield/hauler/bookings/B-1006-01"
    # Shown again, for a second phone.
    assert address in client.get(PAGE).get_data(as_text=True)
    assert f'href="webcal://localhost:8000{address}"' in client.get(PAGE).get_data(as_text=True)


def test_a_new_address_and_off_end_the_old_one_which_reads_like_one_that_never_was(app, client):
    first = send(client, "make")
    second = send(client, "make")
    never = app.test_client().get(f"/bayfield/calendar/{'0' * 40}.ics")
    assert (app.test_client().get(second).status_code, never.status_code) == (200, 404)
    assert app.test_client().get(first).get_data() == never.get_data()
    assert send(client, "stop") == ""
    assert app.test_client().get(second).get_data() == never.get_data()
    assert app.test_client().get("/bayfield/calendar/short.ics").get_data() == never.get_data()


def test_a_calendar_that_has_not_changed_is_not_sent_again(app, client, who, clock_at):
    book(who, session("2026-10-06T07:00", 600))
    address, reader = send(client, "make"), app.test_client()
    tag = reader.get(address).headers["ETag"]
    clock_at("2026-10-05T16:30")
    again = reader.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.get_data(), again.headers["Cache-Control"]) == (304, b"", "no-cache")
    book(who, session("2026-10-06T08:00", 300))
    assert reader.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_reading_a_calendar_writes_nothing(app, client):
    address = send(client, "make")
    with queries() as seen:
        app.test_client().get(address)
    assert {one.split()[0] for one in seen} <= {"SELECT", "PRAGMA", "BEGIN", "SET"}


def test_one_booking_is_a_file_and_another_haulers_is_not_found(app, client, who):
    other = hauler("Other Pumping", number=2)
    book(who, session("2026-10-06T07:00", 600))
    book(other, session("2026-10-06T08:00", 300))
    answer = client.get("/bayfield/hauler/bookings/B-1006-01/calendar.ics")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="B-1006-01.ics"'
    assert [str(one["uid"]) for one in Calendar.from_ical(answer.get_data()).walk("VEVENT")] == [
        "B-1006-01-1@bayfield.septage-desk"
    ]
    assert client.get("/bayfield/hauler/bookings/B-1006-02/calendar.ics").status_code == 404


def test_after_the_servers_key_changed_phones_go_on_and_the_page_says_what_to_do(app, client):
    address = send(client, "make")
    app.config["SECRET_KEY"] = "another key of forty characters and more"
    world.sign_in(client, "test.pumping@hauler.example")
    page = client.get(PAGE).get_data(as_text=True)
    assert "its address cannot be shown any more" in page
    assert address not in page
    assert app.test_client().get(address).status_code == 200
