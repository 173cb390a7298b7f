"""Paper applications: in time by the day they were received at the office (§ 329-7 B(1) of Bayfield)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from ordinances.calendar import FilingStatus, Season, dump_hours, filing_status, next_open_day, season_of
from ordinances.refusal import Refusal
from ordinances.rows import Law, NoLaw
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


def unlikely_day(law: Law, received_on: date, today: date) -> Refusal | None:
    """Why the day a paper was received is to be confirmed in words; None for a likely one.

    Unlikely is a day further back than the filing window is long, or one for a season that is more than half over:
    then the year is mistyped more often than the paper is old. ``no_law``: a day before any law here.
    """
    try:
        status = filing_status(law, datetime.combine(received_on, time(0), law.zone))
        running = season_of(law, received_on)
    except NoLaw:
        return Refusal("no_law", f"No law for applications is known here for {day_words(received_on)}.", "",
                       next_step="Check the day it was received.")  # fmt: skip
    if isinstance(status, Refusal) or status.state == "draft":
        return None  # nothing is taken of that day
    season = _meant(status, running)
    window = (status.closes.date() - status.opens.date()).days + 1
    ago = (today - received_on).days
    over = today > season.start + timedelta(days=(season.end - season.start).days // 2)
    if ago <= window and not over:
        return None
    why = f"{ago} days have passed since {day_words(received_on)}. The paper counts for season {season.name}."
    if over:
        ended = "is over" if today > season.end else "is more than half over"
        why = f"Received on {day_words(received_on)}: it counts for season {season.name}, which {ended}."
    return Refusal("confirm_date", why, status.cite, status.reading, "Check the year. If it is right, say so.",
                   {"season": season.name, "day": received_on})  # fmt: skip


def _meant(status: FilingStatus, running: Season) -> Season:
    """The season a paper of that day is for: the one filed for, or once that has not begun, the one running."""
    return status.season if status.state in ("open", "closed") else running
