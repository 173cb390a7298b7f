"""When recorded flow moves the limit: bookings that no longer fit are listed to the Director, their haulers told.

None is dropped: each stands until the Director takes its time, or until the limit rises again (§ 329-7 F(3)).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.actions.freed import days_waited_for, offer_anywhere, tell_lost_offers
from intake.actions.turning_down import over_it, tell_turn_down
from intake.queries import capacity
from intake.queries.calendar_met import Lost
from intake.queries.limit_met import over_now
from intake.queries.restrictions import full_stop
from office import formats
from office.access import Role
from office.notices import tell_party, tell_role
from office.plants import Plant
from ordinances.flows import reads_meter
from ordinances.reader import Law, NoLaw

STANDS = "It stands until the plant decides: the limit follows the plant's recorded flow and may rise again."


@dataclass(frozen=True)
class Before:
    """What was over the limit before a reading is written: bookings by number, and ids of the loads that run."""

    booked: dict[str, Lost]
    running: frozenset[int]


def over_before(plant: Plant, at: datetime) -> Before | None:
    """What is over the limit before a reading is written; None where no reading moves the limit of any day that
    somebody has booked, runs on or waits for."""
    law = _law(plant, at)
    if law is None:
        return None
    days = {one.day for one in capacity.planned(plant.id, at, since=at)}
    days |= {at.astimezone(plant.tz).date(), *days_waited_for(plant, at, law)}
    if not any(law.has("rate.flow_gpd", day) and reads_meter(law, day) for day in days):
        return None
    return Before({one.number: one for one in over_now(plant, law, at)}, over_it(plant, law, at))


def tell_of_limit(plant: Plant, before: Before | None, at: datetime) -> None:
    """After readings are written: tell the Director and each hauler of what no longer fits, and of what fits again; the
    operators which trucks to turn down; who waits in line what cannot be had any more, or can."""
    law = _law(plant, at)
    if before is None or law is None:
        return
    after = {one.number: one for one in over_now(plant, law, at)}
    fallen = [one for number, one in after.items() if number not in before.booked]
    again = [one for number, one in before.booked.items() if number not in after]
    tell_turn_down(plant, law, at.astimezone(plant.tz).date(), at, before.running)
    for business_id in sorted({one.group.sessions[0].business_id for one in (*fallen, *again)}):
        _tell_hauler(plant, business_id, _of(fallen, business_id), _of(again, business_id), at)
    if fallen:
        _tell_director(plant, fallen, at)
    tell_lost_offers(plant, law, at)
    offer_anywhere(plant, at, law)


def _law(plant: Plant, at: datetime) -> Law | None:
    try:
        return capacity.law_under_lock(plant, at)
    except NoLaw:
        return None


def _of(lost: Sequence[Lost], business_id: int) -> list[Lost]:
    return [one for one in lost if one.group.sessions[0].business_id == business_id]


def _line(plant: Plant, one: Lost) -> str:
    gallons = sum(part.gallons for part in one.group.sessions)
    return f"{one.number}, {when_words(plant, one.group.sessions)}: {formats.volume(gallons)}."


def _tell_hauler(plant: Plant, business_id: int, fallen: Sequence[Lost], again: Sequence[Lost], at: datetime) -> None:
    lines: list[str] = []
    for one in fallen:
        lines += [one.why, f"It no longer holds {_line(plant, one)} {STANDS}", ""]
    lines += [f"Fits under the limit again: {_line(plant, one)}" for one in again]
    lines += ([""] if again else []) + [full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]
    first, word = (fallen or again)[0], "No longer fits" if fallen else "Fits again"
    subject = f"{word} under the limit: {when_words(plant, first.group.sessions)} ({first.number})"
    if len(fallen) > 1:
        subject = f"{len(fallen)} bookings no longer fit under the limit ({', '.join(one.number for one in fallen)})"
    party = haulers.party_of_business(business_id)
    tell_party(party, "limit_moved", subject, "\n".join(lines), at, plant_id=plant.id)


def _tell_director(plant: Plant, fallen: Sequence[Lost], at: datetime) -> None:
    names = haulers.business_names({one.group.sessions[0].business_id for one in fallen})
    many = formats.plural(len(fallen), "booking no longer fits", "bookings no longer fit")
    lines = list(dict.fromkeys(one.why for one in fallen))
    lines += ["", *(f"{names[one.group.sessions[0].business_id]}: {_line(plant, one)}" for one in fallen)]
    lines += ["", "Their haulers are told. They stand until you take their time, on the page Flow and limit."]
    tell_role(Role.DIRECTOR, "over_limit", f"{many} under the limit", "\n".join(lines), at, plant_id=plant.id)
