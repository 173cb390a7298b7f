"""Loads as pages show them: who is expected, what runs now, what is overdue, whose results are waited for."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import func, or_, select

from haulers import queries as haulers
from haulers.queries import fleet
from intake.models import (
    BlankTicket,
    Booking,
    CustodyStep,
    Elsewhere,
    Excess,
    Load,
    MoreTests,
    OfflineLoad,
    OwnSheet,
    RestRefused,
    Result,
    Retest,
    Run,
    SetAside,
    Signature,
    WrittenRecord,
)
from intake.queries import counting, labels
from intake.queries.capacity import Planned, planned
from intake.states import LoadState, RunKind
from office import formats
from office.db import db
from office.journal import JournalEntry
from office.plants import Plant

LATE_AFTER = timedelta(minutes=1)
# How the end of a booking begins that was given back because its truck is empty: it reads as unloaded, not cancelled.
UNLOADED = "Unloaded in full"
_SLIP = re.compile(r"(?:T\d{1,6}|P-\d{4})-\d{1,9}")


@dataclass(frozen=True)
class Expected:
    """A booked session of today that has not come yet. ``load`` is set when an earlier morning of it was logged."""

    session: Planned
    hauler: str
    truck: Any
    late: int
    load: Load | None


@dataclass(frozen=True)
class Running:
    """A run going on now, with whole minutes to go, or one that waits for its start.

    ``approved``: the load's approval is still in force; without it the truck is stopped.
    """

    run: Run
    load: Load
    minutes_left: int
    waits: bool = False
    approved: bool = True


@dataclass(frozen=True)
class Line:
    """A load in a list: whether its record is in, its first results by parameter, and the figures that count."""

    load: Load
    record: WrittenRecord | None
    results: dict[str, Result]
    figures: Mapping[str, counting.Figure] = field(default_factory=dict)

    def overdue(self, at: datetime) -> bool:
        """The written record is not in and its time has passed."""
        due = self.load.record_due
        return due is not None and record_missing(self.load, self.record) and due < at.replace(microsecond=0)


def record_missing(load: Load, record: WrittenRecord | None) -> bool:
    """Whether a load still needs its written record: only what was unloaded does."""
    return load.state == LoadState.ACCEPTED.value and load.record_due is not None and record is None


def expected(plant: Plant, day: date, at: datetime) -> list[Expected]:
    """Booked sessions of a day whose truck has not come, in time order. The number of queries does not grow."""
    sessions = planned(plant.id, at, [day])
    names = haulers.business_names({one.business_id for one in sessions})
    trucks = fleet.trucks({one.truck_id for one in sessions})
    opened = _opened({one.booking_id for one in sessions})
    return [
        Expected(one, names[one.business_id], trucks[one.truck_id], _late(one.starts, at), opened.get(one.booking_id))
        for one in sessions
    ]


def _late(starts: datetime, at: datetime) -> int:
    return max(0, (at - starts) // LATE_AFTER)


def _opened(booking_ids: Collection[int]) -> dict[int, Load]:
    query = select(Load).where(Load.booking_id.in_(booking_ids), Load.state == LoadState.ACCEPTED.value)
    return {load.booking_id: load for load in db.session.scalars(query) if load.booking_id is not None}


def opened_by(booking_id: int) -> Load | None:
    """The load a booking opened on an earlier morning, or None."""
    return _opened([booking_id]).get(booking_id)


def running_now(plant_id: int, at: datetime) -> list[Running]:
    """Runs going on at an instant."""
    return [one for one in begun_or_waiting(plant_id, at, Run.starts <= at) if not one.waits]


def begun_or_waiting(plant_id: int, at: datetime, *only: Any) -> list[Running]:
    """Runs going on at an instant or still to begin, in time order. One query."""
    return _running(plant_id, at, Run.ends > at, Run.kind == RunKind.RAN.value, *only)


def resting(plant_id: int, at: datetime) -> list[Running]:
    """What waits in trucks after a pause or for a later time, its room kept or lost, in time order. One query."""
    return _running(plant_id, at, Run.gallons > 0, Run.kind == RunKind.REST.value)


def ended_since(plant_id: int, at: datetime, since: datetime) -> list[Running]:
    """Runs that ended in a span until now, in time order. One query."""
    return _running(plant_id, at, Run.ends <= at, Run.ends >= since, Run.kind == RunKind.RAN.value)


def _running(plant_id: int, at: datetime, *only: Any) -> list[Running]:
    day: Any = Run.day
    good = Load.approval_id.in_(haulers.approval_in_force(at, day))
    query = (
        select(Run, Load, good)
        .join(Load, Load.id == Run.load_id)
        .where(Run.plant_id == plant_id, *only, Load.state == LoadState.ACCEPTED.value)
        .order_by(Run.starts, Run.id)
    )
    return [
        Running(run, load, -((at - run.ends) // timedelta(minutes=1)), run.starts > at, bool(held))
        for run, load, held in db.session.execute(query)
    ]


def as_they_are(plant_id: int, day: date, at: datetime) -> list[tuple[Load, str]]:
    """The loads taken on a day, each with whether it runs, waits, is paused or over: those in the truck first."""
    now = {one.load.id: "waits to begin" if one.waits else f"runs at {formats.rate(one.run.gph)}"
           for one in begun_or_waiting(plant_id, at)}  # fmt: skip
    now |= {one.load.id: "paused" for one in resting(plant_id, at) if one.load.id not in now}
    ran = select(Run.load_id).where(Run.plant_id == plant_id, Run.day == day)
    query = _loads(plant_id).where(Load.state == LoadState.ACCEPTED.value, or_(Load.id.in_(ran), Load.id.in_(now)))
    found = [(one, now.get(one.id, "over")) for one in db.session.scalars(query.order_by(Load.id.desc()))]
    return sorted(found, key=lambda one: one[1] == "over")


def approved(load: Load, at: datetime, day: date) -> bool:
    """Whether the approval a load came under is in force on a day."""
    query = select(Load.id).where(Load.id == load.id, Load.approval_id.in_(haulers.approval_in_force(at, day)))
    return db.session.scalars(query).first() is not None


def out_so_far(run: Run, at: datetime) -> int:
    """Whole gallons that a run's rate has brought out by an instant."""
    return max(0, int((at - run.starts).total_seconds()) * run.gph // 3600)


def run_to_stop(load: Load, at: datetime) -> Run | None:
    """The piece of a load that goes on or waits at an instant, be the room of what waits kept or lost; or None."""
    if load.state != LoadState.ACCEPTED.value:
        return None
    return next((run for run in runs_of(load.id) if _open(run, at)), None)


def _open(run: Run, at: datetime) -> bool:
    return run.gallons > 0 if run.kind == RunKind.REST.value else run.ends > at


def load(load_id: int) -> Load:
    """One load by id."""
    return db.session.get_one(Load, load_id)


def with_ticket(plant_id: int, ticket: str) -> Load | None:
    """The load of a ticket at this plant, or None."""
    return db.session.scalars(select(Load).filter_by(plant_id=plant_id, ticket=ticket)).one_or_none()


def with_slip(plant_id: int, words: str) -> Load | None:
    """The load of a tablet's slip or a blank ticket ("T3-0147", "P-2026-0001"); None for any other words."""
    number = words.strip().upper()
    if not _SLIP.fullmatch(number):
        return None
    # A further morning has a slip of its own; the load keeps that of its first.
    mornings = (select(OfflineLoad.load_id).filter_by(plant_id=plant_id, slip=number),
                select(BlankTicket.load_id).filter_by(plant_id=plant_id, number=number))  # fmt: skip
    query = select(Load).where(Load.plant_id == plant_id, or_(Load.slip == number, *map(Load.id.in_, mornings)))
    return db.session.scalars(query.order_by(Load.id)).first()


def with_client_id(plant_id: int, client_id: str) -> Load | None:
    """The load that was sent under this id, or None. Read fresh, as another process may just have written it."""
    query = select(Load).filter_by(plant_id=plant_id, client_id=client_id)
    return db.session.scalars(query.execution_options(populate_existing=True)).one_or_none()


def runs_of(load_id: int, *, fresh: bool = False) -> list[Run]:
    """The pieces of a load as they ran, in order; ``fresh`` reads rows anew that were seen before a lock."""
    query = select(Run).filter_by(load_id=load_id).order_by(Run.starts, Run.id)
    return list(db.session.scalars(query.execution_options(populate_existing=True) if fresh else query))


def of_day(plant_id: int, day: date) -> list[Line]:
    """Every load that was opened or ran on a day, in the order of their tickets."""
    ran = select(Run.load_id).where(Run.plant_id == plant_id, Run.day == day)
    return lines(_loads(plant_id).where(or_(Load.day == day, Load.id.in_(ran))).order_by(Load.id))


def of_business(plant_id: int, business_id: int, limit: int = 100) -> list[Line]:
    """A hauler's loads at one plant, newest first."""
    query = _loads(plant_id).where(Load.business_id == business_id).order_by(Load.id.desc())
    return lines(query.limit(limit))


def search(plant_id: int, words: str = "", limit: int = 100) -> list[Line]:
    """Loads whose ticket, slip, hauler, plate or bottle holds the words, newest first."""
    query = _loads(plant_id).order_by(Load.id.desc())
    return lines((query.where(holding(plant_id, words)) if words else query).limit(limit))


def holding(plant_id: int, words: str) -> Any:
    """Whether the ticket, slip, hauler, plate or bottle of a load holds the words.

    Haulers are found however their name is spelled: "nunez" finds Nuñez, "obrien" O'Brien.
    """
    cells = (Load.ticket, Load.business_name, Load.plate, Load.bottle, Load.slip)
    hits = [func.lower(cell).contains(words.lower(), autoescape=True) for cell in cells]
    by_name = [business.id for business, _ in haulers.find_businesses(plant_id, words)]
    return or_(*hits, Load.business_id.in_(by_name))


def overdue(
    plant_id: int | None, at: datetime, since: datetime | None = None, business_id: int | None = None
) -> list[Load]:
    """Loads whose written record is due and not in, longest overdue first; of every plant with None."""
    filed = select(WrittenRecord.load_id)
    # The due second is in time to its end.
    query = select(Load).where(Load.state == LoadState.ACCEPTED.value, Load.id.not_in(filed),
                               Load.record_due < at.replace(microsecond=0))  # fmt: skip
    if plant_id is not None:
        query = query.where(Load.plant_id == plant_id)
    if business_id is not None:
        query = query.where(Load.business_id == business_id)
    if since is not None:
        query = query.where(Load.record_due >= since)
    return list(db.session.scalars(query.order_by(Load.record_due, Load.id)))


def _loads(plant_id: int) -> Any:
    return select(Load).where(Load.plant_id == plant_id)


def lines(query: Any) -> list[Line]:
    """Loads with their record and results, in three queries."""
    found = db.session.scalars(query).all()
    ids = [load.id for load in found]
    records = {r.load_id: r for r in db.session.scalars(select(WrittenRecord).where(WrittenRecord.load_id.in_(ids)))}
    results, figures = counting.both(ids)
    return [Line(load, records.get(load.id), results.get(load.id, {}), figures.get(load.id, {})) for load in found]


def results_of(load_ids: Iterable[int]) -> dict[int, dict[str, Result]]:
    """Results by load and parameter, in one query."""
    found: dict[int, dict[str, Result]] = {}
    for result in db.session.scalars(select(Result).where(Result.load_id.in_(list(load_ids)))):
        found.setdefault(result.load_id, {})[result.parameter] = result
    return found


def record_of(load_id: int) -> WrittenRecord | None:
    """The written record of a load, once it is in."""
    return db.session.scalars(select(WrittenRecord).filter_by(load_id=load_id)).one_or_none()


def bottle_used(plant_id: int, bottle: str) -> Load | None:
    """The load a sample bottle was used for, or None; a void load gives its bottle back."""
    query = select(Load).where(
        Load.plant_id == plant_id, Load.bottle == bottle, Load.bottle != "", Load.state != LoadState.VOID.value
    )  # fmt: skip
    return db.session.scalars(query.order_by(Load.id).limit(1)).one_or_none()


def next_bottle(plant_id: int, day: date) -> str:
    """The next printed label, such as ``0412``; without labels the next free number of a day, such as ``1006-03``."""
    label = labels.next_label(plant_id)
    if label is not None:
        return label
    head = f"{day:%m%d}-"
    # Of every year: a number is never given twice, as a bottle is known by it alone.
    query = select(Load.bottle).where(Load.plant_id == plant_id, Load.bottle.like(f"{head}%"))
    used = [tail for b in db.session.scalars(query) if (tail := b.removeprefix(head)).isdecimal()]
    return f"{head}{max(map(int, used), default=0) + 1:02d}"


def last_driver(business_id: int) -> str:
    """The driver of the business's newest load, to be filled in; "" when there was none."""
    query = select(Load.driver).where(Load.business_id == business_id, Load.driver != "").order_by(Load.id.desc())
    return db.session.scalars(query.limit(1)).first() or ""


def drove_words(day: date, driver: str) -> str:
    """What a load's note says of who drove on a further morning, where it was not who drove on the first."""
    return f"{_drove(day)}{driver}."


def _drove(day: date) -> str:
    return f"Driver on {formats.date_only(day)}: "


def driver_on(load: Load) -> str:
    """Who drove on the newest morning of a load: who is asked to sign."""
    days = {run.day for run in runs_of(load.id)}
    head = _drove(max(days)) if days else "\n"
    told = [line.removeprefix(head).removesuffix(".") for line in load.note.splitlines() if line.startswith(head)]
    return told[-1] if told else load.driver


def drivers_named(load: Load, zone: Any) -> dict[str, str]:
    """Who was named as driver of a load and of its booking, each with when: to choose from on a further morning."""
    days = sorted({run.day for run in runs_of(load.id)}) or [load.logged_at.astimezone(zone).date()]
    named = {load.driver: days[0]} if load.driver else {}
    for day in days[1:]:
        head = _drove(day)
        named |= {line.removeprefix(head).removesuffix("."): day for line in load.note.splitlines()
                  if line.startswith(head)}  # fmt: skip
    found = {name: f"Drove on {formats.day_short(day)}" for name, day in named.items()}
    booking = db.session.get(Booking, load.booking_id) if load.booking_id is not None else None
    if booking is not None and booking.driver:
        found.setdefault(booking.driver, "Named with the booking")
    return found


def history(load: Load) -> Sequence[JournalEntry]:
    """What was done with a load, its runs, results, record and what was written at the gate, oldest first."""
    mine = select(JournalEntry).where(JournalEntry.chain == f"plant:{load.plant_id}")
    parts = [(Load, [load.id])]
    for model in (Run, Result, WrittenRecord, Excess, SetAside, RestRefused, Elsewhere, Signature, CustodyStep, Retest,
                  OwnSheet, MoreTests):  # fmt: skip
        ids = list(db.session.scalars(select(model.id).where(model.load_id == load.id)))
        parts.append((model, ids))
    where = or_(*(
        (JournalEntry.table_name == model.__tablename__) & JournalEntry.record_id.in_(ids) for model, ids in parts
    ))  # fmt: skip
    found = list(db.session.scalars(mine.where(where).order_by(JournalEntry.seq)))
    return sorted([*found, *_replaced(load, found), *_taken_back(load, found)], key=lambda one: one.seq)


def _taken_back(load: Load, found: Sequence[JournalEntry]) -> list[JournalEntry]:
    """What was written of results that were taken back: their rows are gone, their numbers may be another's."""
    acts, known = {one.act_id for one in found if one.act == "take_back_result"}, {one.seq for one in found}
    if not acts:
        return []
    mine = select(JournalEntry).where(JournalEntry.chain == f"plant:{load.plant_id}",
                                      JournalEntry.table_name == Result.__tablename__)  # fmt: skip
    taken, lines = db.session.scalars(mine.where(JournalEntry.act_id.in_(acts))).all(), dict[int, JournalEntry]()
    for end in taken:
        before = mine.where(JournalEntry.record_id == end.record_id, JournalEntry.seq <= end.seq)
        for one in db.session.scalars(before.order_by(JournalEntry.seq.desc())):
            lines[one.seq] = one
            if (one.new or {}).get("load_id") is not None:
                break
    return [one for seq, one in lines.items() if seq not in known]


def _replaced(load: Load, found: Sequence[JournalEntry]) -> list[JournalEntry]:
    """What was written of pieces that a later measured rate took the place of: their rows are gone, their rate was."""
    acts, known = {one.act_id for one in found if one.act == "change_rate"}, {one.seq for one in found}
    query = select(JournalEntry).where(JournalEntry.chain == f"plant:{load.plant_id}", JournalEntry.act_id.in_(acts),
                                       JournalEntry.table_name == Run.__tablename__)  # fmt: skip
    rows = db.session.scalars(query) if acts else ()
    return [one for one in rows if one.seq not in known and (one.new or {}).get("load_id") == load.id]
