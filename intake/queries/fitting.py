"""How a truck that is here may unload: as booked, later and slower, or why not now (§ 329-7 F(3), F(4)).

The station's page shows it and ``log_load`` works it out again under its locks.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from haulers import queries as haulers
from intake.models import Booking
from intake.queries import point_room
from intake.queries.allowance import Limits, limits, used_and_booked
from intake.queries.capacity import DayPicture, Planned, day_picture, planned, whole_minute
from intake.queries.gate_case import GateAnswer
from intake.queries.point_room import Room
from intake.queries.tank_rest import with_rest
from intake.queries.terms import is_winter
from office import formats
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import shut_part
from ordinances.offers import NoFit, Session
from ordinances.reader import Law
from ordinances.refusal import Refusal

SHOWN = 4


def plan_of(plant: Plant, at: datetime, booking: Booking | None) -> Planned | None:
    """The booking's session of today that still keeps its room, or None."""
    if booking is None:
        return None
    today = at.astimezone(plant.tz).date()
    return next((one for one in planned(plant.id, at, [today]) if one.booking_id == booking.id), None)


def fit(plant: Plant, law: Law, at: datetime, gallons: int, *, booking: Booking | None = None,
        start: datetime | None = None, waste: str = "", business_id: int | None = None, point_id: int | None = None
        ) -> Session | Refusal:  # fmt: skip
    """The session in which these gallons may run today, never over the limit and never into another's plan.

    A booked truck on time runs as booked (with fewer gallons it ends sooner), at the point it booked. A late one starts
    now at whatever rate is free, there or else at another station; a start that is later than now is only taken when it
    is asked for by ``start``, and another point when it is asked for by ``point_id``. Refusals carry ``details``:
    ``sessions`` that fit later today, or ``largest``, the gallons that would fit; or are those of
    ``point_room.nowhere`` (a manhole needs a written approval, § 329-7 D), or restricted where each point is shut.
    """
    today = at.astimezone(plant.tz).date()
    plan = plan_of(plant, at, booking)
    picture = day_picture(plant, law, today, at, except_booking=plan.booking_id if plan else None)
    picture = with_rest(picture, plant.id, plan.booking_id if plan else None, at, but=[today])
    if booking is not None:
        waste, business_id = waste or booking.waste, business_id or booking.business_id
    rooms = _rooms(picture, plan, waste, business_id, point_id)
    if not rooms:
        no = point_room.nowhere(law, picture, waste, business_id, point_id)
        if no is not None:
            return no
    stopped = point_room.stopped(law, picture, waste, rooms)
    if stopped is not None:
        return replace(stopped, next_step="Record it as a refused load.")
    if plan is not None and rooms and rooms[0].place.id in (plan.point_id, 0):
        kept = _as_booked(rooms[0], plan, at, gallons)
        if kept is not None:
            return kept
    earliest = _earliest(plan, at)
    booked = plan.point_id if plan is not None else None
    found = _now_or_later(plant, picture, rooms, earliest, gallons, start, booked)
    return _with_closed_part(law, picture, rooms, earliest, gallons, found) if isinstance(found, Refusal) else found


def _with_closed_part(law: Law, picture: DayPicture, rooms: Sequence[Room], earliest: datetime, gallons: int,
                      no: Refusal) -> Refusal:  # fmt: skip
    """Why gallons do not fit now, with the part of the day that is closed where it comes before they are out."""
    part = shut_part(law, picture.day)
    rates = [one.tank.tank.unload_gph if one.tank is not None else limit.plan_gph for one in rooms if (
        limit := picture.cap) is not None]  # fmt: skip
    if part is None or not rates or not earliest < part[0].end:
        return no
    if earliest + timedelta(minutes=offers.minutes(gallons, max(rates))) <= part[0].start:
        return no
    span = formats.span(part[0].start, part[0].end)
    return replace(no, why=f"The plant is closed {span}: {part[1]}. {no.why}")


def left_for(plant: Plant, law: Law, at: datetime, gate: GateAnswer) -> int:
    """Gallons the approval of a truck at the gate has left for it in this part of the season; those of its own time of
    today are among them."""
    approval, plan = haulers.approval(plant.id, gate.approval_id or 0), plan_of(plant, at, gate.booking)
    assert approval is not None
    winter = is_winter(law, at.astimezone(plant.tz).date())
    taken = used_and_booked(approval.id, law, at).taken(winter)
    return max(0, haulers.allowance(approval, winter) - taken + (plan.gallons if plan else 0))


def limits_for(plant: Plant, law: Law, at: datetime, gate: GateAnswer) -> Limits:
    """The limits of the approval of a truck at the gate, what it booked itself left out."""
    approval = haulers.approval(plant.id, gate.approval_id or 0)
    assert approval is not None
    return limits(approval, law, at, except_booking=gate.booking.id if gate.booking else None)


