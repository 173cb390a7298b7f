"""Revoking one approval in writing with its reason, at once or from a day to come (§ 329-7 G)."""

from collections.abc import Sequence
from datetime import date, datetime, time

from sqlalchemy import select

from billing.queries import account_of, balance_cents
from haulers.actions.decision_letters import review_block, signer
from haulers.actions.decision_rules import review_block_missing
from haulers.actions.kept_words import where_kept
from haulers.actions.motions import body_words
from haulers.actions.named_loads import load_words, loads_known, shortened
from haulers.actions.own import stands_for
from haulers.models import Approval, Business, Revocation
from haulers.ports import BookingLine, pass_on, track_record
from haulers.queries import approval as approval_at
from haulers.queries import approval_in_force, lock_approval, party_of_business, revocation_of
from haulers.queries.last_days import last_day
from haulers.queries.words import ended
from office import letters
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.formats import clock_time, date_only, day, day_time, money, plural, volume
from office.journal import because
from office.letters import Letter
from office.notices import tell_party, tell_role
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

NO_REASON = "Enter the reason. The ordinance requires it in writing."


def check_revocation(plant: Plant, approval_id: int, rule: str, reason: str, loads: Sequence[str],
                     from_day: date | None, by: Actor, at: datetime, law: Law) -> Approval | Refusal:  # fmt: skip
    """What the act checks, for the page that shows the letter first: the approval, or why it cannot be revoked."""
    today = at.astimezone(law.zone).date()
    cite = law.cite("revocation.written_reason", today)
    found = approval_at(plant.id, approval_id)
    if found is None:
        return Refusal("no_approval", "There is no such approval.", "")
    if not rule.strip():
        return Refusal("no_rule", "Select the rule that was broken.", cite)
    if not reason.strip():
        return Refusal("no_reason", NO_REASON, cite)
    if from_day is not None and from_day <= today:
        return Refusal("not_to_come", "The first day without the approval must be after today.", cite,
                       next_step="To revoke from today, choose now.")  # fmt: skip
    refusal = loads_known(plant, found.business_id, loads) or _check_standing(found, from_day or today, cite, by, at)
    return refusal or review_block_missing(law, today) or found


def _check_standing(found: Approval, first: date, cite: str, by: Actor, at: datetime) -> Refusal | None:
    if revocation_of(found.id) is not None:
        return Refusal("revoked_before", f"Approval {found.number} is revoked already.", cite)
    holds = approval_in_force(at, first, held=True)
    if first > found.ends and db.session.scalars(holds.where(Approval.id == found.id)).first() is None:
        return Refusal("ended", f"Approval {found.number} ends {date_only(last_day(found))}.", cite)
    if stands_for(db.session.get_one(Business, found.business_id), by):
        return Refusal("own_business", "Nobody decides on their own business.", cite)
    return None


@act("revoke_approval", roles=(Role.DIRECTOR,))
def revoke_approval(
    plant: Plant, approval_id: int, rule: str, reason: str, loads: Sequence[str] = (), from_day: date | None = None, *,
    by: Actor, at: datetime, law: Law,
) -> Revocation | Refusal:  # fmt: skip
    """Revoke an approval from this instant, or from the beginning of ``from_day``, a day to come (§ 329-7 G).

    Letter to the hauler, notices to clerk, operators and committee. ``loads`` are the tickets it rests on. The
    bookings under it stop being live by the same fact; none of them is written to. Their room is offered to who waits.
    """
    lock(Plant, plant.id, shared=True)
    if approval_at(plant.id, approval_id) is not None:
        lock_approval(approval_id)
    approval = check_revocation(plant, approval_id, rule, reason, loads, from_day, by, at, law)
    if isinstance(approval, Refusal):
        return approval
    bookings = ended_bookings(approval.id, from_day, at, law)
    capacity = by.capacity((Role.DIRECTOR,)) or Role.DIRECTOR
    revocation = Revocation(plant_id=plant.id, approval_id=approval.id, at=begins(from_day, at, law),
                            from_day=from_day, rule=rule.strip(), reason=reason.strip(), loads=list(loads),
                            by_name=by.name, capacity=capacity.value)  # fmt: skip
    db.session.add(revocation)
    because(reason.strip(), law.cite("revocation.by", at.astimezone(law.zone).date()))
    party = party_of_business(approval.business_id)
    title, data = letter_data(plant, party, approval, rule, reason, loads, from_day, by, at, law)
    letter = letters.write(plant, party, "revocation", title, data, at, law_version=law.version)
    revocation.letter_id = letter.id
    _tell(plant, party, approval, revocation, letter, bookings, at, law)
    pass_on(plant, approval.business_id, at, law)
    return revocation


