from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.fees import (
    FeeLine,
    fee_before_decision,
    filing_fee,
    for_load,
    quote_for,
    total,
)
from ordinances.late import Late, late_charge, late_dates
from ordinances.reader import Law, plant_row
from ordinances.refusal import Refusal
from tests.ordinances.common import FIXED, LOADED, bayfield, changed_law, in_rows, law_of, profile
from tests.ordinances.town import item

MEAN = {"bod": Decimal(6480), "tss": Decimal(12862), "p": Decimal(210)}
TWO_CENTS_HALF = item("volume", "per_gallons", 'price = "0.025"\nbasis = ["measured", "declared"]', "2027-01-01")


def lines_of(answer: tuple[FeeLine, ...] | Refusal) -> tuple[FeeLine, ...]:
    assert not isinstance(answer, Refusal), answer
    return answer


def shown(answer: tuple[FeeLine, ...] | Refusal) -> list[tuple[str, str, str, str]]:
    return [(line.code, str(line.quantity), str(line.unit_price), str(line.amount)) for line in lines_of(answer)]


def test_1500_gallons_are_48_16_in_two_cited_lines() -> None:
    law = bayfield()
    lines = lines_of(for_load(law, [(LOADED, 1500)], "septic_tank"))
    assert shown(lines) == [("volume", "1500", "0.024", "36.00"), ("test", "1", "12.16", "12.16")]
    assert total(lines) == Decimal("48.16")
    assert [line.cite for line in lines] == ["§ 329-7 F(2); § 329-2 B(2)(d)", "§ 329-2 B(2)(d); § 329-7 F(1)"]
    assert [line.cents for line in lines] == [3600, 1216]
    assert {line.law_version for line in lines} == {law.version}
    assert lines[1].what == "Testing for BOD5 and TSS"
    assert lines[1].reading is not None and lines[1].reading.startswith("One charge covers both tests")


def test_charges_adopted_as_rows_of_one_number_are_charged_the_same_to_the_word(tmp_path: Path) -> None:
    old = Law(in_rows(tmp_path))
    assert old.profile.schedule is None
    for minutes, extra in ((0, 0), (136, 2)):
        known = {"after_hours_minutes": minutes, "extra_tests": extra, "wage": Decimal("30.00")}
        both = [lines_of(for_load(law, [(LOADED, 1500)], "septic_tank", **known)) for law in (old, bayfield())]
        assert [replace(line, law_version="") for line in both[0]] == [
            replace(line, law_version="") for line in both[1]
        ]


def test_special_time_of_136_minutes_at_30_dollars_is_128_16() -> None:
    answer = for_load(
        bayfield(), [(LOADED, 1500)], "septic_tank", after_hours_minutes=136, wage=Decimal("30.00")
    )  # fmt: skip
    assert shown(answer) == [
        ("volume", "1500", "0.024", "36.00"),
        ("test", "1", "12.16", "12.16"),
        ("special_wage", "2.50", "30.00", "75.00"),
        ("special_test", "1", "5.00", "5.00"),
    ]
    assert total(lines_of(answer)) == Decimal("128.16")


@pytest.mark.parametrize(
    ("minutes", "hours"), [(1, "1"), (60, "1"), (61, "1.25"), (75, "1.25"), (76, "1.50"), (135, "2.25"), (136, "2.50")]
)
def test_special_hours_round_up_to_a_quarter_and_are_at_least_one(minutes: int, hours: str) -> None:
    answer = for_load(
        bayfield(), [(LOADED, 100)], "septic_tank", after_hours_minutes=minutes, wage=Decimal("30.00")
    )  # fmt: skip
    assert lines_of(answer)[2].quantity == Decimal(hours)


def test_special_time_takes_the_plants_wage() -> None:
    wage = plant_row("fees.wage", "31.10", date(2026, 1, 1), "Resolution 7")
    answer = for_load(bayfield(rows=(wage,)), [(LOADED, 1500)], "septic_tank", after_hours_minutes=60)
    assert shown(answer)[2] == ("special_wage", "1", "31.10", "31.10")


def test_special_time_without_a_wage_is_refused() -> None:
    refusal = for_load(bayfield(), [(LOADED, 1500)], "septic_tank", after_hours_minutes=60)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("wage_not_set", "§ 329-7 F(4)")


def test_further_tests_are_charged_one_by_one_and_count_for_special_time() -> None:
    answer = for_load(
        bayfield(), [(LOADED, 1000)], "septic_tank", extra_tests=2, after_hours_minutes=60, wage=Decimal(30)
    )  # fmt: skip
    assert shown(answer) == [
        ("volume", "1000", "0.024", "24.00"),
        ("test", "1", "12.16", "12.16"),
        ("extra_test", "2", "12.16", "24.32"),
        ("special_wage", "1", "30", "30.00"),
        ("special_test", "3", "5.00", "15.00"),
    ]


def test_a_load_not_tested_has_no_test_line() -> None:
    assert shown(for_load(bayfield(), [(LOADED, 1000)], "holding_tank", tested=False)) == [
        ("volume", "1000", "0.024", "24.00")
    ]


