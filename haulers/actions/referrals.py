"""Motions short of a decision: tabled, sent back for changes, a late request taken (§ 329-7 B)."""

from collections.abc import Collection, Sequence
from datetime import date, datetime

from haulers.actions.changes import COMMITTEE, open_change
from haulers.actions.decision_rules import check_filed_before, check_undecided
from haulers.actions.decisions import locked
from haulers.actions.late import take_late, tell_not_taken
from haulers.actions.motions import RECORDERS, put_motion
from haulers.actions.season_ends import season_over
from haulers.models import Application, Motion, Referral
from haulers.queries.motion_lines import RollCall
from haulers.states import ApplicationState, MotionKind
from office.access import Actor
from office.acts import act
from office.db import db, lock
from office.plants import Plant
from ordinances.calendar import season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal

PUT = {MotionKind.TABLE: "table", MotionKind.ASK_CHANGES: "send back for changes", MotionKind.TAKE_LATE: "take late"}


@act("table_applications", roles=RECORDERS)
def table_applications(plant: Plant, roll: RollCall, application_ids: Sequence[int], words: str = "", *, by: Actor,
                       at: datetime, law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion that puts applications off, and why. They stay open and their date stays what it is.

    Late requests may be among them: their haulers are told that the vote on taking them is put off.
    """
    made = _refer(plant, roll, MotionKind.TABLE, application_ids, words, by, at, law)
    if isinstance(made, Refusal):
        return made
    motion, found = made
    for one in found if motion.passed else ():
        if one.state == ApplicationState.ASKED_LATE.value:
            tell_not_taken(plant, one, motion, words, at, law)
    return motion


@act("ask_for_changes", roles=RECORDERS)
def ask_for_changes(
    plant: Plant, roll: RollCall, application_ids: Sequence[int], words: str, due_on: date | None,
    opens: Collection[str] = (), *, by: Actor, at: datetime, law: Law,
) -> Motion | Refusal:  # fmt: skip
    """Record a motion that sends applications back for changes: each hauler gets a letter and may change answers.

    ``opens`` are the parts of ``queries.opened.PARTS`` that may change, none for all. Gallons a motion asked for count
    as they are then given.
    """
    if not words.strip():
        return Refusal("no_words", "Enter what is to be changed: the hauler reads this.", "")
    made = _refer(plant, roll, MotionKind.ASK_CHANGES, application_ids, words, by, at, law)
    if isinstance(made, Refusal):
        return made
    motion, found = made
    for one in found if motion.passed else ():
        change = open_change(plant, one, COMMITTEE, words, due_on, motion.id, opens, by=by, at=at, law=law)
        if isinstance(change, Refusal):
            return change
    return motion


@act("take_late_requests", roles=RECORDERS)
def take_late_requests(plant: Plant, roll: RollCall, application_ids: Sequence[int], *, by: Actor, at: datetime,
                       law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion on taking late requests; carried, they stand in the committee's table under their own numbers.

    Where it does not carry their haulers are told.
    """
    made = _refer(plant, roll, MotionKind.TAKE_LATE, application_ids, "", by, at, law)
    if isinstance(made, Refusal):
        return made
    motion, found = made
    if not motion.passed:
        for one in found:
            tell_not_taken(plant, one, motion, "", at, law)
        return motion
    taken = take_late(plant, [one.id for one in found], motion.id, by=by, at=at, law=law)
    return taken if isinstance(taken, Refusal) else motion


def _refer(plant: Plant, roll: RollCall, kind: MotionKind, application_ids: Sequence[int], words: str, by: Actor,
           at: datetime, law: Law) -> tuple[Motion, list[Application]] | Refusal:  # fmt: skip
    lock(Plant, plant.id)
    found = locked(plant, application_ids)
    if isinstance(found, Refusal):
        return found
    refusal = (_check_kind(found, kind) or season_over(season_named(law, found[0].season), law, at)
               or check_filed_before(found, roll, law))  # fmt: skip
    if refusal is not None:
        return refusal
    about = [f"{one.number}, {one.business_name}: {PUT[kind]}. {words.strip()}".strip() for one in found]
    motion = put_motion(plant, roll, kind, [one.business_id for one in found], about, by=by, at=at, law=law)
    if isinstance(motion, Refusal):
        return motion
    for one in found if motion.passed else ():
        db.session.add(Referral(plant_id=plant.id, motion_id=motion.id, application_id=one.id, kind=kind.value,
                                words=words.strip()))  # fmt: skip
    db.session.flush()
    return motion, found


def _check_kind(found: Sequence[Application], kind: MotionKind) -> Refusal | None:
    """Late requests are taken, or tabled; what is before the committee is tabled or sent back."""
    if kind is MotionKind.TAKE_LATE:
        return _check_late(found)
    late = [one for one in found if kind is MotionKind.TABLE and one.state == ApplicationState.ASKED_LATE.value]
    return check_undecided([one for one in found if one not in late])


def _check_late(found: Sequence[Application]) -> Refusal | None:
    for one in found:
        if one.state != ApplicationState.ASKED_LATE.value:
            why = f"Application {one.number} of {one.business_name} is no late request that waits to be taken."
            return Refusal("not_late_request", why, "")
    return None
