"""Giving a revoked approval back by a motion of the committee, as a new approval that names the old (§ 329-7 G)."""

from datetime import date, datetime

from haulers.actions.decision_letters import of_the_body
from haulers.actions.decision_rules import check_capacity
from haulers.actions.issue import APPROVAL
from haulers.actions.motion_words import ACCEPTED, amount_words
from haulers.actions.motions import RECORDERS, body_words, put_motion
from haulers.models import AllowanceLine, Approval, Decision, Motion
from haulers.queries import approval as approval_at
from haulers.queries import lock_approval, party_of_business, revocation_of, waste_words
from haulers.queries.approvals import allowances_of, limits_of, replacement_of
from haulers.queries.coverage import covered
from haulers.queries.motion_lines import RollCall
from haulers.queries.words import ended
from haulers.states import MotionKind
from office import letters, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only, day, gallons
from office.journal import because
from office.notices import tell_party, tell_role
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
    newer = replacement_of(found.id)
    if newer is not None:
        return Refusal("reinstated_before", f"Approval {found.number} was given back as {newer.number}.", "")
    if not reason.strip():
        return Refusal("no_reason", "Enter the reason.", law.cite("decision.body", today))
    if not today <= starts <= found.ends:
        why = f"The first day must be today or later, and {date_only(found.ends)} or earlier."
        return Refusal("no_day", why, law.cite("approval.to", today))
    return found


@act("reinstate_approval", roles=RECORDERS)
def reinstate_approval(plant: Plant, approval_id: int, roll: RollCall, reason: str, starts: date,
                       over_capacity: bool = False, *, by: Actor, at: datetime, law: Law) -> (
    Motion | Refusal
):  # fmt: skip
    """Record the motion; when it carried, make the new approval, its letter and the notices.

    It has the gallons, limits, plan and waste of the old one, and what was unloaded under that counts on. Bookings of
    the old one stay ended. The revocation stays on record. ``over_capacity``: the committee accepts more than the
    plant can take.
    """
    lock(Plant, plant.id)
    if approval_at(plant.id, approval_id) is not None:
        lock_approval(approval_id)
    old = check_reinstatement(plant, approval_id, reason, starts, at, law)
    if isinstance(old, Refusal):
        return old
    motion = put_motion(plant, roll, MotionKind.REINSTATE, [old.business_id], [_about(old, None, starts, reason)],
                        by=by, at=at, law=law)  # fmt: skip
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    over = _check_room(plant, old, over_capacity, at, law)
    if isinstance(over, Refusal):
        return over
    new = _copy(plant, old, starts, law)
    motion.about = [_about(old, new, starts, reason), *([ACCEPTED] if over else [])]
    because(reason.strip(), law.cite("decision.body", at.astimezone(law.zone).date()))
    _tell(plant, old, new, reason, roll.held_on, at, law)
    return motion


def _check_room(plant: Plant, old: Approval, accepted: bool, at: datetime, law: Law) -> bool | Refusal:
    """The gallons given back against what the plant can take without the revoked approval."""
    gone = revocation_of(old.id)
    when = max(at, gone.at) if gone is not None else at
    return check_capacity(plant, season_named(law, old.season), allowances_of([old])[old.id], accepted, law, when)


def _about(old: Approval, new: Approval | None, starts: date, reason: str) -> str:
    """What was put to the vote, and once it carried which approval it made."""
    done = f"given back as {new.number}" if new is not None else "give the approval back"
    return (f"{old.number}, {party_of_business(old.business_id).name}: {done} from {date_only(starts)}, "
            f"{amount_words(*allowances_of([old])[old.id])}. {ended(reason.strip())}")  # fmt: skip


def _copy(plant: Plant, old: Approval, starts: date, law: Law) -> Approval:
    winter, rest = allowances_of([old])[old.id]
    new = Approval(
        plant_id=plant.id, application_id=old.application_id, decision_id=old.decision_id, replaces_id=old.id,
        business_id=old.business_id, number=f"A-{old.season}-{numbers.take(plant.id, APPROVAL, old.season):03d}",
        season=old.season, starts=starts, ends=old.ends, gallons_winter=winter, gallons_rest=rest, plan=old.plan,
        law_version=law.version,
    )  # fmt: skip
    db.session.add(new)
    db.session.flush()
    for one in limits_of(old.id):
        db.session.add(AllowanceLine(plant_id=plant.id, approval_id=new.id, waste=one.waste, period=one.period,
                                     gallons=one.gallons, hard=one.hard))  # fmt: skip
    db.session.flush()
    return new


def _tell(plant: Plant, old: Approval, new: Approval, reason: str, held_on: date, at: datetime, law: Law) -> None:
    party, body = party_of_business(new.business_id), body_words(law, held_on)
    data: dict[str, object] = {
        "approval": new.number, "old": old.number, "season": new.season, "starts": day(new.starts),
        "ends": day(new.ends), "winter": gallons(new.gallons_winter), "rest": gallons(new.gallons_rest),
        "covers": waste_words(covered(new)), "reason": reason.strip().splitlines(), "body": body,
        "held_on": date_only(held_on), "cite": law.cite("decision.body", held_on),
        "signature": of_the_body(plant, body),
        "conditions": db.session.get_one(Decision, new.decision_id).conditions,
    }  # fmt: skip
    title = f"Approval {new.number} in place of {old.number}"
    letter = letters.write(plant, party, "reinstatement", title, data, at, law_version=law.version)
    words = (
        f"The {body} decided on {date_only(held_on)} to give {party.name} an approval again: {new.number}, from "
        f"{date_only(new.starts)} to {date_only(new.ends)}, in place of {old.number}, which was revoked."
    )
    tell_party(
        party, "reinstatement", f"You are approved again to unload septage from {date_only(new.starts)}",
        f"{words}\n\nEarlier bookings stay ended: book again. What was unloaded before counts.\n\n"
        f"Letter {letter.number} is in your account under Letters.\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in (Role.DIRECTOR, Role.CLERK, Role.OPERATOR):
        tell_role(role, "reinstatement", f"Approved again: {party.name}, {new.number}", words, at, plant_id=plant.id)
