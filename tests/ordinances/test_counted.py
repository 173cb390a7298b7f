from datetime import UTC, datetime

import pytest

from ordinances.allocation import Ask, recommend
from ordinances.counted import counted


@pytest.mark.parametrize(("count", "said"), [(0, "0 days"), (1, "1 day"), (2, "2 days"), (1_500, "1,500 days")])
def test_one_is_one_and_the_others_are_several(count: int, said: str) -> None:
    assert counted(count, "day") == said


def test_a_worksheet_of_one_gallon_says_one_gallon() -> None:
    asks = [Ask(ref, datetime(2026, 8, day, tzinfo=UTC), {1: 1}) for ref, day in (("a", 1), ("b", 2))]
    assert [step.words[0] for step in recommend(asks[:1], 1).tiers] == [
        "Tier 1 asks for 1 gallon of 1: all of it fits."
    ]
    shared = recommend(asks, 1).tiers[0].words[0]
    assert shared == "Tier 1 asks for 2 gallons of 1: 1 is shared, in proportion to what is asked."
