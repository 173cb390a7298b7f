"""What is in a plant's receiving tank, as it was read and as it is reckoned since; what a change of the tank meets."""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from intake.queries import capacity, tank_room
from intake.queries.bookings import Group, grouped
from intake.queries.capacity import DayPicture
from intake.queries.met import lower_limit
from intake.queries.tank_met import tank_place
from intake.queries.tank_room import Basin
from office import formats
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.tank import Tank
from ordinances.ticks import tick

# A reading further from what was reckoned than this share of the tank is asked about: a rule of this product.
FAR = Fraction(1, 10)


@dataclass(frozen=True)
class Wanted:
    """What a tank is to be: usable gallons, a truck's and the valve's gallons an hour, and the gallons in it now."""

    gallons: int
    unload_gph: int
    bleed_gph: int
    held: int

    @property
    def tank(self) -> Tank:
        return Tank(self.gallons, self.unload_gph, self.bleed_gph)


@dataclass(frozen=True)
class Level:
    """A tank's level: in whole gallons, rounded so that level and free room are the tank."""

    name: str
    basin: Basin
    now: datetime

    @property
    def tank(self) -> Tank:
        return self.basin.tank

    @property
    def gallons(self) -> int:
        """Gallons reckoned to be in it now, rounded up: what is free is rounded down."""
        return self.at(self.now)

    @property
    def free(self) -> int:
        return self.tank.gallons - self.gallons

    @property
    def bleed_gph(self) -> int:
        """What its valve lets through now, gallons an hour."""
        return int(self.basin.plan.course.rate(self.now))

    def at(self, when: datetime) -> int:
        """Gallons reckoned to be in it at an instant since the reading, rounded up."""
        level = self.basin.plan.course.level(when)
        return -(-level.numerator // level.denominator)

    def wrong(self, gallons: int, read_at: datetime, at: datetime, reason: str) -> Refusal | None:
        """Why a reading cannot be, or is asked about. Refusals: future, earlier, gallons, far."""
        if tick(read_at) > tick(at):
            return Refusal("future", "The time it was read must be now or earlier", "")
        if tick(read_at) < tick(self.basin.read_at):
            when = formats.day_time(self.basin.read_at)
            return Refusal("earlier", f"A later reading is entered: {when}", "")
        if not 0 <= gallons <= self.tank.gallons:
            return Refusal("gallons", f"Gallons must be between 0 and {formats.gallons(self.tank.gallons)}", "")
        reckoned = self.at(read_at)
        if abs(gallons - reckoned) > FAR * self.tank.gallons and not reason.strip():
            were = "was" if reckoned == 1 else "were"
            why = f"{formats.volume(reckoned)} {were} reckoned to be in it. Check the number"
            return Refusal("far", why, "", next_step="If the number is right, say why.", details={"reckoned": reckoned})
        return None


def level_now(plant: Plant, law: Law, at: datetime) -> Level | None:
    """The tank as it stands; None where the plant has none that is set."""
    place = tank_place(plant.id)
    found = place and tank_room.basin(plant, law, at, place, capacity.planned(plant.id, at, since=at),
                                      tank_room.Asked())  # fmt: skip
    return Level(place.name, found, at.astimezone(plant.tz)) if place and found else None


def level_in(picture: DayPicture) -> Level | None:
    """The tank of a day's picture; None where there is none."""
    place = next((one for one in picture.places if one.tank is not None), None)
    if place is None or picture.tank is None:
        return None
    return Level(place.name, picture.tank, picture.now.astimezone(picture.tank.read_at.tzinfo))


def cite_of(law: Law, at: datetime) -> str:
    """The § under which the plant manager says where and how trucks unload."""
    day = at.astimezone(law.zone).date()
    return law.cite("approval.points_by", day) if law.has("approval.points_by", day) else ""


def lost_with(plant: Plant, law: Law, tank: Tank, held: int, at: datetime) -> list[Group]:
    """The bookings that lose their place when a tank is set so, with so much in it now: those made first keep it."""
    groups = grouped(capacity.planned(plant.id, at, since=at))
    days = {one.day for group in groups for one in group.sessions}
    return lower_limit(plant, law, groups, days, {day: [] for day in days}, at, tank, held)
