"""Pounds by load on its page, its hauler's and the day sheet; a load too strong for its rate."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from intake.actions.lab import enter_result
from intake.models import Load
from intake.queries import pounds
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import TUESDAY, hauler
from tests.intake.test_station_pages import get, queries, signed_in, text

SHEET = "/plant/day/2026-10-06"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at("2026-10-13T09:00")
    return signed_in(app, "operator")


def enter(load: Load, **typed: str) -> None:
    for parameter, said in typed.items():
        good(kept(enter_result(load, parameter, said, sure=True, by=world.staff("operator"),
                               at=world.at("2026-10-13T09:00"), law=world.law())))  # fmt: skip


def test_the_pages_of_a_load_show_its_pounds_with_factor_and_steps(app, operator):
    who = hauler()
    load = good(log(who, 1_500))
    enter(load, BOD5="4,200", TSS="<2")
    own = signed_in(app, who.email)
    for client, path in ((operator, "/station/load/2026-00001"), (own, "/hauler/loads/2026-00001")):
        page = text(get(client, path)).replace("&lt;", "<")
        page = page.replace("Change the result of BOD ", "").replace("Change the result of Suspended solids ", "")
        assert "BOD 4,200 mg/L 52.5 Suspended solids Not detected (below 2 mg/L) less than 0.1 What the lab" in page, (
            path
        )
        assert "4,200 mg/L × 0.0015 million gallons × 8.34 = 52.5 pounds" in page
        assert "Strength × million gallons × 8.34. § 329-2 B(2)(b) How we read it: The text gives pounds but no" in page
        assert "counts as its limit; one above the test counts as the figure after &gt;" in page
        assert "Stronger than the rate allows" not in page


def test_a_load_too_strong_for_its_rate_is_warned_of_with_the_law(operator):
    load = good(log(hauler(), 1_500))
    enter(load, BOD5="9,008", TSS="12,862")
    found = pounds.of_load(load)
    assert found is not None
    assert [(one.parameter, one.gph, str(one.pounds_hour), one.mg_l) for one in found.slugs] == [
        ("TSS", 662, "71.0", 1_389)]  # fmt: skip
    page = text(get(operator, "/station/load/2026-00001")).replace("&#39;", "'")
    assert "Stronger than the rate allows: TSS" in page
    assert ("At 662 gallons an hour it brings 71.0 pounds of Suspended solids an hour and makes the plant's inflow "
            "1,389 mg/L: more than the 1,250 mg/L above which it is a slug. § 329-1, slug") in page  # fmt: skip


def test_what_ran_no_longer_than_a_slug_lasts_is_none(operator):
    # 166 gallons take 15 minutes.
    load = good(log(hauler(), 166))
    enter(load, TSS="12,862")
    found = pounds.of_load(load)
    assert found is not None and found.slugs == []


def test_the_day_sheet_adds_pounds_and_says_what_waits_and_how(operator):
    who = hauler()
    first, second, third = (good(log(who, 600, f"2026-10-06T0{hour}:00")) for hour in (7, 8, 9))
    assert "3 samples wait for their results and are not in the sum." in text(get(operator, SHEET))
    enter(first, BOD5="4,200", TSS="9000")
    enter(second, BOD5="<200", TSS="9000")
    page = text(get(operator, SHEET)).replace("&lt;", "<")
    assert ("2026-00001 600 21.0 45.0 2026-00002 600 less than 1.1 45.0 2026-00003 600 not in yet not in yet Together "
            "22.1 90.0 1 sample waits for its results and is not in the sum. A result below the detection limit, such "
            "as <2, counts as its limit") in page  # fmt: skip
    assert third.ticket == "2026-00003"


def test_the_day_sheet_asks_as_many_questions_for_more_loads(operator):
    who, counts = hauler(), []
    for n in range(2):
        for k in range(1 + 2 * n):
            enter(good(log(who, 10, f"2026-10-06T0{7 + n}:{10 + k}")), BOD5="4,200")
        get(operator, SHEET)
        counts.append(queries(lambda: get(operator, SHEET)))
    assert counts == [counts[0]] * 2


def test_a_void_or_untested_load_has_no_pounds(app):
    assert pounds.of_day(world.plant(), world.law(), TUESDAY).loads == []
