"""Refuse the rest of a load that was taken in part, and write where a refused load went."""

from datetime import date, datetime

from haulers import queries as haulers
from intake.actions import pieces, tickets
from intake.actions.freed import offer_freed
from intake.actions.holding import release_holds
from intake.actions.signing import settle_record
from intake.actions.stop import end_now
from intake.models import Booking, Elsewhere, Load, RestRefused
from intake.queries import bookings, loads, statements
from intake.queries.arrivals import refusal_wanting
from intake.queries.pieces import Morning
from intake.queries.words import one_line, sentence
from intake.states import REFUSAL_WORDS, BookingState, LoadState, RefusalReason
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import tell_role
from ordinances.calendar import record_due
from ordinances.reader import Law
from ordinances.refusal import Refusal

AT_THE_PLANT = (Role.OPERATOR, Role.MANAGER, Role.CLERK)


@act("refuse_rest", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def refuse_rest(load: Load, gallons: int | None, code: str, reason: str, *, out: int | None = None, by: Actor,
                at: datetime, law: Law) -> RestRefused | Refusal:  # fmt: skip
    """Turn away what is still in a truck whose load was taken in part: ``gallons`` of it, with a typed reason.

    A truck that unloads or waits is stopped with it: ``out`` are the gallons of this morning until now, and where
    ``gallons`` is None the rest is what was logged and is not out. What ran stays charged; later mornings of its
    booking are given back. The ticket is written anew and the hauler told, once. Refusals: no_reason, no_gallons,
    not_taken, still_runs (without ``out``), not_begun, gallons_below, more_than_logged, refused_already.
    """
    wanting = refusal_wanting(code, reason, load.business_id or 0, "", 0)
    if wanting is not None:
        return wanting
    gate, (load,) = pieces.locked([load], by, at)
    found = pieces.of_today(gate, load)
    stops = out is not None and loads.run_to_stop(load, at) is not None
    wrong = _not_taken(load) or (end_now(gate, found, out or 0) if stops else _still_runs(load, at))
    if wrong is not None:
        return wrong
    left = found.logged - (out or 0) if gallons is None and stops else gallons or 0
    if left <= 0:
        return Refusal("no_gallons", "Enter how many gallons stay in the truck, 1 or more.", "")
    row = RestRefused(plant_id=gate.plant.id, load_id=load.id, gallons=left, code=code, reason=reason.strip(),
                      refused_at=at, refused_by=by.name)  # fmt: skip
    db.session.add(row)
    db.session.flush()
    kind = REFUSAL_WORDS[RefusalReason(code)].lower()
    said = f"Refused the rest, {formats.volume(left)}: {kind}. {one_line(row.reason)}"
    _give_back(load, at, law)
    because(row.reason, law.cite("approval.points_by", load.day) if law.has("approval.points_by", load.day) else "")
    if stops:
        return _settled(gate, found, said) or row
    _written(gate, load, said)
    return settle_record(load, at=at, law=gate.law) or row


def _settled(gate: pieces.Gate, found: Morning, said: str) -> Refusal | None:
    """What was stopped is charged for what came out; the ticket says when it was stopped and what was refused."""
    stopped = sentence(f"Stopped at {formats.clock_time(gate.at, gate.plant.tz)}")
    return pieces.settle(gate, found, f"{stopped} {said}", "rest")


def _written(gate: pieces.Gate, load: Load, said: str) -> None:
    load.note = "\n".join(filter(None, (load.note, said)))
    booked = bookings.sessions_of([load.booking_id])[load.booking_id] if load.booking_id else []
    party = haulers.party_of_business(load.business_id) if load.business_id is not None else None
    tickets.write(gate.plant, load, party, at=gate.at, law=gate.law, what="rest")
    offer_freed(gate.plant, {load.day, *(one.day for one in booked)}, gate.at, gate.law)


def _not_taken(load: Load) -> Refusal | None:
    if load.state != LoadState.ACCEPTED.value or load.business_id is None:
        return Refusal("not_taken", f"Load {load.ticket} was not taken, so there is no rest of it.", "")
    if statements.rest_of(load.id) is not None:
        return Refusal("refused_already", f"The rest of load {load.ticket} was refused already.", "")
    return None


def _still_runs(load: Load, at: datetime) -> Refusal | None:
    if loads.run_to_stop(load, at) is None:
        return None
    return Refusal("still_runs", f"Load {load.ticket} still unloads.", "",
                   next_step="Enter how many gallons were unloaded until now.")  # fmt: skip


def _give_back(load: Load, at: datetime, law: Law) -> None:
    """Mornings still planned for a load whose rest was refused are free again."""
    booking = lock(Booking, load.booking_id) if load.booking_id is not None else None
    if booking is None or booking.state != BookingState.BOOKED.value:
        return
    ran = bookings.opened_days(booking.id)
    if all(one.day in ran for one in bookings.sessions_of([booking.id])[booking.id]):
        return
    booking.state, booking.ended_at = BookingState.CANCELLED.value, at
    booking.end_reason = f"The rest of load {load.ticket} was refused"
    release_holds(booking.id, at)
    if load.discharged_at is not None and load.record_due is not None:
        load.record_due = record_due(law, load.discharged_at).at


@act("file_elsewhere", roles=(Role.HAULER, Role.DRIVER, *AT_THE_PLANT))
def file_elsewhere(load: Load, went_to: str, went_on: date, signed_by: str, *, by: Actor, at: datetime, law: Law
                   ) -> Elsewhere | Refusal:  # fmt: skip
    """Write where a refused load, or the rest of one, was taken. The hauler signs; the plant may write it down for it.

    Refusals: not_yours, not_asked (the law asks for none, or the load was not refused), already_filed, no_place,
    no_name, wrong_day.
    """
    mine = by.party_id is not None and load.business_id is not None and (
        haulers.party_of_business(load.business_id).id == by.party_id
    )  # fmt: skip
    if not mine and by.capacity(AT_THE_PLANT) is None:
        return Refusal("not_yours", "This is not one of your company's loads.", "")
    load = lock(Load, load.id)
    filed = statements.of_load(load.id)
    if filed is not None:
        return Refusal("already_filed", f"{filed.signed_by} has written already where load {load.ticket} went.", "")
    missing = statements.wanted(load, law)
    if missing is None:
        return Refusal("not_asked", f"Load {load.ticket} needs no statement where it went.", "")
    cite = law.cite(statements.DAYS, load.day)
    wrong = _statement_wrong(load, went_to, went_on, signed_by, at.astimezone(law.zone).date(), cite)
    if wrong is not None:
        return wrong
    row = Elsewhere(
        plant_id=load.plant_id, load_id=load.id, went_to=went_to.strip(), went_on=went_on, signed_by=signed_by.strip(),
        filed_at=at, filed_by=by.name, on_behalf=not mine,
    )  # fmt: skip
    db.session.add(row)
    because(cite=cite)
    body = (f"{row.signed_by} of {load.business_name} states that load {load.ticket}, refused on "
            f"{formats.date_only(load.day)}, went on {formats.date_only(went_on)} to: {row.went_to}")  # fmt: skip
    tell_role(Role.MANAGER, "elsewhere", f"Where refused load {load.ticket} went", body, at, plant_id=load.plant_id)
    return row


def _statement_wrong(load: Load, went_to: str, went_on: date, signed_by: str, today: date, cite: str
                     ) -> Refusal | None:  # fmt: skip
    if not went_to.strip():
        return Refusal("no_place", "Enter where the load went.", cite)
    if not load.day <= went_on <= today:
        first = formats.date_only(load.day)
        return Refusal("wrong_day", f"The day must be between {first} and {formats.date_only(today)}.", cite)
    if not signed_by.strip():
        return Refusal("no_name", "Enter who states it.", cite)
    return None
