"""A load in pieces on one morning: what ran, what runs now, what waits in the truck, and how its rest is laid out anew.

Pages show it; the acts of ``intake.actions.running`` ask it again under their locks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from fractions import Fraction

from haulers import queries as haulers
from intake.models import Load, Run
from intake.queries import capacity, point_room
from intake.queries.capacity import DayPicture, Planned, day_picture, whole_minute
from intake.queries.loads import out_so_far, runs_of
from intake.queries.point_room import Room
from intake.queries.tank_rest import with_rest
from intake.queries.waiting import less
from intake.states import RunKind
from office import formats
from office.plants import Plant
from ordinances.laying import Piece, goes_on
from ordinances.offers import Session, Step
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.tank import Unloading
from ordinances.ticks import HOUR, MINUTE

# Gallons an hour no gauge at a truck shows: a figure above it is a slip, not a flow.
FASTEST = 100_000


@dataclass(frozen=True)
class Morning:
    """The pieces of a load on one day at an instant, in time order, as they were when they were read.

    ``part`` is the how manyeth morning of the load it is, ``logged`` the gallons of it: out, and still in the truck.
    """

    load: Load
    day: date
    at: datetime
    runs: tuple[Run, ...]
    part: int
    logged: int

    @property
    def piece(self) -> Run | None:
        """What flows now, or None."""
        return next((one for one in self.ran if one.starts <= self.at < one.ends), None)

    @property
    def ran(self) -> tuple[Run, ...]:
        return tuple(one for one in self.runs if one.kind == RunKind.RAN.value)

    @property
    def rests(self) -> tuple[Run, ...]:
        """What waits in the truck and was not gone on with, its room kept or lost."""
        return tuple(one for one in self.runs if one.kind == RunKind.REST.value and one.gallons)

    @property
    def paused(self) -> bool:
        """Nothing flows and gallons wait: it can be resumed."""
        return self.piece is None and bool(self.rests) and self.to_begin is None

    @property
    def to_begin(self) -> Run | None:
        """A run that waits for the start it was logged with."""
        return next((one for one in self.ran if one.starts > self.at), None)

    @property
    def before(self) -> int:
        """Gallons of the pieces that are over."""
        return sum(one.gallons for one in self.ran if one.ends <= self.at)

    @property
    def out(self) -> int:
        """Gallons out until now, by the rate of what flows."""
        piece = self.piece
        return self.before + (min(piece.gallons, out_so_far(piece, self.at)) if piece else 0)

    @property
    def last(self) -> Run | None:
        """The piece that flows, else the one that flowed last, else what waits."""
        begun = [one for one in self.ran if one.starts <= self.at]
        return self.piece or (max(begun, key=lambda one: one.ends) if begun else next(iter(self.runs), None))

    @property
    def gph(self) -> int:
        """The rate at which it goes on: what flows, else that of what waits first, else of what flowed last."""
        if self.piece is None and self.rests:
            return self.rests[0].gph
        return self.last.gph if self.last else 1


def morning(load: Load, at: datetime, day: date | None = None, *, fresh: bool = False) -> Morning:
    """The pieces of a load on a day; without ``day`` on the newest one with any. ``fresh`` reads them under a lock."""
    runs = runs_of(load.id, fresh=fresh)
    days = sorted({one.day for one in runs})
    day = day or (days[-1] if days else load.day)
    part = len([one for one in days if one < day]) + 1
    mine = tuple(one for one in runs if one.day == day)
    return Morning(load, day, at, mine, part, sum(one.gallons for one in mine))


@dataclass(frozen=True)
class Layout:
    """How gallons go on: ``now`` flows from now on (None: it must stop), ``later`` fits later today, ``lost`` do not.

    ``gives_way``: when what flows must end and ``why``, None and "" where its gallons are out before.
    """

    now: Session | None
    later: Session | None = None
    lost: int = 0
    gives_way: datetime | None = None
    why: str = ""


def told(runs: Sequence[Run], zone: tzinfo) -> list[Run]:
    """The pieces as a ticket lists them: a pause that was over within its minute is none."""
    minute = "%Y-%m-%d %H:%M"
    return [
        one for one in runs
        if one.gallons or one.starts.astimezone(zone).strftime(minute) != one.ends.astimezone(zone).strftime(minute)
    ]  # fmt: skip


@dataclass(frozen=True)
class Beside:
    """The day without a load that is laid out anew, and the room at its point."""

    plant: Plant
    law: Law
    picture: DayPicture
    rooms: tuple[Room, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.rooms[0].steps if self.rooms else ()

    def takes(self, at: datetime, gallons: int, gph: int) -> int:
        """How many of some gallons go in from an instant on at a rate: all of them, unless a tank is full before."""
        tank = self.rooms[0].tank if self.rooms else None
        return gallons if tank is None else min(gallons, tank.takes(at, gph))

    def after(self, one: Session | None) -> "Beside":
        """What is left once a session is taken."""
        return self if one is None else replace(self, rooms=tuple(room.after(one) for room in self.rooms))


def beside(plant: Plant, law: Law, load: Load, run: Run, at: datetime, out: int | None = None) -> Beside:
    """What the others of a load's day leave it at its point; nothing where a restriction or closure shuts it.

    ``out`` are its gallons of this morning until now (None: by its rate): a tank has them in it.
    """
    today = at.astimezone(plant.tz).date()
    picture = day_picture(plant, law, today, at, except_booking=load.booking_id, except_load=load.id)
    picture = with_rest(picture, plant.id, load.booking_id, at, but=[today])
    found = point_room.rooms(picture, load.waste, load.business_id, run.point_id)
    if any(room.tank is not None for room in found):
        came = _came(morning(load, at, today), out)
        found = tuple(replace(room, tank=room.tank.adding(*came) if room.tank else None) for room in found)
    return Beside(plant, law, picture, found)


def _came(found: Morning, out: int | None) -> list[Unloading]:
    """What of a morning's load is in the tank: each piece as it ran, what differs is the last one's."""
    left, made = found.out if out is None else out, list[Unloading]()
    begun = [one for one in found.ran if one.starts < found.at]
    for place, one in enumerate(begun):
        part = left if place == len(begun) - 1 else min(one.gallons, left)
        left -= part
        made += [Unloading(one.starts, part, one.gph)] if part else []
    return made


def giving_way(there: Beside, load: Load, run: Run, late: Sequence[Planned], at: datetime) -> Beside:
    """The day with the time that others need longer because this load ran into theirs: they come first."""
    begin = whole_minute(at)
    longer = [
        Session(one.ends, begin + (one.ends - one.starts), one.gph, one.gallons, one.point_id)
        for one in late if begin > one.starts
    ]  # fmt: skip
    if not longer:
        return there
    if any(room.tank is not None for room in there.rooms):
        # Their gallons are in the tank's plan as it is: only their places are needed longer.
        return there
    picture = less(there.picture, [[one] for one in longer])
    return replace(there, picture=picture,
                   rooms=point_room.rooms(picture, load.waste, load.business_id, run.point_id))  # fmt: skip


def lay_out(there: Beside, at: datetime, gallons: int, gph: int, *, pressing: bool = False) -> Layout:
    """Gallons from now on at one rate while it fits beside the others, the rest at the first later time that fits."""
    if not gallons:
        return Layout(None)
    fits = there.takes(at, gallons, gph)
    piece: Piece = goes_on(there.steps, there.picture.taken, at, fits, gph, pressing=pressing)
    now = Session(at, piece.end, gph, piece.gallons) if piece.gallons and piece.end > at else None
    left = gallons - (now.gallons if now else 0)
    if not left:
        return Layout(now)
    later = first_later(there.after(now), whole_minute(piece.end), left)
    why = _why(there, piece.end) if piece.left or fits == gallons else _tank_why(there, now, piece.end)
    return Layout(now, later, 0 if later else left, piece.end, why)


def laid_now(there: Beside, after: Morning, logged: int) -> Layout:
    """How a load goes on after an act, read from its pieces: what flows, what is kept for later, what does not fit.

    ``logged`` are the gallons of the morning with those the act added: what is no piece of it does not fit.
    """
    piece, lost = after.piece, logged - after.logged
    rest = next((one for one in after.rests if one.starts >= after.at), None)
    now = Session(piece.starts, piece.ends, piece.gph, piece.gallons) if piece else None
    later = Session(rest.starts, rest.ends, rest.gph, rest.gallons) if rest else None
    if later is None and not lost:
        return Layout(now)
    until = piece.ends if piece else after.at
    tank = any(room.tank is not None for room in there.rooms)
    return Layout(now, later, lost, until, _tank_why(there, now, until) if tank else _why(there, until))


def _tank_why(there: Beside, now: Session | None, until: datetime) -> str:
    """Why no more goes into a tank: it is full, or what is left of it is kept for those who come after."""
    plan = there.rooms[0].tank if there.rooms else None
    if plan is None:
        return _why(there, until)
    course = plan.adding(*([Unloading(now.start, now.gallons, now.gph)] if now else [])).course
    # It ends on a whole minute: until then a little has left again.
    full = course.free(until) <= 1 + plan.tank.bleed_gph * Fraction(MINUTE, HOUR)
    return "the tank is full" if full else "the rest of the tank is kept for those who come after"


def _why(there: Beside, at: datetime) -> str:
    """Why what flows must end at an instant, with nobody's name."""
    if any(one.start == at for one in there.picture.taken):
        return "another load begins"
    end = there.steps[-1].end if there.steps else at
    return "unloading ends" if at >= end else "the room after it is taken"


