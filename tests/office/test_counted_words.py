"""One is one: gallons, tests, hours and mornings read as they are counted, prices with at least two decimals."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from office import formats
from ordinances.fees import for_load
from ordinances.refusal import Refusal
from tests import world
from tests.intake.plant import book, hauler, session
from tests.office.test_law_commands import ask

TUESDAY = date(2026, 10, 6)


@pytest.mark.parametrize(("count", "words"), [(1, "1 gallon"), (0, "0 gallons"), (1_500, "1,500 gallons")])
def test_gallons_agree_with_their_number(count: int, words: str) -> None:
    assert (formats.volume(count), formats.rate(count)) == (words, f"{words} an hour")


@pytest.mark.parametrize(("each", "words"), [("30", "$30.00"), ("0.024", "$0.024"), ("12.16", "$12.16")])
def test_a_price_has_two_decimals_and_every_one_it_has(each: str, words: str) -> None:
    assert formats.price(Decimal(each)) == words


def test_units_of_charges_agree_with_their_number(app: Any) -> None:
    lines = for_load(world.law(), [(TUESDAY, 1)], "septic_tank", extra_tests=1, after_hours_minutes=60,
                     wage=Decimal("30"))  # fmt: skip
    assert not isinstance(lines, Refusal)
    assert [(line.quantity, line.unit) for line in lines if line.quantity == 1 and line.unit.endswith("s")] == []
    assert (lines[0].unit, {line.code: line.unit for line in lines}["special_wage"]) == ("gallon", "hour")


def test_fit_says_one_gallon_and_many_mornings_with_a_comma(app: Any) -> None:
    assert "1 gallon fits " in ask(app, "fit bayfield --date 2026-10-06 --gallons 1").output
    assert "Split it over 50,051 mornings" in ask(app, "fit bayfield --date 2026-10-06 --gallons 100000000").output


def test_the_price_of_an_hour_and_of_a_test_reads_as_money(app: Any) -> None:
    said = ask(app, "price bayfield --date 2026-10-06 --gallons 1 --waste septic_tank --tests 1 "
               "--after-hours-minutes 60 --wage 30").output  # fmt: skip
    assert "Septage unloaded: 1 gallon declared at $" in said
    assert "1 hour at $30.00 an hour = $30.00" in said
    assert (" 1 tests" in said, " 1 hours" in said, " 1 gallons" in said) == (False, False, False)


def test_a_booking_of_one_gallon_is_told_as_one(app: Any) -> None:
    from sqlalchemy import select

    from office.db import db
    from office.notices import Notice

    book(hauler(), session("2026-10-06T07:00", 1, minutes=1))
    notice = db.session.scalars(select(Notice).where(Notice.kind == "booking_booked")).one()
    assert notice.subject == "Booked: Tue, Oct 6, 7:00 a.m., 1 gallon (B-1006-01)"
    assert "7:00 to 7:01 a.m.: 1 gallon at 60 gallons an hour." in notice.body
