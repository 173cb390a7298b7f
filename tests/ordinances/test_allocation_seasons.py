"""Random seasons of up to 500 haulers: 200 of them in the test command, SEPTAGE_EXAMPLES in ``make soak``."""

import random
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.allocation import Ask, Method, recommend
from tests.ordinances.common import FIXED, local

FILED = local("2026-08-01 00:00")
METHODS = st.sampled_from(("pro_rata", "equal"))
SEEDS = st.integers(0, 2**31)


def season(seed: int) -> tuple[list[Ask], int, random.Random]:
    """Asks of up to 500 haulers, many of them alike and filed at the same minute, and a capacity near what they ask."""
    dice = random.Random(seed)
    count = dice.choice((1, 2, 3, 5, 7, 9, 12, 20, 40, 500))
    largest = dice.choice((1, 5, 400, 30_000))
    asks = []
    for number in range(count):
        tiers = {tier: dice.randint(0, largest) for tier in (1, 2, 3, 4) if dice.random() < 0.6}
        asks.append(Ask(f"2026-27/{number + 1:04d}", FILED + timedelta(minutes=dice.randint(0, 5)), tiers))
    total = sum(gallons for one in asks for gallons in one.gallons_by_tier.values())
    return asks, dice.randint(0, int(total * 1.2) + 1), dice


@FIXED
@given(SEEDS, METHODS)
def test_a_season_is_shared_within_capacity_and_asks_tier_by_tier_to_the_gallon(seed: int, method: Method) -> None:
    asks, capacity, _ = season(seed)
    answer = recommend(asks, capacity, method)
    asked = sum(share.asked for share in answer.shares)
    assert sum(share.gallons for share in answer.shares) == min(capacity, asked)
    assert answer.left == capacity - min(capacity, asked)
    for one, share in zip(asks, answer.shares, strict=True):
        assert (share.ref, share.gallons) == (one.ref, sum(share.by_tier.values()))
        assert all(0 <= given <= one.gallons_by_tier[tier] for tier, given in share.by_tier.items())
    short = [step.number for step in answer.tiers if step.given < step.wanted]
    assert all(step.given == 0 for step in answer.tiers if short and step.number > short[0])
    left, lines = capacity, {one.ref: 0 for one in asks}
    for step in answer.tiers:
        sums = (sum(line.wanted for line in step.lines), sum(line.given for line in step.lines))
        assert (step.left, step.wanted, step.given) == (left, *sums)
        lines |= {line.ref: lines[line.ref] + line.given for line in step.lines}
        left -= step.given
    assert lines == {share.ref: share.gallons for share in answer.shares}


def test_the_same_season_twice_is_shared_alike() -> None:
    asks, capacity, _ = season(7)
    assert recommend(asks, capacity) == recommend(list(asks), capacity)


@FIXED
@given(SEEDS, METHODS)
def test_more_room_never_gives_anybody_less(seed: int, method: Method) -> None:
    asks, capacity, dice = season(seed)
    wider = capacity + dice.choice((1, 2, 17, 1_998, 100_000))
    before, after = (recommend(asks, room, method).shares for room in (capacity, wider))
    assert [one for one, two in zip(before, after, strict=True) if two.gallons < one.gallons] == []


@FIXED
@given(SEEDS, METHODS)
def test_the_order_the_applications_come_in_changes_nothing(seed: int, method: Method) -> None:
    asks, capacity, dice = season(seed)
    mixed = dice.sample(asks, len(asks))
    first, other = (recommend(some, capacity, method) for some in (asks, mixed))
    assert {one.ref: one for one in first.shares} == {one.ref: one for one in other.shares}
    assert (first.steps, first.tiers, first.left) == (other.steps, other.tiers, other.left)


def worked(asks: list[tuple[str, int, int]], capacity: int, method: Method = "pro_rata") -> tuple[str, ...]:
    made = [Ask(ref, FILED + timedelta(minutes=minute), {1: gallons}) for ref, gallons, minute in asks]
    return recommend(made, capacity, method).tiers[0].words


SAINTE_LAGUE = (
    "Each even share is what it asks for × 11 ÷ 20. Whole gallons go one by one to the largest ask ÷ 1, 3, 5 and so "
    "on (Sainte-Laguë), so that more room never gives anybody less."
)


def test_a_shared_tier_says_how_and_who_has_the_last_gallon() -> None:
    assert worked([("a", 10, 1), ("b", 10, 0)], 11) == (
        "Tier 1 asks for 20 gallons of 11: 11 are shared, in proportion to what is asked.",
        SAINTE_LAGUE,
        "Claims to the last gallons are equal: the application filed first has them.",
    )
    assert worked([("a", 14, 0), ("b", 6, 0)], 11)[1:] == (SAINTE_LAGUE,)


def test_equal_shares_say_the_level() -> None:
    assert worked([("a", 60, 0), ("b", 30, 0), ("c", 10, 0)], 51, "equal") == (
        "Tier 1 asks for 100 gallons of 51: 51 are shared, the same for each, up to what is asked.",
        "Nobody gets more than 21; 1 ask for no more than their share and get all of it.",
        "The gallons that do not divide go one each to the applications filed first.",
    )


@pytest.mark.parametrize(("capacity", "even"), [(60, None), (30, [20, 10])])
def test_an_even_share_is_shown_only_where_something_is_shared(capacity: int, even: list[int] | None) -> None:
    step = recommend([Ask("a", FILED, {1: 40}), Ask("b", FILED, {1: 20})], capacity).tiers[0]
    assert [line.even for line in step.lines] == (even or [None, None])
