from datetime import datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.offers import Draw, NoFit, Session, Step, free_steps
from ordinances.points import PointRule, point_steps
from ordinances.rate_cap import cap_on
from ordinances.tank import Stretch, Tank, TankDay, Unloading
from ordinances.ticks import HOUR, instant, tick
from tests.ordinances.common import FIXED, LOADED, bayfield, local
from tests.ordinances.test_points import hours

TANK = Tank(3000, 12_000)


def at(text: str) -> datetime:
    return local(f"2026-10-06 {text}")


def gate(start: str = "07:00", end: str = "10:00", gph: int = 12_000) -> tuple[Step, ...]:
    """When a truck may unload at the point, and how fast."""
    window = at(start), at(end)
    return free_steps(window, [Draw(*window, gph)], [])


def day(held: int = 0, *trucks: tuple[str, int], tank: Tank = TANK, limits: tuple[Draw, ...] | None = None) -> TankDay:
    bleed = cap_on(bayfield(), LOADED).limits if limits is None else limits
    unloadings = tuple(Unloading(at(start), gallons) for start, gallons in trucks)
    return TankDay(tank, at("07:00"), at("10:00"), held, bleed, unloadings)


def test_a_truck_leaves_after_minutes_where_the_bleed_takes_hours() -> None:
    fits, misses = day().offers(gate(), 3000)
    assert fits[0] == Session(at("07:00"), at("07:15"), 12_000, 3000)
    assert [one.start for one in misses] == []
    course = day(0, ("07:00", 3000)).course()
    assert course.level(at("07:15")) == 3000 - Fraction(666, 4)
    assert course.level(at("10:00")) == 3000 - 1998
    assert (course.out(at("07:00")), course.out(at("09:59"))) == (666, 666)


def test_the_largest_load_is_the_free_volume_and_what_is_bled_while_the_truck_unloads() -> None:
    # x gallons take x / 12,000 hours, in which 666 an hour leave: x × (1 − 666 / 12,000) = 3,000.
    most = int(Fraction(3000) / (1 - Fraction(666, 12_000)))
    assert most == 3176
    assert day().largest(gate(), at("09:30")) == most
    fits, misses = day().offers(gate(), most, at("09:30"))
    assert fits[0] == Session(at("09:30"), at("09:46"), 12_000, most)
    _, misses = day().offers(gate(), most + 1, at("09:30"))
    assert misses[0] == NoFit(at("09:30"), 3176, "The tank has room for 3,176 gallons from here, not 3,177.")


def test_a_full_tank_takes_a_load_as_soon_as_the_bleed_has_made_room() -> None:
    fits, misses = day(3000).offers(gate(), 1000)
    # 1,000 gallons unload in 5 minutes, in which 55.5 leave: 944.5 must have left before, after 85.1 minutes.
    assert [one.start for one in misses][-1] == at("08:15")
    assert fits[0].start == at("08:30")
    assert misses[0].free == 0 and misses[0].reason == "Nothing is free at this time."


def test_who_comes_later_keeps_the_room_they_booked() -> None:
    booked = day(0, ("08:00", 2500))
    fits, misses = booked.offers(gate(), 1500)
    assert fits[0].start == at("09:30")
    # From 7:00 the tank has 666 gallons an hour until the booked truck is empty at 8:12:30.
    assert misses[0] == NoFit(at("07:00"), 1304, "The tank has room for 1,304 gallons from here, not 1,500.")
    assert not booked.course(Unloading(at("07:00"), 1304)).overflows
    assert booked.course(Unloading(at("07:00"), 1305)).overflows


def test_an_empty_tank_passes_on_what_comes_and_no_more() -> None:
    slow = Tank(3000, 600)
    course = day(0, ("07:00", 600), tank=slow).course()
    assert (course.level(at("07:30")), course.out(at("07:30")), course.out(at("08:00"))) == (0, 600, 0)
    assert course.free(at("07:30")) == 3000


def test_the_instant_the_tank_runs_empty_is_exact() -> None:
    course = day(100).course()
    empty = course.stretches[0]
    assert (empty.end - tick(at("07:00")), empty.last) == (Fraction(100, 666) * HOUR, 0)
    assert course.stretches[1] == Stretch(empty.end, tick(at("10:00")), 0, 0, 0)


def test_the_bleed_keeps_to_the_limit_of_each_hour_and_to_its_own_valve() -> None:
    limits = (Draw(at("07:00"), at("08:00"), 300), Draw(at("08:00"), at("10:00"), 666))
    course = day(3000, limits=limits).course()
    assert [course.out(at(one)) for one in ("07:59", "08:00")] == [300, 666]
    valve = day(3000, limits=limits, tank=Tank(3000, 12_000, 400)).course()
    assert [valve.out(at(one)) for one in ("07:59", "08:00")] == [300, 400]
    shut = day(3000, limits=()).course()
    assert (shut.out(at("09:00")), shut.level(at("10:00"))) == (0, 3000)


