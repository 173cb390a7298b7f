"""The ``law`` commands: exact answers, plain and as JSON, with exit codes other people's scripts may rely on."""

import json
from datetime import date

import pytest

from office.access import system
from office.db import db
from office.law import adopt_law
from office.law_commands import law_group
from office.plants import PlantRow, set_plant_row
from ordinances import calendar
from tests import world
from tests.ordinances.common import bayfield, changed


def ask(app, words):
    return app.test_cli_runner().invoke(law_group, words.split())


def as_json(app, words):
    answer = ask(app, words + " --json")
    assert answer.output.count("\n") == 1
    return answer.exit_code, json.loads(answer.output)


def test_price_of_1500_gallons_is_two_cited_lines(app):
    code, found = as_json(app, "price bayfield --date 2026-10-06 --gallons 1500 --waste septic_tank")
    assert code == 0
    assert found["total"] == "48.16"
    assert [(x["quantity"], x["unit_price"], x["amount"]) for x in found["lines"]] == [
        ("1500", "0.024", "36.00"), ("1", "12.16", "12.16"),
    ]  # fmt: skip
    assert all(line["cite"].startswith("§ 329-") for line in found["lines"])


def test_price_of_a_special_time_adds_the_wage_and_five_dollars_a_test(app):
    code, found = as_json(app, "price bayfield --date 2026-10-06 --gallons 1500 --waste septic_tank "
                               "--after-hours-minutes 136 --wage 30.00")  # fmt: skip
    assert (code, found["total"]) == (0, "128.16")


def test_fit_of_1998_gallons_is_the_whole_window(app):
    code, found = as_json(app, "fit bayfield --date 2026-10-06 --gallons 1998")
    assert code == 0
    assert found["sessions"] == [
        {"start": "2026-10-06T07:00:00-05:00", "end": "2026-10-06T10:00:00-05:00", "gph": 666, "gallons": 1998}
    ]


def test_fit_of_2000_gallons_is_refused_with_two_windows(app):
    code, found = as_json(app, "fit bayfield --date 2026-10-06 --gallons 2000")
    assert (code, found["refused"], found["windows"], found["cite"]) == (1, "does_not_fit", 2, "§ 329-7 F(3)")
    words = ask(app, "fit bayfield --date 2026-10-06 --gallons 2000").output
    assert words == (
        "No time fits 2,000 gallons in one day: at 666 gallons an hour it takes 3 hours 1 minute, and the day takes "
        "1,998 gallons. (§ 329-7 F(3)) Split it over 2 mornings, ask for a special time, or bring less.\n"
    )


@pytest.mark.parametrize(
    ("at", "code", "state"),
    [("2026-09-01T23:59:59", 0, "open"), ("2026-09-02T00:00:00", 1, "closed"), ("2026-08-01T00:00:00", 0, "open"),
     ("2026-07-31T23:59:59", 1, "draft"), ("2026-09-02T04:59:59+00:00", 0, "open")],
)  # fmt: skip
def test_window_to_the_second(app, at, code, state):
    answer, found = as_json(app, f"window bayfield --at {at}")
    assert (answer, found["state"]) == (code, state)
    assert (found["opens"], found["closes"]) == ("2026-08-01T00:00:00-05:00", "2026-09-01T23:59:59-05:00")


def test_rate_follows_a_lower_flow_and_no_higher_one(app):
    assert as_json(app, "rate bayfield --date 2026-10-06") == (
        0, {"plan_gph": 666, "hard_gph": "670", "window_gallons": 1998},
    )  # fmt: skip
    assert as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 125000")[1]["plan_gph"] == 520
    assert as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 200000")[1]["plan_gph"] == 666


def ordered(key, value):
    """An order of the Director at the plant of the tests."""
    row = set_plant_row(world.plant(), key, value, date(2026, 10, 1), "Director's order 4", by=system(), at=world.START)
    assert isinstance(row, PlantRow), row
    db.session.commit()


