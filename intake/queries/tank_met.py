"""Which bookings a receiving tank has no room for when its limit, its level or the tank itself changes.

Those made first keep their place, as at every other point; the pages show it before, the acts ask again.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime

from intake.queries import capacity, tank_room
from intake.queries.bookings import Group, grouped
from intake.queries.places import Place
from intake.queries.tank import TANK, readings, tank_point, tank_set
from office import formats
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours
from ordinances.offers import Draw
from ordinances.reader import Law
from ordinances.tank import Tank, TankPlan, Unloading


def tank_place(plant_id: int) -> Place | None:
    """The plant's receiving tank as a place; None where it has none."""
    point = tank_point(plant_id)
    return Place(point.id, point.name, TANK, tank=tank_set(point.id)) if point is not None else None


def losers(plant: Plant, law: Law, at: datetime, *, lower: Sequence[Draw] = (), tank: Tank | None = None,
           held: int | None = None, gone: Collection[int] = (), unless: int | None = None) -> list[Group]:  # fmt: skip
    """The bookings whose gallons do not fit into the tank beside those made before them.

    ``lower`` are further limits of its bleed, ``tank`` and ``held`` another tank with so much in it now, ``gone`` the
    ids of bookings that will not come, ``unless`` a restriction as if it had never been. What a restriction holds does
    not come, and keeps its place; what is kept for those in line comes after every booking.
    """
    place = tank_place(plant.id)
    if place is None:
        return []
    plans = capacity.planned(plant.id, at, since=at)
    groups = [one for one in grouped(plans) if any(part.point_id == place.id for part in one.sessions)]
    others = [one for one in plans if one.point_id != place.id]
    found = tank_room.basin(plant, law, at, place, others, tank_room.Asked(
        {one.day for one in plans}, tank=tank, held=held, lower=lower, unless=unless, lines=False))  # fmt: skip
    if found is None:
        return groups
    plan, lost = found.plan, list[Group]()
    for group in groups:
        mine = [one for one in group.sessions if one.point_id == place.id]
        if group.booking_id in gone or any(one.held for one in mine):
            continue
        with_it = _beside(plan, mine)
        if with_it is None:
            lost.append(group)
        else:
            plan = with_it
    return lost


def _beside(plan: TankPlan, mine: Sequence[capacity.Planned]) -> TankPlan | None:
    """The tank with the sessions of a booking in it too; None where it has no room for one of them.

    A truck that is late has its room as if it were there: what it finds when it comes is the gate's to say.
    """
    for one in mine:
        start = max(one.starts, plan.since)
        if one.gph > plan.tank.unload_gph or one.gallons > plan.takes(start, one.gph):
            return None
        plan = plan.adding(Unloading(start, one.gallons, one.gph))
    return plan


def without_tank(groups: Sequence[Group], point_id: int) -> list[Group]:
    """The bookings as far as they draw from the limit themselves."""
    kept = (replace(one, sessions=[part for part in one.sessions if part.point_id != point_id]) for one in groups)
    return [one for one in kept if one.sessions]


def valve_on(law: Law, days: Collection[date], tank: Tank) -> dict[date, Draw]:
    """What the valve has of each day's limit before the other points, at most."""
    spans = ((day, dump_hours(law, day)) for day in days)
    return {day: Draw(one.start, one.end, tank.bleed_gph) for day, one in spans if isinstance(one, Hours)}


def no_room_words(plant: Plant, group: Group) -> str:
    """Why a booking no longer fits into the tank, in a sentence."""
    place = tank_place(plant.id)
    name = place.name if place is not None else "The receiving tank"
    newest = next(iter(readings(place.id)), None) if place is not None else None
    gallons = sum(one.gallons for one in group.sessions if place is None or one.point_id == place.id)
    read = "" if newest is None else formats.full_stop(
        f" {formats.volume(newest.gallons)} {'was' if newest.gallons == 1 else 'were'} read in it "
        f"{formats.day_time(newest.read_at, plant.tz)}")  # fmt: skip
    return f"{name} will not have room for {formats.volume(gallons)} then.{read}"
