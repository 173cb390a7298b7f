"""Which amounts a council sets, what counts as a rise, and the first day it may start (§ 281.49(12))."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from ordinances.fee_rise import Rise, cannot_start, council_amounts, earliest_start, rise_of
from ordinances.reader import load_profile, plant_row
from ordinances.rows import Law

JAN_1, MAR_1, MAR_2 = date(2027, 1, 1), date(2027, 3, 1), date(2027, 3, 2)


def law(name: str, *rows: tuple[str, str, date]) -> Law:
    return Law(
        load_profile(name), tuple(plant_row(key, value, since, "Resolution 7") for key, value, since in rows), {}
    )


def rising(since: date) -> Rise:
    return Rise("fees.filing", Decimal("75.00"), Decimal("90.00"), since)


@pytest.mark.parametrize(
    ("name", "amounts"),
    [("bayfield", ["fees.filing", "fees.wage"]), ("gillett", []), ("lawrence", ["fees.appeal"])],
)
def test_a_council_is_asked_only_for_what_its_law_charges_by(name: str, amounts: list[str]) -> None:
    assert council_amounts(law(name), JAN_1) == amounts


@pytest.mark.parametrize(
    ("name", "amounts"), [("gillett", []), ("bayfield", ["fees.filing", "fees.wage", "fees.appeal"])]
)
def test_what_is_set_already_stays_on_the_list_where_anybody_may_come(name: str, amounts: list[str]) -> None:
    rows = [(key, "5.00", JAN_1) for key in ("fees.filing", "fees.wage", "fees.appeal")]
    assert council_amounts(law(name, *rows), JAN_1) == amounts


@pytest.mark.parametrize(("value", "rises"), [("75.01", True), ("75.00", False), ("74.99", False)])
def test_only_more_than_what_holds_on_the_day_is_a_rise(value: str, rises: bool) -> None:
    set_by = law("bayfield", ("fees.filing", "75.00", JAN_1), ("fees.filing", "80.00", MAR_2))
    found = rise_of(set_by, "fees.filing", Decimal(value), MAR_1)
    assert found == (Rise("fees.filing", Decimal("75.00"), Decimal(value), MAR_1) if rises else None)


def test_the_first_amount_is_no_rise_and_the_flow_is_no_fee() -> None:
    assert rise_of(law("bayfield"), "fees.filing", Decimal("75.00"), JAN_1) is None
    assert rise_of(law("bayfield"), "rate.flow_gpd", Decimal(999_999), JAN_1) is None


def test_sixty_days_are_counted_from_the_day_after_the_last_notice() -> None:
    known = law("bayfield")
    assert earliest_start(known, JAN_1) == MAR_2
    assert cannot_start(known, MAR_2, [], JAN_1, JAN_1) is None
    refused: Any = cannot_start(known, MAR_1, [], JAN_1, JAN_1)
    assert (refused.code, refused.cite) == ("told_too_late", "§ 281.49(12), Wis. Stats.")
    assert refused.why == (
        "A fee rises 60 days after every approved hauler was told, or later. The last notice went out on "
        "January 1, 2027: it can start on March 2, 2027."
    )


def test_who_was_not_told_is_named_with_the_first_day_it_could_start() -> None:
    refused: Any = cannot_start(law("bayfield"), MAR_2, ["A", "B", "C", "D", "E"], JAN_1, date(2027, 1, 10))
    assert (refused.code, refused.next_step) == ("not_told", "The city clerk sends the notices first, from Settings.")
    assert refused.why == (
        "A fee rises 60 days after every approved hauler was told, or later. Not told of this yet: A, B, C and 2 more. "
        "Told today, it can start on March 11, 2027."
    )


def test_nobody_approved_and_a_law_without_notice_keep_nothing_back() -> None:
    assert cannot_start(law("bayfield"), JAN_1, [], None, JAN_1) is None
    before = date(2000, 1, 1)
    assert earliest_start(law("bayfield"), before) is None
    assert cannot_start(law("bayfield"), before, ["A"], None, before) is None
