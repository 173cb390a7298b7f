"""Results as laboratories write them, read by their test: units, what was not found, and what is no result."""

from decimal import Decimal

import pytest

from ordinances.lab_words import Reading, read_result
from ordinances.refusal import Refusal


@pytest.mark.parametrize("typed", ["ND", "n.d.", "Not detected", "<LOD", "< MDL", "BDL", "<LOQ"])
def test_not_found_is_less_than_the_limit_it_is_given(typed):
    assert read_result(typed, "TSS", " 2 mg/L ") == Reading("<", Decimal(2))
    assert read_result(typed, "TSS", "<2") == Reading("<", Decimal(2))


@pytest.mark.parametrize(("limit", "code"), [("", "no_limit"), ("0", "no_limit"), (">2", "no_limit"),
                                             ("x", "not_a_number"), ("2 ug/L", "unit")])  # fmt: skip
def test_not_found_without_a_limit_that_can_be_one_says_too_little(limit, code):
    found = read_result("ND", "TSS", limit)
    assert isinstance(found, Refusal)
    assert found.code == code


@pytest.mark.parametrize(("typed", "value"), [("6.9", "6.9"), ("6.9 SU", "6.9"), ("7 s.u.", "7"), ("14", "14")])
def test_ph_has_units_of_its_own(typed, value):
    assert read_result(typed, "pH") == Reading("", Decimal(value))


@pytest.mark.parametrize(("typed", "code", "why"), [
    ("72", "too_much", "pH must be a number from 0 to 14, like 6.9"),
    ("acid", "not_a_number", "pH must be a number from 0 to 14, like 6.9"),
    ("6.9 mg/L", "unit", "Enter the result in SU, not in mg/L"),
])  # fmt: skip
def test_what_is_no_ph_is_refused_in_words(typed, code, why):
    found = read_result(typed, "pH")
    assert isinstance(found, Refusal)
    assert (found.code, found.why) == (code, why)


def test_text_longer_than_any_result_is_refused_before_it_is_read():
    for test, why in (
        ("BOD5", "Result must be a number, like 4,200 or <2"),
        ("pH", "pH must be a number from 0 to 14, like 6.9"),
    ):
        assert read_result("7" + " " * 53 + "a" * 7, test) == Refusal("not_a_number", why, "")
        assert read_result("a" * 1_000_000, test) == Refusal("not_a_number", why, "")
    # One character less is read, and its unit told.
    found = read_result("7" + " " * 53 + "a" * 6)
    assert isinstance(found, Refusal)
    assert found.code == "unit"
