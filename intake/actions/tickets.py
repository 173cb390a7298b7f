"""The load ticket: its document, what the hauler is told, and taking its charges back."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from billing.actions import reverse_entry
from billing.queries import entries_of, reversal_of
from haulers import queries as haulers
from intake.models import Booking, Load, Run
from intake.queries import loads
from intake.states import BASIS_WORDS, REFUSAL_WORDS, Basis, LoadState, RefusalReason
from office import formats, letters
from office.access import Actor
from office.db import db
from office.notices import tell_party
from office.people import Party
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES


def label(load: Load) -> str:
    """How a load is named beside its charges."""
    return f"Load {load.ticket}"


def charges_of(load: Load) -> list[Any]:
    """The charges of a load that stand: none once it is void."""
    return [entry for entry in entries_of("load", load.id) if reversal_of(entry.id) is None]


def write(plant: Plant, load: Load, party: Party | None, *, at: datetime, law: Law, part: int = 1) -> None:
    """Freeze the ticket as a document and tell the hauler. A later morning makes a ticket of its own, ``…-2``."""
    entries = charges_of(load) if load.state == LoadState.ACCEPTED.value else []
    title = "Refused load" if load.state == LoadState.REFUSED.value else "Load ticket"
    number = load.ticket if part == 1 else f"{load.ticket}-{part}"
    letter = letters.write(plant, party, "ticket", title, _data(plant, load, entries), at, law_version=law.version,
                           number=number)  # fmt: skip
    load.letter_id = letter.id
    if party is not None:
        subject, body = _words(plant, load, entries)
        tell_party(party, "ticket", subject, body, at, plant_id=plant.id, letter_id=letter.id)


def _data(plant: Plant, load: Load, entries: Sequence[Any]) -> dict[str, Any]:
    refused = load.state == LoadState.REFUSED.value
    return {
        "ticket": load.ticket, "refused": refused, "facts": [list(fact) for fact in _facts(plant, load)],
        "runs": [_run_words(plant, run) for run in loads.runs_of(load.id)],
        "charges": [_charge(entry) for entry in entries],
        "total": formats.money(sum(entry.amount_cents for entry in entries)) if entries else "",
        "remarks": (_refused_words(load) if refused else load.note).splitlines(),
        "due": "" if load.record_due is None else _due(plant, load), "operator": load.logged_by, "driver": load.driver,
    }  # fmt: skip


def _facts(plant: Plant, load: Load) -> list[tuple[str, str]]:
    booking = db.session.get(Booking, load.booking_id) if load.booking_id else None
    return [
        ("Hauler", load.business_name),
        ("Truck plate", load.plate or "not known"),
        ("Driver", load.driver or "not given"),
        ("Waste", WASTE_TYPES[load.waste]),
        ("Gallons", f"{formats.gallons(load.gallons)} ({BASIS_WORDS[Basis(load.basis)].lower()})"),
        ("pH", formats.number(load.ph) if load.ph is not None else "not measured"),
        ("Sample bottle", load.bottle or "none"),
        ("Tested", "yes" if load.tested else "no"),
        ("Booking", booking.number if booking else "not booked"),
        ("Logged", formats.day_time(load.logged_at, plant.tz)),
    ]


def _run_words(plant: Plant, run: Run) -> str:
    when = formats.span(run.starts, run.ends, plant.tz)
    return f"{formats.day_short(run.day)}: {formats.gallons(run.gallons)} gallons, {when} at {run.gph} gallons an hour"


def _charge(entry: Any) -> dict[str, str]:
    quantity, each = entry.quantity or Decimal(0), entry.unit_price or Decimal(0)
    return {
        "what": entry.what, "quantity": f"{formats.number(quantity)} {entry.unit}", "each": f"${formats.number(each)}",
        "amount": formats.money(entry.amount_cents), "cite": entry.cite,
    }  # fmt: skip


def _refused_words(load: Load) -> str:
    return f"Refused: {REFUSAL_WORDS[RefusalReason(load.reason_code or 'other')].lower()}. {load.reason}"


def _due(plant: Plant, load: Load) -> str:
    assert load.record_due is not None
    return f"Written record due by the end of {formats.day(load.record_due, plant.tz)}."


def _words(plant: Plant, load: Load, entries: Sequence[Any]) -> tuple[str, str]:
    """Subject and body of what the hauler is told."""
    if load.state == LoadState.REFUSED.value:
        subject = f"Load refused: ticket {load.ticket}"
        return subject, f"{_refused_words(load)}\n\nTruck {load.plate}, {formats.day_time(load.logged_at, plant.tz)}."
    total = formats.money(sum(entry.amount_cents for entry in entries))
    subject = f"Load ticket {load.ticket}: {formats.gallons(load.gallons)} gallons, {total}"
    lines = [_run_words(plant, run) for run in loads.runs_of(load.id)]
    lines += [f"{entry.what}: {formats.money(entry.amount_cents)} ({entry.cite})" for entry in entries]
    return subject, "\n".join([*lines, f"Total {total}", "", _due(plant, load)])


def take_back_charges(load: Load, reason: str, *, by: Actor, at: datetime, law: Law) -> Refusal | None:
    """Reverse every charge of a load that stands, so that it comes to nothing."""
    for entry in charges_of(load):
        result = reverse_entry(entry, f"{label(load)} is void: {reason.strip()}", by=by, at=at, law=law)
        if isinstance(result, Refusal):
            return result
    return None


def tell_voided(plant: Plant, load: Load, at: datetime) -> None:
    """Tell the hauler that a ticket is void and nothing is charged for it."""
    if load.business_id is None:
        return
    party = haulers.party_of_business(load.business_id)
    body = f"Load ticket {load.ticket} is void: {load.reason}\n\nNothing is charged for it."
    tell_party(party, "ticket_void", f"Load ticket {load.ticket} is void", body, at, plant_id=plant.id)
