"""The waiting list: who waits for room on which days, in which order, and what each may be offered of a day."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import bindparam, select

from haulers import queries as haulers
from intake.models import Booking, RoomOffer, Wait
from intake.queries import capacity, kept_rooms, point_room
from intake.queries.capacity import DayPicture
from intake.queries.kept_rooms import Kept, Offer
from intake.queries.placing import why_lost
from intake.queries.tank_room import empty_takes
from intake.queries.terms import Terms, terms_of
from intake.queries.truck_times import busy_times
from intake.states import WaitEnd
from office.db import db
from office.plants import Plant
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.offers import Session
from ordinances.reader import Law

FURTHEST = timedelta(days=60)


@dataclass(frozen=True)
class WaitView:
    """A place in the waiting list as it stands: ``place`` counts from 1 among those who wait, 0 once it is over.

    ``state``: waiting, offered (an offer is theirs to answer), booked, left, past (its days are over).
    """

    wait: Wait
    state: str
    place: int = 0
    offer: Offer | None = None
    booking: str = ""

    @property
    def words(self) -> str:
        return STATE_WORDS[self.state]


STATE_WORDS = {
    "waiting": "Waiting",
    "offered": "Offered a time",
    "booked": "Booked",
    "left": "Left the list",
    "past": "The days are over",
}


def in_line(plant_id: int, at: datetime, today: date, days: Collection[date] | None = None) -> list[Wait]:
    """Those who wait, in the order in which they asked; with ``days`` only who wants one of them. One query."""
    first, last = (min(days), max(days)) if days is not None else (today, date.max)
    given = {"plant_id": plant_id, "since": max(first, today), "until": last}
    return list(db.session.scalars(_in_line(), given))


@cache
def _in_line() -> Any:
    query = select(Wait).where(Wait.plant_id == bindparam("plant_id"), Wait.ended_at.is_(None),
                               Wait.last_day >= bindparam("since"), Wait.first_day <= bindparam("until"))  # fmt: skip
    return query.order_by(Wait.asked_at, Wait.id)


def wait_of(plant_id: int, wait_id: int) -> Wait | None:
    """A place in a plant's waiting list, or None."""
    return db.session.scalars(select(Wait).filter_by(plant_id=plant_id, id=wait_id)).one_or_none()


def offer_of(plant_id: int, offer_id: int) -> Offer | None:
    """An offer of freed room with its turn, or None."""
    row = db.session.scalars(select(RoomOffer).filter_by(plant_id=plant_id, id=offer_id)).one_or_none()
    if row is None:
        return None
    return next(one for one in line_of(plant_id, row.room_id) if one.row.id == offer_id)


def line_of(plant_id: int, room_id: int) -> list[Offer]:
    """The line for one freed room, in order."""
    return kept_rooms.lines(plant_id, room_id=room_id)[0]


def of_plant(plant: Plant, at: datetime) -> list[WaitView]:
    """Everybody who waits now, in order, with what is theirs to answer. Two queries."""
    return _views(in_line(plant.id, at, at.astimezone(plant.tz).date()), plant, at)


def of_business(plant: Plant, business_id: int, at: datetime, limit: int = 30) -> list[WaitView]:
    """A hauler's own places, those that wait first in their order, then what is over, newest first."""
    line = of_plant(plant, at)
    mine = [one for one in line if one.wait.business_id == business_id]
    live = {one.wait.id for one in mine}
    query = select(Wait).where(Wait.plant_id == plant.id, Wait.business_id == business_id, Wait.id.not_in(live))
    over = db.session.scalars(query.order_by(Wait.id.desc()).limit(limit)).all()
    numbers = _numbers({one.booking_id for one in over if one.booking_id is not None})
    return mine + [WaitView(one, _over(one), booking=numbers.get(one.booking_id or 0, "")) for one in over]


def _numbers(booking_ids: Collection[int]) -> dict[int, str]:
    query = select(Booking.id, Booking.number).where(Booking.id.in_(booking_ids))
    return {ident: number for ident, number in db.session.execute(query)}  # noqa: C416 - rows are no pairs to mypy


def open_offers(plant: Plant, business_id: int, at: datetime) -> list[Offer]:
    """What is a hauler's to answer now, the first to answer first. Two queries, and a picture of the day of each."""
    found = (one for line in kept_rooms.lines(plant.id, since=at) for one in line)
    mine = [one for one in found if one.is_open(at) and one.wait.business_id == business_id]
    mine = [one for one in mine if why_lost(plant, one, at) is None]
    return sorted(mine, key=lambda one: (one.turn.ends, one.row.id))


def _views(line: Sequence[Wait], plant: Plant, at: datetime) -> list[WaitView]:
    offered = {one.wait.id: one for room in kept_rooms.lines(plant.id, since=at) for one in room
               if one.is_open(at) and why_lost(plant, one, at) is None}  # fmt: skip
    return [WaitView(one, "offered" if one.id in offered else "waiting", n, offered.get(one.id))
            for n, one in enumerate(line, start=1)]  # fmt: skip


