"""Whether a time somebody chose is one that is offered now, where, and in true words why not (§ 329-7 F(3), F(4))."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from intake.queries import point_room
from intake.queries.capacity import DayPicture, next_minute
from intake.queries.point_room import Room
from intake.queries.restrictions import full_stop
from office import formats
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.offers import NoFit, Session
from ordinances.points import window_of
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.tank import Tank

MINUTE = timedelta(minutes=1)


def not_offered(law: Law, picture: DayPicture, one: Session, at: datetime, *, waste: str = "",
                business_id: int | None = None) -> Refusal | None:  # fmt: skip
    """None for a session the offer rule gives for its gallons from its start on, any whole minute from the next one on
    (§ 329-7 F(3)). Refusals: those of ``placed``."""
    found = placed(law, picture, one, at, waste=waste, business_id=business_id)
    return found if isinstance(found, Refusal) else None


def placed(law: Law, picture: DayPicture, one: Session, at: datetime, *, waste: str = "",
           business_id: int | None = None) -> Session | Refusal:  # fmt: skip
    """The session with the point that takes it: the one it asks for, else the first station that offers just this.

    Refusals: over_limit, taken (others hold the room now), changed (its start is offered with another end and rate),
    not_offered (no offer ends so, or begins on such a second), and those of ``point_room.nowhere``.
    """
    earliest = next_minute(at)
    rooms = point_room.rooms(picture, waste, business_id, one.point)
    found = point_room.taking(rooms, one, earliest)
    if found is not None:
        return found
    return point_room.nowhere(law, picture, waste, business_id, one.point) or _why(law, picture, rooms, one, earliest)


def kept_place(law: Law, picture: DayPicture, one: Session, waste: str, business_id: int) -> Session | Refusal:
    """A session offered earlier and kept since, where it still fits. Refused: taken, and those of ``nowhere``."""
    rooms = point_room.rooms(picture, waste, business_id, one.point)
    found = next((room.here(one) for room in rooms if room.fits(one)), None)
    if found is not None:
        return found
    why = "The room is not there any more: the plant takes less at that time than when it was offered."
    no = point_room.nowhere(law, picture, waste, business_id, one.point)
    return no or _refusal("taken", why, law.cite("rate.plan_gph", picture.day), picture)


def _why(law: Law, picture: DayPicture, rooms: Sequence[Room], one: Session, earliest: datetime) -> Refusal:
    """Why a session is not among what some points offer."""
    whole = one.start >= earliest and one.start == one.start.replace(second=0, microsecond=0)
    now = point_room.starting(rooms, one.start, one.gallons) if whole else None
    cite, start = law.cite("rate.plan_gph", picture.day), formats.clock_time(one.start, law.zone)
    limit = min((int(step.cap) for step in picture.steps if step.start < one.end and step.end > one.start), default=0)
    into_tank = next((room.tank.tank for room in rooms if room.tank is not None), None)
    if into_tank is None and one.gph > limit:
        why = f"{formats.rate(one.gph)} is more than the limit of {limit:,} at that time."
        return Refusal("over_limit", why, *_binding(law, picture, one, limit), details={"day": picture.day})
    refused = _not_here(law, picture, rooms[0], one) if len(rooms) == 1 else None
    if refused is not None:
        return refused
    shaped = _shaped(one, into_tank)
    if shaped and not any(room.fits(one) for room in rooms) and isinstance(now, NoFit):
        why = now.reason if into_tank is not None and now.free else "That time was just taken."
        return _refusal("taken", why, cite, picture)
    if shaped and isinstance(now, Session):
        end = formats.clock_time(now.end, law.zone)
        why = f"From {start} this load runs until {end} now, at {formats.rate(now.gph)}."
        return _refusal("changed", why, cite, picture)
    why = f"{formats.day(picture.day)}, {formats.span(one.start, one.end, law.zone)} is not one of the times offered."
    return _refusal("not_offered", why, cite, picture)


def _not_here(law: Law, picture: DayPicture, room: Room, one: Session) -> Refusal | None:
    """Why the only point in question never takes a session like this: its hours, its own highest rate."""
    rule, name, hours = room.place.rule, room.place.name, picture.hours
    if rule is None or not isinstance(hours, Hours):
        return None
    cite, window = law.cite("approval.points_by", picture.day), window_of(rule, hours)
    if window is None or not window[0] <= one.start < one.end <= window[1]:
        when = f"is {formats.span(*window, law.zone)}" if window else "is not possible"
        return _refusal("outside_hours", full_stop(f"Unloading at {name} {when}"), cite, picture)
    if rule.max_gph is not None and one.gph > rule.max_gph:
        why = f"{formats.rate(one.gph)} is more than {name} takes, {rule.max_gph:,}."
        return _refusal("over_limit", why, cite, picture)
    return None


def _binding(law: Law, picture: DayPicture, one: Session, limit: int) -> tuple[str, str | None]:
    """The § (or the order) and the reading of the rule that sets the limit in a session: the figure, the flow, a bound
    of the law or the Director's own, or a restriction below them all."""
    parts = [part for part in (picture.cap.parts if picture.cap else ())
             if part.start < one.end and part.end > one.start]  # fmt: skip
    lowest = min(parts, key=lambda part: part.plan_gph, default=None)
    if picture.restriction is not None and (lowest is None or limit < lowest.plan_gph):
        row = law.row("restriction.by", picture.day)
    elif lowest is None or lowest.binding.key == "rate.percent":
        # The figure's own reading says how a flow lowers it.
        row = law.row("rate.plan_gph", picture.day)
    else:
        return lowest.binding.cite, lowest.binding.reading
    return row.cite, row.reading


def _refusal(code: str, why: str, cite: str, picture: DayPicture) -> Refusal:
    return Refusal(code, why, cite, details={"day": picture.day})


def _shaped(one: Session, tank: Tank | None) -> bool:
    """Whether some free rate would have been offered so: the earliest end, at the lowest rate that ends then; into a
    tank at its own."""
    length, rest = divmod(one.end - one.start, MINUTE)
    if tank is not None:
        return not rest and one.gph == tank.unload_gph and length == offers.minutes(one.gallons, one.gph)
    return not rest and one.gph == offers.lowest_rate(one.gallons, length) and length == offers.minutes(
        one.gallons, one.gph)  # fmt: skip
