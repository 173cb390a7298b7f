"""Special times: ask, quote, accept, arrange in writing, decline, withdraw (§ 329-7 F(4) of Bayfield).

The hauler accepts the charge before anything is arranged. Every rule is checked again under the locks: an arrangement
takes room under the same limit, beside what others have taken since it was asked for.
"""

from datetime import datetime

from intake.actions import special_mail as mail
from intake.actions.booking import write_booking
from intake.actions.booking_rules import BOOKERS, STAFF, yours
from intake.actions.reserving import Room, Wanted
from intake.actions.special_rules import (
    Ask,
    asked_before,
    cannot_arrange,
    cite_of,
    found_under_locks,
    not_arranger,
    own_business,
    quote_changed,
    settled,
)
from intake.models import SpecialTime
from intake.queries import special
from intake.queries.special_quote import Worked, as_stored
from intake.states import SpecialState
from office import formats, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

__all__ = ["Ask", "accept_special", "arrange_special", "ask_special", "decline_special", "quote_special",
           "withdraw_special"]  # fmt: skip

SPECIAL = numbers.series("special", "special_time", "number")
ARRANGERS = (Role.DIRECTOR, Role.MANAGER)


@act("ask_special", roles=BOOKERS)
def ask_special(plant: Plant, ask: Ask, *, accepts: int | None = None, by: Actor, at: datetime, law: Law
                ) -> SpecialTime | Refusal:  # fmt: skip
    """Ask for a special time. ``accepts``: the charge in cents the hauler was shown and accepts; None leaves it open.

    Where no wage is entered nothing can be quoted: the request waits for it. Refusals: not_yours, no_reason,
    asked_before, quote_changed, those of ``special_quote.work_out`` and of a booking's rules.
    """
    if not ask.reason.strip():
        return Refusal("no_reason", "Enter why the load cannot come in the unloading hours", "")
    refused = yours(ask.business_id, by) or asked_before(plant, ask, law, at)
    if refused is not None:
        return refused
    found = found_under_locks(plant, ask, at, law)
    if isinstance(found, Refusal):
        return found
    law, worked = found.law, found.worked
    if accepts is not None and accepts != worked.cents:
        return quote_changed(law, worked)
    one = worked.session
    row = SpecialTime(
        plant_id=plant.id, number=f"S-{ask.day:%m%d}-{numbers.take(plant.id, SPECIAL, f'{ask.day:%m%d}'):02d}",
        business_id=ask.business_id, truck_id=ask.truck_id, waste=ask.waste, origin=ask.origin, gallons=ask.gallons,
        reason=ask.reason.strip(), day=ask.day, starts=one.start, ends=one.end, gph=one.gph, minutes=worked.minutes,
        state=SpecialState.ASKED.value, asked_at=at, asked_by=by.name, by_phone=by.capacity(STAFF) is not None,
        law_version=law.version,
    )  # fmt: skip
    _quote(row, worked, at)
    if accepts is not None:
        _accept(row, by, at)
    db.session.add(row)
    db.session.flush()
    because(ask.reason.strip(), cite_of(law, ask.day))
    mail.tell_asked(plant, row, law, at)
    return row


@act("quote_special", roles=ARRANGERS)
def quote_special(plant: Plant, number: str, *, by: Actor, at: datetime, law: Law) -> SpecialTime | Refusal:
    """Work a request out anew, as things are now, and send the hauler the quote to accept.

    Refusals: no_special_time, settled, lapsed, not_arranger, wage_not_set, and those of ``ask_special``.
    """
    row = _open_row(plant, number, at, law)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by)
    found = refused or found_under_locks(plant, _ask_of(row, law), at, law)
    if isinstance(found, Refusal):
        return found
    if isinstance(found.worked.quote, Refusal):
        return found.worked.quote
    locked = _locked(row, at, law)
    if isinstance(locked, Refusal):
        return locked
    one = found.worked.session
    locked.ends, locked.gph, locked.minutes = one.end, one.gph, found.worked.minutes
    locked.state, locked.accepted_at, locked.accepted_by = SpecialState.ASKED.value, None, None
    _quote(locked, found.worked, at)
    locked.law_version = found.law.version
    because(cite=cite_of(found.law, row.day))
    mail.tell_quoted(plant, locked, found.law, at)
    return locked


