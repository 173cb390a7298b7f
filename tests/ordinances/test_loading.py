from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.loading import Loading, Mean, large_source, loadings, strength, typical
from ordinances.rate_cap import cap_on
from ordinances.rows import Row, plant_row
from ordinances.schema import WASTES
from tests.ordinances.common import LOADED, bayfield, changed_law, row_text, without_typical

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
    assert bod.parts[0].strength.words == (
        "mean of 12 results, 1 of them outside what the test can measure and counted at its limit")  # fmt: skip


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


def test_typical_strengths_are_rows_of_the_law_that_say_whose_figures_they_are() -> None:
    law = bayfield()
    rows = {(waste, name): typical(law, LOADED, waste, name) for waste in WASTES for name in ("bod", "tss")}
    assert {key: (row.value, row.note) for key, row in rows.items() if row} == {
        ("septic_tank", "bod"): (6_480, "mean of EPA 832-F-99-068"),
        ("septic_tank", "tss"): (12_862, "mean of EPA 832-F-99-068"),
        ("holding_tank", "bod"): (400, "middle of the usual range"),
        ("holding_tank", "tss"): (450, "middle of the usual range"),
        ("portable_toilet", "bod"): (9_000, "middle of the usual range"),
        ("portable_toilet", "tss"): (11_500, "middle of the usual range"),
    }  # fmt: skip
    assert all(row.unconfirmed and row.reading and row.reading.startswith("No ordinance states it") for row in
               rows.values() if row)  # fmt: skip


def test_another_typical_strength_in_the_law_counts_from_its_own_day(tmp_path: Path) -> None:
    text = row_text("strength.typical_septic_tank_bod", "5000", "2026-10-01", "§ 5 C")
    law = changed_law(tmp_path, extra=text)
    found = [typical(law, date(2026, 9, 30), "septic_tank", "bod"), typical(law, LOADED, "septic_tank", "bod")]
    assert [row.value for row in found if row] == [6_480, 5_000]
    own = Mean(Decimal(4_000), 1)
    strengths = [strength(law, LOADED, "septic_tank", "bod", one) for one in (None, own)]
    assert [(one.mg_l, one.words, one.cite) for one in strengths if one] == [
        (Decimal(5_000), "typical", "§ 5 C"), (Decimal(4_000), "mean of 1 result", ""),
    ]  # fmt: skip


def test_a_law_without_typical_strengths_counts_only_own_results() -> None:
    law = without_typical()
    bod, tss = loadings(law, LOADED, {"septic_tank": WINTER_GALLONS}, WINTER_DAYS,
                        {("septic_tank", "BOD5"): Mean(Decimal(5_000), 12)}, cap_on(law, LOADED))  # fmt: skip
    assert (bod.pounds, bod.typical, bod.unknown) == (Decimal("83.3"), False, ())
    assert (tss.pounds, tss.typical, tss.unknown) == (Decimal("0.0"), False, ("septic_tank",))
