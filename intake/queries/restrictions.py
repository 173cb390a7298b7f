"""Restrictions: what is in force now, until when it is planned with, and what it stops (§ 329-7 B(3))."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from intake.models import Booking, Hold, Load, Restriction, RestrictionUpdate, Run
from intake.queries.places import NOWHERE, Place
from intake.queries.restriction_words import Asked, Names, kind_words, stop_words
from intake.states import HoldEnd, LoadState, RunKind
from office import facts, formats
from office.db import db
from office.facts import fact
from office.notices import Notice, of_act
from ordinances.calendar import Hours, dump_hours, next_open_day
from ordinances.offers import Draw
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES, waste_allowed

REASONS = {
    "operational_problem": ("Operational problem related to septage", "an operational problem related to septage"),
    "maintenance_problem": ("Maintenance problem related to septage", "a maintenance problem related to septage"),
    "permit_threat": ("Risk of permit violation related to septage", "risk of breaking our discharge permit"),
}
ENDS = {
    HoldEnd.RELEASED: "stands as it was",
    HoldEnd.LISTED: "no longer fits under the limit; choose another time first, or the plant will call",
    HoldEnd.MISSED: "missed by restriction; book again",
}


full_stop = formats.full_stop  # the room's messages end as its pages do


def title_of(reason: str) -> str:
    """The reason as a button says it."""
    return REASONS.get(reason, (reason.replace("_", " ").capitalize(),))[0]


def words_of(reason: str) -> str:
    """The reason inside a sentence."""
    return REASONS[reason][1] if reason in REASONS else reason.replace("_", " ")


# So long one may be taken back as pressed by mistake.
MISTAKE = timedelta(minutes=10)
# Longer no request waits for its locks; what began later than that was not in force for what is looked at.
WAITED = timedelta(minutes=1)
# The widest first: what stops everything is said before what stops a part.
SCOPES = ("everything", "rate", "points", "types")


def in_force(plant_id: int, at: datetime) -> list[Restriction]:
    """The restrictions in force at an instant: the widest first, of two lower limits the lower.

    One not lifted counts even for a request whose clock was read a moment before it began: that request waited for it.
    """
    rows = [one for one in _all(plant_id) if one.starts < at + WAITED
            and (one.lifted_at is None or (one.starts <= at and one.lifted_at > at))]  # fmt: skip
    return sorted(rows, key=lambda row: (SCOPES.index(row.scope), row.gph or 0, -row.id))


@fact
def _all(plant_id: int) -> list[Restriction]:
    return facts.rows(Restriction, _ever(), plant_id=plant_id)


@cache
def _ever() -> Any:
    return select(Restriction).where(Restriction.plant_id == bindparam("plant_id"))


def active(plant_id: int, at: datetime) -> Restriction | None:
    """The widest restriction in force at an instant, or None."""
    return next(iter(in_force(plant_id, at)), None)


def meets(row: Restriction | Asked, waste: str, point_id: int | None) -> bool:
    """Whether a restriction is about a load of this waste at this point; a lower limit is about every load."""
    if row.scope == "types":
        return waste in row.wastes
    return point_id in row.points if row.scope == "points" else True


def limits(rows: Sequence[Restriction], law: Law, at: datetime) -> list[Draw]:
    """The limits that restrictions put on the unloading they are about, until each one is planned to end."""
    return [Draw(row.starts, planned_until(row, law, at), row.gph or 0) for row in rows]


def stopping(rows: Sequence[Restriction], waste: str, point_id: int | None = None) -> Restriction | None:
    """The first restriction that stops a load of this waste (at this point, if it is known) altogether."""
    return next((row for row in rows if row.scope != "rate" and meets(row, waste, point_id)), None)


def kinds_stopped(plant_id: int, wastes: Iterable[str], law: Law, at: datetime) -> Refusal | None:
    """Why a load with other kinds of waste in it is not taken: a restriction stops one of them; None: none does."""
    rows = in_force(plant_id, at)
    found = next((row for waste in wastes if (row := stopping(rows, waste)) is not None), None)
    if found is None:
        return None
    since = formats.day_time(found.starts, law.zone)
    words = f"Do not accept: {not_taken(found)} since {since} because of {words_of(found.reason)}."
    return Refusal("restricted", words, law.cite("restriction.by", at.astimezone(law.zone).date()),
                   next_step="Record it as a refused load.")  # fmt: skip


def shutting(law: Law, day: date, rows: Sequence[Restriction], stations: Sequence[Place]) -> Restriction | None:
    """The narrower restriction with which nothing was left to accept: no open station takes a waste the law allows that
    is not stopped, there or altogether. None while something is taken."""
    allowed = [one for one in WASTE_TYPES if waste_allowed(law, day, one) is None] if rows else []
    ways = {(waste, one.id) for one in stations for waste in allowed if one.takes(waste)}
    # Stations that take nothing are shut like others.
    return leaving_none(rows, ways or {(waste, one.id) for one in stations or (NOWHERE,) for waste in allowed})


def leaving_none(rows: Iterable[Restriction], ways: Collection[tuple[str, int]]) -> Restriction | None:
    """The restriction that stopped the last of some ways to unload, each a waste at a point; None while one is left."""
    left = set(ways)
    for row in sorted(rows, key=lambda row: (row.starts, row.id)) if left else ():
        left = {(waste, point_id) for waste, point_id in left if not meets(row, waste, point_id)}
        if not left:
            return row
    return None


def not_taken(row: Restriction) -> str:
    """For the gate: "the plant is restricted", "holding tank waste is not taken"."""
    if row.scope == "points":
        return "no receiving point takes septage"
    return "the plant is restricted" if row.scope == "everything" else f"{kind_words(row)} is not taken"


def stopped_word(row: Restriction) -> str:
    """Why a truck that was let in is stopped: "The plant is restricted", "Unloading is restricted there"."""
    if row.scope == "points":
        return "The receiving point is shut"
    words = not_taken(row)
    return f"{words[:1].upper()}{words[1:]}"


def stop_reason(row: Restriction, names: Names) -> str:
    """For a hauler: "No septage is being accepted: an operational problem related to septage."."""
    words = stop_words(row, names)
    return f"{words[:1].upper()}{words[1:]}: {words_of(row.reason)}."


def end_of_planning(law: Law, at: datetime) -> datetime:
    """Until when a restriction of now is planned with unless said otherwise: the close of the next open day."""
    hours = dump_hours(law, next_open_day(law, at.astimezone(law.zone).date()))
    assert isinstance(hours, Hours)
    return hours.end


def planned_until(restriction: Restriction, law: Law, at: datetime) -> datetime:
    """Until when nothing is offered. A restriction that outlasts its planning end keeps today closed, day by day."""
    today = datetime.combine(at.astimezone(law.zone).date(), time(23, 59, 59), law.zone)
    return max(restriction.planning_end, today)


def all_of(plant_id: int, limit: int = 50) -> Sequence[Restriction]:
    """Every restriction of the plant, newest first."""
    query = select(Restriction).filter_by(plant_id=plant_id).order_by(Restriction.starts.desc(), Restriction.id.desc())
    return db.session.scalars(query.limit(limit)).all()


def of_plant(plant_id: int, restriction_id: int) -> Restriction | None:
    """One restriction of this plant, or None."""
    row = db.session.get(Restriction, restriction_id)
    return row if row is not None and row.plant_id == plant_id else None


def updates_of(restriction_ids: Collection[int]) -> dict[int, list[RestrictionUpdate]]:
    """What was said during restrictions, by restriction, in the order it was said. One query."""
    query = select(RestrictionUpdate).where(RestrictionUpdate.restriction_id.in_(restriction_ids))
    found: dict[int, list[RestrictionUpdate]] = {one: [] for one in restriction_ids}
    for row in db.session.scalars(query.order_by(RestrictionUpdate.posted_at, RestrictionUpdate.id)):
        found[row.restriction_id].append(row)
    return found


def last_words(restriction: Restriction) -> str:
    """What the Director said last: the newest update, else the note the restriction began with."""
    said = updates_of([restriction.id])[restriction.id]
    return said[-1].words if said else restriction.note


@dataclass(frozen=True)
class ToStop:
    """A logged load whose gallons are not out yet: it runs now, or it is to start later today."""

    load: Load
    run: Run
    running: bool


def to_stop(plant_id: int, at: datetime, row: Restriction | Asked | None = None) -> list[ToStop]:
    """The logged loads a restriction of now meets: those running, then those still to start, in time order.

    ``row``: the restriction asked about; None asks about one of everything.
    """
    query = (
        select(Load, Run).join(Run, Run.load_id == Load.id)
        .where(Run.plant_id == plant_id, Run.ends > at, Load.state == LoadState.ACCEPTED.value)
        .order_by(Run.starts, Run.id)
    )  # fmt: skip
    pairs = db.session.execute(query).all()
    return [ToStop(load, run, run.starts <= at and run.kind == RunKind.RAN.value) for load, run in pairs
            if row is None or meets(row, load.waste, run.point_id)]  # fmt: skip


@dataclass(frozen=True)
class HeldBooking:
    """A booking a restriction stopped, and how the hold ended (None while it stands)."""

    hold: Hold
    booking: Booking

    @property
    def words(self) -> str:
        return ENDS[HoldEnd(self.hold.outcome)] if self.hold.outcome else "held"


def held_by(restriction_id: int) -> list[HeldBooking]:
    """What a restriction stopped, the booking made first at the top."""
    query = (
        select(Hold, Booking).join(Booking, Booking.id == Hold.booking_id)
        .where(Hold.restriction_id == restriction_id).order_by(Booking.made_at, Booking.id)
    )  # fmt: skip
    return [HeldBooking(hold, booking) for hold, booking in db.session.execute(query)]


def told(restriction: Restriction) -> list[Notice]:
    """Whom the restriction was told to, and how each message went."""
    return of_act(restriction.act_id)
