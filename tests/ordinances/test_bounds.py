from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.bounds import further
from ordinances.calendar import Hours, dump_hours
from ordinances.offers import Draw
from ordinances.rate_cap import Cap, cap_on, hours_on, window_gallons
from ordinances.reader import Closure, Law, LawError, check, load_profile, plant_row, profile_from_canonical
from ordinances.refusal import Refusal
from ordinances.schema import KEYS
from ordinances.values import LowerRate, MonthDay, WrongValue, parse, to_raw, words
from tests.ordinances.common import FIXED, LOADED, bayfield, changed, changed_law, local, row_text, without_typical

ORDER = "Director's order 4"
SINCE = date(2026, 1, 1)
EVERY_DAY = ('["mon", "tue", "wed", "thu", "fri"]', '["mon", "tue", "wed", "thu", "fri", "sat", "sun"]')
NIGHT = (("[[hours.opens]]\nvalue = \"07:00\"", "[[hours.opens]]\nvalue = \"01:00\""),
         ("[[hours.closes]]\nvalue = \"10:00\"", "[[hours.closes]]\nvalue = \"04:00\""))  # fmt: skip


def lower(*parts: dict[str, object], key: str = "rate.own_lower") -> Law:
    return bayfield(rows=(plant_row(key, list(parts), SINCE, ORDER),))


def spans(cap: Cap) -> list[tuple[str, str, int]]:
    return [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.plan_gph) for one in cap.parts]


def test_an_ordinary_day_is_one_part_set_by_the_stated_figure() -> None:
    cap = cap_on(bayfield(), LOADED)
    assert cap.limits == (Draw(local("2026-10-06 07:00"), local("2026-10-06 10:00"), 666),)
    assert (cap.parts[0].binding.name, cap.gallons, cap.stop) == ("the stated figure", 1998, None)
    assert cap_on(bayfield(), LOADED, 125_000).parts[0].binding.name == "the share of the flow"


def test_the_directors_own_limit_lowers_plan_and_measured_rate_and_says_which_binds() -> None:
    law = bayfield(rows=(plant_row("rate.own_ceiling_gph", 500, LOADED, ORDER),))
    cap = cap_on(law, LOADED)
    assert (cap.plan_gph, cap.hard_gph, cap.cite, cap.gallons) == (500, 500, ORDER, 1500)
    assert cap.steps[2:] == (
        "the Director's own limit = 500 gallons an hour (Director's order 4)",
        "the lowest counts = 500 gallons an hour, by the Director's own limit",
        "a measured rate may not pass 500 gallons an hour (not rounded)",
    )
    assert cap_on(law, date(2026, 10, 5)).plan_gph == 666


def test_an_own_limit_above_the_stated_figure_raises_nothing() -> None:
    cap = cap_on(bayfield(rows=(plant_row("rate.own_ceiling_gph", 5000, LOADED, ORDER),)), LOADED)
    assert (cap.plan_gph, cap.hard_gph, cap.cite) == (666, 670, "§ 329-7 F(3)")
    assert cap.steps[3] == "the lowest counts = 666 gallons an hour, by the stated figure"