def test_a_charge_for_each_test_is_60_32(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('value = "load"', 'value = "test"'), in_rows=True)
    answer = for_load(law, [(LOADED, 1500)], "septic_tank")
    assert shown(answer)[1] == ("test", "2", "12.16", "24.32")
    assert total(lines_of(answer)) == Decimal("60.32")


def test_residential_waste_is_not_tested_where_the_law_says_so(tmp_path: Path) -> None:
    law = changed_law(tmp_path, ('value = "all"', 'value = "non_residential"'), in_rows=True)
    assert [line.code for line in lines_of(for_load(law, [(LOADED, 1500)], "septic_tank"))] == ["volume"]


def volume(law: Law, day: date, gallons: int) -> FeeLine:
    """The one line of gallons of a load that was not tested."""
    (line,) = lines_of(for_load(law, [(day, gallons)], "septic_tank", tested=False))
    return line


def test_a_full_window_is_47_95() -> None:
    assert volume(bayfield(), LOADED, 1998).amount == Decimal("47.95")


def test_no_gallons_cost_nothing_and_fewer_are_an_error() -> None:
    assert for_load(bayfield(), [(LOADED, 0)], "septic_tank", tested=False) == ()
    with pytest.raises(ValueError, match="below zero"):
        volume(bayfield(), LOADED, -5)


@pytest.mark.parametrize(("gallons", "amount"), [(1001, "25.03"), (1005, "25.13"), (1003, "25.08"), (1000, "25.00")])
def test_half_cents_go_up(tmp_path: Path, gallons: int, amount: str) -> None:
    law = changed_law(tmp_path, extra=TWO_CENTS_HALF)
    assert str(volume(law, date(2027, 1, 4), gallons).amount) == amount


def test_each_morning_is_priced_by_the_law_of_its_own_day(tmp_path: Path) -> None:
    law = changed_law(tmp_path, extra=TWO_CENTS_HALF)
    answer = for_load(law, [(date(2026, 12, 31), 1998), (date(2027, 1, 4), 2)], "septic_tank")
    assert shown(answer) == [
        ("volume", "1998", "0.024", "47.95"),
        ("volume", "2", "0.025", "0.05"),
        ("test", "1", "12.16", "12.16"),
    ]


@pytest.mark.parametrize("waste", ["grease_interceptor", "other"])
def test_waste_no_approval_covers_has_no_price(waste: str) -> None:
    refusal = for_load(bayfield(), [(LOADED, 1500)], waste)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("not_septage", "§ 329-7 A")


@pytest.mark.parametrize(("name", "code"), [("gillett", "by_agreement"), ("lawrence", "not_accepted")])
def test_a_place_without_a_programme_has_no_price(name: str, code: str) -> None:
    refusal = for_load(law_of(name), [(LOADED, 1500)], "septic_tank")
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_load_without_parts_or_with_less_than_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one part"):
        for_load(bayfield(), [], "septic_tank")
    with pytest.raises(ValueError, match="below zero"):
        for_load(bayfield(), [(LOADED, 1)], "septic_tank", extra_tests=-1)


def strength_lines(law: Law, results: dict[str, Decimal]) -> tuple[FeeLine, ...]:
    answer = for_load(law, [(LOADED, 1500)], "septic_tank", tested=False, strengths=results)
    return tuple(line for line in lines_of(answer) if line.code.startswith("surcharge"))


def test_strength_costs_nothing_at_bayfield() -> None:
    assert strength_lines(bayfield(), MEAN) == ()


def with_table(table: str) -> Law:
    """Bayfield's law as if a table reached septage."""
    rows = tuple(replace(row, value=table) if row.key == "fees.strength_surcharge" else row for row in profile().rows)
    return Law(replace(profile(), rows=rows))


@pytest.mark.parametrize(
    ("table", "amounts"), [("older", ["12.57", "15.78"]), ("table_2007", ["106.06", "157.78", "47.54"])]
)
def test_strength_by_a_table_where_the_law_names_one(table: str, amounts: list[str]) -> None:
    lines = strength_lines(with_table(table), MEAN)
    assert [str(line.amount) for line in lines] == amounts
    assert lines[0].quantity == Decimal("78.5628")


def test_strength_below_normal_costs_nothing() -> None:
    law = with_table("older")
    assert strength_lines(law, {"bod": Decimal(200), "tss": Decimal(100)}) == ()
    found = quote_for(law, [(LOADED, 1500)], "septic_tank", strengths={"bod": Decimal(150)})
    assert not isinstance(found, Refusal)
    assert found.awaited == ("tss",)


WEEKENDS = ("[[fees.special_weekends]]\nvalue = false", "[[fees.special_weekends]]\nvalue = true")
FRIDAY, SATURDAY, SUNDAY = date(2026, 10, 9), date(2026, 10, 10), date(2026, 10, 11)


