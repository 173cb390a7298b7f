"""What a receiving point is, in the words people read on the booking page, the slip, the station and its own page."""

from collections.abc import Iterable
from datetime import date, time
from typing import Any

from intake.queries.places import MANY, Place, names_of, places_on
from intake.queries.tank import TANK
from office import formats
from office.plants import Plant
from ordinances.screening import WASTE_TYPES


def facts(place: Place, plain: str = "As the plant's hours and limit have it") -> str:
    """What a point takes, in one line: ``7:30 to 9:00 a.m., 1 truck at once, at most 300 gallons an hour``; ``plain``
    where nothing is set."""
    if place.kind == TANK and place.tank is None:
        return "Takes nothing until the tank is set"
    if not place.is_open:
        return "Closed"
    rule, parts = place.rule, list[str]()
    if place.tank is not None:
        parts.append(f"{formats.volume(place.tank.gallons)}, a truck unloads at {formats.rate(place.tank.unload_gph)}, "
                     f"bled at {formats.rate(place.tank.bleed_gph)}")  # fmt: skip
    if rule is not None:
        if rule.opens or rule.closes:
            parts.append(_hours(rule.opens, rule.closes))
        if rule.trucks < MANY:
            parts.append(f"{formats.plural(rule.trucks, 'truck')} at once")
        if rule.max_gph is not None:
            parts.append(f"at most {formats.rate(rule.max_gph)}")
        if rule.changeover:
            parts.append(f"{formats.plural(rule.changeover, 'minute')} between two trucks")
    if place.wastes:
        parts.append(f"only {' and '.join(WASTE_TYPES.get(one, one).lower() for one in place.wastes)} waste")
    words = ", ".join(parts)
    return words[:1].upper() + words[1:] or plain


def _hours(opens: time | None, closes: time | None) -> str:
    if opens and closes:
        return formats.span(opens, closes)
    return f"from {formats.clock_time(opens)}" if opens else f"until {formats.clock_time(closes or time.max)}"


def places_told(plant: Plant, sessions: Iterable[Any]) -> list[Place]:
    """The points some sessions (planned or offered) are at, as far as people must be told: which of several, and what
    its conditions are. Empty at a plant with one point and no conditions."""
    parts = [(_day(plant, one), point_of(one)) for one in sessions]
    days = places_on(plant.id, {day for day, _ in parts})
    found: dict[int, Place] = {}
    for day, point_id in parts:
        for place in days[day]:
            mine = place.id == point_id or (point_id is None and len(days[day]) == 1)
            if mine and (len(days[day]) > 1 or place.conditions):
                found.setdefault(place.id, place)
    return list(found.values())


def names_told(plant_id: int) -> dict[int, str]:
    """The names of the plant's points by id, where it has several; with one alone there is nothing to name."""
    found = names_of(plant_id)
    return found if len(found) > 1 else {}


def _day(plant: Plant, one: Any) -> date:
    start = getattr(one, "start", None) or one.starts
    day: date = start.astimezone(plant.tz).date()
    return day


def point_of(one: Any) -> int | None:
    """The point of a session, planned or only offered."""
    found: int | None = one.point_id if hasattr(one, "point_id") else one.point
    return found


def choices(plant: Plant, business_id: int, today: date) -> list[tuple[str, str, str]]:
    """Where a hauler may ask to unload: value, name and what it takes; empty where there is nothing to choose."""
    places = [one for one in places_on(plant.id, [today])[today] if one.is_open]
    stations = [one for one in places if not one.is_manhole]
    manholes = [one for one in places if any(
        permit.until >= today and permit.business_id in (None, business_id) for permit in one.permits)]  # fmt: skip
    if len(stations) < 2 and not manholes:
        return []
    whole = [("any", "Wherever it is done first" if len(stations) > 1 else stations[0].name if stations else "", "")]
    several = stations if len(stations) > 1 else []
    return whole * bool(stations) + [
        (str(one.id), one.name, "Supervised by the plant" if one.is_manhole else facts(one, ""))
        for one in (*several, *manholes)
    ]


def told_of(ended: int) -> str:
    """What the page says after a change that took times away."""
    if not ended:
        return ""
    whose, told = ("its", "its hauler is") if ended == 1 else ("their", "their haulers are")
    return f" {formats.plural(ended, 'booking')} lost {whose} time, and {told} told."
