"""What a load is tested for, how strong it may be, its pounds, and what it makes of the inflow while it is bled."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from ordinances.rate_cap import cap_on
from ordinances.rows import Law, plant_row
from ordinances.strength import (
    BELOW_WORDS,
    added,
    awaited,
    blend,
    blend_words,
    changing,
    lasting,
    mixed,
    outside,
    parameters_of,
    pounds_of,
    steps_words,
)
from tests.ordinances.common import bayfield, changed_law, profile, row_text
from tests.ordinances.town import item

OCT_6 = date(2026, 10, 6)
BAYFIELD = bayfield()
FLOW = cap_on(BAYFIELD, OCT_6).flow_gpd


def test_a_load_is_tested_for_what_the_law_names():
    assert parameters_of(BAYFIELD, OCT_6) == ("BOD5", "TSS")


def test_what_the_schedule_charges_by_strength_is_tested_too(tmp_path):
    pound = item("phosphorus", "per_pound_over", 'price = "19.00"\nparameter = "p"\nabove = "10"\nlb_factor = "8.34"\n'
                 'basis = ["measured", "declared"]', since="2027-01-01")  # fmt: skip
    law = changed_law(tmp_path, extra=pound)
    assert parameters_of(law, date(2026, 12, 31)) == ("BOD5", "TSS")
    assert parameters_of(law, date(2027, 1, 1)) == ("BOD5", "TSS", "P")
    assert date(2027, 1, 1) in changing(law)


def test_a_result_is_missing_by_the_laws_number_of_days_else_by_the_plants_own(tmp_path):
    own = awaited(BAYFIELD, OCT_6)
    assert (own.days, own.cite) == (8, "")
    assert own.words == "No § says when: BOD is read five days after it is set up, so this plant asks after 8 days."
    law = changed_law(tmp_path, extra=row_text("testing.result_days", "10", "2026-10-06", "§ 5 C"))
    assert awaited(law, date(2026, 10, 5)).days == 8
    there = awaited(law, OCT_6)
    assert (there.days, there.words, there.cite) == (10, "A result is looked for after 10 days.", "§ 5 C")


@pytest.mark.parametrize(("waste", "parameter", "qualifier", "value", "asked"), [
    ("septic_tank", "BOD5", "", "439", True), ("septic_tank", "BOD5", "", "440", False),
    ("septic_tank", "BOD5", "", "78600", False), ("septic_tank", "BOD5", "", "78601", True),
    ("septic_tank", "BOD5", "<", "2", False), ("septic_tank", "BOD5", ">", "2", False),
    ("septic_tank", "BOD5", ">", "78601", True), ("holding_tank", "BOD5", "", "6480", True),
    ("holding_tank", "BOD5", "", "400", False), ("septic_tank", "pH", "", "12.7", True),
    ("grease_interceptor", "BOD5", "", "1", False), ("septic_tank", "NH3-N", "", "1", False),
])  # fmt: skip
def test_a_result_outside_the_usual_band_is_asked_about(waste, parameter, qualifier, value, asked):
    assert (outside(waste, parameter, qualifier, Decimal(value)) is not None) is asked


@pytest.mark.parametrize(("qualifier", "value", "gallons", "words"), [
    ("", "6480", 1_500, "81.1 pounds"), ("", "4200", 1_500, "52.5 pounds"), ("<", "2", 1_500, "less than 0.1 pounds"),
    (">", "9000", 1_500, "more than 112.5 pounds"), ("<", "9000", 1_500, "less than 112.6 pounds"),
    ("", "0", 1_500, "0.0 pounds"), ("", "12862", 20_000, "2,145.4 pounds"),
])  # fmt: skip
def test_pounds_are_strength_times_million_gallons_times_the_laws_factor(qualifier, value, gallons, words):
    found = pounds_of(BAYFIELD, OCT_6, "BOD5", qualifier, Decimal(value), gallons)
    assert found is not None
    assert (found.words, found.row.cite) == (words, "§ 329-2 B(2)(b)")
    assert found.row.reading == "The text gives pounds but no factor; the usual one is taken."


def test_another_factor_in_the_law_gives_other_pounds(tmp_path):
    law = changed_law(tmp_path, extra=row_text("strength.lb_factor", '"8.345"', "2026-10-06", "§ 20-19"))
    found = pounds_of(law, OCT_6, "BOD5", "", Decimal(80_000), 1_500)
    assert found is not None
    assert (found.words, found.row.cite) == ("1,001.4 pounds", "§ 20-19")
    assert steps_words(found, Decimal(80_000), 1_500) == "80,000 mg/L × 0.0015 million gallons × 8.345"


def test_ph_has_no_pounds():
    assert pounds_of(BAYFIELD, OCT_6, "pH", "", Decimal("6.9"), 1_500) is None


def test_pounds_are_added_with_less_than_at_its_limit_and_the_rule_is_in_words():
    several = [pounds_of(BAYFIELD, OCT_6, "BOD5", q, Decimal(v), 1_500) for q, v in (("", "4200"), ("<", "200"))]
    assert added(one for one in several if one) == {"BOD5": Decimal("55.1")}
    assert BELOW_WORDS == (
        "A result below the detection limit, such as <2, counts as its limit; one above the test counts as the figure "
        "after >. No § says how: this is how the plant reads it.")  # fmt: skip


def test_the_blend_is_a_slug_one_milligram_above_five_times_the_normal_strength():
    # (6,666.67 × 200 + 666 × C) ÷ 7,332.67 passes 1,000 mg/L at C = 9,008.
    under, over = (blend(BAYFIELD, OCT_6, "BOD5", Decimal(c), 666, FLOW) for c in (9_008, 9_009))
    assert under is not None and over is not None
    assert (under.too_strong, over.too_strong, over.mg_l, over.bound) == (False, True, Decimal(1_000), Decimal(1_000))
    assert blend_words(over) == (
        "At 666 gallons an hour it brings 50.0 pounds of BOD an hour and makes the plant's inflow 1,000 mg/L: more "
        "than the 1,000 mg/L above which it is a slug.")  # fmt: skip
    slow = blend(BAYFIELD, OCT_6, "BOD5", Decimal(9_009), 300, FLOW)
    assert slow is not None and not slow.too_strong
    assert over.row is not None and over.row.cite == "§ 329-1, slug"


def test_without_a_slug_in_the_law_the_plants_design_is_the_plants_own_measure():
    without = replace(profile(), rows=tuple(row for row in profile().rows if row.key != "slug.times"))
    assert blend(Law(without), OCT_6, "BOD5", Decimal(9_009), 666, FLOW) is None
    law = Law(without, (plant_row("plant.design_bod", 1_000, OCT_6, "Facility plan of 2019"),))
    found = blend(law, OCT_6, "BOD5", Decimal(9_009), 666, FLOW)
    assert found is not None
    assert (found.own, found.too_strong) == (True, True)
    assert blend_words(found) == (
        "At 666 gallons an hour it brings 50.0 pounds of BOD an hour; the plant is built for 41.7 pounds an hour. No § "
        "says what a slug is here: this is the plant's own measure.")  # fmt: skip


def runs(*several: tuple[int, int, int]) -> list[tuple[datetime, datetime, int]]:
    """Runs from a minute to another at a rate."""
    seven = datetime(2026, 10, 6, 7, tzinfo=UTC)
    return [(seven + timedelta(minutes=a), seven + timedelta(minutes=b), gph) for a, b, gph in several]


def test_a_slug_lasts_longer_than_the_laws_minutes():
    assert lasting(BAYFIELD, OCT_6, runs((0, 15, 666))) is None
    assert lasting(BAYFIELD, OCT_6, runs((0, 16, 666))) == 666
    assert lasting(BAYFIELD, OCT_6, runs((0, 15, 666), (15, 31, 300))) == 300
    assert lasting(BAYFIELD, OCT_6, runs((0, 8, 600), (8, 16, 666))) == 600
    # After a pause it begins anew.
    assert lasting(BAYFIELD, OCT_6, runs((0, 10, 666), (12, 22, 666))) is None
    assert lasting(BAYFIELD, OCT_6, []) is None


def test_gallons_put_together_weigh_each_strength_by_its_gallons():
    assert mixed([(1_000, Decimal(6_000)), (3_000, Decimal(2_000))]) == (Decimal(3_000), 0)
    assert mixed([(1_000, Decimal(6_000)), (500, None)]) == (Decimal(6_000), 500)
    assert mixed([(500, None)]) == (None, 500)
