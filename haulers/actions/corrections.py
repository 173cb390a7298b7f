"""A correction names what it corrects: the day, the motion and what it said (§ 329-7 B(2))."""

from haulers.actions.motion_words import amount_words
from haulers.actions.plans import limit_words
from haulers.models import Application, Decision, Meeting, Motion
from haulers.queries.motion_lines import DecisionLine
from haulers.queries.words import ended
from haulers.states import Outcome
from office.db import db
from office.formats import date_only, volume
from ordinances.reader import Law
from ordinances.refusal import Refusal

SAID = {Outcome.APPROVED: "approved", Outcome.IN_PART: "approved in part", Outcome.REJECTED: "not approved"}


def said_before(old: Decision) -> str:
    """ "approved in part, 5,000 gallons in winter and 8,000 in the rest of the year"."""
    outcome = Outcome(old.outcome)
    amounts = f", {amount_words(old.gallons_winter, old.gallons_rest)}" if outcome is not Outcome.REJECTED else ""
    return f"{SAID[outcome]}{amounts}"


def corrects_words(old: Decision) -> str:
    """What a correction corrects, in a sentence with the day of the vote and its motion."""
    motion = db.session.get_one(Motion, old.motion_id)
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    return ended(f"This corrects the decision of {date_only(held_on)} (motion: “{motion.words}”), which was: "
                 f"{said_before(old)}")  # fmt: skip


def takes_away(old: Decision, line: DecisionLine) -> str:
    """What a correction takes from the decision it corrects: gallons, or room under a firm limit; "" for nothing."""
    said = [f"{volume(before - now)} {part}" for before, now, part in (
        (old.gallons_winter, line.gallons_winter, "in winter"),
        (old.gallons_rest, line.gallons_rest, "in the rest of the year")) if now < before]  # fmt: skip
    firm = {(each["waste"], each["period"]): each["gallons"] for each in old.allowances if each["hard"]}
    lower = [vars(each) for each in line.allowances
             if each.hard and each.gallons < firm.get((each.waste, each.period.value), each.gallons + 1)]  # fmt: skip
    if lower:
        said.append(f"room by a lower limit ({limit_words(lower).rstrip('.')})")
    return " and ".join(said)


def differences(old: Decision, new: Decision) -> str:
    """What the letter of a decision said and the one that corrects it does not, for the letter of that.

    What is said now of reasons, limits and conditions stands in the letter itself.
    """
    was, now = said_before(old), said_before(new)
    said = f"That letter said: {was}. Now it is: {now}." if was != now else f"That letter too said: {was}."
    rows = [("reason", old.reason or "none", new.reason or "none"),
            ("limits", limit_words(old.allowances) or "none", limit_words(new.allowances) or "none"),
            ("conditions added", _added(old), _added(new))]  # fmt: skip
    other = [f"{what}: {ended(before)}" for what, before, after in rows if before != after]
    return " ".join([said, *(f"That letter's {one}" for one in other)])


def _added(decision: Decision) -> str:
    if decision.outcome == Outcome.REJECTED.value:
        return "none"
    return " ".join(ended(one["text"]) for one in decision.conditions if not one["cite"]) or "none"


def corrected_since(one: Application, newer: Decision, law: Law) -> Refusal:
    """Why a decision is not corrected that another correction replaced meanwhile; ``details`` name that motion."""
    motion = db.session.get_one(Motion, newer.motion_id)
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    why = (f"The decision on application {one.number} of {one.business_name} was corrected meanwhile by the motion of "
           f"{date_only(held_on)}: {said_before(newer)}.")  # fmt: skip
    step = "What you typed was not recorded. Read that motion, and correct it there if it is wrong too."
    return Refusal("corrected_since", why, law.cite("decision.body", held_on), next_step=step,
                   details={"motion_id": motion.id})  # fmt: skip
