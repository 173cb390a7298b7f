"""How often invoices are made: the period of the law, counted from the last run."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import func, select

from billing.models import Invoice
from office.db import db
from ordinances.late import month_later, period_months
from ordinances.reader import Law

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
    """What is to be said of invoices made today, or None when the period is over or the law has none.

    An invoice made again for a void one is no run of its own.
    """
    runs = select(func.max(Invoice.issued_on)).where(Invoice.plant_id == plant_id, Invoice.replaces_id.is_(None))
    last = db.session.scalars(runs).one()
    if last is None or not law.has("billing.period", today):
        return None
    row = law.row("billing.period", today)
    if row.value not in EVERY:
        return None
    due = month_later(last, period_months(law, today))
    return TooEarly(last, due, EVERY[row.value], row.cite, row.reading) if today < due else None


def by_load(law: Law, today: date) -> bool:
    """Whether each load is billed by itself."""
    return law.has("billing.period", today) and law.value("billing.period", today) == "per_load"


def billed_before(law: Law, today: date) -> date | None:
    """The day before which a run of today bills charges; None: all of them.

    Where each load is billed by itself, what is still running may change today: it is billed the day after.
    """
    return today if by_load(law, today) else None


def runs_by_itself(plant_id: int, law: Law, today: date) -> bool:
    """Whether invoices are owed today without the clerk: the law says so, and the period is over."""
    if not law.has("billing.automatic", today) or not law.value("billing.automatic", today):
        return False
    return too_early(plant_id, law, today) is None
