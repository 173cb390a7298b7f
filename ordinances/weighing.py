"""Gallons by weight: what a truck weighed full less what it weighs empty, at the law's pounds a gallon."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from ordinances.rows import Law

FACTOR = "strength.lb_factor"


@dataclass(frozen=True)
class Weighed:
    """Whole gallons of so many pounds, with the pounds a gallon they were reckoned by and its section."""

    gallons: int
    pounds: int
    factor: Decimal
    cite: str


def weighed(law: Law, day: date, full: int, empty: int) -> Weighed:
    """The gallons of a load by its weights in pounds, rounded half up; 0 where it weighs no more full than empty."""
    row, pounds = law.row(FACTOR, day), max(0, full - empty)
    gallons = int((Decimal(pounds) / row.value).quantize(Decimal(1), ROUND_HALF_UP))
    return Weighed(gallons, pounds, row.value, row.cite)
