"""Special times: ask, quote, accept, arrange in writing, decline, withdraw (§ 329-7 F(4) of Bayfield).

The hauler accepts the charge before anything is arranged. Every rule is checked again under the locks: an arrangement
takes room under the same limit, beside what others have taken since it was asked for.
"""

from dataclasses import dataclass
from datetime import date, datetime, time

from sqlalchemy import select

from haulers import queries as haulers
from intake.actions import special_mail as mail
from intake.actions.booking import write_booking
from intake.actions.booking_rules import (
    BOOKERS,
    STAFF,
    approval_covering,
    no_allowance,
    no_point,
    shaped_wrongly,
    yours,
)
from intake.actions.reserving import Room, Wanted
from intake.models import SpecialTime
from intake.queries import capacity, special
from intake.queries.allowance import limits
from intake.queries.special_quote import Worked, as_stored, work_out
from intake.queries.truck_times import truck_taken
from intake.states import SpecialState
from office import formats, numbers
from office.access import TITLES, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.other_times import arranged_by, may_arrange, work_hours
from ordinances.reader import Law
from ordinances.refusal import Refusal

SPECIAL = numbers.series("special", "special_time", "number")
ARRANGERS = (Role.DIRECTOR, Role.MANAGER)


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


@act("ask_special", roles=BOOKERS)
def ask_special(plant: Plant, ask: Ask, *, accepts: int | None = None, by: Actor, at: datetime, law: Law
                ) -> SpecialTime | Refusal:  # fmt: skip
    """Ask for a special time. ``accepts``: the charge in cents the hauler was shown and accepts; None leaves it open.

    Where no wage is entered nothing can be quoted: the request waits for it. Refusals: not_yours, no_reason,
    asked_before, quote_changed, those of ``special_quote.work_out`` and of a booking's rules.
    """
    if not ask.reason.strip():
        return Refusal("no_reason", "Enter why the load cannot come in the unloading hours", "")
    refused = yours(ask.business_id, by) or _asked_before(plant, ask, law, at)
    if refused is not None:
        return refused
    found = _found(plant, ask, at, law)
    if isinstance(found, Refusal):
        return found
    law, worked = found.law, found.worked
    if accepts is not None and accepts != worked.cents:
        return _quote_changed(law, worked)
    one = worked.session
    row = SpecialTime(
        plant_id=plant.id, number=f"S-{ask.day:%m%d}-{numbers.take(plant.id, SPECIAL, f'{ask.day:%m%d}'):02d}",
        business_id=ask.business_id, truck_id=ask.truck_id, waste=ask.waste, gallons=ask.gallons,
        reason=ask.reason.strip(), day=ask.day, starts=one.start, ends=one.end, gph=one.gph, minutes=worked.minutes,
        state=SpecialState.ASKED.value, asked_at=at, asked_by=by.name, by_phone=by.capacity(STAFF) is not None,
        law_version=law.version,
    )  # fmt: skip
    _quote(row, worked, at)
    if accepts is not None:
        _accept(row, by, at)
    db.session.add(row)
    db.session.flush()
    because(ask.reason.strip(), _cite(law, ask.day))
    mail.tell_asked(plant, row, law, at)
    return row


@act("quote_special", roles=ARRANGERS)
def quote_special(plant: Plant, number: str, *, by: Actor, at: datetime, law: Law) -> SpecialTime | Refusal:
    """Work a request out anew, as things are now, and send the hauler the quote to accept.

    Refusals: no_special_time, settled, lapsed, not_arranger, wage_not_set, and those of ``ask_special``.
    """
    row = _open_row(plant, number, at)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by)
    found = refused or _found(plant, _ask_of(row, law), at, law)
    if isinstance(found, Refusal):
        return found
    if isinstance(found.worked.quote, Refusal):
        return found.worked.quote
    locked = _locked(row, at)
    if isinstance(locked, Refusal):
        return locked
    one = found.worked.session
    locked.ends, locked.gph, locked.minutes = one.end, one.gph, found.worked.minutes
    locked.state, locked.accepted_at, locked.accepted_by = SpecialState.ASKED.value, None, None
    _quote(locked, found.worked, at)
    locked.law_version = found.law.version
    because(cite=_cite(found.law, row.day))
    mail.tell_quoted(plant, locked, found.law, at)
    return locked