def test_a_lower_limit_for_part_of_a_day_cuts_the_day_in_steps() -> None:
    cap = cap_on(lower({"from": "07:30", "to": "08:15", "gph": 300}), LOADED)
    assert spans(cap) == [("07:00", "07:30", 666), ("07:30", "08:15", 300), ("08:15", "10:00", 666)]
    assert (cap.plan_gph, cap.gallons) == (666, (30 + 105) * 666 // 60 + 45 * 5)
    assert [cap.hard_at(local(f"2026-10-06 {at}")) for at in ("07:29:59", "07:30", "08:14:59", "08:15", "12:00")] == [
        670, 300, 300, 670, 670,
    ]  # fmt: skip
    assert cap.steps[2:] == (
        "the Director's lower limit: 300 gallons an hour from 7:30 a.m. to 8:15 a.m. (Director's order 4)",
        "the lowest counts from 7:00 a.m. to 7:30 a.m. = 666 gallons an hour, by the stated figure",
        "the lowest counts from 7:30 a.m. to 8:15 a.m. = 300 gallons an hour, by the Director's lower limit",
        "the lowest counts from 8:15 a.m. to 10:00 a.m. = 666 gallons an hour, by the stated figure",
        "a measured rate may not pass 670 gallons an hour (the figure of the text) from 7:00 a.m. to 7:30 a.m.",
        "a measured rate may not pass 300 gallons an hour (not rounded) from 7:30 a.m. to 8:15 a.m.",
        "a measured rate may not pass 670 gallons an hour (the figure of the text) from 8:15 a.m. to 10:00 a.m.",
    )


def test_lower_limits_that_meet_leave_the_lowest_and_those_outside_the_hours_do_nothing() -> None:
    law = lower(
        {"from": "05:00", "to": "08:00", "gph": 400}, {"from": "07:30", "to": "09:00", "gph": 500},
        {"from": "10:00", "to": "12:00", "gph": 0}, {"first": "11-15", "last": "04-15", "gph": 450},
    )  # fmt: skip
    assert spans(cap_on(law, LOADED)) == [("07:00", "08:00", 400), ("08:00", "09:00", 500), ("09:00", "10:00", 666)]
    assert spans(cap_on(law, date(2026, 12, 1))) == [("07:00", "08:00", 400), ("08:00", "10:00", 450)]


def test_a_part_of_a_day_at_nought_takes_nothing_and_the_rest_does() -> None:
    cap = cap_on(lower({"from": "07:00", "to": "09:00", "gph": 0}), LOADED)
    assert (spans(cap), cap.gallons) == ([("07:00", "09:00", 0), ("09:00", "10:00", 666)], 666)


def test_a_day_at_nought_all_through_is_shut_and_says_the_order() -> None:
    law = lower({"first": "10-06", "last": "10-06", "gph": 0})
    refused = hours_on(law, LOADED)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.cite) == ("no_rate", ORDER)
    assert refused.why == "Nothing is unloaded on Tuesday, October 6, 2026: the limit is 0 gallons an hour."
    assert isinstance(hours_on(law, date(2026, 10, 7)), Hours)
    assert cap_on(bayfield(), LOADED).shut is None


@pytest.mark.parametrize(("day", "plan"), [
    ("2026-11-14", 666), ("2026-11-15", 400), ("2026-12-31", 400), ("2027-01-01", 400), ("2027-04-15", 400),
    ("2027-04-16", 666),
])  # fmt: skip
def test_a_season_passes_new_year_and_holds_on_its_first_and_last_day(day: str, plan: int) -> None:
    law = lower({"first": "11-15", "last": "04-15", "gph": 400})
    assert cap_on(law, date.fromisoformat(day)).plan_gph == plan


@pytest.mark.parametrize(("last", "plans"), [("02-28", [400, 666, 666]), ("03-01", [400, 400, 400])])
def test_the_leap_day_is_inside_a_season_only_when_it_lies_between(last: str, plans: list[int]) -> None:
    law = lower({"first": "02-01", "last": last, "gph": 400})
    days = date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)
    assert [cap_on(law, day).plan_gph for day in days] == plans
    assert cap_on(bayfield(), days[1]).gallons == 1998


def test_a_season_and_hours_together_hold_only_where_both_do() -> None:
    law = lower({"first": "05-01", "last": "06-30", "from": "08:00", "to": "09:00", "gph": 90})
    assert spans(cap_on(law, LOADED)) == [("07:00", "10:00", 666)]
    assert spans(cap_on(law, date(2026, 5, 1))) == [("07:00", "08:00", 666), ("08:00", "09:00", 90),
                                                    ("09:00", "10:00", 666)]  # fmt: skip


def test_a_lower_limit_of_the_text_cites_its_section(tmp_path: Path) -> None:
    law = changed_law(tmp_path, extra=row_text("rate.lower", '[{ first = "10-01", last = "10-31", gph = 200 }]'))
    cap = cap_on(law, LOADED)
    assert (cap.plan_gph, cap.hard_gph, cap.cite) == (200, 200, "§ 329-7 F(4)")
    assert cap.steps[2] == "a lower limit: 200 gallons an hour, October 1 to October 31 (§ 329-7 F(4))"


