"""Due days by days and by a day of the month; late charges once, or once each period."""

from datetime import date
from pathlib import Path

import pytest

from ordinances.late import due_cite, late_dates, late_days_after, late_often, month_later
from tests.ordinances.common import bayfield, changed_law, row_text

OCT_1 = date(2026, 10, 1)


@pytest.mark.parametrize(
    ("issued", "day", "last"),
    [("2026-10-01", 15, "2026-11-15"), ("2026-10-31", 15, "2026-11-15"), ("2027-01-31", 31, "2027-02-28"),
     ("2028-01-31", 30, "2028-02-29"), ("2026-12-05", 1, "2027-01-01")],
)  # fmt: skip
def test_a_day_of_the_month_is_that_of_the_month_after(tmp_path, issued: str, day: int, last: str) -> None:  # type: ignore[no-untyped-def]
    law = changed_law(tmp_path, extra=row_text("billing.due_day", str(day), cite="§ 9-9"))
    assert late_dates(law, date.fromisoformat(issued))[0].isoformat() == last
    assert due_cite(law, OCT_1).cite == "§ 9-9"
    assert due_cite(law, OCT_1).words == f"{day} of the month"


def test_bayfields_late_charge_falls_once_however_long_ago() -> None:
    assert late_days_after(bayfield(), OCT_1, date(2026, 10, 21)) == []
    assert late_days_after(bayfield(), OCT_1, date(2026, 10, 22)) == [date(2026, 10, 21)]
    assert late_days_after(bayfield(), OCT_1, date(2030, 1, 1)) == [date(2026, 10, 21)]


def test_one_that_comes_again_falls_with_each_period(tmp_path) -> None:  # type: ignore[no-untyped-def]
    again = ("[[billing.late_once]]\nvalue = true", "[[billing.late_once]]\nvalue = false")
    law = changed_law(tmp_path, again)
    assert late_days_after(law, OCT_1, date(2026, 12, 21)) == [date(2026, 10, 21)]
    assert late_days_after(law, OCT_1, date(2027, 2, 22)) == [
        date(2026, 10, 21), date(2026, 12, 21), date(2027, 2, 21),
    ]  # fmt: skip


def test_a_late_charge_of_each_quarter_falls_every_three_months_whatever_the_billing_period(tmp_path: Path) -> None:
    again = ("[[billing.late_once]]\nvalue = true", "[[billing.late_once]]\nvalue = false")
    law = changed_law(tmp_path, again, extra=row_text("billing.late_months", "3", cite="§ 9-9"))
    assert late_days_after(law, OCT_1, date(2027, 1, 21)) == [date(2026, 10, 21)]
    assert late_days_after(law, OCT_1, date(2027, 4, 22)) == [
        date(2026, 10, 21), date(2027, 1, 21), date(2027, 4, 21),
    ]  # fmt: skip
    assert late_often(law, OCT_1) == "every 3 months"
    monthly = changed_law(tmp_path, again, extra=row_text("billing.late_months", "1", cite="§ 9-9"))
    assert late_often(monthly, OCT_1) == "every month"
    assert late_often(bayfield(), OCT_1) == "once"
    assert law.row("billing.late_months", OCT_1).words == "3 months"


def test_a_month_later_keeps_within_the_month() -> None:
    assert month_later(date(2026, 12, 31), 2) == date(2027, 2, 28)
    assert month_later(date(2026, 11, 30), 1) == date(2026, 12, 30)


@pytest.mark.parametrize(
    ("day", "days"),
    [
        (31, ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]),
        (30, ["2027-02-28", "2027-03-30", "2027-04-30", "2027-05-30"]),
        (29, ["2027-02-28", "2027-03-29", "2027-04-29", "2027-05-29"]),
        (28, ["2027-02-28", "2027-03-28", "2027-04-28", "2027-05-28"]),
    ],
)
def test_a_short_month_moves_no_later_last_day(tmp_path: Path, day: int, days: list[str]) -> None:
    again = ("[[billing.late_once]]\nvalue = true", "[[billing.late_once]]\nvalue = false")
    extra = row_text("billing.due_day", str(day), cite="§ 9-9") + row_text("billing.late_months", "1", cite="§ 9-9")
    law = changed_law(tmp_path, again, extra=extra)
    until = [date.fromisoformat(one) for one in days]
    assert late_days_after(law, date(2027, 1, 15), date(2027, 6, 1)) == until
    # The charge of a last day falls when it is over, not on it.
    assert late_days_after(law, date(2027, 1, 15), until[1]) == until[:1]


def test_so_many_days_after_the_issue_the_day_of_the_month_is_kept_over_february(tmp_path: Path) -> None:
    again = ("[[billing.late_once]]\nvalue = true", "[[billing.late_once]]\nvalue = false")
    law = changed_law(tmp_path, again, extra=row_text("billing.late_months", "1", cite="§ 9-9"))
    # Day 20 after January 10, 2027, is January 30.
    assert late_days_after(law, date(2027, 1, 10), date(2027, 4, 1)) == [
        date(2027, 1, 30), date(2027, 2, 28), date(2027, 3, 30),
    ]  # fmt: skip