@act("accept_special", roles=BOOKERS)
def accept_special(plant: Plant, number: str, cents: int, *, by: Actor, at: datetime, law: Law
                   ) -> SpecialTime | Refusal:  # fmt: skip
    """The hauler accepts the charge quoted (staff for one on the telephone); the Director decides then.

    ``cents`` is the charge that was shown. Refusals: no_special_time, not_yours, settled, lapsed, not_quoted,
    quote_changed.
    """
    row = _open_row(plant, number, at)
    if isinstance(row, Refusal):
        return row
    refused = yours(row.business_id, by)
    if refused is not None:
        return refused
    lock(Plant, plant.id, shared=True)
    row = _locked(row, at)
    if isinstance(row, Refusal):
        return row
    cite = _cite(law, row.day)
    if row.quote_cents is None:
        return Refusal("not_quoted", f"Request {row.number} has no quote yet.", cite, None, "We will write with it.")
    if cents != row.quote_cents:
        why = f"The quote of request {row.number} has changed: it is {formats.money(row.quote_cents)} now."
        return Refusal("quote_changed", why, cite, None, "Look at the new quote.")
    if row.state == SpecialState.ASKED.value:
        _accept(row, by, at)
        because(cite=cite)
        mail.tell_accepted(plant, row, law, at)
    return row


@act("arrange_special", roles=ARRANGERS)
def arrange_special(plant: Plant, number: str, *, by: Actor, at: datetime, law: Law) -> SpecialTime | Refusal:
    """Approve a request in writing: its booking, its letter, and who must be there is told.

    Refusals: no_special_time, settled, lapsed, not_arranger, own_business, not_accepted_yet, work_not_set,
    quote_changed (the time or the charge is not what the hauler accepted), and those of ``ask_special``.
    """
    row = _open_row(plant, number, at)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by) or _own(row, by, law)
    found = refused or _found(plant, _ask_of(row, law), at, law)
    if isinstance(found, Refusal):
        return found
    law, worked = found.law, found.worked
    locked = _locked(row, at)
    refused = locked if isinstance(locked, Refusal) else _cannot_arrange(locked, worked, law)
    if refused is not None:
        return refused
    wanted = Wanted(row.business_id, row.truck_id, row.waste, (worked.session,))
    room = Room(law, found.approval, {worked.session: worked.place.id}, found.note)
    booking = write_booking(plant, wanted, room, by_phone=row.by_phone, by=by, at=at)
    letter = mail.write_letter(plant, row, booking, worked.until, found.note, by=by, at=at, law=law)
    row.state, row.decided_at, row.decided_by = SpecialState.ARRANGED.value, at, by.name
    row.until, row.booking_id, row.letter_id = worked.until, booking.id, letter.id
    because(cite=_cite(law, row.day))
    mail.tell_arranged(plant, row, booking, letter, law, at)
    return row


@act("decline_special", roles=ARRANGERS)
def decline_special(plant: Plant, number: str, reason: str, *, by: Actor, at: datetime, law: Law
                    ) -> SpecialTime | Refusal:  # fmt: skip
    """Say no to a request, with the reason. Refusals: no_special_time, settled, lapsed, not_arranger, no_reason."""
    row = _open_row(plant, number, at)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by) or _own(row, by, law)
    if refused is not None:
        return refused
    if not reason.strip():
        return Refusal("no_reason", "Enter why the request is declined", _cite(law, row.day))
    return _end(plant, row, SpecialState.DECLINED, reason.strip(), by=by, at=at, law=law)


@act("withdraw_special", roles=BOOKERS)
def withdraw_special(plant: Plant, number: str, reason: str = "", *, by: Actor, at: datetime, law: Law
                     ) -> SpecialTime | Refusal:  # fmt: skip
    """Take a request back before it is decided. Refusals: no_special_time, not_yours, settled, lapsed."""
    row = _open_row(plant, number, at)
    if isinstance(row, Refusal):
        return row
    refused = yours(row.business_id, by)
    return refused or _end(plant, row, SpecialState.WITHDRAWN, reason.strip(), by=by, at=at, law=law)


def _end(plant: Plant, row: SpecialTime, state: SpecialState, answer: str, *, by: Actor, at: datetime, law: Law
         ) -> SpecialTime | Refusal:  # fmt: skip
    lock(Plant, plant.id, shared=True)
    locked = _locked(row, at)
    if isinstance(locked, Refusal):
        return locked
    locked.state, locked.decided_at, locked.decided_by, locked.answer = state.value, at, by.name, answer
    because(answer or None, _cite(law, row.day))
    mail.tell_ended(plant, locked, law, at)
    return locked


@dataclass(frozen=True)
class _Found:
    """What a request comes to under the locks."""

    law: Law
    approval: haulers.Approval
    worked: Worked
    note: str


def _found(plant: Plant, ask: Ask, at: datetime, law: Law) -> _Found | Refusal:
    """Take the locks (plant, approval, day) and check every rule of a booking; nothing is written."""
    lock(Plant, plant.id, shared=True)
    law = capacity.law_under_lock(plant, at)
    start = datetime.combine(ask.day, ask.begins, law.zone)
    rough = Session(start, start + capacity.MINUTE, ask.gallons, ask.gallons)
    refused = shaped_wrongly(law, ask.truck_id, ask.business_id, ask.gallons, [rough], waste=ask.waste)
    approval = refused or approval_covering(plant, ask.business_id, [rough], at, law)
    if isinstance(approval, Refusal):
        return approval
    capacity.lock_days(plant.id, [ask.day])
    if (refused := haulers.waste_covered(approval, ask.waste, law)) is not None:
        return refused
    worked = work_out(plant, law, at, ask.day, ask.begins, ask.gallons, ask.waste)
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
    return refused or _Found(law, approval, worked, known.note(parts, ask.waste))


