"""Blank tickets for the time without power: printed ahead, each entered once with its own time, or spoiled."""

from datetime import datetime

from intake.actions.late import register_late
from intake.actions.signing import sign_load
from intake.models import BlankTicket, Load
from intake.queries import blanks, loads
from intake.queries.outbox import Written
from intake.queries.pickups import as_typed
from office import formats, letters, numbers
from office.access import Actor, Role
from office.acts import act
from office.db import db, lock
from office.journal import because
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_words import zones
from ordinances.screening import WASTE_TYPES

STAFF = (Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
BLANK = numbers.series("blank", "blank_ticket", "number")
MOST = 100


@act("issue_blanks", roles=STAFF)
def issue_blanks(plant: Plant, count: int, *, by: Actor, at: datetime, law: Law) -> letters.Letter | Refusal:
    """Print ``count`` blank tickets, two a page, numbered on from the last of the year. Refusals: count."""
    if not 1 <= count <= MOST:
        return Refusal("count", f"Enter a number from 1 to {MOST}.", "")
    lock(Plant, plant.id, shared=True)
    day = at.astimezone(plant.tz).date()
    rows = [BlankTicket(plant_id=plant.id, number=f"P-{day.year}-{numbers.take(plant.id, BLANK, day.year):04d}",
                        issued_at=at, issued_by=by.name) for _ in range(count)]  # fmt: skip
    db.session.add_all(rows)
    first, last = rows[0].number, rows[-1].number
    due = law.cite("record.due_working_days", day) if law.has("record.due_working_days", day) else ""
    data = {
        "numbers": [row.number for row in rows], "limit": blanks.limit_words(plant, law, day),
        "as_of": formats.date_only(day), "wastes": list(WASTE_TYPES.values()), "due": due,
        "zones": [words for _, words in zones(law, day)], "manhole": blanks.manhole_cite(plant, law, day),
    }  # fmt: skip
    title = f"Blank tickets {first} to {last}" if count > 1 else f"Blank ticket {first}"
    letter = letters.write(plant, None, "blank_tickets", title, data, at, law_version=law.version, number=first)
    for row in rows:
        row.letter_id = letter.id
    return letter


@act("spoil_blank", roles=STAFF)
def spoil_blank(row: BlankTicket, reason: str, *, by: Actor, at: datetime) -> BlankTicket | Refusal:
    """Say that a blank ticket is not used any more, and why. Refusals: no_reason, used, spoiled."""
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is not used.", "")
    row = lock(BlankTicket, row.id)
    refused = _done(row)
    if refused is not None:
        return refused
    row.void_at, row.void_by, row.void_reason = at, by.name, reason.strip()
    because(reason.strip())
    return row


@act("enter_paper_load", roles=STAFF)
def enter_paper_load(plant: Plant, row: BlankTicket, written: Written, signed_at: datetime | None = None, *, by: Actor,
                     at: datetime, law: Law) -> Load | Refusal:  # fmt: skip
    """Enter what was written on a blank ticket: once each, with its own time, marked who entered it.

    A paper the driver signed, at ``signed_at``, is the written record from then on (§ 329-7 C(3)).
    Refusals: used, spoiled, before (it was not printed yet), signed_when, and those of ``register_late``.
    """
    lock(Plant, plant.id, shared=True)
    row = lock(BlankTicket, row.id)
    again = loads.with_client_id(plant.id, written.client_id)
    if again is not None and again.id == row.load_id:
        return again
    refused = _done(row) or _time_wrong(plant, row, written.at) or _signed_wrong(written, signed_at, at)
    if refused is not None:
        return refused
    answer = register_late(plant, written, by=by, at=at, law=law)
    if isinstance(answer, Refusal):
        return answer
    row.load_id = answer.load.id
    because(written.how)
    refused = _signed(row, answer.load, written, signed_at, by=by, at=at, law=law) if signed_at is not None else None
    return refused or answer.load


def _signed(row: BlankTicket, load: Load, written: Written, signed_at: datetime, *, by: Actor, at: datetime, law: Law
            ) -> Refusal | None:  # fmt: skip
    """The driver's signature on the paper; where that morning was signed before, that one stays."""
    driver = str(written.values.get("driver") or "").strip() or load.driver
    places, paper = as_typed(written.values.get("pickups", ())), f"blank ticket {row.number}"
    answer = sign_load(load, driver, "", places, paper=paper, signed_at=signed_at, by=by, at=at, law=law)
    return answer if isinstance(answer, Refusal) and answer.code != "signed" else None


def _signed_wrong(written: Written, signed_at: datetime | None, at: datetime) -> Refusal | None:
    if signed_at is None or written.at <= signed_at <= at:
        return None
    when = "before it began to unload" if signed_at < written.at else "at a time that lies ahead"
    return Refusal("signed_when", f"By what is entered the driver signed {when}.", "",
                   next_step="Check the day and the time.")  # fmt: skip


def _done(row: BlankTicket) -> Refusal | None:
    """A blank ticket that is used or spoiled."""
    if row.load_id is not None:
        ticket = loads.load(row.load_id).ticket
        return Refusal("used", f"Blank ticket {row.number} is entered as load {ticket}.", "",
                       next_step="Is it another paper? Look at its number again.")  # fmt: skip
    if row.void_at is not None:
        why = f"Blank ticket {row.number} was marked spoiled by {row.void_by}: {row.void_reason}"
        return Refusal("spoiled", why, "")
    return None


def _time_wrong(plant: Plant, row: BlankTicket, began: datetime) -> Refusal | None:
    """A time before the ticket was printed, to the minute: nothing was written on it then."""
    if began >= row.issued_at.replace(second=0, microsecond=0):
        return None
    when = formats.day_time(row.issued_at, plant.tz)
    return Refusal("before", f"Blank ticket {row.number} was printed {formats.full_stop(when)}", "",
                   next_step="Check the day, the time and the number of the ticket.")  # fmt: skip
