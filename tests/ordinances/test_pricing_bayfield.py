"""Bayfield's profile charges what its schedule under tests says, line by line, and what whole numbers say."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import assume, given
from hypothesis import strategies as st

from ordinances.fees import FeeLine, for_load, total
from ordinances.hauled import Load, Part
from ordinances.pricing import price_load
from ordinances.refusal import Refusal
from tests.ordinances.common import FIXED, bayfield
from tests.ordinances.town import quote, septic, shown, town

FIRST = date(2026, 1, 5)
WASTES = ["septic_tank", "holding_tank", "portable_toilet", "grease_interceptor", "other"]


def parts_of(lines: tuple[FeeLine, ...]) -> list[tuple[str, str, str, str]]:
    """What both ways must agree on; one says that a test is charged by the load, the other by the test."""
    return [(one.code, f"{one.quantity.normalize():f}", str(one.unit_price), str(one.amount)) for one in lines]


@FIXED
@given(
    start=st.integers(0, 700),
    mornings=st.lists(st.integers(0, 5000), min_size=1, max_size=3),
    waste=st.sampled_from(WASTES),
    tested=st.booleans(),
    extra=st.integers(0, 3),
    minutes=st.integers(0, 400),
    cents=st.integers(1, 9999),
)
def test_both_ways_agree_to_the_cent(
    start: int, mornings: list[int], waste: str, tested: bool, extra: int, minutes: int, cents: int
) -> None:
    first = FIRST + timedelta(days=start)
    assume(first.weekday() < 5)
    days = tuple((first + timedelta(days=at), gallons) for at, gallons in enumerate(mornings))
    wage = Decimal(cents) / 100
    old = for_load(
        bayfield(), days, waste, tested=tested, extra_tests=extra, after_hours_minutes=minutes, wage=wage
    )  # fmt: skip
    load = Load(
        (Part(waste, None, sum(mornings)),), tests={"pair": int(tested), "extra": extra}, after_hours=minutes > 0,
        staff_minutes=minutes, wage=wage, sessions=days,
    )  # fmt: skip
    new = price_load(town("bayfield"), first, load)
    assert isinstance(old, Refusal) == isinstance(new, Refusal)
    if not isinstance(old, Refusal) and not isinstance(new, Refusal):
        # Gallons of all mornings come first in both; special tests are one line of so many tests in both.
        assert parts_of(new.lines) == parts_of(old)
        assert new.total == total(old) == Decimal(by_whole_numbers(mornings, tested, extra, minutes, cents)) / 100


def by_whole_numbers(mornings: list[int], tested: bool, extra: int, minutes: int, wage: int) -> int:
    """The same in cents by whole numbers alone: 2.4 cents a gallon and a quarter of the wage, a half cent up."""
    tests = int(tested) + extra
    quarters = max(4, -(-minutes // 15)) if minutes else 0
    special = (quarters * wage * 2 + 4) // 8 + (500 * tests if minutes else 0)
    return sum((24 * gallons + 5) // 10 for gallons in mornings) + 1216 * tests + special


def test_1500_gallons_in_2_hours_16_minutes_of_special_time_are_128_16() -> None:
    load = Load((septic(1500),), tests={"pair": 1}, after_hours=True, staff_minutes=136, wage=Decimal("30.00"))
    found = quote(town("bayfield"), load)
    assert shown(found.lines) == [
        ("volume", "36.00"), ("test", "12.16"), ("special_wage", "75.00"), ("special_test", "5.00"),
    ]  # fmt: skip
    assert found.total == Decimal("128.16")
    assert found.lines[2].sentence == (
        "Supervision at another time of the day, 2 hours 16 minutes: 2.5 hours at $30.00 an hour = $75.00 "
        "(§ 329-7 F(4)). Hours are the actual ones, rounded up to a quarter, and at least one."
    )
