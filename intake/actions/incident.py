"""Report an accidental discharge at once, write more of it, close it with what was done (§ 329-6 L of Bayfield)."""

from collections.abc import Sequence
from datetime import datetime

from haulers import queries as haulers
from intake.models import Incident, IncidentWord, Load
from intake.queries import incidents, loads
from office import formats, numbers
from office.access import STAFF, Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.notices import Notice, tell_party, tell_person, tell_roles
from office.people import Person
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

INCIDENT = numbers.series("incident", "incident", "number")
# Whoever signs in may report; the record says as what.
REPORTERS = (Role.HAULER, Role.DRIVER, Role.OPERATOR, Role.MANAGER, Role.DIRECTOR, Role.CLERK, Role.MEMBER,
             Role.ADMINISTRATOR, Role.PERSON)  # fmt: skip
TOLD = (Role.MANAGER, Role.DIRECTOR, Role.OPERATOR)
CLOSERS = (Role.MANAGER, Role.DIRECTOR)


@act("report_incident", roles=REPORTERS)
def report_incident(
    plant: Plant, what: str, place: str, known_at: datetime, *, gallons: int | None = None, steps: str = "",
    phone: str = "", ticket: str = "", by: Actor, at: datetime, law: Law,
) -> Incident | Refusal:  # fmt: skip
    """Report what was discharged by accident; the plant manager, the Director and the operators are told at once.

    ``known_at``: since when it is known. ``ticket`` names the load it came with. Refusals: no_what, no_place, future,
    no_load.
    """
    today = at.astimezone(plant.tz).date()
    cite = incidents.cite_of(law, today)
    own = haulers.business_of_party(by.party_id)
    load = loads.with_ticket(plant.id, ticket.strip()) if ticket.strip() else None
    refused = _wrong(what, place, known_at, at, cite) or _no_load(ticket, load, own.id if own is not None else None, by)
    if refused is not None:
        return refused
    business_id = own.id if own is not None else load.business_id if load is not None else None
    row = Incident(
        plant_id=plant.id, known_at=known_at, place=place.strip(), what=what.strip(), gallons=gallons,
        steps=steps.strip(), phone=phone.strip(), business_id=business_id,
        load_id=load.id if load is not None else None, reported_at=at, reported_by=by.name, person_id=by.person_id,
        written_due=incidents.written_due(plant, law, known_at), law_version=law.version,
        number=numbers.numbered(plant.id, INCIDENT, today.year),
    )  # fmt: skip
    db.session.add(row)
    db.session.flush()
    because(what.strip(), cite)
    _tell(plant, row, load, cite, at, own=own is not None)
    return row


def _wrong(what: str, place: str, known_at: datetime, at: datetime, cite: str) -> Refusal | None:
    if not what.strip():
        return Refusal("no_what", "Enter what was discharged.", cite)
    if not place.strip():
        return Refusal("no_place", "Enter where it happened.", cite)
    return Refusal("future", "The time must be now or earlier.", cite) if known_at > at else None


def _no_load(ticket: str, load: Load | None, own: int | None, by: Actor) -> Refusal | None:
    """A ticket nobody has, or that of another hauler, which reads the same; only staff name the load of any hauler."""
    names_any = own is None and by.capacity(STAFF) is not None
    if not ticket.strip() or (load is not None and (names_any or (own is not None and own == load.business_id))):
        return None
    return Refusal("no_load", f"There is no load {ticket.strip()}. Leave the ticket empty if it is not known.", "")


def _tell(plant: Plant, row: Incident, load: Load | None, cite: str, at: datetime, *, own: bool) -> None:
    """Tell who acts on it, and the hauler: of its ``own`` report, or of what the city reported with its load."""
    known = formats.day_time(row.known_at, plant.tz)
    lines = [
        row.what, "", f"Where: {row.place}", formats.full_stop(f"Known since {known}"),
        f"Amount: {formats.volume(row.gallons) if row.gallons is not None else 'not known'}.",
        f"Done so far: {row.steps or 'nothing said'}",
        f"Reported by {row.reported_by}, {row.phone or 'no phone given'}.",
    ]  # fmt: skip
    lines += [f"With load {load.ticket} of {load.business_name}."] if load is not None else []
    told = tell_roles(TOLD, "incident", f"Accident reported ({row.number}): {row.place}", "\n".join(lines), at,
                      plant_id=plant.id)  # fmt: skip
    due = f"\n\nThe written report is due by the end of {_due(plant, row)}." if row.written_due is not None else ""
    under = f" ({cite})" if cite else ""
    body = (f"{plant.name} has this report of an accident{under} and its number is {row.number}.\n\n"
            + "\n".join(lines) + f"{due}\n\nIf it still goes on, call {plant.phone}.")  # fmt: skip
    if row.business_id is None:
        _tell_reporter(plant, row, told, f"Your report of an accident ({row.number})", body, at)
        return
    subject = "Your report of an accident" if own else "An accident with your load is reported"
    tell_party(haulers.party_of_business(row.business_id), "incident", f"{subject} ({row.number})", body, at,
               plant_id=plant.id)  # fmt: skip


