"""Everything a plant holds of one hauler between two days, gathered for a records request (Wis. Stat. § 19.35)."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, or_, select

from billing.models import Account, Entry, Invoice, Payment
from billing.queries import files as ledger_files
from haulers import queries as haulers
from intake.models import Booking, Load, PlannedSession
from intake.queries import load_table
from intake.queries.load_table import Sought
from office import tables
from office.db import db
from office.exports import Export
from office.files import File
from office.history import changes
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from office.people import Party, named_then
from office.plants import Plant
from office.tables import Cell
from ordinances.screening import WASTE_TYPES

BOOKING_HEADS = ("Booking", "Day", "From", "To", "Gallons", "Gallons an hour", "Waste", "State", "Why it ended", "Made",
                 "Made by")  # fmt: skip
LETTER_HEADS = ("Written", "Kind", "Number", "Title", "File")
MESSAGE_HEADS = ("Written", "To", "Subject", "Text", "How it went", "Sent")
APPLICATION_HEADS = ("Application", "Season", "State", "Sent")
HISTORY_HEADS = ("When", "Who", "Capacity", "What was done", "Record", "Changes", "Why", "Section")


@dataclass(frozen=True)
class Gathered:
    """What a records request comes to: rows by the name of their file, letters with the name of theirs."""

    name: str
    first: date
    last: date
    loads: load_table.Table
    ledger: Sequence[tuple[Cell, ...]]
    bookings: Sequence[tuple[Cell, ...]]
    letters: Sequence[tuple[Letter, str]]
    messages: Sequence[tuple[Cell, ...]]
    applications: Sequence[tuple[Cell, ...]]
    history: Sequence[tuple[Cell, ...]]


def gather(plant: Plant, made: Export) -> Gathered:
    """What the plant holds of the hauler of a request, of the days asked for, oldest first. A draft is nobody's yet."""
    party = db.session.get_one(Party, made.party_id)
    business = haulers.business_of_party(party.id)
    ident = business.id if business is not None else 0
    days = made.first_day, made.last_day
    found = load_table.table(plant, Sought("", *days, "", ident), made.at)
    found.rows = list(found.rows)[::-1]
    return Gathered(
        named_then(party.id, made.at), *days, found,
        ledger_files.rows(plant.id, *days, party_id=party.id, until=made),
        _bookings(plant, ident, *days), _letters(plant, party, *days), _messages(plant, party, *days),
        _applications(plant, ident, *days), _history(plant, party, ident, *days),
    )  # fmt: skip


def oldest_load(plant_id: int) -> date | None:
    """The day of the first load a plant keeps."""
    return db.session.scalars(select(func.min(Load.day)).where(Load.plant_id == plant_id)).one()


def _between(plant: Plant, first: date, last: date) -> tuple[datetime, datetime]:
    """The instants at which the first day begins and the last one is over, by the plant's clock."""
    starts, ends = (datetime.combine(day, datetime.min.time(), plant.tz) for day in (first, last + timedelta(days=1)))
    return starts, ends


def _wall(plant: Plant, at: datetime) -> datetime:
    return at.astimezone(plant.tz).replace(tzinfo=None, microsecond=0)


def _bookings(plant: Plant, business_id: int, first: date, last: date) -> list[tuple[Cell, ...]]:
    query = (
        select(Booking, PlannedSession)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Booking.plant_id == plant.id, Booking.business_id == business_id)
        .where(PlannedSession.day >= first, PlannedSession.day <= last)
        .order_by(PlannedSession.day, PlannedSession.starts, Booking.id)
    )
    return [
        (one.number, plan.day, _wall(plant, plan.starts), _wall(plant, plan.ends), plan.gallons, plan.gph,
         WASTE_TYPES[one.waste], one.state, one.end_reason or "", _wall(plant, one.made_at), one.made_by)
        for one, plan in db.session.execute(query)
    ]  # fmt: skip


def _letters(plant: Plant, party: Party, first: date, last: date) -> list[tuple[Letter, str]]:
    starts, ends = _between(plant, first, last)
    query = select(Letter).where(
        Letter.plant_id == plant.id, Letter.party_id == party.id, Letter.written_at >= starts, Letter.written_at < ends
    )
    return [
        (one, f"letters/{one.kind}-{one.number.replace('/', '-')}.pdf" if one.file_id else "")
        for one in db.session.scalars(query.order_by(Letter.written_at, Letter.id))
    ]


