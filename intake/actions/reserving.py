"""Room for a load, looked for under the locks: for a booking that is made, moved, or taken up from the waiting list.

One order of locks and one list of rules for all of them (§ 329-7 C, F(3), F(4) of Bayfield).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from haulers import queries as haulers
from intake.actions.booking_rules import (
    approval_covering,
    begun,
    day_of,
    no_allowance,
    no_point,
    shaped_wrongly,
    yours,
)
from intake.models import Booking
from intake.queries import bookings, capacity
from intake.queries.allowance import limits
from intake.queries.named_driver import driver_refused
from intake.queries.placing import placed_on
from intake.queries.records_due import barred
from intake.queries.tank_rest import beside
from intake.queries.truck_times import truck_taken
from office.access import Actor
from office.asked import hold_row
from office.plants import Plant
from ordinances.booking_terms import too_far
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Wanted:
    """A load that looks for room. ``sessions`` need it; ``staying`` parts of the same load keep theirs.

    ``booking`` is the one that moves: its own room and gallons count as free. ``room_id`` is the freed room kept for
    this load by the waiting list. ``driver`` is who was named to drive, "" for nobody yet.
    """

    business_id: int
    truck_id: int
    waste: str
    sessions: tuple[Session, ...]
    staying: tuple[Session, ...] = ()
    booking: Booking | None = None
    room_id: int | None = None
    driver: str = ""

    @property
    def parts(self) -> list[Session]:
        """Every part of the load in time order."""
        return sorted([*self.sessions, *self.staying], key=lambda one: one.start)


@dataclass(frozen=True)
class Room:
    """What was found: the law under the lock, the approval it counts against, the point of each session, and what soft
    limits say."""

    law: Law
    approval: Any
    points: Mapping[Session, int]
    note: str

    @property
    def placed(self) -> list[Session]:
        """The sessions that look for room, each with its point, in time order."""
        return sorted((replace(one, point=point) for one, point in self.points.items()), key=lambda one: one.start)

    def point_of(self, one: Session) -> int:
        """The id of the point that takes a session."""
        return self.points[one]


def find_room(plant: Plant, wanted: Wanted, *, by: Actor, at: datetime, law: Law, gallons: int) -> Room | Refusal:
    """Take the locks (plant, approval, days in date order) and check every rule; nothing is written.

    ``gallons`` are those the parts together must come to. Refusals: those of ``book_discharge``.
    """
    parts, first = wanted.parts, min((one.start for one in wanted.sessions), default=at)
    refused = (
        yours(wanted.business_id, by)
        or shaped_wrongly(law, wanted.truck_id, wanted.business_id, gallons, parts, waste=wanted.waste)
        or begun(law, first, at)
    )
    if refused is not None:
        return refused
    hold_row(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    # Who moves a time it has is not barred: only a new one waits for the record.
    late = barred(plant.id, wanted.business_id, law, at) if wanted.booking is None else None
    approval = late or _too_far(wanted, at, law) or approval_covering(plant, wanted.business_id, parts, at, law)
    if isinstance(approval, Refusal):
        return approval
    capacity.lock_days(plant.id, [*(day_of(law, one) for one in wanted.sessions), *_days_left(wanted)])
    refused = haulers.waste_covered(approval, wanted.waste, law) or _truck_wrong(approval, wanted, law)
    refused = refused or driver_refused(wanted.business_id, wanted.driver, [day_of(law, one) for one in parts], law)
    placed = refused or _placed(plant, wanted, law, at)
    if isinstance(placed, Refusal):
        return placed
    only = bookings.first_point(plant.id)
    points = {one: one.point or (only.id if only else 0) for one in placed}
    if not all(points.values()):
        return no_point(law, day_of(law, parts[0]))
    mine = wanted.booking.id if wanted.booking else None
    found, days = limits(approval, law, at, mine), [day_of(law, one) for one in parts]
    by_day = [(day, one.gallons) for day, one in zip(days, parts, strict=True)]
    refused = no_allowance(law, approval, parts, days, at, mine) or found.refusal(by_day, wanted.waste)
    return refused or Room(law, approval, points, found.note(by_day, wanted.waste))


def _too_far(wanted: Wanted, at: datetime, law: Law) -> Refusal | None:
    """Why a day cannot be booked yet; what stays of a load that moves was booked when it could be."""
    today = at.astimezone(law.zone).date()
    return next((no for one in wanted.sessions if (no := too_far(law, day_of(law, one), today)) is not None), None)


def _truck_wrong(approval: Any, wanted: Wanted, law: Law) -> Refusal | None:
    truck = haulers.truck(wanted.truck_id)
    return haulers.truck_covered(approval, truck, law) if truck is not None else None


def _days_left(wanted: Wanted) -> list[date]:
    """The days whose room a moving booking gives back."""
    if wanted.booking is None:
        return []
    return [one.day for one in bookings.sessions_of([wanted.booking.id])[wanted.booking.id]]


def _placed(plant: Plant, wanted: Wanted, law: Law, at: datetime) -> list[Session] | Refusal:
    """The sessions with their points, or why the truck or the plant has no room in one of them."""
    mine = wanted.booking.id if wanted.booking else None
    days = [day_of(law, one) for one in wanted.sessions]
    pictures = capacity.day_pictures(plant, law, days, at, mine, except_room=wanted.room_id)
    truck = haulers.truck(wanted.truck_id)
    refused = truck_taken(plant, truck, wanted.business_id, wanted.sessions, at, except_booking=mine)
    if refused is not None:
        return refused
    found: list[Session] = []
    for one, day in zip(wanted.sessions, days, strict=True):
        here = beside(pictures[day], [*found, *wanted.staying])
        made = placed_on(law, here, one, at, waste=wanted.waste, business_id=wanted.business_id,
                         kept=wanted.room_id is not None)  # fmt: skip
        if isinstance(made, Refusal):
            return made
        found.append(made)
    return found
