import re
from datetime import date
from decimal import Decimal

import pytest

from ordinances.plain_words import option_words, plain
from ordinances.reader import Law, shipped
from ordinances.schema import KEYS
from ordinances.values import SEVERITIES, Limit
from tests.ordinances.common import profile

DAY = date(2026, 10, 6)


@pytest.mark.parametrize("key", [key for key in KEYS.values() if key.options], ids=lambda key: key.name)
def test_every_option_of_every_key_has_words_of_its_own(key):
    said = [option_words(key, option) for option in key.options]
    assert all(said)
    assert "_" not in "".join(said)
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("key", [key for key in KEYS.values() if key.type == "flag"], ids=lambda key: key.name)
def test_every_flag_says_one_thing_when_set_and_another_when_not(key):
    assert plain(key, True) != plain(key, False)


@pytest.mark.parametrize("name", shipped())
def test_no_row_of_a_shipped_profile_prints_a_raw_value(name):
    law = Law(profile(name))
    raw = re.compile(
        r"_|\bph\b|temp f|: (reject|ask|warn)$|^(reject|ask|warn|none|stated|pro rata)$|^1 \w+s\b|^0\.\d+ hour"
    )
    said = {row.key: law.words(row, DAY) for row in law.rows(DAY)}
    assert {key: words for key, words in said.items() if raw.search(words) or not words} == {}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("fees.special_min_hours", Decimal(1), "1 hour"),
        ("fees.special_min_hours", Decimal(2), "2 hours"),
        ("fees.special_round_hours", Decimal("0.25"), "a quarter hour"),
        ("fees.special_round_hours", Decimal("0.5"), "half an hour"),
        ("fees.special_round_hours", Decimal("0.75"), "three quarters of an hour"),
        ("record.due_working_days", 1, "1 working day"),
        ("record.due_working_days", 2, "2 working days"),
        ("rate.flow_gpd", 1, "1 gallon a day"),
        ("billing.late_percent", Decimal(10), "10 percent"),
        ("decision.alarm_days", ("0", "7", "14"), "on the day itself, then 7 and 14 days after it"),
        ("decision.alarm_days", ("1",), "1 day after it"),
        ("approval.covers", ("septic_tank", "holding_tank"), "septic tanks, holding tanks"),
        ("limits.ph_low", Limit("ph", "reject", below=Decimal("5.5")), "pH below 5.5: the load is refused"),
        ("limits.toxic", Limit("toxic", "reject"), "the load is refused"),
        (
            "limits.temp_high",
            Limit("temp_f", "ask", above=Decimal(150), unit="°F"),
            "temperature above 150 °F: the Superintendent is asked",
        ),
    ],
)
def test_a_quantity_a_list_and_a_limit_read_as_a_person_says_them(key, value, said):
    assert plain(KEYS[key], value) == said


def test_a_doubtful_load_goes_to_whom_the_law_in_force_names():
    said = {}
    for name in shipped():
        law = Law(profile(name))
        said[name] = law.words(law.row("limits.metals", DAY), DAY)
    assert said == {
        "bayfield": "the Superintendent is asked",
        "gillett": "the Utility Committee is asked",
        "lawrence": "the Utility District is asked",
    }


def test_each_thing_that_may_follow_from_a_limit_has_words():
    said = {plain(KEYS["limits.toxic"], Limit("toxic", severity)) for severity in SEVERITIES}
    assert len(said) == len(SEVERITIES)
