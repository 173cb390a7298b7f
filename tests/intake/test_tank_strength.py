"""The strength of what is in a receiving tank, and the inflow while it is bled."""

from decimal import Decimal
from typing import Any

from flask import Flask

from intake.actions.lab import enter_result
from intake.actions.retest import answer_retest, ask_retest, finish_retest
from intake.queries.strength import RULE, in_tank, rule_of
from intake.queries.tank_level import level_now
from ordinances.strength import BELOW_WORDS
from tests import world
from tests.intake.gatehouse import good, kept, log
from tests.intake.plant import hauler
from tests.intake.tanks import only_tank
from tests.intake.test_station_pages import get, signed_in, text

EIGHT = world.at("2026-10-06T08:00")


def found(at: Any = EIGHT) -> list[tuple[str, int | None, int, int]]:
    level = level_now(world.plant(), world.law(), at)
    assert level is not None
    return [(one.parameter, int(one.mg_l) if one.mg_l is not None else None, one.unknown, one.usual)
            for one in in_tank(world.law(), at, level)]  # fmt: skip


def enter(load: Any, **typed: str) -> None:
    for parameter, said in typed.items():
        good(kept(enter_result(load, parameter, said, by=world.staff("operator"), at=world.at("2026-10-13T09:00"),
                               law=world.law())))  # fmt: skip


def test_loads_in_the_tank_are_weighed_by_their_gallons_and_the_usual_strength_stands_in(app: Flask) -> None:
    who = hauler()
    only_tank()
    first, second = good(log(who, 1_000)), good(log(who, 500, "2026-10-06T07:30"))
    # 666 gallons are bled by 8:00: the last 834 in are the whole second load and 334 of the first.
    assert found() == [("BOD5", 6480, 0, 834), ("TSS", 12862, 0, 834)]
    enter(second, BOD5="3,000")
    assert found() == [("BOD5", (500 * 3_000 + 334 * 6_480 + 417) // 834, 0, 334), ("TSS", 12862, 0, 834)]
    enter(first, BOD5="4,000")
    assert found() == [("BOD5", (500 * 3_000 + 334 * 4_000 + 417) // 834, 0, 0), ("TSS", 12862, 0, 834)]


def test_new_test_that_counts_is_in_the_mixture_and_how_a_limit_counts_is_said(app: Flask) -> None:
    who = hauler()
    only_tank()
    load = good(log(who, 1_000))
    enter(load, BOD5="9,000", TSS="9,000")
    at, law = world.at("2026-10-13T09:00"), world.law()
    row = good(kept(ask_retest(load, ("BOD5",), "High", by=who.by, at=at, law=law)))
    manager = world.staff("manager")
    good(kept(answer_retest(world.plant(), row.id, True, cost=Decimal(1), by=manager, at=at, law=law)))
    level = level_now(world.plant(), world.law(), EIGHT)
    assert level is not None and rule_of(in_tank(law, EIGHT, level)) == RULE
    good(kept(finish_retest(world.plant(), row.id, {"BOD5": "<500"}, True, "Dry", by=manager, at=at, law=law)))
    assert found() == [("BOD5", 500, 0, 0), ("TSS", 9_000, 0, 0)]
    assert rule_of(in_tank(law, EIGHT, level)) == f"{RULE} {BELOW_WORDS}"


def test_the_day_sheet_shows_the_tank_and_what_the_inflow_becomes(app: Flask, clock_at: Any) -> None:
    who = hauler()
    only_tank()
    clock_at("2026-10-06T08:00")
    good(log(who, 1_500))
    page = text(get(signed_in(app, "operator"), "/plant/day/2026-10-06"))
    assert ("Strength in Receiving tank BOD: 6,480 mg/L in 834 gallons. Of 834 gallons no result is in: the usual "
            "strength of such waste is taken. At 666 gallons an hour it brings 36.0 pounds of BOD an hour and makes "
            "the plant&#39;s inflow 770 mg/L; above 1,000 mg/L it is a slug.") in page  # fmt: skip
    assert "The gallons that came last are taken to be what is in the tank" in page


def test_what_went_into_the_tank_is_no_slug_of_its_own(app: Flask) -> None:
    from intake.queries import pounds

    who = hauler()
    only_tank()
    load = good(log(who, 3_000))
    enter(load, TSS="90,000")
    of_load = pounds.of_load(load)
    assert of_load is not None and of_load.slugs == []
