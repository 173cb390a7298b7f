"""Receiving points as the plant manager specifies them (§ 329-7 C(1)), manholes by written approval (§ 329-7 D)."""

from collections.abc import Iterable
from datetime import date, datetime

from haulers import queries as haulers
from intake.actions.listing import OTHERS, list_lost
from intake.actions.turning_down import tell_point
from intake.models import ManholePermission, Point, PointTerms
from intake.queries import capacity
from intake.queries.bookings import numbers_of
from intake.queries.calendar_met import Lost
from intake.queries.point_met import Loser, Terms, hours_wrong, no_longer_fits, other_terms, permit_ended
from intake.queries.restrictions import full_stop
from intake.queries.tank import TANK
from office import formats
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

WRITERS = (Role.DIRECTOR, Role.MANAGER)
# Who the law lets write the approval for a manhole; "and/or" leaves it to either.
MAY_WRITE = {"director": (Role.DIRECTOR,), "plant_manager": (Role.MANAGER,)}


@act("set_point", roles=(Role.MANAGER,))
def set_point(plant: Plant, point_id: int, name: str, wanted: Terms, since: date, *, seen: str | None = None, by: Actor,
              at: datetime, law: Law) -> PointTerms | Refusal:  # fmt: skip
    """Set what a point takes from a day on, until the day for which others are set already; earlier terms stay on
    record, a new name counts at once.

    Bookings that no longer fit there lose their time, and their haulers are told with times that fit. ``seen``: the
    numbers the manager was shown (``bookings.numbers_of``). Refusals: no_point, no_name, past, hours, tank_rate,
    others.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    point = db.session.get(Point, point_id)
    if point is None or point.plant_id != plant.id:
        return Refusal("no_point", "There is no such receiving point at this plant.", "")
    refused = point_refused(plant, law, name, wanted, since, at) or _rate_of_tank(point, wanted, law, since)
    if refused is not None:
        return refused
    change = other_terms(point, wanted, since)
    losers = no_longer_fits(plant, law, change, at)
    if _others(losers, seen):
        return Refusal("others", OTHERS, _cite(law, since))
    row = PointTerms(plant_id=plant.id, point_id=point.id, since=since, set_at=at, set_by=by.name, **wanted.columns)
    db.session.add(row)
    point.name = name.strip()
    because(cite=_cite(law, since))
    what = "is closed" if not wanted.is_open else "has other times and conditions"
    until = f" to {formats.day(change.last)}" if change.last is not None else ""
    why = f"From {formats.day(since)}{until} {point.name} {what} ({_cite(law, since)})."
    list_lost(plant, law, _lost(losers, why), at)
    if since == at.astimezone(plant.tz).date():
        tell_point(plant, point, wanted, _cite(law, since), at)
    return row


def _rate_of_tank(point: Point, wanted: Terms, law: Law, since: date) -> Refusal | None:
    """Trucks unload into a tank at the rate that is set with the tank: a rate of its point would count for nothing."""
    if point.kind != TANK or wanted.max_gph is None:
        return None
    return Refusal("tank_rate", f"The rate at {point.name} is set with its tank", _cite(law, since))


def point_refused(plant: Plant, law: Law, name: str, wanted: Terms, since: date, at: datetime) -> Refusal | None:
    """Why a point cannot be set so: asked before the bookings are shown, and by the act."""
    today = at.astimezone(plant.tz).date()
    if not name.strip():
        return Refusal("no_name", "Enter the name of the receiving point", "")
    if since < today:
        return Refusal("past", "The day must be today or later", _cite(law, today))
    why = hours_wrong(law, wanted, since)
    if why:
        return Refusal("hours", why, _cite(law, since))
    return None


@act("permit_manhole", roles=WRITERS)
def permit_manhole(
    plant: Plant, point_id: int, business_id: int | None, words: str, written_on: date, since: date, until: date, *,
    by: Actor, at: datetime, law: Law,
) -> ManholePermission | Refusal:  # fmt: skip
    """Approve in writing that a hauler (None: every approved hauler) unloads into a manhole (§ 329-7 D).

    The haulers concerned are told. Refusals: not_a_manhole, not_your_role (the law names the other), no_words, past,
    order (ends before it begins, written later than today), no_hauler.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    point = db.session.get(Point, point_id)
    if point is None or point.plant_id != plant.id or point.kind != "manhole":
        return Refusal("not_a_manhole", "There is no such manhole at this plant.", "")
    today = at.astimezone(plant.tz).date()
    names = {business.id: party.name for business, party in haulers.businesses_at(plant.id)}
    refused = _not_the_writer(law, today, by) or _permit_wrong(law, words, written_on, since, until, today)
    if refused is None and business_id is not None and business_id not in names:
        refused = Refusal("no_hauler", "Select one of the haulers shown", "")
    if refused is not None:
        return refused
    writer = by.capacity(WRITERS)
    signed = f"{by.name}, {TITLES[writer]}" if writer else by.name
    row = ManholePermission(plant_id=plant.id, point_id=point.id, business_id=business_id, words=words.strip(),
                            written_on=written_on, written_by=signed, since=since, until=until, made_at=at)  # fmt: skip
    db.session.add(row)
    because(words.strip(), manhole_cite(law, today))
    span = f"from {formats.day(since)} to {formats.day(until)}"
    body = [f"You may unload into {point.name} {span}, by written approval of {signed}, of "
            f"{formats.date_only(written_on)} ({manhole_cite(law, today)}).", "", words.strip(), "",
            "Somebody of the plant supervises every load there. Choose the manhole when you book."]  # fmt: skip
    _tell(plant, law, business_id, "manhole_permitted", f"You may unload into {point.name}", body, at)
    return row


