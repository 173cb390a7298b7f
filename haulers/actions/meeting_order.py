"""Votes come one after the other: no motion is put at a meeting before what it is about (§ 329-7 B(2))."""

from collections.abc import Collection, Sequence
from datetime import date

from sqlalchemy import select

from haulers.models import Application, Decision, Meeting, Motion, Referral, Revocation
from haulers.queries.motion_lines import RollCall
from haulers.states import MotionKind
from office.db import db
from office.formats import date_only
from office.letters import Letter
from ordinances.reader import Law
from ordinances.refusal import Refusal

DID = {
    MotionKind.TABLE: "was tabled", MotionKind.ASK_CHANGES: "was sent back for changes",
    MotionKind.TAKE_LATE: "was taken late",
}  # fmt: skip


def not_before(roll: RollCall, day: date, what: str) -> Refusal | None:
    """Why a meeting cannot have voted on something of a later day; ``what`` is such as "The decision was voted"."""
    if roll.held_on >= day:
        return None
    return Refusal("meeting_before", f"{what} on {date_only(day)}, after this meeting. Check the meeting date.", "")


def check_after_referrals(found: Sequence[Application], roll: RollCall) -> Refusal | None:
    """A motion on an application is put at no meeting before the one that last tabled it, sent it back or took it."""
    rows = last_referrals([one.id for one in found])
    for one in found:
        if one.id in rows:
            day, kind = rows[one.id]
            refusal = not_before(roll, day, f"Application {one.number} {DID[kind]}")
            if refusal is not None:
                return refusal
    return None


def last_referrals(application_ids: Collection[int]) -> dict[int, tuple[date, MotionKind]]:
    """The last meeting that referred each application, and how. One query."""
    rows = db.session.execute(
        select(Referral.application_id, Meeting.held_on, Referral.kind)
        .join(Motion, Motion.id == Referral.motion_id).join(Meeting, Meeting.id == Motion.meeting_id)
        .where(Referral.application_id.in_(set(application_ids))).order_by(Meeting.held_on, Referral.id)
    )  # fmt: skip
    return {ident: (day, MotionKind(kind)) for ident, day, kind in rows}


def check_after_decision(old: Decision, roll: RollCall, law: Law) -> Refusal | None:
    """A correction is voted on or after the day of the decision it corrects, and of its letter once that is out."""
    held_on = db.session.get_one(Meeting, db.session.get_one(Motion, old.motion_id).meeting_id).held_on
    refusal = not_before(roll, held_on, "The decision to be corrected was voted")
    if refusal is not None or old.letter_id is None:
        return refusal
    letter = db.session.get_one(Letter, old.letter_id)
    issued = letter.written_at.astimezone(law.zone).date()
    return not_before(roll, issued, f"Letter {letter.number}, to be corrected, was issued")


def check_after_revocation(gone: Revocation, roll: RollCall, law: Law) -> Refusal | None:
    """An approval is given back at no meeting before it was revoked in writing."""
    letter = db.session.get(Letter, gone.letter_id) if gone.letter_id is not None else None
    when = letter.written_at if letter is not None else gone.at
    return not_before(roll, when.astimezone(law.zone).date(), "The approval was revoked")
