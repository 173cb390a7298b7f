"""Which change of a charge is a rise: field by field, and never fewer than what some load would pay more."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.charge_rises import risen, unit_price
from ordinances.hauled import Load
from ordinances.pricing import price_load, resolved
from ordinances.refusal import Refusal
from ordinances.rows import NoLaw
from ordinances.schedule import Item, Schedule, Season
from ordinances.values import MonthDay
from tests.ordinances.common import FIXED
from tests.ordinances.test_pricing_properties import asked

D = Decimal
ITEM = Item("a", "A", "per_gallons", date(2020, 1, 1), "§ 1-1", price=D("0.02"), basis=("measured",), waste=("grease",),
            over=D(100), up_to=D(500), round_to=D("0.05"))  # fmt: skip


@pytest.mark.parametrize(
    ("change", "rises"),
    [
        ({"price": D("0.021")}, True), ({"price": D("0.0199")}, False), ({"what": "B", "cite": "§ 2"}, False),
        ({"price": D(20), "each": 1000}, False), ({"price": D("20.01"), "each": 1000}, True),
        ({"parts": "started"}, True), ({"over": D(99)}, True), ({"over": D(101)}, False),
        ({"up_to": None}, True), ({"up_to": D(501)}, True), ({"up_to": D(499)}, False),
        ({"waste": ()}, True), ({"waste": ("grease", "other")}, True), ({"waste": ("grease",)}, False),
        ({"origin": ("town",)}, False), ({"when": ("holiday",)}, False), ({"metered": True}, False),
        ({"season": Season(MonthDay(4, 1), MonthDay(9, 30))}, False), ({"basis": ("capacity",)}, True),
        ({"round_to": D("0.10")}, True), ({"rounding": "down"}, False), ({"rounding": "up"}, True),
        ({"kind": "per_pound"}, True), ({"base": True}, False),
    ],
)  # fmt: skip
def test_a_field_that_changes_is_a_rise_or_none(change: dict[str, Any], rises: bool) -> None:
    assert risen(ITEM, replace(ITEM, **change)) is rises


def test_a_charge_that_is_new_is_a_rise_unless_it_costs_nothing_or_is_only_counted_from() -> None:
    assert [risen(None, ITEM), risen(None, replace(ITEM, price=D(0))), risen(None, replace(ITEM, base=True))] == [
        True, False, False,
    ]  # fmt: skip
    assert [risen(ITEM, None), risen(replace(ITEM, base=True), ITEM)] == [False, True]


def test_a_season_that_takes_in_one_day_more_is_a_rise() -> None:
    winter, longer = (replace(ITEM, season=Season(MonthDay(10, 1), MonthDay(3, day))) for day in (30, 31))
    assert (risen(winter, longer), risen(longer, winter), risen(winter, ITEM)) == (True, False, True)


def test_bands_rise_where_a_load_that_had_a_price_pays_more() -> None:
    bands = replace(ITEM, kind="size_band", price=None, bands=((1000, D(40)), (2000, D(60))))
    assert risen(bands, replace(bands, bands=((1000, D(40)), (2000, D(60)), (3000, D(99))))) is False
    assert risen(bands, replace(bands, bands=((500, D(30)), (2000, D(60))))) is True
    assert risen(bands, replace(bands, bands=((2000, D(60)),))) is True
    assert risen(bands, replace(bands, bands=((2000, D(40)),))) is False


def test_a_renewal_left_out_costs_what_the_first_year_does() -> None:
    year = replace(ITEM, kind="per_truck_year", price=D(75), renewal=D(25))
    assert risen(year, replace(year, renewal=None)) is True
    assert risen(year, replace(year, price=D(70), renewal=D(25))) is False
    assert unit_price(year) is None


_EDITS: dict[str, Any] = {
    "price": st.sampled_from([D(0), D("0.01"), D("0.5"), D(1), D("11.25"), D(90)]),
    "each": st.sampled_from([1, 100, 1000]), "parts": st.sampled_from(["exact", "started"]),
    "over": st.sampled_from([D(0), D(2), D(1000)]), "up_to": st.sampled_from([None, D(1500), D(3)]),
    "waste": st.sampled_from([(), ("septic_tank",), ("septic_tank", "holding_tank")]),
    "when": st.sampled_from([(), ("inside",), ("after_hours", "weekend")]), "metered": st.sampled_from([None, False]),
    "percent": st.sampled_from([D(10), D(33), D(50)]), "at_least": st.sampled_from([D(0), D(100)]),
    "min_hours": st.sampled_from([D(0), D(1)]), "round_hours": st.sampled_from([D(0), D("0.25"), D("0.5")]),
    "above": st.sampled_from([D(0), D(300)]), "times": st.sampled_from([D(1), D("2.5"), D(3)]),
    "rounding": st.sampled_from(["half_up", "up", "down"]),
}  # fmt: skip


@FIXED
@given(asked(), st.data())
def test_no_load_pays_more_where_nothing_is_called_a_rise(
    one: tuple[Schedule, date, Load], data: st.DataObject
) -> None:
    schedule, day, load = one
    at = data.draw(st.integers(0, len(schedule.items) - 1))
    was = schedule.items[at]
    names = [name for name in _EDITS if name != "price" or was.price is not None]
    now = replace(was, **{name: data.draw(_EDITS[name]) for name in data.draw(st.sets(st.sampled_from(names)))})
    items = (*schedule.items[:at], now, *schedule.items[at + 1 :])
    if data.draw(st.booleans()):
        items = items[:at] + items[at + 1 :] or items
    other = replace(schedule, items=items)
    try:
        before, after = price_load(schedule, day, load), price_load(other, day, load)
    except NoLaw:
        return
    if isinstance(before, Refusal) or isinstance(after, Refusal) or set(before.awaited) != set(after.awaited):
        return
    if after.total > before.total:
        assert any(_risen(schedule, other, item.code, day) for item in other.items_on(day))


def _risen(schedule: Schedule, other: Schedule, code: str, day: date) -> bool:
    was, now = schedule.item(code, day), other.item(code, day)
    return risen(was and resolved(schedule, was, day), now and resolved(other, now, day))
