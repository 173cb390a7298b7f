from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.hauled import Gallons, Load, Part, gallons_of, share_of, shared
from tests.ordinances.common import FIXED
from tests.ordinances.town import item, made, septic


def test_gallons_are_those_of_the_first_basis_that_is_known() -> None:
    load = Load((septic(900), septic(100)), capacity=2000, pounds=8340)
    volume = made(item("v", "per_gallons", 'price = "1"\nbasis = ["measured", "declared", "capacity"]')).items[0]
    assert gallons_of(volume, load) == Gallons(1000, "declared")
    scale = made(
        item("v", "per_gallons", 'price = "1"\nbasis = ["weight", "capacity"]\nlb_per_gallon = "8.34"')
    ).items[0]  # fmt: skip
    assert gallons_of(scale, load) == Gallons(1000, "weight")
    assert gallons_of(scale, Load((septic(),), capacity=2000)) == Gallons(2000, "capacity")
    assert gallons_of(scale, Load((septic(5),))) is None


@pytest.mark.parametrize(("pounds", "gallons"), [("4.16", 0), ("4.17", 1), ("12.50", 1), ("12.51", 2)])
def test_weight_makes_whole_gallons_half_up(pounds: str, gallons: int) -> None:
    scale = made(item("v", "per_gallons", 'price = "1"\nbasis = ["weight"]\nlb_per_gallon = "8.34"')).items[0]
    assert gallons_of(scale, Load((septic(),), pounds=Decimal(pounds))) == Gallons(gallons, "weight")


def test_nothing_measured_is_not_the_same_as_nought() -> None:
    volume = made(item("v", "per_gallons", 'price = "1"\nbasis = ["measured", "declared"]')).items[0]
    assert gallons_of(volume, Load((septic(700),), measured=0)) == Gallons(0, "measured")
    assert gallons_of(volume, Load((septic(700),))) == Gallons(700, "declared")


@FIXED
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4000)), min_size=1, max_size=6), st.integers(0, 9000))
def test_shares_of_all_kinds_add_up_to_the_whole(rows: list[tuple[str, int]], whole: int) -> None:
    load = Load(tuple(Part(name, None, gallons) for name, gallons in rows))
    kinds = sorted({name for name, _ in rows})
    shares = [shared(whole, load, tuple(part for part in load.parts if part.waste == name)) for name in kinds]
    if load.declared_gallons or len(kinds) == 1:
        assert sum(one for one in shares if one is not None) == whole
        exact = [Decimal(whole * sum(g for n, g in rows if n == name)) / (load.declared_gallons or 1) for name in kinds]
        assert all(abs((one or 0) - two) < 1 for one, two in zip(shares, exact, strict=True)) or len(kinds) == 1
    else:
        assert shares == [None] * len(kinds)


def test_pounds_and_yards_are_shared_by_gallons() -> None:
    load = Load((septic(300), Part("other", None, 100)))
    assert share_of(Decimal(1000), load, load.parts[:1]) == Decimal(750)
    assert share_of(Decimal(1000), load, load.parts) == Decimal(1000)
    assert share_of(Decimal(1000), Load((septic(), Part("other", None, 100))), (septic(),)) is None
    third = Load((septic(100), Part("other", None, 200)))
    assert share_of(Decimal(1000), third, third.parts[:1]) == Decimal("333.33")
    assert share_of(Decimal(1000), third, third.parts[1:]) == Decimal("666.67")


@pytest.mark.parametrize(
    ("marks", "times"),
    [
        ({}, {"inside"}),
        ({"after_hours": True}, {"after_hours"}),
        ({"weekend": True, "holiday": True}, {"weekend", "holiday"}),
    ],
)
def test_a_load_is_inside_the_hours_unless_marked(marks: dict[str, bool], times: set[str]) -> None:
    assert Load((septic(1),), **marks).times == times  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "error", "why"),
    [
        ({"parts": ()}, ValueError, "at least one part"),
        ({"parts": (septic(-1),)}, ValueError, "below zero"),
        ({"parts": (septic(1),), "costs": {"lab": 31.4}}, TypeError, "no floats"),
        ({"parts": (septic(1),), "pounds": 8.34}, TypeError, "no floats"),
        ({"parts": (septic(1),), "pounds": Decimal("8.345")}, ValueError, "to the hundredth"),
        ({"parts": (septic(1),), "staff_minutes": -5}, ValueError, "below zero"),
        ({"parts": (septic(9),), "sessions": ((date(2026, 1, 5), 8),)}, ValueError, "do not add up"),
    ],
)
def test_a_load_that_cannot_be_is_refused(wrong: dict[str, object], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        Load(**wrong)  # type: ignore[arg-type]
