from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordinances.offers import (
    Draw,
    NoFit,
    Session,
    Step,
    free_steps,
    gallons_between,
    largest_single,
    lowest_rate,
    minutes,
    offers,
    quarters,
    room,
    session_at,
    split,
    windows_needed,
)
from ordinances.refusal import Refusal
from tests.ordinances.common import FIXED, local

DAY = date(2026, 10, 13)
CAP = 666


def clock(text: str, day: int = 13) -> datetime:
    return local(f"2026-10-{day} {text}")


def window(day: int = 13) -> tuple[datetime, datetime]:
    return clock("07:00", day), clock("10:00", day)


def free(*taken: tuple[str, str, int | Decimal], day: int = 13, cap: int | Decimal = CAP) -> tuple[Step, ...]:
    draws = [Draw(clock(start, day), clock(end, day), gph) for start, end, gph in taken]
    return free_steps(window(day), [Draw(*window(day), cap)], draws)


def times(sessions: tuple[Session, ...]) -> list[tuple[str, str, int]]:
    return [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.gph) for one in sessions]


def spans(steps: tuple[Step, ...]) -> list[tuple[str, str, int | Decimal]]:
    return [(f"{one.start:%H:%M}", f"{one.end:%H:%M}", one.free) for one in steps]


def test_1998_gallons_fill_the_window_at_the_limit() -> None:
    fits, misses = offers(free(), 1998)
    assert times(fits) == [("07:00", "10:00", 666)]
    assert len(misses) == 11


@pytest.mark.parametrize("gallons", [1999, 2000])
def test_more_than_the_window_holds_does_not_fit(gallons: int) -> None:
    fits, misses = offers(free(), gallons)
    assert fits == ()
    assert misses[0] == NoFit(clock("07:00"), 1998, f"Room for 1,998 gallons from here, not {gallons:,}.")


def test_2000_gallons_need_two_windows() -> None:
    assert (windows_needed(1998, 1998), windows_needed(1999, 1998), windows_needed(2000, 1998)) == (1, 2, 2)
    sessions = split([(DAY, free()), (date(2026, 10, 14), free(day=14))], 2000)
    assert not isinstance(sessions, Refusal)
    assert [(one.start, one.gallons, one.gph) for one in sessions] == [
        (clock("07:00"), 1998, 666), (clock("07:00", 14), 2, 120),
    ]  # fmt: skip


def test_600_gallons_go_from_7_00_to_7_55_at_655() -> None:
    fits, _ = offers(free(), 600)
    assert times(fits)[:2] == [("07:00", "07:55", 655), ("07:15", "08:10", 655)]
    assert times(fits)[-1] == ("09:00", "09:55", 655)


def test_touching_sessions_all_fit_and_the_last_ends_with_the_window() -> None:
    first = session_at(free(), clock("07:00"), 666)
    second = session_at(free(("07:00", "08:00", 666)), clock("08:00"), 666)
    third = session_at(free(("07:00", "08:00", 666), ("08:00", "09:00", 666)), clock("09:00"), 666)
    assert isinstance(first, Session) and isinstance(second, Session) and isinstance(third, Session)
    assert times((first, second, third)) == [
        ("07:00", "08:00", 666), ("08:00", "09:00", 666), ("09:00", "10:00", 666),
    ]  # fmt: skip
    assert isinstance(session_at(free(), clock("10:00"), 1), NoFit)


def test_600_at_7_05_leaves_no_600_at_7_30_but_one_at_8_00() -> None:
    assert session_at(free(), clock("07:05"), 600) == Session(clock("07:05"), clock("08:00"), 655, 600)
    left = free(("07:05", "08:00", 655))
    assert session_at(left, clock("07:30"), 600) == NoFit(clock("07:30"), 27, "Room for 27 gallons from here, not 600.")
    assert session_at(left, clock("08:00"), 600) == Session(clock("08:00"), clock("08:55"), 655, 600)


