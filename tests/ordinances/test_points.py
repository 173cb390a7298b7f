from dataclasses import replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.calendar import Hours, dump_hours
from ordinances.offers import Draw, NoFit, Session, Step, free_steps, room
from ordinances.points import PointRule, full, offers_over, point_steps, soonest, stays, window_of
from ordinances.rate_cap import cap_on
from tests.ordinances.common import FIXED, LOADED, bayfield, changed_law, local

STATION, MANHOLE = PointRule("station"), PointRule("manhole", time(8), time(9, 30), max_gph=300)


def hours() -> Hours:
    found = dump_hours(bayfield(), LOADED)
    assert isinstance(found, Hours)
    return found


def at(text: str) -> datetime:
    return local(f"2026-10-06 {text}")


def free(*taken: Draw) -> tuple[Step, ...]:
    return free_steps((at("07:00"), at("10:00")), cap_on(bayfield(), LOADED).limits, taken)


def draw(start: str, end: str, gph: int) -> Draw:
    return Draw(at(start), at(end), gph)


def spans(steps: tuple[Step, ...]) -> list[tuple[str, str, object]]:
    return [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.free) for one in steps]


def times(sessions: tuple[Session, ...]) -> list[tuple[str, str, int]]:
    return [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.gph) for one in sessions]


def test_a_point_without_rules_of_its_own_offers_what_the_plant_has() -> None:
    (only,) = offers_over([STATION], hours(), free(), {}, 1998)
    assert (times(only.fits), only.largest) == ([("07:00", "10:00", 666)], 1998)
    assert offers_over([STATION], hours(), free(), {}, 1999)[0].fits == ()


def test_a_point_keeps_to_its_own_hours_and_rate() -> None:
    found = offers_over([MANHOLE], hours(), free(), {}, 450)[0]
    assert spans(found.steps) == [("08:00", "09:30", 300)]
    assert (times(found.fits), found.largest) == ([("08:00", "09:30", 300)], 450)
    assert offers_over([MANHOLE], hours(), free(), {}, 451)[0].misses[0] == NoFit(
        at("08:00"), 450, "Room for 450 gallons from here, not 451."
    )


def test_hours_of_a_point_never_reach_outside_those_of_the_plant() -> None:
    assert window_of(PointRule("early", time(5), time(8)), hours()) == (at("07:00"), at("08:00"))
    assert window_of(PointRule("late", time(9), time(18)), hours()) == (at("09:00"), at("10:00"))
    night = PointRule("night", time(20), time(22))
    assert window_of(night, hours()) is None
    (found,) = offers_over([night], hours(), free(), {}, 10)
    assert (found.steps, found.fits, found.misses, found.largest) == ((), (), (), 0)


def test_two_points_share_the_limit_of_the_plant() -> None:
    first = draw("07:00", "08:00", 600)
    taken = {"station": [first]}
    found = offers_over([STATION, PointRule("second")], hours(), free(first), taken, 66)
    assert times(found[1].fits)[0] == ("07:00", "08:00", 66)
    assert times(found[0].fits)[0] == ("08:00", "08:06", 660)
    assert soonest(found) == (found[1].point, Session(at("07:00"), at("08:00"), 66, 66))


def test_one_truck_at_a_time_and_the_next_after_the_changeover() -> None:
    point = PointRule("station", changeover=10)
    here = [draw("08:00", "08:30", 100)]
    assert full(point, here) == [(at("07:50"), at("08:40"))]
    (found,) = offers_over([point], hours(), free(*here), {"station": here}, 555)
    assert spans(found.steps) == [("07:00", "07:50", 666), ("07:50", "08:40", 0), ("08:40", "10:00", 666)]
    assert times(found.fits)[0] == ("07:00", "07:50", 666)
    assert [f"{one.start:%H:%M}" for one in found.misses] == [
        "07:15", "07:30", "07:45", "07:50", "08:00", "08:15", "08:30", "09:15", "09:30", "09:45",
    ]  # fmt: skip
    assert times(found.fits)[1] == ("08:40", "09:30", 666)


def test_without_a_changeover_sessions_touch() -> None:
    here = [draw("07:00", "07:55", 655)]
    (found,) = offers_over([STATION], hours(), free(*here), {"station": here}, 600)
    assert times(found.fits)[0] == ("07:55", "08:50", 655)
    assert full(STATION, [draw("07:00", "08:00", 1), draw("08:00", "09:00", 1)]) == [(at("07:00"), at("09:00"))]


def test_two_places_are_full_only_while_two_trucks_stand_there() -> None:
    point = PointRule("station", trucks=2, changeover=5)
    here = [draw("07:00", "08:00", 100), draw("07:30", "09:00", 100)]
    assert full(point, here) == [(at("07:25"), at("08:05"))]
    steps = point_steps(point, hours(), free(*here), here)
    assert spans(steps) == [("07:00", "07:25", 566), ("07:25", "08:05", 0), ("08:05", "09:00", 566),
                            ("09:00", "10:00", 666)]  # fmt: skip


