"""A truck of which nothing was unloaded pays for no load: only for what was done for it. And minimums from nothing."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from ordinances.hauled import Load, Part
from tests.ordinances.town import item, made, quote, septic, shown, town, towns

DONE = {
    "bayfield": [("test", "12.16"), ("special_wage", "45.00"), ("special_test", "5.00")],
    "bell": [("call_out", "75.00"), ("call_out_more", "25.00")],
    "chandler": [("cleaning", "100.00"), ("testing", "31.40")],
}
ALL_KNOWN: dict[str, Any] = {
    "capacity": 1500, "cubic_yards": 4, "pounds": 12_510, "after_hours": True, "weekend": True, "holiday": True,
    "tests": {"pair": 1}, "strengths": {"bod": Decimal(9000), "tss": Decimal(30_000)}, "staff_minutes": 90,
    "wage": Decimal(30), "costs": {"lab": Decimal("31.40"), "cleaning": Decimal(40)},
}  # fmt: skip
ZONES = {"marshalltown": "in_city", "wareham": "bourne"}


@pytest.mark.parametrize("metered", [False, True])
@pytest.mark.parametrize("name", towns())
def test_nothing_unloaded_costs_what_was_done_for_it_and_no_load_in_any_town(name: str, metered: bool) -> None:
    load = Load((septic(1500, ZONES.get(name)),), measured=0, metered=metered, **ALL_KNOWN)
    found = quote(town(name), load)
    assert shown(found.lines) == DONE.get(name, [])
    assert found.awaited == ()


@pytest.mark.parametrize("name", towns())
def test_nothing_unloaded_and_nothing_done_costs_nothing_in_any_town(name: str) -> None:
    load = Load((septic(0, ZONES.get(name)),), declared=0, capacity=1500, pounds=0, after_hours=True)
    assert shown(quote(town(name), load).lines) == []
    # One gallon is a load.
    assert quote(town(name), Load((septic(1, ZONES.get(name)),), measured=1, **ALL_KNOWN)).total > 0


def test_nothing_unloaded_waits_for_no_result() -> None:
    found = quote(town("grand_island"), Load((septic(),), measured=0, capacity=1500))
    assert (found.lines, found.awaited) == ((), ())


def test_mud_of_which_nothing_came_out_pays_no_load() -> None:
    load = Load((Part("other"),), measured=0, cubic_yards=Decimal("3.5"))
    assert shown(quote(town("marshalltown"), load).lines) == []


OVER = 'price = "0.05"\nover = "1000"\nbasis = ["measured", "declared"]'
LEAST = item("least", "minimum", 'price = "30.00"\nof = ["volume"]')


@pytest.mark.parametrize(
    ("gallons", "lines"),
    [
        (0, []),
        (1, [("least", "30.00")]),
        (800, [("least", "30.00")]),
        (1000, [("least", "30.00")]),
        (1001, [("volume", "0.05"), ("least", "29.95")]),
        (1599, [("volume", "29.95"), ("least", "0.05")]),
        (1600, [("volume", "30.00")]),
        (1601, [("volume", "30.05")]),
    ],
)
def test_a_minimum_is_reached_where_the_charge_it_names_counts_nothing(
    gallons: int, lines: list[tuple[str, str]]
) -> None:
    assert shown(quote(made(item("volume", "per_gallons", OVER), LEAST), Load((septic(gallons),))).lines) == lines


def test_a_minimum_from_nothing_says_so_without_taking_anything_off() -> None:
    (line,) = quote(made(item("volume", "per_gallons", OVER), LEAST), Load((septic(800),))).lines
    assert line.sentence == "Least: $30.00 at least = $30.00 (§ 1-1)."


def test_a_minimum_of_the_waste_of_others_is_none_of_this_load() -> None:
    schedule = made(
        item("volume", "per_gallons", OVER + '\nwaste = ["grease_interceptor"]'),
        item("septage", "per_gallons", 'price = "0.01"\nbasis = ["declared"]\nwaste = ["septic_tank"]'),
        LEAST,
        item("winter", "minimum", 'price = "90.00"\nof = ["septage"]\nseason = ["11-15", "04-15"]'),
    )
    assert shown(quote(schedule, Load((septic(800),))).lines) == [("septage", "8.00")]
    assert shown(quote(schedule, Load((septic(800),)), date(2026, 11, 15)).lines) == [
        ("septage", "8.00"), ("winter", "82.00"),
    ]  # fmt: skip


def test_a_minimum_names_a_percent_of_nothing_and_is_reached_too() -> None:
    schedule = made(
        item("volume", "per_gallons", OVER),
        item("more", "percent", 'percent = "50"\nof = ["volume"]\nwhen = ["holiday"]'),
        item("feast", "minimum", 'price = "20.00"\nof = ["more"]'),
    )
    assert shown(quote(schedule, Load((septic(800),), holiday=True)).lines) == [("feast", "20.00")]
    assert shown(quote(schedule, Load((septic(800),))).lines) == []


def test_a_minimum_of_what_was_not_done_is_not_reached_and_one_of_what_was_done_is_without_a_load() -> None:
    schedule = made(
        item("volume", "per_gallons", OVER),
        item("tested", "per_test", 'price = "12.00"'),
        item("lab", "minimum", 'price = "20.00"\nof = ["tested"]'),
        item("least", "minimum", 'price = "30.00"\nof = ["volume", "tested"]'),
    )
    assert shown(quote(schedule, Load((septic(1200),))).lines) == [("volume", "10.00"), ("least", "20.00")]
    assert shown(quote(schedule, Load((septic(0),), tests={"pair": 1})).lines) == [("tested", "12.00"), ("lab", "8.00")]


def test_a_minimum_waits_for_the_strength_its_charge_hangs_on() -> None:
    strong = '\n[[strength_class]]\ncode = "high"\nabove = { bod = "300" }\nneeds = "any"\n'
    strong += 'from = 2020-01-01\ncite = "§ 2"\n'
    schedule = made(item("volume", "per_gallons", OVER + '\nstrength_class = ["high"]'), LEAST, strong)
    found = quote(schedule, Load((septic(800),)))
    assert (found.lines, found.awaited) == ((), ("bod",))
    assert shown(quote(schedule, Load((septic(800),), strengths={"bod": Decimal(301)})).lines) == [("least", "30.00")]
    assert shown(quote(schedule, Load((septic(800),), strengths={"bod": Decimal(300)})).lines) == []
