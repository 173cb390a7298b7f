"""Restrict septage at once and lift it again, telling everybody concerned (§ 329-7 B(3) of Bayfield)."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import select

from intake.actions.freed import offer_anywhere, tell_lost_offers
from intake.actions.holding import hold_bookings
from intake.actions.restriction_mail import Ended, tell_lifted, tell_restricted
from intake.models import Booking, Hold, Restriction, RestrictionUpdate
from intake.queries import bookings, capacity, restrictions
from intake.queries.bookings import Group, grouped
from intake.queries.flow_recorded import recorded_for
from intake.queries.lifted import standing
from intake.queries.met import met
from intake.queries.restriction_words import Asked, asked_of, point_names, scope_words
from intake.queries.restrictions import full_stop, meets
from intake.states import BookingState, HoldEnd
from office import formats, journal
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

NEXT_UPDATE = timedelta(hours=4)
NOT_SAID = {"types": "Select the types of waste to stop", "points": "Select the receiving points to shut"}


@act("restrict_plant", roles=(Role.DIRECTOR,))
def restrict_plant(
    plant: Plant, reason: str, *, scope: str = "everything", gph: int | None = None, wastes: Sequence[str] = (),
    points: Sequence[int] = (), note: str = "", next_update: datetime | None = None,
    planning_end: datetime | None = None, by: Actor, at: datetime, law: Law,
) -> Restriction | Refusal:  # fmt: skip
    """Restrict the plant from this instant on. Bookings it meets before the planning end are held.

    ``scope`` everything; types with ``wastes``; points with the ids of the receiving ``points``; or rate with ``gph``
    the lower limit in gallons an hour. Others may be in force already. The planning end is the close of the next open
    day unless given. Refusals: unknown_reason, not_here, already_restricted, rate_not_lower, no_types, no_points,
    dates.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    asked = Asked(scope, gph, tuple(dict.fromkeys(wastes)), tuple(sorted(set(points))))
    refused = _checked(plant, reason, asked, next_update, planning_end, at, law)
    if refused is not None:
        return refused
    until = planning_end or restrictions.end_of_planning(law, at)
    found = met(plant, law, at, asked, until)
    row = Restriction(
        plant_id=plant.id, starts=at, reason=reason, note=note.strip(), scope=scope, gph=gph,
        wastes=list(asked.wastes), points=list(asked.points), next_update=next_update or at + NEXT_UPDATE,
        planning_end=until, started_by=by.name, act_id=journal.current_act_id(), law_version=law.version,
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    hold_bookings(row, (group.booking_id for group in found.groups), at)
    because(restrictions.title_of(reason), law.cite("restriction.by", _today(plant, at)))
    tell_restricted(plant, row, found, at, law)
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)
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
    law = capacity.law_under_lock(plant, at)
    row = _open_one(plant, restriction_id)
    if isinstance(row, Refusal):
        return row
    if not note.strip():
        return Refusal("nothing_said", "Enter what haulers should know", "")
    until = planning_end or max(row.planning_end, restrictions.end_of_planning(law, at))
    if next_update <= at or until <= at:
        return Refusal("dates", "The next update must be later than now", "")
    found = met(plant, law, at, asked_of(row), until, held_by=row.id)
    row.next_update, row.planning_end = next_update, until
    db.session.add(RestrictionUpdate(plant_id=plant.id, restriction_id=row.id, posted_at=at, posted_by=by.name,
                                     words=note.strip()))  # fmt: skip
    hold_bookings(row, (group.booking_id for group in found.groups), at)
    because(note.strip(), law.cite("restriction.by", _today(plant, at)))
    tell_restricted(plant, row, found, at, law, update=note.strip())
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)
    return row


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
    plant: Plant, restriction_id: int, done: str, *, mistaken: bool = False, by: Actor, at: datetime, law: Law
) -> Restriction | Refusal:  # fmt: skip
    """Lift a restriction by saying what was done. Each held booking stands again, is listed, or was missed.

    ``mistaken``: it was pressed by mistake and is taken back at once; everybody told reads to ignore that message.
    Refusals: no_restriction, already_lifted, nothing_done, too_late (for a mistake: lift it by what was done).
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    row = _open_one(plant, restriction_id)
    if isinstance(row, Refusal):
        return row
    if not done.strip():
        cite = law.cite("restriction.until", _today(plant, at))
        return Refusal("nothing_done", "Enter what was done to fix the problem", cite)
    if mistaken and at > row.starts + restrictions.MISTAKE:
        return Refusal("too_late", "It is too long ago to take it back as a mistake: lift it by what was done.",
                       law.cite("restriction.until", _today(plant, at)))  # fmt: skip
    hold_bookings(row, (group.booking_id for group in _not_held_in_time(plant, row, at)), at)
    row.lifted_at, row.lifted_by, row.done = at, by.name, done.strip()
    db.session.flush()
    ended = _end_holds(plant, law, row, at)
    because(done.strip(), law.cite("restriction.until", _today(plant, at)))
    tell_lifted(plant, row, ended, at, law, mistaken=mistaken)
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)
    return row


def _today(plant: Plant, at: datetime) -> date:
    return at.astimezone(plant.tz).date()


def _checked(plant: Plant, reason: str, asked: Asked, next_update: datetime | None, planning_end: datetime | None,
             at: datetime, law: Law) -> Refusal | None:  # fmt: skip
    today = _today(plant, at)
    if not law.has("restriction.by", today):
        why = "The law of this plant knows no restriction by the Director."
        return Refusal("not_here", why, law.cite("programme.kind", today))
    cite = law.cite("restriction.reasons", today)
    known = reason in law.value("restriction.reasons", today)
    if not known or asked.scope not in law.value("restriction.scopes", today):
        why = "Select one of the reasons the ordinance names. For other causes close the day."
        return Refusal("unknown_reason", why if not known else "Select what is restricted.", cite)
    if (next_update or at + NEXT_UPDATE) <= at or (planning_end is not None and planning_end <= at):
        return Refusal("dates", "The next update must be later than now.", "")
    return cannot_restrict(plant, asked, at, law)


def cannot_restrict(plant: Plant, asked: Asked, at: datetime, law: Law) -> Refusal | None:
    """What is wrong with a scope and its parts as things stand; asked before its effect is shown, and by the act."""
    cite = law.cite("restriction.reasons", _today(plant, at))
    wrong = _parts_wrong(plant, asked, cite) or _rate_wrong(plant, asked, at, law)
    return wrong or _already(plant, asked, at, cite)


def _parts_wrong(plant: Plant, asked: Asked, cite: str) -> Refusal | None:
    """A scope with the parts it needs and no others: types known here, points of this plant."""
    here = {one.id for one in bookings.points(plant.id)}
    good = {"types": bool(asked.wastes) and set(asked.wastes) <= set(WASTE_TYPES),
            "points": bool(asked.points) and set(asked.points) <= here}  # fmt: skip
    if not good.get(asked.scope, True):
        return Refusal(f"no_{asked.scope}", NOT_SAID[asked.scope], cite)
    if (asked.wastes and asked.scope != "types") or (asked.points and asked.scope != "points"):
        return Refusal("unknown_reason", "Select what is restricted.", cite)
    return None


def _rate_wrong(plant: Plant, asked: Asked, at: datetime, law: Law) -> Refusal | None:
    """A lower limit is below the day's own and below every one in force already."""
    today = _today(plant, at)
    if asked.scope != "rate" and asked.gph is None:
        return None
    limit = cap_on(law, today, readings=recorded_for(plant.id, law, today, today)).plan_gph
    limit = min([limit, *(row.gph for row in restrictions.in_force(plant.id, at) if row.gph is not None)])
    if asked.scope == "rate" and asked.gph is not None and 0 < asked.gph < limit:
        return None
    why = f"The lower limit must be between 1 and {limit - 1:,} gallons an hour."
    if limit < 2:
        why = f"The limit is {formats.rate(limit)} already: restrict all unloading instead."
    return Refusal("rate_not_lower", why, law.cite("restriction.reasons", today))


