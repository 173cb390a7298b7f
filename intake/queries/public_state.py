"""The facts behind what the plant says to everybody: is anything accepted now, since when, what is restricted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from sqlalchemy import func, select

from intake.models import Restriction
from intake.queries import restrictions
from intake.queries.capacity import DayPicture
from intake.queries.places import Place, for_all, places_through
from intake.queries.restriction_words import point_names, public_words
from office.db import db
from office.plants import Plant
from ordinances.calendar import Hours, dump_hours, shut_now, shut_part
from ordinances.reader import Law
from ordinances.screening import WASTE_TYPES, waste_allowed


@dataclass(frozen=True)
class InForce:
    """A restriction in force, in words that name nobody: what is not taken, why, since when, said last."""

    restriction: Restriction
    words: str
    reason: str
    said: str


@dataclass(frozen=True)
class Facts:
    """``accepting`` as the gate answers an approved hauler's truck with an allowed waste at the same instant.

    ``since`` is when the state began, ``next_open`` the next opening of the plant, after a closed part of today too
    (None while its hours run, or where no open day is planned).
    """

    accepting: bool
    since: datetime
    next_open: datetime | None
    in_force: tuple[InForce, ...]


def facts(plant: Plant, law: Law, here: DayPicture, shown: DayPicture | None, at: datetime) -> Facts:
    """The facts at an instant, of today's picture and that of the day shown. Three queries, one more a restriction."""
    rows = restrictions.in_force(plant.id, at)
    names = point_names(rows)
    found = tuple(InForce(row, public_words(row, names), restrictions.words_of(row.reason),
                          restrictions.last_words(row)) for row in rows)  # fmt: skip
    hours = here.hours
    running = isinstance(hours, Hours) and hours.start <= at < hours.end and not no_point(law, here)
    part = shut_part(law, here.day) if running and shut_now(law, at) is not None else None
    accepting = running and part is None and here.shut_whole(law) is None
    next_open = _open_after(law, part[0].end, rows, at) if part is not None else None
    if not running and shown is not None and isinstance(shown.hours, Hours):
        next_open = _open_after(law, shown.hours.start, rows, at)
    return Facts(accepting, _since(plant, law, here, rows, at), next_open, found)


def no_point(law: Law, here: DayPicture) -> bool:
    """Whether the manager has set every station of the day closed, or for no waste the law allows (§ 329-7 C(1)).

    A manhole is for whom it is permitted, not for all; of a plant without any point the gate says nothing."""
    return _none_takes(law, here.day, here.places)


def _none_takes(law: Law, day: date, places: Sequence[Place]) -> bool:
    allowed = [one for one in WASTE_TYPES if waste_allowed(law, day, one) is None] if places else []
    return bool(places) and not any(any(map(one.takes, allowed)) for one in for_all(places))


def _open_after(law: Law, opens: datetime, rows: Sequence[Restriction], at: datetime) -> datetime | None:
    """The opening, or the first one after everything is planned to be restricted; None where none is planned."""
    until = max((restrictions.planned_until(row, law, at) for row in rows if row.scope == "everything"), default=opens)
    if until <= opens:
        return opens
    first = until.astimezone(law.zone).date()
    for n in range(15):
        hours = dump_hours(law, first + timedelta(days=n))
        if isinstance(hours, Hours) and hours.end > until:
            return max(hours.start, until)
    return None


def _since(plant: Plant, law: Law, here: DayPicture, rows: Sequence[Restriction], at: datetime) -> datetime:
    """The last instant at which what is said changed: the day's edge, its hours', a closed part's, a restriction's."""
    edges = [_day_edge(law, here), *_points_edges(plant, law, here)]
    if isinstance(here.hours, Hours):
        edges += [here.hours.end] if no_point(law, here) else [here.hours.start, here.hours.end]
        part = shut_part(law, here.day)
        edges += [part[0].start, part[0].end] if part is not None else []
    edges += [row.starts for row in rows]
    lifted = select(func.max(Restriction.lifted_at)).where(Restriction.plant_id == plant.id)
    last = db.session.scalars(lifted.where(Restriction.lifted_at <= at)).first()
    edges += [last] if last is not None else []
    return max(edge for edge in edges if edge <= at)


def _points_edges(plant: Plant, law: Law, here: DayPicture) -> list[datetime]:
    """When today the last station was closed, or the first opened again, beside what is restricted there."""
    states = [(moment, (_none_takes(law, here.day, places),
                        restrictions.shutting(law, here.day, here.narrower, for_all(places)) is not None))
              for moment, places in places_through(plant.id, here.day)]  # fmt: skip
    return [moment for (_, before), (moment, after) in pairwise(states) if before != after]


def _day_edge(law: Law, here: DayPicture) -> datetime:
    """The midnight that changed the words, on a weekend the close of the last open day, or the law that says no."""
    if isinstance(here.hours, Hours) or {here.day, here.day - timedelta(days=1)} & set(law.closures):
        return _midnight(law, here.day)
    if here.hours.code in ("not_accepted", "by_agreement"):
        return _midnight(law, law.row("programme.kind", here.day).since)
    for n in range(1, 15):
        hours = dump_hours(law, here.day - timedelta(days=n))
        if isinstance(hours, Hours):
            return hours.end
    return _midnight(law, here.day)


def _midnight(law: Law, day: date) -> datetime:
    return datetime.combine(day, time(0), law.zone)
