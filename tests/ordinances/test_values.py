from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest

from ordinances.values import Limit, MonthDay, WrongValue, day_words, parse, time_words, to_raw, weekdays_words, words

LIMIT = {"parameter": "ph", "below": "5.5", "severity": "reject"}


@pytest.mark.parametrize(
    ("kind", "raw", "value", "text"),
    [
        ("money", "0.024", Decimal("0.024"), "$0.024"),
        ("money", "5.00", Decimal("5.00"), "$5.00"),
        ("money", "5", Decimal(5), "$5.00"),
        ("decimal", "10", Decimal(10), "10"),
        ("integer", 160000, 160000, "160,000"),
        ("month_day", "08-01", MonthDay(8, 1), "August 1"),
        ("time", "07:00", time(7), "7:00 a.m."),
        ("weekdays", ["mon", "wed"], ("mon", "wed"), "Monday, Wednesday"),
        ("flag", True, True, "yes"),
        ("flag", False, False, "no"),
        ("text", "so", "so", "so"),
        ("names", ["a_b", "c"], ("a_b", "c"), "a b, c"),
        ("texts", ["One", "Two"], ("One", "Two"), "One; Two"),
        ("coded", [["a", "One"], ["b", "Two"]], (("a", "One"), ("b", "Two")), "One; Two"),
        ("limit", LIMIT, Limit("ph", "reject", below=Decimal("5.5")), "pH below 5.5: the load is refused"),
    ],
)
def test_a_value_reads_writes_back_and_has_words(kind: str, raw: Any, value: Any, text: str) -> None:
    assert parse(kind, raw) == value
    assert to_raw(kind, value) == raw
    assert words(kind, value) == text


def test_a_choice_is_one_of_its_options() -> None:
    assert parse("choice", "a_b", ("a_b", "c")) == "a_b"
    assert parse("choices", ["c"], ("a_b", "c")) == ("c",)
    with pytest.raises(WrongValue, match=r"'x' is not one of the choices\. Write one of: a_b, c"):
        parse("choice", "x", ("a_b", "c"))


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("money", 0.024), ("money", 1), ("money", "-1"), ("money", "1e3"), ("money", "1,000"), ("money", ""),
        ("money", "NaN"), ("money", None), ("money", True), ("integer", True), ("integer", "5"), ("integer", 1.0),
        ("integer", -1), ("month_day", "8-1"), ("month_day", "13-01"), ("month_day", "00-10"), ("month_day", 801),
        ("time", "24:00"), ("time", "07:60"), ("time", "7"), ("time", 7), ("weekdays", ["Mon"]),
        ("weekdays", ["mon", "mon"]), ("weekdays", "mon"), ("flag", 1), ("flag", "yes"), ("text", " "), ("names", [1]),
        ("names", [""]), ("coded", [["a"]]), ("coded", [1]), ("coded", "ab"), ("coded", []), ("limit", "ph"),
        ("limit", {"parameter": "ph"}), ("limit", {**LIMIT, "above": "9"}), ("limit", {**LIMIT, "below": 5.5}),
        ("limit", {**LIMIT, "beyond": "1"}),
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_shape_is_refused(kind: str, raw: Any) -> None:
    with pytest.raises(WrongValue) as raised:
        parse(kind, raw)
    assert raised.value.what
    assert raised.value.mend


def test_days_and_times_in_words() -> None:
    assert day_words(date(2026, 10, 6)) == "Tuesday, October 6, 2026"
    assert [time_words(time(hour)) for hour in (0, 1, 11, 12, 13, 23)] == [
        "12:00 a.m.", "1:00 a.m.", "11:00 a.m.", "12:00 p.m.", "1:00 p.m.", "11:00 p.m.",
    ]  # fmt: skip
    assert weekdays_words(["fri", "mon", "wed", "tue", "thu"]) == "Monday to Friday"
