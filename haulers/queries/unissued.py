"""What was voted on and whose letter waits for the clerk: decisions, changes of approvals, approvals given back."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select, union_all

from haulers.models import Amendment, Approval, Decision, Meeting, Motion, Reinstatement
from haulers.queries.businesses import business_names
from haulers.queries.decisions import waiting_decisions
from haulers.states import AmendmentState, Outcome
from office.db import db
from office.letters import Letter

OUTCOMES = {Outcome.APPROVED: "Approved", Outcome.IN_PART: "Approved in part", Outcome.REJECTED: "Not approved"}
DECIDED = (AmendmentState.GRANTED.value, AmendmentState.REFUSED.value)


@dataclass(frozen=True)
class Unissued:
    """One letter that waits. ``id`` is that of the decision, change or reinstatement; a motion has one kind of them.

    ``winter`` and ``rest`` are gallons: of a change those on top.
    """

    id: int
    name: str
    words: str
    winter: int
    rest: int
    correction: bool = False


@dataclass(frozen=True)
class MotionLetters:
    """The letters of one motion that wait, by the number of what they are about."""

    motion: Motion
    meeting: Meeting
    rows: tuple[Unissued, ...]


def waiting_changes(plant_id: int, motion_id: int | None = None) -> list[tuple[Amendment, Approval]]:
    """Changes of approvals the committee voted on whose letter is not issued, in the order they were asked for.

    Not those withdrawn since.
    """
    query = (
        select(Amendment, Approval).join(Approval, Approval.id == Amendment.approval_id)
        .where(Amendment.plant_id == plant_id, Amendment.state.in_(DECIDED), Amendment.letter_id.is_(None))
        .order_by(Amendment.id)
    )  # fmt: skip
    if motion_id is not None:
        query = query.where(Amendment.motion_id == motion_id)
    return [(asked, approval) for asked, approval in db.session.execute(query)]


def waiting_returns(plant_id: int, day: date, motion_id: int | None = None) -> list[tuple[Reinstatement, Approval]]:
    """Revoked approvals voted to be given back whose letter is not issued; not those that would be over on a day."""
    query = (
        select(Reinstatement, Approval).join(Approval, Approval.id == Reinstatement.approval_id)
        .where(Reinstatement.plant_id == plant_id, Reinstatement.letter_id.is_(None), Approval.ends >= day)
        .order_by(Reinstatement.id)
    )  # fmt: skip
    if motion_id is not None:
        query = query.where(Reinstatement.motion_id == motion_id)
    return [(voted, approval) for voted, approval in db.session.execute(query)]


def waiting_return_of(approval_id: int) -> Reinstatement | None:
    """The vote to give an approval back whose letter is not issued yet."""
    query = select(Reinstatement).filter_by(approval_id=approval_id, letter_id=None)
    return db.session.scalars(query).one_or_none()


def letters_waiting(plant_id: int, day: date) -> int:
    """How many letters of votes the clerk has still to issue."""
    return len(waiting_decisions(plant_id)) + len(waiting_changes(plant_id)) + len(waiting_returns(plant_id, day))


def to_issue(plant_id: int, day: date, motion_id: int | None = None) -> list[MotionLetters]:
    """What waits, motion by motion, the oldest meeting first. A constant number of queries."""
    found: dict[int, list[Unissued]] = {}
    for decision, one in waiting_decisions(plant_id, motion_id):
        words = OUTCOMES[Outcome(decision.outcome)]
        found.setdefault(decision.motion_id, []).append(
            Unissued(decision.id, one.business_name, words, decision.gallons_winter, decision.gallons_rest,
                     decision.corrects_id is not None))  # fmt: skip
    changes, returns = waiting_changes(plant_id, motion_id), waiting_returns(plant_id, day, motion_id)
    names = business_names({approval.business_id for _, approval in (*changes, *returns)})
    for asked, approval in changes:
        words = f"Change of {approval.number}: {'granted' if asked.state == AmendmentState.GRANTED else 'not granted'}"
        row = Unissued(asked.id, names[approval.business_id], words, asked.granted_winter, asked.granted_rest)
        found.setdefault(asked.motion_id or 0, []).append(row)
    for voted, approval in returns:
        row = Unissued(voted.id, names[approval.business_id], f"{approval.number} given back", voted.gallons_winter,
                       voted.gallons_rest)  # fmt: skip
        found.setdefault(voted.motion_id, []).append(row)
    query = select(Motion, Meeting).join(Meeting, Meeting.id == Motion.meeting_id).where(Motion.id.in_(set(found)))
    rows = db.session.execute(query.order_by(Meeting.held_on, Motion.id))
    return [MotionLetters(motion, meeting, tuple(found[motion.id])) for motion, meeting in rows]


def issued_letters(plant_id: int, motion_id: int) -> list[Letter]:
    """The letters of a motion that are out, in the order of their numbers."""
    about = (select(model.letter_id).where(model.plant_id == plant_id, model.motion_id == motion_id)
             for model in (Decision, Amendment, Reinstatement))  # fmt: skip
    return list(db.session.scalars(select(Letter).where(Letter.id.in_(union_all(*about))).order_by(Letter.id)))
