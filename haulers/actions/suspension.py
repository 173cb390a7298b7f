"""Holding an approval for a time, where the law in force knows suspension (Bayfield's does not)."""

from datetime import date, datetime

from sqlalchemy import select

from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.kept_words import where_kept
from haulers.actions.motions import body_words
from haulers.actions.named_loads import shortened
from haulers.actions.own import stands_for
from haulers.actions.revocation import booking_words
from haulers.models import Approval, Business, Suspension
from haulers.ports import BookingLine, missed_words, pass_on, track_record
from haulers.queries import approval as approval_at
from haulers.queries import approval_in_force, lock_approval, party_of_business
from haulers.queries.approvals import suspension_of
from office import letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import date_only, day, day_time, full_stop
from office.journal import because
from office.notices import tell_party, tell_role
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

KEY = "suspension.enabled"


def may_suspend(law: Law, on: date) -> Refusal | None:
    """None where the law in force knows suspension; else why not, with its section."""
    if law.has(KEY, on) and law.value(KEY, on):
        return None
    row = law.row(KEY, on) if law.has(KEY, on) else None
    return Refusal("no_suspension", "The law in force knows no suspension: an approval holds or is revoked.",
                   row.cite if row else "", row.reading if row else None)  # fmt: skip


def check_suspension(plant: Plant, approval_id: int, rule: str, reason: str, until: date | None, by: Actor,
                     at: datetime, law: Law) -> Approval | Refusal:  # fmt: skip
    """What the act checks, for the page that shows the letter first: the approval, or why it cannot be held."""
    today = at.astimezone(law.zone).date()
    refusal = may_suspend(law, today)
    if refusal is not None:
        return refusal
    found, cite = approval_at(plant.id, approval_id), law.cite(KEY, today)
    if found is None:
        return Refusal("no_approval", "There is no such approval.", "")
    if not rule.strip() or not reason.strip():
        return Refusal("no_reason", "Select the rule that was broken, and enter the reason.", cite)
    if until is not None and until < today:
        return Refusal("over", "The last day of the suspension must be today or later.", cite)
    return _standing_wrong(found, by, at, today, cite) or review_block_missing(law, today) or found


def _standing_wrong(found: Approval, by: Actor, at: datetime, today: date, cite: str) -> Refusal | None:
    if stands_for(db.session.get_one(Business, found.business_id), by):
        return Refusal("own_business", "Nobody decides on their own business.", cite)
    live = approval_in_force(at, today, held=True).where(Approval.id == found.id)
    if db.session.scalars(live).first() is None:
        return Refusal("not_in_force", f"Approval {found.number} is not in force now.", cite)
    if suspension_of(found.id, at, today) is not None:
        return Refusal("suspended_before", f"Approval {found.number} is suspended already.", cite)
    return None


@act("suspend_approval", roles=(Role.DIRECTOR,))
def suspend_approval(plant: Plant, approval_id: int, rule: str, reason: str, until: date | None, *, by: Actor,
                     at: datetime, law: Law) -> Suspension | Refusal:  # fmt: skip
    """Hold an approval from this instant to the end of ``until``, or until it is lifted: letter and notices.

    Bookings keep their room, since the suspension may be lifted; the gate turns their trucks away while it lasts.
    """
    lock(Plant, plant.id, shared=True)
    if approval_at(plant.id, approval_id) is not None:
        lock_approval(approval_id)
    found = check_suspension(plant, approval_id, rule, reason, until, by, at, law)
    if isinstance(found, Refusal):
        return found
    row = Suspension(plant_id=plant.id, approval_id=found.id, at=at, until=until, rule=rule.strip(),
                     reason=reason.strip(), by_name=by.name)  # fmt: skip
    db.session.add(row)
    because(reason.strip(), law.cite(KEY, at.astimezone(law.zone).date()))
    party = party_of_business(found.business_id)
    title, data = suspension_letter(found, rule, reason, until, by, at, law)
    letter = letters.write(plant, party, "suspension", title, data, at, law_version=law.version)
    row.letter_id = letter.id
    words = f"Approval {found.number} is suspended from {day_time(at, law.zone)}{_until(until)}."
    _tell(plant, party, "suspension", f"Your approval to unload septage is suspended{_until(until)}",
          f"{words}\n\nRule: {row.rule}\nReason: {row.reason}\n\nDo not bring septage while it lasts.\n\n"
          f"{where_kept(letter, party, at)}",
          f"Suspended: approval {found.number} of {party.name}", f"{words}\nRule: {row.rule}\nReason: {row.reason}",
          at, letter.id)  # fmt: skip
    pass_on(plant, found.business_id, at, law)
    return row