def test_rate_says_which_bound_sets_each_part_of_the_day_and_fit_keeps_to_it(app):
    ordered("rate.own_lower", [{"from": "07:00", "to": "08:00", "gph": 60}])
    said = ask(app, "rate bayfield --date 2026-10-06").output
    assert (
        "the Director's lower limit: 60 gallons an hour from 7:00 a.m. to 8:00 a.m. (Director's order 4); "
        "the lowest counts from 7:00 a.m. to 8:00 a.m. = 60 gallons an hour, by the Director's lower limit; "
        "the lowest counts from 8:00 a.m. to 10:00 a.m. = 666 gallons an hour, by the stated figure; "
    ) in said
    assert as_json(app, "rate bayfield --date 2026-10-06")[1]["window_gallons"] == 60 + 1332
    sessions = as_json(app, "fit bayfield --date 2026-10-06 --gallons 1332")[1]["sessions"]
    assert [(one["start"], one["end"], one["gph"]) for one in sessions] == [
        ("2026-10-06T08:00:00-05:00", "2026-10-06T10:00:00-05:00", 666)
    ]
    assert as_json(app, "fit bayfield --date 2026-10-06 --gallons 1333")[0] == 1


def test_rate_and_fit_are_refused_under_a_flow_that_stops_the_day(app):
    ordered("rate.own_high_flow_gpd", 300000)
    assert as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 300000")[0] == 0
    code, found = as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 300001")
    assert (code, found["refused"], found["cite"]) == (1, "high_flow", "Director's order 4")
    ordered("rate.own_low_flow_gpd", 170000)
    assert as_json(app, "fit bayfield --date 2026-10-06 --gallons 5")[1]["refused"] == "low_flow"


def test_fit_on_a_day_limited_to_nothing_is_refused(app):
    ordered("rate.own_lower", [{"first": "10-01", "last": "10-31", "gph": 0}])
    code, found = as_json(app, "fit bayfield --date 2026-10-06 --gallons 5")
    assert (code, found["refused"], found["cite"]) == (1, "no_rate", "Director's order 4")
    assert found["why"] == "Nothing is unloaded on Tuesday, October 6, 2026: the limit is 0 gallons an hour."


def test_hours_name_the_holiday_of_the_plants_own_calendar(app):
    code, found = as_json(app, "hours bayfield --date 2026-11-26")
    assert (code, found["refused"]) == (1, "closed")
    assert "Thanksgiving Day" in found["why"]
    assert as_json(app, "hours bayfield --date 2026-11-02") == (
        0, {"from": "2026-11-02T07:00:00-06:00", "to": "2026-11-02T10:00:00-06:00", "notes": []},
    )  # fmt: skip


def test_due_is_the_end_of_the_next_open_day(app):
    assert as_json(app, "due bayfield --discharged-at 2026-10-09T09:00")[1] == {
        "due": "2026-10-12T23:59:59-05:00", "notes": [],
    }  # fmt: skip
    assert as_json(app, "due bayfield --discharged-at 2026-11-25T09:00")[1] == {
        "due": "2026-11-27T23:59:59-06:00", "notes": [],
    }  # fmt: skip


def test_shipped_profile_answers_without_any_database(bare_app):
    assert (
        as_json(bare_app, "price bayfield --date 2026-10-06 --gallons 1500 --waste septic_tank")[1]["total"] == "48.16"
    )
    answer = ask(bare_app, "hours lawrence --date 2026-10-06")
    assert (answer.exit_code, "Green Bay Metropolitan Sewerage District" in answer.output) == (1, True)


UNKNOWN = "Holidays are each plant's own, and none is known here: a day may be closed all the same."


@pytest.mark.parametrize("words", [
    "hours bayfield --date 2026-12-25", "due bayfield --discharged-at 2026-12-24T09:00",
    "fit bayfield --date 2026-12-25 --gallons 500",
    "price bayfield --date 2026-12-25 --gallons 500 --waste septic_tank",
])  # fmt: skip
def test_without_a_plant_the_answer_says_that_no_holiday_is_known(bare_app, words):
    code, found = as_json(bare_app, words)
    assert (code, found["notes"]) == (0, [UNKNOWN])
    assert ask(bare_app, words).output.splitlines()[-1] == UNKNOWN


@pytest.mark.parametrize(("day", "why"), [
    ("2026-11-26", "The plant is closed on Thursday, November 26, 2026: Thanksgiving Day."),
    ("2026-10-10", calendar.dump_hours(bayfield(), date(2026, 10, 10)).why),
])  # fmt: skip
def test_price_on_a_closed_day_says_that_nothing_is_unloaded_then(app, day, why):
    words = f"price bayfield --date {day} --gallons 1500 --waste septic_tank"
    code, found = as_json(app, words)
    assert (code, found["total"], found["notes"]) == (0, "48.16", [f"{why} Nothing is unloaded that day."])
    assert ask(app, words).output.splitlines()[-1] == f"{why} Nothing is unloaded that day."


