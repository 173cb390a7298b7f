"""Issuing what was voted on a revoked approval: the new approval that takes its place, its letter and the messages."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime

from haulers.actions.approval_numbers import next_number
from haulers.actions.decision_letters import signer
from haulers.actions.kept_words import book_again, where_kept
from haulers.actions.motions import body_words
from haulers.actions.standing_plan import state_anew
from haulers.models import AllowanceLine, Approval, Decision, Meeting, Motion, Reinstatement
from haulers.queries import lock_approval, party_of_business, waste_words
from haulers.queries.approvals import limits_of
from haulers.queries.approved_trucks import approved_trucks
from haulers.queries.coverage import covered
from haulers.queries.unissued import waiting_returns
from office import letters
from office.access import Actor, Role
from office.db import db
from office.formats import date_only, day, gallons
from office.letters import Letter
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


def issue_returns(plant: Plant, motion: Motion, only: Collection[int] | None, by: Actor, at: datetime,
                  law: Law) -> list[Letter] | Refusal:  # fmt: skip
    """Make the approval a motion voted to give back, with its letter, inside ``issue_letters``.

    It has the limits, plan, trucks and waste of the old one, and what was unloaded under that counts on. It begins on
    the day voted, or on the day of its letter where that is later. Bookings of the old one stay ended.
    """
    today = at.astimezone(law.zone).date()
    for _, old in waiting_returns(plant.id, today, motion.id):
        lock_approval(old.id)
    chosen = [pair for pair in waiting_returns(plant.id, today, motion.id) if only is None or pair[0].id in only]
    if not chosen:
        return Refusal("nothing_to_issue", "No letter of this motion waits to be issued.", "")
    return [_issue(plant, motion, voted, old, by, at, law) for voted, old in chosen]


def _issue(plant: Plant, motion: Motion, voted: Reinstatement, old: Approval, by: Actor, at: datetime,
           law: Law) -> Letter:  # fmt: skip
    new = _copy(plant, voted, old, at, law)
    letter = _write(plant, motion, voted, old, new, by, at, law)
    voted.letter_id = letter.id
    db.session.flush()
    _tell(plant, motion, old, new, letter, at, law)
    return letter


def _copy(plant: Plant, voted: Reinstatement, old: Approval, at: datetime, law: Law) -> Approval:
    new = Approval(
        plant_id=plant.id, application_id=old.application_id, decision_id=old.decision_id, replaces_id=old.id,
        business_id=old.business_id, number=next_number(plant, old.season), season=old.season,
        starts=max(voted.starts, at.astimezone(law.zone).date()), ends=old.ends, gallons_winter=voted.gallons_winter,
        gallons_rest=voted.gallons_rest, plan=old.plan, law_version=law.version,
        trucks=[asdict(one) for one in approved_trucks(old)],
    )  # fmt: skip
    db.session.add(new)
    db.session.flush()
    for one in limits_of(old.id):
        db.session.add(AllowanceLine(plant_id=plant.id, approval_id=new.id, waste=one.waste, period=one.period,
                                     gallons=one.gallons, hard=one.hard))  # fmt: skip
    db.session.flush()
    state_anew(plant, new, law)
    return new


def _write(plant: Plant, motion: Motion, voted: Reinstatement, old: Approval, new: Approval, by: Actor, at: datetime,
           law: Law) -> Letter:  # fmt: skip
    held_on, party = db.session.get_one(Meeting, motion.meeting_id).held_on, party_of_business(new.business_id)
    data: dict[str, object] = {
        "approval": new.number, "old": old.number, "season": new.season, "starts": day(new.starts),
        "ends": day(new.ends), "winter": gallons(new.gallons_winter), "rest": gallons(new.gallons_rest),
        "covers": waste_words(covered(new)), "reason": voted.reason.splitlines(), "body": body_words(law, held_on),
        "held_on": date_only(held_on), "cite": law.cite("decision.body", held_on), "signature": signer(by),
        "conditions": db.session.get_one(Decision, new.decision_id).conditions, "again": book_again(plant, party, at),
    }  # fmt: skip
    title = f"Approval {new.number} in place of {old.number}"
    return letters.write(plant, party, "reinstatement", title, data, at, law_version=law.version)


def _tell(plant: Plant, motion: Motion, old: Approval, new: Approval, letter: Letter, at: datetime, law: Law) -> None:
    held_on, party = db.session.get_one(Meeting, motion.meeting_id).held_on, party_of_business(new.business_id)
    words = (
        f"The {body_words(law, held_on)} decided on {date_only(held_on)} to give {party.name} an approval again: "
        f"{new.number}, from {date_only(new.starts)} to {date_only(new.ends)}, in place of {old.number}, which was "
        "revoked."
    )
    tell_party(
        party, "reinstatement", f"You are approved again to unload septage from {date_only(new.starts)}",
        f"{words}\n\nEarlier bookings stay ended: {book_again(plant, party, at)}. What was unloaded before counts.\n\n"
        f"{where_kept(letter, party, at)}\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in (Role.DIRECTOR, Role.CLERK, Role.OPERATOR):
        tell_role(role, "reinstatement", f"Approved again: {party.name}, {new.number}", words, at, plant_id=plant.id)
