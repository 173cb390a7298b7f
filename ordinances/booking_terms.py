"""What a profile says of bookings beyond their rate: late cancellations, and the time to answer an offer of room.

Bayfield's ordinance says nothing of late cancellations: without the rows none is late and nothing follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from ordinances.rows import Law


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
