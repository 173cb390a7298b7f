from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.allocation import Ask, Method, Recommendation, recommend, tier_of
from tests.ordinances.common import FIXED, LOADED, bayfield, local

FILED = local("2026-08-03 09:00")
METHODS: tuple[Method, ...] = ("pro_rata", "equal")


def ask(ref: str, gallons: int | Mapping[int, int], minute: int = 0) -> Ask:
    by_tier = {1: gallons} if isinstance(gallons, int) else gallons
    return Ask(ref, FILED + timedelta(minutes=minute), by_tier)


def given_to(answer: Recommendation) -> dict[str, int]:
    return {share.ref: share.gallons for share in answer.shares}


def test_all_that_fits_is_given_in_full() -> None:
    answer = recommend([ask("a", 1000), ask("b", {1: 500, 3: 300})], 2000)
    assert given_to(answer) == {"a": 1000, "b": 800}
    assert answer.left == 200
    assert answer.steps == (
        "Tier 1 asks for 1,500 gallons of 2,000: all of it fits.",
        "Tier 3 asks for 300 gallons of 500: all of it fits.",
    )


def test_the_first_tier_goes_before_the_others() -> None:
    answer = recommend([ask("outside", {4: 900}), ask("inside", {1: 900})], 1000)
    assert given_to(answer) == {"outside": 100, "inside": 900}
    assert [share.ref for share in answer.shares] == ["outside", "inside"]
    assert answer.steps[1] == "Tier 4 asks for 900 gallons of 100: 100 are shared, in proportion to what is asked."


def test_within_a_tier_the_share_is_in_proportion() -> None:
    answer = recommend([ask("a", 60000), ask("b", 30000), ask("c", 10000)], 50000)
    assert given_to(answer) == {"a": 30000, "b": 15000, "c": 5000}


def test_within_a_tier_the_share_may_be_equal_up_to_the_ask() -> None:
    answer = recommend([ask("a", 60000), ask("b", 30000), ask("c", 10000)], 50000, "equal")
    assert given_to(answer) == {"a": 20000, "b": 20000, "c": 10000}
    assert answer.steps == (
        "Tier 1 asks for 100,000 gallons of 50,000: 50,000 are shared, the same for each, up to what is asked.",
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_tie_for_the_last_gallon_goes_to_the_one_who_filed_first(method: Method) -> None:
    assert given_to(recommend([ask("late", 10, 5), ask("early", 10)], 11, method)) == {"late": 5, "early": 6}


@pytest.mark.parametrize("method", METHODS)
def test_a_tie_in_time_goes_by_reference(method: Method) -> None:
    assert given_to(recommend([ask("2026-27/0002", 10), ask("2026-27/0001", 10)], 11, method)) == {
        "2026-27/0002": 5, "2026-27/0001": 6,
    }  # fmt: skip


def test_nothing_left_is_said() -> None:
    answer = recommend([ask("a", {1: 10, 2: 5})], 10)
    assert answer.shares[0].by_tier == {1: 10, 2: 0}
    assert answer.steps[1] == "Tier 2 asks for 5 gallons: nothing is left."


def test_no_asks_leave_the_whole_capacity() -> None:
    assert recommend([], 500) == Recommendation((), (), 500)


def test_gallons_below_zero_are_an_error() -> None:
    with pytest.raises(ValueError, match="below zero"):
        recommend([ask("a", -1)], 10)
    with pytest.raises(ValueError, match="below zero"):
        recommend([], -1)


def test_500_haulers_and_200000_gallons_are_shared_exactly() -> None:
    asks = [ask(str(number), (number * 7919) % 5000 + 1, number % 7) for number in range(500)]
    answer = recommend(asks, 200000)
    assert sum(share.gallons for share in answer.shares) == 200000
    total = sum(share.asked for share in answer.shares)
    assert max(abs(share.gallons - Fraction(share.asked * 200000, total)) for share in answer.shares) < 1


def slow_sainte_lague(wants: list[int], seats: int) -> list[int]:
    """A gallon at a time to the highest quotient, the first in order at a tie."""
    parts = [0] * len(wants)
    for _ in range(seats):
        best = max(range(len(wants)), key=lambda at: (Fraction(wants[at], 2 * parts[at] + 1), -at))
        parts[best] += 1
    return parts


@FIXED
@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.integers(0, 120))
def test_pro_rata_is_sainte_lague_gallon_by_gallon(wants: list[int], capacity: int) -> None:
    asks = [ask(str(at), want, at) for at, want in enumerate(wants)]
    answer = recommend(asks, capacity)
    expected = wants if sum(wants) <= capacity else slow_sainte_lague(wants, capacity)
    assert [share.gallons for share in answer.shares] == expected


