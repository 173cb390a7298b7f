"""Revoking one approval in writing with its reason, at once (§ 329-7 G)."""

from datetime import date, datetime

from billing.queries import account_of, balance_cents
from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.registration import stands_for
from haulers.models import Approval, Business, Revocation
from haulers.ports import BookingLine, track_record
from haulers.queries import approval as approval_at
from haulers.queries import lock_approval, party_of_business, revocation_of
from haulers.queries.words import ended
from office import letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db
from office.formats import clock_time, date_only, day_time, gallons, money, plural
from office.journal import because
from office.letters import Letter
from office.notices import tell_party, tell_role
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

LISTED = 8
NO_REASON = "Enter the reason. The ordinance requires it in writing."


def check_revocation(
    plant: Plant, approval_id: int, rule: str, reason: str, by: Actor, at: datetime, law: Law
) -> Approval | Refusal:
    """What the act checks, for the page that shows the letter first: the approval, or why it cannot be revoked."""
    day = at.astimezone(law.zone).date()
    cite = law.cite("revocation.written_reason", day)
    found = approval_at(plant.id, approval_id)
    if found is None:
        return Refusal("no_approval", "There is no such approval.", "")
    if not rule.strip():
        return Refusal("no_rule", "Select the rule that was broken.", cite)
    if not reason.strip():
        return Refusal("no_reason", NO_REASON, cite)
    return _check_standing(found, day, cite, by) or review_block_missing(law, day) or found


def _check_standing(found: Approval, day: date, cite: str, by: Actor) -> Refusal | None:
    if revocation_of(found.id) is not None:
        return Refusal("revoked_before", f"Approval {found.number} is revoked already.", cite)
    if day > found.ends:
        return Refusal("ended", f"Approval {found.number} ended {date_only(found.ends)}.", cite)
    if stands_for(db.session.get_one(Business, found.business_id), by):
        return Refusal("own_business", "Nobody decides on their own business.", cite)
    return None


@act("revoke_approval", roles=(Role.DIRECTOR,))
def revoke_approval(
    plant: Plant, approval_id: int, rule: str, reason: str, *, by: Actor, at: datetime, law: Law
) -> Revocation | Refusal:
    """Revoke an approval from this instant: letter to the hauler, notices to clerk, operators and committee.

    The bookings under it stop being live by the same fact; none of them is written to.
    """
    if approval_at(plant.id, approval_id) is not None:
        lock_approval(approval_id)
    approval = check_revocation(plant, approval_id, rule, reason, by, at, law)
    if isinstance(approval, Refusal):
        return approval
    bookings = track_record().bookings_of(approval.id, at)
    capacity = by.capacity((Role.DIRECTOR,)) or Role.DIRECTOR
    revocation = Revocation(plant_id=plant.id, approval_id=approval.id, at=at, rule=rule.strip(), reason=reason.strip(),
                            by_name=by.name, capacity=capacity.value)  # fmt: skip
    db.session.add(revocation)
    because(reason.strip(), law.cite("revocation.by", at.astimezone(law.zone).date()))
    party = party_of_business(approval.business_id)
    title, data = letter_data(plant, party, approval, rule, reason, bookings, by, at, law)
    letter = letters.write(plant, party, "revocation", title, data, at, law_version=law.version)
    revocation.letter_id = letter.id
    _tell(plant, party, approval, revocation, letter, bookings, at, law)
    return revocation


def letter_data(plant: Plant, party: Party, approval: Approval, rule: str, reason: str, bookings: list[BookingLine],
                by: Actor, at: datetime, law: Law) -> tuple[str, dict[str, object]]:  # fmt: skip
    """Title and data of the revocation letter: the page shows them before the act, the act freezes them."""
    account = account_of(plant.id, party.id)
    owed = balance_cents(account.id) if account is not None else 0
    lines = [booking_words(line, law) for line in bookings[:LISTED]]
    if len(bookings) > LISTED:
        lines.append(f"and {plural(len(bookings) - LISTED, 'more booking', 'more bookings')}")
    data: dict[str, object] = {
        "approval": approval.number, "season": approval.season, "from": day_time(at, law.zone), "rule": rule.strip(),
        "reason": reason.strip().splitlines(), "bookings": lines,
        "owed": f"{money(owed)} is owed and stays due." if owed > 0 else "Nothing is owed now.",
        "review": review_block(law, at), "signature": signer(by, (Role.DIRECTOR,)),
        "cite": law.cite("revocation.by", at.astimezone(law.zone).date()),
        "copies": [TITLES[Role.CLERK], "Public Works Committee"],
    }  # fmt: skip
    return f"Revocation of approval {approval.number}", data


def booking_words(line: BookingLine, law: Law) -> str:
    """A booking as the letter lists it."""
    starts = line.starts.astimezone(law.zone)
    return f"{line.number}: {date_only(starts)}, {clock_time(starts)}, {gallons(line.gallons)} gallons"


def _tell(plant: Plant, party: Party, approval: Approval, revocation: Revocation, letter: Letter,
          bookings: list[BookingLine], at: datetime, law: Law) -> None:  # fmt: skip
    on: date = at.astimezone(law.zone).date()
    gone = f"{plural(len(bookings), 'booking')} under it {'is' if len(bookings) == 1 else 'are'} no longer valid." \
        if bookings else "There were no bookings under it."  # fmt: skip
    why = f"Rule: {revocation.rule}\nReason: {revocation.reason}"
    tell_party(
        party, "revocation", f"Your approval to unload septage is revoked from {date_only(on)}",
        ended(f"Approval {approval.number} for {plant.name} is revoked from {day_time(at, law.zone)}") +
        f"\n\n{why}\n\nDo not bring septage. {gone}\n\nLetter {letter.number} with your rights to a review "
        f"is in your account under Letters.\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in (Role.CLERK, Role.OPERATOR, Role.MEMBER):
        tell_role(role, "revocation", f"Revoked: approval {approval.number} of {party.name}",
                  f"{party.name} may not unload septage from {day_time(at, law.zone)} on. {gone}\n\n{why}", at,
                  plant_id=plant.id)  # fmt: skip
