"""What a hauler is told of a booking made, moved or ended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from haulers import queries as haulers
from intake.models import Booking
from intake.queries.restrictions import full_stop
from office import formats
from office.notices import tell_party
from office.plants import Plant


def when_words(plant: Plant, sessions: Sequence[Any]) -> str:
    """``Wed, Oct 7, 7:45 a.m.``, both mornings of a split load."""
    starts = [getattr(one, "start", None) or one.starts for one in sessions]
    return " and ".join(f"{formats.day_short(s, plant.tz)}, {formats.clock_time(s, plant.tz)}" for s in starts)


def tell_booking(plant: Plant, booking: Booking, sessions: Sequence[Any], kind: str, word: str, at: datetime,
          note: str = "") -> None:  # fmt: skip
    party = haulers.party_of_business(booking.business_id)
    when = when_words(plant, sessions)
    subject = f"{word}: {when}, {formats.volume(booking.gallons)} ({booking.number})"
    lines = [f"{word} at {plant.name}: booking {booking.number}, {formats.volume(booking.gallons)}.", ""]
    for one in sessions:
        start, end = getattr(one, "start", None) or one.starts, getattr(one, "end", None) or one.ends
        when = f"{formats.day(start, plant.tz)}, {formats.span(start, end, plant.tz)}"
        lines.append(f"{when}: {formats.volume(one.gallons)} at {formats.rate(one.gph)}.")
    lines += ["", note] if note else []
    lines += ["", full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    tell_party(party, f"booking_{kind}", subject, "\n".join(lines), at, plant_id=plant.id)
