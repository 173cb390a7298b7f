"""A restriction still in force at its planning end is planned with on, and whom it meets is told (§ 329-7 B(3)).

Nobody is left to find out at the gate: what was booked for the next open day is held until it is lifted.
"""

from datetime import datetime

from intake.actions.freed import offer_anywhere, tell_lost_offers
from intake.actions.holding import hold_bookings
from intake.actions.restriction_mail import tell_planned_on
from intake.models import Restriction
from intake.queries import capacity, restrictions
from intake.queries.met import met
from intake.queries.restriction_words import asked_of
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law


@act("plan_on", roles=(Role.SYSTEM,))
def plan_on(plant: Plant, restriction_id: int, *, by: Actor, at: datetime, law: Law) -> bool:
    """Plan with a restriction to the close of the next open day, hold what it meets until then, and tell each hauler of
    it once and the Director. False where it was lifted or moved on meanwhile."""
    lock(Plant, plant.id)
    law = capacity.law_under_lock(plant, at)
    row: Restriction = lock(Restriction, restriction_id)
    if row.lifted_at is not None or row.planning_end > at:
        return False
    was, until = row.planning_end, restrictions.end_of_planning(law, at)
    found = met(plant, law, at, asked_of(row), until, held_by=row.id)
    row.planning_end = until
    hold_bookings(row, (group.booking_id for group in found.groups), at)
    because("Still in force at its planning end", law.cite("restriction.until", at.astimezone(plant.tz).date()))
    db.session.flush()
    tell_planned_on(plant, row, found, was, at, law)
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)
    return True
