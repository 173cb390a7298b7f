"""Other times of the day: on which days, in which hours, how many minutes count (§ 329-7 F(4), C(2))."""

from datetime import date

import pytest

from ordinances.calendar import Hours
from ordinances.fees import special_hours
from ordinances.other_times import (
    arranged,
    may_arrange,
    minutes_outside,
    no_other_time,
    other_day,
    work_hours,
    wrong_span,
)
from ordinances.rate_cap import cap_on
from ordinances.reader import Closure, plant_row
from ordinances.refusal import Refusal
from tests.ordinances.common import bayfield, changed_law, law_of, local

TUESDAY, SATURDAY, THANKSGIVING = date(2026, 10, 6), date(2026, 10, 10), date(2026, 11, 26)
HOURS = tuple(
    plant_row(key, value, date(2026, 1, 1), "Order 7")
    for key, value in (("hours.work_opens", "06:00"), ("hours.work_closes", "16:30"))
)


def said(answer):
    return (answer.code, answer.why, answer.cite) if isinstance(answer, Refusal) else answer


def test_director_arranges_other_times_at_bayfield_and_whoever_a_law_names_elsewhere(tmp_path):
    row = '[[hours.special_by]]\nvalue = "director"'
    assert may_arrange(bayfield(), TUESDAY) == ("director",)
    for value, roles in (("plant_manager", ("plant_manager",)), ("director_or_manager", ("director", "plant_manager"))):
        law = changed_law(tmp_path, (row, f'[[hours.special_by]]\nvalue = "{value}"'))
        assert may_arrange(law, TUESDAY) == roles


def test_law_without_special_arrangements_says_so(tmp_path):
    # Before its first date the law has none.
    text = '[[hours.special_by]]\nvalue = "director"\nfrom = 1992-01-01'
    law = changed_law(tmp_path, (text, text.replace("1992-01-01", "2030-01-01")))
    assert may_arrange(law, TUESDAY) == ()
    assert said(no_other_time(law, TUESDAY)) == (
        "no_special", "The law of this plant knows no unloading at other times of the day.", "§ 329-7 F(4)",
    )  # fmt: skip


@pytest.mark.parametrize(("name", "code"), [("gillett", "by_agreement"), ("lawrence", "not_accepted")])
def test_place_without_the_programme_has_no_other_times(name, code):
    assert no_other_time(law_of(name), TUESDAY).code == code


def test_days_are_those_of_the_hours_and_weekends_by_the_flag(tmp_path):
    assert other_day(bayfield(), TUESDAY) is None
    assert said(other_day(bayfield(), SATURDAY)) == (
        "no_special_day", "Saturday, October 10, 2026 has no other times: they can be arranged Monday to Friday only.",
        "§ 329-7 F(4)",
    )  # fmt: skip
    flag = "[[fees.special_weekends]]\nvalue = false"
    assert other_day(changed_law(tmp_path, (flag, flag.replace("false", "true"))), SATURDAY) is None


def test_closed_day_has_no_other_times_and_an_opened_one_has():
    law = bayfield(Closure(THANKSGIVING, "Thanksgiving Day", "holiday"))
    assert said(no_other_time(law, THANKSGIVING))[:2] == (
        "closed", "The plant is closed on Thursday, November 26, 2026: Thanksgiving Day.")  # fmt: skip
    assert no_other_time(bayfield(Closure(THANKSGIVING, "Open", "opened")), THANKSGIVING) is None


def test_normal_working_hours_are_the_plants_own_and_said_when_they_are_not_entered():
    missing = work_hours(bayfield(), TUESDAY)
    assert said(missing) == (
        "work_not_set", "The normal working hours at the plant are not entered for Tuesday, October 6, 2026.",
        "§ 329-7 C(2)",
    )  # fmt: skip
    found = work_hours(bayfield(rows=HOURS), TUESDAY)
    assert found == Hours(local("2026-10-06 06:00"), local("2026-10-06 16:30"), "§ 329-7 C(2)", found.reading)
    assert found.reading.endswith("normal working hours bound the special arrangements.")


