"""A truck that waits for its start begins before it where its gallons fit, and keeps its time where they do not."""

from typing import Any

import pytest

from billing.queries import entries_of, reversal_of
from haulers.actions import revoke_approval
from intake.actions.running import pause_load
from intake.actions.starting import start_load
from intake.actions.stop import stop_load
from intake.models import Load
from intake.queries import loads
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, said
from tests.intake.plant import book, hauler, picture, planned, session
from tests.intake.test_running import clock, do, heard, note, pieces
from tests.intake.test_running_pages import BOARD, press
from tests.intake.test_station_pages import get, signed_in, text


@pytest.fixture(autouse=True)
def _app(app: Any) -> None:
    pass


def waits(at: str = "2026-10-06T07:00", start: str = "2026-10-06T08:00", number: int = 1) -> Load:
    """A load of 600 gallons that came long before its booked start."""
    who = hauler(f"Hauler {number}", number=number)
    found: Load = good(log(who, 600, at, bottle=f"B-{number}", booking=booked(book(who, session(start, 600)))))
    return found


def test_it_begins_now_at_its_rate_and_its_later_time_is_free_at_once():
    load = waits()
    before = balance_of(load)
    assert picture(at=clock("07:20")).largest == 721
    good(do(start_load, load, at="07:20"))
    assert pieces(load) == ["07:20-08:15 600 at 655"]
    assert picture(at=clock("07:20")).largest == 1_165
    assert note(load) == "Began at 7:20 a.m. and not at 8:00 a.m."
    assert heard(load) == f"{note(load)} It runs until 8:15 a.m. at 655 gallons an hour."
    assert (load.gallons, balance_of(load)) == (600, before)


def balance_of(load: Load) -> int:
    """Cents charged for a load."""
    return sum(one.amount_cents for one in entries_of("load", load.id) if reversal_of(one.id) is None)


def test_beside_another_that_runs_it_begins_slower_or_keeps_its_time():
    slow = hauler("Slow", number=2)
    good(log(slow, 300, booking=planned(slow, session("2026-10-06T07:00", 300, minutes=60))))
    load = waits()
    refused = do(start_load, load, at="07:50")
    # 366 gallons an hour are left until 8:00: from then on it has its own rate anyway.
    assert said(refused)[:2] == (
        "not_yet", "600 gallons do not fit under the limit before. Its time stays 8:00 to 8:55 a.m.")  # fmt: skip
    assert pieces(load) == ["08:00-08:55 600 at 655"]


def test_another_booking_between_keeps_it_waiting():
    other = hauler("Elm Pumping", number=2)
    booked(book(other, session("2026-10-06T07:30", 300)))
    load = waits()
    assert said(do(start_load, load, at="07:10"))[0] == "not_yet"
    assert pieces(load) == ["08:00-08:55 600 at 655"]


@pytest.mark.parametrize("at", ["08:00", "08:30", "09:00"])
def test_what_has_begun_or_is_over_is_not_started(at):
    assert said(do(start_load, waits(), at=at))[0] == "not_running"


def test_a_paused_a_stopped_and_a_revoked_load_and_a_clerk_start_nothing():
    one, two = waits(), waits(start="2026-10-06T09:00", number=2)
    assert said(do(start_load, one, at="07:20", by="clerk"))[0] == "not_your_role"
    good(do(stop_load, one, 0, "Left again", at="07:20"))
    assert said(do(start_load, one, at="07:21"))[0] == "not_running"
    good(do(start_load, two, at="07:22"))
    good(do(pause_load, two, 10, at="07:30"))
    assert said(do(start_load, two, at="07:31"))[0] == "not_running"


def test_the_board_starts_a_truck_that_waits(app, clock_at):
    waits()
    clock_at("2026-10-06T07:20")
    operator = signed_in(app, "operator")
    assert "/bayfield/station/load/2026-00001/start" in get(operator, BOARD)
    path = "/station/load/2026-00001/start"
    assert "It runs until 8:15 a.m. at 655 gallons an hour." in text(get(operator, path))
    page = press(operator, path)
    assert "Began at 7:20 a.m. and not at 8:00 a.m. It runs until 8:15 a.m. at 655 gallons an hour." in page
    assert "0 of 600 gallons out" in page
    assert "does not run now" not in page and "/load/2026-00001/start" not in get(operator, BOARD)
    assert "Load 2026-00001 does not run now." in text(get(operator, path))
    assert "Begun before its time" in text(get(operator, "/station/load/2026-00001"))


def test_a_revoked_approval_starts_no_truck():
    load = waits()
    plant, law = world.plant(), world.law()
    assert load.approval_id is not None
    kept(revoke_approval(plant, load.approval_id, "§ 329-7 F(4)", "Emptied at night", by=world.staff("director"),
                         at=clock("07:10"), law=law))  # fmt: skip
    assert said(do(start_load, load, at="07:20"))[0] == "revoked"
    assert loads.run_to_stop(load, clock("07:20")) is not None