def test_pounds_a_day_are_spread_over_the_open_hours_exactly(tmp_path: Path) -> None:
    extra = row_text("rate.bod_lb_day", "100") + row_text("rate.bod_mg_l", "6480")
    cap = cap_on(changed_law(tmp_path, extra=extra), LOADED)
    exact = Fraction(100_000_000) / (Fraction("8.34") * 6480) / 3
    assert cap.parts[0].binding.gph == exact
    assert (cap.plan_gph, int(exact), cap.gallons) == (616, 616, 1848)
    assert cap.steps[2] == (
        "100 pounds of BOD5 a day ÷ (8.34 × 6,480 mg/L ÷ 1,000,000) = 1,850 gallons a day; over 3 hours = 616 gallons "
        "an hour; the strength is the one stated (§ 329-7 F(4))"
    )
    assert Fraction(cap.gallons * 6480) * Fraction("8.34") <= 100_000_000


def test_pounds_take_a_strength_that_is_given_and_else_the_strongest_typical_one(tmp_path: Path) -> None:
    law = changed_law(tmp_path, extra=row_text("rate.bod_lb_day", "50"))
    typical, given_ = cap_on(law, LOADED), cap_on(law, LOADED, bod_mg_l=Decimal("4000.5"))
    assert typical.parts[0].binding.gph == Fraction(50_000_000) / (Fraction("8.34") * 9000) / 3
    assert given_.parts[0].binding.gph == Fraction(50_000_000) / (Fraction("8.34") * Fraction("4000.5")) / 3
    assert "the strength is typical (" in typical.steps[2] and "the strength was given" in given_.steps[2]
    with pytest.raises(ValueError, match="above zero"):
        cap_on(law, LOADED, bod_mg_l=Decimal(0))


def test_pounds_without_any_strength_let_nothing_through_and_say_so() -> None:
    law = Law(without_typical().profile, (plant_row("rate.own_bod_lb_day", 50, SINCE, ORDER),))
    cap = cap_on(law, LOADED)
    assert (cap.parts[0].binding.gph, cap.gallons) == (0, 0)
    said = "50 pounds of BOD5 a day: no strength of the waste is stated, so no gallon is known to fit"
    assert any(step.startswith(said) for step in cap.steps)
    assert cap_on(law, LOADED, bod_mg_l=Decimal(6_480)).gallons > 0


def test_pounds_take_the_strongest_of_what_approvals_cover_only() -> None:
    law = Law(bayfield().profile, (plant_row("rate.own_bod_lb_day", 50, SINCE, ORDER),))
    assert cap_on(law, LOADED).parts[0].binding.gph == Fraction(50_000_000) / (Fraction("8.34") * 9000) / 3
    rows = tuple(replace(row, value=("holding_tank", "septic_tank")) if row.key == "approval.covers" else row
                 for row in law.profile.rows)  # fmt: skip
    fewer = Law(replace(law.profile, rows=rows), law.plant_rows)
    assert cap_on(fewer, LOADED).parts[0].binding.gph == Fraction(50_000_000) / (Fraction("8.34") * 6480) / 3


def test_the_directors_pounds_count_beside_those_of_the_text(tmp_path: Path) -> None:
    law = changed_law(tmp_path, extra=row_text("rate.bod_lb_day", "100") + row_text("rate.bod_mg_l", "6480"))
    lower_ = Law(law.profile, (plant_row("rate.own_bod_lb_day", 50, LOADED, ORDER),))
    assert [cap_on(one, LOADED).plan_gph for one in (law, lower_)] == [616, 308]


def test_a_day_that_is_closed_has_a_limit_and_no_parts() -> None:
    law = bayfield(Closure(LOADED, "Pump repair", "closed"), rows=(
        plant_row("rate.own_lower", [{"from": "07:00", "to": "10:00", "gph": 5}], SINCE, ORDER),
        plant_row("rate.own_bod_lb_day", 1, SINCE, ORDER),
    ))  # fmt: skip
    cap = cap_on(law, LOADED)
    assert (cap.plan_gph, cap.parts, cap.gallons, window_gallons(law, LOADED, cap)) == (666, (), 0, 0)
    assert further(law, LOADED, None, None) == []


