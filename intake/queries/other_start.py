"""A start the hauler types: the session that begins in that minute, or in true words why none does (§ 329-7 F(3))."""

from datetime import UTC, datetime, time

from intake.queries import point_room
from intake.queries.no_fit import window_of_place
from intake.queries.offered import Offered
from office import formats
from ordinances.calendar import Hours
from ordinances.offers import NoFit, Session
from ordinances.reader import Law


def start_on(law: Law, found: Offered, gallons: int, clock: time) -> Session | str:
    """The session of a load that begins at a wall time of the day found, or a sentence without its full stop."""
    picture = found.picture
    if found.day is None or picture is None or not isinstance(picture.hours, Hours):
        return "Nothing is unloaded on that day"
    start = datetime.combine(found.day, clock, law.zone)
    if start.astimezone(UTC).astimezone(law.zone).time() != clock:
        return f"There is no {formats.clock_time(clock)} on {formats.day(found.day)}: the clock is put forward"
    outside = _outside(law, found, picture.hours, start)
    if outside:
        return outside
    one = point_room.starting(found.rooms, start, gallons)
    if isinstance(one, Session):
        return one
    return _why(found, start, gallons, one)


def _outside(law: Law, found: Offered, hours: Hours, start: datetime) -> str:
    """Why nothing begins at an instant, whatever is free: the hours where the load may go, or it has passed."""
    windows = [(one.place.name, span) for one in found.rooms if (span := window_of_place(hours, one.place))]
    if not any(span[0] <= start < span[1] for _, span in windows):
        whole = (hours.start, hours.end)
        said = dict.fromkeys(formats.span(*span, law.zone) + (f" at {name}" if span != whole else "")
                             for name, span in windows)  # fmt: skip
        return f"A load is unloaded {' or '.join(said) or 'at no time'} on that day"
    if found.earliest is not None and start < found.earliest:
        first = formats.clock_time(found.earliest, law.zone)
        return f"A booking starts in a minute to come: {first} or later"
    return ""


def _why(found: Offered, start: datetime, gallons: int, miss: NoFit | None) -> str:
    """The truck is taken then, or what is free is too little."""
    alone = point_room.starting(found.unshared, start, gallons)
    for busy, words in found.taken:
        if busy.start <= start < busy.end or (isinstance(alone, Session) and busy.meets(alone)):
            return words.rstrip(".")
    return miss.reason.rstrip(".") if miss is not None else "Nothing is free at this time"
