"""What this room owes people as time goes by."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from intake.actions.freed import days_waited_for, to_offer
from intake.actions.planning_on import plan_on
from intake.actions.records import remind_of_record
from intake.actions.signing import settle_record
from intake.actions.special_lapse import remind_of_special, tell_special_lapsed
from intake.actions.waiting import offer_room, tell_turn
from intake.queries import kept_rooms, loads, restrictions, special
from intake.queries.placing import why_lost
from office.access import Actor, system
from office.db import db
from office.jobs import Owed, job
from office.law import law_in_force, law_now
from office.plants import Plant, all_plants
from ordinances.reader import NoLaw

LOOK_BACK = timedelta(days=60)
A_DAY = timedelta(days=1)


@job("waiting_list")
def waiting_list(at: datetime) -> Owed:
    """Tell whose turn it is to answer an offer of room, and offer room that no act gave back, as when a limit rises.

    Whose turn it is does not hang on it: that follows from the clock.
    """
    return _turns_and_room(at)


def _turns_and_room(at: datetime) -> Iterator[tuple[str, Callable[[], object]]]:
    by = system("Waiting list")
    for plant in all_plants():
        for line in kept_rooms.lines(plant.id, since=at):
            for one in line:
                if one.is_open(at) and one.row.told_at is None and why_lost(plant, one, at) is None:
                    yield f"turn:{one.row.id}", partial(tell_turn, plant, one.room.id, by=by, at=at)
        try:
            law = law_now(plant, at)
        except NoLaw:
            continue
        if to_offer(plant, days_waited_for(plant, at, law), at, law, again=False):
            yield f"room:{plant.id}:{at:%Y%m%dT%H%M%S}", partial(offer_room, plant, by=by, at=at, law=law)


@job("restrictions_outlasting")
def restrictions_outlasting(at: datetime) -> Owed:
    """A restriction still in force at its planning end: whom it meets on the next open day is told then."""
    by = system("Reminders")
    for plant in all_plants():
        for row in restrictions.in_force(plant.id, at):
            if row.planning_end <= at:
                period = f"{row.id}:{row.planning_end:%Y%m%dT%H%M%S}"
                yield period, partial(_plan_on, plant, row.id, by, at)


def _plan_on(plant: Plant, restriction_id: int, by: Actor, at: datetime) -> bool:
    return plan_on(plant, restriction_id, by=by, at=at, law=law_now(plant, at))


@job("special_times")
def special_times(at: datetime) -> Owed:
    """Requests for special times that nobody settles: one word a day before to whom it waits for, one once passed."""
    by = system("Reminders")
    for ident in special.unsettled(at, at + A_DAY, asked_before=A_DAY):
        yield f"before:{ident}", partial(remind_of_special, ident, by=by, at=at)
    for ident in special.unsettled(at - LOOK_BACK, at):
        yield f"lapsed:{ident}", partial(tell_special_lapsed, ident, by=by, at=at)


@job("record_overdue")
def record_overdue(at: datetime) -> Owed:
    """One notice for each load whose written record is late, looking back far enough for a time without jobs."""
    return _owed(at)


def _owed(at: datetime) -> Iterator[tuple[str, partial[bool]]]:
    by = system("Reminders")
    for load in loads.overdue(None, at, since=at - LOOK_BACK):
        yield f"load:{load.id}", partial(_remind, load.id, by, at)


def _remind(load_id: int, by: Actor, at: datetime) -> bool:
    """What was signed on every morning that ran is documented, where the ones still planned never came."""
    load = loads.load(load_id)
    settle_record(load, at=at, law=law_in_force(db.session.get_one(Plant, load.plant_id), load.day))
    return remind_of_record(load, by=by, at=at)
