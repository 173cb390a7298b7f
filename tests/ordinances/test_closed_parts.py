"""A closure of part of a day: hours cut short, a gap in the middle, and what fits around it."""

from datetime import date, time

import pytest

from ordinances.calendar import Hours, dump_hours, next_open_day, record_due, shut_now
from ordinances.offers import free_steps, largest_single, offers, room
from ordinances.rate_cap import cap_on
from ordinances.refusal import Refusal
from ordinances.rows import Closure
from tests.ordinances.common import bayfield, local

TUESDAY = date(2026, 10, 6)
NAME = "Pump repair"


def closed(first: time, last: time, day: date = TUESDAY) -> Closure:
    return Closure(day, NAME, "closed", first, last)


@pytest.mark.parametrize(("first", "last", "opens", "closes"), [
    (time(6), time(8), "07:00", None), (time(7), time(8), "08:00", "10:00"), (time(9), time(12), "07:00", "09:00"),
    (time(9), time(10), "07:00", "09:00"), (time(10), time(11), "07:00", "10:00"), (time(8), time(9), "07:00", "10:00"),
])  # fmt: skip
def test_a_part_at_an_end_of_the_hours_cuts_them_and_one_elsewhere_does_not(
    first: time, last: time, opens: str, closes: str | None
) -> None:
    hours = dump_hours(bayfield(closed(first, last)), TUESDAY)
    assert isinstance(hours, Hours)
    opens, closes = ("08:00", "10:00") if closes is None else (opens, closes)
    assert (hours.start, hours.end) == (local(f"2026-10-06 {opens}"), local(f"2026-10-06 {closes}"))


def test_a_part_that_covers_the_hours_closes_the_day_by_name() -> None:
    found = dump_hours(bayfield(closed(time(7), time(10))), TUESDAY)
    assert isinstance(found, Refusal)
    assert (found.code, found.why, found.cite) == (
        "closed", "The plant is closed on Tuesday, October 6, 2026: Pump repair.", "§ 329-7 C(1)"
    )  # fmt: skip


def test_a_gap_in_the_middle_holds_nothing_and_the_rest_to_the_gallon() -> None:
    cap = cap_on(bayfield(closed(time(8), time(9))), TUESDAY)
    assert [(one.start.hour, one.end.hour, one.plan_gph, one.hard_gph) for one in cap.parts] == [
        (7, 8, 666, 670), (8, 9, 0, 0), (9, 10, 666, 670),
    ]  # fmt: skip
    assert (cap.gallons, cap.plan_gph) == (1_332, 666)
    assert "closed from 8:00 a.m. to 9:00 a.m.: Pump repair (§ 329-7 C(1))" in cap.steps
    hours = (local("2026-10-06 07:00"), local("2026-10-06 10:00"))
    steps = free_steps(hours, cap.limits, [])
    assert (room(steps), largest_single(steps)) == (1_332, 666)
    assert [(one.start.hour, one.end.hour) for one in offers(steps, 666)[0]] == [(7, 8), (9, 10)]


@pytest.mark.parametrize(("at", "shut"), [
    ("07:59:59", False), ("08:00:00", True), ("08:59:59", True), ("09:00:00", False),
])  # fmt: skip
def test_the_first_second_of_a_closed_part_is_closed_and_its_end_is_not(at: str, shut: bool) -> None:
    found = shut_now(bayfield(closed(time(8), time(9))), local(f"2026-10-06 {at}"))
    assert (found is not None) is shut
    if found is not None:
        assert (found.why, found.cite) == (
            "The plant is closed from 8:00 a.m. to 9:00 a.m.: Pump repair.", "§ 329-7 C(1)"
        )  # fmt: skip


def test_a_day_closed_in_part_is_still_a_day_on_which_records_are_due() -> None:
    law = bayfield(closed(time(7), time(9), date(2026, 10, 7)))
    assert next_open_day(law, TUESDAY) == date(2026, 10, 7)
    assert record_due(law, local("2026-10-06 08:00")).at == local("2026-10-07 23:59:59")


@pytest.mark.parametrize("wrong", [
    {"shut_from": time(8)}, {"shut_from": time(9), "shut_until": time(9)},
    {"kind": "holiday", "shut_from": time(8), "shut_until": time(9)},
])  # fmt: skip
def test_a_part_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="part"):
        Closure(**{"day": TUESDAY, "name": NAME, "kind": "closed", **wrong})  # type: ignore[arg-type]
