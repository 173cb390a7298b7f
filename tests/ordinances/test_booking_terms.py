"""How far ahead a time is booked, and how long after its end a truck may still be told of as running on."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from ordinances.booking_terms import ahead, may_run_on, too_far
from ordinances.reader import Law
from tests.ordinances.common import bayfield, local, profile

TODAY = date(2026, 10, 5)
SECOND = timedelta(seconds=1)


def law(key: str, value: int | None) -> Law:
    """Bayfield's law with another value for a key, or without it."""
    rows = tuple(one for one in profile().rows if one.key != key)
    if value is not None:
        rows = (*rows, replace(profile().rows[0], key=key, value=value, cite="§ 12-5", reading=None))
    return replace(bayfield(), profile=replace(profile(), rows=rows))


def test_bayfield_says_nothing_of_how_far_ahead_a_time_is_booked() -> None:
    assert (ahead(bayfield(), TODAY), too_far(bayfield(), date.max, TODAY)) == (None, None)


@pytest.mark.parametrize(("days", "says"), [
    (1, "A time is booked at most 1 day ahead: today until Tuesday, October 6, 2026."),
    (14, "A time is booked at most 14 days ahead: today until Monday, October 19, 2026."),
])  # fmt: skip
def test_the_last_day_is_that_many_days_ahead(days: int, says: str) -> None:
    mine = law("booking.ahead_days", days)
    last = TODAY + timedelta(days)
    refused = too_far(mine, last + timedelta(1), TODAY)
    assert too_far(mine, last, TODAY) is None
    assert refused is not None
    assert (refused.code, refused.why, refused.cite) == ("too_far", says, "§ 12-5")


def test_bayfield_asks_about_a_truck_45_minutes_after_its_end_and_not_a_second_longer() -> None:
    ended, last = local("2026-10-06T07:55"), local("2026-10-06T08:40")
    assert [may_run_on(bayfield(), ended, at) for at in (ended - SECOND, ended, last, last + SECOND)] == [
        False, True, True, False]  # fmt: skip


def test_another_town_sets_its_own_minutes() -> None:
    mine, ended = law("booking.run_on_minutes", 10), local("2026-10-06T07:55")
    at = local("2026-10-06T08:05")
    assert [may_run_on(mine, ended, one) for one in (at, at + SECOND)] == [True, False]


def test_without_minutes_the_hours_of_the_day_bound_it_and_the_day_where_it_has_none_or_they_are_over() -> None:
    mine = law("booking.run_on_minutes", None)
    close = local("2026-10-06T10:00")
    assert [may_run_on(mine, local("2026-10-06T07:55"), one) for one in (close, close + SECOND)] == [True, False]
    evening, midnight = local("2026-10-06T16:00"), local("2026-10-07T00:00")
    assert [may_run_on(mine, evening, one) for one in (midnight, midnight + SECOND)] == [True, False]
    saturday, over = local("2026-10-10T09:00"), local("2026-10-11T00:00")
    assert [may_run_on(mine, saturday, one) for one in (over, over + SECOND)] == [True, False]