def test_a_sunday_holiday_is_closed_by_its_name_where_sundays_are_open(tmp_path: Path) -> None:
    law = changed_law(tmp_path, EVERY_DAY)
    independence = Closure(date(2027, 7, 4), "Independence Day", "holiday")
    closed = Law(law.profile, closures={independence.day: independence})
    assert cap_on(law, independence.day).gallons == 1998
    assert cap_on(closed, independence.day).gallons == 0
    refused = dump_hours(closed, independence.day)
    assert isinstance(refused, Refusal)
    assert refused.why == "The plant is closed on Sunday, July 4, 2027: Independence Day."
    # The day after is open: an observed day is one the plant's own calendar lists, never a guess.
    assert cap_on(closed, date(2027, 7, 5)).gallons == 1998


@pytest.mark.parametrize(("day", "opens", "closes"), [
    (date(2026, 11, 1), "13:00", "16:00"), (date(2027, 3, 14), "12:00", "15:00"),
])  # fmt: skip
def test_a_clock_change_morning_after_the_change_holds_three_hours(
    tmp_path: Path, day: date, opens: str, closes: str
) -> None:
    cap = cap_on(changed_law(tmp_path, EVERY_DAY), day)
    (part,) = cap.parts
    assert (f"{part.start.astimezone(UTC):%H:%M}", f"{part.end.astimezone(UTC):%H:%M}") == (opens, closes)
    assert cap.gallons == 1998


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 11, 1), 4), (date(2027, 3, 14), 2), (date(2026, 10, 25), 3)])
def test_hours_across_a_clock_change_hold_as_long_as_they_last(tmp_path: Path, day: date, hours: int) -> None:
    cap = cap_on(changed_law(tmp_path, EVERY_DAY, *NIGHT), day)
    assert cap.gallons == hours * 666


@pytest.mark.parametrize(("day", "start", "end", "utc"), [
    # 1:30 comes twice: the lower limit holds from the first to the last.
    (date(2026, 11, 1), "01:15", "01:30", ("06:15", "07:30")),
    # 2:30 never comes: the lower limit begins no later than either reading.
    (date(2027, 3, 14), "02:30", "03:30", ("07:30", "08:30")),
])  # fmt: skip
def test_a_lower_limit_in_the_hour_the_clock_is_set_takes_the_longer_reading(
    tmp_path: Path, day: date, start: str, end: str, utc: tuple[str, str]
) -> None:
    law = changed_law(tmp_path, EVERY_DAY, *NIGHT)
    rows = (plant_row("rate.own_lower", [{"from": start, "to": end, "gph": 60}], SINCE, ORDER),)
    cap = cap_on(Law(law.profile, rows), day)
    (part,) = [one for one in cap.parts if one.plan_gph == 60]
    assert (f"{part.start.astimezone(UTC):%H:%M}", f"{part.end.astimezone(UTC):%H:%M}") == utc
    assert cap.hard_at(datetime.combine(day, time.fromisoformat(utc[0]), UTC)) == 60


LIMITS = [
    ({"from": "06:00", "to": "07:30", "gph": 90}, LowerRate(90, time(6), time(7, 30))),
    ({"first": "05-01", "last": "06-30", "gph": 0}, LowerRate(0, None, None, MonthDay(5, 1), MonthDay(6, 30))),
]


@pytest.mark.parametrize(("raw", "value"), LIMITS)
def test_a_lower_limit_is_read_and_written_back(raw: dict[str, object], value: LowerRate) -> None:
    assert parse("lower", [raw]) == (value,)
    assert to_raw("lower", (value,)) == [raw]


def test_lower_limits_in_words() -> None:
    read = parse("lower", [raw for raw, _ in LIMITS])
    assert words("lower", read) == (
        "90 gallons an hour from 6:00 a.m. to 7:30 a.m.; 0 gallons an hour, May 1 to June 30"
    )


