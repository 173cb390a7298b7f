"""What must hold of any load by any schedule under tests: lines add up, more never costs less, order is nothing."""

from dataclasses import fields, replace
from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ordinances.hauled import Load, Part
from ordinances.pricing import Quote, price_load
from ordinances.refusal import Refusal
from ordinances.schedule import Schedule
from tests.ordinances.common import FIXED
from tests.ordinances.town import town, towns

CENT = Decimal("0.01")
ANY_DAY = st.integers(0, 900).map(lambda days: date(2025, 1, 1) + timedelta(days=days))
ZONES = {"marshalltown": ("in_city", "outside"), "wareham": ("resident", "bourne", "nonresident")}


@st.composite
def asked(draw: st.DrawFn) -> tuple[Schedule, date, Load]:
    """A schedule, a day, and a load of one or several kinds with everything known that any item may ask."""
    name = draw(st.sampled_from(towns()))
    schedule = town(name)
    part = st.builds(
        Part, st.sampled_from(schedule.wastes), st.sampled_from(ZONES.get(name, (None,))), st.integers(1, 3000)
    )
    parts = tuple(draw(st.lists(part, min_size=1, max_size=4)))
    load = Load(
        parts, measured=draw(st.none() | st.integers(0, 6000)), capacity=draw(st.integers(100, 6000)),
        pounds=draw(st.integers(0, 50_000)), cubic_yards=draw(st.integers(0, 12)), metered=False,
        after_hours=draw(st.booleans()), weekend=draw(st.booleans()), holiday=draw(st.booleans()),
        tests={"pair": draw(st.integers(0, 1)), "extra": draw(st.integers(0, 3))},
        strengths={"bod": Decimal(draw(st.integers(0, 20_000))), "tss": Decimal(draw(st.integers(0, 40_000)))},
        costs={"lab": Decimal(draw(st.integers(0, 99_999))) / 100}, staff_minutes=draw(st.integers(0, 300)),
        wage=Decimal("31.37"),
    )  # fmt: skip
    return schedule, draw(ANY_DAY), load


def key(found: Quote | Refusal) -> object:
    return found if isinstance(found, Refusal) else (found.lines, found.awaited)


@FIXED
@given(asked())
def test_lines_add_up_in_whole_cents_and_explain_themselves(one: tuple[Schedule, date, Load]) -> None:
    found = price_load(*one)
    if isinstance(found, Refusal):
        assert found.cite
        return
    assert found.total == sum((line.amount for line in found.lines), Decimal(0))
    for line in found.lines:
        assert line.amount == line.amount.quantize(CENT) >= 0
        assert abs(line.amount - line.quantity * line.unit_price) <= Decimal("0.005")
        assert line.sentence.startswith(f"{line.what}: ") and f"({line.cite})" in line.sentence
        assert f"= ${line.amount:,.2f} (" in line.sentence
        values = [getattr(line, field.name) for field in fields(line)]
        assert not any(isinstance(value, float) for value in values)


@FIXED
@given(asked(), st.randoms(use_true_random=False))
def test_the_order_of_parts_and_of_the_rows_in_the_file_is_nothing(one: tuple[Schedule, date, Load], chance) -> None:  # type: ignore[no-untyped-def]
    schedule, day, load = one
    parts, items = list(load.parts), list(schedule.items)
    chance.shuffle(parts)
    assert key(price_load(schedule, day, replace(load, parts=tuple(parts)))) == key(price_load(*one))
    chance.shuffle(items)
    found, other = price_load(*one), price_load(replace(schedule, items=tuple(items)), day, load)
    if isinstance(found, Refusal) or isinstance(other, Refusal):
        assert isinstance(found, Refusal) and isinstance(other, Refusal)
        return
    assert sorted(line.sentence for line in found.lines) == sorted(line.sentence for line in other.lines)


@FIXED
@given(asked(), st.integers(0, 2000))
def test_more_of_anything_never_costs_less(one: tuple[Schedule, date, Load], more: int) -> None:
    schedule, day, load = one
    if len({(part.waste, part.origin) for part in load.parts}) > 1:
        return  # of a mixed load a larger part at a low price may take the place of one at a high price
    parts = (replace(load.parts[0], gallons=(load.parts[0].gallons or 0) + more), *load.parts[1:])
    larger = replace(
        load, parts=parts, measured=None if load.measured is None else load.measured + more,
        capacity=(load.capacity or 0) + more, pounds=(load.pounds or 0) + more, staff_minutes=load.staff_minutes + more,
    )  # fmt: skip
    small, large = price_load(schedule, day, load), price_load(schedule, day, larger)
    if isinstance(large, Refusal):
        return  # over the largest band
    assert not isinstance(small, Refusal)
    assert small.total <= large.total


@FIXED
@given(asked())
def test_a_mixed_load_at_the_highest_rate_costs_what_its_dearest_kind_costs(one: tuple[Schedule, date, Load]) -> None:
    _, day, load = one
    schedule = town("marshalltown")
    parts = tuple(replace(part, origin="outside") for part in load.parts if part.waste != "other")
    if not parts:
        return
    load = replace(load, parts=parts)
    alone = [
        price_load(schedule, day, replace(load, parts=(replace(part, gallons=load.declared_gallons),)))
        for part in parts
        if part.waste in schedule.wastes and part.waste != "other"
    ]
    found = price_load(schedule, day, load)
    if isinstance(found, Refusal):
        assert found.code == "no_price" and any(part.waste == "other" for part in parts)
        return
    assert found.total == max(one.total for one in alone if not isinstance(one, Refusal))
