"""What was handed out as a file: the ledger for the city's books, or what a records request asks for.

Each is a row, so that the history says who handed out what of which days, and when. Its file holds what was known then.
"""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, String, Text, func, select
from sqlalchemy.orm import Mapped, mapped_column

from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import Json, Model, Utc, born, db, lock
from office.goes_on import Out, missing_since
from office.journal import JournalEntry, because
from office.plants import Plant
from ordinances.refusal import Refusal

LEDGER, RECORDS = "ledger", "records"


class Export(Model):
    """One file handed out: of which days, of one party or (None) of all, on whose request ("" for the city's own).

    A ledger also holds the lines of earlier days that are in no ledger before it: ``earlier`` are their days, each span
    with the place in the history after which they were entered (``goes_on.missing_since``). What was known then is what
    stands before it in the history (``written``). ``after_id`` is the last one before its days; one handed out before
    ``earlier`` was kept goes on from that alone.
    """

    __tablename__ = "export"
    __table_args__ = (
        CheckConstraint("kind IN ('ledger', 'records')", name="kind_known"),
        CheckConstraint("first_day <= last_day", name="days_in_order"),
        CheckConstraint("kind <> 'records' OR (party_id IS NOT NULL AND asked_by <> '')", name="records_of_somebody"),
    )
    plant_id: Mapped[int] = mapped_column(ForeignKey("plant.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    party_id: Mapped[int | None] = mapped_column(ForeignKey("party.id"))
    first_day: Mapped[date]
    last_day: Mapped[date]
    asked_by: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Utc)
    by_name: Mapped[str] = mapped_column(String(200))
    after_id: Mapped[int | None] = mapped_column(ForeignKey("export.id"), info=born(None))
    earlier: Mapped[list[list[Any]] | None] = mapped_column(Json, info=born(None))


@act("hand_out", roles=(Role.CLERK,))
def hand_out(
    plant: Plant, kind: str, first: date, last: date, *, party_id: int | None = None, asked_by: str = "", by: Actor,
    at: datetime,
) -> Export | Refusal:  # fmt: skip
    """Record that a file of these days is handed out. Refused: ``wrong_days``, ``days_to_come``."""
    today = at.astimezone(plant.tz).date()
    if first > last:
        return Refusal("wrong_days", f"From must be {formats.date_only(last)} or earlier.", "")
    if last > today:
        return Refusal("days_to_come", f"To must be {formats.date_only(today)} or earlier.", "")
    # One after the other, so that each knows what the one before it holds; who charges meanwhile waits for none.
    newest = db.session.scalars(select(func.max(Export.id)).filter_by(plant_id=plant.id)).one()
    _ = lock(Export, newest) if newest is not None else None
    after = _before(plant.id, party_id, first) if kind == LEDGER else None
    spans = missing_since(_out(plant.id, party_id), first) if kind == LEDGER else ()
    made = Export(plant_id=plant.id, kind=kind, party_id=party_id, first_day=first, last_day=last,
                  asked_by=asked_by.strip(), at=at, by_name=by.name, after_id=after,
                  earlier=[[one.first.isoformat(), one.last.isoformat(), one.mark] for one in spans])  # fmt: skip
    db.session.add(made)
    db.session.flush()
    because(f"Asked for by {made.asked_by}" if made.asked_by else "For the city's books")
    return made


def _before(plant_id: int, party_id: int | None, first: date) -> int | None:
    """The ledger of one party, or of all, handed out of the last days before a day; of several the newest."""
    query = select(Export.id).filter_by(plant_id=plant_id, kind=LEDGER, party_id=party_id)
    return db.session.scalars(
        query.where(Export.last_day < first).order_by(Export.last_day.desc(), Export.id.desc()).limit(1)
    ).one_or_none()


def _out(plant_id: int, party_id: int | None) -> list[Out]:
    """The ledgers of one party, or of all, handed out before, in that order, each with its place in the history."""
    query = select(Export.first_day, Export.last_day, written("export", Export.id, plant_id)).filter_by(
        plant_id=plant_id, kind=LEDGER, party_id=party_id
    )
    return [Out(*row) for row in db.session.execute(query.order_by(Export.id))]


def earlier_days(made: Export) -> list[Out]:
    """The spans of earlier days a ledger holds lines of, each with the place in the history they were entered after."""
    if made.earlier is not None:
        return [Out(date.fromisoformat(first), date.fromisoformat(last), mark) for first, last, mark in made.earlier]
    after = db.session.get(Export, made.after_id) if made.after_id is not None else None
    return [Out(date.min, after.last_day, place_of(after))] if after is not None else []


def written(table: str, ident: Any, plant_id: int) -> Any:
    """SQL: the place in a plant's history at which a record came into it, 0 while its transaction is not over.

    Places are given as transactions end, one after the other: what was begun earlier and ended later stands later.
    """
    first = select(func.min(JournalEntry.seq)).where(
        JournalEntry.record_id == ident, JournalEntry.table_name == table, JournalEntry.chain == f"plant:{plant_id}"
    )
    return func.coalesce(first.scalar_subquery(), 0)


def place_of(made: Export) -> int:
    """The place in the history at which a file was handed out: it holds what stands before it. 0: just now."""
    return int(db.session.scalars(select(written("export", made.id, made.plant_id))).one())


def kept_since(plant: Plant, *oldest: date | None) -> date:
    """The first day of the year of the oldest a plant keeps: its history's begin, or what is older of these days."""
    begun = select(JournalEntry.at).where(JournalEntry.chain == f"plant:{plant.id}", JournalEntry.seq == 1)
    first = db.session.scalars(begun).one_or_none()
    days = [first.astimezone(plant.tz).date() if first else None, *oldest]
    return min(day for day in days if day is not None).replace(month=1, day=1)


def handed_out(plant_id: int, kind: str, limit: int = 20) -> list[Export]:
    """The newest files of a kind that were handed out at a plant, newest first."""
    query = select(Export).filter_by(plant_id=plant_id, kind=kind).order_by(Export.id.desc())
    return list(db.session.scalars(query.limit(limit)))


def export_of(plant_id: int, kind: str, ident: int) -> Export | None:
    """One file that was handed out at a plant."""
    return db.session.scalars(select(Export).filter_by(plant_id=plant_id, kind=kind, id=ident)).one_or_none()
