"""A load over several mornings whose gallons are found by weight: its weights are held against all of them."""

from typing import Any

import pytest

from intake.actions.station import continue_load
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, booked, good, kept, log, said
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.test_correcting import correct
from tests.intake.test_station_pages import fields, signed_in

# 20,850 pounds are 2,500 gallons, 16,663 are 1,998 and 4,187 are 502.
WHOLE = {"basis": "weight", "full_lb": 33_850, "empty_lb": 13_000}
FIRST = {"basis": "weight", "full_lb": 33_850, "empty_lb": 17_187}
NEXT = "2026-10-07T07:00"


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler(tank=2_500)


def begun(who: Hauler, weights: dict[str, Any], gallons: int = 1_998) -> Any:
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session(NEXT, 502)]))
    return log(who, gallons, booking=booking, driver="Ann Ames", **weights)


def gone_on(load: Any, gallons: int = 502, **weights: int) -> Any:
    return kept(continue_load(load, gallons, driver="Bo Berg", **weights, by=world.staff("operator"), at=world.at(NEXT),
                              law=world.law()))  # fmt: skip


@pytest.mark.parametrize("weights", [WHOLE, FIRST])
def test_weights_are_of_all_in_the_truck_or_of_the_first_morning(who, weights):
    assert good(begun(who, weights)).gallons == 1_998


def test_weights_that_make_neither_are_asked_about_with_what_is_booked_for_later(who):
    answer = begun(who, WHOLE, 1_900)
    assert said(answer)[:2] == (
        "weighs", "20,850 pounds at 8.34 pounds a gallon are 2,500 gallons, not 1,900 and 502 on later mornings."
    )  # fmt: skip
    assert answer.details["gallons"] == 1_998


def test_the_last_morning_unloads_what_the_weights_leave(who):
    load = good(begun(who, WHOLE))
    answer = gone_on(load, 480)
    assert said(answer)[:2] == (
        "weighs", "20,850 pounds were 2,500 gallons in all, 1,998 of them unloaded before: 502 are left, not 480."
    )  # fmt: skip
    assert answer.details["gallons"] == 502
    good(gone_on(load))
    # 2,500 gallons at $0.024, each morning rounded alone, and one test.
    assert (load.gallons, balance(who)) == (2_500, 4_795 + 1_205 + 1_216)
    assert verify() == []


def test_where_the_first_morning_was_weighed_alone_the_second_is_too_or_says_that_it_was_not(who):
    load = good(begun(who, FIRST))
    assert said(gone_on(load, 500, full_lb=17_187, empty_lb=13_000))[0] == "weighs"
    assert said(gone_on(load, full_lb=17_187))[0] == "weights"
    good(gone_on(load, full_lb=17_187, empty_lb=13_000))
    assert ("On October 7, 2026: Weighed 17,187 pounds full, 13,000 empty: 4,187 pounds at 8.34 a gallon "
            "(§ 329-2 B(2)(b)).") in load.note.splitlines()  # fmt: skip


def test_not_weighed_it_says_so(who):
    load = good(begun(who, FIRST))
    good(gone_on(load))
    assert "On October 7, 2026: 502 gallons, not weighed." in load.note.splitlines()


def test_a_correction_holds_the_weights_against_all_mornings(who):
    load = good(gone_on(good(begun(who, WHOLE))))
    at = {"at": "2026-10-07T12:00"}
    refused = said(correct(load, gallons=2_450, **at))
    assert refused[:2] == ("weighs", "20,850 pounds at 8.34 pounds a gallon are 2,500 gallons, not 2,450.")
    good(correct(load, gallons=2_450, full_lb=33_433, **at))
    assert (load.gallons, load.full_lb) == (2_450, 33_433)


def test_the_page_asks_for_weights_only_where_the_first_morning_was_weighed_alone(app, clock_at, who):
    good(begun(who, FIRST))
    clock_at(NEXT)
    page = signed_in(app, "operator").get("/bayfield/station/load/2026-00001/continue").text
    assert {"full_lb", "empty_lb"} <= set(fields(page))


def test_and_not_where_all_was_weighed(app, clock_at, who):
    good(begun(who, WHOLE))
    clock_at(NEXT)
    page = signed_in(app, "operator").get("/bayfield/station/load/2026-00001/continue").text
    assert "full_lb" not in fields(page)
