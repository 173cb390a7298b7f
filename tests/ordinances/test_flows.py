from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from ordinances.calendar import Hours
from ordinances.flows import Flow, flow_on, reads_meter, stop_on
from ordinances.rate_cap import cap_on, hours_on, season_capacity
from ordinances.reader import Closure, Law, check, plant_row
from ordinances.refusal import Refusal
from ordinances.rows import Row
from ordinances.seasons import season_named
from tests.ordinances.common import LOADED, bayfield, changed, changed_law, law_of, profile, row_text

SINCE = date(1992, 1, 1)


def averaging(days: int = 3, short: str = "stated", rows: tuple[Row, ...] = ()) -> Law:
    """Bayfield with a mean of recorded days as the basis of its limit."""
    kept = tuple(row for row in profile().rows if row.key != "rate.basis")
    values = {"rate.basis": "rolling_mean", "rate.basis_days": days, "rate.basis_short": short}
    mean = tuple(Row(key, value, SINCE, None, "§ 12-3 B") for key, value in values.items())
    return Law(replace(profile(), rows=(*kept, *mean)), rows)


def before(*gallons: int, last: date = LOADED - timedelta(days=1)) -> list[tuple[date, int]]:
    """Readings of days following one another, the last one on `last`."""
    return [(last - timedelta(days=back), one) for back, one in enumerate(reversed(gallons))]


def test_a_mean_is_that_of_the_days_recorded_last_before_the_day_rounded_down() -> None:
    readings = [*before(900_000, 120_000, 121_000, 122_001), (LOADED, 5)]
    flow = flow_on(averaging(), LOADED, None, readings)
    assert flow == Flow(121_000, ("mean of the 3 days recorded last (October 3 to October 5) = 121,000 gallons a day",))
    assert flow_on(averaging(), LOADED, None, reversed(readings)) == flow


def test_days_without_a_reading_are_passed_over() -> None:
    readings = [(date(2026, 2, 28), 100_000), (date(2026, 9, 1), 130_000), (date(2026, 10, 5), 130_000)]
    flow = flow_on(averaging(), LOADED, None, readings)
    assert isinstance(flow, Flow) and flow.gpd == 120_000
    assert flow.steps[0].startswith("mean of the 3 days recorded last (February 28 to October 5)")


def test_the_mean_sets_the_limit_and_says_so() -> None:
    cap = cap_on(averaging(), LOADED, readings=before(125_000, 124_999, 125_001))
    assert (cap.plan_gph, cap.flow_gpd, cap.stated) == (520, 125_000, False)
    assert cap.steps[:3] == (
        "mean of the 3 days recorded last (October 3 to October 5) = 125,000 gallons a day",
        "125,000 gallons a day ÷ 24 = 5,208 gallons an hour",
        "10 % of that, rounded down = 520 gallons an hour",
    )


def test_one_high_reading_never_lifts_the_limit_above_the_stated_figure() -> None:
    cap = cap_on(averaging(1), LOADED, readings=before(8_270_000))
    assert (cap.plan_gph, cap.hard_gph) == (666, 670)


def test_a_flow_the_director_put_in_force_holds_a_higher_mean_down_and_no_lower_one_up() -> None:
    own = (plant_row("rate.flow_in_force_gpd", 100_000, LOADED, "Director's order 4"),)
    high, low = (flow_on(averaging(1, rows=own), LOADED, None, before(gpd)) for gpd in (150_000, 90_000))
    assert isinstance(high, Flow) and isinstance(low, Flow)
    assert (high.gpd, low.gpd) == (100_000, 90_000)
    assert high.steps[1] == "the flow in force by the Director is lower = 100,000 gallons a day"


def test_fewer_days_than_asked_for_leave_the_stated_flow_where_the_law_says_so() -> None:
    flow = flow_on(averaging(), LOADED, None, before(90_000, 91_000))
    said = "only 2 of the 3 days the mean is taken of are recorded, so the stated flow counts = 160,000 gallons a day"
    assert flow == Flow(160_000, (said,))
    assert cap_on(averaging(), LOADED, readings=before(90_000, 91_000)).steps[0] == said


def test_fewer_days_than_asked_for_close_the_day_where_the_law_says_so() -> None:
    law = averaging(short="closed")
    cap = cap_on(law, LOADED, readings=before(90_000, 91_000))
    assert (cap.plan_gph, cap.hard_gph, cap.parts, cap.gallons) == (0, 0, (), 0)
    assert cap.stop == Refusal(
        "no_flow",
        "Nothing is unloaded on Tuesday, October 6, 2026: only 2 of the 3 days the mean is taken of are recorded.",
        "§ 12-3 B", None, "Record the plant's daily flow.", {"day": LOADED},
    )  # fmt: skip
    assert hours_on(law, LOADED, before(90_000, 91_000)) == cap.stop
    assert cap_on(law, LOADED, readings=before(90_000, 91_000, 92_000)).stop is None


def test_planning_without_readings_goes_by_the_flow_stated_or_in_force() -> None:
    own = (plant_row("rate.flow_in_force_gpd", 100_000, LOADED, "Director's order 4"),)
    laws = averaging(short="closed"), averaging(short="closed", rows=own)
    assert [cap_on(law, LOADED).plan_gph for law in laws] == [666, 416]
    assert [cap_on(law, LOADED, readings=[]).plan_gph for law in laws] == [0, 0]


def test_a_flow_asked_about_needs_no_readings() -> None:
    assert cap_on(averaging(short="closed"), LOADED, 125_000).plan_gph == 520


def test_bayfield_reads_no_meter() -> None:
    assert cap_on(bayfield(), LOADED, readings=before(1, 2, 3)) == cap_on(bayfield(), LOADED)


