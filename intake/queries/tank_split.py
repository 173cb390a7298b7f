"""A load over several days at a plant with a receiving tank: what comes on one day leaves less room on the next."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce

from intake.queries.point_room import Room
from office import formats
from ordinances.offers import Session
from ordinances.refusal import Refusal


def over_days(rooms: Sequence[Room | None], gallons: int, earliest: datetime, cite: str
              ) -> tuple[Session, ...] | Refusal:  # fmt: skip
    """A load over as few days following one another in the list as can hold it, the earliest such days first.

    ``rooms`` is the point with the most room of each day. Each day but the last takes the largest single load it has.
    Refused: no_room, with ``details`` fits.
    """
    found = [_from(rooms[first:], gallons, earliest) for first in range(len(rooms))]
    whole = [made for made, left in found if not left]
    if whole:
        return min(whole, key=len)
    fits = max((gallons - left for _, left in found), default=0)
    why = (f"{formats.volume(gallons)} {'does' if gallons == 1 else 'do'} not fit into the days listed: together they "
           f"have room for {formats.gallons(fits)}.")  # fmt: skip
    return Refusal("no_room", why, cite, details={"fits": fits})


def _from(rooms: Sequence[Room | None], gallons: int, earliest: datetime) -> tuple[tuple[Session, ...], int]:
    """What the days from the first on take of a load, one after the other, and the gallons that are left."""
    made: list[Session] = []
    for whole in rooms:
        if whole is None:
            break
        room = reduce(Room.after, made, whole)
        part = min(gallons, room.largest(earliest))
        if not part:
            break
        made.append(min(room.offers(part, earliest)[0], key=lambda one: (one.end, one.start)))
        gallons -= part
        if not gallons:
            break
    return tuple(made), gallons
