"""Register a load that was taken while the server could not be told: from a tablet, or from a paper ticket.

What is in the pipe is in the pipe: the gate, the limits and the hours at that time say what is flagged, never whether
the load is kept. Only what cannot be right as written waits for a person. Charged by the law of the day it was
unloaded; the written record is due from then (§ 329-7 C(3)).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from billing.actions import post_charges
from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging, pieces, station, tickets
from intake.actions.freed import offer_freed
from intake.actions.set_aside import used_by
from intake.actions.special_charge import supervision
from intake.actions.testing_rule import keep_draw
from intake.models import Booking, Load, Run
from intake.queries import arrivals, bookings, capacity, loads, outbox
from intake.queries.arrivals import Arrival
from intake.queries.findings import added_lines
from intake.queries.fitting import fit, left_for, over_limits
from intake.queries.flow_recorded import recorded_for
from intake.queries.gate import GateAnswer, may_discharge
from intake.queries.gate_bookings import own, wrong_with
from intake.queries.outbox import Flag, Written
from intake.queries.pieces import morning
from intake.queries.places import at_gate
from intake.queries.testing_rule import asked_of
from intake.states import LoadState
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.law import law_in_force
from office.notices import tell_roles
from office.plants import Plant
from ordinances import offers
from ordinances.fees import charge_cite, quote_for
from ordinances.offers import Session
from ordinances.rate_cap import cap_on
from ordinances.reader import Law, NoLaw
from ordinances.refusal import Refusal

STAFF = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
# Limits of the law that a load in the pipe may have passed: they are flagged. Anything else is put right first.
IN_THE_PIPE = ("screening", "ask", "rejected")
# What the ticket says and nobody has to look at.
QUIET = ("clock", "on_duty")


@dataclass(frozen=True)
class Taken:
    """A load that was registered late, and what stood against it."""

    load: Load
    flags: tuple[Flag, ...]


@act("register_late", roles=(Role.SYSTEM, *STAFF))
def register_late(plant: Plant, written: Written, *, by: Actor, at: datetime, law: Law) -> Taken | Refusal:
    """Register a load with the time, the law and the price of when it was taken; what it should not have been is said.

    Sent before under the same id it is that load. Refusals: ahead, no_law, unknown_truck, goes_on, supervision, those
    of ``arrivals.wrong`` that somebody must put right, and those of the prices.
    """
    visitor, day = written.visitor, written.at.astimezone(plant.tz).date()
    then = _law_then(plant, written, at)
    if isinstance(then, Refusal):
        return then
    law = then
    again = loads.with_client_id(plant.id, written.client_id)
    if again is None and (visitor.business_id is None or visitor.truck_id is None):
        return Refusal("unknown_truck", "The truck is none of a hauler this plant knows.", "",
                       next_step="Say whose truck it was.")  # fmt: skip
    lock(Plant, plant.id, shared=True)
    standing = haulers.standing(plant.id, visitor.business_id, written.at, law) if visitor.business_id else None
    approval = standing.approval if standing is not None else None
    if approval is not None:
        haulers.lock_approval(approval.id)
    capacity.lock_days(plant.id, [day])
    again = loads.with_client_id(plant.id, written.client_id)
    if again is not None:
        return _known(again, written)
    arrival, driver = _arrival(plant, law, written), str(written.values.get("driver", ""))
    found = _in_the_pipe(arrival)
    if isinstance(found, Refusal):
        return found
    gate, no = _gate(arrival, written, driver, approval.id if approval is not None else None)
    refused = station._goes_on(gate) or _used(arrival, visitor.booking)
    if refused is not None:
        return refused
    return _keep(arrival, written, gate, (*written.flags, *found, *no), by=by, at=at)


def _law_then(plant: Plant, written: Written, at: datetime) -> Law | Refusal:
    """The law of when the load was taken; a Refusal for a time that lies ahead, or before any law."""
    if written.at > at:
        return Refusal("ahead", "This time lies ahead. Check the day and the time.", "")
    try:
        return law_in_force(plant, written.at.astimezone(plant.tz).date())
    except NoLaw as none:
        return Refusal("no_law", str(none), "", next_step="Check the time.")


def _known(load: Load, written: Written) -> Taken:
    """It had arrived with network, only the answer was lost: the slip in the driver's hand still finds it."""
    if not load.slip:
        load.slip = written.slip
    return Taken(load, written.flags)