def over_limits(plant: Plant, law: Law, at: datetime, gate: GateAnswer, gallons: int, waste: str) -> Refusal | None:
    """The hard limit of its approval that a truck at the gate would pass today, with what may be unloaded."""
    day = at.astimezone(plant.tz).date()
    refused = limits_for(plant, law, at, gate).refusal([(day, gallons)], waste)
    return replace(refused, next_step=up_to(refused.details["left"])) if refused is not None else None


def few_left(law: Law, day: date, left: int) -> Refusal:
    """What is said at the gate before anything is typed, where the approval has fewer gallons left than may come."""
    are = "is" if left == 1 else "are"
    return Refusal("allowance", f"{formats.volume(left)} {are} left in the approval.",
                   law.cite("decision.settles", day), next_step=up_to(left), details={"left": left})  # fmt: skip


def up_to(left: int) -> str:
    """What to do with a truck that has more in it than its approval has left."""
    return f"Unload up to {formats.volume(left)}. The hauler asks the committee for more." if left else (
        "The hauler asks the committee for more gallons.")  # fmt: skip


def _rooms(picture: DayPicture, plan: Planned | None, waste: str, business_id: int | None, point_id: int | None
           ) -> list[Room]:  # fmt: skip
    """The points in question: the one asked for, else the one booked and then every station."""
    if point_id is not None or plan is None:
        return list(point_room.rooms(picture, waste, business_id, point_id))
    mine = point_room.rooms(picture, waste, business_id, plan.point_id)
    rest = [one for one in point_room.rooms(picture, waste, business_id) if one.place.id != plan.point_id]
    return [*mine, *rest]


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def _earliest(plan: Planned | None, at: datetime) -> datetime:
    now = whole_minute(at)
    return max(plan.starts, now) if plan else now


def _as_booked(room: Room, plan: Planned, at: datetime, gallons: int) -> Session | None:
    if _minute(at) > plan.starts or gallons > plan.gallons:
        return None
    if room.tank is not None:
        return room.session_at(plan.starts, gallons)
    length = offers.minutes(gallons, plan.gph)
    end = plan.ends if gallons == plan.gallons else plan.starts + timedelta(minutes=length)
    rate = plan.gph if gallons == plan.gallons else offers.lowest_rate(gallons, length)
    session = room.here(Session(plan.starts, end, rate, gallons))
    return session if room.fits(session) else None


def _now_or_later(plant: Plant, picture: DayPicture, rooms: Sequence[Room], earliest: datetime, gallons: int,
                  start: datetime | None, booked: int | None) -> Session | Refusal:  # fmt: skip
    now = next((one for room in rooms if (one := room.session_at(start or earliest, gallons))), None)
    if now is not None and (start or earliest) >= earliest:
        return now
    later, where = point_room.find(rooms, gallons, earliest)[0], _where(rooms, booked)
    cite = picture.cap.cite if picture.cap else ""
    reading = picture.cap.reading if picture.cap else None
    if later:
        first = later[0]
        words = formats.span(first.start, first.end, plant.tz)
        why = (f"{_do_not_fit(gallons)} {where} now. The first time that fits is "
               f"{words} at {formats.rate(first.gph)}.")  # fmt: skip
        most = _most_now(rooms, start or earliest, gallons)
        fewer = f"up to {formats.volume(most)} now" if most else "fewer gallons"
        return Refusal("not_now", why, cite, reading, f"The truck can wait for that time, or unload {fewer}.",
                       {"sessions": later[:SHOWN]})  # fmt: skip
    largest = point_room.largest(rooms, earliest)
    return Refusal("no_room", _no_room(plant, picture, gallons, largest, where), cite, reading, _next_step(largest),
                   {"largest": largest})  # fmt: skip


def _most_now(rooms: Sequence[Room], start: datetime, gallons: int) -> int:
    """The most gallons that fit at any of the points from a start on, where all of a load do not."""
    found = [room.starting(start, gallons) for room in rooms]
    return max((one.free for one in found if isinstance(one, NoFit)), default=0)


def _where(rooms: Sequence[Room], booked: int | None) -> str:
    """What the gallons do not fit under, or into: what was booked into a tank is asked about there."""
    here = [one for one in rooms if one.place.id == booked] or rooms
    return "into the tank" if here and all(one.tank is not None for one in here) else "under the limit"


def _no_room(plant: Plant, picture: DayPicture, gallons: int, largest: int, where: str) -> str:
    close = getattr(picture.hours, "end", None)
    by = f" by {formats.clock_time(close, plant.tz)}" if close else ""
    fits_words = f" {formats.gallons(largest)} would." if largest else " Nothing else fits either."
    return f"{_do_not_fit(gallons)} {where}{by} today.{fits_words}"


def _do_not_fit(gallons: int) -> str:
    return f"{formats.volume(gallons)} {'does' if gallons == 1 else 'do'} not fit"


def _next_step(largest: int) -> str:
    if largest:
        return f"Unload up to {formats.volume(largest)} today and book the rest for another day."
    return "The hauler books another day, or the truck goes to another plant."
