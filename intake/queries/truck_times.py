"""When a truck is taken already: it stands in one place at a time, whichever of its haulers booked it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from intake.queries.capacity import planned, runs_on
from intake.queries.restrictions import full_stop
from office import formats
from office.plants import Plant
from ordinances import offers
from ordinances.offers import Session, Step
from ordinances.refusal import Refusal


@dataclass(frozen=True)
class Busy:
    """A span in which a truck is booked or unloads; ``name`` is "booking B-1006-01" or "load 2026-00001"."""

    day: date
    start: datetime
    end: datetime
    business_id: int | None
    name: str

    def meets(self, one: Session) -> bool:
        """Whether a session shares a minute with it."""
        return one.start < self.end and self.start < one.end

    def words(self, plate: str, business_id: int, zone: ZoneInfo) -> str:
        """Which truck, when, and what it is: another hauler's is not named."""
        when = f"{formats.day_short(self.start, zone)}, {formats.span(self.start, self.end, zone)}"
        if self.business_id == business_id:
            return f"Truck {plate} is taken {when}: {self.name}."
        return full_stop(f"Another hauler who uses truck {plate} has it {when}")


def busy_times(
    plant_id: int, truck_id: int, days: Collection[date], at: datetime, except_booking: int | None = None
) -> list[Busy]:
    """The spans of some days in which a truck is taken at a plant, first one first. Two queries, none where the
    picture of these days was asked for before."""
    found = [
        Busy(one.day, one.starts, one.ends, one.business_id, f"booking {one.number}")
        for one in planned(plant_id, at, days, truck_id=truck_id, except_booking=except_booking)
    ]
    found += [Busy(one.day, one.starts, one.ends, one.business_id, f"load {one.ticket}")
              for one in runs_on(plant_id, days) if one.truck_id == truck_id and one.ends > at]  # fmt: skip
    return sorted(found, key=lambda one: (one.start, one.name))


def truck_taken(plant: Plant, truck: Any, business_id: int, sessions: Sequence[Session], at: datetime,
                except_booking: int | None = None) -> Refusal | None:  # fmt: skip
    """Why a truck cannot unload in these sessions: it is booked or unloading in one of their minutes."""
    days = {one.start.astimezone(plant.tz).date() for one in sessions}
    for one in busy_times(plant.id, truck.id, days, at, except_booking):
        if any(one.meets(session) for session in sessions):
            return Refusal("truck_taken", one.words(truck.plate, business_id, plant.tz), "",
                           next_step="Choose another time, or another truck.")  # fmt: skip
    return None


def steps_for(steps: Sequence[Step], busy: Iterable[Busy]) -> tuple[Step, ...]:
    """What is free for a truck: nothing while it is taken, so that an offer is one of the plant's or none."""
    spans = tuple((one.start, one.end) for one in busy)
    if not isinstance(steps, offers.Steps):
        return _less(steps, spans)
    found: tuple[Step, ...] = offers.once(steps, ("less", spans), lambda: _less(steps, spans))
    return found


def _less(steps: Sequence[Step], busy: Iterable[tuple[datetime, datetime]]) -> tuple[Step, ...]:
    for start, end in busy:
        zone = steps[0].start.tzinfo
        cuts = (start.astimezone(zone), end.astimezone(zone))
        steps = [part for step in steps for part in _without(step, *cuts)]
    return offers.Steps(steps)


def _without(step: Step, first: datetime, last: datetime) -> list[Step]:
    if step.end <= first or last <= step.start:
        return [step]
    edges = sorted({step.start, step.end, *(cut for cut in (first, last) if step.start < cut < step.end)})
    return [
        replace(step, start=start, end=end, free=0 if first <= start and end <= last else step.free)
        for start, end in pairwise(edges)
    ]
