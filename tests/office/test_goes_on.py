"""Files that go on from one another: by lot, a line of days once handed out is late in one file, and missed by none."""

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from office.goes_on import Out, missing_since

NOV_1 = date(2026, 11, 1)
BEGAN = date(2026, 10, 1)


def day(n: int) -> date:
    return BEGAN + timedelta(days=n)


def test_a_later_part_of_a_month_handed_out_again_does_not_hide_a_line_of_its_first_days() -> None:
    november, part = Out(NOV_1, date(2026, 11, 30), 10), Out(date(2026, 11, 20), date(2026, 11, 30), 20)
    assert missing_since([november], date(2026, 11, 20)) == (Out(NOV_1, date(2026, 11, 19), 10),)
    # The part has what was entered of November's first days until 20; of the rest of it too.
    assert missing_since([november, part], date(2026, 12, 1)) == (Out(NOV_1, date(2026, 11, 30), 20),)


def test_days_nobody_has_asked_for_are_in_no_span() -> None:
    october, december = Out(BEGAN, date(2026, 10, 31), 1), Out(date(2026, 12, 1), date(2026, 12, 31), 2)
    assert missing_since([], NOV_1) == ()
    assert missing_since([october, december], NOV_1) == (Out(BEGAN, date(2026, 10, 31), 2),)
    november = Out(NOV_1, date(2026, 11, 30), 3)
    assert missing_since([october, december, november], date(2027, 1, 1)) == (
        Out(BEGAN, date(2026, 11, 30), 3), Out(date(2026, 12, 1), date(2026, 12, 31), 2))  # fmt: skip


spans_of_days = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), min_size=1, max_size=6)
entered = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 60)), max_size=30)


@given(files=spans_of_days, lines=entered)
def test_no_line_of_days_once_handed_out_is_missed_and_none_is_late_twice(files, lines) -> None:
    """Files are handed out at marks 10, 20, …; a line of a day is entered at a mark between."""
    out: list[Out] = []
    late: dict[int, int] = {}
    held: dict[int, list[int]] = {n: [] for n in range(len(lines))}
    for place, (first, length) in enumerate(files, 1):
        made = Out(day(first), day(first + length), place * 10)
        spans = missing_since(out, made.first)
        assert all(one.last < other.first for one, other in pairwise(spans))
        for n, (on, mark) in enumerate(lines):
            if mark >= made.mark:
                continue
            if made.first <= day(on) <= made.last:
                held[n].append(place)
            elif any(one.first <= day(on) <= one.last and mark > one.mark for one in spans):
                late[n] = late.get(n, 0) + 1
                assert not held[n]
                held[n].append(place)
        out.append(made)
    assert all(times == 1 for times in late.values())
    # A file of everything after finds all that is left of days that were handed out.
    last = missing_since(out, day(200))
    for n, (on, mark) in enumerate(lines):
        asked = any(one.first <= day(on) <= one.last for one in out)
        found = any(one.first <= day(on) <= one.last and mark > one.mark for one in last)
        if asked and mark % 10:
            assert found is (not held[n])
