"""The flow in force that sets the limit (§ 329-7 F(3) of Bayfield), and the places to unload (C(1))."""

from datetime import date, datetime

from intake.actions.ended import end_by_plant
from intake.models import Point
from intake.queries import capacity
from intake.queries.bookings import Group, grouped
from intake.queries.flow import FLOW_KEY
from intake.queries.flow_in_force import with_flow
from intake.queries.flow_recorded import recorded_for
from intake.queries.met import limits_on, lower_limit, spans_on
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant, PlantRow, set_plant_row
from ordinances.offers import Draw
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal


def no_longer_fits(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> list[Group]:
    """The bookings that lose their place when a flow comes in force on a day: those booked last.

    Only days on which it would be in force are looked at: a flow already put in force from a later day stays.
    """
    return _over(plant, law, with_flow(law, gpd, since), since, at)


def over_now(plant: Plant, law: Law, at: datetime) -> list[Group]:
    """The bookings to come that the limit in force no longer holds, as when newly recorded flow has lowered it."""
    return _over(plant, law, law, at.astimezone(plant.tz).date(), at)


def _over(plant: Plant, law: Law, changed: Law, since: date, at: datetime) -> list[Group]:
    groups = grouped(capacity.planned(plant.id, at, since=at))
    days = {one.day for group in groups for one in group.sessions}
    lower: dict[date, list[Draw]] = {}
    recorded = recorded_for(plant.id, law, since, max(days, default=since))
    for day, spans in spans_on(law, days, groups).items():
        lower[day] = [one for span in spans for one in limits_on(changed, day, span, recorded)] if day >= since else []
    losers = lower_limit(plant, law, groups, days, lower)
    return [group for group in losers if any(one.day >= since for one in group.sessions)]


def flow_refused(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> Refusal | None:
    """Why a flow cannot come in force on a day: it is past, it would stop the day, or leave no whole gallon an hour."""
    today = at.astimezone(plant.tz).date()
    if since < today:
        return Refusal("past", "The flow must be in force from today or a later day", law.cite("rate.flow_gpd", today))
    cap = cap_on(law, since, gpd)
    if cap.stop is not None:
        return cap.stop
    if cap.plan_gph < 1:
        why = f"{formats.volume(gpd)} a day leave no whole gallon an hour"
        return Refusal("too_low", why, law.cite("rate.percent", since))
    return None


@act("put_flow_in_force", roles=(Role.DIRECTOR,))
def put_flow_in_force(
    plant: Plant, gpd: int, since: date, order: str, *, by: Actor, at: datetime, law: Law
) -> PlantRow | Refusal:
    """Put a flow in force from a day on; it sets the limit. Bookings that no longer fit end, their haulers are told.

    Refusals: too_low (no whole gallon an hour is left), past, no_resolution, and those of a flow that stops the day.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = flow_refused(plant, law, gpd, since, at)
    if refused is not None:
        return refused
    losers = no_longer_fits(plant, law, gpd, since, at)
    row = set_plant_row(plant, FLOW_KEY, gpd, since, order, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    for group in losers:
        first = min(one.day for one in group.sessions if one.day >= since)
        words = _limit_words(plant, with_flow(law, gpd, since), first)
        end_by_plant(plant, group.booking_id, f"{words} this booking no longer fits.", at)
    because(order, law.cite("rate.flow_gpd", since))
    return row


@act("end_over_limit", roles=(Role.DIRECTOR,))
def end_over_limit(plant: Plant, seen: set[str], *, by: Actor, at: datetime, law: Law) -> int | Refusal:
    """End the bookings that no longer fit under the limit in force and tell their haulers; how many ended.

    ``seen``: the numbers the Director was shown. Refusals: others (they are not the same any more).
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    losers, today = over_now(plant, law, at), at.astimezone(plant.tz).date()
    if {group.sessions[0].number for group in losers} != seen or not seen:
        why = "The bookings that do not fit are not those you were shown. Look at the list again."
        return Refusal("others", why, law.cite("rate.flow_gpd", today))
    for group in losers:
        first = min(one.day for one in group.sessions)
        end_by_plant(plant, group.booking_id, f"{_limit_words(plant, law, first)} this booking no longer fits.", at)
    because("No longer fits under the limit", law.cite("rate.flow_gpd", today))
    return len(losers)


def _limit_words(plant: Plant, law: Law, day: date) -> str:
    cap = cap_on(law, day, readings=recorded_for(plant.id, law, day, day))
    return f"{cap.shut.why} So" if cap.shut else f"The limit is {formats.rate(cap.plan_gph)} now, and"


@act("open_point", roles=(Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR, Role.SYSTEM))
def open_point(
    plant: Plant, name: str, kind: str = "station", *, by: Actor, at: datetime, law: Law | None = None
) -> Point | Refusal:
    """Open a place to unload, as the plant manager specifies (§ 329-7 C(1))."""
    if not name.strip():
        return Refusal("no_name", "Enter the name of the receiving point.", "")
    if kind not in ("station", "manhole"):
        return Refusal("unknown_kind", "Select station or manhole.", "")
    lock(Plant, plant.id)
    point = Point(plant_id=plant.id, name=name.strip(), kind=kind)
    db.session.add(point)
    return point
