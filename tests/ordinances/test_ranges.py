from pathlib import Path

import pytest

from ordinances.ranges import UNITS, check_cents, check_range
from ordinances.reader import LawError, Profile, check, load_profile, plant_row, shipped
from ordinances.schema import KEYS
from ordinances.values import WrongValue, parse
from tests.ordinances.common import LOADED, changed

OUTSIDE = {
    "a flow of nothing": ("rate.flow_gpd", "160000", "0", "0 is too low", "Write 1 to 1,000,000,000 gallons a day"),
    "no limit": ("rate.plan_gph", "666", "0", "0 is too low", "Write 1 to 100,000,000 gallons an hour"),
    "a share of nothing": ("rate.percent", '"10"', '"0"', "0 is too low", "Write more than 0 and up to 100 percent"),
    "more than the whole": (
        "rate.percent", '"10"', '"250"', "250 is too high", "Write more than 0 and up to 100 percent",
    ),
    "a late charge above the whole": (
        "billing.late_percent", '"10"', '"100.01"', "100.01 is too high", "Write more than 0 and up to 100 percent",
    ),
    "a record due after thousands of years": (
        "record.due_working_days", "1", "1000000", "1000000 is too high", "Write 0 to 60 working days",
    ),
    "an invoice due at once": ("billing.late_days", "20", "0", "0 is too low", "Write 1 to 366 days"),
    "a test beyond price": ("fees.test", '"12.16"', '"100000.01"', "100000.01 is too high",
                            "Write 0 to 100,000 dollars"),
    "half a cent a test": ("fees.test", '"12.16"', '"12.165"',
                           "12.165 is not whole cents, and a test charge is charged in cents", "Write 12.16 or 12.17"),
    "no factor": ("strength.lb_factor", '"8.34"', '"0"', "0 is too low",
                  "Write more than 0 and up to 100 pounds per gallon"),
    "a pH that is none": (
        "limits.ph_high", '{ parameter = "ph", above = "9.5"', '{ parameter = "ph", above = "14.1"',
        "14.1 is too high", "Write 0 to 14",
    ),
    "steam": (
        "limits.temp_high", '{ parameter = "temp_f", above = "150"', '{ parameter = "temp_f", above = "213"',
        "213 is too high", "Write 0 to 212 °F",
    ),
    "more grease than water": (
        "limits.fog_high", '{ parameter = "grease", above = "100"', '{ parameter = "grease", above = "1000001"',
        "1000001 is too high", "Write more than 0 and up to 1,000,000 mg/L",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_number_that_cannot_be_true_is_named_with_what_can(tmp_path: Path, name: str) -> None:
    key, old, new, what, mend = OUTSIDE[name]
    path = changed(tmp_path, (f"[[{key}]]\nvalue = {old}", f"[[{key}]]\nvalue = {new}"))
    assert (key, what, mend) in [(one.key, one.what, one.mend) for one in check([path])]
    with pytest.raises(LawError):
        load_profile(path)


@pytest.mark.parametrize(
    ("key", "raw"),
    [("rate.flow_gpd", 1), ("rate.percent", "100"), ("rate.percent", "0.01"), ("billing.late_days", 1),
     ("record.due_working_days", 0), ("fees.volume_per_gal", "0"), ("limits.ph_low", {"parameter": "ph", "below": "0",
      "severity": "reject"}), ("limits.ph_high", {"parameter": "ph", "above": "14", "severity": "reject"})],
)  # fmt: skip
def test_a_number_at_the_very_bound_is_taken(key: str, raw: object) -> None:
    check_range(KEYS[key], parse(KEYS[key].type, raw))


def test_every_number_of_the_schema_has_bounds() -> None:
    assert {key.name for key in KEYS.values() if key.type in ("integer", "decimal") and key.unit not in UNITS} == set()


@pytest.mark.parametrize(("key", "raw"), [("rate.flow_in_force_gpd", "0"), ("fees.wage", "100000.01")])
def test_a_plants_own_row_keeps_to_the_bounds_too(key: str, raw: str) -> None:
    with pytest.raises(WrongValue):
        plant_row(key, raw, LOADED, "Resolution 9")


def test_what_the_profiles_hold_lies_within_the_bounds() -> None:
    held: list[Profile] = [load_profile(name) for name in shipped()]
    for row in (row for one in held for row in one.rows):
        check_range(row.schema, row.value)


@pytest.mark.parametrize(("key", "raw"), [
    ("fees.volume_per_gal", "0.0245"), ("fees.surcharge_2007_bod", "0.155"), ("fees.test", "12.160"),
    ("rate.percent", "10.005"),
])  # fmt: skip
def test_parts_of_a_cent_are_taken_where_the_gallon_or_the_pound_is_priced(key: str, raw: str) -> None:
    check_cents(KEYS[key], parse(KEYS[key].type, raw))
