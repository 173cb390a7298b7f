"""What a load leaves that is taken, whether logged now or told late: its row, run, charges and ticket (§ 329-7 C, F).

The caller holds the locks of the house up to the day's row, and has judged what was entered.
"""

from dataclasses import dataclass
from datetime import date, datetime

from billing.actions import post_charges
from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging, tickets
from intake.actions.freed import offer_freed
from intake.actions.set_aside import used_by
from intake.actions.special_charge import supervision
from intake.actions.testing_rule import keep_draw
from intake.models import Booking, Load, Point, Run
from intake.queries import arrivals, bookings, loads, set_aside
from intake.queries.arrivals import Arrival
from intake.queries.findings import added_lines
from intake.queries.fitting import left_for, limits_for, over_limits, up_to
from intake.queries.gate import GateAnswer
from intake.queries.places import MANHOLE
from intake.queries.priced import kinds_covered, stored
from intake.queries.restrictions import kinds_stopped
from intake.queries.terms import is_winter
from intake.queries.testing_rule import asked_of
from intake.states import LoadState
from office import formats, numbers
from office.access import Actor, Role
from office.db import db
from office.notices import tell_roles
from office.plants import Plant
from ordinances.calendar import record_due
from ordinances.fees import quote_for
from ordinances.offers import Session
from ordinances.pricing import Quote
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import AS_IT_IS

TICKET = numbers.series("ticket", "load", "ticket")


@dataclass(frozen=True)
class Entry:
    """A load as it is to be written: what was entered, what the gate said, how it runs, the law being that of its day.

    ``logged_by`` is who was on duty, ``slip`` and ``registered_at`` are of one told late; "" and None of any other.
    """

    client_id: str
    arrival: Arrival
    gate: GateAnswer
    session: Session
    logged_by: str
    slip: str = ""
    registered_at: datetime | None = None


def beyond(arrival: Arrival, gate: GateAnswer) -> tuple[Refusal, ...]:
    """What its approval and its limits have not left for a load, the approval first."""
    if gate.approval_id is None:
        return ()
    return tuple(one for one in (_allowance(arrival, gate, gate.approval_id), over_limits(
        arrival.plant, arrival.law, arrival.at, gate, arrival.gallons, arrival.waste)) if one is not None)  # fmt: skip


def _allowance(arrival: Arrival, gate: GateAnswer, approval_id: int) -> Refusal | None:
    left = left_for(arrival.plant, arrival.law, arrival.at, gate)
    if arrival.gallons <= left:
        return None
    approval = haulers.approval(arrival.plant.id, approval_id)
    assert approval is not None
    part = "winter" if is_winter(arrival.law, arrival.day) else "the rest of the season"
    has = "had" if arrival.told_late else "has"
    why = (f"Approval {approval.number} {has} {formats.volume(left)} left for {part}, "
           f"not {formats.gallons(arrival.gallons)}.")  # fmt: skip
    return Refusal("allowance", why, arrival.cite("decision.settles"), next_step=up_to(left), details={"left": left})


