"""How often invoices are made: the period of the law, counted from the last run."""

import calendar
from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from billing.models import Invoice
from office.db import db
from ordinances.reader import Law

MONTHS = {"monthly": 1, "bimonthly": 2}
EVERY = {"monthly": "once a month", "bimonthly": "every two months"}


@dataclass(frozen=True)
class TooEarly:
    """A run inside the period: the last run, the first day after the period, the period in words, its §."""

    last: date
    next_on: date
    every: str
    cite: str
    reading: str | None


def too_early(plant_id: int, law: Law, today: date) -> TooEarly | None:
    """What is to be said of invoices made today, or None when the period is over or the law has none."""
    last = db.session.scalars(select(func.max(Invoice.issued_on)).where(Invoice.plant_id == plant_id)).one()
    if last is None or not law.has("billing.period", today):
        return None
    row = law.row("billing.period", today)
    due = _later(last, MONTHS[row.value])
    return TooEarly(last, due, EVERY[row.value], row.cite, row.reading) if today < due else None


def _later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last day."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))
