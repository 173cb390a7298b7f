"""Meetings as they are recorded now and as they were before: each correction names what it put right (§ 329-7 B(2))."""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from haulers.models import Meeting, MeetingCorrection, Motion
from haulers.queries.words import ended
from office.db import db
from office.formats import clock_time, date_only, day_time


def meeting(plant_id: int, meeting_id: int) -> Meeting | None:
    """One meeting of a plant; None for another plant's."""
    return db.session.scalars(select(Meeting).filter_by(id=meeting_id, plant_id=plant_id)).one_or_none()


def motions_at(meeting_id: int) -> list[Motion]:
    """The motions put at a meeting, first recorded first."""
    return list(db.session.scalars(select(Motion).filter_by(meeting_id=meeting_id).order_by(Motion.id)))


def corrections_of(meeting_id: int) -> list[MeetingCorrection]:
    """What was corrected of a meeting's agenda and hour, first correction first."""
    query = select(MeetingCorrection).filter_by(meeting_id=meeting_id)
    return list(db.session.scalars(query.order_by(MeetingCorrection.id)))


def correction_words(row: MeetingCorrection, zone: ZoneInfo) -> str:
    """One correction as minutes and pages say it: what is right, what was recorded, by whom and why."""
    said = []
    if row.agenda_after != row.agenda_before:
        said.append(_put_right("the agenda was posted", "when the agenda was posted", _day(row.agenda_after, zone),
                               _day(row.agenda_before, zone)))  # fmt: skip
    if row.began_after != row.began_before:
        said.append(_put_right("the meeting began at", "when the meeting began", _hour(row.began_after, zone),
                               _hour(row.began_before, zone)))  # fmt: skip
    return (f"Corrected {date_only(row.corrected_at, zone)} by {row.corrected_by}: {'; '.join(said)}. "
            f"Why: {ended(row.reason)}")  # fmt: skip


def _put_right(what: str, unknown: str, now: str, before: str) -> str:
    recorded = f"recorded before as {before}" if before else "not recorded before"
    return f"{what} {now} ({recorded})" if now else f"{unknown} is not known ({recorded})"


def _day(moment: datetime | None, zone: ZoneInfo) -> str:
    return day_time(moment, zone) if moment is not None else ""


def _hour(moment: datetime | None, zone: ZoneInfo) -> str:
    return clock_time(moment, zone) if moment is not None else ""


def known_with(meeting: Meeting, corrections: list[MeetingCorrection],
               motion: Motion) -> tuple[datetime | None, datetime | None]:  # fmt: skip
    """When the agenda was posted and the meeting began as it was recorded when a motion was: its minutes stay so."""
    later = next((one for one in corrections if motion.recorded_at is not None
                  and one.corrected_at > motion.recorded_at), None)  # fmt: skip
    if later is None:
        return meeting.agenda_posted_at, meeting.began_at
    return later.agenda_before, later.began_before
