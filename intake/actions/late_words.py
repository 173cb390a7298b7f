"""Whom a load told late concerns: who must look at it, whose time or room it takes, whose bookings come to too much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from haulers import queries as haulers
from intake.actions.booking_mail import when_words
from intake.actions.freed import tell_lost_offers
from intake.actions.pieces import Gate
from intake.actions.run_words import displaced, tell_displaced, tell_without_room, without_room
from intake.models import Load, Run
from intake.queries import capacity
from intake.queries.allowance import used_and_booked
from intake.queries.bookings import Group
from intake.queries.outbox import Flag
from intake.queries.restrictions import full_stop
from intake.queries.terms import is_winter
from office import formats
from office.access import Actor, Role
from office.law import law_now
from office.notices import tell_party, tell_roles
from office.plants import Plant

# What the ticket says and nobody has to look at.
QUIET = ("clock", "on_duty")
TOLD_LATE = "A load that was told of only now takes room before yours."


@dataclass(frozen=True)
class Before:
    """How things stood before a load was told of: the gate of now, and the loads a tank had no room for already."""

    gate: Gate
    sunk: Mapping[int, Group]


def before_it(plant: Plant, by: Actor, at: datetime) -> Before:
    """How things stand now, under the law of today. The caller holds the plant's lock."""
    gate = Gate(plant, by, at, law_now(plant, at))
    return Before(gate, without_room(gate))


def tell_flags(plant: Plant, load: Load, flags: Sequence[Flag], at: datetime) -> None:
    """Tell manager and Director of a load with something against it."""
    if all(one.code in QUIET for one in flags):
        return
    body = "\n".join([f"{load.business_name}, truck {load.plate}, {formats.volume(load.gallons)}, "
                      f"{formats.day_time(load.logged_at, plant.tz)}, slip {load.slip}:", "",
                      *(one.words for one in flags)])  # fmt: skip
    tell_roles((Role.MANAGER, Role.DIRECTOR), "late_load", f"Load {load.ticket} was taken and needs a look", body, at,
               plant_id=plant.id)  # fmt: skip


def tell_others(before: Before, load: Load, run: Run) -> None:
    """Tell each hauler whose time it still takes, whose room in a tank or in the waiting list it took, and its own
    where the approval has not enough left for what is booked."""
    gate = before.gate
    late = displaced(gate, load, max(run.starts, gate.at), run.ends) if run.ends > gate.at else []
    tell_displaced(gate, late, TOLD_LATE)
    tell_without_room(gate, before.sunk, late)
    if run.ends > gate.at:
        tell_lost_offers(gate.plant, gate.law, gate.at)
    _tell_short(gate, load)


def _tell_short(gate: Gate, load: Load) -> None:
    """The approval has fewer gallons than are used and booked: its hauler is told which bookings are at stake."""
    approval = haulers.approval(gate.plant.id, load.approval_id or 0)
    if approval is None or load.business_id is None:
        return
    law, plant, winter = gate.law, gate.plant, is_winter(gate.law, load.day)
    over = used_and_booked(approval.id, law, gate.at).taken(winter) - haulers.allowance(approval, winter)
    mine = [one for one in capacity.planned(plant.id, gate.at, since=gate.at)
            if one.business_id == load.business_id and is_winter(law, one.day) == winter]  # fmt: skip
    if over <= 0 or not mine or over - load.gallons > 0:
        return
    part = "winter" if winter else "the rest of the season"
    cite = law.cite("decision.settles", load.day)
    lines = [f"Load {load.ticket}, {formats.volume(load.gallons)}, was told of only now.",
             f"Approval {approval.number} has {formats.volume(over)} less for {part} than your loads and bookings come "
             f"to ({cite}).", "",
             *(f"Booked: {when_words(plant, [one])}, {formats.volume(one.gallons)} ({one.number})." for one in mine),
             "",
             "Cancel or lower a booking, or ask the committee for more gallons.",
             full_stop(f"Questions: {plant.phone}, {plant.help_hours}")]  # fmt: skip
    tell_party(haulers.party_of_business(load.business_id), "allowance_short",
               f"Your bookings come to {formats.volume(over)} more than approval {approval.number} has left",
               "\n".join(lines), gate.at, plant_id=plant.id)  # fmt: skip
