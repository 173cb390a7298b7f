from datetime import date, timedelta

import pytest

from ordinances.schedule import Season, in_force
from ordinances.values import MonthDay
from tests.ordinances.town import item, made

WINTER = Season(MonthDay(11, 15), MonthDay(2, 28))
SPRING = Season(MonthDay(3, 1), MonthDay(11, 14))


@pytest.mark.parametrize(
    ("day", "winter"),
    [
        ("2026-11-14", False), ("2026-11-15", True), ("2026-12-31", True), ("2027-01-01", True),
        ("2027-02-28", True), ("2027-03-01", False), ("2028-02-29", True), ("2028-03-01", False),
    ],
)  # fmt: skip
def test_a_season_over_new_year_holds_from_its_first_through_its_last_day(day: str, winter: bool) -> None:
    assert WINTER.holds(date.fromisoformat(day)) == winter


def test_two_seasons_that_meet_leave_out_no_day_and_share_none() -> None:
    days = [date(2027, 1, 1) + timedelta(days=at) for at in range(731)]
    assert all(WINTER.holds(day) != SPRING.holds(day) for day in days)


def test_the_newest_row_begun_counts_and_an_ended_one_brings_no_older_back() -> None:
    rows = made(
        item("a", "per_load", 'price = "1"', "2020-01-01"),
        item("a", "per_load", 'price = "2"\nuntil = 2021-12-31', "2021-01-01"),
        item("b", "per_load", 'price = "3"', "2021-06-01"),
    ).items

    def on(day: str) -> list[str]:
        return [str(row.price) for row in in_force(rows, date.fromisoformat(day))]

    days = ("2019-12-31", "2020-12-31", "2021-01-01", "2021-06-01", "2021-12-31", "2022-01-01")
    assert [on(day) for day in days] == [
        [], ["1"], ["2"], ["2", "3"], ["2", "3"], ["3"],
    ]  # fmt: skip


def test_the_version_changes_with_any_word_and_not_with_comments_or_order_of_fields() -> None:
    one, same = item("a", "per_load", 'price = "1"'), item("a", "per_load", '# A comment\nprice = "1"')
    assert made(one).version == made(same).version
    assert made(one).version != made(item("a", "per_load", 'price = "1.0"')).version
    assert len(made(one).version) == 64
