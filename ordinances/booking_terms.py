"""What a profile says of bookings beyond their rate: how far ahead, late cancellations, the time to answer an offer.

How long after its end a truck may still be told of as running on stands here too.
Bayfield's ordinance says nothing of late cancellations: without the rows none is late and nothing follows. Nor of how
far ahead a time is booked: without the row only the approval bounds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from ordinances.calendar import Hours, dump_hours
from ordinances.refusal import Refusal
from ordinances.rows import Law
from ordinances.values import day_words


@dataclass(frozen=True)
class LateCancel:
    """A cancellation that comes so late: within how many hours of the start, and whether it is kept on the record."""

    hours: int
    recorded: bool
    cite: str
    reading: str | None = None

    @property
    def told(self) -> str:
        """What follows, in words; "" where nothing does."""
        if not self.recorded:
            return ""
        hours = "1 hour" if self.hours == 1 else f"{self.hours:,} hours"
        kept = f"it is kept on the record as a late cancellation ({self.cite})"
        return f"This is less than {hours} before the time: {kept}."


def late_cancel(law: Law, starts: datetime, at: datetime) -> LateCancel | None:
    """What a cancellation at an instant means for a session that starts then; None when it comes in time."""
    day = starts.astimezone(law.zone).date()
    if not law.has("booking.cancel_hours", day):
        return None
    row = law.row("booking.cancel_hours", day)
    if starts.astimezone(UTC) - at.astimezone(UTC) >= timedelta(hours=row.value):
        return None
    kept = law.has("booking.late_cancel", day) and law.value("booking.late_cancel", day) == "recorded"
    return LateCancel(row.value, kept, row.cite, row.reading)


@dataclass(frozen=True)
class AnswerTime:
    """How many hours the first in line has to answer an offer of freed room, with the § and how it is read."""

    hours: int
    cite: str
    reading: str | None = None


def answer_time(law: Law, day: date) -> AnswerTime | None:
    """The time to answer an offer from the waiting list; None where the plant keeps no such list."""
    if not law.has("booking.answer_hours", day):
        return None
    row = law.row("booking.answer_hours", day)
    return AnswerTime(row.value, row.cite, row.reading) if row.value else None


@dataclass(frozen=True)
class Ahead:
    """The last day that can be booked on a day, how many days ahead of it that is, the § and how it is read."""

    days: int
    last: date
    cite: str
    reading: str | None = None

    @property
    def words(self) -> str:
        """The rule as a sentence."""
        days = "1 day" if self.days == 1 else f"{self.days:,} days"
        return f"A time is booked at most {days} ahead: today until {day_words(self.last)}."


def ahead(law: Law, today: date) -> Ahead | None:
    """How far ahead a time is booked; None where only the approval says it."""
    if not law.has("booking.ahead_days", today):
        return None
    row = law.row("booking.ahead_days", today)
    return Ahead(row.value, today + timedelta(days=row.value), row.cite, row.reading)


def too_far(law: Law, day: date, today: date) -> Refusal | None:
    """Why a day cannot be booked yet, by the city's own rule."""
    found = ahead(law, today)
    if found is None or day <= found.last:
        return None
    return Refusal("too_far", found.words, found.cite, found.reading, "Choose an earlier day.")


def may_run_on(law: Law, ended: datetime, at: datetime) -> bool:
    """Whether a truck whose run ended may still be told of as running on: within the minutes the law gives, both ends
    counted; where it gives none, until the unloading hours of its day are over, or that day where it has none."""
    day = ended.astimezone(law.zone).date()
    if law.has("booking.run_on_minutes", day):
        last = ended + timedelta(minutes=law.value("booking.run_on_minutes", day))
    else:
        hours = dump_hours(law, day)
        midnight = datetime.combine(day + timedelta(days=1), time(0), law.zone)
        last = hours.end if isinstance(hours, Hours) and hours.end > ended else midnight
    return ended <= at <= last