def special_on(law: Law, day: date) -> tuple[FeeLine, ...] | Refusal:
    return for_load(law, [(day, 1500)], "septic_tank", after_hours_minutes=136, wage=Decimal("30.00"))


@pytest.mark.parametrize(("day", "name"), [(SATURDAY, "Saturday"), (SUNDAY, "Sunday")])
def test_other_times_on_a_weekend_are_refused_where_the_law_keeps_the_days(day: date, name: str) -> None:
    refusal = special_on(bayfield(), day)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("no_special_day", "§ 329-7 F(4)")
    assert refusal.why == (
        f"{name}, October {day.day}, 2026 has no other times: they can be arranged Monday to Friday only."
    )
    assert total(lines_of(special_on(bayfield(), FRIDAY))) == Decimal("128.16")


def test_other_times_on_a_weekend_have_a_price_where_the_law_allows_them(tmp_path: Path) -> None:
    law = changed_law(tmp_path, WEEKENDS)
    assert [total(lines_of(special_on(law, day))) for day in (FRIDAY, SATURDAY, SUNDAY)] == [Decimal("128.16")] * 3


def test_weekends_open_no_working_day_the_law_leaves_out(tmp_path: Path) -> None:
    law = changed_law(tmp_path, WEEKENDS, ('"mon", "tue", "wed", "thu", "fri"', '"mon", "tue", "wed", "thu"'))
    refusal = special_on(law, FRIDAY)
    assert isinstance(refusal, Refusal)
    assert refusal.why.endswith("they can be arranged Monday, Tuesday, Wednesday, Thursday, Saturday, Sunday only.")


def test_the_decision_waits_for_the_fee_only_where_the_law_says_so_and_a_fee_is_set(tmp_path: Path) -> None:
    fee = plant_row("fees.filing", "75.00", date(2026, 8, 1), "Resolution 2026-12")
    first = ("[[application.fee_blocks_filing]]\nvalue = false", "[[application.fee_blocks_filing]]\nvalue = true")
    law = replace(changed_law(tmp_path, first), plant_rows=(fee,))
    assert fee_before_decision(bayfield(rows=(fee,)), date(2026, 8, 1)) is None
    assert fee_before_decision(law, date(2026, 7, 31)) is None
    row = fee_before_decision(law, date(2026, 8, 1))
    assert row is not None and row.cite == "§ 329-7 B(1)"


def test_a_filing_fee_that_is_not_set_is_said_so() -> None:
    refusal = filing_fee(bayfield(), date(2026, 8, 6))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite) == ("fee_not_set", "§ 329-7 B(1)")


def test_a_filing_fee_is_the_councils_from_its_day() -> None:
    fee = plant_row("fees.filing", "75.00", date(2026, 8, 1), "Resolution 2026-12")
    law = bayfield(rows=(fee,))
    assert isinstance(filing_fee(law, date(2026, 7, 31)), Refusal)
    line = filing_fee(law, date(2026, 8, 1))
    assert isinstance(line, FeeLine)
    assert (line.code, line.amount, line.cite) == ("filing", Decimal("75.00"), "§ 329-7 B(1)")


def test_the_late_charge_on_28_16_is_2_82_dated_october_22() -> None:
    late = late_charge(bayfield(), date(2026, 10, 1), 2816)
    assert isinstance(late, Late)
    assert (late.due_last_day, late.charged_on) == (date(2026, 10, 21), date(2026, 10, 22))
    assert (late.line.code, late.line.amount, late.line.cite) == ("late", Decimal("2.82"), "§ 329-2 A(3)(g)")
    assert late.line.what == "Late charge of 10 % on $28.16"
    assert late_dates(bayfield(), date(2026, 10, 1)) == (date(2026, 10, 21), date(2026, 10, 22))


@pytest.mark.parametrize("cents", [0, -100])
def test_nothing_unpaid_has_no_late_charge(cents: int) -> None:
    refusal = late_charge(bayfield(), date(2026, 10, 1), cents)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "nothing_unpaid"


def test_gillett_takes_three_percent_and_lawrence_none() -> None:
    late = late_charge(law_of("gillett"), date(2026, 10, 1), 4816)
    assert isinstance(late, Late)
    assert (late.line.amount, late.line.cite) == (Decimal("1.44"), "§ 20-27 B")
    refusal = late_charge(law_of("lawrence"), date(2026, 10, 1), 4816)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "no_late_charge"


def test_a_line_keeps_the_version_of_its_own_law(tmp_path: Path) -> None:
    law: Law = changed_law(tmp_path, extra=TWO_CENTS_HALF)
    assert volume(law, LOADED, 1).law_version == law.version != bayfield().version


@FIXED
@given(st.integers(1, 20000))
def test_a_line_is_within_half_a_cent_of_its_exact_price(gallons: int) -> None:
    line = volume(bayfield(), LOADED, gallons)
    error = line.amount - gallons * Decimal("0.024")
    assert Decimal("-0.005") < error <= Decimal("0.005")
    assert Decimal(line.cents) / 100 == line.amount
