"""Paper applications: in time by the day they were received at the office (§ 329-7 B(1) of Bayfield)."""

from __future__ import annotations

from datetime import date, datetime, time

from ordinances.calendar import FilingStatus, dump_hours, filing_status, next_open_day
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.values import day_words

ROLL = "application.paper_roll"


def paper_filing(law: Law, received_on: date) -> FilingStatus | Refusal:
    """The window a paper received on a day came in; refused before and after it.

    Where the law has it so, a close on a day the office is shut moves to its next open day, for paper only.
    """
    status = filing_status(law, datetime.combine(received_on, time(0), law.zone))
    if isinstance(status, Refusal) or status.state == "open":
        return status
    row = law.row(ROLL, received_on) if law.has(ROLL, received_on) else None
    last = status.closes.date()
    if row is not None and row.value == "next_open_day" and isinstance(dump_hours(law, last), Refusal):
        last = next_open_day(law, last)
    if status.state == "closed" and received_on <= last:
        return status
    dates = {"opens": status.opens, "closes": last, "season": status.season.name}
    verb = "were" if status.state == "closed" else "are"
    why = (f"Paper applications for season {status.season.name} {verb} taken from {day_words(status.opens.date())} to "
           f"{day_words(last)}.")  # fmt: skip
    cite, reading = (row.cite, row.reading) if row is not None else (status.cite, status.reading)
    code = "window_closed" if status.state == "closed" else "window_not_open"
    return Refusal(code, why, cite, reading, "Check the day it was received.", dates)
