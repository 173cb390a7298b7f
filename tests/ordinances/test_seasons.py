from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.reader import NoLaw
from ordinances.seasons import approval_period, filing_season, in_winter, season_named, season_of, winter
from tests.ordinances.common import FIXED, bayfield, law_of, local


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2026, 9, 30), "2025-26"),
        (date(2026, 10, 1), "2026-27"),
        (date(2027, 9, 30), "2026-27"),
        (date(1999, 12, 31), "1999-00"),
    ],
)
def test_season_of_a_day(day: date, name: str) -> None:
    season = season_of(bayfield(), day)
    assert season.name == name
    assert (season.start.month, season.start.day, season.end.month, season.end.day) == (10, 1, 9, 30)


def test_season_named_is_the_one_of_that_name() -> None:
    season = season_named(bayfield(), "2026-27")
    assert (season.start, season.end) == (date(2026, 10, 1), date(2027, 9, 30))


@pytest.mark.parametrize("name", ["2026", "2026-28", "2026-2027", "", "0000-01", "x"])
def test_season_named_of_no_season_is_no_law(name: str) -> None:
    with pytest.raises(NoLaw, match="there is no season"):
        season_named(bayfield(), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2026-07-01", "2026-27"),
        ("2026-09-30 23:59:59", "2026-27"),
        ("2026-10-01", "2027-28"),
        ("2027-01-05", "2027-28"),
    ],
)
def test_filing_season_is_the_next_to_begin(text: str, name: str) -> None:
    assert filing_season(bayfield(), local(text)).name == name


def test_winter_is_the_states_inside_the_season() -> None:
    law = bayfield()
    assert winter(law, season_named(law, "2026-27")) == (date(2026, 11, 15), date(2027, 4, 15))


@pytest.mark.parametrize(
    ("day", "inside"),
    [
        (date(2026, 11, 14), False),
        (date(2026, 11, 15), True),
        (date(2027, 4, 15), True),
        (date(2027, 4, 16), False),
    ],
)
def test_in_winter_at_its_edges(day: date, inside: bool) -> None:
    assert in_winter(bayfield(), day) is inside


def test_approval_period_is_the_whole_season() -> None:
    law = bayfield()
    assert approval_period(law, season_named(law, "2027-28")) == (date(2027, 10, 1), date(2028, 9, 30))


def test_where_no_approval_year_is_set_the_states_date_begins_the_season() -> None:
    assert season_of(law_of("gillett"), date(2026, 10, 1)).name == "2026-27"


@FIXED
@given(st.dates(date(1992, 10, 1), date(2100, 1, 1)))
def test_every_day_lies_in_its_season_and_the_seasons_touch(day: date) -> None:
    law = bayfield()
    season = season_of(law, day)
    assert season.start <= day <= season.end
    assert season_named(law, season.name) == season
    assert season_of(law, season.end + timedelta(days=1)).start == season.end + timedelta(days=1)