def _already(plant: Plant, asked: Asked, at: datetime, cite: str) -> Refusal | None:
    """A restriction of the same kind that does all of this already. Any other may stand beside it."""
    current = next((row for row in restrictions.in_force(plant.id, at) if asked.within(row)), None)
    if current is None:
        return None
    since = formats.day_time(current.starts, plant.tz)
    what = "Septage" if current.scope == "everything" else scope_words(current, point_names([current]))
    why = full_stop(f"{what} is already restricted since {since}")
    step, details = "Lift that restriction first.", {"restriction_id": current.id}
    return Refusal("already_restricted", why, cite, next_step=step, details=details)


def _not_held_in_time(plant: Plant, row: Restriction, at: datetime) -> list[Group]:
    """Bookings after the planning end that a restriction let pass by: they were missed because of it, also where the
    truck came and was refused."""
    if row.scope == "rate":
        return []
    held = set(db.session.scalars(select(Hold.booking_id).filter_by(restriction_id=row.id)))
    since = row.planning_end
    later = grouped([*capacity.planned(plant.id, at, since=since), *capacity.turned_away_since(plant.id, at, since)])
    return [group for group in later if group.booking_id not in held and any(
        one.starts < at and meets(row, one.waste, one.point_id) for one in group.sessions)]  # fmt: skip


