"""Every way of paying seen in 35 towns is rows of a profile: each cell with its rows, and what they come to."""

import csv
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordinances.late import late_charge, late_dates, period_months
from ordinances.refusal import Refusal
from ordinances.rows import Law
from tests.ordinances.common import changed_law, row_text

ISSUED = date(2026, 10, 5)
MONTHLY = ('[[billing.period]]\nvalue = "bimonthly"', '[[billing.period]]\nvalue = "monthly"')


def days(number: int) -> tuple[str, str]:
    return ("[[billing.late_days]]\nvalue = 20", f"[[billing.late_days]]\nvalue = {number}")


def percent(number: str) -> tuple[str, str]:
    return ('[[billing.late_percent]]\nvalue = "10"', f'[[billing.late_percent]]\nvalue = "{number}"')


# Town to the texts swapped in a profile, rows added, and what they mean: months from invoice to invoice, the last day
# to pay an invoice of October 5 in time, the late charge on $100.00, days after the due day until the gate is shut.
WAYS: dict[str, tuple[list[tuple[str, str]], str, tuple[int, str, str, int | None]]] = {
    "14 Bluffton": ([MONTHLY], "", (1, "2026-10-25", "10.00", None)),
    "15 Campbell": ([days(30)], row_text("billing.gate_hold_days", "30", cite="§ 9-9"), (2, "2026-11-04", "10.00", 30)),
    "24 American Bottoms regional plant": ([days(21), percent("1.5")], "", (2, "2026-10-26", "1.50", None)),
    "29 Falmouth": ([days(25)], row_text("billing.gate_hold_days", "1", cite="§ 9-9"), (2, "2026-10-30", "10.00", 1)),
    "32 Manchester": ([MONTHLY, percent("12")], row_text("billing.due_day", "25", cite="§ 9-9")
                      + row_text("billing.gate_hold_days", "1", cite="§ 9-9"), (1, "2026-11-25", "12.00", 1)),
    "52 York County": ([MONTHLY], row_text("billing.gate_hold_days", "1", cite="§ 9-9"), (1, "2026-10-25", "10.00", 1)),
}  # fmt: skip
# Money paid ahead is no row: a deposit that charges draw down (tests/billing/test_payments.py).
AHEAD = {"37 Dallas"}


def cells() -> dict[str, str]:
    with (Path(__file__).parent / "ways_of_paying.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {f"{row['id']} {row['place']}": row["payment_terms"] for row in rows}


def meant(law: Law) -> tuple[int, str, str, int | None]:
    late: Any = late_charge(law, ISSUED, 10_000)
    hold = "billing.gate_hold_days"
    assert not isinstance(late, Refusal)
    return (period_months(law, ISSUED), late_dates(law, ISSUED)[0].isoformat(), str(late.line.amount),
            law.value(hold, ISSUED) if law.has(hold, ISSUED) else None)  # fmt: skip


def test_every_town_that_says_how_it_is_paid_is_here() -> None:
    assert set(cells()) == set(WAYS) | AHEAD


@pytest.mark.parametrize("name", sorted(WAYS))
def test_a_way_of_paying_is_rows_of_a_profile(tmp_path: Path, name: str) -> None:
    swaps, rows, comes_to = WAYS[name]
    assert meant(changed_law(tmp_path, *swaps, extra=rows)) == comes_to


def test_the_shipped_law_is_none_of_them(tmp_path: Path) -> None:
    assert meant(changed_law(tmp_path)) == (2, "2026-10-25", str(Decimal("10.00")), None)
