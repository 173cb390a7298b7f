"""A correction names what it corrects: the day, the motion and what it said (§ 329-7 B(2))."""

from haulers.actions.motion_words import amount_words
from haulers.models import Application, Decision, Meeting, Motion
from haulers.queries.words import ended
from haulers.states import Outcome
from office.db import db
from office.formats import date_only
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


def corrected_since(one: Application, newer: Decision, law: Law) -> Refusal:
    """Why a decision is not corrected that another correction replaced meanwhile; ``details`` name that motion."""
    motion = db.session.get_one(Motion, newer.motion_id)
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    why = (f"The decision on application {one.number} of {one.business_name} was corrected meanwhile by the motion of "
           f"{date_only(held_on)}: {said_before(newer)}.")  # fmt: skip
    step = "What you typed was not recorded. Read that motion, and correct it there if it is wrong too."
    return Refusal("corrected_since", why, law.cite("decision.body", held_on), next_step=step,
                   details={"motion_id": motion.id})  # fmt: skip
