"""The rules every request for a special time is checked by, under its locks (§ 329-7 F(4) of Bayfield)."""

from dataclasses import dataclass
from datetime import date, datetime, time

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions.booking_rules import approval_covering, no_allowance, no_point, shaped_wrongly
from intake.models import SpecialTime
from intake.queries import capacity, special
from intake.queries.allowance import limits
from intake.queries.records_due import barred
from intake.queries.special_quote import Worked, as_stored, work_out
from intake.queries.truck_times import truck_taken
from intake.states import SpecialState
from office import formats
from office.access import TITLES, Actor, Role
from office.db import db, lock
from office.plants import Plant
from ordinances.booking_terms import too_far
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.other_times import arranged_by, may_arrange, work_hours
from ordinances.reader import Law
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Ask:
    """What is asked for: ``begins`` is the wall time of the plant at which the load would start."""

    business_id: int
    truck_id: int
    waste: str
    gallons: int
    day: date
    begins: time
    reason: str
    origin: str = ""


@dataclass(frozen=True)
class Found:
    """What a request comes to under the locks."""

    law: Law
    approval: haulers.Approval
    worked: Worked
    note: str


def found_under_locks(plant: Plant, ask: Ask, at: datetime, law: Law) -> Found | Refusal:
    """Take the locks (plant, approval, day) and check every rule of a booking; nothing is written."""
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    start = datetime.combine(ask.day, ask.begins, law.zone)
    rough = Session(start, start + capacity.MINUTE, ask.gallons, ask.gallons)
    refused = (shaped_wrongly(law, ask.truck_id, ask.business_id, ask.gallons, [rough], waste=ask.waste)
               or barred(plant.id, ask.business_id, law, at)
               or too_far(law, ask.day, at.astimezone(law.zone).date()))  # fmt: skip
    approval = refused or approval_covering(plant, ask.business_id, [rough], at, law)
    if isinstance(approval, Refusal):
        return approval
    capacity.lock_days(plant.id, [ask.day])
    truck = haulers.truck(ask.truck_id)
    refused = haulers.waste_covered(approval, ask.waste, law)
    refused = refused or (haulers.truck_covered(approval, truck, law) if truck else None)
    if refused is not None:
        return refused
    worked = work_out(plant, law, at, ask.day, ask.begins, ask.gallons, ask.waste, truck_id=ask.truck_id,
                      origin=ask.origin)  # fmt: skip
    if isinstance(worked, Refusal):
        return worked
    if not worked.place.id:
        return no_point(law, ask.day)
    known = limits(approval, law, at)
    parts = [(ask.day, ask.gallons)]
    refused = (
        truck_taken(plant, haulers.truck(ask.truck_id), ask.business_id, [worked.session], at)
        or no_allowance(law, approval, [worked.session], [ask.day], at)
        or known.refusal(parts, ask.waste)
    )
    return refused or Found(law, approval, worked, known.note(parts, ask.waste))


def not_arranger(law: Law, day: date, by: Actor) -> Refusal | None:
    """Why this person does not arrange other times, as the law in force names who does."""
    roles = may_arrange(law, day)
    if any(role.value in roles for role in by.roles):
        return None
    names = " or ".join(TITLES[Role(role)] for role in roles) or "nobody"
    return Refusal("not_arranger", f"Other times are arranged by: {names}.", cite_of(law, day))


def own_business(row: SpecialTime, by: Actor, law: Law) -> Refusal | None:
    """Why nobody decides on the request of their own company."""
    return haulers.own_business(row.business_id, by, cite_of(law, row.day))


def cannot_arrange(row: SpecialTime, worked: Worked, law: Law) -> Refusal | None:
    """What stands against arranging a request that could run, read fresh under its lock."""
    if row.state != SpecialState.ACCEPTED.value:
        why = f"The hauler has not accepted the charge of request {row.number} yet."
        return Refusal("not_accepted_yet", why, cite_of(law, row.day), None, "It waits for the hauler.")
    work = work_hours(law, row.day)
    if not isinstance(work, Hours):
        return work
    one = worked.session
    same = (one.start, one.end, one.gph) == (row.starts, row.ends, row.gph) and as_stored(worked.lines) == row.quote
    return None if same else quote_changed(law, worked)


def quote_changed(law: Law, worked: Worked) -> Refusal:
    """The time or the charge is not what the hauler was shown."""
    one = worked.session
    when = f"{formats.span(one.start, one.end)} at {formats.rate(one.gph)}"
    cost = f"cost {formats.money(worked.cents)}" if worked.cents is not None else "have no charge yet"
    why = f"This is not what the hauler was shown: now it would run {when} and {cost}."
    return Refusal("quote_changed", why, cite_of(law, one.start.date()), None,
                   "The hauler has to accept the new quote first.")  # fmt: skip


def settled(row: SpecialTime, at: datetime, law: Law) -> Refusal | None:
    """Why nothing is decided about a request any more: settled, or lapsed once its time has come."""
    cite = cite_of(law, row.day)
    if row.state not in special.OPEN:
        words = {"arranged": "approved", "declined": "declined", "withdrawn": "withdrawn"}[row.state]
        return Refusal("settled", f"Request {row.number} is {words} already.", cite)
    if row.starts <= at:
        return Refusal("lapsed", f"The time of request {row.number} has passed.", cite, None, "Ask for another time.")
    return None


def asked_before(plant: Plant, ask: Ask, law: Law, at: datetime) -> Refusal | None:
    """The same truck asked for at the same time, and not decided yet."""
    start = datetime.combine(ask.day, ask.begins, law.zone)
    query = select(SpecialTime.number).where(
        SpecialTime.plant_id == plant.id, SpecialTime.business_id == ask.business_id,
        SpecialTime.truck_id == ask.truck_id, SpecialTime.starts == start, SpecialTime.state.in_(special.OPEN),
    )  # fmt: skip
    number = db.session.scalars(query.limit(1)).first()
    if number is None or start <= at:
        return None
    return Refusal("asked_before", f"Request {number} asks for this truck at this time already.", cite_of(law, ask.day),
                   None, "Look at that request.", {"number": number})  # fmt: skip


def cite_of(law: Law, day: date) -> str:
    """The section special times rest on."""
    row = arranged_by(law, day)
    return row.cite if row is not None else law.cite("programme.kind", day)
