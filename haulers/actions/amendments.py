"""Changes asked for after an approval: more gallons, another source, a truck. The committee grants or refuses them.

Until the clerk has issued its letter (``issue_changes``), and if refused, the approval stays as it was. A phone number
needs no vote (``change_company``).
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers.actions.decision_rules import check_capacity
from haulers.actions.meeting_order import not_before_begun
from haulers.actions.motion_words import ACCEPTED, amount_words
from haulers.actions.motions import RECORDERS, put_motion
from haulers.actions.own import stands_for
from haulers.models import Amendment, Approval, Business, Motion, Truck
from haulers.queries import approval as approval_at
from haulers.queries import last_day, lock_approval, party_of_business, revocation_of, waste_words
from haulers.queries.approvals import allowances_of
from haulers.queries.approved_trucks import approved_trucks
from haulers.queries.coverage import covered
from haulers.queries.motion_lines import AmendLine, RollCall
from haulers.queries.new_sources import lacking, source_words
from haulers.queries.words import ended
from haulers.states import AmendmentState, MotionKind
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only, gallons, volume
from office.journal import because
from office.notices import tell_role
from office.plants import Plant
from ordinances.calendar import season_named
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed

KINDS = {"gallons": "More gallons", "source": "Another source", "truck": "Another truck"}


@act("ask_amendment", roles=(Role.HAULER,))
def ask_amendment(
    plant: Plant, approval_id: int, kind: str, words: str, new: Mapping[str, Any], extra_winter: int = 0,
    extra_rest: int = 0, *, by: Actor, at: datetime, law: Law,
) -> Amendment | Refusal:  # fmt: skip
    """Ask the committee to change an approval in force. ``new``: of a source what the application asks (§ 329-7 B(1)),
    plate and capacity of a truck. Gallons are those asked for on top.
    """
    found = approval_at(plant.id, approval_id)
    if found is None or not stands_for(db.session.get_one(Business, found.business_id), by):
        return Refusal("no_approval", "There is no such approval of your company.", "")
    asked = begun(plant, found, kind, words, new, extra_winter, extra_rest, by.name, at, law)
    if isinstance(asked, Refusal):
        return asked
    because(words.strip())
    return asked


def begun(plant: Plant, found: Approval, kind: str, words: str, new: Mapping[str, Any], extra_winter: int,
          extra_rest: int, asked_by: str, at: datetime, law: Law) -> Amendment | Refusal:  # fmt: skip
    """The request as asked for, the clerk and the members told: inside an act that knows who may ask."""
    wrong = _wrong(found, kind, words, new, extra_winter, extra_rest, at.astimezone(law.zone).date(), law)
    wrong = wrong or _waits(found, kind, _things(kind, new, extra_winter, extra_rest), law)
    if wrong is not None:
        return wrong
    asked = Amendment(
        plant_id=plant.id, approval_id=found.id, kind=kind, words=words.strip(), old=stands(found), new=dict(new),
        extra_winter=extra_winter, extra_rest=extra_rest, asked_by=asked_by[:200], asked_at=at,
    )  # fmt: skip
    db.session.add(asked)
    party = party_of_business(found.business_id)
    for role in (Role.CLERK, Role.MEMBER):
        tell_role(role, "amendment", f"{party.name} asks for a change of approval {found.number}",
                  f"{KINDS[kind]}: {new_words(asked)}\n\n{words.strip()}", at, plant_id=plant.id)  # fmt: skip
    return asked


def stands(found: Approval) -> dict[str, Any]:
    """The approval as it stands, for the side that shows the old."""
    winter, rest = allowances_of([found])[found.id]
    return {
        "winter": winter, "rest": rest, "wastes": list(covered(found)),
        "trucks": [one.words for one in approved_trucks(found)],
    }  # fmt: skip


def _wrong(found: Approval, kind: str, words: str, new: Mapping[str, Any], winter: int, rest: int, today: date,
           law: Law) -> Refusal | None:  # fmt: skip
    if revocation_of(found.id) is not None or last_day(found) < today:
        return Refusal("not_in_force", f"Approval {found.number} does not hold any more.", "")
    if kind not in KINDS:
        return Refusal("no_kind", "Select what you want to change.", "")
    if not words.strip():
        return Refusal("no_words", "Enter why you ask for the change.", "")
    if min(winter, rest) < 0 or (kind == "gallons" and winter + rest == 0):
        return Refusal("no_gallons", "Enter how many gallons more you ask for.", "")
    return {"source": _source_wrong, "truck": _truck_wrong}[kind](found, new, today, law) if kind != "gallons" else None


def _source_wrong(_found: Approval, new: Mapping[str, Any], today: date, law: Law) -> Refusal | None:
    refusal = waste_allowed(law, today, str(new.get("waste", "")))
    if refusal is not None:
        return refusal
    cite = law.cite("application.asks", today) if law.has("application.asks", today) else ""
    missing = lacking(new, law, today)
    return Refusal("source_lacks", f"Enter {', '.join(missing)}.", cite) if missing else None


def _truck_wrong(found: Approval, new: Mapping[str, Any], _today: date, _law: Law) -> Refusal | None:
    plate = str(new.get("plate", "")).strip().upper()
    if not plate or int(new.get("capacity", 0)) <= 0:
        return Refusal("no_truck", "Enter the plate and the tank size of the truck.", "")
    asked = Truck(plate=plate, capacity=int(new["capacity"]))
    if any(one.is_this(asked) for one in approved_trucks(found)):
        return Refusal("plate_listed", f"Truck {plate} is approved already.", "")
    return None


def _waits(found: Approval, kind: str, things: set[str], law: Law) -> Refusal | None:
    """Why a second request makes no sense: the same thing is asked for and not answered yet."""
    lock_approval(found.id)
    rows = db.session.scalars(select(Amendment).filter_by(approval_id=found.id, kind=kind).order_by(Amendment.id))
    for one in rows.all():
        again = sorted(things & _things(kind, one.new, one.extra_winter, one.extra_rest))
        if again and open_to_hauler(one):
            what, when = _WAITING[kind].format(again[-1]), date_only(one.asked_at, law.zone)
            return Refusal("waits", f"{what} asked for on {when}, and no letter has answered it yet.", "",
                           next_step="Withdraw that request to ask for something else.")  # fmt: skip
    return None


_WAITING = {"gallons": "More gallons in {} are", "source": "This source is", "truck": "Truck {} is"}


def _things(kind: str, new: Mapping[str, Any], winter: int, rest: int) -> set[str]:
    """What a request is about: a source by waste and place, a truck by its plate, gallons by the part of the year."""
    if kind == "gallons":
        parts = (("winter", winter), ("the rest of the year", rest))
        return {part for part, count in parts if count}
    names = ("place", "waste") if kind == "source" else ("plate",)
    return {" ".join(" ".join(str(new.get(name, "")).split()).upper() for name in names)}


@act("withdraw_amendment", roles=(Role.HAULER,))
def withdraw_amendment(plant: Plant, amendment_id: int, *, by: Actor, at: datetime) -> Amendment | Refusal:
    """Take back a change asked for, before its letter is issued: until then it is not decided for the hauler."""
    found = db.session.scalars(select(Approval).join(Amendment, Amendment.approval_id == Approval.id)
                               .where(Amendment.id == amendment_id)).one_or_none()  # fmt: skip
    if found is None or not stands_for(db.session.get_one(Business, found.business_id), by):
        return _NONE
    return take_back(plant, amendment_id, at)


_NONE = Refusal("no_amendment", "There is no such request.", "")


def take_back(plant: Plant, amendment_id: int, at: datetime) -> Amendment | Refusal:
    """Make a request withdrawn, inside an act. What a motion said of it stays with the motion."""
    asked = _locked(plant, amendment_id)
    if isinstance(asked, Refusal):
        return asked
    if not open_to_hauler(asked):
        return _ANSWERED
    asked.state, asked.decided_at, asked.granted_winter, asked.granted_rest = AmendmentState.WITHDRAWN.value, at, 0, 0
    return asked


def open_to_hauler(asked: Amendment) -> bool:
    """Whether the request waits as far as its hauler knows: asked, or voted on and the letter not issued."""
    return asked.state != AmendmentState.WITHDRAWN.value and asked.letter_id is None


_ANSWERED = Refusal("decided_before", "This request is answered already.", "")


def _locked(plant: Plant, amendment_id: int) -> Amendment | Refusal:
    query = select(Amendment).filter_by(id=amendment_id, plant_id=plant.id).with_for_update()
    return db.session.scalars(query.execution_options(populate_existing=True)).one_or_none() or _NONE


@act("decide_amendments", roles=RECORDERS)
def decide_amendments(plant: Plant, roll: RollCall, lines: Sequence[AmendLine], over_capacity: bool = False, *,
                      by: Actor, at: datetime, law: Law) -> Motion | Refusal:  # fmt: skip
    """Record a motion on changes asked for; when it carried, grant or refuse each. Haulers hear of it by their letters.

    ``over_capacity``: the committee accepts more than the plant can take. A motion that fails, ties or lacks a quorum
    is recorded and decides nothing. All of it or nothing of it.
    """
    lock(Plant, plant.id)
    pairs: list[tuple[Amendment, Approval, AmendLine]] = []
    for line in sorted(lines, key=lambda one: one.amendment_id):
        asked = _locked(plant, line.amendment_id)
        if isinstance(asked, Refusal):
            return asked
        if asked.state != AmendmentState.ASKED.value:
            return _ANSWERED
        pairs.append((asked, lock_approval(asked.approval_id), line))
    refusal = _check(pairs, roll, law, at)
    if refusal is not None:
        return refusal
    businesses = {found.business_id for _, found, _ in pairs}
    motion = put_motion(plant, roll, MotionKind.AMEND, businesses, [_put_words(*pair) for pair in pairs], by=by, at=at,
                        law=law)  # fmt: skip
    if isinstance(motion, Refusal) or not motion.passed:
        return motion
    over = _check_room(plant, pairs, over_capacity, law, at)
    if isinstance(over, Refusal):
        return over
    motion.about = [*motion.about, ACCEPTED] if over else motion.about
    for asked, _, line in pairs:
        asked.state = (AmendmentState.GRANTED if line.granted else AmendmentState.REFUSED).value
        asked.granted_winter, asked.granted_rest = (line.winter, line.rest) if line.granted else (0, 0)
        asked.motion_id, asked.reason, asked.decided_at = motion.id, line.reason.strip(), at
    db.session.flush()
    return motion


def _put_words(asked: Amendment, found: Approval, line: AmendLine) -> str:
    """What a motion puts about one request."""
    said = f"{'grant' if line.granted else 'refuse'} {KINDS[asked.kind].lower()} ({new_words(asked)})"
    if line.granted and line.winter + line.rest:
        said += f", {amount_words(line.winter, line.rest)} more"
    reason = f" {ended(line.reason.strip())}" if line.reason.strip() else ""
    return f"{found.number}, {party_of_business(found.business_id).name}: {said}.{reason}"


def _check_room(plant: Plant, pairs: Sequence[tuple[Amendment, Approval, AmendLine]], accepted: bool, law: Law,
                at: datetime) -> bool | Refusal:  # fmt: skip
    """What is granted against what the plant can take, season by season, as when applications are decided."""
    over = False
    for name in sorted({found.season for _, found, line in pairs if line.granted}):
        granted = [line for _, found, line in pairs if line.granted and found.season == name]
        added = sum(line.winter for line in granted), sum(line.rest for line in granted)
        passed = check_capacity(plant, season_named(law, name), added, accepted, law, at)
        if isinstance(passed, Refusal):
            return passed
        over = over or passed
    return over


def _check(pairs: Sequence[tuple[Amendment, Approval, AmendLine]], roll: RollCall, law: Law,
           at: datetime) -> Refusal | None:  # fmt: skip
    today = at.astimezone(law.zone).date()
    if not pairs or len({asked.id for asked, _, _ in pairs}) != len(pairs):
        return Refusal("nothing_selected", "Select the requests the motion is about.", "")
    for asked, found, line in pairs:
        if (asked.received_on or asked.asked_at.astimezone(law.zone).date()) > roll.held_on:
            return Refusal("meeting_before", "The request came after this meeting. Check the meeting date.", "")
        refusal = _begun(asked, roll, law) or check_amend_line(asked, found, line, law, today)
        if refusal is not None:
            return refusal
    return None


def _begun(asked: Amendment, roll: RollCall, law: Law) -> Refusal | None:
    """What was asked for after the meeting began was not before it; of a paper only the day is known."""
    if asked.received_on is not None:
        return None
    return not_before_begun(asked.plant_id, roll, asked.asked_at, "The request was sent", law)


def _less(asked: Amendment, line: AmendLine) -> bool:
    return line.winter + line.rest < asked.extra_winter + asked.extra_rest


def check_amend_line(asked: Amendment, found: Approval, line: AmendLine, law: Law, today: date) -> Refusal | None:
    """Gallons fit what was asked for, the approval holds, and a reason is given where not all of it is granted."""
    refusal = _line_wrong(asked, found, line, law, today)
    if refusal is None:
        return None
    return Refusal(refusal.code, refusal.why, refusal.cite, details={"amendment_id": asked.id})


def _line_wrong(asked: Amendment, found: Approval, line: AmendLine, law: Law, today: date) -> Refusal | None:
    if line.granted and (revocation_of(found.id) is not None or last_day(found) < today):
        return Refusal("not_in_force", f"Approval {found.number} does not hold any more.", "")
    if line.granted and not (0 <= line.winter <= asked.extra_winter and 0 <= line.rest <= asked.extra_rest):
        return Refusal("above_ask", "Granted gallons must be 0 or more, and no more than asked for.", "")
    if line.granted and asked.kind == "gallons" and line.winter + line.rest == 0:
        return Refusal("nothing_granted", "To grant gallons, enter how many. To grant none, refuse.", "")
    if (not line.granted or _less(asked, line)) and not line.reason.strip():
        why = "Enter why not all of it is granted." if line.granted else "Enter why the change is refused."
        return Refusal("no_reason", why, law.cite("decision.body", today))
    return None


def old_words(side: Mapping[str, Any]) -> str:
    """An approval as it stands, in a line."""
    return (f"{volume(side['winter'])} in winter and {gallons(side['rest'])} in the rest of the year, "
            f"{waste_words(side['wastes'])} waste, trucks {'; '.join(side['trucks']) or 'none'}")  # fmt: skip


def new_words(asked: Amendment) -> str:
    """What is asked for, in a line."""
    winter, rest = volume(asked.extra_winter), gallons(asked.extra_rest)
    more = f"{winter} more in winter and {rest} in the rest of the year"
    if asked.kind == "gallons":
        return more
    if asked.kind == "truck":
        return f"truck {asked.new['plate']}, {volume(int(asked.new['capacity']))}"
    said = source_words(asked.new)
    return f"{said}, {more}" if asked.extra_winter + asked.extra_rest else said
