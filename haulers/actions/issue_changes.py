"""Issuing what was voted on a change of an approval: its letter, and with it the change itself (§ 329-7 B(2)).

Until then the approval stays as it was, and the hauler's request reads as not decided.
"""

from collections.abc import Collection
from datetime import datetime

from haulers.actions.amendments import KINDS, new_words, old_words, stands
from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.kept_words import where_kept
from haulers.actions.motions import body_words
from haulers.actions.standing_plan import state_anew
from haulers.actions.truck_fees import charge_trucks
from haulers.actions.trucks import put_approved
from haulers.models import Amendment, Approval, Business, Meeting, Motion
from haulers.queries import TruckLine, lock_approval, party_of_business, revocation_of
from haulers.queries.approved_trucks import approved_trucks, with_truck
from haulers.queries.coverage import in_order
from haulers.queries.unissued import waiting_changes
from haulers.queries.words import ended
from haulers.states import AmendmentState
from office import letters
from office.access import Actor
from office.db import db, lock
from office.formats import date_only, gallons, volume
from office.letters import Letter
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal


def issue_changes(plant: Plant, motion: Motion, only: Collection[int] | None, by: Actor, at: datetime,
                  law: Law) -> list[Letter] | Refusal:  # fmt: skip
    """Issue the letters of the changes a motion voted on, or ``only`` some by id: all or none of them.

    One not granted as asked carries the review rights; without their text no such letter is made.
    """
    for ident in sorted({found.id for _, found in waiting_changes(plant.id, motion.id)}):
        lock_approval(ident)
    for ident in sorted(asked.id for asked, _ in waiting_changes(plant.id, motion.id)):
        lock(Amendment, ident)  # its hauler may be withdrawing it at this moment
    chosen = [pair for pair in waiting_changes(plant.id, motion.id) if only is None or pair[0].id in only]
    if not chosen:
        return Refusal("nothing_to_issue", "No letter of this motion waits to be issued.", "")
    if not all(whole(asked) for asked, _ in chosen):
        refusal = review_block_missing(law, at.astimezone(law.zone).date())
        if refusal is not None:
            return refusal
    made: list[Letter] = []
    for asked, found in chosen:
        letter = _issue(plant, motion, asked, found, by, at, law)
        if isinstance(letter, Refusal):
            return letter
        made.append(letter)
    return made


def whole(asked: Amendment) -> bool:
    """Granted, and all of what was asked for."""
    granted = (asked.granted_winter, asked.granted_rest) == (asked.extra_winter, asked.extra_rest)
    return asked.state == AmendmentState.GRANTED.value and granted


def _issue(plant: Plant, motion: Motion, asked: Amendment, found: Approval, by: Actor, at: datetime,
           law: Law) -> Letter | Refusal:  # fmt: skip
    granted = asked.state == AmendmentState.GRANTED.value
    if granted and asked.kind == "truck":
        truck = TruckLine(str(asked.new["plate"]), int(asked.new["capacity"]))
        put = put_approved(lock(Business, found.business_id), truck, at)
        if isinstance(put, Refusal):
            return put
    now = _now(asked, found)
    letter = _write(plant, motion, asked, found, now, by, at, law)
    asked.letter_id = letter.id
    db.session.flush()
    if granted:
        state_anew(plant, found, law)
        charged = charge_trucks(plant, found, by=by, at=at, law=law)
        if isinstance(charged, Refusal):
            return charged
    _tell(plant, motion, asked, found, now, letter, at, law)
    return letter


def _now(asked: Amendment, found: Approval) -> str:
    """The approval as it stands with this letter."""
    gone = revocation_of(found.id)
    if gone is not None:
        return f"revoked on {date_only(gone.from_day or gone.at)}"
    side = stands(found)
    if asked.state == AmendmentState.GRANTED.value:
        side["winter"], side["rest"] = side["winter"] + asked.granted_winter, side["rest"] + asked.granted_rest
        if asked.kind == "source":
            side["wastes"] = list(in_order({*side["wastes"], asked.new["waste"]}))
        if asked.kind == "truck":
            side["trucks"] = [one.words for one in with_truck(approved_trucks(found), asked.new)]
    return old_words(side)


def _write(plant: Plant, motion: Motion, asked: Amendment, found: Approval, now: str, by: Actor, at: datetime,
           law: Law) -> Letter:  # fmt: skip
    held_on = db.session.get_one(Meeting, motion.meeting_id).held_on
    granted = asked.state == AmendmentState.GRANTED.value
    data: dict[str, object] = {
        "approval": found.number, "season": found.season, "granted": granted, "what": KINDS[asked.kind],
        "asked": new_words(asked), "why": asked.words.splitlines(), "reason": asked.reason,
        "old": old_words(asked.old), "now": now, "body": body_words(law, held_on), "held_on": date_only(held_on),
        "cite": law.cite("decision.body", held_on), "signature": signer(by), "paper": _paper(asked),
        "review": "" if whole(asked) else review_block(law, at), "given": _given(asked),
    }  # fmt: skip
    title = f"Change of approval {found.number}: {'granted' if granted else 'not granted'}"
    party = party_of_business(found.business_id)
    return letters.write(plant, party, "amendment", title, data, at, law_version=law.version)


def _paper(asked: Amendment) -> str:
    return f"on your paper received {date_only(asked.received_on)}" if asked.received_on is not None else ""


def _given(asked: Amendment) -> str:
    """What of the gallons asked for was granted, where that is less."""
    if asked.state != AmendmentState.GRANTED.value or whole(asked):
        return ""
    return f"{volume(asked.granted_winter)} more in winter and {gallons(asked.granted_rest)} in the rest"


def _tell(plant: Plant, motion: Motion, asked: Amendment, found: Approval, now: str, letter: Letter, at: datetime,
          law: Law) -> None:  # fmt: skip
    party, held_on = party_of_business(found.business_id), db.session.get_one(Meeting, motion.meeting_id).held_on
    result = "granted" if asked.state == AmendmentState.GRANTED.value else "not granted"
    reason = f"\n{asked.reason}" if asked.reason else ""
    tell_party(
        party, "amendment", f"The change of your approval {found.number} is {result}",
        f"The {body_words(law, held_on)} decided on {date_only(held_on)}. {KINDS[asked.kind]}: "
        f"{ended(new_words(asked))}{reason}\n\nYour approval now: {ended(now)}\n\n"
        f"{where_kept(letter, party, at)}\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
