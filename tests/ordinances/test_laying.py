"""How far a rate in the pipe goes beside the times of others, to the second and the gallon."""

from datetime import UTC, datetime, timedelta

import pytest

from ordinances.laying import Piece, goes_on
from ordinances.offers import Draw, free_steps

SEVEN = datetime(2026, 10, 6, 12, tzinfo=UTC)
TEN = SEVEN + timedelta(hours=3)


def at(minutes: float) -> datetime:
    return SEVEN + timedelta(minutes=minutes)


def run(gallons: int, gph: int, others: list[Draw], now: float = 0, pressing: bool = False) -> tuple[float, int, int]:
    """(minutes after seven at which it ends, gallons out by then, gallons left)."""
    free = free_steps((SEVEN, TEN), [Draw(SEVEN, TEN, 666)], others)
    piece: Piece = goes_on(free, others, at(now), gallons, gph, pressing=pressing)
    return (piece.end - SEVEN) / timedelta(minutes=1), piece.gallons, piece.left


@pytest.mark.parametrize(("gallons", "gph", "others", "result"), [
    (600, 655, [], (55, 600, 0)),
    (600, 655, [Draw(at(55), at(110), 655)], (55, 600, 0)),
    (601, 655, [Draw(at(55), at(110), 655)], (55, 600, 1)),
    (600, 300, [Draw(at(55), at(110), 366)], (120, 600, 0)),
    (600, 301, [Draw(at(55), at(110), 366)], (55, 275, 325)),
    (5_000, 666, [], (180, 1_998, 3_002)),
    # Its last part of a minute is not taken from the next: it ends exactly there.
    (595, 655, [Draw(at(54.6), at(110), 655)], (54.6, 595, 0)),
])  # fmt: skip
def test_it_gives_way_where_another_begins_or_unloading_ends(gallons, gph, others, result):
    assert run(gallons, gph, others) == result


def test_what_does_not_fit_now_stops_at_once_unless_it_is_in_the_pipe():
    others = [Draw(at(-5), at(30), 400), Draw(at(60), at(90), 1)]
    assert run(600, 300, others) == (0, 0, 600)
    assert run(200, 300, others, pressing=True) == (40, 200, 0)
    # Above the limit alone it goes on until the next time begins, however little that takes.
    assert run(900, 700, others, pressing=True) == (60, 700, 200)


def test_after_unloading_has_ended_nothing_goes_on():
    assert run(100, 300, [], now=180) == (180, 0, 100)
    assert goes_on((), (), SEVEN, 100, 300, pressing=True) == Piece(SEVEN, 0, 100)


def test_seconds_count():
    assert run(100, 600, [Draw(at(5), at(30), 666)], now=0.5) == (5, 45, 55)
