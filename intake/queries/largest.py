"""At which point the largest single load of a day fits, where a plant has several and not all take it."""

from intake.queries.capacity import DayPicture
from office import formats


def largest_at(picture: DayPicture) -> str:
    """The names of the stations that take the day's largest single load; "" where every one does, or there is one."""
    places = [one for one in picture.places if one.is_open and not one.is_manhole]
    if len(places) < 2 or not picture.largest:
        return ""
    most = [picture.largest_at(one) for one in places]
    best = [one.name for one, gallons in zip(places, most, strict=True) if gallons == picture.largest]
    return "" if len(best) == len(places) else " or ".join(best)


def largest_words(picture: DayPicture) -> str:
    """``1,021`` or ``600, at Old station``: the largest single load from now on, gallons."""
    where = largest_at(picture)
    return formats.gallons(picture.largest) + (f", at {where}" if where else "")