def first_later(there: Beside, earliest: datetime, gallons: int) -> Session | None:
    """The first session that fits from an instant on today, or None."""
    found = point_room.find(there.rooms, gallons, earliest)[0]
    return found[0] if found else None


def resumed(there: Beside, at: datetime, gallons: int, gph: int) -> Layout | None:
    """How what waits goes on now: at its rate, else slower, else at its rate as long as it fits; None: only later."""
    whole = lay_out(there, at, gallons, gph)
    if whole.now is not None and whole.now.gallons == gallons:
        return whole
    slower = at_most(there.rooms, gph)
    start = whole_minute(at)
    for room in slower:
        one = room.session_at(start, gallons)
        if one is not None:
            return Layout(one)
    if whole.now is None or (whole.lost and later_times(there, at, gallons, gph)[0]):
        return None
    return whole


def at_most(rooms: Sequence[Room], gph: int) -> tuple[Room, ...]:
    """The rooms with no rate above one: a truck that waits goes on at its rate or slower; into a tank at the tank's."""
    return tuple(
        room if room.tank is not None else
        replace(room, steps=tuple(replace(one, free=min(one.free, gph)) for one in room.steps)) for room in rooms
    )  # fmt: skip


def later_times(there: Beside, at: datetime, gallons: int, gph: int) -> tuple[list[Session], int]:
    """The sessions later today that would hold what waits, and the largest load that fits where none does."""
    rooms = at_most(there.rooms, gph)
    found = list(point_room.find(rooms, gallons, whole_minute(at))[0])
    return found, 0 if found else point_room.largest(rooms, whole_minute(at))


def drawn_at(plant_id: int, day: date, at: datetime, except_load: int) -> int:
    """Gallons an hour that flow at an instant without one load: plans and what waits are not in the pipe."""
    found = capacity.running_at(plant_id, [day], except_load, rests=False, sewer=True)
    return sum(int(one.gph) for _, _, one in found if one.start <= at < one.end)


def begins(plant_id: int, at: datetime, when: datetime, day: date) -> str:
    """Whose booked time begins at an instant, for the operator: "Duffy Septic's load begins"; "" where none does."""
    ids = {one.business_id for one in capacity.planned(plant_id, at, [day]) if one.starts == when}
    names = sorted(haulers.business_names(ids).values()) if ids else []
    return f"{' and '.join(names)}'s load begins" if names else ""


def left_paused(load: Load) -> Refusal | None:
    """A load of which gallons still wait in the truck: what came out that morning is said first."""
    waits = next((one for one in runs_of(load.id) if one.kind == RunKind.REST.value and one.gallons), None)
    if waits is None:
        return None
    why = f"Load {load.ticket} was paused on {formats.day_short(waits.day)} and not gone on with."
    return Refusal("paused", why, "", next_step="Stop it first and enter what was unloaded then.")
