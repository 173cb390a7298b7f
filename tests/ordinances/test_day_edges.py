"""A day from the law to its offers, at the edges: the window, the gallon, the clock, the calendar, the leap day."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.calendar import Hours, dump_hours
from ordinances.offers import Draw, NoFit, Session, Step, free_steps, largest_single, offers, room, session_at
from ordinances.rate_cap import cap_on
from ordinances.reader import Closure, Law, plant_row
from ordinances.refusal import Refusal
from tests.ordinances.common import FIXED, LOADED, bayfield, changed_law, local

SUNDAYS = ('["mon", "tue", "wed", "thu", "fri"]', '["mon", "tue", "wed", "thu", "fri", "sun"]')
FALL, SPRING = date(2026, 11, 1), date(2027, 3, 14)


def steps_of(law: Law, day: date = LOADED, *taken: Draw) -> tuple[Step, ...]:
    found = dump_hours(law, day)
    assert isinstance(found, Hours)
    return free_steps((found.start, found.end), cap_on(law, day).limits, taken)


def at(text: str, day: date = LOADED) -> datetime:
    return local(f"{day} {text}")


def drawn(one: Session) -> Draw:
    return Draw(one.start, one.end, one.gph)


def test_600_gallons_take_7_00_to_7_55_and_600_more_start_at_7_55() -> None:
    law = bayfield()
    first = offers(steps_of(law), 600)[0][0]
    assert first == Session(at("07:00"), at("07:55"), 655, 600)
    left = steps_of(law, LOADED, drawn(first))
    second = offers(left, 600)[0][0]
    assert second == Session(at("07:55"), at("08:50"), 655, 600)
    assert session_at(left, at("07:54"), 600) == NoFit(at("07:54"), 23, "Room for 23 gallons from here, not 600.")


def test_1998_gallons_fit_and_1999_do_not() -> None:
    law = bayfield()
    assert [len(offers(steps_of(law), gallons)[0]) for gallons in (1998, 1999)] == [1, 0]
    assert (room(steps_of(law)), largest_single(steps_of(law))) == (1998, 1998)


def test_the_window_begins_at_7_00_00_and_ends_at_10_00_00() -> None:
    steps = steps_of(bayfield())
    assert session_at(steps, at("07:00"), 11) == Session(at("07:00"), at("07:01"), 660, 11)
    assert session_at(steps, at("09:59"), 11) == Session(at("09:59"), at("10:00"), 660, 11)
    assert [session_at(steps, at(wall), 1) for wall in ("06:59", "10:00")] == [
        NoFit(at(wall), 0, "Nothing is free at this time.") for wall in ("06:59", "10:00")
    ]
    # Asked in the last second before a minute, the next whole minute is the first start; after 9:59 there is none.
    assert offers(steps, 11, at("09:58:59"))[0][0].start == at("09:59")
    assert offers(steps, 11, at("09:59:01")) == ((), ())


@pytest.mark.parametrize(("day", "first", "last"), [
    (FALL, "2026-11-01 13:00", "2026-11-01 16:00"), (SPRING, "2027-03-14 12:00", "2027-03-14 15:00"),
])  # fmt: skip
def test_the_morning_the_clock_changes_offers_the_same_three_hours(
    tmp_path: Path, day: date, first: str, last: str
) -> None:
    (only,), _ = offers(steps_of(changed_law(tmp_path, SUNDAYS), day), 1998)
    assert (only.gph, f"{only.start:%H:%M}", f"{only.end:%H:%M}") == (666, "07:00", "10:00")
    assert (f"{only.start.astimezone(UTC):%Y-%m-%d %H:%M}", f"{only.end.astimezone(UTC):%Y-%m-%d %H:%M}") == (
        first, last,
    )  # fmt: skip


@pytest.mark.parametrize(("day", "start"), [
    ("2026-10-30", "12:00"), ("2026-11-02", "13:00"), ("2027-03-12", "13:00"), ("2027-03-15", "12:00"),
])  # fmt: skip
def test_7_a_m_is_the_wall_clock_on_either_side_of_a_clock_change(day: str, start: str) -> None:
    steps = steps_of(bayfield(), date.fromisoformat(day))
    one = offers(steps, 600)[0][0]
    assert (f"{one.start.astimezone(UTC):%H:%M}", f"{one.start:%H:%M}", one.gph) == (start, "07:00", 655)
    last = at("09:59", date.fromisoformat(day))
    assert isinstance(session_at(steps, last, 11), Session)
    assert isinstance(session_at(steps, last, 12), NoFit)


@pytest.mark.parametrize(("day", "hours"), [(FALL, 4), (SPRING, 2)])
def test_a_window_across_the_clock_change_holds_what_its_real_hours_hold(tmp_path: Path, day: date, hours: int) -> None:
    night = (('[[hours.opens]]\nvalue = "07:00"', '[[hours.opens]]\nvalue = "01:00"'),
             ('[[hours.closes]]\nvalue = "10:00"', '[[hours.closes]]\nvalue = "04:00"'))  # fmt: skip
    steps = steps_of(changed_law(tmp_path, SUNDAYS, *night), day)
    assert (room(steps), largest_single(steps)) == (666 * hours, 666 * hours)
    (only,), _ = offers(steps, 666 * hours)
    assert only.end.astimezone(UTC) - only.start.astimezone(UTC) == timedelta(hours=hours)


def test_a_holiday_on_a_sunday_closes_no_monday_the_calendar_does_not_list(tmp_path: Path) -> None:
    sunday, monday = date(2027, 7, 4), date(2027, 7, 5)
    law = changed_law(tmp_path, SUNDAYS)
    listed = Closure(sunday, "Independence Day", "holiday")
    kept = Closure(monday, "Independence Day, kept on Monday", "holiday")
    only = Law(law.profile, closures={sunday: listed})
    assert isinstance(dump_hours(only, sunday), Refusal)
    assert largest_single(steps_of(only, monday)) == 1998
    both = dump_hours(Law(law.profile, closures={sunday: listed, monday: kept}), monday)
    assert isinstance(both, Refusal)
    assert both.why == "The plant is closed on Monday, July 5, 2027: Independence Day, kept on Monday."


def test_the_leap_day_is_a_day_like_any_other() -> None:
    steps = steps_of(bayfield(), date(2028, 2, 29))
    assert offers(steps, 1998)[0] == (
        Session(local("2028-02-29 07:00"), local("2028-02-29 10:00"), 666, 1998),
    )  # fmt: skip


def test_an_offer_across_a_lower_hour_keeps_to_the_lower_limit_or_waits_for_the_higher() -> None:
    lower = plant_row("rate.own_lower", [{"from": "08:00", "to": "08:30", "gph": 60}], LOADED, "Order 4")
    fits, misses = offers(steps_of(bayfield(rows=(lower,))), 600)
    assert [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.gph) for one in fits] == [
        ("07:00", "07:55", 655), ("08:30", "09:25", 655), ("08:45", "09:40", 655), ("09:00", "09:55", 655),
    ]  # fmt: skip
    assert [one.free for one in misses] == [499, 333, 166, 120, 105, 499, 333, 166]


_part = st.tuples(st.integers(6 * 60, 10 * 60), st.integers(1, 120), st.integers(0, 800))


@FIXED
@given(
    st.lists(_part, max_size=3), st.integers(0, 200_000),
    st.lists(st.tuples(st.integers(1, 900), st.integers(0, 30)), max_size=8),
)  # fmt: skip
def test_whatever_is_taken_never_passes_the_limit_of_any_instant_and_adds_up_exactly(
    parts: list[tuple[int, int, int]], flow: int, loads: list[tuple[int, int]]
) -> None:
    raw = [
        {"from": f"{a // 60:02d}:{a % 60:02d}", "to": f"{(a + n) // 60:02d}:{(a + n) % 60:02d}", "gph": gph}
        for a, n, gph in parts
    ]
    law = bayfield(rows=(plant_row("rate.own_lower", raw, LOADED, "Order 4"),) if raw else ())
    cap = cap_on(law, LOADED, flow)
    window, taken = (at("07:00"), at("10:00")), list[Draw]()
    for gallons, pick in loads:
        steps = free_steps(window, cap.limits, taken)
        most = largest_single(steps)
        assert offers(steps, most + 1)[0] == ()
        assert not most or offers(steps, most)[0]
        fits, _ = offers(steps, gallons)
        if fits:
            taken.append(drawn(fits[pick % len(fits)]))
    used = held = Fraction(0)
    for minute in range(180):
        now = at("07:00") + timedelta(minutes=minute)
        limit = min([666, flow // 240, *(gph for a, n, gph in parts if a <= 7 * 60 + minute < a + n)])
        draw = sum(one.gph for one in taken if one.start <= now < one.end)
        assert draw <= limit
        used += Fraction(draw, 60)
        held += Fraction(limit, 60)
    left = free_steps(window, cap.limits, taken)
    free = sum(Fraction(one.free) * Fraction((one.end - one.start) // timedelta(minutes=1), 60) for one in left)
    assert used + free == held
    assert int(held) == cap.gallons
