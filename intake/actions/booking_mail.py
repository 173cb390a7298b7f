"""What a hauler is told of a booking made, moved or ended."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from haulers import queries as haulers
from intake.models import Booking
from intake.queries.bookings import opened_days
from intake.queries.point_words import names_told, point_of
from intake.queries.restrictions import full_stop
from office import formats
from office.notices import tell_party
from office.plants import Plant

UNLOADED_STAYS = "What was unloaded stays as the ticket says."


def when_words(plant: Plant, sessions: Sequence[Any]) -> str:
    """``Wed, Oct 7, 7:45 a.m.``, both mornings of a split load."""
    starts = [getattr(one, "start", None) or one.starts for one in sessions]
    return " and ".join(f"{formats.day_short(s, plant.tz)}, {formats.clock_time(s, plant.tz)}" for s in starts)


def tell_booking(plant: Plant, booking: Booking, sessions: Sequence[Any], kind: str, word: str, at: datetime,
          note: str = "") -> None:  # fmt: skip
    """One notice of what was done with the whole booking."""
    subject = f"{word}: {when_words(plant, sessions)}, {formats.volume(booking.gallons)} ({booking.number})"
    head = f"{word} at {plant.name}: booking {booking.number}, {formats.volume(booking.gallons)}."
    lines = [head, "", *time_lines(plant, sessions)]
    lines += ["", f"Driver: {booking.driver}"] if booking.driver and kind == "booked" else []
    if booking.by_phone and kind == "booked":
        lines += ["", f"Booked by phone, entered by {booking.made_by}."]
    _tell(plant, booking, kind, subject, [*lines, *(["", note] if note else [])], at)


def tell_cancelled_part(plant: Plant, booking: Booking, gone: Sequence[Any], left: Sequence[Any], at: datetime,
                        note: str = "") -> None:  # fmt: skip
    """Mornings of a split load are given up; the booking holds the gallons of the rest. What ran stays as it is."""
    subject = f"Cancelled in part: {when_words(plant, gone)} ({booking.number})"
    times = "One time" if len(gone) == 1 else f"{len(gone)} times"
    lines = [f"{times} of booking {booking.number} at {plant.name} {'is' if len(gone) == 1 else 'are'} cancelled:",
             *time_lines(plant, gone), ""]  # fmt: skip
    ran = opened_days(booking.id)
    to_come = [one for one in left if one.day not in ran]
    if to_come:
        stays = formats.volume(sum(one.gallons for one in to_come))
        lines += [f"It stays booked for {stays}:", *time_lines(plant, to_come)]
    if ran:
        lines += [*([""] if to_come else []), UNLOADED_STAYS]
    lines += [] if to_come else ["Nothing more is booked for this load."]
    _tell(plant, booking, "cancelled", subject, [*lines, *(["", note] if note else [])], at)


def tell_moved(plant: Plant, booking: Booking, gone: Sequence[Any], came: Sequence[Any], stays: Sequence[Any],
               at: datetime, note: str = "") -> None:  # fmt: skip
    """The booking has another time under the same number; what of it stays is said too."""
    subject = f"Moved: from {when_words(plant, gone)} to {when_words(plant, came)} ({booking.number})"
    lines = [f"Booking {booking.number} at {plant.name} is moved.", "", "It was:", *time_lines(plant, gone), "",
             "It is now:", *time_lines(plant, came)]  # fmt: skip
    ran = opened_days(booking.id)
    to_come = [one for one in stays if one.day not in ran]
    lines += ["", "As before:", *time_lines(plant, to_come)] if to_come else []
    lines += ["", UNLOADED_STAYS] if ran else []
    _tell(plant, booking, "moved", subject, [*lines, *(["", note] if note else [])], at)


def time_lines(plant: Plant, sessions: Iterable[Any]) -> list[str]:
    """Each session with its day, span, gallons and rate, and its point at a plant with several."""
    lines, names = [], names_told(plant.id)
    for one in sessions:
        start, end = getattr(one, "start", None) or one.starts, getattr(one, "end", None) or one.ends
        when = f"{formats.day(start, plant.tz)}, {formats.span(start, end, plant.tz)}"
        where = names.get(point_of(one) or 0)
        when = f"{when}, {where}" if where else when
        lines.append(f"{when}: {formats.volume(one.gallons)} at {formats.rate(one.gph)}.")
    return lines


def _tell(plant: Plant, booking: Booking, kind: str, subject: str, lines: Sequence[str], at: datetime) -> None:
    party = haulers.party_of_business(booking.business_id)
    foot = ["", full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    tell_party(party, f"booking_{kind}", subject, "\n".join([*lines, *foot]), at, plant_id=plant.id)
