"""The load tickets a notice or a revocation rests on: whose they are, and how a letter names them."""

from collections.abc import Sequence

from haulers.ports import LoadLine, track_record
from office.formats import date_only, plural, volume
from office.plants import Plant
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES

LISTED = 8


def loads_known(plant: Plant, business_id: int, tickets: Sequence[str]) -> Refusal | None:
    """Why some load tickets cannot be named in a paper: they are not this hauler's."""
    strange = set(tickets) - {one.ticket for one in track_record().loads_of(plant.id, business_id)} if tickets else ()
    if not strange:
        return None
    return Refusal("not_their_load", f"Load ticket {min(strange)} is not one of this hauler's newest loads.", "")


def load_words(plant: Plant, business_id: int, tickets: Sequence[str]) -> list[str]:
    """The loads of some tickets as a letter lists them."""
    found = {one.ticket: one for one in track_record().loads_of(plant.id, business_id)} if tickets else {}
    return [ticket_words(found[ticket]) for ticket in tickets if ticket in found]


def ticket_words(one: LoadLine) -> str:
    """ "Load ticket 2026-00012: October 6, 2026, 1,000 gallons of septic tank waste", or that it was refused.

    A rate measured above the limit is named with it, and that its record names a place that is not approved.
    """
    what = "refused" if one.refused else f"{volume(one.gallons)} of {WASTE_TYPES[one.waste].lower()} waste"
    what += f", unloaded at {volume(one.over_gph)} an hour, above the limit" if one.over_gph else ""
    what += ", from a place that is not approved" if one.elsewhere else ""
    return f"Load ticket {one.ticket}: {date_only(one.day)}, {what}"


def shortened(lines: list[str], word: str) -> list[str]:
    """The first lines of a list, and how many more there are: a letter stays on its page."""
    more = len(lines) - LISTED
    return lines if more <= 0 else [*lines[:LISTED], f"and {plural(more, f'more {word}', f'more {word}s')}"]
