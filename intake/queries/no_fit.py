"""Why a load fits no start of a day: how long it takes where, and what stands against each start (§ 329-7 C(1), F(3)).

At a point with its own rate or hours these are said, not the plant's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from intake.queries.capacity import DayPicture
from intake.queries.offered import Offered
from intake.queries.places import Place
from intake.queries.tank_room import empty_takes
from office import formats
from ordinances import offers
from ordinances.calendar import Hours
from ordinances.offers import Draw, NoFit
from ordinances.points import point_steps, window_of

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Need:
    """What a load asks of a place: its limit in gallons an hour, the minutes at that rate, its hours.

    ``where`` is "" where the plant's own limit and hours count; ``whole`` the largest load it takes on an empty day;
    ``holds`` the gallons of a tank.
    """

    where: str
    limit: int
    minutes: int
    window: tuple[datetime, datetime]
    whole: int
    holds: int = 0

    @property
    def open(self) -> int:
        """Minutes of its hours."""
        return int((self.window[1] - self.window[0]) / MINUTE)


@dataclass(frozen=True)
class Against:
    """One reason and the starts for which it holds, in words."""

    starts: str
    words: str


def window_of_place(hours: Hours, place: Place) -> tuple[datetime, datetime] | None:
    """The hours of a point on a day, its own inside the plant's; None where nothing is left of them."""
    return window_of(place.rule, hours) if place.rule else (hours.start, hours.end)


def needs(found: Offered, gallons: int) -> tuple[Need, ...]:
    """What the load asks of the plant where a point in question has the plant's rate and hours, else of each point."""
    picture = found.picture
    if picture is None or picture.cap is None:
        return ()
    made = [one for room in found.rooms if (one := _need(picture, room.place, gallons)) is not None]
    plain = [one for one in made if not one.where]
    return tuple(plain[:1] or made)


def _need(picture: DayPicture, place: Place, gallons: int) -> Need | None:
    hours = picture.hours
    window = window_of_place(hours, place) if isinstance(hours, Hours) else None
    if window is None or not isinstance(hours, Hours) or picture.cap is None:
        return None
    if place.tank is not None:
        rate, most = place.tank.unload_gph, empty_takes(place.tank, window, picture.cap.limits)
        return Need(place.name, rate, offers.minutes(gallons, rate), window, most, place.tank.gallons)
    steps = offers.free_steps(window, picture.limits, [])
    left = [one for one in steps if one.end > picture.now] or steps
    plants = max((int(one.cap) for one in left), default=0)
    own = place.rule.max_gph if place.rule is not None else None
    limit = plants if own is None else min(plants, own)
    if not limit:
        return None
    narrow = limit < plants or window != (hours.start, hours.end)
    return Need(place.name if narrow else "", limit, offers.minutes(gallons, limit), window,
                _whole(place, hours, picture.cap.limits))  # fmt: skip


def _whole(place: Place, hours: Hours, limits: Sequence[Draw]) -> int:
    steps = offers.free_steps((hours.start, hours.end), limits, [])
    return offers.largest_single(point_steps(place.rule, hours, steps, ()) if place.rule else steps)


def against(found: Offered, gallons: int) -> tuple[Against, ...]:
    """Every reason that holds on the day, each once, with the starts for which it holds, in the order of the first."""
    every = [one.start for one in found.misses]
    after = dict(pairwise(every))
    grouped: dict[str, list[NoFit]] = {}
    for one in found.misses:
        grouped.setdefault(_kind(found, one), []).append(one)
    return tuple(Against(_starts([one.start for one in several], after), _words(kind, several, gallons))
                 for kind, several in grouped.items())  # fmt: skip


def _kind(found: Offered, one: NoFit) -> str:
    """The truck's own words, "room" where a smaller load would fit, else "" for nothing free."""
    return one.reason if one.reason in found.busy else "room" if one.free else ""


def _words(kind: str, several: Sequence[NoFit], gallons: int) -> str:
    if kind == "room":
        return f"Room for {formats.volume(max(one.free for one in several))} at most, not {gallons:,}."
    return kind or "Nothing is free."


def _starts(several: Sequence[datetime], after: dict[datetime, datetime]) -> str:
    """Starts that follow one another as a span, the others each by itself."""
    spans: list[list[datetime]] = []
    for start in several:
        if spans and after.get(spans[-1][-1]) == start:
            spans[-1].append(start)
        else:
            spans.append([start])
    return ", ".join(formats.clock_time(one[0]) if len(one) == 1 else formats.span(one[0], one[-1]) for one in spans)
