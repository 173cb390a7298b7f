"""A load in pieces is one load on the operator's board, and its ticket keeps what was done, not what was planned."""

from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Load
from office.db import db
from office.letters import Letter
from tests.intake.gatehouse import booked, good, log
from tests.intake.plant import book, hauler, session
from tests.intake.test_running_pages import BOARD, press
from tests.intake.test_station_pages import get, signed_in, text


@pytest.fixture
def operator(app: Any, clock_at: Any) -> Any:
    """The operator, while Duffy Septic unloads 870 gallons since 7:00 at 653 an hour."""
    who = hauler("Duffy Septic")
    good(log(who, 870, booking=booked(book(who, session("2026-10-06T07:00", 870)))))
    clock_at("2026-10-06T07:57")
    return signed_in(app, "operator")


LOAD = "/station/load/2026-00001"


def board(operator: Any) -> str:
    return text(get(operator, BOARD))


def ended(operator: Any) -> list[str]:
    """The tiles of "Ended by the plan"."""
    page = board(operator)
    return page.partition("Ended by the plan ")[2].partition(" Expected")[0].split(" still running? ") if (
        "Ended by the plan" in page) else []  # fmt: skip


def ticket() -> Any:
    load = db.session.scalars(select(Load)).one()
    return db.session.get_one(Letter, load.letter_id).data


def test_after_a_pause_the_card_counts_the_whole_morning_and_says_since_when_it_flows_again(operator, clock_at):
    assert "627 of 870 gallons out" in board(operator)
    press(operator, f"{LOAD}/pause", gallons="628")
    clock_at("2026-10-06T08:00")
    page = press(operator, f"{LOAD}/resume")
    assert (
        "628 of 870 gallons out Limit 666, hard limit 670 Started 7:00 a.m., resumed 8:00 a.m., 22 minutes to go"
        in page
    )
    clock_at("2026-10-06T08:10")
    assert "738 of 870 gallons out" in board(operator)
    page = press(operator, f"{LOAD}/rate", rate="600", gallons="740")
    assert "740 of 870 gallons out Limit 666, hard limit 670 Started 7:00 a.m., 13 minutes to go" in page


def test_a_load_in_pieces_ends_as_one_and_a_stopped_one_asks_nothing(operator, clock_at):
    press(operator, f"{LOAD}/pause", gallons="628")
    clock_at("2026-10-06T08:00")
    press(operator, f"{LOAD}/resume")
    clock_at("2026-10-06T08:24")
    assert ended(operator) == ["Duffy Septic 870 gallons · ended 8:22 a.m. · still running?"]
    # What runs on and is then stopped was ended by somebody.
    press(operator, f"{LOAD}/more", more="100", gallons="890")
    assert ended(operator) == []
    press(operator, f"{LOAD}/stop", gallons="900", reason="Valve")
    assert ended(operator) == []
    assert "Running now" not in board(operator)


def test_a_stopped_load_that_is_corrected_asks_nothing_either(operator, clock_at):
    press(operator, f"{LOAD}/stop", gallons="600", reason="Valve")
    clock_at("2026-10-06T08:00")
    press(operator, f"{LOAD}/correct", gallons="610", reason="Meter read again")
    assert (ticket()["facts"][4][1], ended(operator)) == ("610 (meter)", [])


def test_with_nothing_left_a_pause_ends_the_load_and_the_board_asks_nothing(operator):
    press(operator, f"{LOAD}/pause", gallons="870")
    assert (ended(operator), "Paused" in board(operator)) == ([], False)


def test_the_ticket_of_a_stopped_load_says_what_ran_and_not_what_was_planned(operator, clock_at):
    press(operator, f"{LOAD}/pause", gallons="628", reason="Hose")
    assert "paused 7:57 to 7:57" not in text(get(operator, LOAD))
    press(operator, f"{LOAD}/resume")
    assert ticket()["remarks"] == ["Paused at 7:57 a.m.: Hose.", "Resumed at 7:57 a.m."]
    assert ticket()["runs"] == ["Tue, Oct 6: 628 gallons, 7:00 to 7:57 a.m. at 661 gallons an hour",
                                "Tue, Oct 6: 242 gallons, 7:57 to 8:19 a.m. at 661 gallons an hour"]  # fmt: skip
    assert "7:57 to 7:57" not in text(get(operator, LOAD))
    assert "7:57 to 7:57" not in text(get(signed_in(operator.application, "duffy.septic@hauler.example"),
                                          "/hauler/loads/2026-00001"))  # fmt: skip
    clock_at("2026-10-06T08:05")
    press(operator, f"{LOAD}/stop", gallons="700", reason="Valve")
    assert ticket()["remarks"] == ["Paused at 7:57 a.m.: Hose.", "Resumed at 7:57 a.m.", "Stopped at 8:05 a.m.: Valve."]
    assert ticket()["runs"] == ["Tue, Oct 6: 628 gallons, 7:00 to 7:57 a.m. at 661 gallons an hour",
                                "Tue, Oct 6: 72 gallons, 7:57 to 8:05 a.m. at 540 gallons an hour"]  # fmt: skip


def test_a_pause_that_lasts_a_minute_stays_on_the_ticket(operator, clock_at):
    press(operator, f"{LOAD}/pause", gallons="628")
    clock_at("2026-10-06T07:58")
    press(operator, f"{LOAD}/resume")
    assert ticket()["runs"][1] == "Tue, Oct 6: paused 7:57 to 7:58 a.m."
