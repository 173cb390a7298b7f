"""What is said of a run that was laid out anew: on its ticket, at the gate, and to whose time it ran into."""

from collections.abc import Collection
from datetime import datetime

from haulers import queries as haulers
from intake.actions.pieces import Gate
from intake.models import Load
from intake.queries import capacity
from intake.queries.bookings import Group, booking_numbered
from intake.queries.capacity import Planned
from intake.queries.fitting import fit
from intake.queries.pieces import Layout
from intake.queries.restrictions import full_stop
from intake.queries.tank_met import losers, no_room_words
from intake.queries.words import sentence
from office import formats
from office.notices import tell_party
from office.plants import Plant
from ordinances.offers import Session

RUNS_OVER = "The load before yours runs over."
MORE_THAN_BOOKED = "A load before yours had more gallons than were booked for it."
AT_ANOTHER_RATE = "A load before yours runs at another rate than was planned."


def laid_words(plant: Plant, laid: Layout, whose: str = "") -> str:
    """How the gallons go on: until when they flow, why they stop, when the last ones fit.

    ``whose`` load begins then, for the operator; without it no other hauler is named.
    """
    said = []
    if laid.now is not None and laid.gives_way is None:
        until = formats.clock_time(laid.now.end, plant.tz)
        said.append(sentence(f"It runs until {until} at {formats.rate(laid.now.gph)}"))
    elif laid.gives_way is not None:
        when = formats.clock_time(laid.gives_way, plant.tz)
        said.append(sentence(f"Stop at {when}: {whose or laid.why}"))
    if laid.later is not None:
        span = formats.span(laid.later.start, laid.later.end, plant.tz)
        said.append(sentence(f"The last {formats.volume(laid.later.gallons)} "
                             f"{'fits' if laid.later.gallons == 1 else 'fit'} {span}"))  # fmt: skip
    if laid.lost:
        said.append(f"{formats.volume(laid.lost)} {'does' if laid.lost == 1 else 'do'} not fit today.")
    return " ".join(said)


def displaced(gate: Gate, load: Load, since: datetime, until: datetime) -> list[Planned]:
    """The booked times of others that this load ran into between two instants: their rate was not free then."""
    day = gate.at.astimezone(gate.plant.tz).date()
    return [
        one for one in capacity.planned(gate.plant.id, gate.at, [day])
        if one.starts < until and one.ends > since and one.booking_id != load.booking_id and not one.held
        and _has_no_room(gate, one, max(since, one.starts))
    ]  # fmt: skip


def tell_displaced(gate: Gate, several: list[Planned], why: str = RUNS_OVER) -> None:
    """Tell each hauler whose booked time was run into why, and from when on it may begin."""
    for one in several:
        _tell(gate, one, why)


def without_room(gate: Gate) -> dict[int, Group]:
    """The booked loads a receiving tank has no room for as things stand, by booking; none where there is no tank."""
    return {one.booking_id: one for one in losers(gate.plant, gate.law, gate.at)}


def tell_without_room(gate: Gate, before: Collection[int], told: list[Planned], why: str = MORE_THAN_BOOKED) -> None:
    """Tell each hauler whose load has lost its room in the tank to what ran into it unplanned, on whatever day.

    ``before`` are the bookings that had none before, ``told`` those who were told already when theirs may begin.
    """
    known = {*before, *(one.booking_id for one in told)}
    for ident, group in without_room(gate).items():
        if ident not in known:
            _tell_of_tank(gate, group, why)


def _tell_of_tank(gate: Gate, group: Group, why: str) -> None:
    first, plant = group.sessions[0], gate.plant
    lines = [f"{why} {no_room_words(plant, group)}", "",
             *(f"Booked: {formats.day_short(one.day)}, {formats.span(one.starts, one.ends, plant.tz)}, "
               f"{formats.volume(one.gallons)} ({one.number})." for one in group.sessions), "",
             "Move your booking to another time, or call the plant before you come.",
             full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    tell_party(haulers.party_of_business(first.business_id), "runs_over",
               f"The tank may have no room for your load ({first.number})", "\n".join(lines), gate.at,
               plant_id=plant.id)  # fmt: skip


def _has_no_room(gate: Gate, one: Planned, when: datetime) -> bool:
    """Whether its rate was, or is, not free at an instant because of what flows."""
    picture = capacity.day_picture(gate.plant, gate.law, one.day, gate.at, except_booking=one.booking_id)
    if picture.tank is not None and picture.tank.point_id == one.point_id:
        start = max(when, gate.at)
        return not picture.holds(one.point_id, Session(start, start + (one.ends - one.starts), one.gph, one.gallons))
    return any(step.start <= when < step.end and step.free < one.gph for step in picture.steps)


def _tell(gate: Gate, one: Planned, why: str) -> None:
    booking = booking_numbered(gate.plant.id, one.number)
    found = fit(gate.plant, gate.law, gate.at, one.gallons, booking=booking)
    first = found if isinstance(found, Session) else next(iter(found.details.get("sessions", ())), None)
    if first is not None:
        about = sentence(f"Your time may begin at about {formats.clock_time(first.start, gate.plant.tz)}")
    else:
        about = "Your load may not fit any more today: call the plant before you come."
    booked = formats.span(one.starts, one.ends, gate.plant.tz)
    lines = [f"{why} {about}", "",
             f"Booked: {formats.day_short(one.day)}, {booked}, {formats.volume(one.gallons)} ({one.number}).",
             full_stop(f"Questions: {gate.plant.phone}, {gate.plant.help_hours}")]  # fmt: skip
    party = haulers.party_of_business(one.business_id)
    tell_party(party, "runs_over", f"{why.rstrip('.')} ({one.number})", "\n".join(lines), gate.at,
               plant_id=gate.plant.id)  # fmt: skip