@act("lift_suspension", roles=(Role.DIRECTOR,))
def lift_suspension(plant: Plant, suspension_id: int, why: str, *, by: Actor, at: datetime, law: Law) -> (
    Suspension | Refusal
):  # fmt: skip
    """End a suspension now, with the reason. The bookings under the approval are good again; whose time passed
    meanwhile is told with the first times that fit them now.
    """
    lock(Plant, plant.id, shared=True)
    query = select(Suspension).filter_by(id=suspension_id, plant_id=plant.id)
    row = db.session.scalars(query).one_or_none()
    if row is None:
        return Refusal("no_suspension_row", "There is no such suspension.", "")
    found = lock_approval(row.approval_id)
    db.session.refresh(row)
    today = at.astimezone(law.zone).date()
    if row.lifted_at is not None or (row.until is not None and row.until < today):
        return Refusal("ended", f"The suspension of approval {found.number} has ended.", "")
    if not why.strip():
        return Refusal("no_why", "Enter why the suspension is lifted.", "")
    row.lifted_at, row.lifted_why = at, why.strip()
    because(why.strip())
    party = party_of_business(found.business_id)
    words = full_stop(f"The suspension of approval {found.number} is lifted from {day_time(at, law.zone)}")
    _tell(plant, party, "suspension_lifted", "Your approval to unload septage holds again",
          "\n".join([words, "", row.lifted_why, *missed_words(plant, found.id, row.at, at, law)]),
          f"Suspension lifted: approval {found.number} of {party.name}",
          f"{words}\n{row.lifted_why}", at, None)  # fmt: skip
    return row


def suspension_letter(found: Approval, rule: str, reason: str, until: date | None, by: Actor, at: datetime,
                      law: Law) -> tuple[str, dict[str, object]]:  # fmt: skip
    """Title and data of the letter: the page shows them before the act, the act freezes them."""
    today = at.astimezone(law.zone).date()
    data: dict[str, object] = {
        "approval": found.number, "season": found.season, "from": day_time(at, law.zone),
        "until": day(until) if until else "", "rule": rule.strip(), "reason": reason.strip().splitlines(),
        "bookings": shortened([booking_words(one, law) for one in held_bookings(found.id, until, at, law)], "booking"),
        "review": review_block(law, at), "signature": signer(by, (Role.DIRECTOR,)), "cite": law.cite(KEY, today),
        "copies": [TITLES[Role.CLERK], body_words(law, today)],
    }  # fmt: skip
    return f"Suspension of approval {found.number}", data


def held_bookings(approval_id: int, until: date | None, at: datetime, law: Law) -> list[BookingLine]:
    """The bookings that fall into a suspension."""
    found = track_record().bookings_of(approval_id, at)
    return [one for one in found if until is None or one.starts.astimezone(law.zone).date() <= until]


def _until(until: date | None) -> str:
    return f" to the end of {date_only(until)}" if until else " until it is lifted"


def _tell(plant: Plant, party: Party, kind: str, subject: str, body: str, city_subject: str, city_body: str,
          at: datetime, letter_id: int | None) -> None:  # fmt: skip
    tell_party(party, kind, subject, f"{body}\n{plant.name}, {plant.phone}", at, plant_id=plant.id,
               letter_id=letter_id)  # fmt: skip
    for role in (Role.CLERK, Role.OPERATOR, Role.MEMBER):
        tell_role(role, kind, city_subject, city_body, at, plant_id=plant.id)