def test_a_truck_keeps_to_the_hours_and_places_of_its_point() -> None:
    point = PointRule("station", changeover=10)
    here = [Draw(at("07:00"), at("07:05"), 12_000)]
    steps = point_steps(point, hours(), gate(), here)
    fits, _ = day(0, ("07:00", 1000)).offers(steps, 1000)
    assert [one.start for one in fits][:2] == [at("07:15"), at("07:30")]
    # The last truck is empty when the point closes: 9:55 for 1,000 gallons, and no gallon more.
    last, _ = day().offers(gate("09:55"), 1000)
    assert last == (Session(at("09:55"), at("10:00"), 12_000, 1000),)
    assert day().offers(gate("09:55"), 1001)[0] == ()


def test_a_point_slower_than_the_tank_lets_no_truck_unload_at_its_rate() -> None:
    assert day().largest(gate(gph=11_999)) == 0


def test_no_time_before_the_tank_is_looked_at_is_offered() -> None:
    assert day().offers(gate("06:00"), 10)[0][0].start == at("07:00")


def test_a_tank_that_cannot_be_and_a_load_of_nothing_are_errors() -> None:
    for wrong in ((0, 10), (10, 0), (10, 10, -1)):
        with pytest.raises(ValueError, match="a tank holds something"):
            Tank(*wrong)
    with pytest.raises(ValueError, match="at least one gallon"):
        day().offers(gate(), 0)
    with pytest.raises(ValueError, match="outside the time looked at"):
        day().course().level(at("10:00:01"))


_second = st.integers(0, 3 * 3600)
_gallons = st.integers(1, 1500)


@st.composite
def _days(draw: st.DrawFn) -> TankDay:
    tank = Tank(draw(st.integers(500, 4000)), draw(st.integers(300, 15_000)), draw(st.one_of(st.none(), st.just(500))))
    limits = []
    for start in draw(st.lists(_second, max_size=3)):
        end = draw(st.integers(start, 3 * 3600))
        limits.append(Draw(*(at("07:00") + timedelta(seconds=one) for one in (start, end)), draw(st.integers(0, 900))))
    trucks = [
        Unloading(at("07:00") + timedelta(seconds=draw(_second)), draw(_gallons))
        for _ in range(draw(st.integers(0, 4)))
    ]
    return TankDay(tank, at("07:00"), at("10:00"), draw(st.integers(0, tank.gallons)), tuple(limits), tuple(trucks))


def _limit(one: TankDay, ticks: Fraction | int) -> Fraction:
    """The bleed that is allowed at an instant, by hand."""
    found = [Fraction(x.gph) for x in one.limits if tick(x.start) <= ticks < tick(x.end)]
    return min([*found, *([Fraction(one.tank.bleed_gph)] if one.tank.bleed_gph is not None else [])]) if found else (
        Fraction(0)
    )  # fmt: skip


@FIXED
@given(_days())
def test_taken_and_free_are_the_tank_exactly_and_the_bleed_never_passes_the_limit(one: TankDay) -> None:
    course = one.course()
    came = left = Fraction(0)
    for part in course.stretches:
        assert part.level >= 0 and part.last >= 0
        assert 0 <= part.out <= _limit(one, part.start)
        # Nothing is held back while more could go, and nothing goes that is not there.
        assert part.out == _limit(one, part.start) or part.level == 0 == part.last
        came += Fraction(part.flow_in) * (part.end - part.start) / HOUR
        left += Fraction(part.out) * (part.end - part.start) / HOUR
        now = instant(-(-part.start // 1), at("07:00").tzinfo)
        assert course.level(now) + course.free(now) == one.tank.gallons
    assert came == sum(truck.gallons for truck in one.unloadings)
    assert one.held + came - left == course.stretches[-1].last


@FIXED
@given(_days())
def test_the_level_is_that_of_the_sums_since_it_was_last_empty(one: TankDay) -> None:
    """By another way: a level is the most that came less what could go, since the start or since any instant."""
    course = one.course()
    bounds = [part.start for part in course.stretches] + [course.stretches[-1].end]
    came, went = [Fraction(0)], [Fraction(0)]
    for part in course.stretches:
        hours_ = Fraction(part.end - part.start) / HOUR
        came.append(came[-1] + part.flow_in * hours_)
        went.append(went[-1] + _limit(one, part.start) * hours_)
    for n in range(len(bounds)):
        since = [came[n] - came[k] - (went[n] - went[k]) for k in range(n + 1)]
        expected = max(one.held + came[n] - went[n], *since) if n else Fraction(one.held)
        assert (course.stretches[n].level if n < len(course.stretches) else course.stretches[-1].last) == expected


@FIXED
@given(_days(), st.integers(1, 4000))
def test_an_offer_overflows_for_nobody_and_one_gallon_above_the_largest_is_not_offered(
    one: TankDay, gallons: int
) -> None:
    steps = gate(gph=20_000)
    most = one.largest(steps, at("09:35"))
    assert one.offers(steps, most + 1, at("09:35"))[0] == ()
    fits, misses = one.offers(steps, gallons, at("09:35"))
    for session in fits:
        with_it = TankDay(one.tank, one.since, one.until, one.held, one.limits,
                          (*one.unloadings, Unloading(session.start, gallons)))  # fmt: skip
        assert not with_it.course().overflows
        assert session.end <= at("10:00")
    if most:
        assert one.offers(steps, most, at("09:35"))[0] != ()
    assert all(miss.free < gallons for miss in misses)