@pytest.mark.parametrize(
    ("words", "said"),
    [("window bayfield --at tomorrow", "tomorrow is no ISO date and time"),
     ("hours nowhere --date 2026-10-06", "There is no plant and no shipped profile named nowhere."),
     ("price bayfield --date 1980-01-01 --gallons 5 --waste septic_tank", ""),
     ("price bayfield --date 2026-10-06 --gallons 5 --waste septic_tank --wage abc", "abc is no amount of dollars"),
     ("price bayfield --date 2026-10-06 --gallons 5 --waste septic_tank --wage -5", "is no amount of dollars"),
     ("price bayfield --date 2026-10-06 --gallons 99999999999999 --waste septic_tank", ""),
     ("window bayfield --at 9999-12-31T23:59:59", ""), ("due bayfield --discharged-at 9999-12-31T23:59:59", "")],
)  # fmt: skip
def test_question_nobody_can_answer_is_one_clear_line_and_exit_2(app, words, said):
    answer = ask(app, words)
    assert answer.exit_code == 2
    assert said in answer.output
    assert "Traceback" not in answer.output


def test_check_of_the_shipped_files_finds_nothing_and_of_a_bad_one_names_file_key_and_mend(app, tmp_path):
    assert ask(app, "check").output == "4 files checked, nothing wrong.\n"
    bad = tmp_path / "bad.toml"
    bad.write_text('[profile]\nid = "x"\nname = "X"\nplace = "X"\nzone = "America/Chicago"\n\n[[rate.plan_gph]]\n'
                   'value = 666\nfrom = 1992-01-01\n')  # fmt: skip
    answer = ask(app, f"check {bad}")
    assert answer.exit_code == 1
    assert any("rate.plan_gph" in line and "cite" in line for line in answer.output.splitlines())


def test_law_of_a_plant_is_asked_by_its_own_name_and_day(app):
    assert world.law().value("rate.plan_gph", world.START.date()) == 666


def test_due_where_no_septage_is_taken_is_a_refusal_like_every_other_question(app):
    code, found = as_json(app, "due lawrence --discharged-at 2026-10-06T09:00")
    assert (code, found["refused"]) == (1, "not_accepted")


def test_hard_limit_is_never_shown_above_what_it_is(app):
    assert as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 239")[1]["hard_gph"] == "0.9958"
    assert as_json(app, "rate bayfield --date 2026-10-06 --flow-gpd 125000")[1]["hard_gph"] == "520.8333"


def test_check_answers_as_json_too(app):
    assert as_json(app, "check") == (0, {"checked": 4, "problems": []})


PRICE = "price bayfield --date 2026-10-06 --gallons 1500 --waste septic_tank"


def test_price_of_another_time_on_a_saturday_is_refused_with_its_section(app):
    words = "price bayfield --date 2026-10-10 --gallons 1500 --waste septic_tank --after-hours-minutes 136 --wage 30.00"
    code, found = as_json(app, words)
    assert (code, found["refused"], found["cite"]) == (1, "no_special_day", "§ 329-7 F(4)")
    assert ask(app, words).output == (
        "Saturday, October 10, 2026 has no other times: they can be arranged Monday to Friday only. (§ 329-7 F(4)) "
        "Select another day.\n"
    )


@pytest.mark.parametrize(
    ("option", "note"),
    [("--origin north", "--origin changes nothing: the schedule in force has one price wherever the waste comes from."),
     ("--capacity 1500", "--capacity changes nothing: the schedule in force charges by the gallon unloaded, not by the "
                         "truck's tank."),
     ("--wage 30.00", "--wage changes nothing: a wage is charged only with --after-hours-minutes.")],
)  # fmt: skip
def test_price_says_which_option_the_schedule_has_no_use_for(app, option, note):
    code, found = as_json(app, f"{PRICE} {option}")
    assert (code, found["total"], found["notes"]) == (0, "48.16", [note])
    assert ask(app, f"{PRICE} {option}").output.splitlines()[-2:] == ["Total $48.16", note]
    assert as_json(app, PRICE)[1]["notes"] == []


def test_adopting_a_value_no_act_follows_is_refused_in_the_same_words_as_the_check(app, tmp_path):
    path = changed(tmp_path, ("[[restriction.immediate]]\nvalue = true", "[[restriction.immediate]]\nvalue = false"))
    said = f"{path}: restriction.immediate: false is not followed by any act yet. Write true"
    assert ask(app, f"check {path}").output == f"{said}\n"
    answer = adopt_law(world.plant(), str(path), date(2026, 9, 1), "Ord. 400", by=system(), at=world.START)
    assert (answer.code, answer.why) == ("law_not_valid", said)