def test_the_last_minute_takes_11_gallons_and_not_12() -> None:
    assert session_at(free(), clock("09:59"), 11) == Session(clock("09:59"), clock("10:00"), 660, 11)
    assert isinstance(session_at(free(), clock("09:59"), 12), NoFit)
    assert isinstance(session_at(free(), clock("06:59"), 1), NoFit)


def test_nothing_free_says_so() -> None:
    miss = session_at(free(("07:00", "10:00", 666)), clock("08:00"), 1)
    assert miss == NoFit(clock("08:00"), 0, "Nothing is free at this time.")


def test_a_start_with_seconds_is_an_error() -> None:
    with pytest.raises(ValueError, match="not on a whole minute"):
        session_at(free(), clock("07:00:01"), 1)


def test_no_gallons_are_an_error() -> None:
    for ask in (lambda: offers(free(), 0), lambda: session_at(free(), clock("07:00"), 0), lambda: split([], 0)):
        with pytest.raises(ValueError, match="at least one gallon"):
            ask()


def test_offers_begin_at_quarters_at_changes_and_now() -> None:
    fits, misses = offers(free(("07:00", "07:40", 600)), 10, earliest=clock("09:07:30"))
    assert [start for start, _, _ in times(fits)] == ["09:08", "09:15", "09:30", "09:45"]
    assert misses == ()
    fits, _ = offers(free(("07:20", "07:40", 600)), 10)
    assert [start for start, _, _ in times(fits)][:6] == ["07:00", "07:15", "07:20", "07:30", "07:40", "07:45"]


def test_an_offer_over_a_busy_hour_keeps_one_rate_within_what_is_free_throughout() -> None:
    fits, _ = offers(free(("08:00", "09:00", 400)), 700)
    assert times(fits)[0] == ("07:00", "09:38", 266)


def test_free_steps_merge_what_is_equal_and_never_fall_below_zero() -> None:
    assert spans(free(("07:00", "08:00", 300), ("08:00", "09:00", 300), ("09:30", "10:00", 700))) == [
        ("07:00", "09:00", 366), ("09:00", "09:30", 666), ("09:30", "10:00", 0),
    ]  # fmt: skip


def test_free_steps_have_no_limit_outside_the_caps_and_the_lowest_where_two_meet() -> None:
    caps = [Draw(clock("07:00"), clock("09:00"), 666), Draw(clock("08:00"), clock("10:00"), 520)]
    assert spans(free_steps((clock("06:30"), clock("10:00")), caps, [])) == [
        ("06:30", "07:00", 0), ("07:00", "08:00", 666), ("08:00", "10:00", 520),
    ]  # fmt: skip


def test_free_steps_keep_seconds_and_decimal_rates_of_a_measured_run_exactly() -> None:
    run = Draw(clock("07:03:27"), clock("07:30:10"), Decimal("612.5"))
    steps = free_steps(window(), [Draw(*window(), CAP)], [run])
    assert [(one.start, one.free) for one in steps] == [
        (clock("07:00"), 666), (clock("07:03:27"), Decimal("53.5")), (clock("07:30:10"), 666),
    ]  # fmt: skip
    fits, _ = offers(steps, 600)
    assert times(fits)[-7:][0] == ("07:31", "08:26", 655)


def test_an_empty_window_has_nothing() -> None:
    steps = free_steps((clock("07:00"), clock("07:00")), [], [])
    assert (steps, offers(steps, 5), room(steps), largest_single(steps), quarters(steps)) == ((), ((), ()), 0, 0, [])


def test_an_instant_without_a_zone_is_an_error() -> None:
    with pytest.raises(ValueError, match="needs its time zone"):
        free_steps((datetime.fromisoformat("2026-10-13T07:00"), clock("10:00")), [], [])


def test_minutes_round_up_and_the_lowest_rate_ends_then() -> None:
    assert [minutes(gallons, 666) for gallons in (600, 666, 667, 1998, 2000)] == [55, 60, 61, 180, 181]
    assert [lowest_rate(gallons, length) for gallons, length in ((600, 55), (1, 1), (11, 1), (1998, 180))] == [
        655, 60, 660, 666,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="above zero"):
        minutes(1, 0)
    with pytest.raises(ValueError, match="at least a minute"):
        lowest_rate(1, 0)