def _messages(plant: Plant, party: Party, first: date, last: date) -> list[tuple[Cell, ...]]:
    starts, ends = _between(plant, first, last)
    query = select(Notice).where(
        Notice.plant_id == plant.id, Notice.party_id == party.id, Notice.written_at >= starts, Notice.written_at < ends
    )
    return [
        (_wall(plant, one.written_at), one.to_email or one.to_name, one.subject, one.body,
         one.state.replace("_", " "), _wall(plant, one.sent_at) if one.sent_at else None)
        for one in db.session.scalars(query.order_by(Notice.id))
    ]  # fmt: skip


def _applications(plant: Plant, business_id: int, first: date, last: date) -> list[tuple[Cell, ...]]:
    """The applications sent on these days."""
    sent = [(one, one.filed_at) for one in haulers.applications_of(plant.id, business_id)[::-1]]
    return [
        (one.number, one.season, one.state.replace("_", " "), _wall(plant, at))
        for one, at in sent
        if at is not None and first <= at.astimezone(plant.tz).date() <= last
    ]


def _history(plant: Plant, party: Party, business_id: int, first: date, last: date) -> list[tuple[Cell, ...]]:
    """The lines of the history about the hauler's applications, loads, bookings and account, oldest first."""
    starts, ends = _between(plant, first, last)
    account = select(Account.id).where(Account.plant_id == plant.id, Account.party_id == party.id)
    mine: list[Any] = [
        (model.__tablename__, select(model.id).where(model.plant_id == plant.id, model.business_id == business_id))
        for model in (Load, Booking)
    ]
    mine += [(model.__tablename__, select(model.id).where(model.account_id.in_(account)))
             for model in (Entry, Invoice, Payment)]  # fmt: skip
    mine.append(("application", [one.id for one in haulers.applications_of(plant.id, business_id) if one.number]))
    query = (
        select(JournalEntry)
        .where(JournalEntry.chain == f"plant:{plant.id}", JournalEntry.at >= starts, JournalEntry.at < ends)
        .where(or_(*(and_(JournalEntry.table_name == name, JournalEntry.record_id.in_(ids)) for name, ids in mine)))
        .order_by(JournalEntry.seq)
    )
    return [
        (_wall(plant, one.at), one.person, one.capacity.replace("_", " "), one.act.replace("_", " "),
         f"{one.table_name.replace('_', ' ')} {one.record_id}", "; ".join(changes(one)), one.reason or "",
         one.cite or "")
        for one in db.session.scalars(query)
    ]  # fmt: skip


def as_zip(found: Gathered, index: str) -> bytes:
    """The request as one file: a page to read and print, tables for spreadsheets, and the letters as they were sent."""
    out = io.BytesIO()
    with tables.Archive(out) as whole:
        whole.writestr("index.html", index)
        for name, content in (*_tables(found), *_files(found)):
            whole.writestr(name, content)
    return out.getvalue()


def _tables(found: Gathered) -> Iterator[tuple[str, bytes]]:
    loads = found.loads
    yield "loads.csv", tables.as_csv(loads.heads, loads.rows, money=loads.money)
    yield "ledger.csv", ledger_files.as_csv(found.ledger)
    yield "bookings.csv", tables.as_csv(BOOKING_HEADS, found.bookings)
    yield "messages.csv", tables.as_csv(MESSAGE_HEADS, found.messages)
    yield "applications.csv", tables.as_csv(APPLICATION_HEADS, found.applications)
    rows = [(one.written_at.date(), one.kind, one.number, one.title, name) for one, name in found.letters]
    yield "letters.csv", tables.as_csv(LETTER_HEADS, rows)
    yield "history.csv", tables.as_csv(HISTORY_HEADS, found.history)


def _files(found: Gathered) -> Iterator[tuple[str, bytes]]:
    names = {one.file_id: name for one, name in found.letters if name}
    for ident, content in db.session.execute(select(File.id, File.content).where(File.id.in_(list(names)))):
        yield names[ident], content
