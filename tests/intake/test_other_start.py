"""Another start than those listed: its session or, in true words, why none begins then (§ 329-7 F(3))."""

import re
from datetime import time
from typing import Any

import pytest

from tests import world
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.test_points import set_to, station
from tests.intake.test_points_pages import send, text

AT = "/bayfield/hauler/book/times?truck=1&gallons=600&waste=septic_tank&day=2026-10-06"


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def client(app: Any, who: Hauler) -> Any:
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def chosen(answer: Any) -> str:
    """The key of the time that is chosen."""
    return re.findall(r'name="time" value="([^"]+)" checked', answer.get_data(as_text=True))[0]


def refused(client: Any, start: str, path: str = AT) -> str:
    """What stands at the field of the start."""
    page = client.get(f"{path}&start={start}").get_data(as_text=True)
    return re.findall(r'id="start-error"><span class="visually-hidden">Error:</span> ([^<]+)</p>', page)[0]


def test_a_minute_between_two_quarter_hours_is_shown_chosen_and_books(client):
    page = client.get(f"{AT}&start=7:05 a.m.")
    assert "7:05 to 8:00 a.m. 655 gallons an hour" in text(page)
    assert chosen(page) == "20261006T1205-20261006T1300-655-600"
    check = send(client, f"{AT}&start=7:05 a.m.", time=chosen(page))
    assert check.status_code == 303
    assert send(client, check.location).location == "/bayfield/hauler/booked/B-1006-01"


def test_going_back_from_the_check_keeps_the_odd_minute_chosen(client):
    assert chosen(client.get(f"{AT}&time=20261006T1205-20261006T1300-655-600")) == "20261006T1205-20261006T1300-655-600"


def test_the_form_works_without_script_and_carries_the_load(client):
    page = client.get(AT).get_data(as_text=True)
    form = re.findall(r'<form method="get" action="/bayfield/hauler/book/times" novalidate>(.*?)</form>', page, re.S)[0]
    assert re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', form) == [
        ("truck", "1"), ("gallons", "600"), ("waste", "septic_tank"), ("day", "2026-10-06")]  # fmt: skip
    assert "Like 7:05 a.m." in form


@pytest.mark.parametrize(("start", "why"), [
    ("6:59 a.m.", "A load is unloaded 7:00 to 10:00 a.m. on that day"),
    ("10:00 a.m.", "A load is unloaded 7:00 to 10:00 a.m. on that day"),
    ("9:06 a.m.", "Room for 599 gallons from here, not 600"),
    ("soon", "Start time must be a time, like 7:45 a.m."),
])  # fmt: skip
def test_a_start_outside_the_hours_or_too_late_for_the_load_says_so(client, start, why):
    assert refused(client, start).replace("Another start", "Start time") == why.removesuffix(" 7:45 a.m.") + (
        " 7:45 a.m." if why.startswith("Start") else "")  # fmt: skip


def test_a_minute_that_has_begun_names_the_first_to_come(client, clock_at):
    clock_at("2026-10-06T07:20:30")
    assert refused(client, "7:20 a.m.") == "A booking starts in a minute to come: 7:21 a.m. or later"
    assert chosen(client.get(f"{AT}&start=7:21 a.m.")).startswith("20261006T1221-")


def test_a_start_others_hold_and_one_the_truck_is_taken_at_are_told_apart(client, who):
    book(who, session("2026-10-06T07:30", 100))
    book(hauler("Second Pumping", number=2), session("2026-10-06T08:00", 333))
    taken = "Truck T-1 is taken Tue, Oct 6, 7:30 to 7:40 a.m.: booking B-1006-01"
    assert refused(client, "7:31 a.m.") == taken
    assert refused(client, "7:10 a.m.") == "Room for 222 gallons from here, not 600"
    assert refused(client, "8:10 a.m.") == "Nothing is free at this time"


def test_at_a_point_its_own_hours_count(client):
    set_to(station(), opens=time(7, 30), closes=time(9), max_gph=500)
    assert refused(client, "7:10 a.m.") == "A load is unloaded 7:30 to 9:00 a.m. at Receiving station on that day"
    assert chosen(client.get(f"{AT}&start=7:41 a.m.")) == "20261006T1241-20261006T1353-500-600"


def test_a_booking_moves_to_any_minute(client, who):
    booking = book(who, session("2026-10-06T07:00", 600))
    path = f"/bayfield/bookings/{booking.number}/move/times?part=all&day=2026-10-06"
    page = client.get(f"{path}&start=8:07 a.m.")
    assert chosen(page) == "20261006T1307-20261006T1402-655-600"
    assert send(client, send(client, f"{path}&start=8:07 a.m.", time=chosen(page)).location).status_code == 303
    assert "8:07 to 9:02 a.m." in text(client.get(f"/bayfield/hauler/bookings/{booking.number}"))
