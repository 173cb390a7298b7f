from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.rate_cap import cap_on, season_capacity, window_gallons
from ordinances.reader import Closure, NoLaw, plant_row
from ordinances.seasons import season_named
from tests.ordinances.common import FIXED, HOLIDAYS, LOADED, bayfield, changed_law, law_of, row_text

LOWER = plant_row("rate.flow_in_force_gpd", 125000, date(2026, 10, 12), "Director's order 4")


def test_the_stated_flow_gives_the_stated_figures() -> None:
    cap = cap_on(bayfield(), LOADED)
    assert (cap.plan_gph, cap.hard_gph, cap.flow_gpd, cap.percent) == (666, Decimal(670), 160000, Decimal(10))
    assert (cap.stated, cap.cite) == (True, "§ 329-7 F(3)")
    assert cap.steps == (
        "160,000 gallons a day ÷ 24 = 6,666 gallons an hour",
        "10 % of that, rounded down = 666 gallons an hour",
        "a measured rate may not pass 670 gallons an hour (the figure of the text)",
    )


def test_a_lower_flow_lowers_both_the_plan_rounded_down() -> None:
    cap = cap_on(bayfield(), LOADED, 125000)
    assert (cap.plan_gph, cap.stated) == (520, False)
    assert cap.hard_gph == Decimal(12500) / 24
    assert cap.steps[-1] == "a measured rate may not pass 520.83 gallons an hour (not rounded)"


def test_a_higher_flow_raises_neither() -> None:
    cap = cap_on(bayfield(), LOADED, 200000)
    assert (cap.plan_gph, cap.hard_gph, cap.stated) == (666, Decimal(670), False)
    assert cap.steps[2] == "not above the stated figure = 666 gallons an hour"


@pytest.mark.parametrize(("flow", "plan"), [(0, 0), (239, 0), (240, 1), (159840, 666), (159839, 665), (160001, 666)])
def test_the_plan_at_the_edges_of_a_flow(flow: int, plan: int) -> None:
    assert cap_on(bayfield(), LOADED, flow).plan_gph == plan


def test_a_flow_below_zero_is_an_error() -> None:
    with pytest.raises(ValueError, match="below zero"):
        cap_on(bayfield(), LOADED, -1)


def test_the_plants_flow_in_force_counts_from_its_day() -> None:
    law = bayfield(rows=(LOWER,))
    assert [cap_on(law, date(2026, 10, day)).plan_gph for day in (11, 12)] == [666, 520]
    assert cap_on(law, date(2026, 10, 12), 160000).plan_gph == 666


def test_an_amended_flow_counts_from_its_day(tmp_path: Path) -> None:
    amended = row_text("rate.flow_gpd", "240000", "2027-01-01") + row_text("rate.plan_gph", "1000", "2027-01-01")
    law = changed_law(tmp_path, extra=amended + row_text("rate.hard_gph", "1000", "2027-01-01"))
    assert [cap_on(law, day).plan_gph for day in (date(2026, 12, 31), date(2027, 1, 1))] == [666, 1000]


def test_a_window_holds_three_hours_of_the_plan() -> None:
    law = bayfield(*HOLIDAYS)
    assert window_gallons(law, LOADED, cap_on(law, LOADED)) == 1998
    assert window_gallons(law, LOADED, cap_on(law, LOADED, 125000)) == 1560
    assert window_gallons(law, date(2026, 10, 10), cap_on(law, date(2026, 10, 10))) == 0
    assert window_gallons(law, HOLIDAYS[0].day, cap_on(law, HOLIDAYS[0].day)) == 0


@pytest.mark.parametrize("day", [date(2026, 10, 30), date(2026, 11, 2), date(2027, 3, 12), date(2027, 3, 15)])
def test_a_window_holds_the_same_over_the_clock_change(day: date) -> None:
    assert window_gallons(bayfield(), day, cap_on(bayfield(), day)) == 1998


def test_winter_2026_27_holds_217782_gallons_on_109_days() -> None:
    law = bayfield()
    capacity = season_capacity(law, season_named(law, "2026-27"))
    assert (capacity.winter_days, capacity.winter) == (109, 217782)
    assert (capacity.rest_days, capacity.rest) == (152, 303696)
    assert capacity.words == "109 days in winter hold 217,782 gallons; the other 152 days hold 303,696."


def test_winter_2026_27_holds_209790_gallons_without_the_four_holidays() -> None:
    law = bayfield(*HOLIDAYS)
    capacity = season_capacity(law, season_named(law, "2026-27"))
    assert (capacity.winter_days, capacity.winter) == (105, 209790)


@pytest.mark.parametrize(("name", "gallons"), [("2025-26", 215784), ("2027-28", 219780)])
def test_winters_around_it(name: str, gallons: int) -> None:
    law = bayfield()
    capacity = season_capacity(law, season_named(law, name))
    assert capacity.winter == gallons == capacity.winter_days * 1998


def test_a_lower_flow_in_force_lowers_the_rest_of_the_season_only() -> None:
    law = bayfield(Closure(date(2026, 10, 12), "Pump repair", "closed"), rows=(LOWER,))
    capacity = season_capacity(law, season_named(law, "2026-27"))
    assert capacity.winter == 109 * 1560
    assert capacity.rest == 7 * 1998 + 144 * 1560


def test_a_place_without_a_rate_has_no_law_for_it() -> None:
    with pytest.raises(NoLaw, match=r"City of Gillett, ch. 20 has no rate.flow_gpd"):
        cap_on(law_of("gillett"), LOADED)


@FIXED
@given(st.integers(0, 400000))
def test_the_plan_never_passes_the_share_the_figure_or_the_hard_limit(flow: int) -> None:
    cap = cap_on(bayfield(), LOADED, flow)
    assert cap.plan_gph <= cap.hard_gph <= 670
    assert cap.plan_gph == min(666, flow // 240)