_asks = st.lists(
    st.builds(
        ask,
        st.text("abc", min_size=1, max_size=3),
        st.dictionaries(st.integers(1, 4), st.integers(0, 5000), max_size=4),
        st.integers(0, 3),
    ),
    max_size=8,
)


@FIXED
@given(_asks, st.integers(0, 20000), st.sampled_from(METHODS))
def test_shares_never_pass_the_ask_and_add_up_to_what_there_is(asks: list[Ask], capacity: int, method: Method) -> None:
    answer = recommend(asks, capacity, method)
    asked = sum(share.asked for share in answer.shares)
    assert sum(share.gallons for share in answer.shares) == min(capacity, asked)
    assert answer.left == capacity - min(capacity, asked)
    for one, share in zip(asks, answer.shares, strict=True):
        assert share.ref == one.ref
        assert share.gallons == sum(share.by_tier.values())
        assert all(0 <= share.by_tier.get(tier, 0) <= gallons for tier, gallons in one.gallons_by_tier.items())


@FIXED
@given(_asks, st.integers(0, 20000), st.sampled_from(METHODS))
def test_a_gallon_more_takes_nothing_from_anyone(asks: list[Ask], capacity: int, method: Method) -> None:
    less, more = (recommend(asks, gallons, method).shares for gallons in (capacity, capacity + 1))
    assert all(before.gallons <= after.gallons for before, after in zip(less, more, strict=True))


@FIXED
@given(_asks, st.integers(0, 20000))
def test_no_tier_gets_anything_before_the_one_above_is_full(asks: list[Ask], capacity: int) -> None:
    shares = recommend(asks, capacity).shares
    for tier in (1, 2, 3):
        given_below = sum(share.by_tier.get(lower, 0) for share in shares for lower in range(tier + 1, 5))
        missing = sum(
            one.gallons_by_tier.get(tier, 0) - share.by_tier.get(tier, 0)
            for one, share in zip(asks, shares, strict=True)
        )
        assert missing == 0 or given_below == 0


@pytest.mark.parametrize(
    ("area", "tank", "existing", "replaces", "tier"),
    [
        ("sewer_service", "septic_tank", True, False, 1),
        ("sewer_service", "holding_tank", False, False, 1),
        ("holding_tank_service", "holding_tank", True, False, 1),
        ("holding_tank_service", "septic_tank", True, False, 3),
        ("planning", "holding_tank", True, True, 2),
        ("planning", "holding_tank", True, False, 3),
        ("planning", "holding_tank", False, True, 3),
        ("planning", "septic_tank", True, True, 3),
        ("outside", "septic_tank", True, False, 4),
        ("outside", "holding_tank", True, True, 4),
    ],
)
def test_tier_of_a_source(area: str, tank: str, existing: bool, replaces: bool, tier: int) -> None:
    answer = tier_of(area, tank, existing, replaces)
    assert (answer.number, answer.cite) == (tier, f"NR 205.07(2)(e){tier}, Wis. Adm. Code")
    assert answer == tier_of(area, tank, existing, replaces, law=bayfield(), on=LOADED)


def test_a_tier_has_the_states_words() -> None:
    assert tier_of("outside", "septic_tank", True, False).words == (
        "Septic and holding tanks, new or existing, outside the planning area"
    )


def test_an_unknown_area_is_an_error() -> None:
    with pytest.raises(ValueError, match="'moon' is not an area"):
        tier_of("moon", "septic_tank", True, False)


def test_filing_time_counts_as_an_instant_not_as_wall_time() -> None:
    early = Ask("b", datetime.fromisoformat("2026-08-03T13:59:00+00:00"), {1: 10})
    assert given_to(recommend([ask("a", 10), early], 11)) == {"a": 5, "b": 6}
