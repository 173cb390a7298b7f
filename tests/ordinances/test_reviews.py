"""The steps of a review and their clocks: days counted without the first, off Sundays and holidays (§ 990.001(4))."""

from datetime import date

import pytest

from ordinances.reviews import clocks, last_day
from ordinances.rows import Closure
from tests.ordinances.common import bayfield, law_of

DAY = date(2026, 10, 20)


@pytest.mark.parametrize(
    ("after", "last"),
    [
        (date(2026, 10, 20), date(2026, 11, 19)),  # a Thursday
        (date(2026, 10, 8), date(2026, 11, 7)),  # a Saturday stays
        (date(2026, 10, 9), date(2026, 11, 9)),  # a Sunday moves to Monday
        (date(2028, 1, 30), date(2028, 2, 29)),
    ],
)
def test_the_first_day_is_not_counted_and_a_sunday_moves(after: date, last: date) -> None:
    assert last_day(bayfield(), after, 30) == last


def test_a_holiday_moves_to_the_next_working_day_over_a_weekend() -> None:
    found = bayfield(*(Closure(date(2026, 11, day), "Holiday", "holiday") for day in (27, 30)))
    assert last_day(found, date(2026, 10, 28), 30) == date(2026, 12, 1)  # Friday's, then the weekend, then Monday's
    assert last_day(found, date(2026, 10, 30), 30) == date(2026, 12, 1)  # Sunday, then Monday's holiday


def test_bayfield_has_the_states_six_steps_and_says_which_are_to_be_confirmed() -> None:
    steps = clocks(bayfield(), DAY)
    assert [(one.name, one.days, one.cite, one.unconfirmed) for one in steps] == [
        ("Review asked for", 30, "§ 68.08, Wis. Stats.", True),
        ("Review decided", 15, "§ 68.09, Wis. Stats.", True),
        ("Appeal asked for", 30, "§ 68.10(2), Wis. Stats.", False),
        ("Hearing held", 15, "§ 68.11, Wis. Stats.", True),
        ("Appeal decided", 20, "§ 68.12, Wis. Stats.", True),
        ("Court review asked for", 30, "§ 68.13, Wis. Stats.", True),
    ]


def test_lawrence_has_ten_fifteen_and_ten_days_of_its_own() -> None:
    steps = clocks(law_of("lawrence"), DAY)
    assert [(one.name, one.days, one.by_hauler) for one in steps] == [
        ("Reconsideration asked for", 10, True), ("Reconsideration decided", 15, False), ("Appeal asked for", 10, True),
    ]  # fmt: skip


def test_a_day_the_plant_is_closed_for_repairs_is_no_holiday() -> None:
    assert last_day(bayfield(Closure(date(2026, 11, 19), "Screen repair", "closed")), DAY, 30) == date(2026, 11, 19)
