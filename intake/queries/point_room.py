"""Where a load may be unloaded and how fast: the room at each receiving point (§ 329-7 C(1), C(2), D, F(3)).

The one place that answers "the free rate for this waste, hauler and point on this day" and "which point takes it":
offers, bookings, moves and the gate ask here, so that none of them promises what another refuses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from intake.queries import capacity, findings, restrictions
from intake.queries.capacity import DayPicture
from intake.queries.places import NOWHERE, Place
from intake.queries.restriction_words import point_names
from intake.queries.truck_times import Busy, steps_for
from office import formats
from ordinances import offers
from ordinances.offers import NoFit, Session, Step
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES
from ordinances.tank import TankPlan, Unloading


@dataclass(frozen=True)
class Room:
    """A point and the rate free there for one truck more: the plant's, the point's own, and a place to stand.

    At a receiving tank (``tank``) the steps are when a truck may stand there, and the tank says how much fits.
    """

    place: Place
    steps: tuple[Step, ...]
    named: bool = True
    tank: TankPlan | None = None

    def offers(self, gallons: int, earliest: datetime) -> tuple[list[Session], Sequence[NoFit]]:
        """The sessions that fit here, each with this point, and the starts at which none does."""
        if not self.steps:
            return [], ()
        found = self.tank.offers if self.tank is not None else offers.offers
        fits, misses = found(self.steps, gallons, earliest)
        return [self.here(one) for one in fits], misses

    def session_at(self, start: datetime, gallons: int) -> Session | None:
        """The session here that begins at a given minute, or None."""
        found = self.starting(start, gallons)
        return self.here(found) if isinstance(found, Session) else None

    def starting(self, start: datetime, gallons: int) -> Session | NoFit | None:
        """The session that begins at a whole minute, or why none does; None where nothing is ever free here."""
        if not self.steps:
            return None
        found = self.tank.session_at if self.tank is not None else offers.session_at
        return found(self.steps, start, gallons)

    def largest(self, earliest: datetime) -> int:
        """The largest load that is offered here; one gallon more is not."""
        if self.tank is not None:
            return self.tank.largest(self.steps, earliest)
        return offers.largest_single(self.steps, earliest)

    def fits(self, one: Session) -> bool:
        """Whether a session's rate is free here at every instant of it, and a tank has room for its gallons."""
        room = self.tank is None or one.gallons <= self.tank.most(self.steps, one.start)
        return room and capacity.fits(self.steps, one)

    def after(self, one: Session) -> "Room":
        """What is left here once a session is taken: a tank is fuller then."""
        if self.tank is None:
            return self
        return replace(self, tank=self.tank.adding(Unloading(one.start, one.gallons, one.gph)))

    def here(self, one: Session) -> Session:
        """A session with this point, at a plant whose points are named."""
        return replace(one, point=self.place.id) if self.named else one


def rooms(picture: DayPicture, waste: str = "", business_id: int | None = None, point_id: int | None = None, *,
          busy: Iterable[Busy] = ()) -> tuple[Room, ...]:  # fmt: skip
    """The room at every point that takes a waste on a day, first opened first; only at one with ``point_id``.

    A manhole is only looked at when it is asked for by ``point_id``, and needs the permission of ``business_id``
    (§ 329-7 D). A rate set for its waste holds at each (§ 329-6 E(3)). ``busy`` are times in which the truck is taken.
    Only a plant with several points has them named in its sessions.
    """
    places = [one for one in picture.places or (NOWHERE,) if wrong(one, picture, waste, business_id) is None]
    if point_id is not None:
        places = [one for one in places if one.id == point_id]
    else:
        places = [one for one in places if not one.is_manhole]
    mine = [one for one in busy if one.day == picture.day]
    found = []
    for place in places:
        steps = picture.steps_at(place, waste)
        if mine and steps:
            steps = steps_for(steps, mine)
        most = findings.slowest(place.plant_id, business_id, waste, picture.day) if place.tank is None else None
        steps = at_most(steps, most) if most is not None else steps
        plan = picture.tank.plan if place.tank is not None and picture.tank is not None else None
        found.append(Room(place, steps, named=len(picture.places) > 1 or place.is_manhole, tank=plan))
    return tuple(found)


def at_best(picture: DayPicture, waste: str, business_id: int | None, point_id: int | None, busy: Iterable[Busy],
            earliest: datetime) -> tuple[tuple[Room, ...], int]:  # fmt: skip
    """The rooms of a day and the largest single load that fits in any of them, reckoned once for all to whom they are
    the same: whoever it is counts only at manholes and by what was found of their waste."""
    mine = tuple(one for one in busy if one.day == picture.day)
    slow = tuple(findings.slowest(one.plant_id, business_id, waste, picture.day) for one in picture.places)
    who = business_id if any(one.is_manhole for one in picture.places) else None

    def reckoned() -> tuple[tuple[Room, ...], int]:
        found = rooms(picture, waste, business_id, point_id, busy=mine)
        return found, largest(found, earliest)

    answer: tuple[tuple[Room, ...], int] = picture.once((waste, who, point_id, mine, slow), earliest, reckoned)
    return answer


