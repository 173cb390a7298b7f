from decimal import Decimal
from pathlib import Path

import pytest

from ordinances.weighing import weighed
from tests.ordinances.common import LOADED, bayfield, changed_law


@pytest.mark.parametrize(
    ("full", "empty", "gallons"),
    [(25_100, 12_590, 1_500), (12_594, 12_590, 0), (12_595, 12_590, 1), (12_590, 12_590, 0), (12_000, 12_590, 0)],
)
def test_gallons_are_the_net_pounds_at_the_laws_pounds_a_gallon_half_up(full: int, empty: int, gallons: int) -> None:
    assert weighed(bayfield(), LOADED, full, empty).gallons == gallons


def test_the_pounds_and_the_section_stand_beside_the_gallons() -> None:
    found = weighed(bayfield(), LOADED, 25_100, 12_590)
    assert (found.pounds, found.factor, found.cite) == (12_510, Decimal("8.34"), "§ 329-2 B(2)(b)")


def test_another_town_has_another_weight_of_a_gallon(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('value = "8.34"', 'value = "8.345"'))
    assert weighed(law, LOADED, 25_100, 12_590).gallons == 1_499
