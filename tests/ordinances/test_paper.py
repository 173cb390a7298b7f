"""Paper in time: by the day received, the close moved to the next open day where the office is shut on it."""

from datetime import date
from pathlib import Path

import pytest

from ordinances.calendar import FilingStatus
from ordinances.paper import paper_filing
from ordinances.refusal import Refusal
from ordinances.rows import Closure, Law
from tests.ordinances.common import bayfield, changed_law, law_of

LABOR_DAYS = (Closure(date(2025, 9, 1), "Labor Day", "holiday"), Closure(date(2029, 9, 3), "Labor Day", "holiday"))
STAYS = (
    """value = "next_open_day"
from = 1992-01-01
cite = "§ 329-7 B(1)"
reading = "Paper""",
    """value = "none"
from = 1992-01-01
cite = "§ 329-7 B(1)"
reading = "Paper""",
)


def answer(law: Law, received: date) -> str:
    said = paper_filing(law, received)
    return said.code if isinstance(said, Refusal) else said.season.name


@pytest.mark.parametrize(("received", "said"), [
    (date(2026, 7, 31), "window_not_open"), (date(2026, 8, 1), "2026-27"), (date(2026, 9, 1), "2026-27"),
    (date(2026, 9, 2), "window_closed"),
])  # fmt: skip
def test_paper_is_in_time_on_both_ends_of_the_window(received: date, said: str) -> None:
    assert answer(bayfield(*LABOR_DAYS), received) == said


@pytest.mark.parametrize(("last", "season"), [
    (date(2025, 9, 2), "2025-26"),  # September 1 is Labor Day
    (date(2029, 9, 4), "2029-30"),  # a Saturday, then Sunday, then Labor Day
    (date(2030, 9, 2), "2030-31"),  # a Sunday; the holidays of 2030 are not entered
])  # fmt: skip
def test_the_close_moves_for_paper_to_the_next_open_day(last: date, season: str) -> None:
    law = bayfield(*LABOR_DAYS)
    assert answer(law, last) == season
    said = paper_filing(law, last.replace(day=last.day + 1))
    assert isinstance(said, Refusal)
    assert (said.code, said.cite, said.details["closes"]) == ("window_closed", "§ 329-7 B(1)", last)
    assert said.reading is not None
    assert said.reading.startswith("Paper can only be handed in while the office is open")


def test_paper_on_the_moved_day_is_late_for_the_state() -> None:
    said = paper_filing(bayfield(*LABOR_DAYS), date(2025, 9, 2))
    assert isinstance(said, FilingStatus)
    assert said.late_for_state


def test_where_the_law_moves_nothing_the_day_stays(tmp_path: Path) -> None:
    assert answer(changed_law(tmp_path, STAYS), date(2030, 9, 2)) == "window_closed"


def test_the_refusal_names_the_days() -> None:
    said = paper_filing(bayfield(), date(2026, 9, 2))
    assert isinstance(said, Refusal)
    assert said.why == (
        "Paper applications for season 2026-27 were taken from Saturday, August 1, 2026 to Tuesday, September 1, 2026."
    )


def test_a_town_without_a_window_takes_no_paper() -> None:
    assert answer(law_of("lawrence"), date(2026, 8, 20)) == "not_accepted"
