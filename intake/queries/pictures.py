"""The day as staff see it: whose gallons fill each quarter hour, with initials, and every session in a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from sqlalchemy import select

from haulers import queries as haulers
from haulers.queries import fleet
from intake.models import Load, Run
from intake.queries import capacity
from intake.queries.capacity import DayPicture, FreeQuarter
from intake.queries.largest import largest_at
from intake.states import LoadState, RunKind
from office.db import db
from office.plants import Plant
from ordinances.reader import Law


@dataclass(frozen=True)
class Line:
    """One session of the day: booked (``number``), or as it ran or runs (``ticket``). Instants aware."""

    starts: datetime
    ends: datetime
    gph: int
    gallons: int
    business_id: int
    hauler: str
    initials: str
    plate: str
    number: str
    ticket: str
    held: bool
    rests: bool = False
    into_tank: bool = False

    def state(self, at: datetime) -> str:
        """What it is at an instant, for the table."""
        return f"{self._word(at)}, into the tank" if self.into_tank else self._word(at)

    def _word(self, at: datetime) -> str:
        if self.rests:
            return "Paused"
        if self.ticket:
            return "Unloaded" if self.ends <= at else "Unloading" if self.starts <= at else "Waits to begin"
        return "Held by restriction" if self.held else "Did not come yet" if self.starts <= at else "Booked"


@dataclass(frozen=True)
class Piece:
    """What one session takes of a quarter hour, as a part of its whole limit."""

    initials: str
    part: Fraction
    held: bool


@dataclass(frozen=True)
class Column:
    """A quarter hour with its pieces, the first to begin at the bottom; at the very bottom what a tank's valve lets
    through, as what is unloaded into the tank is not in the sewer yet."""

    quarter: FreeQuarter
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class StaffDay:
    """The picture of a day, its columns and its sessions in time order."""

    picture: DayPicture
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def where(self) -> str:
        """The point that takes the largest load of the day, as far as the others do not."""
        return largest_at(self.picture)


def staff_day(plant: Plant, law: Law, day: date, at: datetime, picture: DayPicture | None = None) -> StaffDay:
    """A day with names, in four queries beside those of its picture, however many sessions it has."""
    picture = picture or capacity.day_picture(plant, law, day, at)
    lines = _lines(plant, day, at, picture.tank.point_id if picture.tank is not None else None)
    full = picture.cap.plan_gph if picture.cap is not None else 0
    columns = [Column(one, (*_valve(picture, one, full), *_pieces(lines, one, full))) for one in picture.quarters]
    return StaffDay(picture, tuple(columns), tuple(lines))


def _lines(plant: Plant, day: date, at: datetime, tank_id: int | None = None) -> list[Line]:
    booked = capacity.planned(plant.id, at, [day])
    ran: Sequence[Any] = db.session.execute(
        select(Run, Load).join(Load, Load.id == Run.load_id)
        .where(Run.plant_id == plant.id, Run.day == day, Load.state == LoadState.ACCEPTED.value)
    ).all()  # fmt: skip
    names = {one.business_id: one.business_name for _, one in ran}
    names |= haulers.business_names({one.business_id for one in booked} - set(names))
    short = initials(names)
    trucks = fleet.trucks({one.truck_id for one in booked})
    lines = [
        Line(one.starts, one.ends, one.gph, one.gallons, one.business_id, names[one.business_id],
             short[one.business_id], trucks[one.truck_id].plate, one.number, "", one.held, False,
             one.point_id == tank_id)
        for one in booked
    ] + [
        Line(run.starts, run.ends, run.gph, run.gallons, load.business_id, names[load.business_id],
             short[load.business_id], load.plate, "", load.ticket, False, run.kind == RunKind.REST.value,
             run.point_id == tank_id)
        for run, load in ran
    ]  # fmt: skip
    return sorted(lines, key=lambda one: (one.starts, one.number, one.ticket))


def initials(names: dict[int, str]) -> dict[int, str]:
    """Initials by hauler, two of the same told apart by a number: ``TP``, ``TP2``."""
    made: dict[int, str] = {}
    for ident in sorted(names, key=lambda one: (names[one], one)):
        words = [word for word in names[ident].split() if word[0].isalnum()]
        base = "".join(word[0] for word in words[:3]).upper() if len(words) > 1 else names[ident][:2].upper()
        used, found, n = set(made.values()), base, 1
        while found in used:
            n += 1
            found = f"{base}{n}"
        made[ident] = found
    return made


def _pieces(lines: Iterable[Line], quarter: FreeQuarter, full: int) -> tuple[Piece, ...]:
    """What each session takes in a quarter hour, as a part of what the planning limit lets through in it."""
    whole = (quarter.end - quarter.start).total_seconds()
    made = []
    for one in (line for line in lines if not line.into_tank):
        seconds = (min(one.ends, quarter.end) - max(one.starts, quarter.start)).total_seconds()
        if seconds > 0 and full:
            made.append(Piece(one.initials, Fraction(one.gph * int(seconds), full * int(whole)), one.held))
    return tuple(made)


def _valve(picture: DayPicture, quarter: FreeQuarter, full: int) -> tuple[Piece, ...]:
    """What a tank's valve lets through in a quarter hour."""
    if picture.tank is None or not full:
        return ()
    seconds = int((quarter.end - quarter.start).total_seconds())
    bled = picture.tank.bled(quarter.start, quarter.end)
    return (Piece("Tank", Fraction(bled * 3600, full * seconds), False),) if bled else ()