def _arrival(plant: Plant, law: Law, written: Written) -> Arrival:
    given = written.values
    names = ("answer", "finding", "temp_f", "flush", "full_lb", "empty_lb", "pickups", "untested", "about")
    same = {name: given[name] for name in names if name in given}
    return arrivals.told_apart(Arrival(
        plant, law, written.at, written.visitor.truck_id, given.get("waste", ""), given.get("gallons") or 0,
        given.get("basis", ""), given.get("ph"), given.get("bottle", ""), given.get("tested", True),
        given.get("normal", True), given.get("flags", ()), given.get("note", ""), given.get("reason", ""), **same,
    ))  # fmt: skip


def _in_the_pipe(arrival: Arrival) -> tuple[Flag, ...] | Refusal:
    """What the load is beyond the limits of the law; a Refusal where it cannot be right as written."""
    wrong = arrivals.wrong(arrival)
    if wrong is None or wrong.code not in IN_THE_PIPE:
        return wrong or ()
    rest = arrivals.wrong(replace(arrival, ph=None, temp_f=None, flags=()))
    return rest or (Flag(wrong.code, wrong.why.replace(" Do not accept this load.", ""), wrong.cite),)


def _used(arrival: Arrival, booking: Booking | None) -> Refusal | None:
    """A booking whose load somebody has logged already: whether this is the same one only a person can say."""
    wrong = wrong_with(booking, booking.business_id, arrival.day) if booking is not None else None
    if booking is None or wrong is None or wrong[0] != "booking_used":
        return None
    return Refusal("booking_used", f"Booking {booking.number} {wrong[1]}.", "",
                   next_step="If this is the same load, do not enter it; else choose its truck anew.")  # fmt: skip


def _gate(arrival: Arrival, written: Written, driver: str, approval_id: int | None
          ) -> tuple[GateAnswer, tuple[Flag, ...]]:  # fmt: skip
    """What the gate said then; a no becomes a flag, and the load counts for its booking and approval all the same."""
    plant, visitor = arrival.plant, written.visitor
    gate = may_discharge(plant, arrival.law, written.at, business_id=visitor.business_id, truck_id=visitor.truck_id,
                         waste=arrival.waste, booking=visitor.booking, driver=driver)  # fmt: skip
    if gate.ok:
        return gate, ()
    booking = _booking(arrival, written)
    said = gate.sentence.removeprefix("Do not accept: ").removeprefix("Do not accept now: ")
    flag = Flag(gate.code, f"The gate would have said no: {said}", gate.cite)
    return replace(gate, booking=booking, approval_id=approval_id, aside=()), (flag,)


def _booking(arrival: Arrival, written: Written) -> Booking | None:
    named, business_id = written.visitor.booking, written.visitor.business_id
    if named is not None:
        return named if wrong_with(named, business_id, arrival.day) is None else None
    return own(arrival.plant.id, written.at, arrival.day, business_id or 0, arrival.truck_id)


