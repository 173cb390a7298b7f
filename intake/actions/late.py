"""Register a load that was taken while the server could not be told: from a tablet, or from a paper ticket.

What is in the pipe is in the pipe: the gate, the limits and the hours at that time say what is flagged, never whether
the load is kept. Only what cannot be right as written waits for a person. Charged by the law of the day it was
unloaded; the written record is due from then (§ 329-7 C(3)).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from haulers import queries as haulers
from intake.actions import pieces, taking
from intake.actions.late_words import Before, before_it, tell_flags, tell_others
from intake.actions.stopped_then import stopped_meanwhile
from intake.actions.taking import Entry
from intake.models import Booking, Load, Run
from intake.queries import arrivals, bookings, capacity, loads, outbox
from intake.queries.arrivals import Arrival
from intake.queries.fitting import fit
from intake.queries.flow_recorded import recorded_for
from intake.queries.gate import GateAnswer, may_discharge
from intake.queries.gate_bookings import own, wrong_with
from intake.queries.limits_then import known_at
from intake.queries.outbox import Flag, Written
from intake.queries.pieces import left_paused, morning
from intake.queries.places import at_gate
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.plants import Plant
from ordinances import offers
from ordinances.fees import charge_cite
from ordinances.offers import Session
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

STAFF = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
# Limits of the law that a load in the pipe may have passed: they are flagged. Anything else is put right first.
IN_THE_PIPE = ("screening", "ask", "rejected", "pretreated")


@dataclass(frozen=True)
class Taken:
    """A load that was registered late, and what stood against it."""

    load: Load
    flags: tuple[Flag, ...]


@act("register_late", roles=(Role.SYSTEM, *STAFF))
def register_late(plant: Plant, written: Written, *, by: Actor, at: datetime, law: Law) -> Taken | Refusal:
    """Register a load with the time, the law and the price of when it was taken; what it should not have been is said.

    Sent before under the same id it is that load. Refusals: ahead, no_law, unknown_truck, long_ago,
    booking_used, paused, same_time (a tablet's), those of ``arrivals.wrong`` that somebody must put right, and of
    ``taking.take``.
    """
    visitor, day = written.visitor, written.at.astimezone(plant.tz).date()
    then = _law_then(plant, written, at)
    if isinstance(then, Refusal):
        return then
    arrival = _arrival(plant, then, written)
    if loads.with_client_id(plant.id, written.client_id) is None:
        looked = _whose(arrival) or _long_ago(arrival, law, at)
        if isinstance(looked, Refusal):
            return looked
        arrival = looked
    lock(Plant, plant.id, shared=True)
    standing = haulers.standing(plant.id, visitor.business_id, written.at, then) if visitor.business_id else None
    approval = standing.approval if standing is not None else None
    if approval is not None:
        haulers.lock_approval(approval.id)
    capacity.lock_days(plant.id, [day])
    again = loads.with_client_id(plant.id, written.client_id)
    if again is not None:
        return _known(again, written)
    gate, no = _gate(arrival, written, approval.id if approval is not None else None)
    refused = _used(arrival, visitor.booking)
    if refused is not None:
        return refused
    opened = loads.opened_by(gate.booking.id) if gate.booking is not None else None
    if opened is not None:
        return _go_on(lock(Load, opened.id), arrival, written, gate, no, by=by, at=at)
    return _keep(arrival, written, gate, no, by=by, at=at)


def _law_then(plant: Plant, written: Written, at: datetime) -> Law | Refusal:
    """The law of when the load was taken, as it was known then; a Refusal for a time ahead, or before any law."""
    if written.at > at:
        return Refusal("ahead", "This time lies ahead. Check the day and the time.", "")
    try:
        return known_at(plant, law_in_force(plant, written.at.astimezone(plant.tz).date()), written.at)
    except NoLaw as none:
        return Refusal("no_law", str(none), "", next_step="Check the time.")


def _whose(arrival: Arrival) -> Refusal | None:
    if arrival.business_id is not None and arrival.truck_id is not None:
        return None
    return Refusal("unknown_truck", "The truck is none of a hauler this plant knows.", "",
                   next_step="Say whose truck it was.")  # fmt: skip


def _long_ago(arrival: Arrival, law: Law, at: datetime) -> Arrival | Refusal:
    """A load of long ago is looked at by a person before it counts; with their reason it is kept as such."""
    today = at.astimezone(arrival.plant.tz).date()
    days, most, cite = (today - arrival.day).days, *outbox.told_within(law, today)
    if days <= most:
        return arrival
    if arrival.answers("long_ago"):
        return replace(arrival, odd=(*arrival.odd, f"told of {days} days after it was unloaded"))
    why = (f"It was unloaded on {formats.day(arrival.day)}, {days} days ago. What is told of more than "
           f"{formats.plural(most, 'day')} later is looked at first. Check the day.")  # fmt: skip
    return Refusal("long_ago", why, cite, next_step="If it is right, say why it is told of only now.")


def _known(load: Load, written: Written) -> Taken:
    """It had arrived with network, only the answer was lost: the slip in the driver's hand still finds it."""
    if not load.slip:
        load.slip = written.slip
    return Taken(load, written.flags)


def _arrival(plant: Plant, law: Law, written: Written) -> Arrival:
    given = written.values
    names = ("answer", "finding", "temp_f", "flush", "full_lb", "empty_lb", "pickups", "untested", "about", "driver",
             "origin", "others", "cubic_yards", "supervised_by", "circumstances", "ordered_by")  # fmt: skip
    same = {name: given[name] for name in names if name in given}
    return arrivals.told_apart(Arrival(
        plant, law, written.at, written.visitor.truck_id, given.get("waste", ""), given.get("gallons") or 0,
        given.get("basis", ""), given.get("ph"), given.get("bottle", ""), given.get("tested", True),
        given.get("normal", True), given.get("flags", ()), given.get("note", ""), given.get("reason", ""),
        business_id=written.visitor.business_id, told_late=True, **same,
    ))  # fmt: skip


def _in_the_pipe(arrival: Arrival) -> tuple[Flag, ...] | Refusal:
    """What the load is beyond the limits of the law; a Refusal where it cannot be right as written."""
    found: dict[str, Flag] = {}
    # Each limit passed is taken off in turn, so that the next thing is seen.
    for rest in (arrival, replace(arrival, ph=None, temp_f=None, flags=()),
                 replace(arrival, ph=None, temp_f=None, flags=(), business_id=None)):  # fmt: skip
        wrong = arrivals.wrong(rest)
        if wrong is None:
            break
        if wrong.code not in IN_THE_PIPE:
            return wrong
        found.setdefault(wrong.code, Flag(wrong.code, wrong.why.replace(" Do not accept this load.", ""), wrong.cite))
    return tuple(found.values())


def _used(arrival: Arrival, booking: Booking | None) -> Refusal | None:
    """A booking whose load somebody has logged already: whether this is the same one only a person can say."""
    wrong = wrong_with(booking, booking.business_id, arrival.at, arrival.day) if booking is not None else None
    if booking is None or wrong is None or wrong[0] != "booking_used":
        return None
    return Refusal("booking_used", f"Booking {booking.number} {wrong[1]}.", "",
                   next_step="If this is the same load, do not enter it; else choose its truck anew.")  # fmt: skip


def _gate(arrival: Arrival, written: Written, approval_id: int | None
          ) -> tuple[GateAnswer, tuple[Flag, ...]]:  # fmt: skip
    """What the gate said then; a no becomes a flag, and the load counts for its booking and approval all the same."""
    plant, visitor = arrival.plant, written.visitor
    gate = may_discharge(plant, arrival.law, written.at, business_id=visitor.business_id, truck_id=visitor.truck_id,
                         waste=arrival.waste, booking=visitor.booking, driver=arrival.driver)  # fmt: skip
    if gate.ok:
        return gate, ()
    booking = _booking(arrival, written)
    said = gate.sentence.removeprefix("Do not accept: ").removeprefix("Do not accept now: ")
    flag = Flag(gate.code, f"The gate would have said no: {said}", gate.cite)
    return replace(gate, booking=booking, approval_id=approval_id, aside=()), (flag,)


def _booking(arrival: Arrival, written: Written) -> Booking | None:
    named, business_id = written.visitor.booking, written.visitor.business_id
    if named is not None:
        return named if wrong_with(named, business_id, arrival.at, arrival.day) is None else None
    return own(arrival.plant.id, written.at, arrival.day, business_id or 0, arrival.truck_id)


def _keep(arrival: Arrival, written: Written, gate: GateAnswer, no: tuple[Flag, ...], *, by: Actor, at: datetime
          ) -> Taken | Refusal:  # fmt: skip
    found = _in_the_pipe(replace(arrival, later=arrivals.booked_later(gate.booking, arrival.day)))
    if isinstance(found, Refusal):
        return found
    plant, law, before = arrival.plant, arrival.law, before_it(arrival.plant, by, at)
    beyond = tuple(Flag(one.code, one.why, one.cite) for one in taking.beyond(arrival, gate) if one.code != gate.code)
    session, unfit = _as_it_ran(arrival, gate, written.values.get("point_id"))
    same = _same_time(arrival, session) if Role.SYSTEM in by.roles else None
    if same is not None:
        return same
    # Where the gate was shut at all, it says nothing more that nothing fitted.
    beyond = (*beyond, Flag(unfit.code, unfit.why, unfit.cite)) if unfit is not None and gate.ok else beyond
    made = taking.take(Entry(written.client_id, arrival, gate, session, written.on_duty or by.name, written.slip, at),
                       by=by, at=at)  # fmt: skip
    if isinstance(made, Refusal):
        return made
    load, run = made
    above = _above(plant, law, load, run, by) if unfit is not None else ()
    flags = (*written.flags, *found, *no, *beyond, *_twice(load, run), *above, *_late(load, law, at))
    return _told(before, load, run, flags, written, arrival, by=by, at=at)


def _go_on(load: Load, arrival: Arrival, written: Written, gate: GateAnswer, no: tuple[Flag, ...], *, by: Actor,
           at: datetime) -> Taken | Refusal:  # fmt: skip
    """A further morning of a load that was opened before: its waste and its sample are those of the first."""
    plant, before = arrival.plant, before_it(arrival.plant, by, at)
    arrival = replace(arrival, before=load.gallons, basis=load.basis, waste=load.waste)
    arrival = replace(arrival, later=arrivals.booked_later(gate.booking, arrival.day))
    refused = left_paused(load) or arrivals.too_much(arrival, load)
    if refused is not None:
        return refused
    seen = tuple(Flag("screening", one.sentence, one.cite) for one in arrivals.findings(arrival))
    beyond = tuple(Flag(one.code, one.why, one.cite) for one in taking.beyond(arrival, gate) if one.code != gate.code)
    session, unfit = _as_it_ran(arrival, gate, written.values.get("point_id"))
    beyond = (*beyond, Flag(unfit.code, unfit.why, unfit.cite)) if unfit is not None and gate.ok else beyond
    run = taking.go_on(load, arrival, gate, session, by=by, at=at, law=before.gate.law)
    if isinstance(run, Refusal):
        return run
    above = _above(plant, arrival.law, load, run, by) if unfit is not None else ()
    flags = (*written.flags, *seen, *no, *beyond, *_twice(load, run), *above, *_late(load, arrival.law, at))
    return _told(before, load, run, flags, written, arrival, by=by, at=at)


def _told(before: Before, load: Load, run: Run, flags: tuple[Flag, ...], written: Written, arrival: Arrival, *,
          by: Actor, at: datetime) -> Taken:  # fmt: skip
    """What is said of a load on its ticket and in its history, and to whom."""
    load.note = "\n".join(filter(None, (load.note, *(one.words for one in flags), written.how)))
    because(" ".join(filter(None, (written.how, arrival.untested, arrival.reason))),
            charge_cite(arrival.law, arrival.day, "gallons"))  # fmt: skip
    tell_flags(arrival.plant, load, flags, at)
    tell_others(before, load, run)
    taking.close(load, arrival.day, by=by, at=at, law=arrival.law)
    return Taken(load, (*flags, *stopped_meanwhile(arrival.plant, load, law=arrival.law)))


def _as_it_ran(arrival: Arrival, gate: GateAnswer, point_id: int | None
               ) -> tuple[Session, Refusal | None]:  # fmt: skip
    """How the load ran: as it would have been planned, where that fits; else from its time on at the rate of its plan,
    with what stood against it."""
    fits = fit(arrival.plant, arrival.law, arrival.at, arrival.gallons, booking=gate.booking, waste=arrival.waste,
               business_id=arrival.business_id, point_id=point_id)  # fmt: skip
    if isinstance(fits, Session):
        return fits, None
    return _from_its_time(arrival, gate, point_id), fits


def _from_its_time(arrival: Arrival, gate: GateAnswer, point_id: int | None) -> Session:
    plant, law = arrival.plant, arrival.law
    planned = bookings.sessions_of([gate.booking.id])[gate.booking.id] if gate.booking is not None else []
    plan = next((one for one in planned if one.day == arrival.day), None)
    readings = recorded_for(plant.id, law, arrival.day, arrival.day)
    gph = plan.gph if plan is not None else max(1, cap_on(law, arrival.day, readings=readings).plan_gph)
    places = at_gate(plant.id, arrival.day, arrival.waste, arrival.business_id)
    point = point_id or (plan.point_id if plan is not None else next((one.id for one in places), None))
    start = arrival.at.replace(second=0, microsecond=0)
    end = start + timedelta(minutes=offers.minutes(arrival.gallons, gph))
    return Session(start, end, gph, arrival.gallons, point)


def _above(plant: Plant, law: Law, load: Load, run: Run, by: Actor) -> tuple[Flag, ...]:
    """What did not fit is a fact of the day, as a measured rate is: above the hard limit it is kept as one."""
    run.measured = True
    db.session.flush()
    gate = pieces.Gate(plant, by, run.ends, law)
    said = pieces.keep_excess(gate, morning(load, run.ends, run.day), run.gph, run.starts)
    return (Flag("above_limit", said),) if said else ()


def _same_time(arrival: Arrival, session: Session) -> Refusal | None:
    """One truck does not unload two loads at once: whether a tablet's is the one already here only a person can say."""
    other = outbox.may_be_same(arrival.plant.id, arrival.truck_id, arrival.day, min(arrival.at, session.start),
                               session.end)  # fmt: skip
    if other is None:
        return None
    what = f"{formats.volume(other.gallons)}, logged {formats.clock_time(other.logged_at, arrival.plant.tz)}"
    why = f"Truck {other.plate} has load {other.ticket} at this time too: {what}"
    return Refusal("same_time", formats.full_stop(why), "", next_step="If this is the same load, do not enter it.")


def _twice(load: Load, run: Run) -> tuple[Flag, ...]:
    """Another load of the same truck at the same time: it is kept, and somebody looks whether they are one."""
    other = outbox.beside(load, run)
    said = f"Truck {load.plate} has load {other} at this time too: look whether the two are one."
    return (Flag("same_time", said),) if other else ()


def _late(load: Load, law: Law, at: datetime) -> tuple[Flag, ...]:
    """A load nobody knew of until its written record was due."""
    due = load.record_due
    if due is None or at.replace(microsecond=0) <= due:
        return ()
    said = "Registered later than one working day after it was unloaded, when its written record was due"
    return (Flag("late", f"{said}.", law.cite("record.due_working_days", load.day)),)
