"""Votes come one after the other: no motion is put at a meeting before what it is about (§ 329-7 B(2))."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.meetings import began_at, meeting_on
from haulers.models import Application, Decision, Meeting, Motion, Referral, Revocation
from haulers.queries.motion_lines import RollCall
from haulers.queries.words import ended
from haulers.states import MotionKind
from office.db import db
from office.formats import clock_time, date_only
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


def begun_by(plant_id: int, roll: RollCall, came: datetime, law: Law) -> datetime | None:
    """When the meeting had begun, for what came on its day and not before; None for all else, and with no hour known.

    The hour is the one typed, or the one recorded with an earlier motion of that evening.
    """
    if came.astimezone(law.zone).date() != roll.held_on:
        return None
    held = meeting_on(plant_id, roll.held_on) if roll.began is None else None
    began = held.began_at if held is not None else began_at(roll, law)
    return began if began is not None and came >= began else None


def not_before_begun(plant_id: int, roll: RollCall, came: datetime, what: str, law: Law,
                     code: str = "meeting_before") -> Refusal | None:  # fmt: skip
    """Why a meeting cannot have voted on what was not there when it began: by the instant, or by the day where the
    hour of the meeting is not known. ``what`` is such as "The approval was revoked".
    """
    began = begun_by(plant_id, roll, came, law)
    if began is None:
        return not_before(roll, came.astimezone(law.zone).date(), what)
    why = ended(f"{what} at {clock_time(came, law.zone)} on {date_only(came, law.zone)}, not before the meeting began "
                f"at {clock_time(began, law.zone)}")  # fmt: skip
    return Refusal(code, f"{why} Check the day and the hour of the meeting.", law.cite("decision.body", roll.held_on))


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
    """A correction is voted on or after the day of the decision it corrects, and after its letter once that is out.

    At the meeting of the decision itself the day is enough: its letter may be issued while the meeting goes on.
    """
    held_on = db.session.get_one(Meeting, db.session.get_one(Motion, old.motion_id).meeting_id).held_on
    refusal = not_before(roll, held_on, "The decision to be corrected was voted")
    if refusal is not None or old.letter_id is None:
        return refusal
    letter = db.session.get_one(Letter, old.letter_id)
    what = f"Letter {letter.number}, to be corrected, was issued"
    if held_on == roll.held_on:
        return not_before(roll, letter.written_at.astimezone(law.zone).date(), what)
    return not_before_begun(old.plant_id, roll, letter.written_at, what, law)


def check_after_revocation(gone: Revocation, roll: RollCall, law: Law) -> Refusal | None:
    """An approval is given back at no meeting before it was revoked in writing."""
    letter = db.session.get(Letter, gone.letter_id) if gone.letter_id is not None else None
    when = letter.written_at if letter is not None else gone.at
    return not_before_begun(gone.plant_id, roll, when, "The approval was revoked", law)
