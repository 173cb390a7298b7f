"""What a load is charged: the lines the law makes of it as it is now, and the ledger brought in line with them.

A load is charged when it is logged; a further morning, a stop, other supervision or a result changes what it comes to.
Then each charge that is no longer right is taken back, what is missing is added, and the rest stays as it is.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from billing.actions import (
    TakenBack,
    hold_charges,
    locked_account,
    pass_on,
    post_charges,
    release_charges,
    take_back,
    void_late,
)
from billing.models import Entry
from billing.queries import RESULTS_IN, entries_of, invoice_with, taken_back_by_choice, waits_ended
from billing.states import HoldKind
from haulers import queries as haulers
from intake.actions import tickets
from intake.models import Load, Run
from intake.queries import loads
from intake.queries.arrivals import Arrival
from intake.queries.counting import figures_of
from intake.queries.findings import added_lines
from intake.queries.priced import costs_of, scheduled_point
from intake.queries.special_quote import supervised
from intake.queries.special_spans import arrangement
from intake.states import Basis, RunKind
from office import formats
from office.access import Actor, Role
from office.db import db
from office.law import law_in_force
from office.notices import tell_roles
from office.plants import Plant
from ordinances.fee_line import rounded
from ordinances.fees import after_hours, quote_for
from ordinances.pricing import Quote
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.schedule_law import schedule_of
from ordinances.schedule_lines import ScheduleLine
from ordinances.schedule_words import parameter_words
from ordinances.strength import BELOW, PARAMETERS
from ordinances.weighing import weighed

DECLARED = (Basis.DECLARED.value, Basis.CAPACITY.value)
# Parameters of a schedule by their names in the laboratory.
_STRENGTHS = {one.name: one.scheduled for one in PARAMETERS.values() if one.scheduled}


def found_by(plant_id: int, of: Arrival | Load, point_id: int | None) -> dict[str, Any]:
    """What ``for_load`` is told of a load but its gallons: how they were found, tank, weights, zone, kinds, place."""
    truck = haulers.truck(of.truck_id) if of.truck_id is not None else None
    known: dict[str, Any] = {"measured": of.basis not in DECLARED, "metered": of.basis == Basis.METER.value}
    if of.full_lb is not None and of.empty_lb is not None:
        known["pounds"] = max(0, of.full_lb - of.empty_lb)
    if truck is not None:
        known["capacity"] = truck.capacity
    more = {"origin": of.origin or None, "others": tuple(of.others), "cubic_yards": of.cubic_yards,
            "point": scheduled_point(plant_id, point_id)}  # fmt: skip
    return known | {name: one for name, one in more.items() if one}


def found_now(arrival: Arrival, point_id: int | None) -> dict[str, Any]:
    """The same of a load as it comes: of pounds those of this morning, where more mornings are to come."""
    known = found_by(arrival.plant.id, arrival, point_id)
    if "pounds" in known:
        known["pounds"] = _pounds_out(arrival, arrival.law, known["pounds"], arrival.gallons)
    return known


def quote(plant: Plant, load: Load, law: Law, at: datetime) -> Quote | Refusal:
    """The charges of a load as it is now, each morning by the law of its own day; what was not unloaded is no line."""
    runs = loads.runs_of(load.id)
    mornings = {load.day: 0}
    for run in sorted(runs, key=lambda one: one.day):
        mornings[run.day] = mornings.get(run.day, 0) + run.gallons
    today = at.astimezone(plant.tz).date()
    laws = {day: law if day == today else law_in_force(plant, day) for day in mornings}
    row = arrangement(load.booking_id)
    point = next((run.point_id for run in sorted(runs, key=lambda one: one.starts) if run.point_id), None)
    known: dict[str, Any] = found_by(plant.id, load, point) | {"strengths": strengths(load), "costs": costs_of(load.id)}
    if "pounds" in known:
        known["pounds"] = _pounds_out(load, laws[load.day], known["pounds"], sum(mornings.values()))
    if row is not None:
        known |= {"after_hours_minutes": supervised(laws[load.day], row, runs), "wage": row.wage}
    else:
        known |= _outside(load, laws, runs)
    found = quote_for(law, list(mornings.items()), load.waste, laws=laws, tested=load.tested, **known)
    if isinstance(found, Refusal):
        return found
    lines = tuple(line for line in found.lines if line.quantity)
    added = added_lines(plant.id, load.business_id or 0, load.waste, sorted(mornings.items()), began(load, runs), law)
    return Quote((*lines, *added), found.awaited)


def _outside(load: Load, laws: Mapping[date, Law], runs: Sequence[Run]) -> dict[str, Any]:
    """On which of its days a load began outside the unloading hours, as ``load_of`` is told."""
    days = {load.day, *(run.day for run in runs if run.kind == RunKind.RAN.value)}
    outside = {day for day in days if after_hours(laws[day], began(load, [run for run in runs if run.day == day]))}
    return {"after_hours": load.day in outside, "outside": outside - {load.day}}


def _pounds_out(load: Arrival | Load, law: Law, pounds: int, out: int) -> Decimal:
    """The pounds that came out of a load weighed before it was stopped, or on one of its mornings: by its gallons."""
    if load.basis != Basis.WEIGHT.value or load.full_lb is None or load.empty_lb is None:
        return Decimal(pounds)
    found = weighed(law, load.day, load.full_lb, load.empty_lb)
    return Decimal(pounds) if found.gallons == out else rounded(out * found.factor)


def began(load: Load, runs: Sequence[Run]) -> datetime:
    """When a load began to be unloaded; one that never ran counts from when it was logged."""
    return min((run.starts for run in runs if run.kind == RunKind.RAN.value), default=load.logged_at)


def strengths(load: Load) -> Mapping[str, Decimal]:
    """Figures that count in mg/L by the parameters of a schedule; below a limit nothing is sure, above one it is."""
    return {
        _STRENGTHS[name]: Decimal(0) if one.qualifier == BELOW else one.value
        for name, one in figures_of([load.id]).get(load.id, {}).items()
        if name in _STRENGTHS
    }


def charge_again(
    plant: Plant, load: Load, why: str, *, anew: bool = False, by: Actor, at: datetime, law: Law
) -> Refusal | None:
    """Bring the ledger in line with what a load comes to now. The caller holds the locks, the account's too.

    What is disputed of a charge that is replaced, or was credited of it, goes over to the one in its place. What
    somebody chose to take back stays so, unless ``anew`` says that it is charged all the same.
    """
    if load.business_id is None:
        return None
    found = quote(plant, load, law, at)
    if isinstance(found, Refusal):
        return found
    wanted = {(line.code, line.day or load.day): line for line in found.lines}
    _leave_taken_back(load, wanted, why, anew=anew, at=at)
    taken: list[TakenBack] = []
    for entry in tickets.charges_of(load):
        line = wanted.get((entry.code, entry.day))
        if line is not None and (entry.what, entry.amount_cents, entry.quantity) == (
            line.what, line.cents, line.quantity,
        ):  # fmt: skip
            del wanted[entry.code, entry.day]
            continue
        back = take_back(entry, f"{tickets.label(load)}: {why}", by_rule=True, by=by, at=at, law=law)
        if isinstance(back, Refusal):
            return back
        taken.append(back)
    made = _post(plant, load, list(wanted.values()), bool(taken), by=by, at=at, law=law)
    if isinstance(made, Refusal):
        return made
    _pass_on(taken, made, by=by, at=at)
    if taken:
        void_late(taken[0].entry.account_id, by=by, at=at)
    await_results(load, tickets.charges_of(load), found.awaited, by=by, at=at)
    return None


def _leave_taken_back(
    load: Load, wanted: dict[tuple[str, date], ScheduleLine], why: str, *, anew: bool, at: datetime
) -> None:
    """Leave out of what a load comes to what somebody took back; the clerk is told where it comes to more or less."""
    said = []
    for key, entry in taken_back_by_choice("load", load.id).items():
        line = None if anew else wanted.pop(key, None)
        if line is not None and (line.cents, line.quantity) != (entry.amount_cents, entry.quantity):
            was, now = formats.money(entry.amount_cents), formats.money(line.cents)
            said.append(f"{entry.what}: {was} was taken back, it would be {now} now.")
    if said:
        body = "\n".join([f"Load {load.ticket} of {load.business_name}: {why}", *said, "It stays taken back. Where it "
                          "is owed after all, choose “Charge what was taken back” on the load's page."])  # fmt: skip
        tell_roles((Role.CLERK,), "charge_stays_back", f"Load {load.ticket}: a charge stays taken back", body, at,
                   plant_id=load.plant_id)  # fmt: skip


def _pass_on(taken: Sequence[TakenBack], made: Sequence[Entry], *, by: Actor, at: datetime) -> None:
    """Each charge taken back hands over to the same line of its day; one whose line is no more, to the new lines."""
    gone = {(one.entry.code, one.entry.day) for one in taken}
    added = [entry for entry in made if (entry.code, entry.day) not in gone]
    for one in taken:
        same = [entry for entry in made if (entry.code, entry.day) == (one.entry.code, one.entry.day)]
        pass_on(one, same or added, by=by, at=at)


def await_first(load: Load, entries: Sequence[Any], awaited: Sequence[str], *, by: Actor, at: datetime) -> None:
    """Keep the charges of a load just logged off the invoices where results may still add to them."""
    if awaited:
        await_results(load, entries, awaited, by=by, at=at)


def await_results(load: Load, entries: Sequence[Any], awaited: Sequence[str], *, by: Actor, at: datetime) -> None:
    """Keep the charges of a load off the invoices while results may still add to them, and let them go after that.

    What is on an invoice waits no more, nor what somebody let go before the results, or stands in place of that.
    """
    if awaited:
        words = " and ".join(map(parameter_words, awaited))
        why = f"Results are awaited: {words}"
        if not load.tested:
            why = f"Not tested, and its price goes by {words}: a laboratory's result is awaited"
        ended = waits_ended("load", load.id)
        wait = [one for one in entries if (one.code, one.day) not in ended and invoice_with(one.id) is None]
        hold_charges(wait, HoldKind.RESULTS, why, by=by, at=at)
    else:
        release_charges(entries, HoldKind.RESULTS, RESULTS_IN, by=by, at=at)


def results_changed(load: Load, why: str, *, by: Actor, at: datetime, law: Law) -> Refusal | None:
    """Charge by the strengths a laboratory found, where the schedule charges by them. The load is locked."""
    schedule, plant = schedule_of(law), db.session.get_one(Plant, load.plant_id)
    strong = schedule.has_items(load.day) and any(
        item.kind == "per_pound_over" or item.strength_class for item in schedule.items_on(load.day)
    )
    if not strong or load.business_id is None:
        return None
    locked_account(plant, haulers.party_of_business(load.business_id).id, by=by, at=at)
    return charge_again(plant, load, why, by=by, at=at, law=law)


def _post(
    plant: Plant, load: Load, lines: Sequence[ScheduleLine], replaced: bool, *, by: Actor, at: datetime, law: Law
) -> list[Entry] | Refusal:
    """Post lines of a load: in place of charges taken back, now or before, dated today, so that a past day has one."""
    assert load.business_id is not None
    party, entries = haulers.party_of_business(load.business_id), list[Entry]()
    before = {(entry.code, entry.day) for entry in entries_of("load", load.id)}
    for line in lines:
        day = line.day or load.day
        dated = at.astimezone(plant.tz).date() if replaced or (line.code, day) in before else day
        made = post_charges(plant, party.id, [line], "load", load.id, dated, part=_part(load, line.code, day),
                            label=tickets.label(load), for_day=day, by=by, at=at, law=law)  # fmt: skip
        if isinstance(made, Refusal):
            return made
        entries += made
    return entries


def _part(load: Load, code: str, day: date) -> int:
    """The how manyeth line of a code of this load a day's is: one taken back keeps its place."""
    parts: dict[date, int] = {}
    for entry in entries_of("load", load.id):
        if entry.code == code:
            _, _, part = (entry.line_code or "").split("#")[0].partition("/")
            parts[entry.day] = int(part or 1)
    return parts.get(day, max(parts.values(), default=0) + 1)
