"""Restrict septage at once and lift it again, telling everybody concerned (§ 329-7 B(3) of Bayfield)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.models import Booking, Hold, PlannedSession, Restriction, RestrictionUpdate
from intake.queries import bookings, capacity, restrictions
from intake.queries.bookings import Group, grouped
from intake.queries.met import Met, met, staff_told
from intake.queries.restrictions import full_stop
from intake.states import BookingState, HoldEnd
from office import formats, journal
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party, tell_person
from office.people import Party, Person
from office.plants import Plant
from ordinances.offers import Session
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal

NEXT_UPDATE = timedelta(hours=4)
KNOWN_SCOPES = ("everything", "rate")


@act("restrict_plant", roles=(Role.DIRECTOR,))
def restrict_plant(
    plant: Plant, reason: str, *, scope: str = "everything", gph: int | None = None, note: str = "",
    next_update: datetime | None = None, planning_end: datetime | None = None, by: Actor, at: datetime, law: Law,
) -> Restriction | Refusal:  # fmt: skip
    """Restrict the plant from this instant on. Bookings before the planning end that no longer fit are held.

    ``scope`` everything, or rate with ``gph`` the lower limit in gallons an hour. The planning end is the close of the
    next open day unless given. Refusals: unknown_reason, not_here, already_restricted, rate_not_lower, dates.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = _checked(plant, reason, scope, gph, next_update, planning_end, at, law)
    if refused is not None:
        return refused
    until = planning_end or restrictions.end_of_planning(law, at)
    found = met(plant, law, at, scope, gph, until)
    row = Restriction(
        plant_id=plant.id, starts=at, reason=reason, note=note.strip(), scope=scope, gph=gph,
        next_update=next_update or at + NEXT_UPDATE, planning_end=until, started_by=by.name,
        act_id=journal.current_act_id(), law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    _hold(row, found.groups, at)
    because(restrictions.title_of(reason), law.cite("restriction.by", _today(plant, at)))
    _tell_restricted(plant, row, found, at, law)
    return row


@act("update_restriction", roles=(Role.DIRECTOR,))
def update_restriction(
    plant: Plant, restriction_id: int, note: str, next_update: datetime, planning_end: datetime | None = None, *,
    by: Actor, at: datetime, law: Law,
) -> Restriction | Refusal:  # fmt: skip
    """Say how it stands, and plan with the restriction further: to the close of the next open day unless given.

    Bookings now met are held too. Refusals: no_restriction, already_lifted, nothing_said, dates.
    """
    lock(Plant, plant.id)
    row = _open_one(plant, restriction_id)
    if isinstance(row, Refusal):
        return row
    if not note.strip():
        return Refusal("nothing_said", "Enter what haulers should know", "")
    until = planning_end or max(row.planning_end, restrictions.end_of_planning(law, at))
    if next_update <= at or until <= at:
        return Refusal("dates", "The next update must be later than now", "")
    found = met(plant, law, at, row.scope, row.gph, until)
    row.next_update, row.planning_end = next_update, until
    db.session.add(RestrictionUpdate(plant_id=plant.id, restriction_id=row.id, posted_at=at, posted_by=by.name,
                                     words=note.strip()))  # fmt: skip
    _hold(row, found.groups, at)
    because(note.strip(), law.cite("restriction.by", _today(plant, at)))
    _tell_restricted(plant, row, found, at, law, update=note.strip())
    return row


def _hold(row: Restriction, groups: Iterable[Group], at: datetime) -> None:
    for group in groups:
        db.session.add(Hold(plant_id=row.plant_id, restriction_id=row.id, booking_id=group.booking_id, made_at=at))


def _open_one(plant: Plant, restriction_id: int) -> Restriction | Refusal:
    found = restrictions.of_plant(plant.id, restriction_id)
    if found is None:
        return Refusal("no_restriction", "There is no such restriction at this plant.", "")
    row: Restriction = lock(Restriction, restriction_id)
    if row.lifted_at is not None:
        return Refusal("already_lifted", f"This restriction was lifted by {row.lifted_by}.", "")
    return row


@act("lift_restriction", roles=(Role.DIRECTOR,))
def lift_restriction(
    plant: Plant, restriction_id: int, done: str, *, by: Actor, at: datetime, law: Law
) -> Restriction | Refusal:
    """Lift a restriction by saying what was done. Each held booking stands again, is listed, or was missed.

    Refusals: no_restriction, already_lifted, nothing_done.
    """
    lock(Plant, plant.id)
    row = _open_one(plant, restriction_id)
    if isinstance(row, Refusal):
        return row
    if not done.strip():
        cite = law.cite("restriction.until", _today(plant, at))
        return Refusal("nothing_done", "Enter what was done to fix the problem", cite)
    _hold(row, _not_held_in_time(plant, row, at), at)
    row.lifted_at, row.lifted_by, row.done = at, by.name, done.strip()
    db.session.flush()
    ended = _end_holds(plant, law, row, at)
    because(done.strip(), law.cite("restriction.until", _today(plant, at)))
    _tell_lifted(plant, row, ended, at, law)
    return row


def _today(plant: Plant, at: datetime) -> date:
    return at.astimezone(plant.tz).date()


def _checked(plant: Plant, reason: str, scope: str, gph: int | None, next_update: datetime | None,
             planning_end: datetime | None, at: datetime, law: Law) -> Refusal | None:  # fmt: skip
    today = _today(plant, at)
    if not law.has("restriction.by", today):
        why = "The law of this plant knows no restriction by the Director."
        return Refusal("not_here", why, law.cite("programme.kind", today))
    cite = law.cite("restriction.reasons", today)
    known = reason in law.value("restriction.reasons", today)
    if not known or scope not in KNOWN_SCOPES or scope not in law.value("restriction.scopes", today):
        why = "Select one of the reasons the ordinance names. For other causes close the day."
        return Refusal("unknown_reason", why if not known else "Select all unloading or a lower limit.", cite)
    limit = cap_on(law, today).plan_gph
    if (scope == "rate") != (gph is not None) or (gph is not None and not 0 < gph < limit):
        return Refusal("rate_not_lower", f"The lower limit must be between 1 and {limit - 1:,} gallons an hour.", cite)
    if (next_update or at + NEXT_UPDATE) <= at or (planning_end is not None and planning_end <= at):
        return Refusal("dates", "The next update must be later than now.", "")
    return _already(plant, at, cite)


def _already(plant: Plant, at: datetime, cite: str) -> Refusal | None:
    current = restrictions.active(plant.id, at)
    if current is None:
        return None
    why = full_stop(f"Septage is already restricted since {formats.day_time(current.starts, plant.tz)}")
    step, details = "Lift that restriction first.", {"restriction_id": current.id}
    return Refusal("already_restricted", why, cite, next_step=step, details=details)


def _not_held_in_time(plant: Plant, row: Restriction, at: datetime) -> list[Group]:
    """Bookings after the planning end that a restriction of everything let pass by: they were missed because of it."""
    if row.scope != "everything":
        return []
    later = grouped(capacity.planned(plant.id, at, since=row.planning_end))
    return [group for group in later if any(not one.held and one.starts < at for one in group.sessions)]


def _end_holds(plant: Plant, law: Law, row: Restriction, at: datetime) -> list[tuple[Booking, HoldEnd]]:
    """End each hold, the booking made first at the front, and say how."""
    query = (
        select(Hold, Booking).join(Booking, Booking.id == Hold.booking_id)
        .where(Hold.restriction_id == row.id, Hold.ended_at.is_(None)).order_by(Booking.made_at, Booking.id)
    )  # fmt: skip
    pairs = [(hold, booking) for hold, booking in db.session.execute(query)]
    sessions = bookings.sessions_of([booking.id for _, booking in pairs])
    capacity.lock_days(plant.id, {one.day for rows in sessions.values() for one in rows})
    ended = []
    for hold, booking in pairs:
        outcome = _outcome(plant, law, booking, sessions[booking.id], at)
        hold.ended_at, hold.outcome = at, outcome.value
        db.session.flush()
        if booking.state == BookingState.BOOKED.value:
            ended.append((booking, outcome))
    return ended


def _outcome(plant: Plant, law: Law, booking: Booking, sessions: Iterable[PlannedSession],
             at: datetime) -> HoldEnd:  # fmt: skip
    done_days = bookings.opened_days(booking.id)
    ahead = [one for one in sessions if one.day not in done_days]
    if any(one.starts < at for one in ahead):
        return HoldEnd.MISSED
    pictures = capacity.day_pictures(plant, law, [one.day for one in ahead], at, except_booking=booking.id)
    for one in ahead:
        if not capacity.fits(pictures[one.day].steps, Session(one.starts, one.ends, one.gph, one.gallons)):
            return HoldEnd.LISTED
    return HoldEnd.RELEASED


@dataclass(frozen=True)
class _Mail:
    kind: str
    subject: str
    lines: list[str]


def _tell_restricted(plant: Plant, row: Restriction, found: Met, at: datetime, law: Law, update: str = "") -> None:
    """One message to each hauler with what it means for them, one to everybody on duty and the committee."""
    since = formats.clock_time(row.starts, plant.tz)
    what = "is not taking septage" if row.scope == "everything" else f"takes at most {formats.rate(row.gph)}"
    lines = [
        full_stop(f"{plant.name} {what} from {formats.day_time(row.starts, plant.tz)}"),
        f"Reason: {restrictions.words_of(row.reason)} ({law.cite('restriction.by', _today(plant, at))}).",
        full_stop(f"Next update by {formats.day_time(row.next_update, plant.tz)}"),
    ]
    said = update or row.note
    lines += [said] if said else []
    kind, word = ("restriction_update", "UPDATE") if update else ("restricted", "RESTRICTED")
    mail = _Mail(kind, f"{word}: {plant.city} plant {what} (from {since})", lines)
    held = {one.booking_id: one for group in found.groups for one in group.sessions}
    by_business: dict[int, list[str]] = {}
    for group in found.groups:
        first = held[group.booking_id]
        words = f"{first.number}, {when_words(plant, group.sessions)}"
        by_business.setdefault(first.business_id, []).append(words)
    extra = {
        business_id: ["", "Held until the restriction is lifted, do not bring these loads:", *numbers]
        for business_id, numbers in by_business.items()
    }
    _tell_all(plant, mail, extra, at, law)


def _tell_lifted(plant: Plant, row: Restriction, ended: list[tuple[Booking, HoldEnd]], at: datetime, law: Law) -> None:
    again = full_stop(f"{plant.name} is taking septage again from {formats.day_time(at, plant.tz)}")
    lines = [again, f"What was done: {row.done}"]
    mail = _Mail("lifted", f"LIFTED: {plant.city} plant is taking septage again", lines)
    sessions = bookings.sessions_of([booking.id for booking, _ in ended])
    extra: dict[int, list[str]] = {}
    for booking, outcome in ended:
        words = f"{booking.number}, {when_words(plant, sessions[booking.id])}: {restrictions.ENDS[outcome]}."
        extra.setdefault(booking.business_id, ["", "Your bookings:"]).append(words)
    _tell_all(plant, mail, extra, at, law)


def _tell_all(plant: Plant, mail: _Mail, extra: dict[int, list[str]], at: datetime, law: Law) -> None:
    """One notice a hauler (every one with an approval, and every one with a booking it stops), operators, committee."""
    approved = haulers.approvals_in_force(plant.id, at, law)
    told: dict[int, Party] = {business.id: party for _, business, party in approved}
    missing = [business_id for business_id in extra if business_id not in told]
    told |= haulers.parties_of(missing) if missing else {}
    foot = ["", full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    for business_id, party in sorted(told.items()):
        body = "\n".join([*mail.lines, *extra.get(business_id, []), *foot])
        tell_party(party, mail.kind, mail.subject, body, at, plant_id=plant.id)
    ids = {one for people in staff_told(plant.id, at).values() for one in people}
    for person in db.session.scalars(select(Person).where(Person.id.in_(ids)).order_by(Person.id)):
        tell_person(person, mail.kind, mail.subject, "\n".join([*mail.lines, *foot]), at, plant_id=plant.id)
