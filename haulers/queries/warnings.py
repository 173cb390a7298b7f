"""What an application should be warned of before it is sent. None of it keeps it from being sent."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from haulers.models import Truck
from haulers.queries.applications import SourceLine
from office.formats import gallons, volume
from ordinances.calendar import Season, next_open_day
from ordinances.rate_cap import cap_on, window_gallons
from ordinances.reader import Law


@dataclass(frozen=True)
class Warned:
    """One sentence about one source, with its section where it rests on the law."""

    sentence: str
    cite: str = ""


def load_warnings(sources: Sequence[SourceLine], trucks: Collection[Truck], law: Law, season: Season) -> list[Warned]:
    """Loads larger than the largest truck, or than one day takes at the limit (§ 329-7 C(2), F(3)); gallons."""
    most = max((truck.capacity for truck in trucks), default=0)
    day = next_open_day(law, season.start - timedelta(days=1))
    cap = cap_on(law, day)
    takes = window_gallons(law, day, cap)
    found = []
    for at, source in enumerate(sources, start=1):
        load = source.gallons_a_load or 0
        said = f"Source {at}: {volume(load)} a load is more than"
        if most and load > most:
            found.append(Warned(f"{said} your largest truck holds ({volume(most)})."))
        if load > takes:
            found.append(Warned(f"{said} one day takes ({volume(takes)} at {gallons(cap.plan_gph)} an hour): "
                                "it would need several mornings.", cap.cite))  # fmt: skip
    return found
