"""At the receiving station: log a load, go on with it another morning, turn a truck away.

Locks are taken in the order of the house: plant, approval, day, account, numbers. The gate is asked again under them.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from haulers import queries as haulers
from intake.actions import taking, tickets
from intake.actions.freed import offer_freed
from intake.actions.holding import release_holds
from intake.actions.refusing import TurnedAway, days_of, turn_away
from intake.actions.signing import settle_record
from intake.actions.taking import Entry
from intake.actions.voiding import void_load
from intake.models import Booking, Load
from intake.queries import arrivals, bookings, capacity, loads, outbox
from intake.queries.arrivals import Arrival
from intake.queries.fitting import fit
from intake.queries.gate import GateAnswer, may_discharge
from intake.queries.pickups import PickUp
from intake.queries.pieces import left_paused
from intake.queries.testing_rule import asked_of
from intake.states import Basis, BookingState, LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.calendar import record_due
from ordinances.fees import charge_cite
from ordinances.hauled import Part
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

__all__ = ["continue_load", "finish_load", "log_load", "refuse_load", "void_load"]
AT_THE_GATE = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)


@act("log_load", roles=AT_THE_GATE)
def log_load(
    plant: Plant, client_id: str, *, business_id: int, truck_id: int, waste: str, gallons: int,
    booking: Booking | None = None, driver: str = "", basis: str = Basis.METER.value, ph: Decimal | None = None,
    bottle: str = "", tested: bool = True, normal: bool = True, flags: Collection[str] = (), note: str = "",
    reason: str = "", answer: str = "", finding: str = "", temp_f: Decimal | None = None, flush: int = 0,
    full_lb: int | None = None, empty_lb: int | None = None, pickups: Sequence[PickUp] = (),
    start: datetime | None = None, point_id: int | None = None, supervised_by: str = "", ordered_by: str = "",
    circumstances: str = "", origin: str = "", others: Sequence[Part] = (), cubic_yards: Decimal | None = None,
    untested: str = "", about: Collection[str] | None = None,
    by: Actor, at: datetime, law: Law,
) -> Load | Refusal:  # fmt: skip
    """Take a truck in: the load, its run, its charges, its ticket, and what the hauler is told (§ 329-7 C, F).

    ``client_id`` is made where the load is typed: the same one again returns the same load. ``gallons`` are this
    morning's; ``reason`` keeps an odd value asked ``about``, ``untested`` is of the test (``Arrival``); ``answer`` is
    what the Superintendent said of a limit theirs to judge, ``finding`` what follows (§ 329-6 E), told to manager and
    Director; ``flush`` is the water of the gallons, ``full_lb``, ``empty_lb`` pounds as weighed; ``start`` asks for a
    later time, ``point_id`` for another point than booked; ``supervised_by`` stands by at a manhole, used under
    ``circumstances``; ``ordered_by`` wants a test not due; ``origin`` is its zone, ``others`` other kinds in it.
    Refusals: the gate's, those of ``arrivals.wrong``, ``point_room.nowhere``, ``taking``, and same_time.
    """
    law, seen = _lock(plant, business_id, at, law)
    arrival = arrivals.told_apart(Arrival(
        plant, law, at, truck_id, waste, gallons, basis, ph, bottle, tested, normal, flags, note, reason,
        answer=answer, finding=finding, temp_f=temp_f, flush=flush, full_lb=full_lb, empty_lb=empty_lb,
        pickups=pickups, asked=asked_of(plant, business_id, law, at.astimezone(plant.tz).date()),
        ordered_by=ordered_by, business_id=business_id, circumstances=circumstances, untested=untested, about=about,
        driver=driver, origin=origin, supervised_by=supervised_by, others=others, cubic_yards=cubic_yards,
    ))  # fmt: skip
    if (again := loads.with_client_id(plant.id, client_id)) is not None:
        return again
    if booking is not None:
        db.session.refresh(booking)
    gate = may_discharge(plant, law, seen, business_id=business_id, truck_id=truck_id, waste=waste, booking=booking,
                         driver=driver)  # fmt: skip
    refused = None if gate.ok else gate.refusal()
    arrival = replace(arrival, later=arrivals.booked_later(gate.booking, arrival.day))
    refused = refused or _goes_on(gate) or arrivals.wrong(arrival) or arrivals.full_tank(arrival, gate.booking)
    session = refused or _session(arrival, gate, start, point_id)
    if isinstance(session, Refusal):
        return session
    alone = _alone(arrival, session)
    if isinstance(alone, Refusal):
        return alone
    made = taking.take(Entry(client_id, alone, gate, session, by.name), by=by, at=at)
    if isinstance(made, Refusal):
        return made
    load, _ = made
    because(" ".join((untested, reason)).strip() or None, charge_cite(law, arrival.day, "gallons"))
    taking.close(load, arrival.day, by=by, at=at, law=law)
    return load


@act("continue_load", roles=AT_THE_GATE)
def continue_load(load: Load, gallons: int, *, note: str = "", reason: str = "", start: datetime | None = None,
                  driver: str = "", supervised_by: str = "", full_lb: int | None = None, empty_lb: int | None = None,
                  by: Actor, at: datetime, law: Law) -> Load | Refusal:  # fmt: skip
    """Go on with a load on another morning: one more run and its gallons at that day's price; no second test charge.

    ``driver`` is who drives this morning, "" for the one of the first; another's name is kept with the load. Gallons by
    weight are those the load's weights leave, or, where only the first morning was weighed, those of ``full_lb`` and
    ``empty_lb``. The written record is due after the last morning. Refusals as in ``log_load``.
    """
    plant = db.session.get_one(Plant, load.plant_id)
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    if booking is None or load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_to_continue", f"Load {load.ticket} has no further morning booked.", "")
    law, seen = _lock(plant, load.business_id, at, law)
    db.session.refresh(load)
    paused = left_paused(load)
    if paused is not None:
        return paused
    arrival = Arrival(
        plant, law, at, load.truck_id, load.waste, gallons, load.basis, None, "", False, True, (), note, reason,
        before=load.gallons, business_id=load.business_id, supervised_by=supervised_by, driver=driver,
        later=arrivals.booked_later(booking, at.astimezone(plant.tz).date()), full_lb=full_lb, empty_lb=empty_lb,
    )  # fmt: skip
    gate = may_discharge(plant, law, seen, business_id=load.business_id, truck_id=load.truck_id, waste=load.waste,
                         booking=booking, driver=driver.strip() or load.driver)  # fmt: skip
    refused = arrivals.too_much(arrival, load) if gate.ok else gate.refusal()
    session = refused or _session(arrival, gate, start)
    if isinstance(session, Refusal):
        return session
    run = taking.go_on(load, arrival, gate, session, by=by, at=at, law=law)
    if isinstance(run, Refusal):
        return run
    tickets.write(plant, load, haulers.party_of_business(load.business_id), at=at, law=law)
    return load


@act("finish_load", roles=AT_THE_GATE)
def finish_load(load: Load, *, by: Actor, at: datetime, law: Law) -> Load | Refusal:
    """Say that nothing is left in the truck: what its booking planned for later mornings is free again.

    The written record is then due from the last morning it ran. Refused: not_to_continue, paused.
    """
    plant = lock(Plant, load.plant_id, shared=True)
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    if booking is None or load.approval_id is None:
        return Refusal("not_to_continue", f"Load {load.ticket} has no further morning booked.", "")
    haulers.lock_approval(load.approval_id)
    capacity.lock_days(plant.id, [one.day for one in bookings.sessions_of([booking.id])[booking.id]])
    load, booking = lock(Load, load.id), lock(Booking, booking.id)
    paused = left_paused(load)
    if paused is not None:
        return paused
    ran = bookings.opened_days(booking.id)
    to_come = any(one.day not in ran for one in bookings.sessions_of([booking.id])[booking.id])
    if load.state != LoadState.ACCEPTED.value or booking.state != BookingState.BOOKED.value or not to_come:
        return Refusal("not_to_continue", f"Load {load.ticket} has no further morning booked.", "")
    booking.state, booking.ended_at = BookingState.CANCELLED.value, at
    booking.end_reason = f"{loads.UNLOADED} as load {load.ticket}"
    release_holds(booking.id, at)
    if load.discharged_at is not None:
        load.record_due = record_due(law, load.discharged_at).at
    because(booking.end_reason)
    offer_freed(plant, [one.day for one in bookings.sessions_of([booking.id])[booking.id]], at, law)
    return settle_record(load, at=at, law=law) or load


@act("refuse_load", roles=AT_THE_GATE)
def refuse_load(
    plant: Plant, client_id: str, *, reason_code: str, reason: str, business_id: int | None = None,
    business_name: str = "", truck_id: int | None = None, plate: str = "", booking: Booking | None = None,
    driver: str = "", waste: str = "other", gallons: int = 0, ph: Decimal | None = None, bottle: str = "",
    by: Actor, at: datetime, law: Law,
) -> Load | Refusal:  # fmt: skip
    """Record a truck that was turned away, with its reason in words. A business nobody here knows is kept by name.

    ``gallons`` are those unloaded, so 0. Refusals: no_reason, who, gallons_unloaded.
    """
    refused = arrivals.refusal_wanting(reason_code, reason, business_id, business_name, gallons)
    if refused is not None:
        return refused
    arrival = Arrival(plant, law, at, truck_id, waste, gallons, Basis.DECLARED.value, ph, bottle, False, True, (), "",
                      "", driver=driver)  # fmt: skip
    _lock(plant, business_id, at, law, days_of(booking))
    again = loads.with_client_id(plant.id, client_id)
    if again is not None:
        return again
    turned = TurnedAway(client_id, reason_code, reason, business_id, business_name, plate, booking, by.name)
    return turn_away(arrival, turned, at=at)


def _lock(plant: Plant, business_id: int | None, at: datetime, law: Law, more: Collection[date] = ()
          ) -> tuple[Law, datetime]:  # fmt: skip
    """Take the locks, of today and ``more`` days; the law as it is now, and the instant to ask the gate about.

    A closure or a revocation may have come while this waited for its locks; then this request's own clock is behind.
    """
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    standing = haulers.standing(plant.id, business_id, at, law) if business_id else None
    if standing is not None and standing.approval is not None:
        haulers.lock_approval(standing.approval.id)
        revocation = haulers.revocation_of(standing.approval.id)
        at = max(at, revocation.at) if revocation is not None and revocation.from_day is None else at
    capacity.lock_days(plant.id, [at.astimezone(plant.tz).date(), *more])
    return law, at


def _goes_on(gate: GateAnswer) -> Refusal | None:
    """A second ticket for a load that was opened on an earlier morning."""
    opened = loads.opened_by(gate.booking.id) if gate.booking else None
    if opened is None or gate.booking is None:
        return None
    why = f"Booking {gate.booking.number} was opened as load {opened.ticket}."
    return Refusal("goes_on", why, "", next_step=f"Go on with load {opened.ticket}.")


def _session(arrival: Arrival, gate: GateAnswer, start: datetime | None, point_id: int | None = None
             ) -> Session | Refusal:  # fmt: skip
    """The session this load runs in, if the approval has the gallons and the day, at some point, has the room."""
    refused = next(iter(taking.beyond(arrival, gate)), None)
    if refused is not None:
        return refused
    return fit(arrival.plant, arrival.law, arrival.at, arrival.gallons, booking=gate.booking, start=start,
               waste=arrival.waste, business_id=arrival.business_id, point_id=point_id)  # fmt: skip


def _alone(arrival: Arrival, session: Session) -> Arrival | Refusal:
    """A second load of a truck at one time with the same gallons is asked about; with a reason it is kept as such."""
    other = outbox.may_be_same(arrival.plant.id, arrival.truck_id, arrival.day, min(arrival.at, session.start),
                               session.end)  # fmt: skip
    if other is None or other.gallons != arrival.gallons:
        return arrival
    if arrival.answers("same_time"):
        return replace(arrival, odd=(*arrival.odd, f"as many gallons as load {other.ticket} at this time"))
    when = formats.clock_time(other.logged_at, arrival.plant.tz)
    why = f"This truck has load {other.ticket} at this time too: {formats.volume(other.gallons)}, logged {when}"
    return Refusal("same_time", formats.full_stop(why), "", next_step="If this is another load, say why.")
