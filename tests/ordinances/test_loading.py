from datetime import date
from decimal import Decimal

import pytest

from ordinances.loading import Loading, Mean, large_source, loadings
from ordinances.rate_cap import cap_on
from ordinances.rows import Row, plant_row
from tests.ordinances.common import LOADED, bayfield

WINTER_DAYS, WINTER_GALLONS = 105, 209_790


def of(gallons: dict[str, int], days: int = WINTER_DAYS, own: dict[tuple[str, str], Mean] | None = None,
       rows: tuple[Row, ...] = ()) -> list[Loading]:  # fmt: skip
    law = bayfield(rows=rows)
    return list(loadings(law, LOADED, gallons, days, own or {}, cap_on(law, LOADED)))


def test_a_full_day_at_the_typical_strength_of_septic_tanks() -> None:
    bod, tss = of({"septic_tank": WINTER_GALLONS})
    assert (bod.parameter, bod.pounds, tss.parameter, tss.pounds) == ("BOD5", Decimal("108.0"), "TSS", Decimal("214.3"))
    assert (bod.typical, tss.typical, bod.design, bod.percent) == (True, True, None, None)
    strength = bod.parts[0].strength
    assert strength is not None
    assert (strength.words, strength.cite) == ("typical", "mean of EPA 832-F-99-068, not confirmed")


def test_the_haulers_own_mean_goes_before_the_typical_one() -> None:
    own = {("septic_tank", "BOD5"): Mean(Decimal(5_000), 12, 1)}
    bod, tss = of({"septic_tank": WINTER_GALLONS}, own=own)
    assert (bod.pounds, bod.typical, tss.typical) == (Decimal("83.3"), False, True)
    assert bod.parts[0].strength is not None
    assert bod.parts[0].strength.words == "mean of 12 results, 1 of them outside what the test can measure"


def test_the_design_figure_gives_a_share() -> None:
    rows = (plant_row("plant.design_bod", 400, date(2026, 1, 1), "Facility plan of 2019"),)
    bod, tss = of({"septic_tank": WINTER_GALLONS}, rows=rows)
    assert (bod.design, bod.percent, tss.percent) == (400, Decimal("27.0"), None)


def test_waste_without_a_known_strength_is_named_and_not_in_the_sum() -> None:
    bod, _ = of({"holding_tank": 1_050, "grease_interceptor": 500})
    assert (bod.unknown, bod.pounds) == (("grease_interceptor",), Decimal("0.0"))


def test_a_slug_is_said_only_above_the_bound() -> None:
    own = {("septic_tank", "TSS"): Mean(Decimal(11_261), 3)}
    bod, tss = of({"septic_tank": 1_000}, own=own)
    # 160,000 ÷ 24 at 250 mg/L with 666 gallons an hour at 11,261 make 1,250.09: more than five times the normal.
    assert (bod.strong, tss.strong) == (None, Decimal(1_250))
    assert of({"septic_tank": 1_000}, own={("septic_tank", "TSS"): Mean(Decimal(11_260), 3)})[1].strong is None


def test_no_open_day_no_loading() -> None:
    assert of({"septic_tank": 1_000}, days=0) == []


@pytest.mark.parametrize(
    ("waste", "gallons", "flagged"),
    [("holding_tank", 456_000, True), ("holding_tank", 455_999, False), ("septic_tank", 900_000, False)],
)
def test_a_source_of_three_thousand_gallons_a_day_of_holding_tank_waste(waste: str, gallons: int,
                                                                        flagged: bool) -> None:  # fmt: skip
    found = large_source(bayfield(), LOADED, waste, gallons, 152)
    assert (found is not None) is flagged
