"""Why no time fits: the rate and hours of the point in question, every reason that holds, the day's largest load."""

import html
import re
from datetime import time
from typing import Any

import pytest

from tests import world
from tests.intake.plant import Hauler, book, hauler, planned, session
from tests.intake.test_points import set_to, station
from tests.intake.test_points_pages import second, text

AT = "/bayfield/hauler/book/times?truck=1&waste=septic_tank&day=2026-10-06&gallons="


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at("2026-10-05T16:00")
    return hauler()


@pytest.fixture
def client(app: Any, who: Hauler) -> Any:
    made = app.test_client()
    world.sign_in(made, who.email)
    return made


def reasons(answer: Any) -> list[tuple[str, str]]:
    found = re.findall(r"<li><b>([^<]+)</b> ([^<]+)</li>", answer.get_data(as_text=True))
    return [(starts, html.unescape(words)) for starts, words in found]


def test_at_a_point_with_its_own_rate_and_hours_these_are_said_and_not_the_plants(client):
    set_to(station(), opens=time(7, 30), closes=time(9), max_gph=400)
    page = text(client.get(f"{AT}700"))
    assert "No time fits 700 gallons in one day" in page
    assert ("Receiving station takes 400 gallons an hour at most and is open 7:30 to 9:00 a.m., 1 hour 30 minutes. "
            "This load takes 1 hour 45 minutes there.") in page  # fmt: skip
    assert "666" not in page
    assert "The largest load that still fits on Tuesday, October 6 is 600 gallons." in page


def test_where_another_point_has_the_plants_rate_the_plant_is_spoken_of_and_where_it_is_asked_for_the_point(client):
    lagoon = second()
    set_to(lagoon, max_gph=100)
    page = text(client.get(f"{AT}2000"))
    assert "At 666 gallons an hour it takes 3 hours 1 minute. We are open 3 hours." in page
    asked = text(client.get(f"{AT}400&point={lagoon.id}"))
    assert ("Lagoon takes 100 gallons an hour at most and is open 7:00 to 10:00 a.m., 3 hours. This load takes 4 hours "
            "there.") in asked  # fmt: skip


def test_every_reason_that_holds_is_named_once_with_its_starts(client, who):
    book(who, session("2026-10-06T07:00", 600))
    book(hauler("Second Pumping", number=2), session("2026-10-06T08:15", 499))
    planned(hauler("Third Pumping", number=3), session("2026-10-06T09:00", 333, 666))
    answer = client.get(f"{AT}700")
    assert reasons(answer) == [
        ("7:00 to 7:45 a.m.", "Truck T-1 is taken Tue, Oct 6, 7:00 to 7:55 a.m.: booking B-1006-01."),
        ("7:55 to 8:00 a.m., 9:30 to 9:45 a.m.", "Room for 333 gallons at most, not 700."),
        ("8:15 to 9:15 a.m.", "Nothing is free."),
    ]  # fmt: skip
    assert "The largest load that still fits on Tuesday, October 6 is 333 gallons." in text(answer)
    assert "On another of the next open days it is 1,998 gallons." in text(answer)


def test_the_largest_load_said_of_the_day_books_and_one_gallon_more_gets_this_page_again(client, who):
    book(hauler("Second Pumping", number=2), session("2026-10-06T08:10", 300))
    most = re.findall(r"on Tuesday, October 6 is ([\d,]+) gallons", text(client.get(f"{AT}1990")))[0].replace(",", "")
    assert "When will you unload?" in text(client.get(f"{AT}{most}"))
    assert f"No time fits {int(most) + 1:,} gallons on the day you chose" in text(client.get(f"{AT}{int(most) + 1}"))


def test_a_day_whose_hours_are_over_says_so(client, clock_at):
    clock_at("2026-10-06T11:00")
    assert "The unloading hours of Tuesday, October 6 are over." in text(client.get(f"{AT}300"))
