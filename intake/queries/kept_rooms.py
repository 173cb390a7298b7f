"""Freed room that is kept for those in line: whose turn it is, and what of a day it takes meanwhile.

It takes what any of those still in line would have of it, at each instant the most of theirs, so that whoever says yes
can have their time. All of it is derived from the rows and the clock.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from functools import cache
from itertools import pairwise
from typing import Any

from sqlalchemy import bindparam, select

from haulers.queries.out_since import Span, outs_of
from intake.models import FreedRoom, RoomOffer, Wait
from intake.states import Answer
from office.asked import cells
from office.db import db
from office.facts import seen
from ordinances.offers import Draw, Session
from ordinances.turns import Place, Turn, turns


@dataclass(frozen=True)
class Offer:
    """One place in line for a freed room: the rows and the turn. ``outs``: when its hauler had no approval."""

    row: RoomOffer
    wait: Wait
    room: FreedRoom
    turn: Turn
    outs: tuple[Span, ...] = ()

    @property
    def session(self) -> Session:
        return Session(self.row.starts, self.row.ends, self.row.gph, self.row.gallons, self.row.point_id)

    def local(self, zone: tzinfo) -> Session:
        """The session in the wall time of the plant."""
        one = self.session
        return replace(one, start=one.start.astimezone(zone), end=one.end.astimezone(zone))

    @property
    def gone(self) -> bool:
        """Whether it was answered, could not be had any more, or its place in the waiting list is over."""
        return not _is_live(self.row, self.wait)

    def is_out(self, at: datetime) -> bool:
        """Whether its hauler has no approval that holds."""
        return any(first <= at and (last is None or at < last) for first, last in self.outs)

    def is_open(self, at: datetime) -> bool:
        """Whether it is theirs to answer at an instant."""
        return self.turn.holds(at) and not self.gone

    def is_kept(self, at: datetime) -> bool:
        """Whether the room is kept for it: it is theirs to answer, or will be when those before say no."""
        return not self.turn.is_over(at) and not self.gone


def lines(plant_id: int, *, days: Collection[date] | None = None, room_id: int | None = None,
          since: datetime | None = None) -> list[list[Offer]]:  # fmt: skip
    """The lines of freed rooms, oldest room first: of some days, of one room, or with a time that starts after an
    instant. One query, and one where somebody may still answer.

    A hauler whose approval is revoked or suspended has no turn from then on: the room passes on at once, for good.
    """
    asked = {"days": None if days is None else list(days), "room_id": room_id, "since": since}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    by_room: dict[int, list[tuple[RoomOffer, Wait, FreedRoom]]] = {}
    for row in db.session.execute(_offers(frozenset(given)), given | {"plant_id": plant_id}):
        by_room.setdefault(row[2].id, []).append((row[0], row[1], row[2]))
    asked_of = {(wait.business_id, room.day) for rows in by_room.values() for _, wait, room in rows
                if any(_is_live(row, wait) for row, wait, _ in rows)}  # fmt: skip
    outs = outs_of(plant_id, asked_of)
    return [_line(rows, outs) for rows in by_room.values()]


@cache
def _offers(given: frozenset[str]) -> Any:
    later = select(RoomOffer.room_id).where(RoomOffer.starts > bindparam("since"))
    narrower: dict[str, Any] = {
        "days": FreedRoom.day.in_(bindparam("days", expanding=True)),
        "room_id": FreedRoom.id == bindparam("room_id"),
        "since": RoomOffer.room_id.in_(later),
    }
    query = (
        select(RoomOffer, Wait, FreedRoom).join(Wait, Wait.id == RoomOffer.wait_id)
        .join(FreedRoom, FreedRoom.id == RoomOffer.room_id)
        .where(FreedRoom.plant_id == bindparam("plant_id"), *(narrower[name] for name in sorted(given)))
    )  # fmt: skip
    # Read fresh: under a lock that was waited for, somebody may have answered meanwhile.
    return query.order_by(FreedRoom.id, RoomOffer.place).execution_options(populate_existing=True)


def _is_live(row: RoomOffer, wait: Wait) -> bool:
    return row.answered_at is None and row.lost_at is None and wait.ended_at is None


def _line(rows: Sequence[tuple[RoomOffer, Wait, FreedRoom]], outs: Mapping[tuple[int, date], tuple[Span, ...]]
          ) -> list[Offer]:  # fmt: skip
    room = rows[0][2]
    places = []
    for row, wait, _ in rows:
        over = min(filter(None, (row.answered_at, row.lost_at, wait.ended_at)), default=None)
        took = row.answer == Answer.YES.value
        places.append(Place(row.starts, over, took, () if took else outs.get((wait.business_id, room.day), ())))
    found = turns(room.freed_at, room.answer_hours, places)
    return [Offer(row, wait, room, turn, place.outs)
            for (row, wait, room), turn, place in zip(rows, found, places, strict=True)]  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """What is kept of a day, gallons an hour over time: of the plant's limit, and at each point."""

    wide: tuple[Draw, ...] = ()
    at_point: tuple[tuple[int, Draw], ...] = ()


def kept(plant_id: int, days: Collection[date], at: datetime, except_room: int | None = None,
         tank_id: int | None = None) -> dict[date, Kept]:  # fmt: skip
    """What the freed rooms of some days take at an instant; at a tank only a place, nothing of the limit. One query."""
    found = {day: Kept() for day in days}
    if not _any_freed(plant_id, tuple(sorted(found))):
        return found
    for line in lines(plant_id, days=days, since=at):
        if line[0].room.id != except_room:
            day = line[0].room.day
            mine = kept_of([one.session for one in line if one.is_kept(at)], tank_id)
            found[day] = Kept(found[day].wide + mine.wide, found[day].at_point + mine.at_point)
    return found


@seen
def _any_freed(plant_id: int, days: tuple[date, ...]) -> bool:
    """Whether any room of some days was freed for those in line: most plants, most of the time, have none."""
    return bool(cells(_freed(), plant_id=plant_id, days=days))


@cache
def _freed() -> Any:
    room = db.metadata.tables["freed_room"].c
    query = select(room.id).where(room.plant_id == bindparam("plant_id"))
    return query.where(room.day.in_(bindparam("days", expanding=True))).limit(1)


def kept_of(sessions: Sequence[Session], tank_id: int | None = None) -> Kept:
    """What is kept so that any one of some sessions can be had."""
    points = sorted({one.point for one in sessions if one.point is not None})
    return Kept(tuple(most(one for one in sessions if tank_id is None or one.point != tank_id)),
                tuple((point, draw) for point in points
                      for draw in most(one for one in sessions if one.point == point)))  # fmt: skip


def most(sessions: Iterable[Session]) -> list[Draw]:
    """At each instant the highest rate of some sessions: what is kept so that any one of them can be had."""
    several = list(sessions)
    edges = sorted({edge for one in several for edge in (one.start, one.end)})
    made = []
    for start, end in pairwise(edges):
        gph = max((one.gph for one in several if one.start <= start and end <= one.end), default=0)
        if gph:
            made.append(Draw(start, end, gph))
    return made