def take(entry: Entry, *, by: Actor, at: datetime) -> tuple[Load, Run] | Refusal:
    """Write a load with its run, its draw and its charges, priced by the law of its day; ``close`` writes the ticket.

    Refusals: those of the prices (origin_missing), no_point, supervision, circumstances, restricted (another kind in
    the load is not taken now).
    """
    arrival, gate, plant, law = entry.arrival, entry.gate, entry.arrival.plant, entry.arrival.law
    assert arrival.business_id is not None
    refused = kinds_covered(plant.id, gate.approval_id, arrival.others, law)
    if refused is None and not arrival.told_late:
        refused = kinds_stopped(plant.id, [part.waste for part in arrival.others], law, at)
    if refused is not None:
        return refused
    quote = quote_for(law, [(arrival.day, arrival.gallons)], arrival.waste, tested=arrival.tested,
                      **charging.found_now(arrival, entry.session.point),
                      **supervision(law, gate.booking, entry.session))  # fmt: skip
    if isinstance(quote, Refusal):
        return quote
    party = haulers.party_of_business(arrival.business_id)
    locked_account(plant, party.id, by=by, at=at)
    load = new_load(arrival, entry.client_id, gate, entry.logged_by)
    load.note = "\n".join(filter(None, (load.note, soft(arrival, gate), *map(set_aside.words, gate.aside))))
    load.state, load.discharged_at = LoadState.ACCEPTED.value, entry.session.end
    load.record_due = record_due(law, last_of(gate.booking, entry.session.end)).at
    load.business_id, load.business_name = arrival.business_id, party.name
    load.slip, load.registered_at = entry.slip, entry.registered_at
    asked = arrival.asked or asked_of(plant, arrival.business_id, law, arrival.day)
    load.ticket = numbers.numbered(plant.id, TICKET, arrival.day.year)
    db.session.add(load)
    run = open_run(load, entry.session, arrival)
    if isinstance(run, Refusal):
        return run
    keep_draw(load, asked, arrival.untested or (arrival.reason if arrival.told_late else ""), arrival.ordered_by)
    used_by(load, gate)
    return _charge(load, party.id, quote, by=by, at=at, law=law) or (load, run)


def go_on(load: Load, arrival: Arrival, gate: GateAnswer, session: Session, *, by: Actor, at: datetime, law: Law
          ) -> Run | Refusal:  # fmt: skip
    """One more morning of a load: its run, its gallons at that day's price, who drove; ``law`` is the one of ``at``.

    The written record is due after the last morning. The caller writes the ticket. Refusals: those of ``take``.
    """
    assert load.business_id is not None
    plant = arrival.plant
    noted, scale = soft(arrival, gate), arrivals.scale_words(arrival, load)
    run = open_run(load, session, arrival)
    if isinstance(run, Refusal):
        return run
    locked_account(plant, haulers.party_of_business(load.business_id).id, by=by, at=at)
    refused = charging.charge_again(plant, load, "it went on another morning", by=by, at=at, law=law)
    if refused is not None:
        return refused
    load.gallons += arrival.gallons
    load.discharged_at = max(load.discharged_at or session.end, session.end)
    load.record_due = record_due(arrival.law, last_of(gate.booking, load.discharged_at)).at
    driver = arrival.driver.strip()
    drove = loads.drove_words(arrival.day, driver) if driver and driver != load.driver else ""
    said = (load.note, drove, arrival.note.strip(), scale, arrivals.kept_words(arrival), noted)
    load.note = "\n".join(filter(None, (*said, *map(set_aside.words, gate.aside))))
    return run


def close(load: Load, day: date, *, by: Actor, at: datetime, law: Law) -> None:
    """The ticket of a load taken on a day, who is told of it, and what room it leaves. Its note says all by now."""
    assert load.business_id is not None
    plant = db.session.get_one(Plant, load.plant_id)
    tickets.write(plant, load, haulers.party_of_business(load.business_id), at=at, law=law)
    if day == load.day:
        _tell_finding(plant, load, at)
    # Fewer gallons than booked, or a faster run, leave room.
    offer_freed(plant, [day], at, law)


def new_load(arrival: Arrival, client_id: str, gate: GateAnswer, logged_by: str) -> Load:
    """The row of a load as it was entered; whether it is taken or turned away the caller writes."""
    truck = haulers.truck(arrival.truck_id) if arrival.truck_id is not None else None
    booking = gate.booking
    return Load(
        plant_id=arrival.plant.id, client_id=client_id, day=arrival.day, booking_id=booking.id if booking else None,
        approval_id=gate.approval_id, truck_id=arrival.truck_id, plate=truck.plate if truck else "",
        driver=arrival.driver.strip(), waste=arrival.waste, gallons=arrival.gallons, basis=arrival.basis,
        ph=arrival.ph, bottle=arrival.bottle.strip() if arrival.tested else "", tested=arrival.tested, reason="",
        flush_gallons=arrival.flush, temp_f=arrival.temp_f, flags=sorted(arrival.flags), origin=arrival.origin,
        finding=arrival.finding if arrival.answer.strip() else "", full_lb=arrival.full_lb, empty_lb=arrival.empty_lb,
        pickups=[one.stored() for one in arrival.pickups], cubic_yards=arrival.cubic_yards,
        mixed=stored(arrival.others), note=arrivals.remarks(arrival, booking),
        logged_at=arrival.at, logged_by=logged_by, law_version=arrival.law.version,
    )  # fmt: skip