@act("record_certified_mail", roles=(Role.CLERK, Role.DIRECTOR))
def record_certified_mail(plant: Plant, approval_id: int, number: str, *, by: Actor, at: datetime) -> (
    Revocation | Refusal
):  # fmt: skip
    """Keep the number the letter of a revocation went out under by certified mail."""
    if not number.strip():
        return Refusal("no_number", "Enter the number of the certified mail.", "")
    query = select(Revocation).filter_by(plant_id=plant.id, approval_id=approval_id).with_for_update()
    revocation = db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()
    if revocation is None:
        return Refusal("no_revocation", "This approval is not revoked.", "")
    revocation.certified_mail = number.strip()
    because(f"Certified mail {number.strip()}")
    return revocation


def begins(from_day: date | None, at: datetime, law: Law) -> datetime:
    """The instant a revocation takes effect."""
    return at if from_day is None else datetime.combine(from_day, time(0), law.zone)


def from_words(from_day: date | None, at: datetime, law: Law) -> str:
    """From when, as a letter says it."""
    return day_time(at, law.zone) if from_day is None else day(from_day)


def ended_bookings(approval_id: int, from_day: date | None, at: datetime, law: Law) -> list[BookingLine]:
    """The bookings that are no longer valid once the revocation takes effect."""
    start = begins(from_day, at, law)
    return [one for one in track_record().bookings_of(approval_id, at) if from_day is None or one.starts >= start]


def letter_data(plant: Plant, party: Party, approval: Approval, rule: str, reason: str, loads: Sequence[str],
                from_day: date | None, by: Actor, at: datetime, law: Law) -> tuple[str, dict[str, object]]:  # fmt: skip
    """Title and data of the revocation letter: the page shows them before the act, the act freezes them."""
    account = account_of(plant.id, party.id)
    owed = balance_cents(account.id) if account is not None else 0
    bookings = ended_bookings(approval.id, from_day, at, law)
    lines = shortened([booking_words(line, law) for line in bookings], "booking")
    data: dict[str, object] = {
        "approval": approval.number, "season": approval.season, "from": from_words(from_day, at, law),
        "later": from_day is not None,
        "delivered": f"e-mail to {party.email} and by certified mail" if party.email else "certified mail",
        "rule": rule.strip(), "reason": reason.strip().splitlines(), "bookings": lines,
        "loads": shortened(load_words(plant, approval.business_id, loads), "load"),
        "owed": f"{money(owed)} is owed and stays due." if owed > 0 else "Nothing is owed now.",
        "review": review_block(law, at), "signature": signer(by, (Role.DIRECTOR,)),
        "cite": law.cite("revocation.by", at.astimezone(law.zone).date()),
        "copies": [TITLES[Role.CLERK], body_words(law, at.astimezone(law.zone).date())],
    }  # fmt: skip
    return f"Revocation of approval {approval.number}", data


def booking_words(line: BookingLine, law: Law) -> str:
    """A booking as the letter lists it."""
    starts = line.starts.astimezone(law.zone)
    return f"{line.number}: {date_only(starts)}, {clock_time(starts)}, {volume(line.gallons)}"


def _tell(plant: Plant, party: Party, approval: Approval, revocation: Revocation, letter: Letter,
          bookings: list[BookingLine], at: datetime, law: Law) -> None:  # fmt: skip
    on = revocation.from_day or at.astimezone(law.zone).date()
    since = from_words(revocation.from_day, at, law)
    gone = f"{plural(len(bookings), 'booking')} under it {'is' if len(bookings) == 1 else 'are'} no longer valid." \
        if bookings else "There were no bookings under it."  # fmt: skip
    after = f" from {date_only(on)}" if revocation.from_day else ""
    why = f"Rule: {revocation.rule}\nReason: {revocation.reason}"
    tell_party(
        party, "revocation", f"Your approval to unload septage is revoked from {date_only(on)}",
        ended(f"Approval {approval.number} for {plant.name} is revoked from {since}") +
        f"\n\n{why}\n\nDo not bring septage{after}. {gone}\n\n"
        f"{where_kept(letter, party, at, ' with your rights to a review')}\n{plant.name}, {plant.phone}",
        at, plant_id=plant.id, letter_id=letter.id,
    )  # fmt: skip
    for role in (Role.CLERK, Role.OPERATOR, Role.MEMBER):
        tell_role(role, "revocation", f"Revoked: approval {approval.number} of {party.name}",
                  f"{party.name} may not unload septage from {since} on. {gone}\n\n{why}", at,
                  plant_id=plant.id)  # fmt: skip
