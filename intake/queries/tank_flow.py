"""What a receiving tank's valve has let into the sewer, as reckoned from one reading to the next (§ 329-7 F(3))."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise

from intake.queries.tank import as_tank, readings, terms_of_tank
from intake.queries.tank_met import tank_place
from intake.queries.tank_room import Asked, basin
from office.plants import Plant
from ordinances.offers import Draw
from ordinances.reader import Law
from ordinances.tank import Stretch
from ordinances.ticks import instant, plain, tick

# More readings than anybody takes in the days a picture shows.
MANY = 1_000


def bled_on(plant: Plant, law: Law, days: Sequence[date], at: datetime) -> list[tuple[date, Draw]]:
    """The bleed on some days until an instant, each with its day; nothing is known of it before the first reading."""
    place = tank_place(plant.id)
    if place is None or not days:
        return []
    rows, terms = readings(place.id, MANY)[::-1], terms_of_tank(place.id)
    found: list[tuple[date, Draw]] = []
    for row, until in pairwise([*rows, None]):
        end = min(at, until.read_at) if until is not None else at
        if row is None or end <= row.read_at or end.astimezone(law.zone).date() < min(days):
            continue
        tank = next((as_tank(one) for one in terms if one.set_at <= row.read_at), None)
        asked = Asked(tank=tank, held=row.gallons, since=row.read_at)
        then = basin(plant, law, end, place, (), asked)
        for one in then.plan.course.stretches if then is not None else ():
            found += [(draw.start.date(), draw) for draw in _draws(one, tick(end), law)]
    return [(day, draw) for day, draw in found if day in set(days)]


def _draws(one: Stretch, until: int, law: Law) -> Iterator[Draw]:
    """The bleed of a stretch: at its limit until the tank is empty, then what comes."""
    last = min(one.end, until)
    empty = last
    if one.flow_in < one.limit:
        empty = min(last, one.start + int(one.level // (one.limit - one.flow_in)))
    for start, end, rate in ((one.start, empty, one.limit), (max(one.start, empty), last, min(one.flow_in, one.limit))):
        if start < end and rate:
            yield Draw(instant(start, law.zone), instant(end, law.zone), plain(rate))
