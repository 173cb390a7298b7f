"""A motion put at a meeting, recorded with its roll call, whether it carried or not (§ 329-7 B(2))."""

from collections.abc import Collection, Sequence
from datetime import datetime

from haulers.actions.meetings import body_words, put_meeting
from haulers.actions.roll_call import (
    check_conflicts,
    check_interests,
    check_past,
    check_roll,
    interested_members,
    lost_why,
)
from haulers.models import Motion, Vote
from haulers.queries.motion_lines import RollCall
from haulers.queries.sitting import members_on, span_of
from haulers.states import MotionKind
from office.access import Actor, Role
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

# Who may record what the committee did: every act that begins with a motion has these roles, and its pages too.
RECORDERS = (Role.MEMBER, Role.CLERK)
# Who reads what comes before the committee and what it did.
READERS = (*RECORDERS, Role.DIRECTOR)
__all__ = ["READERS", "RECORDERS", "body_words", "put_motion"]


def put_motion(plant: Plant, roll: RollCall, kind: MotionKind, business_ids: Collection[int], about: Sequence[str], *,
               by: Actor, at: datetime, law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion about some businesses with its meeting and votes: the first step of an act, not one itself.

    One that failed, tied or had no quorum is recorded too: ``passed`` is False, ``lost`` says why, and the act that
    called does nothing more. ``about``: what is put to the vote, a sentence each. The roll is of those who sat on the
    day of the meeting, and what they acted for then counts. Refused: a roll call that is not whole, a member recused
    without a conflict, a vote or record on one's own business, another time than was recorded of the meeting.
    """
    lock(Plant, plant.id)
    future = check_past(roll, law, at)
    if future is not None:
        return future
    span = span_of(roll.held_on, roll.began, law.zone)
    sitting = {person.id: person for person in members_on(plant, span)}
    refusal = check_roll(sitting, roll, law) or check_interests(business_ids, roll, sitting, by, law, at)
    if refusal is not None:
        return refusal
    conflicts = check_conflicts(roll, sitting, interested_members(business_ids, roll, span), law, at)
    if isinstance(conflicts, Refusal):
        return conflicts
    meeting = put_meeting(plant, roll, at, law)
    if isinstance(meeting, Refusal):
        return meeting
    lost = lost_why(roll, law)
    motion = Motion(
        plant_id=plant.id, meeting_id=meeting.id, words=roll.words.strip(), mover_id=roll.mover_id,
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