def test_a_mean_without_its_days_is_named_in_the_file(tmp_path: Path) -> None:
    path = changed(tmp_path, ('[[rate.basis]]\nvalue = "stated"', '[[rate.basis]]\nvalue = "rolling_mean"'))
    assert [(one.key, one.what) for one in check([path])] == [
        ("rate.basis_days", "is missing, and a mean from 1992-01-01 on needs it"),
        ("rate.basis_short", "is missing, and a mean from 1992-01-01 on needs it"),
    ]


def stopping(folder: Path) -> Law:
    return changed_law(folder, extra=row_text("rate.high_flow_gpd", "400000") + row_text("rate.low_flow_gpd", "50000"))


@pytest.mark.parametrize(("gpd", "code"), [
    (400_000, None), (400_001, "high_flow"), (50_000, None), (49_999, "low_flow"), (0, "low_flow"),
])  # fmt: skip
def test_the_edges_of_a_high_flow_stop_and_a_low_flow_closure(tmp_path: Path, gpd: int, code: str | None) -> None:
    cap = cap_on(stopping(tmp_path), LOADED, readings=before(gpd))
    assert (cap.stop.code if cap.stop else None) == code
    assert cap.plan_gph == (0 if code else 666)


def test_a_stop_names_the_section_the_day_and_the_flow(tmp_path: Path) -> None:
    law = stopping(tmp_path)
    assert hours_on(law, LOADED, before(410_000)) == Refusal(
        "high_flow",
        "Nothing is unloaded on Tuesday, October 6, 2026: the plant's flow on Monday, October 5, 2026 is 410,000 "
        "gallons a day, above 400,000.", "§ 329-7 F(4)", details={"day": LOADED, "flow_gpd": 410_000},
    )  # fmt: skip
    low = cap_on(law, LOADED, 20_000)
    assert low.steps == (
        "Nothing is unloaded on Tuesday, October 6, 2026: the plant's flow is 20,000 gallons a day, below 50,000 "
        "(§ 329-7 F(4))",
        "so the limit is 0 gallons an hour",
    )  # fmt: skip
    assert isinstance(hours_on(law, LOADED, before(200_000)), Hours)


def test_the_reading_of_the_day_itself_goes_before_that_of_the_day_before(tmp_path: Path) -> None:
    law, calm = stopping(tmp_path), Flow(160_000)
    assert stop_on(law, LOADED, calm, [*before(500_000), (LOADED, 300_000)]) is None
    stop = stop_on(law, LOADED, calm, [*before(300_000), (LOADED, 500_000)])
    assert stop is not None and stop.details == {"day": LOADED, "flow_gpd": 500_000}


def test_a_storm_stops_its_day_and_the_next_but_no_day_further_ahead(tmp_path: Path) -> None:
    law, storm = stopping(tmp_path), [(date(2026, 10, 5), 500_000)]
    stopped = [cap_on(law, date(2026, 10, day), readings=storm).stop is not None for day in (2, 5, 6, 7)]
    assert stopped == [False, True, True, False]


def test_the_flow_in_force_closes_a_plant_too_low_where_nothing_is_recorded(tmp_path: Path) -> None:
    own = (plant_row("rate.flow_in_force_gpd", 40_000, LOADED, "Director's order 4"),)
    law = replace(stopping(tmp_path), plant_rows=own)
    stop = hours_on(law, LOADED)
    assert isinstance(stop, Refusal) and stop.code == "low_flow"
    assert isinstance(hours_on(law, LOADED, before(60_000)), Hours)


def test_the_directors_own_thresholds_count_beside_those_of_the_text(tmp_path: Path) -> None:
    own = (
        plant_row("rate.own_high_flow_gpd", 300_000, LOADED, "Director's order 6"),
        plant_row("rate.own_low_flow_gpd", 80_000, LOADED, "Director's order 6"),
    )
    law = replace(stopping(tmp_path), plant_rows=own)
    for gpd, cite in ((350_000, "Director's order 6"), (450_000, "§ 329-7 F(4)"), (70_000, "Director's order 6")):
        stop = hours_on(law, LOADED, before(gpd))
        assert isinstance(stop, Refusal) and stop.cite == cite
    assert cap_on(law, LOADED - timedelta(days=1), 350_000).stop is None


def test_a_stopped_day_that_is_closed_anyway_says_the_closure(tmp_path: Path) -> None:
    law = replace(stopping(tmp_path), closures={LOADED: Closure(LOADED, "Pump repair", "closed")})
    stop = hours_on(law, LOADED, before(500_000))
    assert isinstance(stop, Refusal) and stop.code == "closed"


def test_a_place_without_a_limit_keeps_its_own_refusal() -> None:
    refused = hours_on(law_of("gillett"), LOADED)
    assert isinstance(refused, Refusal) and refused.code == "by_agreement"


def test_only_a_mean_and_thresholds_read_the_meter(tmp_path: Path) -> None:
    own = bayfield(rows=(plant_row("rate.own_low_flow_gpd", 80_000, LOADED, "Director's order 6"),))
    laws = bayfield(), averaging(), stopping(tmp_path), own
    assert [reads_meter(law, LOADED) for law in laws] == [False, True, True, True]
    assert reads_meter(own, LOADED - timedelta(days=1)) is False
    assert reads_meter(law_of("gillett"), LOADED) is False


def test_a_season_takes_the_readings_it_is_given() -> None:
    law = averaging(1)
    capacity = season_capacity(law, season_named(law, "2026-27"), [(date(2026, 9, 1), 125_000)])
    assert (capacity.winter, capacity.rest) == (109 * 1560, 152 * 1560)