SPANS = {
    "06:00 to 06:59": ("06:00", "06:59", None),
    "05:59 to 06:30": ("05:59", "06:30", "outside_work"),
    "06:30 to 07:15": ("06:30", "07:15", None),
    "07:00 to 10:00": ("07:00", "10:00", "inside_hours"),
    "07:00 to 10:01": ("07:00", "10:01", None),
    "06:59 to 10:00": ("06:59", "10:00", None),
    "16:00 to 16:30": ("16:00", "16:30", None),
    "16:00 to 16:31": ("16:00", "16:31", "outside_work"),
}


@pytest.mark.parametrize(("start", "end", "code"), SPANS.values(), ids=SPANS)
def test_span_is_outside_the_hours_in_part_and_inside_the_working_hours_whole(start, end, code):
    answer = wrong_span(bayfield(rows=HOURS), local(f"2026-10-06 {start}"), local(f"2026-10-06 {end}"))
    assert (answer.code if answer else None) == code


def test_without_working_hours_only_the_day_bounds_a_span():
    assert wrong_span(bayfield(), local("2026-10-06 22:00"), local("2026-10-06 23:59")) is None
    assert wrong_span(bayfield(), local("2026-10-06 22:00"), local("2026-10-07 00:01")).code == "another_day"


@pytest.mark.parametrize(("start", "end", "minutes"), [
    ("14:00", "16:16", 136), ("06:30", "07:15", 30), ("07:00", "10:00", 0), ("09:00", "10:31", 31),
    ("06:00", "11:00", 120), ("14:00", "14:00", 0), ("14:00:00", "14:00:01", 1),
])  # fmt: skip
def test_only_minutes_outside_the_unloading_hours_count(start, end, minutes):
    assert minutes_outside(bayfield(), local(f"2026-10-06 {start}"), local(f"2026-10-06 {end}")) == minutes


def test_minutes_are_real_ones_when_the_clock_is_set_back():
    # From midnight to three on the first Sunday of November 2026 four hours pass.
    assert minutes_outside(bayfield(), local("2026-11-01 00:00"), local("2026-11-01 03:00")) == 240


@pytest.mark.parametrize(("minutes", "hours"), [(1, "1"), (60, "1"), (61, "1.25"), (136, "2.50"), (135, "2.25")])
def test_hours_are_rounded_up_to_the_quarter_and_at_least_one(minutes, hours):
    assert str(special_hours(bayfield(), TUESDAY, minutes)) == hours


def test_span_arranged_is_the_hours_of_its_truck_unless_the_day_has_closed():
    start, until = local("2026-10-06 14:00"), local("2026-10-06 16:30")
    assert arranged(bayfield(), start, until) == Hours(start, until, "§ 329-7 F(4)", None)
    shut = arranged(bayfield(Closure(TUESDAY, "Pump repair", "closed")), start, until)
    assert said(shut)[:2] == ("closed", "The plant is closed on Tuesday, October 6, 2026: Pump repair.")


def test_limit_over_a_special_time_is_that_of_the_day():
    span = Hours(local("2026-10-06 14:00"), local("2026-10-06 16:30"), "", None)
    cap = cap_on(bayfield(), TUESDAY, span=span)
    assert [(one.start, one.end, one.plan_gph) for one in cap.parts] == [(span.start, span.end, 666)]
    weekend = Hours(local("2026-10-10 09:00"), local("2026-10-10 10:00"), "", None)
    assert cap_on(bayfield(), SATURDAY).parts == ()
    assert cap_on(bayfield(), SATURDAY, span=weekend).gallons == 666


def test_lower_limit_for_part_of_the_day_holds_in_a_special_time_too():
    lower = plant_row(
        "rate.own_lower", [{"from": "15:00", "to": "16:00", "gph": 90}], date(2026, 1, 1), "Order 8 of the Director"
    )
    span = Hours(local("2026-10-06 14:00"), local("2026-10-06 16:30"), "", None)
    cap = cap_on(bayfield(rows=(lower,)), TUESDAY, span=span)
    assert [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.plan_gph) for one in cap.parts] == [
        ("14:00", "15:00", 666), ("15:00", "16:00", 90), ("16:00", "16:30", 666),
    ]  # fmt: skip
