"""What everybody concerned is told when septage is restricted, while it is, and when that is lifted (§ 329-7 B(3))."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.actions.listing import SPLIT, TIMES, times_words
from intake.models import Booking, Restriction
from intake.queries import bookings, restrictions
from intake.queries.bookings import Group
from intake.queries.met import Met, staff_told
from intake.queries.restriction_words import again_words, is_words, point_names, scope_words
from intake.queries.restrictions import full_stop
from intake.states import HoldEnd
from office import formats
from office.access import Role, people_with
from office.db import db
from office.notices import tell_party, tell_person
from office.people import Party, Person
from office.plants import Plant
from ordinances.reader import Law

DO_NOT_BRING = "Held until the restriction is lifted, do not bring these loads:"


@dataclass(frozen=True)
class Ended:
    """A booking whose hold ended: how, and whether another restriction holds it still."""

    booking: Booking
    outcome: HoldEnd
    held: bool

    @property
    def words(self) -> str:
        return "still held by another restriction" if self.held else restrictions.ENDS[self.outcome]


@dataclass(frozen=True)
class _Mail:
    kind: str
    subject: str
    lines: list[str]


def tell_restricted(plant: Plant, row: Restriction, found: Met, at: datetime, law: Law, update: str = "") -> None:
    """One message to each hauler with what it means for them, one to everybody on duty and the committee."""
    since = formats.clock_time(row.starts, plant.tz)
    what = is_words(row, point_names([row]))
    lines = [
        full_stop(f"{plant.name} {what} from {formats.day_time(row.starts, plant.tz)}"),
        f"Reason: {restrictions.words_of(row.reason)} ({law.cite('restriction.by', at.astimezone(plant.tz).date())}).",
        full_stop(f"Next update by {formats.day_time(row.next_update, plant.tz)}"),
    ]
    said = update or row.note
    lines += [said] if said else []
    kind, word = ("restriction_update", "UPDATE") if update else ("restricted", "RESTRICTED")
    mail = _Mail(kind, f"{word}: {plant.city} plant {what} (from {since})", lines)
    _tell_all(plant, mail, _held_words(plant, found.groups), found.until, at, law)


def _held_words(plant: Plant, groups: Iterable[Group]) -> dict[int, list[str]]:
    """By hauler: which loads not to bring."""
    extra: dict[int, list[str]] = {}
    for group in groups:
        first = group.sessions[0]
        mine = extra.setdefault(first.business_id, ["", DO_NOT_BRING])
        mine.append(f"{first.number}, {when_words(plant, group.sessions)}")
    return extra


def tell_planned_on(plant: Plant, row: Restriction, found: Met, was: datetime, at: datetime, law: Law) -> None:
    """Still in force at its planning end: each hauler whose bookings it meets now reads so, and the Director."""
    names, cite = point_names([row]), law.cite("restriction.by", at.astimezone(plant.tz).date())
    what, since = is_words(row, names), formats.day_time(row.starts, plant.tz)
    lines = [
        f"{plant.name} {what}: the restriction of {since} is still in force.",
        f"Reason: {restrictions.words_of(row.reason)} ({cite}).",
    ]
    foot = ["", full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    # Who is on hold by another restriction knows it.
    extra = _held_words(plant, [one for one in found.groups if not any(part.held for part in one.sessions)])
    parties = haulers.parties_of(list(extra)) if extra else {}
    subject = f"UPDATE: {plant.city} plant {what} (since {formats.day_short(row.starts, plant.tz)})"
    for business_id, mine in sorted(extra.items()):
        tell_party(parties[business_id], "restriction_update", subject, "\n".join([*lines, *mine, *foot]), at,
                   plant_id=plant.id)  # fmt: skip
    count = len(found.groups)
    held = f"{formats.plural(count, 'more booking')} {'is' if count == 1 else 'are'} held" if count else (
        "No further booking is met")  # fmt: skip
    mine = [
        *lines,
        full_stop(f"It was planned with until {formats.day_time(was, plant.tz)}"),
        full_stop(f"{held}; nothing is offered before {formats.day_time(row.planning_end, plant.tz)}"),
        "",
        "Post an update that says how it stands, or lift it.",
    ]
    for person_id in sorted(people_with(Role.DIRECTOR, plant.id, at)):
        tell_person(db.session.get_one(Person, person_id), "restriction_planned_on",
                    f"Still restricted after its planned end: {scope_words(row, names)}", "\n".join(mine), at,
                    plant_id=plant.id)  # fmt: skip


def tell_lifted(plant: Plant, row: Restriction, ended: list[Ended], at: datetime, law: Law, *, mistaken: bool = False
                ) -> None:  # fmt: skip
    """What is taken again, what is still restricted, and what became of each booking that was held."""
    still = restrictions.in_force(plant.id, at)
    names = point_names([row, *still])
    again = again_words(row, names)
    lines = [full_stop(f"{plant.name} {again} from {formats.day_time(at, plant.tz)}"), f"What was done: {row.done}"]
    lines += [full_stop(f"Still in force: {plant.name} {is_words(one, names)}") for one in still]
    if any(one.scope == "everything" for one in still):
        again = "has lifted a restriction; another is in force"
        lines[0] = full_stop(f"{scope_words(row, names)}: the restriction is lifted {formats.day_time(at, plant.tz)}")
    word = "LIFTED"
    if mistaken:
        word, lines = "IGNORE OUR LAST MESSAGE", ["Septage was restricted by mistake. Nothing is wrong.", *lines]
    mail = _Mail("lifted", f"{word}: {plant.city} plant {again}", lines)
    _tell_all(plant, mail, _ended_words(plant, law, ended, at), row.planning_end, at, law)


def _ended_words(plant: Plant, law: Law, ended: list[Ended], at: datetime) -> dict[int, list[str]]:
    """By hauler: what became of each booking, and for one that lost its time the first times that fit it now, the
    booking made first at the front."""
    sessions = bookings.sessions_of([one.booking.id for one in ended])
    extra: dict[int, list[str]] = {}
    for one in ended:
        booking, parts = one.booking, sessions[one.booking.id]
        mine = extra.setdefault(booking.business_id, ["", "Your bookings:"])
        mine.append(f"{booking.number}, {when_words(plant, parts)}: {one.words}.")
        if one.outcome is not HoldEnd.RELEASED:
            done = bookings.opened_days(booking.id)
            left = sum(part.gallons for part in parts if part.day not in done)
            mine.append(times_words(plant, law, booking, at, left))
    for mine in extra.values():
        if any(line.startswith((TIMES, SPLIT)) for line in mine):
            mine += ["", "Choose first: book one of these times now."]
    return extra


def _tell_all(plant: Plant, mail: _Mail, extra: dict[int, list[str]], until: datetime, at: datetime,
              law: Law) -> None:  # fmt: skip
    """One notice a hauler, to operators and committee.

    A hauler is every one with an approval, now or before ``until``, and every one with a booking it stops.
    """
    approved = haulers.approvals_in_force(plant.id, at, law, until)
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
