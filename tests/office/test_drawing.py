"""The columns of a day's picture, to the figure."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

from office import drawing
from office.drawing import timeline, whole

SEVEN = datetime(2026, 10, 6, 7, tzinfo=UTC)
QUARTER = timedelta(minutes=15)


def quarter(n: int, free: Fraction | int, **more) -> dict[str, object]:
    return {"start": SEVEN + n * QUARTER, "end": SEVEN + (n + 1) * QUARTER, "free": free, "shut": False} | more


def test_free_gallons_are_rounded_down_and_none_reads_full():
    assert [whole(one) for one in (Fraction(333, 2), 166, Fraction(1, 2), 0, 1_234)] == [
        "166", "166", "full", "full", "1,234"
    ]  # fmt: skip


def test_a_half_taken_quarter_is_drawn_half_and_one_of_mine_above_it():
    mine = [{"start": SEVEN, "end": SEVEN + QUARTER, "gph": 200}]
    drawn = timeline([quarter(0, 100), quarter(1, 200)], 800, "d", mine, counted=False)
    assert (drawn.count, drawn.free) == (2, 300.0)
    assert '<rect x="10.0%" y="112.0" width="44.1%" height="70.0" class="taken"/>' in drawn.wide
    assert '<rect x="10.0%" y="77.0" width="44.1%" height="35.0" fill="url(#d-mine)"/>' in drawn.wide
    assert '<rect x="48.0%" y="24" width="15.5%" height="22" fill="url(#d-rows-mine)"/>' in drawn.narrow
    assert drawn.rows.startswith('<tr><th scope="row">7:00 to 7:15 a.m.</th><td class="num">'
                                 '<span data-free="100.0">100</span></td></tr>')  # fmt: skip


def test_what_is_over_or_closed_is_said_and_not_counted():
    drawn = timeline([quarter(0, 200), quarter(1, 200, shut=True), quarter(2, 200)], 800, "d", now=SEVEN + QUARTER)
    assert drawn.free == 200.0
    assert [line.rpartition("<td")[2] for line in drawn.rows.split("</td></tr>")[:3]] == [
        ' class="num">over', ' class="num">closed', ' class="num"><span data-free="200.0">200</span>'
    ]  # fmt: skip
    assert ('class="free over"' in drawn.wide, 'class="shut" fill="url(#d-shut)"' in drawn.wide) == (True, True)


def test_a_part_drawn_before_is_drawn_again_only_for_other_values_and_few_are_kept(monkeypatch):
    monkeypatch.setattr(drawing, "_DRAWN", {})
    monkeypatch.setattr(drawing, "MOST_DRAWN", 2)
    made = iter("abcd")
    said = [drawing.drawn("part", value, caller=lambda: next(made)) for value in (1, 1, 2, 3, 1)]
    assert (said, len(drawing._DRAWN)) == (["a", "a", "b", "c", "d"], 2)
