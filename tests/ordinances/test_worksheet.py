from datetime import date

from ordinances.calendar import season_named
from ordinances.rate_cap import season_capacity
from ordinances.reader import Closure
from ordinances.rows import plant_row
from ordinances.worksheet import capacity_lines
from tests.ordinances.common import HOLIDAYS, bayfield


def test_winter_is_worked_out_from_open_weekdays_and_an_empty_calendar_beside_it() -> None:
    law = bayfield(*HOLIDAYS)
    season = season_named(law, "2026-27")
    found = capacity_lines(law, season).winter
    assert found.lines == ("3 hours × 666 = 1,998 gallons a day", "105 open weekdays × 1,998 = 209,790 gallons")
    assert (found.gallons, found.days, found.empty_gallons, found.empty_days) == (209_790, 105, 217_782, 109)
    assert found.closed[0] == "Thursday, November 26, 2026: Thanksgiving"
    assert len(found.closed) == 4


def test_the_lines_hold_what_the_season_capacity_holds() -> None:
    law = bayfield(*HOLIDAYS, Closure(date(2027, 7, 5), "Independence Day", "holiday"))
    season = season_named(law, "2026-27")
    found, held = capacity_lines(law, season), season_capacity(law, season)
    assert (found.winter.gallons, found.rest.gallons) == (held.winter, held.rest)
    assert (found.winter.days, found.rest.days) == (held.winter_days, held.rest_days)


def test_a_lower_flow_from_a_day_on_makes_two_lines_and_a_sum() -> None:
    lower = plant_row("rate.flow_in_force_gpd", 120_000, date(2027, 2, 1), "Order 1")
    law = bayfield(*HOLIDAYS, rows=(lower,))
    found = capacity_lines(law, season_named(law, "2026-27")).winter
    assert found.lines == (
        "3 hours × 666 = 1,998 gallons a day", "51 open weekdays × 1,998 = 101,898 gallons",
        "3 hours × 500 = 1,500 gallons a day", "54 open weekdays × 1,500 = 81,000 gallons",
        "Together 182,898 gallons",
    )  # fmt: skip


def test_a_day_opened_in_spite_of_the_calendar_is_no_closure() -> None:
    law = bayfield(Closure(date(2026, 11, 26), "Thanksgiving", "opened"))
    found = capacity_lines(law, season_named(law, "2026-27")).winter
    assert (found.days, found.closed) == (109, ())


def test_a_day_with_two_limits_says_both_and_holds_what_the_season_holds() -> None:
    early = {"from": "07:00", "to": "08:00", "gph": 400}
    law = bayfield(*HOLIDAYS, rows=(plant_row("rate.own_lower", [early], date(2026, 1, 1), "Order 4"),))
    season = season_named(law, "2026-27")
    found = capacity_lines(law, season).winter
    assert found.lines == (
        "1 hour × 400 + 2 hours × 666 = 1,732 gallons a day", "105 open weekdays × 1,732 = 181,860 gallons",
    )  # fmt: skip
    assert found.gallons == season_capacity(law, season).winter