def _end_holds(plant: Plant, law: Law, row: Restriction, at: datetime) -> list[Ended]:
    """End each hold, the booking made first at the front, and say how. Those of other restrictions stand.

    Bookings into a receiving tank that have no room there any more, since it was bled less for longer than was
    planned, are listed with them.
    """
    query = (
        select(Hold, Booking).join(Booking, Booking.id == Hold.booking_id)
        .where(Hold.restriction_id == row.id, Hold.ended_at.is_(None)).order_by(Booking.made_at, Booking.id)
    )  # fmt: skip
    pairs = [(hold, booking) for hold, booking in db.session.execute(query)]
    capacity.lock_days(plant.id, {one.day for one in capacity.planned(plant.id, at, since=at)})
    before, ends = _other_holds(row.id, [booking.id for _, booking in pairs]), dict[int, HoldEnd]()
    for hold, booking in pairs:
        lost, held = before.get(booking.id, (None, False))
        end = lost or (HoldEnd.MISSED if _has_passed(booking, at) else HoldEnd.RELEASED if held else None)
        if end is not None:
            ends[booking.id] = end
            hold.ended_at, hold.outcome = at, end.value
    db.session.flush()
    found = standing(plant, law, row, {booking.id for _, booking in pairs} - set(ends), at)
    ended = []
    for hold, booking in pairs:
        end = ends.get(booking.id) or (HoldEnd.LISTED if booking.id in found.lost else HoldEnd.RELEASED)
        hold.ended_at, hold.outcome = at, end.value
        lost, held = before.get(booking.id, (None, False))
        # Who lost the time before was told then.
        if booking.state == BookingState.BOOKED.value and lost is None:
            ended.append(Ended(booking, end, held and end is HoldEnd.RELEASED))
    db.session.flush()
    return ended + [_listed_too(row, group, at) for group in found.others]


def _listed_too(row: Restriction, group: Group, at: datetime) -> Ended:
    """A booking that a restriction did not hold and that has no room any more after it."""
    hold_bookings(row, [group.booking_id], at)
    hold = db.session.scalars(select(Hold).filter_by(restriction_id=row.id, booking_id=group.booking_id)).one()
    hold.ended_at, hold.outcome = at, HoldEnd.LISTED.value
    db.session.flush()
    return Ended(db.session.get_one(Booking, group.booking_id), HoldEnd.LISTED, held=False)


def _has_passed(booking: Booking, at: datetime) -> bool:
    """Whether a time of a booking began while it was held: its load, if it has not opened, was missed."""
    done = bookings.opened_days(booking.id)
    return any(one.starts < at and one.day not in done for one in bookings.sessions_of([booking.id])[booking.id])


def _other_holds(restriction_id: int, booking_ids: Sequence[int]) -> dict[int, tuple[HoldEnd | None, bool]]:
    """By booking: how it lost its time before, if it did, and whether another restriction holds it now."""
    query = select(Hold).where(Hold.booking_id.in_(booking_ids), Hold.restriction_id.is_distinct_from(restriction_id))
    found: dict[int, tuple[HoldEnd | None, bool]] = {}
    for one in db.session.scalars(query):
        lost, held = found.get(one.booking_id, (None, False))
        if one.outcome in (HoldEnd.MISSED.value, HoldEnd.LISTED.value):
            lost = HoldEnd(one.outcome)
        found[one.booking_id] = (lost, held or one.ended_at is None)
    return found
