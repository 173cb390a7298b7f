"""A motion put at a meeting, recorded with its roll call, whether it carried or not (§ 329-7 B(2))."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.roll_call import check_conflicts, check_interests, check_roll, interested_members, lost_why
from haulers.models import Meeting, Motion, Vote
from haulers.queries import members
from haulers.queries.motion_lines import RollCall
from haulers.states import MotionKind
from office.access import Actor, Role
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# Who may record what the committee did: every act that begins with a motion has these roles.
RECORDERS = (Role.MEMBER, Role.CLERK, Role.DIRECTOR)
BODIES = {"committee": "Public Works Committee", "council": "Common Council", "board": "Town Board"}


def body_words(law: Law, day: date) -> str:
    """The deciding body's name as letters print it."""
    word = str(law.value("decision.body", day))
    return BODIES.get(word, word.replace("_", " ").capitalize())


def put_motion(plant: Plant, roll: RollCall, kind: MotionKind, business_ids: Collection[int], about: Sequence[str], *,
               by: Actor, at: datetime, law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion about some businesses with its meeting and votes: the first step of an act, not one itself.

    One that failed, tied or had no quorum is recorded too: ``passed`` is False, ``lost`` says why, and the act that
    called does nothing more. ``about``: what is put to the vote, a sentence each. Refused: a roll call that is not
    whole, a member recused without a conflict, a vote or record on one's own business.
    """
    lock(Plant, plant.id)
    sitting = {person.id: person for person in members(plant.id, at)}
    refusal = check_roll(sitting, roll, law, at) or check_interests(business_ids, roll, sitting, by, law, at)
    if refusal is not None:
        return refusal
    conflicts = check_conflicts(roll, sitting, interested_members(business_ids, roll, at), law, at)
    if isinstance(conflicts, Refusal):
        return conflicts
    lost = lost_why(roll, law)
    motion = Motion(
        plant_id=plant.id, meeting_id=_meeting(plant, roll, law).id, words=roll.words.strip(), mover_id=roll.mover_id,
        seconder_id=roll.seconder_id, passed=not lost, kind=kind.value, conflicts=conflicts, lost=lost,
        recorded_at=at, about=list(about),
    )  # fmt: skip
    db.session.add(motion)
    db.session.flush()
    for person_id, ballot in sorted(roll.votes.items()):
        db.session.add(Vote(plant_id=plant.id, motion_id=motion.id, person_id=person_id,
                            person_name=sitting[person_id].name, vote=ballot.value))  # fmt: skip
    because(roll.words.strip(), law.cite("decision.body", at.astimezone(law.zone).date()))
    return motion


def _meeting(plant: Plant, roll: RollCall, law: Law) -> Meeting:
    """The meeting of that day; motions of one evening share it."""
    body = body_words(law, roll.held_on)
    query = select(Meeting).filter_by(plant_id=plant.id, held_on=roll.held_on, body=body)
    meeting = db.session.scalars(query).one_or_none()
    if meeting is None:
        meeting = Meeting(plant_id=plant.id, held_on=roll.held_on, body=body)
        db.session.add(meeting)
    if roll.agenda_posted_at is not None:
        meeting.agenda_posted_at = roll.agenda_posted_at
    db.session.flush()
    return meeting
