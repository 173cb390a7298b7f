"""Words for days, times, gallons and money."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from flask import Flask, g, render_template_string

from office import formats

CENTRAL = ZoneInfo("America/Chicago")
OCT_6 = datetime(2026, 10, 6, 12, 45, tzinfo=UTC)


def test_day_is_written_in_full() -> None:
    assert formats.day(date(2026, 10, 6)) == "Tuesday, October 6, 2026"
    assert formats.day_short(date(2026, 10, 6)) == "Tue, Oct 6"
    assert formats.date_only(date(2026, 10, 1)) == "October 1, 2026"


def test_day_of_an_instant_is_the_plants_day() -> None:
    last_second = datetime(2026, 9, 2, 4, 59, 59, tzinfo=UTC)
    assert formats.day_time(last_second, CENTRAL) == "Tuesday, September 1, 2026, 11:59 p.m."


def test_an_instant_of_the_hour_that_comes_twice_says_which_of_the_two_it_is() -> None:
    first, second, after = (datetime(2026, 11, 1, hour, 30, tzinfo=UTC) for hour in (6, 7, 8))
    assert formats.day_time(first, CENTRAL) == "Sunday, November 1, 2026, 1:30 a.m. CDT"
    assert formats.day_time(second, CENTRAL) == "Sunday, November 1, 2026, 1:30 a.m. CST"
    assert formats.day_time(after, CENTRAL) == "Sunday, November 1, 2026, 2:30 a.m."
    assert formats.day_time(datetime(2027, 3, 14, 8, 30, tzinfo=UTC), CENTRAL) == "Sunday, March 14, 2027, 3:30 a.m."


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (time(7, 45), "7:45 a.m."),
        (time(0, 5), "12:05 a.m."),
        (time(12, 0), "12:00 noon"),
        (time(12, 15), "12:15 p.m."),
        (time(0, 0), "12:00 midnight"),
        (time(23, 59, 59), "11:59 p.m."),
    ],
)
def test_clock_time(moment: time, words: str) -> None:
    assert formats.clock_time(moment) == words


def test_clock_time_across_the_autumn_change_keeps_the_wall_hour() -> None:
    assert formats.clock_time(datetime(2026, 10, 30, 12, 0, tzinfo=UTC), CENTRAL) == "7:00 a.m."
    assert formats.clock_time(datetime(2026, 11, 2, 13, 0, tzinfo=UTC), CENTRAL) == "7:00 a.m."


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (time(7, 45), time(9, 16), "7:45 to 9:16 a.m."),
        (time(11, 30), time(12, 15), "11:30 a.m. to 12:15 p.m."),
        (time(11, 30), time(12, 0), "11:30 a.m. to 12:00 noon"),
    ],
)
def test_span(start: time, end: time, words: str) -> None:
    assert formats.span(start, end) == words


def test_span_over_midnight_names_both_days() -> None:
    start, end = datetime(2026, 10, 7, 4, 0, tzinfo=UTC), datetime(2026, 10, 7, 6, 0, tzinfo=UTC)
    assert formats.span(start, end, CENTRAL) == "Tue, Oct 6, 11:00 p.m. to Wed, Oct 7, 1:00 a.m."


def test_span_of_instants_on_one_plant_day_but_two_utc_days() -> None:
    start, end = datetime(2026, 10, 6, 23, 30, tzinfo=UTC), datetime(2026, 10, 7, 0, 30, tzinfo=UTC)
    assert formats.span(start, end, CENTRAL) == "6:30 to 7:30 p.m."


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (4816, "$48.16"),
        (-282, "−$2.82"),
        (0, "$0.00"),
        (123450, "$1,234.50"),
        (Decimal("25.025"), "$25.03"),
        (Decimal("-0.001"), "$0.00"),
    ],
)
def test_money(amount: int | Decimal, words: str) -> None:
    assert formats.money(amount) == words


def test_numbers() -> None:
    assert formats.gallons(1500) == "1,500"
    assert formats.number(Decimal("166.50")) == "166.5"
    assert formats.number(Decimal("160000")) == "160,000"
    assert formats.number(Decimal("1E+3")) == "1,000"
    assert formats.number(Decimal("-0.50")) == "−0.5"
    assert formats.number(100) == "100"


def test_plural_and_minutes() -> None:
    assert formats.plural(1, "load") == "1 load"
    assert formats.plural(3, "load") == "3 loads"
    assert formats.plural(0, "entry", "entries") == "0 entries"
    assert formats.minutes_words(136) == "2 hours 16 minutes"
    assert formats.minutes_words(61) == "1 hour 1 minute"
    assert formats.minutes_words(60) == "1 hour"
    assert formats.minutes_words(0) == "0 minutes"


@pytest.mark.parametrize(
    ("phone", "address"),
    [
        ("(715) 555-0100 ext. 12", "tel:+17155550100;ext=12"),
        ("715.555.0100 x12", "tel:+17155550100;ext=12"),
        ("+1 715 555 0100", "tel:+17155550100"),
    ],
)
def test_dial_keeps_the_extension(phone: str, address: str) -> None:
    assert formats.dial(phone) == address


@pytest.mark.parametrize("zone", [CENTRAL, "America/Chicago"])
def test_filters_use_the_zone_of_the_plant(zone: ZoneInfo | str) -> None:
    app = Flask(__name__)
    formats.register(app)
    page = "{{ at|day_time }} · {{ at|span(to) }} · {{ 1500|gallons }} · {{ 2|plural('load') }}"
    with app.test_request_context():
        g.plant = SimpleNamespace(zone=zone)
        shown = render_template_string(page, at=OCT_6, to=datetime(2026, 10, 6, 14, 16, tzinfo=UTC))
    assert shown == "Tuesday, October 6, 2026, 7:45 a.m. · 7:45 to 9:16 a.m. · 1,500 · 2 loads"


def test_filters_outside_a_plant_leave_the_time_as_it_is() -> None:
    app = Flask(__name__)
    formats.register(app)
    with app.test_request_context():
        assert render_template_string("{{ at|clock_time }}", at=OCT_6) == "12:45 p.m."


@pytest.mark.parametrize(("left", "words"), [
    (timedelta(days=14, hours=23, minutes=59), "14 days"), (timedelta(days=14), "14 days"),
    (timedelta(days=14, seconds=-1), "13 days"), (timedelta(days=2), "2 days"),
    (timedelta(days=2, seconds=-1), "47 hours"), (timedelta(days=1), "24 hours"),
    (timedelta(hours=1, minutes=59, seconds=59), "1 hour"), (timedelta(hours=1), "1 hour"),
    (timedelta(hours=1, seconds=-1), "59 minutes"), (timedelta(minutes=1), "1 minute"),
    (timedelta(seconds=59), "Less than a minute"), (timedelta(0), "Less than a minute"),
])  # fmt: skip
def test_the_time_left_is_said_in_days_then_hours_then_minutes(left, words):
    assert formats.time_left(left) == words


def test_a_sentence_that_ends_with_a_time_has_one_full_stop():
    assert [formats.full_stop(one) for one in ("From 8:04 a.m.", "From noon")] == ["From 8:04 a.m.", "From noon."]
