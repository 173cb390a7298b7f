"""How often invoices are made: the period of the law, counted from the last run."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from sqlalchemy import func, select

from billing.models import Invoice
from office.db import db
from ordinances.late import month_later, period_months
from ordinances.reader import Law

LONGEST = 31  # days of a month
LOOK_BACK = timedelta(days=400)  # more than a year, in which every day of a month comes at least once
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

    An invoice made again for a void one is no run of its own, nor are those of a run that was broken off: until its
    last part is made the period waits for it, as if it had not begun.
    """
    last = db.session.scalars(_of_runs(plant_id, select(func.max(Invoice.issued_on)))).one()
    if last is None or not law.has("billing.period", today):
        return None
    row = law.row("billing.period", today)
    if row.value not in EVERY:
        return None
    months = period_months(law, today)
    due = month_later(last, months, _kept_day(plant_id, last, months))
    return TooEarly(last, due, EVERY[row.value], row.cite, row.reading) if today < due else None


def _of_runs(plant_id: int, query: Any) -> Any:
    """A query of a plant's invoices, of those with which a run was over."""
    return query.where(Invoice.plant_id == plant_id, Invoice.replaces_id.is_(None), ~Invoice.others_wait)


def _kept_day(plant_id: int, last: date, months: int) -> int:
    """The day of the month invoices are made on: the last day of a short month stands for a later day of the others."""
    if last.day == LONGEST or month_later(last, 0, LONGEST) != last:
        return last.day
    query = _of_runs(plant_id, select(Invoice.issued_on)).distinct()
    runs = db.session.scalars(query.where(Invoice.issued_on > last - LOOK_BACK).order_by(Invoice.issued_on)).all()
    kept = runs[0].day
    for before, run in pairwise(runs):
        kept = kept if run == month_later(before, months, kept) else run.day
    return kept


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
