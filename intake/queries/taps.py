"""What one tap on the station's board did, what takes it back, and which rates the board offers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from intake.models import Load
from intake.queries.loads import Running
from intake.queries.station import Today
from office.formats import rate

# How long the board offers to take back what was done with one tap.
LONG = timedelta(minutes=10)
# How many rates are offered: equal parts of what the others leave of the limit, up to all of it.
PARTS = 4
BACK = {"paused": ("Undo: resume", "load_resume"), "began": ("Undo: pause it", "load_pause"),
        "resumed": ("Undo: pause it", "load_pause")}  # fmt: skip


@dataclass(frozen=True)
class Undo:
    """A button that takes the last tap back: its words, the page it goes to, whose, and what it sends."""

    words: str
    page: str
    ticket: str | None
    value: str = "now"
    rate: bool = False


def offered(today: Today, one: Running) -> list[int]:
    """Rates to choose from for a truck that flows, gallons an hour: parts of what the others leave of the limit now.

    None where it unloads into a tank, whose valve has the plant's rate, or where it must stop.
    """
    cap, run = today.picture.cap, one.run
    into_tank = today.tank is not None and run.point_id == today.tank.basin.point_id
    if cap is None or into_tank or one.waits or today.must_stop(one):
        return []
    free = cap.plan_at(today.picture.now) - (today.in_use - run.gph)
    place = next((place for place in today.picture.places if place.id == run.point_id), None)
    if place is not None and place.rule is not None and place.rule.max_gph is not None:
        beside = sum(other.run.gph for other in today.running if other.run.point_id == run.point_id) - run.gph
        free = min(free, place.rule.max_gph - beside)
    return sorted({int(free * part // PARTS) for part in range(1, PARTS + 1)} - {run.gph, 0}) if free > 0 else []


def undo(today: Today, asked: Mapping[str, str]) -> Undo | None:
    """What takes back the act that led to the board with ``did``, ``load`` and, for a rate, ``was``; None once over."""
    did, ticket, was = asked.get("did", ""), asked.get("load", ""), asked.get("was", "")
    if did == "stopped":
        several = paused_of(today, ticket)
        return Undo("Undo: let them go on", "station_resume_all", None, ticket) if several else None
    one = next((one for one in (today.paused if did == "paused" else today.running) if one.load.ticket == ticket), None)
    if one is None or today.must_stop(one) or (did != "paused" and one.run.starts < today.picture.now - LONG):
        return None
    if did == "rate" and was.isdecimal() and len(was) < 7 and 0 < int(was) != one.run.gph:
        return Undo(f"Undo: back to {rate(int(was))}", "load_rate", ticket, str(int(was)), rate=True)
    return Undo(*BACK[did], ticket) if did in BACK else None


def paused_of(today: Today, tickets: str) -> list[Load]:
    """The loads of these tickets that were paused this morning and may go on."""
    named = set(tickets.split())
    return [one.load for one in today.paused
            if one.load.ticket in named and one.run.day == today.picture.day and not today.must_stop(one)]  # fmt: skip