@act("end_manhole_permission", roles=WRITERS)
def end_manhole_permission(plant: Plant, permission_id: int, reason: str, *, seen: str | None = None, by: Actor,
                           at: datetime, law: Law) -> ManholePermission | Refusal:  # fmt: skip
    """Take a written approval back: from now on it allows nothing; bookings under it lose their time, all are told.

    ``seen``: the numbers that were shown. Refusals: no_permission, already_ended, no_reason, others.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    row = db.session.get(ManholePermission, permission_id)
    if row is None or row.plant_id != plant.id:
        return Refusal("no_permission", "There is no such approval at this plant.", "")
    if row.ended_at is not None:
        return Refusal("already_ended", "This approval has been taken back already.", "")
    if not reason.strip():
        return Refusal("no_reason", "Enter why the approval is taken back", "")
    today = at.astimezone(plant.tz).date()
    point = db.session.get_one(Point, row.point_id)
    losers = no_longer_fits(plant, law, permit_ended(point, row.id), at)
    if _others(losers, seen):
        return Refusal("others", OTHERS, manhole_cite(law, today))
    row.ended_at, row.end_reason = at, reason.strip()
    because(reason.strip(), manhole_cite(law, today))
    why = full_stop(f"The approval to unload into {point.name} is taken back: {reason.strip()}")
    db.session.flush()
    list_lost(plant, law, _lost(losers, why), at)
    told = {group.sessions[0].business_id for group, _ in losers}
    if row.business_id not in told:
        _tell(plant, law, row.business_id, "manhole_ended", f"No more unloading into {point.name}", [why], at, told)
    return row


def manhole_cite(law: Law, day: date) -> str:
    """The § of the written approval for a manhole."""
    return law.cite("manhole.written_by", day) if law.has("manhole.written_by", day) else _cite(law, day)


def _cite(law: Law, day: date) -> str:
    return law.cite("approval.points_by", day) if law.has("approval.points_by", day) else ""


def _not_the_writer(law: Law, day: date, by: Actor) -> Refusal | None:
    named = law.value("manhole.written_by", day) if law.has("manhole.written_by", day) else ""
    allowed = MAY_WRITE.get(named, WRITERS)
    if by.capacity(allowed) is not None:
        return None
    return Refusal("not_your_role", f"Only the {TITLES[allowed[0]]} may write this approval.", manhole_cite(law, day))


def _permit_wrong(law: Law, words: str, written_on: date, since: date, until: date, today: date) -> Refusal | None:
    cite = manhole_cite(law, today)
    if not words.strip():
        return Refusal("no_words", "Enter the approval in the words it is written in", cite)
    if written_on > today:
        return Refusal("order", "The day it was written must be today or earlier", cite)
    if until < since:
        return Refusal("order", "The last day must be the first day or later", cite)
    return Refusal("past", "The last day must be today or later", cite) if until < today else None


def _others(losers: Iterable[Loser], seen: str | None) -> bool:
    """Whether other bookings lose their time than were shown."""
    return seen is not None and seen != numbers_of(group for group, _ in losers)


def _lost(losers: Iterable[Loser], why: str) -> list[Lost]:
    return [Lost(group, why, day) for group, day in losers]


def _tell(plant: Plant, law: Law, business_id: int | None, kind: str, subject: str, lines: list[str], at: datetime,
          but: Iterable[int] = ()) -> None:  # fmt: skip
    """One hauler, or every one with an approval in force."""
    whom = {business_id} if business_id is not None else {
        business.id for _, business, _ in haulers.approvals_in_force(plant.id, at, law)}  # fmt: skip
    foot = full_stop(f"Questions: {plant.phone}, {plant.help_hours}")
    for one in sorted(whom - set(but)):
        body = "\n".join([*lines, "", foot])
        tell_party(haulers.party_of_business(one), kind, subject, body, at, plant_id=plant.id)
