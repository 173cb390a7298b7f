"""When an invoice is due, and what is charged when it is not paid in time (§ 329-2 A(3)(g), § 20-27 B of Gillett)."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ordinances.fee_line import FeeLine, rounded
from ordinances.refusal import Refusal
from ordinances.rows import Law, Row


@dataclass(frozen=True)
class Late:
    """A late charge: the last day in time, the day the charge is dated, and its line."""

    due_last_day: date
    charged_on: date
    line: FeeLine


def late_dates(law: Law, issued_on: date) -> tuple[date, date]:
    """The last day on which a payment is in time, and the day a late charge is dated.

    So many days after the issue, which is not counted, or a day of the month after it where the law names one.
    """
    if law.has("billing.due_day", issued_on):
        last = month_later(issued_on.replace(day=1), 1, law.value("billing.due_day", issued_on))
    else:
        last = issued_on + timedelta(days=law.value("billing.late_days", issued_on))
    return last, last + timedelta(days=1)


def is_due(law: Law, issued_on: date) -> bool:
    """Whether the law sets a last day for an invoice at all."""
    return law.has("billing.due_day", issued_on) or law.has("billing.late_days", issued_on)


def due_cite(law: Law, issued_on: date) -> Row:
    """The row by which an invoice has its last day in time."""
    key = "billing.due_day" if law.has("billing.due_day", issued_on) else "billing.late_days"
    return law.row(key, issued_on)


def late_days_after(law: Law, issued_on: date, until: date) -> list[date]:
    """The last days in time after which a late charge falls, as far as they are over: one, or one each period.

    The first is the invoice's own; where the law takes the charge again while something is unpaid, a further one comes
    with each billing period, or every so many months where the law says how many.
    """
    last = late_dates(law, issued_on)[0]
    once = late_once(law, issued_on)
    # The day of the month the law names, which a short month before does not move.
    on = law.value("billing.due_day", issued_on) if law.has("billing.due_day", issued_on) else last.day
    days: list[date] = []
    months = late_months(law, issued_on)
    while (day := month_later(last, months * len(days), on)) < until and not (once and days):
        days.append(day)
    return days


def late_once(law: Law, issued_on: date) -> bool:
    """Whether the late charge comes once for an invoice, not again each period; once where the law says nothing."""
    return not law.has("billing.late_once", issued_on) or bool(law.value("billing.late_once", issued_on))


def late_months(law: Law, issued_on: date) -> int:
    """Months from one late charge of an invoice to the next, where it comes again."""
    key = "billing.late_months"
    return int(law.value(key, issued_on)) if law.has(key, issued_on) else period_months(law, issued_on)


def late_often(law: Law, issued_on: date) -> str:
    """How often a late charge comes, in words: "once", "each period", "every 3 months", "every month"."""
    if late_once(law, issued_on):
        return "once"
    if not law.has("billing.late_months", issued_on):
        return "each period"
    months = late_months(law, issued_on)
    return "every month" if months == 1 else f"every {months} months"


def period_months(law: Law, day: date) -> int:
    """Months from one run of invoices to the next; where each load is billed by itself, one."""
    period = law.value("billing.period", day) if law.has("billing.period", day) else "monthly"
    return 2 if period == "bimonthly" else 1


def month_later(day: date, months: int, on: int | None = None) -> date:
    """The same day (or the day `on`) of a later month, or that month's last day."""
    years, month = divmod(day.month - 1 + months, 12)
    year, month = day.year + years, month + 1
    return date(year, month, min(on or day.day, calendar.monthrange(year, month)[1]))


def late_of_loads(law: Law, issued_on: date) -> bool:
    """Whether a late charge is taken of septage charges alone, not of fees, damage and deposits on the same invoice."""
    key = "billing.late_base"
    return law.has(key, issued_on) and law.value(key, issued_on) == "unpaid_current_period"


def late_charge(law: Law, issued_on: date, unpaid_cents: int, last: date | None = None) -> Late | Refusal:
    """The late charge of an invoice on what was unpaid at the end of a last day in time (none: the first)."""
    if not law.has("billing.late_percent", issued_on):
        why = "The law has no late charge."
        return Refusal("no_late_charge", why, law.cite("programme.kind", issued_on))
    last = last or late_dates(law, issued_on)[0]
    percent = law.row("billing.late_percent", issued_on)
    if unpaid_cents <= 0:
        return Refusal(
            "nothing_unpaid", "Nothing that a late charge is taken of was unpaid on the last day.", percent.cite
        )
    unpaid, due = Decimal(unpaid_cents) / 100, due_cite(law, issued_on)
    share = percent.value / 100
    line = FeeLine(
        "late", f"Late charge of {percent.value.normalize():f} % on ${unpaid:.2f}", unpaid, "dollars unpaid", share,
        rounded(unpaid * share), due.cite, due.reading, law.version,
    )  # fmt: skip
    return Late(last, last + timedelta(days=1), line)
