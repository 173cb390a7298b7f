"""Giving a revoked approval back by a motion of the committee (§ 329-7 G).

The new approval, which names the old, is made with the letter the clerk issues (``issue_returns``).
"""

from datetime import date, datetime

from haulers.actions.decision_rules import check_capacity
from haulers.actions.meeting_order import check_after_revocation
from haulers.actions.motion_words import ACCEPTED, amount_words
from haulers.actions.motions import RECORDERS, put_motion
from haulers.models import Approval, Motion, Reinstatement
from haulers.queries import approval as approval_at
from haulers.queries import lock_approval, party_of_business, revocation_of
from haulers.queries.approvals import allowances_of, replacement_of
from haulers.queries.motion_lines import RollCall
from haulers.queries.unissued import waiting_changes, waiting_return_of
from haulers.queries.words import ended
from haulers.states import MotionKind
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.formats import date_only
from office.journal import because
from office.plants import Plant
from ordinances.calendar import season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal


def check_reinstatement(plant: Plant, approval_id: int, reason: str, starts: date, at: datetime, law: Law) -> (
    Approval | Refusal
):  # fmt: skip
    """The revoked approval, or why it cannot be given back."""
    found, today = approval_at(plant.id, approval_id), at.astimezone(law.zone).date()
    if found is None:
        return Refusal("no_approval", "There is no such approval.", "")
    if revocation_of(found.id) is None:
        return Refusal("not_revoked", f"Approval {found.number} is not revoked.", "")
    settled = _settled(plant, found)
    if settled is not None:
        return settled
    if not reason.strip():
        return Refusal("no_reason", "Enter the reason.", law.cite("decision.body", today))
    if not today <= starts <= found.ends:
        why = f"The first day must be today or later, and {date_only(found.ends)} or earlier."
        return Refusal("no_day", why, law.cite("approval.to", today))
    return found


def _settled(plant: Plant, found: Approval) -> Refusal | None:
    """Given back already, or voted to be; or a letter waits of a change that would be lost."""
    newer = replacement_of(found.id)
    if newer is not None:
        return Refusal("reinstated_before", f"Approval {found.number} was given back as {newer.number}.", "")
    if waiting_return_of(found.id) is not None:
        return Refusal("voted_before", f"The committee has voted to give approval {found.number} back.", "",
                       next_step="The clerk issues its letter.")  # fmt: skip
    if any(one.id == found.id for _, one in waiting_changes(plant.id)):
        return Refusal("change_waits", f"The letter of a change of approval {found.number} is not issued.", "",
                       next_step="The clerk issues it first.")  # fmt: skip
    return None


@act("reinstate_approval", roles=RECORDERS)
def reinstate_approval(plant: Plant, approval_id: int, roll: RollCall, reason: str, starts: date,
                       over_capacity: bool = False, *, by: Actor, at: datetime, law: Law) -> (
    Motion | Refusal
):  # fmt: skip
    """Record the motion; when it carried, what was voted. The new approval comes with the letter the clerk issues.

    It has the gallons, limits, plan and waste of the old one. The revocation stays on record. ``over_capacity``: the
    committee accepts more than the plant can take.
    """
    lock(Plant, plant.id)
    if approval_at(plant.id, approval_id) is not None:
        lock_approval(approval_id)
    old = check_reinstatement(plant, approval_id, reason, starts, at, law)
    if isinstance(old, Refusal):
        return old
    gone = revocation_of(old.id)
    early = check_after_revocation(gone, roll, law) if gone is not None else None
    if early is not None:
        return early
    motion = put_motion(plant, roll, MotionKind.REINSTATE, [old.business_id], [_about(old, starts, reason)], by=by,
                        at=at, law=law)  # fmt: skip
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    over = _check_room(plant, old, over_capacity, at, law)
    if isinstance(over, Refusal):
        return over
    motion.about = [*motion.about, ACCEPTED] if over else motion.about
    winter, rest = allowances_of([old])[old.id]
    db.session.add(Reinstatement(plant_id=plant.id, motion_id=motion.id, approval_id=old.id, starts=starts,
                                 gallons_winter=winter, gallons_rest=rest, reason=reason.strip()))  # fmt: skip
    db.session.flush()
    because(reason.strip(), law.cite("decision.body", at.astimezone(law.zone).date()))
    return motion


def _check_room(plant: Plant, old: Approval, accepted: bool, at: datetime, law: Law) -> bool | Refusal:
    """The gallons given back against what the plant can take without the revoked approval."""
    gone = revocation_of(old.id)
    when = max(at, gone.at) if gone is not None else at
    return check_capacity(plant, season_named(law, old.season), allowances_of([old])[old.id], accepted, law, when)


def _about(old: Approval, starts: date, reason: str) -> str:
    """What was put to the vote."""
    name = party_of_business(old.business_id).name
    return (f"{old.number}, {name}: give the approval back from {date_only(starts)}, "
            f"{amount_words(*allowances_of([old])[old.id])}. {ended(reason.strip())}")  # fmt: skip
