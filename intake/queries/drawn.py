"""The day as a page of times draws it: the plant's, or the one point's where only one is in question (§ 329-7 C(1))."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from intake.queries.capacity import DayPicture
from intake.queries.point_room import Room
from ordinances.calendar import Hours
from ordinances.offers import Draw, Step, free_steps
from ordinances.points import window_of


@dataclass(frozen=True)
class Drawn:
    """What is drawn: a day's picture, the gallons an hour of its whole height, and the point it is of ("": the plant).

    At a point a truck that stands in the only place takes all of it, and what is left of the plant's limit bounds it.
    """

    picture: DayPicture
    gph: int
    where: str = ""


def drawn(picture: DayPicture, rooms: Sequence[Room]) -> Drawn:
    """The picture of a day whose times are offered in some rooms."""
    plan = picture.cap.plan_gph if picture.cap is not None else 0
    one = rooms[0] if len(rooms) == 1 else None
    if one is not None and one.tank is not None and any(place.is_station for place in picture.places):
        return Drawn(replace(picture, places=(one.place,)), plan, one.place.name if one.named else "")
    if one is None or one.place.rule is None or one.tank is not None or not isinstance(picture.hours, Hours):
        return Drawn(picture, plan)
    window = window_of(one.place.rule, picture.hours)
    if window is None:
        return Drawn(picture, plan)
    most = one.place.rule.max_gph or plan
    limits = [*(Draw(step.start, step.end, step.cap) for step in picture.steps), Draw(*window, most)]
    caps = free_steps(window, limits, [])
    narrow = replace(picture, steps=_under(caps, one.steps), places=(), tank=None)
    return Drawn(narrow, min(plan, most), one.place.name if one.named else "")


def _under(caps: Sequence[Step], free: Sequence[Step]) -> tuple[Step, ...]:
    """The limit at a point over its hours, each piece with what is free in it."""
    edges = sorted({edge for one in (*caps, *free) for edge in (one.start, one.end)})
    found = []
    for start, end in pairwise(edges):
        cap = next((one.cap for one in caps if one.start <= start and end <= one.end), None)
        if cap is not None:
            left = next((one.free for one in free if one.start <= start and end <= one.end), 0)
            found.append(Step(start, end, left, cap))
    return tuple(found)