def _over(one: Wait) -> str:
    return one.outcome if one.outcome in (WaitEnd.BOOKED.value, WaitEnd.LEFT.value) else "past"


def first_time(plant: Plant, law: Law, picture: DayPicture, wait: Wait, at: datetime) -> Session | None:
    """The first time on a day that a waiting load would have, with its point; None when it has none, or its hauler,
    truck or waste may not come that day."""
    terms = terms_of(plant.id, wait.business_id, law, at, wait.waste, truck=haulers.truck(wait.truck_id))
    if not picture.steps or terms.why_not(picture.day, wait.gallons):
        return None
    if wait.truck_id not in {one.id for one in haulers.trucks_of(wait.business_id)}:
        return None
    earliest = capacity.next_minute(at)
    busy = busy_times(plant.id, wait.truck_id, [picture.day], at)
    rooms = point_room.rooms(picture, wait.waste, wait.business_id, busy=busy)
    fits, _ = point_room.find(rooms, wait.gallons, earliest)
    if not fits:
        return None
    only = picture.places[0].id if len(picture.places) == 1 else None
    return replace(fits[0], point=fits[0].point if fits[0].point is not None else only)


def less(picture: DayPicture, lines: Iterable[Sequence[Session]]) -> DayPicture:
    """A day as it would be with some lines' rooms kept: of each the most that one of its sessions takes."""
    basin, several = picture.tank, list(lines)
    found = [kept_rooms.kept_of(one, basin.point_id if basin else None) for one in several]
    more = Kept(tuple(draw for one in found for draw in one.wide),
                tuple(pair for one in found for pair in one.at_point))  # fmt: skip
    if not (more.wide or more.at_point) or not isinstance(picture.hours, Hours):
        return picture
    kept = basin.less(several) if basin is not None else None
    taken = (*picture.taken, *more.wide)
    at_points = {point: [*draws] for point, draws in picture.taken_at.items()}
    for point, draw in more.at_point:
        at_points.setdefault(point, []).append(draw)
    steps = offers.free_steps((picture.hours.start, picture.hours.end), picture.limits, taken)
    return replace(picture, taken=taken, steps=steps, taken_at=at_points, tank=kept)


@dataclass(frozen=True)
class Asked:
    """The open days somebody would wait on, and on which of them the load fits now (``fits``) or ever (``holds``).

    ``too_late``: it could only come today, and no longer fits before the plant closes, whoever else comes.
    """

    days: tuple[date, ...]
    fits: tuple[date, ...]
    holds: bool
    why: str
    too_late: bool = False


def asked_days(plant: Plant, law: Law, terms: Terms, gallons: int, truck_id: int, span: tuple[date, date], at: datetime
               ) -> Asked:  # fmt: skip
    """The open days of a span for a load: whether it fits on one already, or is too large for each of them.

    ``why`` is what of the hauler's own stands against every day, "" when one is good.
    """
    days = capacity.days_ahead(law, at, count=FURTHEST.days, spans=[span])
    whys = {day: terms.why_not(day, gallons) for day in days}
    good = [day for day in days if not whys[day]]
    pictures, earliest = capacity.day_pictures(plant, law, good, at), capacity.next_minute(at)
    busy = busy_times(plant.id, truck_id, good, at)
    fits = [day for day in good if point_room.largest(
        point_room.rooms(pictures[day], terms.waste, terms.business_id, busy=busy), earliest
    ) >= gallons]  # fmt: skip
    holds = any(_in_one(one) >= gallons for one in pictures.values())
    too_late = bool(good) and not any(_in_time(pictures[day], gallons, earliest) for day in good)
    return Asked(tuple(days), tuple(fits), holds, "" if good else next(iter(whys.values()), ""), too_late)


def _in_one(picture: DayPicture) -> int:
    """The largest single load a day takes when nothing is booked; what a tank and a station hold is not one load."""
    if picture.tank is None or not isinstance(picture.hours, Hours):
        return picture.whole
    hours, station = picture.hours, any(one.is_station for one in picture.places)
    most = empty_takes(picture.tank.tank, (hours.start, hours.end), picture.limits)
    return max(most, picture.whole - picture.tank.tank.gallons if station else 0)


def _in_time(picture: DayPicture, gallons: int, earliest: datetime) -> bool:
    """Whether a day has not gone too far for a load: begun in the next minute it is done before the close."""
    if not isinstance(picture.hours, Hours) or picture.hours.start >= earliest:
        return True
    if picture.cap is None or not picture.cap.plan_gph:
        return earliest < picture.hours.end
    rate = picture.tank.tank.unload_gph if picture.at_tank and picture.tank else picture.cap.plan_gph
    return earliest + timedelta(minutes=offers.minutes(gallons, rate)) <= picture.hours.end
