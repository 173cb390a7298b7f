"""What pausing, resuming, changing the rate, running on and stopping share: locks, cutting, laying out, charging anew.

Locks are taken in the order of the house: plant, approval, day, load, account.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from math import ceil

from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging, special_charge, tickets
from intake.actions.freed import offer_freed
from intake.actions.holding import release_holds
from intake.actions.signing import settle_record
from intake.models import Booking, Excess, Load, Run
from intake.queries import bookings, capacity, loads
from intake.queries.flow_recorded import recorded_for
from intake.queries.pieces import Layout, Morning, morning
from intake.queries.tank import runs_into_tank
from intake.queries.words import sentence
from intake.states import BookingState, LoadState, RunKind
from office import formats
from office.access import Actor
from office.db import db, lock
from office.plants import Plant
from ordinances.calendar import record_due
from ordinances.rate_cap import cap_on
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Gate:
    """What an act at the gate is done with: the plant, who and when, and the law as it is under the locks."""

    plant: Plant
    by: Actor
    at: datetime
    law: Law


def locked(several: Sequence[Load], by: Actor, at: datetime) -> tuple[Gate, list[Load]]:
    """Take the locks of some loads of one plant."""
    plant = lock(Plant, several[0].plant_id, shared=True)
    law = capacity.law_under_lock(plant, at)
    for approval_id in sorted({one.approval_id for one in several if one.approval_id is not None}):
        haulers.lock_approval(approval_id)
    booked = bookings.sessions_of([one.booking_id for one in several if one.booking_id is not None])
    days = {session.day for sessions in booked.values() for session in sessions}
    days |= {run.day for one in several for run in loads.runs_of(one.id)}
    capacity.lock_days(plant.id, [*days, *(one.day for one in several), at.astimezone(plant.tz).date()])
    return Gate(plant, by, at, law), [lock(Load, one.id) for one in sorted(several, key=lambda one: one.id)]


def of_today(gate: Gate, load: Load) -> Morning:
    """The newest morning of a load, read under its locks; none of its pieces count once the load is void."""
    found = morning(load, gate.at, fresh=True)
    return found if load.state == LoadState.ACCEPTED.value else Morning(load, found.day, gate.at, (), found.part, 0)


def not_running(plant: Plant, load: Load) -> Refusal:
    """The load neither flows nor waits."""
    ended = f" It ended {formats.day_time(load.discharged_at, plant.tz)}" if load.discharged_at else ""
    return Refusal("not_running", sentence(f"Load {load.ticket} does not run now.{ended}"), "")


def begins_later(plant: Plant, run: Run) -> Refusal:
    """A run that waits for the start it was logged with."""
    start = formats.clock_time(run.starts, plant.tz)
    return Refusal("not_begun", sentence(f"This run begins at {start}") + " Nothing is unloaded yet: enter 0.", "")


def gallons_wrong(found: Morning, gallons: int) -> Refusal | None:
    """Gallons out this morning that cannot be: below 0, or more than was logged."""
    if gallons < 0:
        return Refusal("gallons_below", "Gallons must be 0 or more.", "")
    if gallons > found.logged:
        why = f"The load was logged with {formats.volume(found.logged)}. Check the number."
        return Refusal("more_than_logged", why, "", next_step="If it is more, say first that it runs on.")
    return None


def cut(found: Morning, out: int, at: datetime) -> int:
    """End what flows now, with ``out`` gallons of this morning unloaded; the gallons that are still in the truck.

    What waits is taken away or ended now: the caller places the gallons that are left.
    """
    left = found.logged - out
    for rest in found.rests:
        if rest.starts >= at:
            db.session.delete(rest)
        else:
            rest.ends, rest.gallons = min(rest.ends, at), 0
    for run in found.ran:
        if run.starts >= at:
            db.session.delete(run)
    begun = [one for one in found.ran if one.starts < at]
    spread(begun, out, at)
    db.session.flush()
    return left


def clear(found: Morning) -> None:
    """Take the pauses of a morning away on which nothing was unloaded."""
    for run in loads.runs_of(found.load.id):
        if run.day == found.day:
            db.session.delete(run)
    db.session.flush()


def spread(begun: Sequence[Run], out: int, at: datetime) -> None:
    """Share the gallons of a morning out over its pieces: each keeps what it had, what differs is the last ones'."""
    known, left = [one.gallons for one in begun], out
    if begun and begun[-1].ends > at:
        known[-1] = 0
    for place, run in enumerate(begun):
        last = place == len(begun) - 1
        gallons = left if last else min(known[place], left)
        left -= gallons
        if not gallons:
            db.session.delete(run)
        elif run.ends > at or gallons != run.gallons:
            run.ends, run.gallons = min(run.ends, at), gallons
            if gallons != loads.out_so_far(run, run.ends):
                seconds = Fraction((run.ends - run.starts).total_seconds())
                run.gph = min(run.gph, max(1, ceil(gallons * 3600 / seconds)))


@dataclass(frozen=True)
class Like:
    """What the pieces of a morning have in common."""

    plant_id: int
    point_id: int
    supervised_by: str
    circumstances: str = ""


def like(run: Run) -> Like:
    """What a further piece takes over from one that may be taken away."""
    return Like(run.plant_id, run.point_id, run.supervised_by, run.circumstances)


