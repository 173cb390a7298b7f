"""The load ticket: its document, what the hauler is told, and taking its charges back."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import func, select

from billing.actions import take_back, void_late
from billing.queries import entries_of, reversal_of
from intake.models import Booking, Load, Run
from intake.queries import loads, signatures, statements
from intake.queries.load_charges import beside, void_words
from intake.queries.pieces import told
from intake.queries.special_quote import ticket_words
from intake.queries.words import sentence
from intake.states import BASIS_WORDS, REFUSAL_WORDS, Basis, LoadState, RefusalReason, RunKind
from office import formats, letters
from office.access import Actor
from office.db import db
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_lines import more_than_price
from ordinances.screening import WASTE_TYPES

# What was done to a load at the gate, as its hauler reads it; the ticket's last remark says the rest.
DONE = {"stopped": "was stopped", "paused": "is paused", "began": "has begun", "resumed": "goes on",
        "rate": "runs at another rate", "ran on": "has more gallons", "rest": "was refused in part",
        "corrected": "is corrected", "signed": "is signed"}  # fmt: skip


def label(load: Load) -> str:
    """How a load is named beside its charges."""
    return f"Load {load.ticket}"


def charges_of(load: Load) -> list[Any]:
    """The charges of a load that stand: none once it is void."""
    return [entry for entry in entries_of("load", load.id) if reversal_of(entry.id) is None]


def write(plant: Plant, load: Load, party: Party | None, *, at: datetime, law: Law, what: str = "",
          plan: str = "") -> None:  # fmt: skip
    """Freeze the ticket as a document and tell the hauler.

    What comes later (another morning, a pause, a stop, other supervision, a void: ``what`` a key of ``DONE``,
    "supervised" or "") makes a document of its own, ``…-2``, and the one before stays stored. ``plan`` is how it goes
    on, for the hauler alone.
    """
    entries = charges_of(load) if load.state == LoadState.ACCEPTED.value else []
    before = _written(load)
    number = load.ticket if not before else f"{load.ticket}-{before + 1}"
    data = _data(plant, load, entries)
    data["remarks"] += ticket_words(law, load, loads.runs_of(load.id), sum(one.amount_cents for one in entries))
    asked = statements.words(load, law)
    data["remarks"] += [asked] if asked else []
    letter = letters.write(plant, party, "ticket", _title(load, what), data, at,
                           law_version=law.version, number=number)  # fmt: skip
    load.letter_id = letter.id
    if party is not None:
        subject, body = _words(plant, load, entries, what, plan)
        body = f"{body}\n\n{asked}".rstrip()
        kind = "ticket_void" if load.state == LoadState.VOID.value else "ticket"
        tell_party(party, kind, subject, body, at, plant_id=plant.id, letter_id=letter.id)


def _written(load: Load) -> int:
    """How many documents this ticket has. The load is locked, or new, so that no other is written meanwhile."""
    mine = letters.Letter.number.startswith(f"{load.ticket}-", autoescape=True)
    query = select(func.count()).where(
        letters.Letter.plant_id == load.plant_id, letters.Letter.kind == "ticket",
        (letters.Letter.number == load.ticket) | mine,
    )  # fmt: skip
    return int(db.session.scalars(query).one())


def _title(load: Load, what: str) -> str:
    if load.state == LoadState.VOID.value:
        return "VOID ticket"
    if load.state == LoadState.REFUSED.value:
        return "Refused load"
    return "Corrected ticket" if what else "Load ticket"


def _data(plant: Plant, load: Load, entries: Sequence[Any]) -> dict[str, Any]:
    void = load.state == LoadState.VOID.value
    due = "" if void or load.record_due is None else _due(plant, load)
    signature = signatures.of_load(load.id)
    strokes = signature.strokes if signature is not None and not void else ""
    drawn = {"signature": signatures.picture(strokes)} if strokes else {}
    return drawn | {
        "ticket": load.ticket, "void": void, "facts": [list(fact) for fact in _facts(plant, load)],
        "runs": [] if void else _pieces(plant, load),
        "charges": [_charge(entry) for entry in entries],
        "total": formats.money(sum(entry.amount_cents for entry in entries)) if entries else "",
        "remarks": _remarks(load), "due": due, "operator": load.logged_by, "driver": load.driver,
    }  # fmt: skip


def _remarks(load: Load) -> list[str]:
    if load.state == LoadState.VOID.value:
        return [sentence(f"This ticket is void: {load.reason}"), void_words(load.id)]
    return (_refused_words(load) if load.turned_away else load.note).splitlines()


def _facts(plant: Plant, load: Load) -> list[tuple[str, str]]:
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    if load.turned_away:
        return _refused_facts(plant, load, booking)
    return [
        ("Hauler", load.business_name),
        ("Truck plate", load.plate or "not known"),
        ("Driver", load.driver or "not given"),
        ("Waste", WASTE_TYPES[load.waste]),
        ("Gallons", f"{formats.gallons(load.gallons)} ({BASIS_WORDS[Basis(load.basis)].lower()}){_flush(load)}"),
        ("pH", formats.number(load.ph) if load.ph is not None else "not measured"),
        ("Sample bottle", load.bottle or "none"),
        ("Tested", "yes" if load.tested else "no"),
        ("Booking", booking.number if booking else "not booked"),
        ("Logged", formats.day_time(load.logged_at, plant.tz)),
        *([("Slip number", load.slip)] if load.slip else []),
    ]


def _flush(load: Load) -> str:
    return f", {formats.gallons(load.flush_gallons)} of it flush water" if load.flush_gallons else ""


def _refused_facts(plant: Plant, load: Load, booking: Booking | None) -> list[tuple[str, str]]:
    """Only what was entered: a truck that is turned away is asked for little. Its waste is known from a booking."""
    entered = [
        ("Hauler", load.business_name),
        ("Truck plate", load.plate),
        ("Driver", load.driver),
        ("Waste", WASTE_TYPES[load.waste] if booking else ""),
        ("Gallons unloaded", formats.gallons(load.gallons)),
        ("pH", formats.number(load.ph) if load.ph is not None else ""),
        ("Sample bottle", load.bottle),
        ("Booking", booking.number if booking else ""),
        ("Logged", formats.day_time(load.logged_at, plant.tz)),
    ]
    return [(name, words) for name, words in entered if words]


def _pieces(plant: Plant, load: Load) -> list[str]:
    return [_run_words(plant, run) for run in told(loads.runs_of(load.id), plant.tz)]


def _run_words(plant: Plant, run: Run) -> str:
    when, day = formats.span(run.starts, run.ends, plant.tz), formats.day_short(run.day)
    if run.kind == RunKind.REST.value:
        if not run.gallons:
            return f"{day}: paused {when}"
        keeps = f"{when} at {formats.rate(run.gph)} is kept for {'it' if run.gallons == 1 else 'them'}"
        return f"{day}: {formats.volume(run.gallons)} still in the truck, {keeps}"
    return f"{day}: {formats.volume(run.gallons)}, {when} at {formats.rate(run.gph)}"


def _charge(entry: Any) -> dict[str, str]:
    quantity, each = entry.quantity or Decimal(0), entry.unit_price or Decimal(0)
    return {
        "what": entry.what, "quantity": f"{formats.number(quantity)} {entry.unit}", "each": formats.price(each),
        "amount": formats.money(entry.amount_cents), "cite": entry.cite,
    } | ({"how": how} if (how := more_than_price(entry.how)) else {})  # fmt: skip


def _refused_words(load: Load) -> str:
    return f"Refused: {REFUSAL_WORDS[RefusalReason(load.reason_code or 'other')].lower()}. {load.reason}"


def _due(plant: Plant, load: Load) -> str:
    assert load.record_due is not None
    return f"Written record due by the end of {formats.day(load.record_due, plant.tz)}."


def _words(plant: Plant, load: Load, entries: Sequence[Any], what: str, plan: str) -> tuple[str, str]:
    """Subject and body of what the hauler is told."""
    if load.state == LoadState.VOID.value:
        body = f"Load ticket {load.ticket} is void: {load.reason}\n\n{void_words(load.id)}"
        return f"Load ticket {load.ticket} is void", body
    if load.state == LoadState.REFUSED.value:
        subject = f"Load refused: ticket {load.ticket}"
        logged = formats.day_time(load.logged_at, plant.tz)
        return subject, f"{_refused_words(load)}\n\n{sentence(f'Truck {load.plate}, {logged}')}"
    total = formats.money(sum(entry.amount_cents for entry in entries))
    name = f"Load {load.ticket} {DONE[what]}" if what in DONE else f"Load ticket {load.ticket}"
    subject = f"{name}: {formats.volume(load.gallons)}, {total}"
    lines = [f"{load.note.splitlines()[-1]} {plan}".rstrip(), ""] if what in DONE else []
    lines += _pieces(plant, load) or ["Nothing was unloaded."]
    lines += [f"{entry.what}: {formats.money(entry.amount_cents)} ({entry.cite})" for entry in entries]
    due = ["", _due(plant, load)] if load.record_due is not None else []
    return subject, "\n".join([*lines, f"Total {total}", *due])


def take_back_charges(load: Load, reason: str, *, by: Actor, at: datetime, law: Law) -> Refusal | None:
    """Take back every charge of a load that stands with what was credited of it, so that it comes to nothing.

    Those of further tests ordered for it too. New tests that its hauler asked for and that are done stay charged.
    """
    charges = [*charges_of(load), *beside(load.id, "more_tests")]
    for entry in charges:
        result = take_back(entry, f"{label(load)} is void: {reason.strip()}", by=by, at=at, law=law)
        if isinstance(result, Refusal):
            return result
    if charges:
        void_late(charges[0].account_id, by=by, at=at)
    return None
