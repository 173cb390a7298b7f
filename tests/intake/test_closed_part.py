"""A part of a day that the calendar closes: the same on all pages, in the feeds and at the gate; no restriction."""

from datetime import time
from typing import Any

import pytest

from intake.actions.closures import close_day
from intake.actions.restriction import restrict_plant
from intake.queries import fitting
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, TUESDAY, hauler, picture
from tests.intake.tanks import only_tank
from tests.intake.test_points_pages import text

INSIDE = world.at("2026-10-06T08:10")


@pytest.fixture
def client(app) -> Any:
    hauler()
    good(kept(close_day(world.plant(), TUESDAY, "Works", "closed", (time(8), time(8, 40)), by=world.staff("manager"),
                        at=MORNING, law=world.law())))  # fmt: skip
    return app.test_client()


@pytest.mark.parametrize("at", ["2026-10-05T16:30", "2026-10-06T08:10"])
def test_nothing_is_said_to_be_restricted_and_the_limit_is_that_of_the_open_parts(client, clock_at, at):
    clock_at(at)
    page = text(client.get("/bayfield/day/2026-10-06"))
    assert "Restricted" not in page
    assert "Limit: 166.5 gallons each quarter hour (666 an hour)" in page
    assert picture(TUESDAY, world.at(at)).limit_gph == 666


def test_in_it_public_page_feeds_board_and_json_say_until_when_it_is_closed(client, clock_at):
    clock_at(f"{INSIDE:%Y-%m-%dT%H:%M}")
    said = client.get("/bayfield/status.json").get_json()
    opens = "2026-10-06T08:40-05:00"
    assert (said["headline"], said["accepting"], said["until"], said["next_open"]) == (
        "Closed until 8:40 a.m.", False, opens, opens)  # fmt: skip
    operator = client.application.test_client()
    world.sign_in(operator, "operator")
    board = text(operator.get("/bayfield/station"))
    assert "Closed until 8:40 a.m.: Works · 888 gallons left after it, largest load 888" in board
    assert "Open until" not in board


def test_while_all_is_restricted_too_the_next_opening_is_after_what_is_planned(client, clock_at):
    good(kept(restrict_plant(world.plant(), "operational_problem", by=world.staff("director"),
                             at=world.at("2026-10-06T07:30"), law=world.law())))  # fmt: skip
    clock_at(f"{INSIDE:%Y-%m-%dT%H:%M}")
    assert client.get("/bayfield/status.json").get_json()["next_open"] == "2026-10-08T07:00-05:00"
    assert "Restricted: no septage is being accepted" in text(client.get("/bayfield/day/2026-10-06"))


@pytest.mark.parametrize(("gallons", "named"), [(20, False), (22, False), (23, True), (300, True)])
def test_what_does_not_end_before_it_is_told_its_name(client, gallons, named):
    at = world.at("2026-10-06T07:58")
    found = fitting.fit(world.plant(), world.law(), at, gallons, waste="septic_tank")
    assert hasattr(found, "why") is named
    if named:
        assert found.why.startswith(f"The plant is closed 8:00 to 8:40 a.m.: Works. {gallons} gallons do not fit under")


def test_at_a_tank_too(client):
    only_tank()
    at = world.at("2026-10-06T07:58")
    found = fitting.fit(world.plant(), world.law(), at, 500, waste="septic_tank")
    assert found.why == ("The plant is closed 8:00 to 8:40 a.m.: Works. 500 gallons do not fit into the tank now. The "
                         "first time that fits is 8:40 to 8:43 a.m. at 12,000 gallons an hour.")  # fmt: skip