@pytest.mark.parametrize(("raw", "what"), [
    ([], "[] is not a list of lower limits"), ("90", "'90' is not a list of lower limits"),
    ([{"gph": 90}], "{'gph': 90} is not a whole lower limit"),
    ([{"from": "06:00", "gph": 90}], "{'from': '06:00', 'gph': 90} is not a whole lower limit"),
    ([{"first": "05-01", "gph": 90}], "{'first': '05-01', 'gph': 90} is not a whole lower limit"),
    ([{"from": "06:00", "to": "07:00"}], "{'from': '06:00', 'to': '07:00'} is not a whole lower limit"),
    ([{"from": "06:00", "to": "06:00", "gph": 9}], "a lower limit from 06:00 to 06:00 has no hours"),
    ([{"from": "6", "to": "07:00", "gph": 9}], "'6' is not a time of day"),
    ([{"first": "02-29", "last": "03-01", "gph": 9}], "02-29 is not a day of the calendar"),
    ([{"from": "06:00", "to": "07:00", "gph": -1}], "-1 is below zero"),
    ([{"from": "06:00", "to": "07:00", "gph": 9, "day": "mon"}], "a lower limit has no day"),
])  # fmt: skip
def test_a_lower_limit_that_is_none_says_what_is_wrong(raw: object, what: str) -> None:
    with pytest.raises(WrongValue) as wrong:
        parse("lower", raw)
    assert wrong.value.what == what


def test_a_lower_limit_beyond_any_plant_is_named_in_its_file(tmp_path: Path) -> None:
    path = changed(tmp_path, extra=row_text("rate.lower", '[{ from = "07:00", to = "08:00", gph = 100000001 }]'))
    assert [(one.key, one.mend) for one in check([path])] == [("rate.lower", "Write 0 to 100,000,000 gallons an hour")]
    with pytest.raises(LawError):
        load_profile(path)


def test_a_law_with_lower_limits_comes_back_from_its_canonical_text(tmp_path: Path) -> None:
    text = '[{ from = "07:00", to = "08:00", gph = 300 }, { first = "05-01", last = "06-30", gph = 90 }]'
    law = changed_law(tmp_path, extra=row_text("rate.lower", text))
    again = profile_from_canonical(law.profile.text)
    assert (again.sha256, again.rows) == (law.profile.sha256, law.profile.rows)
    assert KEYS["rate.lower"].plant is False


_clock = st.integers(0, 23 * 60 + 58)


@st.composite
def _own(draw: st.DrawFn) -> Law:
    """Bayfield with any orders of the Director."""
    parts: list[dict[str, object]] = []
    for start in draw(st.lists(_clock, max_size=4)):
        end = draw(st.integers(start + 1, 23 * 60 + 59))
        hours = {"from": f"{start // 60:02d}:{start % 60:02d}", "to": f"{end // 60:02d}:{end % 60:02d}"}
        parts.append({**hours, "gph": draw(st.integers(0, 900))})
    rows = [plant_row("rate.own_lower", parts, SINCE, ORDER)] if parts else []
    for key in ("rate.own_ceiling_gph", "rate.own_bod_lb_day"):
        if draw(st.booleans()):
            rows.append(plant_row(key, draw(st.integers(1, 900)), SINCE, ORDER))
    return bayfield(rows=tuple(rows))


@FIXED
@given(_own(), st.integers(0, 400_000), st.integers(0, 3 * 3600 - 1))
def test_the_limit_of_an_instant_is_the_lowest_of_all_bounds_that_hold_in_it(law: Law, flow: int, second: int) -> None:
    cap = cap_on(law, LOADED, flow)
    at = datetime(2026, 10, 6, 12, tzinfo=UTC) + timedelta(seconds=second)
    wall = at.astimezone(law.zone).time()
    least = [Fraction(666), Fraction(flow, 240)]
    for row in law.plant_rows:
        if row.key == "rate.own_ceiling_gph":
            least.append(Fraction(row.value))
        elif row.key == "rate.own_bod_lb_day":
            least.append(Fraction(row.value * 1_000_000) / (Fraction("8.34") * 9000 * 3))
        else:
            least += [Fraction(one.gph) for one in row.value if one.opens <= wall < one.closes]
    (part,) = [one for one in cap.parts if one.start <= at < one.end]
    assert part.plan_gph == int(min(least))
    assert part.plan_gph <= part.hard_gph <= 670
    assert cap.plan_gph == max(one.plan_gph for one in cap.parts)
    assert (cap.parts[0].start, cap.parts[-1].end) == (local("2026-10-06 07:00"), local("2026-10-06 10:00"))
    assert all(one.end == two.start for one, two in zip(cap.parts, cap.parts[1:], strict=False))
