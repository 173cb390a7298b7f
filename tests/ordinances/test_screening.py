from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.screening import WASTE_TYPES, screen, waste_allowed
from tests.ordinances.common import LOADED, bayfield, changed_law, law_of


@pytest.mark.parametrize(
    ("ph", "found"),
    [("5.49", ["reject"]), ("5.5", []), ("7", []), ("9.5", []), ("9.51", ["ask"]), ("0", ["reject"]), ("14", ["ask"])],
)
def test_ph_at_its_limits(ph: str, found: list[str]) -> None:
    assert [one.severity for one in screen(bayfield(), LOADED, ph=Decimal(ph))] == found


@pytest.mark.parametrize(("temp", "found"), [("150", []), ("150.1", ["ask"])])
def test_temperature_at_its_limit(temp: str, found: list[str]) -> None:
    assert [one.severity for one in screen(bayfield(), LOADED, temp_f=Decimal(temp))] == found


def test_a_low_ph_is_rejected_with_its_section() -> None:
    (finding,) = screen(bayfield(), LOADED, ph=Decimal("5.2"))
    assert (finding.parameter, finding.sentence, finding.cite) == ("ph", "pH 5.2 is below 5.5.", "§ 329-6 C(3)")


def test_a_hot_load_says_so_in_degrees() -> None:
    (finding,) = screen(bayfield(), LOADED, temp_f=Decimal(151))
    assert (finding.sentence, finding.cite) == ("Temperature 151 °F is above 150 °F.", "§ 329-6 D(1)")


@pytest.mark.parametrize(
    ("flag", "severity", "cite"),
    [
        ("flammable", "reject", "§ 329-6 C(1)"),
        ("toxic", "reject", "§ 329-6 C(2)"),
        ("solids", "reject", "§ 329-6 C(4)"),
        ("grease", "warn", "§ 329-6 D(2)"),
        ("slug", "warn", "§ 329-6 D(9)(d)"),
        ("untreatable", "ask", "§ 329-6 D(10)"),
    ],
)
def test_what_is_seen_or_smelled_has_its_limit(flag: str, severity: str, cite: str) -> None:
    (finding,) = screen(bayfield(), LOADED, flags={flag})
    assert (finding.severity, finding.cite) == (severity, cite)


def test_the_gravest_finding_stands_first() -> None:
    found = screen(bayfield(), LOADED, ph=Decimal(10), flags={"grease", "flammable"})
    assert [one.severity for one in found] == ["reject", "ask", "warn"]


def test_nothing_measured_and_nothing_seen_finds_nothing() -> None:
    assert screen(bayfield(), LOADED) == ()


def test_gillett_and_lawrence_have_their_own_limits() -> None:
    assert [one.severity for one in screen(law_of("gillett"), LOADED, ph=Decimal("5.9"))] == ["reject"]
    assert screen(law_of("gillett"), LOADED, ph=Decimal(12)) == ()
    assert [one.severity for one in screen(law_of("lawrence"), LOADED, ph=Decimal("9.1"))] == ["reject"]


def test_a_changed_limit_changes_the_answer(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('below = "5.5"', 'below = "6.0"'))
    assert [one.sentence for one in screen(law, LOADED, ph=Decimal("5.9"))] == ["pH 5.9 is below 6.0."]


@pytest.mark.parametrize("waste", ["septic_tank", "holding_tank", "portable_toilet"])
def test_septage_is_covered(waste: str) -> None:
    assert waste_allowed(bayfield(), LOADED, waste) is None


@pytest.mark.parametrize(
    ("waste", "why"),
    [
        ("grease_interceptor", "Grease interceptor waste is not septage, and no approval covers it."),
        ("other", "Waste of another kind is not septage, and no approval covers it."),
    ],
)
def test_what_is_not_septage_is_not_covered(waste: str, why: str) -> None:
    refusal = waste_allowed(bayfield(), LOADED, waste)
    assert refusal is not None
    assert (refusal.code, refusal.why, refusal.cite) == ("not_septage", why, "§ 329-7 A")
    assert refusal.next_step == "What can be unloaded: septic tank, holding tank, portable toilet."


def test_an_unknown_waste_is_an_error() -> None:
    with pytest.raises(ValueError, match="'milk' is not a kind of waste"):
        waste_allowed(bayfield(), date(2026, 10, 6), "milk")
    assert list(WASTE_TYPES) == ["septic_tank", "holding_tank", "portable_toilet", "grease_interceptor", "other"]