def test_room_is_rounded_down_once() -> None:
    assert room(free()) == 1998
    assert room(free(cap=Decimal("666.9"))) == 2000
    assert room(free(), earliest=clock("09:59")) == 11
    assert room(free(("07:00", "10:00", 665))) == 3
    assert room(free(), earliest=clock("10:00")) == 0


def test_room_and_largest_single_load_differ_on_a_broken_day() -> None:
    steps = free(("08:00", "09:00", 666))
    assert (room(steps), largest_single(steps)) == (1332, 666)
    assert largest_single(steps, earliest=clock("09:30:01")) == 29 * 666 // 60


def test_gallons_between_are_those_free_in_the_span_to_the_second() -> None:
    steps = free(("08:00", "08:30", 66))
    assert gallons_between(steps, clock("07:59:30"), clock("08:00:30")) == Fraction(666 + 600, 120)
    assert gallons_between(steps, clock("06:00"), clock("11:00")) == 3 * 666 - 33
    assert gallons_between((), clock("06:00"), clock("11:00")) == 0


def test_quarters_show_what_is_free_of_the_limit() -> None:
    parts = quarters(free(("07:05", "08:00", 655)))
    assert len(parts) == 12
    assert (parts[0].start, parts[0].end) == (clock("07:00"), clock("07:15"))
    assert [part.free for part in parts[:5]] == [Fraction(688, 3), 11, 11, 11, 666]
    assert {part.cap for part in parts} == {Fraction(666)}


def test_a_short_last_quarter_is_shown_as_it_is() -> None:
    parts = quarters(free_steps((clock("07:00"), clock("07:20")), [Draw(*window(), CAP)], []))
    assert [(f"{part.start:%H:%M}", f"{part.end:%H:%M}", part.free) for part in parts] == [
        ("07:00", "07:15", 666), ("07:15", "07:20", 666),
    ]  # fmt: skip


def test_split_takes_the_fewest_days_that_follow_one_another() -> None:
    busy = free(("07:00", "10:00", 600), day=13)
    days = [(DAY, busy), (date(2026, 10, 14), free(day=14)), (date(2026, 10, 15), free(day=15))]
    sessions = split(days, 2500)
    assert not isinstance(sessions, Refusal)
    assert [(one.start.day, one.gallons) for one in sessions] == [(14, 1998), (15, 502)]


def test_split_of_a_load_that_fits_a_day_is_one_session() -> None:
    sessions = split([(DAY, free())], 1500, earliest=clock("07:20"))
    assert sessions == (Session(clock("07:20"), clock("09:36"), 662, 1500),)


def test_split_passes_no_full_day_in_between() -> None:
    full = free(("07:00", "10:00", 666), day=14)
    days = [(DAY, free()), (date(2026, 10, 14), full), (date(2026, 10, 15), free(day=15))]
    refusal = split(days, 2500, cite="§ 1")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.cite, refusal.details) == ("no_room", "§ 1", {"fits": 3996})


def test_split_over_too_few_days_is_refused_with_what_fits() -> None:
    refusal = split([(DAY, free())], 2000)
    assert isinstance(refusal, Refusal)
    assert refusal.why == "2,000 gallons do not fit into the days listed: together they have room for 1,998."


def test_a_window_that_holds_nothing_serves_no_load() -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        windows_needed(1, 0)


@pytest.mark.parametrize("day", ["2026-10-30", "2026-11-02", "2027-03-12", "2027-03-15"])
def test_the_arithmetic_is_the_same_over_the_clock_change(day: str) -> None:
    hours = local(f"{day} 07:00"), local(f"{day} 10:00")
    steps = free_steps(hours, [Draw(*hours, CAP)], [])
    assert (room(steps), largest_single(steps)) == (1998, 1998)
    fits, _ = offers(steps, 1998)
    assert [(one.start, one.end) for one in fits] == [hours]


# Days with any limit, anything taken at any second, seen from any second.
_moment = st.integers(-3600, 4 * 3600).map(lambda second: clock("07:00") + timedelta(seconds=second))
_rate = st.one_of(st.integers(0, 800), st.decimals(0, 800, places=2))


