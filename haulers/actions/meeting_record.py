"""A slip in what is recorded of a meeting, put right: when its agenda was posted, when it began (§ 329-7 B(2))."""

from datetime import datetime, time

from sqlalchemy import select

from haulers.actions.meetings import agenda_after
from haulers.actions.motions import body_words
from haulers.models import Meeting, MeetingCorrection, Vote
from haulers.queries.meetings import correction_words, meeting, motions_at
from haulers.queries.sitting import members_on, span_of
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import clock_time, date_only
from office.journal import because
from office.notices import tell_roles
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("correct_meeting", roles=(Role.CLERK,))
def correct_meeting(plant: Plant, meeting_id: int, agenda: datetime | None, began: time | None, reason: str, *,
                    by: Actor, at: datetime, law: Law) -> MeetingCorrection | Refusal:  # fmt: skip
    """Put right when the agenda of a meeting was posted and when it began; None while not known. No vote changes.

    What stood before is kept, and the minutes of its motions say both. The members are told. Refused:
    ``no_such_meeting``, ``no_words`` without a reason, ``nothing_changed``, ``no_agenda`` and ``no_hour`` where one is
    recorded, ``agenda_after``, ``not_begun``, ``begun_late`` after a motion of it was recorded, ``other_roll`` where
    others sat at that hour than are recorded.
    """
    lock(Plant, plant.id)
    if meeting(plant.id, meeting_id) is None:
        return Refusal("no_such_meeting", "There is no such meeting.", "")
    held: Meeting = lock(Meeting, meeting_id)
    hour = datetime.combine(held.held_on, began, law.zone) if began is not None else None
    wrong = _may_not(plant, held, agenda, hour, reason, at, law)
    if wrong is not None:
        return wrong
    row = MeetingCorrection(
        plant_id=plant.id, meeting_id=held.id, agenda_before=held.agenda_posted_at, agenda_after=agenda,
        began_before=held.began_at, began_after=hour, reason=reason.strip(), corrected_at=at, corrected_by=by.name,
    )  # fmt: skip
    held.agenda_posted_at, held.began_at = agenda, hour
    held.agenda_noted_at = held.agenda_noted_at or (at if agenda is not None else None)
    held.began_noted_at = held.began_noted_at or (at if hour is not None else None)
    db.session.add(row)
    day = date_only(held.held_on)
    said = [f"{body_words(law, held.held_on)}, meeting of {day}.", correction_words(row, law.zone),
            "No vote changes. Tell the clerk if it is not right.", f"{plant.name}, {plant.phone}"]  # fmt: skip
    tell_roles((Role.MEMBER,), "meeting_corrected", f"The record of the meeting of {day} is corrected",
               "\n\n".join(said), at, plant_id=plant.id)  # fmt: skip
    because(reason.strip(), law.cite("decision.body", held.held_on))
    return row


def _may_not(plant: Plant, held: Meeting, agenda: datetime | None, hour: datetime | None, reason: str, at: datetime,
             law: Law) -> Refusal | None:  # fmt: skip
    if not reason.strip():
        return Refusal("no_words", "Enter what was wrong, and how it is known.", "")
    if (agenda, hour) == (held.agenda_posted_at, held.began_at):
        return Refusal("nothing_changed", "Nothing is changed yet: this is what is recorded.", "")
    return _check_times(held, agenda, hour, at, law) or _check_motions(plant, held, hour, law)


def _check_times(held: Meeting, agenda: datetime | None, hour: datetime | None, at: datetime,
                 law: Law) -> Refusal | None:  # fmt: skip
    """What is recorded is never emptied: nobody could say which motion knew of it. The rest as when it is recorded."""
    if agenda is None and held.agenda_posted_at is not None:
        return Refusal("no_agenda", "Enter the day the agenda was posted: one is recorded.", "")
    if hour is None and held.began_at is not None:
        return Refusal("no_hour", "Enter the time the meeting began: one is recorded.", "")
    if hour is not None and hour > at:
        return Refusal("not_begun", "The meeting must have begun by now.", "")
    return agenda_after(held.held_on, hour, agenda, law)


def _check_motions(plant: Plant, held: Meeting, hour: datetime | None, law: Law) -> Refusal | None:
    """The motions recorded of a meeting stay what they are: it began before them, and the same people sat."""
    motions = motions_at(held.id)
    first = min((one.recorded_at for one in motions if one.recorded_at is not None), default=None)
    if hour is None or hour == held.began_at:
        return None
    if first is not None and hour > first:
        recorded = f"{clock_time(first, law.zone)} on {date_only(first, law.zone)}"
        why = f"A motion of this meeting was recorded at {recorded}, before that hour."
        return Refusal("begun_late", why, "", next_step="Check the hour.")
    sat = {one.id: one.name for one in members_on(plant, span_of(held.held_on, hour.timetz().replace(tzinfo=None),
                                                                 law.zone))}  # fmt: skip
    query = select(Vote).where(Vote.motion_id.in_([one.id for one in motions]))
    voted = {one.person_id: one.person_name for one in db.session.scalars(query)}
    apart = sorted((sat | voted)[one] for one in sat.keys() ^ voted.keys()) if voted else []
    if not apart:
        return None
    why = f"At that hour others sat than the recorded roll call names: {', '.join(apart)}."
    return Refusal("other_roll", why, law.cite("decision.body", held.held_on),
                   next_step="Check the hour, or the days the administrator gave the members their role.")  # fmt: skip