def soft(arrival: Arrival, gate: GateAnswer) -> str:
    """What limits that refuse nothing say of the load, for its ticket."""
    if gate.approval_id is None:
        return ""
    limits = limits_for(arrival.plant, arrival.law, arrival.at, gate)
    return limits.note([(arrival.day, arrival.gallons)], arrival.waste)


def last_of(booking: Booking | None, ends: datetime) -> datetime:
    """The end of the last morning a load is planned for, from which its written record is due."""
    if booking is None:
        return ends
    return max([ends, *(one.ends for one in bookings.sessions_of([booking.id])[booking.id])])


def open_run(load: Load, session: Session, arrival: Arrival) -> Run | Refusal:
    """The run of a load, at a manhole with who stood by and why it is used (§ 329-7 C(2)).

    Refusals: no_point, supervision, circumstances.
    """
    point = bookings.first_point(load.plant_id) if session.point is None else db.session.get(Point, session.point)
    if point is None:
        return Refusal("no_point", "No receiving point is set up at this plant.", "",
                       next_step="The plant manager sets one up.")  # fmt: skip
    manhole, person = point.kind == MANHOLE, arrival.supervised_by.strip()
    if manhole and not person:
        return Refusal("supervision", f"Nothing is unloaded into {point.name} without supervision.",
                       arrival.cite("manhole.written_by"), next_step="Enter who of the plant stands by.")  # fmt: skip
    why = _circumstances(load, arrival) if manhole else ""
    if manhole and arrival.circumstances is not None and not why:
        return Refusal("circumstances", f"{point.name} is used under special circumstances only.",
                       arrival.cite("manhole.purposes"), next_step="Enter what they are.")  # fmt: skip
    db.session.flush()
    run = Run(plant_id=load.plant_id, load_id=load.id, point_id=point.id, day=arrival.day, starts=session.start,
              ends=session.end, gph=session.gph, gallons=session.gallons,
              supervised_by=person if manhole else "", circumstances=why)  # fmt: skip
    db.session.add(run)
    db.session.flush()
    return run


def _circumstances(load: Load, arrival: Arrival) -> str:
    """Why a manhole is used (§ 329-7 C(2)): as said now, on a further morning as said on the first."""
    if arrival.circumstances is not None or load.id is None:
        return (arrival.circumstances or "").strip()
    return next((one.circumstances for one in loads.runs_of(load.id) if one.circumstances), "")


def _charge(load: Load, party_id: int, quote: Quote, *, by: Actor, at: datetime, law: Law) -> Refusal | None:
    """Post what a load just taken costs; what waits for its first result is marked so."""
    plant = db.session.get_one(Plant, load.plant_id)
    assert load.business_id is not None
    began = charging.began(load, loads.runs_of(load.id))
    added = added_lines(plant.id, load.business_id, load.waste, [(load.day, load.gallons)], began, law)
    lines = (*quote.lines, *added)
    entries = post_charges(plant, party_id, lines, "load", load.id, load.day, label=tickets.label(load),
                           by=by, at=at, law=law)  # fmt: skip
    if isinstance(entries, Refusal):
        return entries
    charging.await_first(load, entries, quote.awaited, by=by, at=at)
    return None


def _tell_finding(plant: Plant, load: Load, at: datetime) -> None:
    """What a judge of waste recommends is the city's to do: the manager and the Director read it at once."""
    if not load.finding or load.finding == AS_IT_IS:
        return
    body = (f"{load.business_name}, truck {load.plate}, load {load.ticket}, {formats.volume(load.gallons)}:\n\n"
            f"{load.note}")  # fmt: skip
    tell_roles((Role.MANAGER, Role.DIRECTOR), "finding", f"Load {load.ticket}: {load.finding}", body, at,
               plant_id=plant.id)  # fmt: skip