def _keep(arrival: Arrival, written: Written, gate: GateAnswer, flags: tuple[Flag, ...], *, by: Actor, at: datetime
          ) -> Taken | Refusal:  # fmt: skip
    plant, law, business_id = arrival.plant, arrival.law, written.visitor.business_id
    assert business_id is not None
    beyond = _beyond(arrival, gate)
    session, unfit = _as_it_ran(arrival, gate, business_id, written.values.get("point_id"))
    same = _same_time(arrival, session) if Role.SYSTEM in by.roles else None
    if same is not None:
        return same
    # Where the gate was shut at all, it says nothing more that nothing fitted.
    beyond = (*beyond, Flag(unfit.code, unfit.why, unfit.cite)) if unfit is not None and gate.ok else beyond
    found = charging.found_by(arrival.basis, arrival.truck_id, arrival.full_lb, arrival.empty_lb)
    quote = quote_for(law, [(arrival.day, arrival.gallons)], arrival.waste, tested=arrival.tested,
                      **found | supervision(law, gate.booking, session))  # fmt: skip
    if isinstance(quote, Refusal):
        return quote
    party = haulers.party_of_business(business_id)
    locked_account(plant, party.id, by=by, at=at)
    load = station._load(arrival, written.client_id, gate, str(written.values.get("driver", "")), by)
    load.state, load.discharged_at = LoadState.ACCEPTED.value, session.end
    load.record_due = station.record_due(law, station._last_of(gate.booking, session.end)).at
    load.business_id, load.business_name, load.slip = business_id, party.name, written.slip
    load.registered_at, load.logged_by = at, written.on_duty or by.name
    load.ticket = numbers.numbered(plant.id, station.TICKET, arrival.day.year)
    db.session.add(load)
    run = station._run(load, session, arrival, str(written.values.get("supervised_by", "")))
    if isinstance(run, Refusal):
        return run
    flags = (
        *flags,
        *beyond,
        *_twice(load, run),
        *(_above(plant, law, load, run, by) if unfit is not None else ()),
        *_late(load, law, at),
    )
    keep_draw(load, asked_of(plant, business_id, law, arrival.day), arrival.untested or arrival.reason, "")
    used_by(load, gate)
    lines = (*quote.lines, *added_lines(plant.id, business_id, arrival.waste, [(arrival.day, arrival.gallons)], law))
    entries = post_charges(plant, party.id, lines, "load", load.id, arrival.day, label=tickets.label(load),
                           by=by, at=at, law=law)  # fmt: skip
    if isinstance(entries, Refusal):
        return entries
    charging.await_first(entries, quote.awaited if arrival.tested else (), by=by, at=at)
    load.note = "\n".join(filter(None, (load.note, *(one.words for one in flags), written.how)))
    because(written.how, charge_cite(law, arrival.day, "gallons"))
    tickets.write(plant, load, party, at=at, law=law)
    _tell_flags(plant, load, flags, at)
    offer_freed(plant, [arrival.day], at, law)
    return Taken(load, flags)


def _beyond(arrival: Arrival, gate: GateAnswer) -> tuple[Flag, ...]:
    """What the approval and its limits had not left for it."""
    if gate.approval_id is None:
        return ()
    found, left = [], left_for(arrival.plant, arrival.law, arrival.at, gate)
    if arrival.gallons > left and gate.code != "allowance":
        said = f"The approval had {formats.volume(left)} left, not {formats.gallons(arrival.gallons)}."
        found.append(Flag("allowance", said, arrival.cite("decision.settles")))
    refused = over_limits(arrival.plant, arrival.law, arrival.at, gate, arrival.gallons, arrival.waste)
    return (*found, Flag(refused.code, refused.why, refused.cite)) if refused is not None else tuple(found)


def _as_it_ran(arrival: Arrival, gate: GateAnswer, business_id: int, point_id: int | None
               ) -> tuple[Session, Refusal | None]:  # fmt: skip
    """How the load ran: as it would have been planned, where that fits; else from its time on at the rate of its plan,
    with what stood against it."""
    fits = fit(arrival.plant, arrival.law, arrival.at, arrival.gallons, booking=gate.booking, waste=arrival.waste,
               business_id=business_id, point_id=point_id)  # fmt: skip
    if isinstance(fits, Session):
        return fits, None
    return _from_its_time(arrival, gate, business_id, point_id), fits


def _from_its_time(arrival: Arrival, gate: GateAnswer, business_id: int, point_id: int | None) -> Session:
    plant, law = arrival.plant, arrival.law
    planned = bookings.sessions_of([gate.booking.id])[gate.booking.id] if gate.booking is not None else []
    plan = next((one for one in planned if one.day == arrival.day), None)
    readings = recorded_for(plant.id, law, arrival.day, arrival.day)
    gph = plan.gph if plan is not None else max(1, cap_on(law, arrival.day, readings=readings).plan_gph)
    places = at_gate(plant.id, arrival.day, arrival.waste, business_id)
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


def _tell_flags(plant: Plant, load: Load, flags: tuple[Flag, ...], at: datetime) -> None:
    if all(one.code in QUIET for one in flags):
        return
    body = "\n".join([f"{load.business_name}, truck {load.plate}, {formats.volume(load.gallons)}, "
                      f"{formats.day_time(load.logged_at, plant.tz)}, slip {load.slip}:", "",
                      *(one.words for one in flags)])  # fmt: skip
    tell_roles((Role.MANAGER, Role.DIRECTOR), "late_load", f"Load {load.ticket} was taken and needs a look", body, at,
               plant_id=plant.id)  # fmt: skip
