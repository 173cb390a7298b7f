from bench.ratios import OFFERS_MS, Timed, measure

NAMES = [
    "offers of a day with 10 sessions", "its largest single load", "its offers over three points",
    "times for a tank with 1 trucks", "a season's capacity", "the same under every kind of order",
]  # fmt: skip


def test_each_piece_of_work_is_measured_beside_a_bare_loop() -> None:
    found = measure(runs=1, sessions=10)
    assert [one.name for one in found] == NAMES
    assert all(one.ms > 0 and one.loop_ms > 0 for one in found)
    assert [one.most_ms for one in found] == [OFFERS_MS, None, None, None, None, None]


def test_a_ratio_says_whether_the_limit_in_time_is_kept() -> None:
    kept, over = (Timed("work", ms, 2.0, 5.0) for ms in (5.0, 5.01))
    assert str(kept) == "work: 2.5 × a bare loop (5.00 ms to 2.00 ms, limit 5 ms)"
    assert (kept.too_slow, over.too_slow) == (False, True)
    assert str(over) == "work: 2.5 × a bare loop (5.01 ms to 2.00 ms, limit 5 ms NOT KEPT)"
    assert str(Timed("work", 3.0, 2.0)) == "work: 1.5 × a bare loop (3.00 ms to 2.00 ms)"
