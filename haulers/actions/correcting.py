"""Correcting what a decision was recorded as, by a motion of its own (§ 329-7 B(2)): never a revocation (§ 329-7 G)."""

from datetime import datetime

from haulers.actions.corrections import corrected_since, corrects_words, takes_away
from haulers.actions.decision_rules import DecisionLine, check_filed_before
from haulers.actions.decisions import about_lines, asked_for, check_lines, conditions_of, locked, write_decisions
from haulers.actions.departures import check_departures, departure_words, suggested_before
from haulers.actions.meeting_order import check_after_decision
from haulers.actions.motions import RECORDERS, put_motion
from haulers.actions.season_ends import season_over
from haulers.actions.taken_gallons import below_taken
from haulers.actions.taken_in import change_put, check_change
from haulers.models import Application, Approval, Decision, Motion
from haulers.queries import revocation_of
from haulers.queries.committee import approval_of
from haulers.queries.decisions import current_decisions
from haulers.queries.motion_lines import RollCall
from haulers.queries.words import ended
from haulers.states import MotionKind, Outcome
from office.access import Actor
from office.acts import act
from office.db import lock
from office.plants import Plant
from ordinances.calendar import season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal

NOT_DECIDED = Refusal("not_decided", "This application is not decided yet: record a decision.", "")


@act("correct_decision", roles=RECORDERS)
def correct_decision(
    plant: Plant, roll: RollCall, line: DecisionLine, over_capacity: bool = False, corrects_id: int | None = None,
    wrong: str = "", misrecorded: bool = False, *, by: Actor, at: datetime, law: Law,
) -> Motion | Refusal:  # fmt: skip
    """Record by a motion what a decision should have said; the old one stays and is named by the new.

    ``wrong`` is what was wrong. Once a letter of approval is out a correction takes nothing from it, unless the
    decision was recorded otherwise than voted (``misrecorded``), and never what is unloaded or booked: that is a
    revocation (§ 329-7 G). ``corrects_id`` is the decision whoever corrects has read: ``corrected_since`` where another
    correction replaced it. With ``line.change_id`` it decides on the application as changed after the vote.
    """
    lock(Plant, plant.id)
    pair = _to_correct(plant, line, corrects_id, law)
    if isinstance(pair, Refusal):
        return pair
    one, old = pair
    found = [one]
    refusal = (
        _check_approval(one, line, law, at) or season_over(season_named(law, one.season), law, at)
        or check_filed_before(found, roll, law) or check_after_decision(old, roll, law)
        or check_change(line, one, roll, law) or check_lines(found, [line], law)
        or _check_correction(one, old, line, wrong, misrecorded, law, at)
    )  # fmt: skip
    if refusal is not None:
        return refusal
    suggested = suggested_before(one, old, asked_for(line, one))
    refusal = check_departures(found, [line], suggested, season_named(law, one.season), law)
    if refusal is not None:
        return refusal
    why, said = departure_words(line, suggested.get(one.id)), wrong_words(wrong, misrecorded)
    about = " ".join(filter(None, (about_lines(found, [line], law)[0], why, change_put(line, law), corrects_words(old),
                                   f"What was wrong: {said}")))  # fmt: skip
    motion = put_motion(plant, roll, MotionKind.CORRECT, [one.business_id], [about], by=by, at=at, law=law)
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    return write_decisions(plant, motion, found, [line], over_capacity, {one.id: old}, at, law, [why], suggested,
                           said) or motion  # fmt: skip


def _to_correct(plant: Plant, line: DecisionLine, corrects_id: int | None,
                law: Law) -> tuple[Application, Decision] | Refusal:  # fmt: skip
    """The application, locked, and the decision that holds for it, which must be the one that was read."""
    found = locked(plant, [line.application_id])
    if isinstance(found, Refusal):
        return found
    old = current_decisions([found[0].id]).get(found[0].id)
    if old is None:
        return NOT_DECIDED
    if corrects_id is not None and old.id != corrects_id:
        return corrected_since(found[0], old, law)
    return found[0], old


def wrong_words(wrong: str, misrecorded: bool) -> str:
    """What was wrong, in words the record keeps: "It was recorded otherwise than voted. A figure was misread." """
    return f"{'It was recorded otherwise than voted. ' if misrecorded else ''}{ended(wrong.strip())}"


def _check_approval(one: Application, line: DecisionLine, law: Law, at: datetime) -> Refusal | None:
    """Why the decision behind an approval is not corrected at all."""
    approval, day = approval_of(one.id), at.astimezone(law.zone).date()
    if approval is None:
        return None
    cite = law.cite("revocation.by", day)
    if revocation_of(approval.id) is not None:
        return Refusal("revoked", f"Approval {approval.number} is revoked, so its decision is not corrected.", cite)
    if approval.replaces_id is not None:
        why = f"Approval {approval.number} was given back by a motion of its own, so this decision is not corrected."
        return Refusal("reinstated", why, law.cite("decision.body", day))
    if line.outcome is Outcome.REJECTED:
        why = f"Approval {approval.number} is issued: a correction cannot take it away."
        return Refusal("issued", why, cite, next_step="The public works director may revoke it.",
                       details={"application_id": one.id})  # fmt: skip
    return None


def _check_correction(one: Application, old: Decision, line: DecisionLine, wrong: str, misrecorded: bool, law: Law,
                      at: datetime) -> Refusal | None:  # fmt: skip
    """What was wrong is said, something changes, and nothing is taken from an approval but by a wrong record."""
    day = at.astimezone(law.zone).date()
    if _same(one, old, line, law):
        return Refusal("nothing_changed", "This is what was recorded: nothing is corrected yet.", "")
    if not wrong.strip():
        why = "Enter what was wrong with the decision as recorded."
        return Refusal("no_wrong", why, law.cite("decision.body", day))
    approval = approval_of(one.id)
    if approval is None:
        return None
    return _check_taking(approval, old, line, misrecorded, law, at) or below_taken(
        approval, line.gallons_winter, line.gallons_rest, law, at)  # fmt: skip


def _check_taking(approval: Approval, old: Decision, line: DecisionLine, misrecorded: bool, law: Law,
                  at: datetime) -> Refusal | None:  # fmt: skip
    taken = "" if misrecorded else takes_away(old, line)
    if not taken:
        return None
    why = (f"This takes {taken} from approval {approval.number}, which is issued. A correction only says what the "
           "committee voted; an approval is taken away by revoking it.")  # fmt: skip
    step = ("If the decision was recorded otherwise than it was voted, tick that it was. If not, the public works "
            "director may revoke the approval in writing.")  # fmt: skip
    return Refusal("takes_away", why, law.cite("revocation.by", at.astimezone(law.zone).date()), next_step=step,
                   details={"application_id": approval.application_id})  # fmt: skip


def _same(one: Application, old: Decision, line: DecisionLine, law: Law) -> bool:
    """Whether a correction says just what the decision says."""
    limits = sorted((each.waste, each.period.value, each.gallons, each.hard) for each in line.allowances)
    before = sorted((each["waste"], each["period"], each["gallons"], each["hard"]) for each in old.allowances)
    conditions = conditions_of(line, season_named(law, one.season), law)
    return (line.outcome.value, line.gallons_winter, line.gallons_rest, line.reason_code, line.reason.strip(),
            line.change_id, limits, conditions) == (
        old.outcome, old.gallons_winter, old.gallons_rest, old.reason_code, old.reason, old.change_id, before,
        list(old.conditions))  # fmt: skip
