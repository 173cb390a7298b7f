"""Stop a truck that unloads or waits: what ran is kept and charged, the rest of its room is free at once.

A restriction or a revocation reaches trucks that were let in before it (§ 329-7 B(3), G of Bayfield).
"""

from datetime import datetime
from fractions import Fraction
from math import ceil

from billing.actions import post_charges, reverse_entry
from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import special_charge, tickets
from intake.actions.freed import offer_freed
from intake.models import Booking, Load, Run
from intake.queries import bookings, capacity, loads
from intake.queries.words import sentence
from intake.states import BookingState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.calendar import record_due
from ordinances.fees import volume_line
from ordinances.reader import Law
from ordinances.refusal import Refusal


@act("stop_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def stop_load(load: Load, gallons: int, reason: str, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """End the run that goes on or waits now; ``gallons`` are those this run unloaded until now.

    The volume is charged anew for them (none for 0 gallons), the test charge stays where a sample was taken, and a
    corrected ticket is written. A run that unloaded nothing is taken away, and with it what its booking still planned.
    Refusals: no_reason, not_running, gallons_below, not_begun, more_than_logged.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why the truck is stopped.", "")
    plant = lock(Plant, load.plant_id, shared=True)
    law = capacity.law_under_lock(plant, at)
    if load.approval_id is not None:
        haulers.lock_approval(load.approval_id)
    planned = bookings.sessions_of([load.booking_id])[load.booking_id] if load.booking_id else ()
    days = [run.day for run in loads.runs_of(load.id)] + [one.day for one in planned]
    capacity.lock_days(plant.id, [load.day, *days])
    load = lock(Load, load.id)
    found = loads.run_to_stop(load, at)
    refused = _cannot(plant, load, found, gallons, at)
    if refused is not None or found is None or load.business_id is None:
        return refused or _not_running(plant, load)
    party = haulers.party_of_business(load.business_id)
    locked_account(plant, party.id, by=by, at=at)
    refused = _charge_anew(plant, load, party.id, found, gallons, reason, by=by, at=at, law=law)
    refused = refused or special_charge.stopped(plant, load, loads.runs_of(load.id), at, reason, by=by, at=at, law=law)
    if refused is not None:
        return refused
    load.gallons += gallons - found.gallons
    _end(found, gallons, at)
    if not gallons:
        _give_back(load, reason, at)
    _set_due(load, at, law)
    load.note = "\n".join(filter(None, (load.note, stopped_words(plant, at, reason))))
    because(reason.strip(), law.cite("record.due_working_days", load.day))
    tickets.write(plant, load, party, at=at, law=law, what="stopped")
    offer_freed(plant, [load.day, *days], at, law)
    return load


def stopped_words(plant: Plant, at: datetime, reason: str) -> str:
    """What the ticket says of the stop."""
    return sentence(f"Stopped at {formats.clock_time(at, plant.tz)}: {reason.strip()}")


def _not_running(plant: Plant, load: Load) -> Refusal:
    ended = f" It ended {formats.day_time(load.discharged_at, plant.tz)}" if load.discharged_at else ""
    return Refusal("not_running", sentence(f"Load {load.ticket} does not run now.{ended}"), "")


def _cannot(plant: Plant, load: Load, run: Run | None, gallons: int, at: datetime) -> Refusal | None:
    if run is None:
        return _not_running(plant, load)
    if gallons < 0:
        return Refusal("gallons_below", "Gallons must be 0 or more.", "")
    if run.starts >= at and gallons:
        start = formats.clock_time(run.starts, plant.tz)
        return Refusal("not_begun", sentence(f"This run begins at {start}") + " Nothing is unloaded yet: enter 0.", "")
    if gallons > run.gallons:
        why = f"The load was logged with {formats.volume(run.gallons)}. Check the number."
        return Refusal("more_than_logged", why, "", next_step="Was it more, void the ticket and log it again.")
    return None


def _charge_anew(
    plant: Plant, load: Load, party_id: int, run: Run, gallons: int, reason: str, *, by: Actor, at: datetime, law: Law
) -> Refusal | None:
    """Take the volume of this run back and charge what was unloaded; the ledger keeps all three lines."""
    if gallons == run.gallons:
        return None
    part = [one.id for one in loads.runs_of(load.id)].index(run.id) + 1
    code = volume_line(law, run.day, gallons)
    mine = code.code if part == 1 else f"{code.code}/{part}"
    for entry in tickets.charges_of(load):
        if (entry.line_code or "").split("#")[0] == mine:
            back = reverse_entry(entry, f"{tickets.label(load)} was stopped: {reason.strip()}", by=by, at=at, law=law)
            if isinstance(back, Refusal):
                return back
    if not gallons:
        return None
    made = post_charges(plant, party_id, [code], "load", load.id, run.day, part=part, label=tickets.label(load),
                        by=by, at=at, law=law)  # fmt: skip
    return made if isinstance(made, Refusal) else None


def _end(run: Run, gallons: int, at: datetime) -> None:
    """The run as it was: until now, at the rate that brought these gallons out; none where nothing came out."""
    if not gallons:
        db.session.delete(run)
        db.session.flush()
        return
    seconds = Fraction((at - run.starts).total_seconds())
    run.gph = min(run.gph, max(1, ceil(gallons * 3600 / seconds)))
    run.ends, run.gallons = at, gallons


def _give_back(load: Load, reason: str, at: datetime) -> None:
    """Without its run the booking would be waited for again: it ends, and its room is free."""
    booking = lock(Booking, load.booking_id) if load.booking_id else None
    if booking is not None and booking.state == BookingState.BOOKED.value:
        booking.state, booking.ended_at = BookingState.CANCELLED.value, at
        booking.end_reason = f"Stopped as load {load.ticket}: {reason.strip()}"


def _set_due(load: Load, at: datetime, law: Law) -> None:
    """The record is due from the stop, or from a later morning still planned; a load of 0 gallons needs none."""
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    load.discharged_at = at
    if not load.gallons:
        load.record_due = None
        return
    ends = [at]
    if booking is not None and booking.state == BookingState.BOOKED.value:
        ends += [one.ends for one in bookings.sessions_of([booking.id])[booking.id]]
    load.record_due = record_due(law, max(ends)).at
