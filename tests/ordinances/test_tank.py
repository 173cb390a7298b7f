from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.offers import Draw, NoFit, Session, Step, free_steps
from ordinances.points import PointRule, point_steps
from ordinances.rate_cap import cap_on
from ordinances.tank import Tank, TankPlan, Unloading
from ordinances.ticks import HOUR, instant, tick
from tests.ordinances.common import FIXED, LOADED, bayfield, local
from tests.ordinances.test_points import hours

TANK = Tank(3000, 12_000, 666)


def at(text: str) -> datetime:
    return local(f"2026-10-06 {text}")


def gate(start: str = "07:00", end: str = "10:00", gph: int = 12_000) -> tuple[Step, ...]:
    """When a truck may unload at the point, and how fast."""
    window = at(start), at(end)
    return free_steps(window, [Draw(*window, gph)], [])


def day(held: int = 0, *trucks: tuple[str, int], tank: Tank = TANK, limits: tuple[Draw, ...] | None = None) -> TankPlan:
    bleed = cap_on(bayfield(), LOADED).limits if limits is None else limits
    unloadings = tuple(Unloading(at(start), gallons, tank.unload_gph) for start, gallons in trucks)
    return TankPlan(tank, at("07:00"), at("10:00"), held, bleed, unloadings)


def test_a_truck_leaves_after_minutes_where_the_bleed_takes_hours() -> None:
    fits, misses = day().offers(gate(), 3000)
    assert fits[0] == Session(at("07:00"), at("07:15"), 12_000, 3000)
    assert [one.start for one in misses] == []
    course = day(0, ("07:00", 3000)).course
    assert course.level(at("07:15")) == 3000 - Fraction(666, 4)
    assert course.level(at("10:00")) == 3000 - 1998
    assert (course.rate(at("07:00")), course.rate(at("09:59"))) == (666, 666)


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
    assert not booked.adding(Unloading(at("07:00"), 1304, 12_000)).course.overflows
    assert booked.adding(Unloading(at("07:00"), 1305, 12_000)).course.overflows


def test_an_empty_tank_passes_on_what_comes_and_no_more() -> None:
    slow = Tank(3000, 600, 600)
    course = day(0, ("07:00", 600), tank=slow).course
    assert (course.level(at("07:30")), course.rate(at("07:30")), course.rate(at("08:00"))) == (0, 600, 0)
    assert course.free(at("07:30")) == 3000


def test_what_is_bled_is_exact_whenever_the_tank_runs_empty() -> None:
    # 100 gallons at 666 an hour are out after 9 minutes and a little.
    course = day(100).course
    assert course.bled(at("07:00"), at("07:06")) == Fraction(666, 10)
    assert (course.bled(at("07:00"), at("07:10")), course.level(at("07:10"))) == (100, 0)
    assert (course.rate(at("07:09")), course.rate(at("07:10"))) == (666, 0)


def test_gallons_that_do_not_divide_by_the_rate_come_whole() -> None:
    course = day(0, ("07:00", 1000), tank=Tank(3000, 7001, 1), limits=()).course
    assert course.level(at("08:00")) == 1000


def test_what_does_not_fit_stays_in_its_truck_and_the_tank_is_full() -> None:
    course = day(2500, ("07:00", 1000)).course
    assert (course.overflows, course.full_at) == (True, tick(at("07:00")))
    assert course.level(at("07:05")) == 3000
    assert not day(2500, ("07:00", 500)).course.overflows


def test_the_room_of_a_morning_is_the_free_volume_and_what_is_bled_until_its_end() -> None:
    assert day().room(gate(), at("07:00")) == 3000 + 1998
    assert day(3000).room(gate(), at("08:00")) == 1998
    assert day(3000).room(gate(), at("09:00")) == 3 * 666
    # A tank no truck could fill in the time that is left: one truck after the other brings 12,000 an hour.
    assert day().room(gate(), at("09:50")) == 2000
    assert day().room(gate("07:00", "09:00"), at("09:00")) == 0
    # What is booked is not free.
    assert day(0, ("08:00", 2500)).room(gate(), at("07:00")) == 4998 - 2500


def test_the_bleed_keeps_to_the_limit_of_each_hour_and_to_its_own_valve() -> None:
    limits = (Draw(at("07:00"), at("08:00"), 300), Draw(at("08:00"), at("10:00"), 666))
    course = day(3000, limits=limits).course
    assert [course.rate(at(one)) for one in ("07:59", "08:00")] == [300, 666]
    valve = day(3000, limits=limits, tank=Tank(3000, 12_000, 400)).course
    assert [valve.rate(at(one)) for one in ("07:59", "08:00")] == [300, 400]
    shut = day(3000, limits=()).course
    assert (shut.rate(at("09:00")), shut.level(at("10:00"))) == (0, 3000)


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
    for wrong in ((0, 10, 5), (10, 0, 5), (10, 10, 0), (10, 9, 10)):
        with pytest.raises(ValueError, match="a tank holds something"):
            Tank(*wrong)
    with pytest.raises(ValueError, match="at least one gallon"):
        day().session_at(gate(), at("07:00"), 0)
    with pytest.raises(ValueError, match="not on a whole minute"):
        day().session_at(gate(), at("07:00:30"), 10)
    with pytest.raises(ValueError, match="outside the time looked at"):
        day().course.level(at("10:00:01"))