def _tell_reporter(plant: Plant, row: Incident, told: Sequence[Notice], subject: str, body: str, at: datetime, *,
                   but: int | None = None) -> None:  # fmt: skip
    """Tell who reported it in person, with a business or without, unless they are ``told`` already or write it now."""
    person = db.session.get(Person, row.person_id) if row.person_id is not None else None
    if person is None or not person.active or person.id == but or person.email in {one.to_email for one in told}:
        return
    tell_person(person, "incident", subject, body, at, plant_id=plant.id)


def _tell_on(plant: Plant, row: Incident, subject: str, body: str, at: datetime, by: Actor) -> None:
    """Tell how it goes on to all who were told first: those who act on it, the hauler, and who reported it."""
    told = tell_roles(TOLD, "incident", subject, body, at, plant_id=plant.id)
    own = haulers.business_of_party(by.party_id)
    if row.business_id is not None and (own is None or own.id != row.business_id):
        party = haulers.party_of_business(row.business_id)
        told.append(tell_party(party, "incident", subject, body, at, plant_id=plant.id))
    _tell_reporter(plant, row, told, subject, body, at, but=by.person_id)


def _due(plant: Plant, row: Incident) -> str:
    assert row.written_due is not None
    return formats.day(row.written_due, plant.tz)


@act("add_incident_words", roles=REPORTERS)
def add_incident_words(plant: Plant, number: str, words: str, *, written: bool = False, by: Actor, at: datetime,
                       law: Law) -> IncidentWord | Refusal:  # fmt: skip
    """Add what is known since; ``written`` says that this is the written report. Those told first are told again.

    Refusals: no_incident, closed, no_words.
    """
    found = _found(plant, number, by)
    if isinstance(found, Refusal):
        return found
    if found.closed_at is not None:
        return Refusal("closed", f"Accident {number} is closed. Report another one if it goes on.", "")
    if not words.strip():
        return Refusal("no_words", "Enter what is known since.", "")
    row = IncidentWord(plant_id=plant.id, incident_id=found.id, words=words.strip(), written=written, posted_at=at,
                       posted_by=by.name)  # fmt: skip
    db.session.add(row)
    cite = incidents.cite_of(law, at.astimezone(plant.tz).date())
    because("The written report" if written else "More of an accident", cite)
    what = "Written report" if written else "More"
    _tell_on(plant, found, f"{what} of accident {number}", f"{words.strip()}\n\n{by.name}", at, by)
    return row


def _found(plant: Plant, number: str, by: Actor) -> Incident | Refusal:
    row = incidents.numbered(plant.id, number)
    own = haulers.business_of_party(by.party_id)
    if row is None or not incidents.may_read(row, by, own.id if own is not None else None):
        return Refusal("no_incident", "There is no such report.", "")
    locked: Incident = lock(Incident, row.id)
    return locked


@act("close_incident", roles=CLOSERS)
def close_incident(plant: Plant, number: str, why: str, *, by: Actor, at: datetime, law: Law) -> Incident | Refusal:
    """Close an accident with what was done. Who reported it, the hauler it is about and those told first are told.

    Refusals: no_incident, closed, no_words, not_written (a written report is due and not in).
    """
    row = _found(plant, number, by)
    if isinstance(row, Refusal):
        return row
    cite = incidents.cite_of(law, at.astimezone(plant.tz).date())
    if row.closed_at is not None:
        return Refusal("closed", f"{row.closed_by} has closed it already.", cite)
    if not why.strip():
        return Refusal("no_words", "Enter what was done, and why it can be closed.", cite)
    if row.written_due is not None and not incidents.written_in(row):
        why_not = f"The written report is not in. It is due by the end of {_due(plant, row)}."
        return Refusal("not_written", why_not, cite, next_step="Add it, or ask for it.")
    row.closed_at, row.closed_by, row.closed_why = at, by.name, why.strip()
    because(why.strip(), cite)
    _tell_on(plant, row, f"Accident {number} is closed", f"{why.strip()}\n\n{plant.name}, {plant.phone}", at, by)
    return row