def not_arranger(law: Law, day: date, by: Actor) -> Refusal | None:
    """Why this person does not arrange other times, as the law in force names who does."""
    roles = may_arrange(law, day)
    if any(role.value in roles for role in by.roles):
        return None
    names = " or ".join(TITLES[Role(role)] for role in roles) or "nobody"
    return Refusal("not_arranger", f"Other times are arranged by: {names}.", _cite(law, day))


def _own(row: SpecialTime, by: Actor, law: Law) -> Refusal | None:
    mine = haulers.business_of_party(by.party_id)
    if mine is None or mine.id != row.business_id:
        return None
    return Refusal("own_business", "Nobody decides on their own business.", _cite(law, row.day))


def _cannot_arrange(row: SpecialTime, worked: Worked, law: Law) -> Refusal | None:
    """What stands against arranging a request that could run, read fresh under its lock."""
    if row.state != SpecialState.ACCEPTED.value:
        why = f"The hauler has not accepted the charge of request {row.number} yet."
        return Refusal("not_accepted_yet", why, _cite(law, row.day), None, "It waits for the hauler.")
    work = work_hours(law, row.day)
    if not isinstance(work, Hours):
        return work
    one = worked.session
    same = (one.start, one.end, one.gph) == (row.starts, row.ends, row.gph) and as_stored(worked.lines) == row.quote
    return None if same else _quote_changed(law, worked)


def _quote_changed(law: Law, worked: Worked) -> Refusal:
    one = worked.session
    when = f"{formats.span(one.start, one.end)} at {formats.rate(one.gph)}"
    cost = f"cost {formats.money(worked.cents)}" if worked.cents is not None else "have no charge yet"
    why = f"This is not what the hauler was shown: now it would run {when} and {cost}."
    return Refusal("quote_changed", why, _cite(law, one.start.date()), None,
                   "The hauler has to accept the new quote first.")  # fmt: skip


def _quote(row: SpecialTime, worked: Worked, at: datetime) -> None:
    row.quote, row.quote_cents, row.wage = as_stored(worked.lines), worked.cents, worked.wage
    row.quoted_at = at if worked.lines else None


def _accept(row: SpecialTime, by: Actor, at: datetime) -> None:
    phone = ", by phone" if by.capacity(STAFF) is not None else ""
    row.state, row.accepted_at, row.accepted_by = SpecialState.ACCEPTED.value, at, f"{by.name}{phone}"


def _ask_of(row: SpecialTime, law: Law) -> Ask:
    begins = row.starts.astimezone(law.zone).time()
    return Ask(row.business_id, row.truck_id, row.waste, row.gallons, row.day, begins, row.reason)


def _open_row(plant: Plant, number: str, at: datetime) -> SpecialTime | Refusal:
    row = special.numbered(plant.id, number)
    if row is None:
        return Refusal("no_special_time", "There is no such request at this plant.", "")
    return _settled(row, at) or row


def _locked(row: SpecialTime, at: datetime) -> SpecialTime | Refusal:
    """The row under its lock, or why nothing is decided about it any more."""
    fresh: SpecialTime = lock(SpecialTime, row.id)
    return _settled(fresh, at) or fresh


def _settled(row: SpecialTime, at: datetime) -> Refusal | None:
    if row.state not in special.OPEN:
        words = {"arranged": "approved", "declined": "declined", "withdrawn": "withdrawn"}[row.state]
        return Refusal("settled", f"Request {row.number} is {words} already.", "")
    if row.starts <= at:
        return Refusal("lapsed", f"The time of request {row.number} has passed.", "", None, "Ask for another time.")
    return None


def _asked_before(plant: Plant, ask: Ask, law: Law, at: datetime) -> Refusal | None:
    """The same truck asked for at the same time, and not decided yet."""
    start = datetime.combine(ask.day, ask.begins, law.zone)
    query = select(SpecialTime.number).where(
        SpecialTime.plant_id == plant.id, SpecialTime.business_id == ask.business_id,
        SpecialTime.truck_id == ask.truck_id, SpecialTime.starts == start, SpecialTime.state.in_(special.OPEN),
    )  # fmt: skip
    number = db.session.scalars(query.limit(1)).first()
    if number is None or start <= at:
        return None
    return Refusal("asked_before", f"Request {number} asks for this truck at this time already.", _cite(law, ask.day),
                   None, "Look at that request.", {"number": number})  # fmt: skip


def _cite(law: Law, day: date) -> str:
    row = arranged_by(law, day)
    return row.cite if row is not None else law.cite("programme.kind", day)
