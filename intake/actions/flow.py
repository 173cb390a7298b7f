"""The flow in force that sets the limit (§ 329-7 F(3) of Bayfield), and the places to unload (C(1))."""

from datetime import date, datetime

from intake.actions.listing import OTHERS, list_lost
from intake.actions.turning_down import tell_turn_down
from intake.models import Point
from intake.queries import capacity
from intake.queries.calendar_met import Lost
from intake.queries.flow import FLOW_KEY
from intake.queries.flow_in_force import with_flow
from intake.queries.limit_met import key_of, lost_under, over_now
from intake.queries.tank import TANK, tank_point
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant, PlantRow, set_plant_row
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal


def no_longer_fits(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> tuple[Lost, ...]:
    """The bookings that lose their place when a flow comes in force on a day: those booked last.

    Only days on which it would be in force are looked at: a flow already put in force from a later day stays.
    """
    return lost_under(plant, with_flow(law, gpd, since), since, at)


def flow_refused(plant: Plant, law: Law, gpd: int, since: date, at: datetime) -> Refusal | None:
    """Why a flow cannot come in force on a day: it is past, it would stop the day, or leave no whole gallon an hour."""
    today = at.astimezone(plant.tz).date()
    if since < today:
        return Refusal("past", "The flow must be in force from today or a later day", law.cite("rate.flow_gpd", today))
    # Asked about the flow itself: no reading of today stands against it.
    cap = cap_on(law, since, gpd)
    if cap.stop is not None:
        return cap.stop
    if cap.plan_gph < 1:
        why = f"{formats.volume(gpd)} a day leave no whole gallon an hour"
        return Refusal("too_low", why, law.cite("rate.percent", since))
    return None


@act("put_flow_in_force", roles=(Role.DIRECTOR,))
def put_flow_in_force(
    plant: Plant, gpd: int, since: date, order: str, *, seen: str | None = None, by: Actor, at: datetime, law: Law
) -> PlantRow | Refusal:
    """Put a flow in force from a day on; it sets the limit. Bookings that no longer fit lose their time, and their
    haulers are told. ``seen``: what the Director was shown (``limit_met.key_of``).

    Refusals: too_low (no whole gallon an hour is left), past, no_resolution, others, and those of a flow that stops the
    day.
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    refused = flow_refused(plant, law, gpd, since, at)
    if refused is not None:
        return refused
    lost = no_longer_fits(plant, law, gpd, since, at)
    if seen is not None and seen != key_of(lost):
        return Refusal("others", OTHERS, law.cite("rate.flow_gpd", since))
    row = set_plant_row(plant, FLOW_KEY, gpd, since, order, by=by, at=at)
    if isinstance(row, Refusal):
        return row
    because(order, law.cite("rate.flow_gpd", since))
    law = capacity.law_under_lock(plant, at)
    list_lost(plant, law, lost, at)
    tell_turn_down(plant, law, since, at)
    return row


@act("end_over_limit", roles=(Role.DIRECTOR,))
def end_over_limit(plant: Plant, seen: set[str], *, by: Actor, at: datetime, law: Law) -> int | Refusal:
    """Take the time of the bookings that no longer fit under the limit in force and tell their haulers; how many.

    ``seen``: the numbers the Director was shown. Refusals: others (they are not the same any more).
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    lost, today = over_now(plant, law, at), at.astimezone(plant.tz).date()
    if {one.number for one in lost} != seen or not seen:
        return Refusal("others", OTHERS, law.cite("rate.flow_gpd", today))
    because("No longer fits under the limit", law.cite("rate.flow_gpd", today))
    list_lost(plant, law, lost, at)
    return len(lost)


@act("open_point", roles=(Role.MANAGER, Role.DIRECTOR, Role.ADMINISTRATOR, Role.SYSTEM))
def open_point(
    plant: Plant, name: str, kind: str = "station", *, by: Actor, at: datetime, law: Law | None = None
) -> Point | Refusal:
    """Open a place to unload, as the plant manager specifies (§ 329-7 C(1)); a tank takes nothing until it is set.

    Refusals: no_name, unknown_kind, one_tank.
    """
    if not name.strip():
        return Refusal("no_name", "Enter the name of the receiving point.", "")
    if kind not in ("station", "manhole", TANK):
        return Refusal("unknown_kind", "Select station, manhole or tank.", "")
    lock(Plant, plant.id)
    if kind == TANK and tank_point(plant.id) is not None:
        return Refusal("one_tank", "This plant has its receiving tank already.", "", next_step="Set that one anew.")
    point = Point(plant_id=plant.id, name=name.strip(), kind=kind)
    db.session.add(point)
    return point