@act("accept_special", roles=BOOKERS)
def accept_special(plant: Plant, number: str, cents: int, *, by: Actor, at: datetime, law: Law
                   ) -> SpecialTime | Refusal:  # fmt: skip
    """The hauler accepts the charge quoted (staff for one on the telephone); the Director decides then.

    ``cents`` is the charge that was shown. Refusals: no_special_time, not_yours, settled, lapsed, not_quoted,
    quote_changed.
    """
    row = _open_row(plant, number, at, law)
    if isinstance(row, Refusal):
        return row
    refused = yours(row.business_id, by)
    if refused is not None:
        return refused
    lock(Plant, plant.id, shared=True)
    row = _locked(row, at, law)
    if isinstance(row, Refusal):
        return row
    cite = cite_of(law, row.day)
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
    row = _open_row(plant, number, at, law)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by) or own_business(row, by, law)
    found = refused or found_under_locks(plant, _ask_of(row, law), at, law)
    if isinstance(found, Refusal):
        return found
    law, worked = found.law, found.worked
    locked = _locked(row, at, law)
    refused = locked if isinstance(locked, Refusal) else cannot_arrange(locked, worked, law)
    if refused is not None:
        return refused
    wanted = Wanted(row.business_id, row.truck_id, row.waste, (worked.session,))
    room = Room(law, found.approval, {worked.session: worked.place.id}, found.note)
    booking = write_booking(plant, wanted, room, by_phone=row.by_phone, by=by, at=at)
    letter = mail.write_letter(plant, row, booking, worked.until, found.note, by=by, at=at, law=law)
    row.state, row.decided_at, row.decided_by = SpecialState.ARRANGED.value, at, by.name
    row.until, row.booking_id, row.letter_id = worked.until, booking.id, letter.id
    because(cite=cite_of(law, row.day))
    mail.tell_arranged(plant, row, booking, letter, law, at)
    return row


@act("decline_special", roles=ARRANGERS)
def decline_special(plant: Plant, number: str, reason: str, *, by: Actor, at: datetime, law: Law
                    ) -> SpecialTime | Refusal:  # fmt: skip
    """Say no to a request, with the reason. Refusals: no_special_time, settled, lapsed, not_arranger, no_reason."""
    row = _open_row(plant, number, at, law)
    if isinstance(row, Refusal):
        return row
    refused = not_arranger(law, row.day, by) or own_business(row, by, law)
    if refused is not None:
        return refused
    if not reason.strip():
        return Refusal("no_reason", "Enter why the request is declined", cite_of(law, row.day))
    return _end(plant, row, SpecialState.DECLINED, reason.strip(), by=by, at=at, law=law)


@act("withdraw_special", roles=BOOKERS)
def withdraw_special(plant: Plant, number: str, reason: str = "", *, by: Actor, at: datetime, law: Law
                     ) -> SpecialTime | Refusal:  # fmt: skip
    """Take a request back before it is decided. Refusals: no_special_time, not_yours, settled, lapsed."""
    row = _open_row(plant, number, at, law)
    if isinstance(row, Refusal):
        return row
    refused = yours(row.business_id, by)
    return refused or _end(plant, row, SpecialState.WITHDRAWN, reason.strip(), by=by, at=at, law=law)


def _end(plant: Plant, row: SpecialTime, state: SpecialState, answer: str, *, by: Actor, at: datetime, law: Law
         ) -> SpecialTime | Refusal:  # fmt: skip
    lock(Plant, plant.id, shared=True)
    locked = _locked(row, at, law)
    if isinstance(locked, Refusal):
        return locked
    locked.state, locked.decided_at, locked.decided_by, locked.answer = state.value, at, by.name, answer
    because(answer or None, cite_of(law, row.day))
    mail.tell_ended(plant, locked, law, at)
    return locked


def _quote(row: SpecialTime, worked: Worked, at: datetime) -> None:
    row.quote, row.quote_cents, row.wage = as_stored(worked.lines), worked.cents, worked.wage
    row.quoted_at = at if worked.lines else None


def _accept(row: SpecialTime, by: Actor, at: datetime) -> None:
    phone = ", by phone" if by.capacity(STAFF) is not None else ""
    row.state, row.accepted_at, row.accepted_by = SpecialState.ACCEPTED.value, at, f"{by.name}{phone}"


def _ask_of(row: SpecialTime, law: Law) -> Ask:
    begins = row.starts.astimezone(law.zone).time()
    return Ask(row.business_id, row.truck_id, row.waste, row.gallons, row.day, begins, row.reason, row.origin)


def _open_row(plant: Plant, number: str, at: datetime, law: Law) -> SpecialTime | Refusal:
    row = special.numbered(plant.id, number)
    if row is None:
        return Refusal("no_special_time", "There is no such request at this plant.", "")
    return settled(row, at, law) or row


def _locked(row: SpecialTime, at: datetime, law: Law) -> SpecialTime | Refusal:
    """The row under its lock, or why nothing is decided about it any more."""
    fresh: SpecialTime = lock(SpecialTime, row.id)
    return settled(fresh, at, law) or fresh
