"""What the committee's motions decided, with the meetings they were put at."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from haulers.models import (
    Amendment,
    Application,
    Approval,
    Business,
    CarryOver,
    Decision,
    Meeting,
    Motion,
    Referral,
    Vote,
)
from haulers.queries.meetings import correction_words, corrections_of, known_with
from office.db import db
from office.formats import clock_time, day_time
from office.people import Party
from office.plants import Plant


@dataclass(frozen=True)
class Recorded:
    """A motion with its meeting, roll call and what it decided."""

    motion: Motion
    meeting: Meeting
    votes: tuple[Vote, ...]
    decisions: tuple[tuple[Decision, Application], ...]
    mover: str
    seconder: str
    referrals: tuple[tuple[Referral, Application], ...] = ()
    carried_over: CarryOver | None = None
    agenda_posted: str | None = None
    # The day and time the agenda was entered, where that was after this motion was recorded; when the meeting began,
    # where it was known then.
    agenda_noted: str | None = None
    began: str | None = None
    # What was corrected of the meeting's agenda and hour, in words; the two above stay what they were at the motion.
    corrected: tuple[str, ...] = ()
    amended: tuple[tuple[Amendment, Approval, str], ...] = ()

    def count(self, ballot: str) -> int:
        """How many members voted so."""
        return sum(1 for vote in self.votes if vote.vote == ballot)


def recorded(plant_id: int, motion_id: int) -> Recorded | None:
    """One motion of a plant with everything about it."""
    motion = db.session.scalars(select(Motion).filter_by(id=motion_id, plant_id=plant_id)).one_or_none()
    if motion is None:
        return None
    meeting = db.session.get_one(Meeting, motion.meeting_id)
    votes = db.session.scalars(select(Vote).filter_by(motion_id=motion.id).order_by(Vote.person_id)).all()
    rows = db.session.execute(select(Decision, Application).join(Application, Application.id == Decision.application_id)
                              .where(Decision.motion_id == motion.id).order_by(Application.number))  # fmt: skip
    sent = db.session.execute(select(Referral, Application).join(Application, Application.id == Referral.application_id)
                              .where(Referral.motion_id == motion.id).order_by(Application.number))  # fmt: skip
    names = {vote.person_id: vote.person_name for vote in votes}
    carried = db.session.scalars(select(CarryOver).filter_by(motion_id=motion.id)).one_or_none()
    corrections, noted = corrections_of(meeting.id), meeting.agenda_noted_at
    posted, began = known_with(meeting, corrections, motion)
    zone = db.session.get_one(Plant, plant_id).tz
    began = None if _later(meeting.began_noted_at, motion) else began
    return Recorded(motion, meeting, tuple(votes), tuple((decision, one) for decision, one in rows),
                    names[motion.mover_id], names[motion.seconder_id], tuple((row, one) for row, one in sent), carried,
                    day_time(posted, zone) if posted is not None else None,
                    day_time(noted, zone) if noted is not None and _later(noted, motion) else None,
                    clock_time(began.astimezone(zone).time()) if began is not None else None,
                    tuple(correction_words(one, zone) for one in corrections), _amended(motion.id))  # fmt: skip


def _later(noted: datetime | None, motion: Motion) -> bool:
    """Whether something about the meeting was entered only after a motion of it was recorded."""
    return noted is not None and motion.recorded_at is not None and noted > motion.recorded_at


def _amended(motion_id: int) -> tuple[tuple[Amendment, Approval, str], ...]:
    """The changes of approvals a motion granted or refused, each with its hauler's name."""
    rows = db.session.execute(
        select(Amendment, Approval, Party.name).join(Approval, Approval.id == Amendment.approval_id)
        .join(Business, Business.id == Approval.business_id).join(Party, Party.id == Business.party_id)
        .where(Amendment.motion_id == motion_id).order_by(Amendment.id)
    )  # fmt: skip
    return tuple((asked, approval, name) for asked, approval, name in rows)


def motions_of(plant_id: int, since: datetime | None = None) -> list[tuple[Motion, Meeting]]:
    """Motions of a plant with their meetings, newest meeting first."""
    query = (
        select(Motion, Meeting).join(Meeting, Meeting.id == Motion.meeting_id).where(Motion.plant_id == plant_id)
        .order_by(Meeting.held_on.desc(), Motion.id.desc())
    )  # fmt: skip
    return [(motion, meeting) for motion, meeting in db.session.execute(query)]


def approval_of(application_id: int) -> Approval | None:
    """The approval an application led to: the newest, where one was reinstated."""
    query = select(Approval).filter_by(application_id=application_id).order_by(Approval.id.desc())
    return db.session.scalars(query.limit(1)).one_or_none()