def place(found: Morning, like: Like, laid: Layout, *, measured: bool = False) -> None:
    """Write how the gallons go on: what flows from now on, and what waits for its later time."""
    for session, kind in ((laid.now, RunKind.RAN), (laid.later, RunKind.REST)):
        if session is not None:
            add(found, like, session.start, session.end, session.gph, session.gallons, kind,
                measured=measured and kind is RunKind.RAN)  # fmt: skip
    db.session.flush()


def add(found: Morning, like: Like, starts: datetime, ends: datetime, gph: int, gallons: int, kind: RunKind, *,
        measured: bool = False) -> Run:  # fmt: skip
    """One more piece of a morning, at the point and under the supervision of another."""
    run = Run(plant_id=like.plant_id, load_id=found.load.id, point_id=like.point_id, day=found.day, starts=starts,
              ends=ends, gph=gph, gallons=gallons, supervised_by=like.supervised_by,
              circumstances=like.circumstances, kind=kind.value, measured=measured)  # fmt: skip
    db.session.add(run)
    db.session.flush()
    return run


def keep_excess(gate: Gate, found: Morning, gph: int, since: datetime) -> str:
    """Keep a flow above the hard limit from an instant until now, and say it in words; "" where there is none.

    What others let flow then counts, what they have booked does not. Between the planning limit and the hard one
    nothing is kept: it is shown while it flows. What goes into a receiving tank is not in the sewer.
    """
    if runs_into_tank(gate.plant.id, found.load.id):
        return ""
    cap = cap_on(gate.law, found.day, readings=recorded_for(gate.plant.id, gate.law, found.day, found.day))
    others = [one for _, _, one in capacity.running_at(gate.plant.id, [found.day], found.load.id, rests=False,
                                                         sewer=True)]  # fmt: skip
    instants = {since, *(one.start for one in others if since < one.start < gate.at)}
    drawn = {at: gph + sum(int(one.gph) for one in others if one.start <= at < one.end) for at in instants}
    worst = max(instants, key=lambda at: drawn[at] - cap.hard_at(at))
    hard = cap.hard_at(worst)
    if drawn[worst] <= hard:
        return ""
    db.session.add(Excess(
        plant_id=gate.plant.id, load_id=found.load.id, measured_at=worst, gph=gph, drawn_gph=drawn[worst],
        hard_gph=hard, cite=cap.cite, entered_by=gate.by.name, done="", law_version=gate.law.version,
    ))  # fmt: skip
    db.session.flush()
    return (f"The plant drew {formats.rate(drawn[worst])}, above the limit of "
            f"{formats.number(hard)} ({cap.cite}).")  # fmt: skip


def settle(gate: Gate, before: Morning, said: str, what: str, ended: str = "", plan: str = "") -> Refusal | None:
    """After its pieces changed: the load's gallons, charges, due record and ticket, and who waits for what is free.

    ``said`` is what the ticket keeps and the hauler is told, ``what`` the act ("paused", "stopped" …), ``ended`` why
    its booking ends where nothing of it was unloaded. ``plan`` is how it goes on: the hauler is told, but it stays on
    no ticket, where the next act would leave it untrue; the ticket lists the pieces themselves.
    """
    load, after = before.load, morning(before.load, gate.at, before.day, fresh=True)
    assert load.business_id is not None
    party = haulers.party_of_business(load.business_id)
    locked_account(gate.plant, party.id, by=gate.by, at=gate.at)
    if what in ("stopped", "rest"):
        special_charge.keep_stopped(load, gate.at, gate.by)
    refused = charging.charge_again(gate.plant, load, said, by=gate.by, at=gate.at, law=gate.law)
    if refused is not None:
        return refused
    load.gallons += after.logged - before.logged
    if not after.runs:
        _give_back(load, ended or f"Load {load.ticket}: {said}", gate.at)
    _set_due(gate, load, after)
    load.note = "\n".join(filter(None, (load.note, said)))
    tickets.write(gate.plant, load, party, at=gate.at, law=gate.law, what=what, plan=plan)
    booked = bookings.sessions_of([load.booking_id])[load.booking_id] if load.booking_id else ()
    offer_freed(gate.plant, {before.day, *(one.day for one in booked)}, gate.at, gate.law)
    return settle_record(load, at=gate.at, law=gate.law)


def _give_back(load: Load, why: str, at: datetime) -> None:
    """Without a piece the booking would be waited for again: it ends, and its room is free."""
    booking = lock(Booking, load.booking_id) if load.booking_id else None
    if booking is not None and booking.state == BookingState.BOOKED.value:
        booking.state, booking.ended_at = BookingState.CANCELLED.value, at
        booking.end_reason = why
        release_holds(booking.id, at)


def _set_due(gate: Gate, load: Load, after: Morning) -> None:
    """The record is due from the last piece, or from a later morning still planned; a load of 0 gallons needs none."""
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    ends = [one.ends for one in after.runs] or [gate.at]
    load.discharged_at = max(ends)
    if not load.gallons:
        load.record_due = None
        return
    if booking is not None and booking.state == BookingState.BOOKED.value:
        ends += [one.ends for one in bookings.sessions_of([booking.id])[booking.id]]
    load.record_due = record_due(gate.law, max(ends)).at