_second = st.integers(0, 3 * 3600)
# What is bled in the microsecond in which a truck's last share of a gallon comes.
HAIR = Fraction(1, 100_000)
_gallons = st.integers(1, 1500)


@st.composite
def _plans(draw: st.DrawFn) -> TankPlan:
    bleed = draw(st.integers(1, 900))
    tank = Tank(draw(st.integers(500, 4000)), draw(st.integers(bleed, 15_000)), bleed)
    limits = []
    for start in draw(st.lists(_second, max_size=3)):
        end = draw(st.integers(start, 3 * 3600))
        limits.append(Draw(*(at("07:00") + timedelta(seconds=one) for one in (start, end)), draw(st.integers(0, 900))))
    trucks = [
        Unloading(at("07:00") + timedelta(seconds=draw(_second)), draw(_gallons), draw(st.integers(300, 15_000)))
        for _ in range(draw(st.integers(0, 4)))
    ]
    return TankPlan(tank, at("07:00"), at("10:00"), draw(st.integers(0, tank.gallons)), tuple(limits), tuple(trucks))


def _limit(one: TankPlan, ticks: Fraction | int) -> Fraction:
    """The bleed that is allowed at an instant, by hand."""
    found = [Fraction(x.gph) for x in one.limits if tick(x.start) <= ticks < tick(x.end)]
    return min([*found, Fraction(one.tank.bleed_gph)]) if found else Fraction(0)


@dataclass
class _ByHand:
    """The same tank by other arithmetic: from event to event in fractions, cut where it runs empty; nothing is held
    back at the gate, so that it may run over."""

    one: TankPlan

    def __post_init__(self) -> None:
        trucks = [
            (tick(x.start), tick(x.start) + Fraction(x.gallons * HOUR, x.gph), x.gph) for x in self.one.unloadings
        ]
        begin, end = tick(self.one.since), max([Fraction(tick(self.one.until)), *(x[1] for x in trucks)])
        edges = {begin, end, *(e for x in trucks for e in x[:2])}
        edges |= {Fraction(tick(e)) for x in self.one.limits for e in (x.start, x.end)}
        self.level, self.highest, self.came, self.left = Fraction(self.one.held), Fraction(self.one.held), 0, 0
        self.at = {begin: self.level}
        for start, stop in pairwise(sorted(e for e in edges if begin <= e <= end)):
            flows = sum(x[2] for x in trucks if x[0] <= start < x[1])
            hours = Fraction(stop - start) / HOUR
            could = self.level + flows * hours
            out = min(could, _limit(self.one, start) * hours)
            self.came, self.left, self.level = self.came + flows * hours, self.left + out, could - out
            self.highest = max(self.highest, self.level)
            self.at[stop] = self.level


@FIXED
@given(_plans())
def test_taken_and_free_are_the_tank_exactly_and_the_bleed_never_passes_the_limit(one: TankPlan) -> None:
    hand, course = _ByHand(one), one.course
    if abs(hand.highest - one.tank.gallons) > HAIR:
        assert course.overflows == (hand.highest > one.tank.gallons)
    for part in course.stretches:
        now = instant(part.start, at("07:00").tzinfo)
        assert 0 <= course.rate(now) <= _limit(one, part.start)
        assert 0 <= course.level(now) <= one.tank.gallons
        assert course.level(now) + course.free(now) == one.tank.gallons
    if not course.overflows:
        last = instant(course.stretches[-1].end, at("07:00").tzinfo)
        assert one.held + hand.came - course.bled(one.since, last) == course.level(last)
        for edge, level in hand.at.items():
            if edge == int(edge) <= course.stretches[-1].end:
                assert abs(course.level(instant(int(edge), at("07:00").tzinfo)) - level) < HAIR


@FIXED
@given(_plans(), st.integers(0, 34))
def test_the_most_that_fits_overflows_for_nobody_and_one_gallon_more_does(one: TankPlan, late: int) -> None:
    start, rate = at("07:00") + timedelta(minutes=5 * late), one.tank.unload_gph
    most = one.course.most(start)
    if one.course.overflows:
        return
    assert not most or _ByHand(one.adding(Unloading(start, most, rate))).highest <= one.tank.gallons + HAIR
    more = one.adding(Unloading(start, most + 1, rate))
    assert _ByHand(more).highest > one.tank.gallons - HAIR
    assert more.course.overflows


@FIXED
@given(_plans(), st.integers(1, 4000))
def test_an_offer_is_never_above_the_largest_and_one_gallon_above_it_is_not_offered(
    one: TankPlan, gallons: int
) -> None:
    steps = gate(gph=20_000)
    most = one.largest(steps, at("09:35"))
    assert one.offers(steps, most + 1, at("09:35"))[0] == ()
    fits, misses = one.offers(steps, gallons, at("09:35"))
    assert all(session.end <= at("10:00") for session in fits) and bool(fits) == (gallons <= most)
    if most:
        assert one.offers(steps, most, at("09:35"))[0] != ()
    assert all(miss.free < gallons for miss in misses)