def test_the_pieces_of_one_truck_are_one_stay_as_long_as_no_more_than_the_changeover_lies_between() -> None:
    point = PointRule("station", trucks=2, changeover=10)
    pieces = [Draw(at("07:00"), at("07:10"), 300, 7), Draw(at("07:10"), at("07:40"), 300, 7)]
    assert full(point, pieces) == []
    assert full(point, [replace(one, who=None) for one in pieces]) == [(at("07:00"), at("07:20"))]
    apart = [*pieces, Draw(at("07:51"), at("08:00"), 300, 7)]
    assert len(stays(apart, timedelta(minutes=10))) == 2
    assert len(stays(apart, timedelta(minutes=11))) == 1


def test_the_rate_of_a_point_is_for_all_its_trucks_together() -> None:
    point = PointRule("station", trucks=3, max_gph=300)
    here = [draw("07:00", "08:00", 200)]
    assert spans(point_steps(point, hours(), free(*here), here)) == [("07:00", "08:00", 100), ("08:00", "10:00", 300)]


def test_a_point_has_nothing_where_the_plant_says_nothing() -> None:
    part = free_steps((at("08:00"), at("09:00")), [draw("08:00", "09:00", 50)], [])
    assert spans(point_steps(STATION, hours(), part, [])) == [("07:00", "08:00", 0), ("08:00", "09:00", 50),
                                                              ("09:00", "10:00", 0)]  # fmt: skip


@pytest.mark.parametrize(("day", "gallons"), [(date(2026, 11, 1), 666 * 3), (date(2027, 3, 14), 666)])
def test_the_hours_of_a_point_over_a_clock_change_last_as_long_as_they_do(
    tmp_path: Path, day: date, gallons: int
) -> None:
    law = changed_law(
        tmp_path, ('["mon", "tue", "wed", "thu", "fri"]', '["sun"]'),
        ('[[hours.opens]]\nvalue = "07:00"', '[[hours.opens]]\nvalue = "00:00"'),
    )  # fmt: skip
    open_hours = dump_hours(law, day)
    assert isinstance(open_hours, Hours)
    window = open_hours.start, open_hours.end
    whole = free_steps(window, cap_on(law, day).limits, [])
    assert room(point_steps(PointRule("station", time(1), time(3)), open_hours, whole, [])) == gallons


@pytest.mark.parametrize("wrong", [
    {"trucks": 0}, {"changeover": -1}, {"max_gph": 0}, {"opens": time(9), "closes": time(9)},
])  # fmt: skip
def test_a_point_that_cannot_be_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="a point"):
        PointRule("station", **wrong)  # type: ignore[arg-type]


_minute = st.integers(0, 179)
_points = st.lists(
    st.builds(
        lambda opens, length, trucks, gph, gap: (opens, length, trucks, gph, gap),
        st.integers(5 * 60, 9 * 60), st.integers(1, 5 * 60), st.integers(1, 3),
        st.one_of(st.none(), st.integers(1, 900)), st.integers(0, 20),
    ), min_size=1, max_size=3,
)  # fmt: skip


@FIXED
@given(_points, st.lists(st.tuples(st.integers(1, 900), st.integers(0, 5), st.integers(0, 30)), max_size=8))
def test_whatever_is_taken_of_the_offers_keeps_the_limit_the_places_the_rates_and_the_hours(
    shapes: list[tuple[int, int, int, int | None, int]], loads: list[tuple[int, int, int]]
) -> None:
    points = [
        PointRule(str(n), time(opens // 60, opens % 60), time((opens + length) // 60, (opens + length) % 60), *rest)
        for n, (opens, length, *rest) in enumerate(shapes)
    ]  # fmt: skip
    taken: dict[str, list[Draw]] = {point.ref: [] for point in points}
    for gallons, which, pick in loads:
        every = [draw for drawn in taken.values() for draw in drawn]
        found = offers_over(points, hours(), free(*every), taken, gallons)[which % len(points)]
        assert offers_over([found.point], hours(), free(*every), taken, found.largest + 1)[0].fits == ()
        if found.fits:
            one = found.fits[pick % len(found.fits)]
            taken[found.point.ref].append(Draw(one.start, one.end, one.gph))
    for minute in range(180):
        now = at("07:00") + timedelta(minutes=minute)
        drawn = [one for several in taken.values() for one in several if one.start <= now < one.end]
        assert sum(one.gph for one in drawn) <= 666
        for point in points:
            standing = [one for one in taken[point.ref] if one.start <= now < one.end]
            ready = timedelta(minutes=point.changeover)
            assert sum(one.start <= now < one.end + ready for one in taken[point.ref]) <= point.trucks
            assert sum(one.gph for one in standing) <= (point.max_gph or 666)
            assert all(point.opens <= one.start.time() and one.end.time() <= point.closes for one in standing)  # type: ignore[operator]
    every = [draw for drawn in taken.values() for draw in drawn]
    used = sum(Fraction(one.gph) * ((one.end - one.start) // timedelta(minutes=1)) for one in every)
    left = sum(Fraction(one.free) * ((one.end - one.start) // timedelta(minutes=1)) for one in free(*every))
    assert used + left == 666 * 180
