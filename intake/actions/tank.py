"""A receiving tank: set by the plant manager (§ 329-7 C(1)), its level read by who works at the plant.

The ordinance names no tank: what leaves it keeps to the limit of § 329-7 F(3), what goes into it to the tank.
"""

from collections.abc import Sequence
from datetime import datetime

from intake.actions.listing import OTHERS, list_lost
from intake.actions.over_limit import Before, tell_of_limit
from intake.actions.turning_down import over_it
from intake.models import Point, TankReading, TankTerms
from intake.queries import capacity, tank_level
from intake.queries.bookings import Group, numbers_of
from intake.queries.calendar_met import Lost
from intake.queries.day_locks import TANK_ROW, lock_days
from intake.queries.limit_met import over_now
from intake.queries.tank import TANK, tank_point
from intake.queries.tank_level import Wanted
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

AT_THE_GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)


@act("set_tank", roles=(Role.MANAGER,))
def set_tank(plant: Plant, point_id: int, wanted: Wanted, *, seen: str | None = None, by: Actor, at: datetime, law: Law
             ) -> TankTerms | Refusal:  # fmt: skip
    """Set what a receiving tank holds, how fast trucks fill it and its valve bleeds it, and what is in it now.

    It counts at once; what was set before stays on record. Bookings it has no room for lose their time, as do those at
    other points for which the valve leaves too little; their haulers are told. ``seen``: the numbers the manager was
    shown (``bookings.numbers_of``). Refusals: no_tank, others, and those of ``tank_refused``.
    """
    lock(Plant, plant.id)
    lock_days(plant.id, [TANK_ROW])
    law = capacity.law_under_lock(plant, at)
    point = db.session.get(Point, point_id)
    if point is None or point.plant_id != plant.id or point.kind != TANK:
        return Refusal("no_tank", "There is no such receiving tank at this plant.", "")
    refused = tank_refused(plant, law, wanted, at)
    if refused is not None:
        return refused
    lost = tank_level.lost_with(plant, law, wanted.tank, wanted.held, at)
    if seen is not None and seen != numbers_of(lost):
        return Refusal("others", OTHERS, tank_level.cite_of(law, at))
    row = TankTerms(plant_id=plant.id, point_id=point.id, gallons=wanted.gallons, unload_gph=wanted.unload_gph,
                    bleed_gph=wanted.bleed_gph, set_at=at, set_by=by.name)  # fmt: skip
    db.session.add_all([row, _reading(point, at, wanted.held, None, "", by, at)])
    because(cite=tank_level.cite_of(law, at))
    list_lost(plant, law, _lost(law, lost, point, at), at)
    return row


def tank_refused(plant: Plant, law: Law, wanted: Wanted, at: datetime) -> Refusal | None:
    """Why a tank cannot be so: asked before the bookings are shown, and by the act.

    Refusals: numbers (below one), slower (trucks fill it more slowly than it is bled), over_limit (the valve above the
    plant's limit), held (more in it than it holds).
    """
    cite = tank_level.cite_of(law, at)
    if min(wanted.gallons, wanted.unload_gph, wanted.bleed_gph) < 1 or wanted.held < 0:
        return Refusal("numbers", "Gallons and rates must be 1 or more", cite)
    if wanted.unload_gph < wanted.bleed_gph:
        return Refusal("slower", "Trucks must unload at least as fast as the valve bleeds", cite)
    today = at.astimezone(plant.tz).date()
    limit = law.row("rate.plan_gph", today) if law.has("rate.plan_gph", today) else None
    if limit is not None and wanted.bleed_gph > int(limit.value):
        why = f"The valve must let through at most the plant's limit, {formats.rate(int(limit.value))}"
        return Refusal("over_limit", why, limit.cite, limit.reading)
    if wanted.held > wanted.gallons:
        return Refusal("held", f"The tank holds {formats.volume(wanted.gallons)} at most", cite)
    return None


@act("read_tank", roles=AT_THE_GATE)
def read_tank(plant: Plant, gallons: int, read_at: datetime, *, reason: str = "", by: Actor, at: datetime, law: Law
              ) -> TankReading | Refusal:  # fmt: skip
    """Enter what was read of the tank's level: from then on it is reckoned from this reading.

    Bookings it leaves no room for are listed to the Director, and their haulers told; none is dropped. Refusals:
    no_tank, future, earlier (than the reading before), gallons, far (from what was reckoned, without a ``reason``).
    """
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    point = tank_point(plant.id)
    level = tank_level.level_now(plant, law, at) if point is not None else None
    if point is None or level is None:
        return Refusal("no_tank", "This plant has no receiving tank that is set.", "")
    refused = level.wrong(gallons, read_at, at, reason)
    if refused is not None:
        return refused
    before = Before({one.number: one for one in over_now(plant, law, at)}, over_it(plant, law, at))
    row = _reading(point, read_at, gallons, level.at(read_at), reason, by, at)
    db.session.add(row)
    because(reason.strip() or None)
    db.session.flush()
    tell_of_limit(plant, before, at)
    return row


def _reading(point: Point, read_at: datetime, gallons: int, reckoned: int | None, reason: str, by: Actor,
             at: datetime) -> TankReading:  # fmt: skip
    return TankReading(plant_id=point.plant_id, point_id=point.id, read_at=read_at, gallons=gallons,
                       reckoned=reckoned, reason=reason.strip(), entered_at=at, entered_by=by.name)  # fmt: skip


def _lost(law: Law, groups: Sequence[Group], point: Point, at: datetime) -> list[Lost]:
    """Each booking with its first day that is met, and why: the tank has no room, or its valve leaves too little."""
    cite, found = tank_level.cite_of(law, at), []
    for group in groups:
        into = [one for one in group.sessions if one.point_id == point.id]
        why = (f"{point.name} has no room for it as it is set now ({cite})." if into else
               f"The valve of {point.name} comes first and leaves it too little of the limit ({cite}).")  # fmt: skip
        found.append(Lost(group, why, min(one.day for one in group.sessions)))
    return found
