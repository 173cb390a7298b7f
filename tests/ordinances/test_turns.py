"""Whose turn it is follows from the clock and the answers: to the second, with nobody working it out in between."""

from datetime import UTC, datetime, timedelta

from ordinances.turns import Place, turns

FREED = datetime(2026, 10, 5, 21, 0, tzinfo=UTC)
STARTS = FREED + timedelta(days=2)


def hours(count):
    return FREED + timedelta(hours=count)


def spans(*line, freed=FREED):
    return [((one.begins - FREED) / timedelta(hours=1), (one.ends - FREED) / timedelta(hours=1))
            for one in turns(freed, 4, line)]  # fmt: skip


def test_each_has_the_hours_one_after_the_other():
    assert spans(Place(STARTS), Place(STARTS), Place(STARTS)) == [(0, 4), (4, 8), (8, 12)]
    first, second = turns(FREED, 4, [Place(STARTS), Place(STARTS)])
    last_second = hours(4) - timedelta(microseconds=1)
    assert (first.holds(last_second), second.holds(last_second)) == (True, False)
    assert (first.holds(hours(4)), second.holds(hours(4)), first.is_over(hours(4))) == (False, True, True)


def test_a_no_passes_it_on_at_once():
    assert spans(Place(STARTS, hours(1)), Place(STARTS), Place(STARTS)) == [(0, 1), (1, 5), (5, 9)]


def test_a_yes_ends_it_for_everybody_behind():
    assert spans(Place(STARTS), Place(STARTS, hours(5), True), Place(STARTS)) == [(0, 4), (4, 5), (5, 5)]


def test_who_left_before_their_turn_is_passed_over():
    assert spans(Place(STARTS), Place(STARTS, hours(1)), Place(STARTS)) == [(0, 4), (4, 4), (4, 8)]


def test_a_turn_never_outlasts_the_start_of_its_time():
    soon = hours(3)
    assert spans(Place(soon), Place(STARTS), Place(soon)) == [(0, 3), (3, 7), (7, 7)]


def test_nobody_in_line_has_no_turn():
    assert turns(FREED, 4, []) == []
