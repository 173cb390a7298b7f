"""The meeting a motion was put at: its day, when it began, when its agenda was posted; kept once they are recorded.

A slip in them is put right by the clerk's ``correct_meeting`` (``actions/meeting_record``).
"""

from datetime import date, datetime, timedelta

from sqlalchemy import select

from haulers.models import Meeting
from haulers.queries.motion_lines import RollCall
from haulers.queries.sitting import span_of
from haulers.queries.words import ended
from office.db import db
from office.formats import clock_time, date_only, day_time, plural
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

BODIES = {"committee": "Public Works Committee", "council": "Common Council", "board": "Town Board"}
# The state's hours between an agenda and its meeting.
NOTICE = "state.meeting_notice_hours"
# Ours: an agenda posted longer before its meeting is most often a slip of the day or the year.
EARLY = timedelta(days=14)


def body_words(law: Law, day: date) -> str:
    """The deciding body's name as letters print it."""
    word = str(law.value("decision.body", day))
    return BODIES.get(word, word.replace("_", " ").capitalize())


def meeting_on(plant_id: int, held_on: date) -> Meeting | None:
    """The recorded meeting of a day; None for none yet."""
    query = select(Meeting).filter_by(plant_id=plant_id, held_on=held_on).order_by(Meeting.id)
    return db.session.scalars(query.limit(1)).one_or_none()


def put_meeting(plant: Plant, roll: RollCall, at: datetime, law: Law) -> Meeting | Refusal:
    """The meeting of that day, which motions of one evening share, with what is first said of it now.

    What a motion recorded before said of it is never written over: ``agenda_recorded``, ``began_recorded``.
    """
    body = body_words(law, roll.held_on)
    query = select(Meeting).filter_by(plant_id=plant.id, held_on=roll.held_on, body=body)
    meeting = db.session.scalars(query).one_or_none() or Meeting(plant_id=plant.id, held_on=roll.held_on, body=body)
    began, posted = began_at(roll, law), roll.agenda_posted_at
    refusal = _written_over(meeting, began, posted, law) or agenda_after(
        roll.held_on, began or meeting.began_at, posted or meeting.agenda_posted_at, law)  # fmt: skip
    if refusal is not None:
        return refusal
    if posted is not None and meeting.agenda_posted_at is None:
        meeting.agenda_posted_at, meeting.agenda_noted_at = posted, at
    if began is not None and meeting.began_at is None:
        meeting.began_at, meeting.began_noted_at = began, at
    db.session.add(meeting)
    db.session.flush()
    return meeting


def began_at(roll: RollCall, law: Law) -> datetime | None:
    """When the meeting began, if that was typed."""
    return None if roll.began is None else datetime.combine(roll.held_on, roll.began, law.zone)


def _written_over(meeting: Meeting, began: datetime | None, posted: datetime | None, law: Law) -> Refusal | None:
    held = f"the meeting of {date_only(meeting.held_on)}"
    step = ("Leave it blank, or enter that time: minutes already recorded name it. If it was a slip, the clerk "
            "corrects it on the meeting's own page.")  # fmt: skip
    if posted is not None and meeting.agenda_posted_at not in (None, posted):
        why = ended(f"The agenda of {held} is recorded as posted {day_time(meeting.agenda_posted_at, law.zone)}")
        return Refusal("agenda_recorded", why, "", next_step=step)
    if began is not None and meeting.began_at not in (None, began):
        why = ended(f"{held[0].upper()}{held[1:]} is recorded as begun at {clock_time(meeting.began_at, law.zone)}")
        return Refusal("began_recorded", why, "", next_step=step)
    return None


def agenda_after(held_on: date, began: datetime | None, posted: datetime | None, law: Law) -> Refusal | None:
    """An agenda is posted before its meeting: before it begins, or by the end of its day where the hour is unknown."""
    if posted is None or (posted < began if began is not None else posted.astimezone(law.zone).date() <= held_on):
        return None
    return Refusal("agenda_after", "The agenda is posted before the meeting. Check the day and the time.", "")


def early_notice(held_on: date, posted: datetime | None, law: Law) -> str:
    """What is asked of an agenda posted unusually long before its meeting; "" otherwise. Nothing is refused for it."""
    days = (held_on - posted.astimezone(law.zone).date()).days if posted is not None else 0
    if days <= EARLY.days:
        return ""
    return f"The agenda was posted {plural(days, 'day')} before the meeting. Check the day and the year of both."


def short_notice(held_on: date, began: datetime | None, posted: datetime | None, law: Law) -> str:
    """What is said of an agenda posted less than the state's hours before the meeting; "" otherwise.

    Where the hour of the meeting is unknown, only of one that is short whenever on that day it began.
    """
    if posted is None or not law.has(NOTICE, held_on):
        return ""
    row = law.row(NOTICE, held_on)
    if posted <= (began or span_of(held_on, None, law.zone).until) - timedelta(hours=int(row.value)):
        return ""
    source = f"{row.cite}, not confirmed" if row.unconfirmed else row.cite
    return (f"The agenda was posted less than {plural(int(row.value), 'hour')} before the meeting. The state's open "
            f"meetings law is read to want that much ({source}); ask the city attorney whether it was "
            "enough.")  # fmt: skip
