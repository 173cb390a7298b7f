"""What a receiving point is, in the words people read on the booking page, the slip, the station and its own page."""

from datetime import time

from intake.queries.places import MANY, Place
from office import formats
from ordinances.screening import WASTE_TYPES


def facts(place: Place) -> str:
    """What a point takes, in one line: ``7:30 to 9:00 a.m., one truck at once, at most 300 gallons an hour``."""
    if not place.is_open:
        return "Closed"
    rule, parts = place.rule, []
    if rule is not None:
        if rule.opens or rule.closes:
            parts.append(_hours(rule.opens, rule.closes))
        if rule.trucks < MANY:
            parts.append(f"{formats.plural(rule.trucks, 'truck')} at once")
        if rule.max_gph is not None:
            parts.append(f"at most {formats.rate(rule.max_gph)}")
        if rule.changeover:
            parts.append(f"{formats.plural(rule.changeover, 'minute')} between two trucks")
    if place.into_tank:
        parts.append("into the receiving tank")
    if place.wastes:
        parts.append(f"only {' and '.join(WASTE_TYPES.get(one, one).lower() for one in place.wastes)} waste")
    words = ", ".join(parts) or "as the plant's hours and limit have it"
    return words[:1].upper() + words[1:]


def _hours(opens: time | None, closes: time | None) -> str:
    if opens and closes:
        return formats.span(opens, closes)
    return f"from {formats.clock_time(opens)}" if opens else f"until {formats.clock_time(closes or time.max)}"


def told_of(ended: int) -> str:
    """What the page says after a change that ended bookings: " 2 bookings ended, and the haulers are told."."""
    return f" {formats.plural(ended, 'booking')} ended, and the haulers are told." if ended else ""