@st.composite
def _draws(draw: st.DrawFn) -> Draw:
    start, end = sorted((draw(_moment), draw(_moment)))
    return Draw(start, end, draw(_rate))


@st.composite
def _days(draw: st.DrawFn) -> tuple[Step, ...]:
    caps = [Draw(*window(), draw(_rate)), *draw(st.lists(_draws(), max_size=1))]
    return free_steps(window(), caps, draw(st.lists(_draws(), max_size=5)))


_earliest = st.one_of(st.none(), _moment)


@FIXED
@given(_days(), _earliest)
def test_the_largest_single_load_is_offered_and_one_gallon_more_is_not(
    steps: tuple[Step, ...], earliest: datetime | None
) -> None:
    most = largest_single(steps, earliest)
    assert offers(steps, most + 1, earliest)[0] == ()
    if most:
        assert offers(steps, most, earliest)[0] != ()
    assert most <= room(steps, earliest)


@FIXED
@given(_days(), st.integers(1, 2500), _earliest)
def test_every_offer_keeps_to_what_is_free_at_every_instant(
    steps: tuple[Step, ...], gallons: int, earliest: datetime | None
) -> None:
    fits, misses = offers(steps, gallons, earliest)
    for one in fits:
        length = (one.end - one.start) // timedelta(minutes=1)
        assert one.gallons == gallons <= Fraction(one.gph * length, 60)
        assert one.gph == lowest_rate(gallons, length)
        assert earliest is None or one.start >= earliest
        under = [step for step in steps if step.start < one.end and step.end > one.start]
        assert under[0].start <= one.start and one.end <= under[-1].end
        assert all(one.gph <= step.free for step in under)
        shorter = [step for step in under if step.start < one.end - timedelta(minutes=1)]
        if length > 1:
            assert lowest_rate(gallons, length - 1) > min(int(step.free) for step in shorter)
    assert all(miss.free < gallons for miss in misses)


@FIXED
@given(_days(), st.integers(1, 2500))
def test_a_session_taken_leaves_exactly_the_rest(steps: tuple[Step, ...], gallons: int) -> None:
    fits, _ = offers(steps, gallons)
    for one in fits[:3]:
        caps = [Draw(step.start, step.end, step.free) for step in steps]
        after = free_steps(window(), caps, [Draw(one.start, one.end, one.gph)])
        used = Fraction(one.gph * ((one.end - one.start) // timedelta(minutes=1)), 60)
        before, left = (
            sum(Fraction(s.free) * ((s.end - s.start) // timedelta(microseconds=1)) for s in some)
            for some in (steps, after)
        )
        assert before - left == used * 3_600_000_000


@FIXED
@given(st.lists(_days(), min_size=1, max_size=4), st.integers(1, 6000))
def test_a_split_adds_up_and_keeps_to_each_day(days: list[tuple[Step, ...]], gallons: int) -> None:
    listed = [(DAY, steps) for steps in days]
    answer = split(listed, gallons)
    if isinstance(answer, Refusal):
        assert not all(largest_single(steps) for steps in days) or gallons > sum(map(largest_single, days))
    else:
        assert sum(one.gallons for one in answer) == gallons
        assert len(answer) <= len(days)


@FIXED
@given(_days())
def test_quarters_hold_the_whole_window(steps: tuple[Step, ...]) -> None:
    parts = quarters(steps)
    gallons = sum(part.free * ((part.end - part.start) // timedelta(minutes=1)) / 60 for part in parts)
    assert int(gallons) == room(steps)
    assert all(part.free <= part.cap for part in parts)


def test_instants_come_back_in_the_zone_they_came_in() -> None:
    hours = clock("07:00").astimezone(UTC), clock("10:00").astimezone(UTC)
    fits, _ = offers(free_steps(hours, [Draw(*hours, CAP)], []), 600)
    assert {(one.start.tzinfo, one.end.tzinfo) for one in fits} == {(UTC, UTC)}
