"""Correct what was typed of a load: with a reason, the old figure beside the new one, its charges brought in line."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, time
from fractions import Fraction
from math import ceil

from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging, pieces, tickets
from intake.actions.freed import offer_freed
from intake.models import Booking, Load
from intake.queries import arrivals, loads
from intake.queries.arrivals import Arrival
from intake.queries.figures import Figures, differences, figures
from intake.queries.pieces import Morning
from intake.queries.priced import kinds_covered, stored
from intake.queries.words import one_line
from intake.states import Basis, LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import db
from office.journal import because
from office.law import law_in_force
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import WASTE_TYPES, screen
from ordinances.weighing import weighed


@act("correct_load", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def correct_load(load: Load, new: Figures, reason: str, kept: str = "", about: Collection[str] = (), *, by: Actor,
                 at: datetime, law: Law) -> Load | Refusal:  # fmt: skip
    """Put right what was typed wrong of a load that is over. Both figures stay: on the ticket and in its history.

    The gallons are those of its newest morning that differ; a rate above the hard limit that comes of them is kept as
    one, for the load is in the pipe. ``kept`` is why an odd figure is right, of those only that the person was asked
    ``about``, as when a load is logged. Charges that are no longer right are taken back and made anew, a new ticket is
    written and the hauler told. Refusals: no_reason, not_to_correct, still_runs, same, no_gallons, flush, bottle_used,
    basis, weights, weighs, driver, waste_not_covered, those of ``arrivals.odd`` and of the prices.
    """
    if not reason.strip():
        return Refusal("no_reason", "Enter why it is corrected.", "")
    gate, (load,) = pieces.locked([load], by, at)
    wrong = _wrong(load, new, at) or kinds_covered(load.plant_id, load.approval_id, new.others, gate.law)
    if wrong is not None:
        return wrong
    found = pieces.of_today(gate, load)
    arrival = _as_arrived(gate, found, new, kept, about)
    booking = db.session.get(Booking, load.booking_id) if load.booking_id is not None else None
    by_scale = _by_scale(gate, load, new)
    asked = (arrivals.by_weight(by_scale) if by_scale else None) or arrivals.odd(arrival, booking)
    if asked is not None:
        return asked
    said = "; ".join(differences(figures(load), new))
    right = arrivals.kept_words(arrival, booking)
    over = _gallons(gate, found, new.gallons)
    if isinstance(over, Refusal):
        return over
    load.gallons, load.flush_gallons, load.basis, load.waste = new.gallons, new.flush, new.basis, new.waste
    load.full_lb, load.empty_lb = new.full_lb, new.empty_lb
    load.driver, load.ph, load.bottle = new.driver.strip(), new.ph, new.bottle.strip()
    load.origin, load.mixed, load.cubic_yards = new.origin, stored(new.others), new.cubic_yards
    assert load.business_id is not None
    party = haulers.party_of_business(load.business_id)
    locked_account(gate.plant, party.id, by=by, at=at)
    words = f"Corrected: {said}. {one_line(reason)}"
    refused = charging.charge_again(gate.plant, load, words, by=by, at=at, law=gate.law)
    if refused is not None:
        return refused
    noticed = [f"Noticed: {one.sentence.rstrip('.')} ({one.cite})." for one in screen(gate.law, load.day, ph=load.ph)]
    scale = arrivals.weighed_words(by_scale) if by_scale else ""
    load.note = "\n".join(filter(None, (load.note, *noticed, over, words, scale, right)))
    why = " ".join(filter(None, (f"{said}. {reason.strip()}", right)))
    because(why, gate.law.cite("record.due_working_days", load.day))
    tickets.write(gate.plant, load, party, at=at, law=gate.law, what="corrected")
    offer_freed(gate.plant, [found.day], at, gate.law)
    return load


def _as_arrived(gate: pieces.Gate, found: Morning, new: Figures, kept: str, about: Collection[str]) -> Arrival:
    """The load as its log form would have had it, of what is corrected only: what stands was asked about then."""
    load, noon = found.load, datetime.combine(found.day, time(12), gate.plant.tz)
    measured = (new.gallons, new.basis) != (load.gallons, load.basis)
    bottle = new.bottle.strip()
    return Arrival(gate.plant, gate.law, noon, load.truck_id if measured else None, new.waste, new.gallons, new.basis,
                   new.ph if new.ph != load.ph else None, bottle, load.tested and bottle != load.bottle, True, (), "",
                   kept, about=about)  # fmt: skip


def _by_scale(gate: pieces.Gate, load: Load, new: Figures) -> Arrival | None:
    """The load as its weights are held against its gallons, by the tare of its day; None where nothing of it changed.

    Of several mornings they weighed all that was in the truck; or what came out on the first, and the others apart.
    """
    old = figures(load)
    same = (new.gallons, new.basis, new.weights) == (old.gallons, old.basis, old.weights)
    if same or new.basis != Basis.WEIGHT.value:
        return None
    law, noon = law_in_force(gate.plant, load.day), datetime.combine(load.day, time(12), gate.plant.tz)
    runs = loads.runs_of(load.id)
    if len({run.day for run in runs}) > 1 and None not in new.weights:
        first = sum(run.gallons for run in runs if run.day == load.day)
        if weighed(law, load.day, new.full_lb or 0, new.empty_lb or 0).gallons == first:
            return None
    return Arrival(gate.plant, law, noon, None, new.waste, new.gallons, new.basis, None, "", False, True, (), "", "",
                   full_lb=new.full_lb, empty_lb=new.empty_lb)  # fmt: skip


def _wrong(load: Load, new: Figures, at: datetime) -> Refusal | None:
    if load.state != LoadState.ACCEPTED.value or not load.gallons:
        return Refusal("not_to_correct", f"Load {load.ticket} was not unloaded: there is nothing to correct.", "")
    if loads.run_to_stop(load, at) is not None:
        return Refusal("still_runs", f"Load {load.ticket} still unloads.", "", next_step="Correct it when it is over.")
    if new == figures(load):
        return Refusal("same", "Nothing is different. Change what is wrong.", "")
    return _figures_wrong(load, new)


def _figures_wrong(load: Load, new: Figures) -> Refusal | None:
    """The first figure that cannot be."""
    bottle = new.bottle.strip()
    used = loads.bottle_used(load.plant_id, bottle) if bottle else None
    kinds = {new.waste, *(part.waste for part in new.others)}
    known = new.basis in {one.value for one in Basis} and kinds <= set(WASTE_TYPES)
    checks = (
        (new.gallons <= 0, "no_gallons", "Gallons must be 1 or more. A load that never was is voided."),
        (not 0 <= new.flush <= new.gallons, "flush",
         f"Flush water must be between 0 and the load's {formats.volume(max(0, new.gallons))}."),
        (not known, "basis", "Select how the gallons were found, and the type of waste."),
        (new.basis == Basis.WEIGHT.value and None in new.weights, "weights",
         "Enter what the truck weighed full and empty, or select how else the gallons were found."),
        (not new.driver.strip(), "driver", "Enter the driver's name."),
        (load.tested and not bottle, "no_bottle", "Enter the sample bottle number."),
        (used is not None and used.id != load.id, "bottle_used",
         f"Bottle {bottle} is that of load {used.ticket if used else ''}."),
    )  # fmt: skip
    return next((Refusal(code, why, "") for wrong, code, why in checks if wrong), None)


def _gallons(gate: pieces.Gate, found: Morning, gallons: int) -> str | Refusal:
    """Give the newest morning the gallons that differ; what there is to say of a rate above the limit, or ""."""
    more = gallons - found.load.gallons
    mine = found.logged + more
    if not more:
        return ""
    if mine <= 0 or not found.ran:
        earlier = formats.volume(found.load.gallons - found.logged)
        return Refusal("no_gallons", f"Earlier mornings unloaded {earlier} already: enter more than that.", "")
    if more < 0:
        pieces.spread(list(found.ran), mine, gate.at)
        db.session.flush()
        return ""
    last = max(found.ran, key=lambda one: one.ends)
    last.gallons, last.measured = last.gallons + more, True
    last.gph = max(1, ceil(last.gallons * 3600 / Fraction((last.ends - last.starts).total_seconds())))
    db.session.flush()
    # What flowed beside it then counts, not what began since.
    return pieces.keep_excess(replace(gate, at=last.ends), found, last.gph, last.starts)