def at_most(steps: Sequence[Step], gph: int) -> tuple[Step, ...]:
    """What is free for a waste whose rate is controlled (§ 329-6 E(3)): never more than that rate."""
    return offers.Steps(replace(one, free=min(one.free, gph)) for one in steps)


def find(found: Sequence[Room], gallons: int, earliest: datetime) -> tuple[tuple[Session, ...], tuple[NoFit, ...]]:
    """For each start the session that ends first at any of the points, and the starts at which nothing fits."""
    fits: dict[datetime, Session] = {}
    misses: dict[datetime, NoFit] = {}
    for one in found:
        good, bad = one.offers(gallons, earliest)
        for session in good:
            best = fits.get(session.start)
            if best is None or session.end < best.end:
                fits[session.start] = session
        for miss in bad:
            if miss.start not in misses or miss.free > misses[miss.start].free:
                misses[miss.start] = miss
    left = [misses[start] for start in misses if start not in fits]
    return (tuple(sorted(fits.values(), key=lambda one: one.start)),
            tuple(sorted(left, key=lambda one: one.start)))  # fmt: skip


def starting(found: Sequence[Room], start: datetime, gallons: int) -> Session | NoFit | None:
    """The session that begins at a whole minute and ends first at any of the points, else why none does; None where
    there is no point."""
    fits: Session | None = None
    miss: NoFit | None = None
    for room in found:
        one = room.starting(start, gallons)
        if isinstance(one, Session):
            fits = room.here(one) if fits is None or one.end < fits.end else fits
        elif one is not None:
            miss = one if miss is None or one.free > miss.free else miss
    return fits or miss


def largest(found: Sequence[Room], earliest: datetime) -> int:
    """The largest single load that fits at any of the points, gallons."""
    return max((one.largest(earliest) for one in found), default=0)


def taking(found: Sequence[Room], one: Session, earliest: datetime) -> Session | None:
    """The session with the first point that gives just this from its start on, which is any whole minute from the
    earliest on; None where none does."""
    if one.start < earliest or one.start.second or one.start.microsecond:
        return None
    here = (room.session_at(one.start, one.gallons) for room in found)
    return next((match for match in here if match == one), None)


def nowhere(law: Law, picture: DayPicture, waste: str, business_id: int | None, point_id: int | None = None
            ) -> Refusal | None:  # fmt: skip
    """Why no point (or not the one asked for) takes this waste of this hauler on the day; None where one does.

    Refusals: no_point (no such point, or none takes it), point_closed, point_waste, manhole (§ 329-7 D).
    """
    if point_id is None:
        if rooms(picture, waste, business_id):
            return None
        what = f"{WASTE_TYPES[waste].lower()} waste" if waste in WASTE_TYPES else "septage"
        return Refusal("no_point", f"No receiving point takes {what} on {formats.day(picture.day)}.",
                       _cite(law, picture, "approval.points_by"))  # fmt: skip
    place = next((one for one in picture.places if one.id == point_id), None)
    if place is None:
        return Refusal("no_point", "There is no such receiving point at this plant.", "")
    found = wrong(place, picture, waste, business_id)
    if found is None:
        return None
    code, why = found
    return Refusal(code, why, _cite(law, picture, "manhole.written_by" if code == "manhole" else "approval.points_by"))


def stopped(law: Law, picture: DayPicture, waste: str, found: Sequence[Room]) -> Refusal | None:
    """The restriction that leaves these points nothing of the rest of a day for this waste, although others come."""
    stops = [row for row in picture.narrower
             if waste in row.wastes or any(one.place.id in row.points for one in found)]  # fmt: skip
    left = any(step.cap for one in found for step in one.steps if step.end > picture.now)
    if not stops or not found or left:
        return None
    why, cite = restrictions.stop_reason(stops[0], point_names(stops)), law.cite("restriction.by", picture.day)
    return Refusal("restricted", why, cite, None, "We will write when the restriction is lifted.")


def wrong(place: Place, picture: DayPicture, waste: str, business_id: int | None) -> tuple[str, str] | None:
    """Code and sentence of why a point takes nothing like this on a day; None where it does."""
    if not place.is_open:
        return "point_closed", f"{place.name} is closed on {formats.day(picture.day)}."
    if not place.takes(waste):
        return "point_waste", f"{place.name} does not take {WASTE_TYPES.get(waste, waste).lower()} waste."
    if not place.permitted(picture.day, business_id):
        day = formats.day(picture.day)
        return "manhole", (f"Nothing is unloaded into {place.name} on {day}: no written approval of the Director or "
                           "the plant manager allows it.")  # fmt: skip
    return None


def _cite(law: Law, picture: DayPicture, key: str) -> str:
    return law.cite(key, picture.day) if law.has(key, picture.day) else ""
