"""May this truck discharge now? One answer, one reason, always looked for in the same order.

Approval and its gallons, license, the truck's sticker, insurance, certificates, the driver's own, the account, the
truck, kind of waste and its limits, restriction, hours, point, booking, where its last refused load went: the first
that says no is the answer, unless it was set aside in writing for this load.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from billing.queries import account_hold, account_of
from billing.queries.gate import HOLD_DAYS
from haulers import queries as haulers
from haulers.queries import papers
from intake.models import Booking, Restriction, SetAside, SpecialTime
from intake.queries import findings, restrictions, set_aside, statements
from intake.queries.allowance import limit_words, used_and_booked
from intake.queries.flow_recorded import recorded_for
from intake.queries.gate_bookings import booking_today, special_now, ticket_on, wrong_with
from intake.queries.gate_case import Case, GateAnswer, from_refusal, lowered, no
from intake.queries.places import Place, at_gate, for_all, places_on
from intake.queries.special_spans import arrangement
from intake.queries.terms import is_winter
from intake.queries.words import sentence
from office import formats
from office.plants import Plant
from ordinances.calendar import shut_now
from ordinances.flows import Reading, reads_meter
from ordinances.gate import may_set_aside
from ordinances.other_times import arranged
from ordinances.rate_cap import cap_on, hours_on
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import REMEDIES, WASTE_TYPES, waste_allowed

__all__ = ["Case", "GateAnswer", "booking_today", "may_discharge", "ticket_on"]
STICKER = "approval.sticker"


def may_discharge(plant: Plant, law: Law, at: datetime, *, business_id: int | None, truck_id: int | None, waste: str,
                  booking: Booking | None = None, driver: str | None = None) -> GateAnswer:  # fmt: skip
    """Whether this truck of this business may unload this waste now, and the booking it may count for.

    ``driver`` is who drives it, None while nobody was asked yet: then ``note`` says who may, where that matters.
    Room in the limit is not asked here: how many gallons fit depends on the gallons (``intake.actions.station``).
    """
    case = Case(plant, law, at, business_id, truck_id, waste, booking, driver)
    if business_id is None:
        unknown = no(case, "unknown_business", "Do not accept: this hauler has no approval here.", "decision.outcomes")
        return replace(unknown, may=may_set_aside(law, case.day, unknown.code))
    standing = haulers.standing(plant.id, business_id, at, law)
    if standing.state != "approved":
        without = GateAnswer(False, str(standing.state), f"Do not accept: {lowered(standing.why)}", standing.cite)
        return replace(without, may=may_set_aside(law, case.day, without.code))
    assert standing.approval is not None
    case = replace(case, approval=standing.approval)
    return _asked(case, standing)


def _asked(case: Case, standing: haulers.Standing) -> GateAnswer:
    """The first thing that is wrong and was not set aside; else yes."""
    known: list[SetAside] | None = None
    used: list[SetAside] = []
    for check in CHECKS:
        answer = check(case, standing)
        if answer is None:
            continue
        may = may_set_aside(case.law, case.day, answer.code)
        if may.roles and known is None:
            known = set_aside.holding(case.plant.id, case.day, case.business_id or 0, case.truck_id)
        given = next((one for one in known or () if (one.code, one.said) == (answer.code, answer.sentence)), None)
        if given is None or not may.roles:
            return replace(answer, may=may, aside=tuple(used))
        used.append(given)
    mine, note = case.own, _note(case, standing.approval)
    return GateAnswer(True, "may_unload", _yes(mine), "", mine, approval_id=case.approval.id, note=note,
                      aside=tuple(used))  # fmt: skip


def _allowance(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    """An approval whose gallons of this part of the season are used up or booked by others of its trucks."""
    winter, mine = is_winter(case.law, case.day), case.own
    taken = used_and_booked(case.approval.id, case.law, case.at, mine.id if mine else None).taken(winter)
    if haulers.allowance(case.approval, winter) > taken:
        return None
    part = "winter" if winter else "the rest of the season"
    words = f"Do not accept: approval {case.approval.number} has no gallons left for {part}."
    return no(case, "allowance", words, "decision.settles", "The hauler asks the committee for more gallons.")


def _licence(case: Case, standing: haulers.Standing) -> GateAnswer | None:
    if standing.licence_ok:
        return None
    ends = getattr(standing.licence, "ends_on", None)
    why = f"state license ended {formats.date_only(ends)}." if ends else "no state license is entered for this hauler."
    return no(case, "licence", f"Do not accept: {why}", "approval.licence",
               "The hauler renews the license and the clerk enters its new end date.")  # fmt: skip


def _sticker(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    if case.truck is None or case.truck.sticker.strip() or not case.asks(STICKER):
        return None
    return no(case, "sticker", f"Do not accept: no state sticker is entered for truck {case.truck.plate}.", STICKER,
               "The hauler enters the number of the sticker on the back of the tank.")  # fmt: skip


def _insurance(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    return from_refusal(papers.insurance_wrong(case.business_id or 0, case.day, case.law))


def _certificates(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    if not papers.certificates_block(case.law, case.day):
        return None
    return from_refusal(papers.certificates_wrong(case.business_id or 0, case.day, case.law, case.at))


def _driver(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    if case.driver is None:
        return None
    return from_refusal(haulers.driver_wrong(case.business_id or 0, case.driver, case.day, case.law, case.at))


def _account(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    """An invoice unpaid for longer than the law of the town waits; it ends by itself on payment."""
    account = account_of(case.plant.id, haulers.party_of_business(case.business_id or 0).id)
    held = account_hold(account.id, case.law, case.day, case.at) if account is not None else None
    if held is None:
        return None
    invoice, cents = held
    assert invoice.due_on is not None
    due = formats.date_only(invoice.due_on)
    words = f"Do not accept: invoice {invoice.number}, {formats.money(cents)} unpaid, was due {due}."
    return no(case, "account_hold", words, HOLD_DAYS, "The gate opens by itself once it is paid.")


def _truck(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    if case.truck is not None:
        return from_refusal(haulers.truck_covered(case.approval, case.truck, case.law))
    words = "Do not accept: this truck is not on the hauler's list."
    return no(case, "truck", words, "approval.points_by", "The hauler adds the truck with its plate and tank size.")


def _waste(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    refusal = waste_allowed(case.law, case.day, case.waste)
    refusal = refusal or haulers.waste_covered(case.approval, case.waste, case.law)
    # One gallon stands for any load: how many fit is asked when the gallons are known.
    return from_refusal(refusal or case.limits.refusal([(case.day, 1)], case.waste))


def _found(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    """A waste that was found to do harm, and is not taken (§ 329-6 E(1))."""
    row = findings.rejecting(findings.holding(case.plant.id, case.business_id or 0, case.waste, case.day))
    if row is None:
        return None
    words = (f"Do not accept: {WASTE_TYPES[case.waste].lower()} waste of this hauler is rejected since "
             f"{formats.date_only(row.since)}. {formats.full_stop(row.facts.splitlines()[0])}")  # fmt: skip
    return no(case, "waste_rejected", words, REMEDIES, "Record it as a refused load.")


def _note(case: Case, approval: Any) -> str:
    asked = findings.note(findings.holding(case.plant.id, case.business_id or 0, case.waste, case.day),
                          case.cite(REMEDIES))  # fmt: skip
    found = case.limits
    left = [f"{formats.gallons(found.left(one, case.day))} of {limit_words(one)} left"
            for one in found.on(case.day, case.waste)]  # fmt: skip
    said = f"{'; '.join(left)}." if left else ""
    return " ".join(filter(None, (haulers.papers_note(case.business_id or 0, case.day, case.law), said, asked)))


def _all_shut(case: Case, rows: Sequence[Restriction]) -> Restriction | None:
    """The restriction with which no point is left for this waste of this hauler, a manhole permitted to it counted."""
    rows = [row for row in rows if row.scope == "points"]
    if not rows:
        return None
    taking = at_gate(case.plant.id, case.day, case.waste, case.business_id) or _stations(case)
    return restrictions.leaving_none(rows, {(case.waste, one.id) for one in taking})


def _stations(case: Case) -> list[Place]:
    return for_all(places_on(case.plant.id, [case.day])[case.day])


def _what_stops(case: Case, rows: Sequence[Restriction], found: Restriction) -> str:
    """What is not taken: only this waste, where another station is not shut."""
    shut = {one for row in rows if row.scope == "points" for one in row.points}
    if found.scope == "points" and any(one.id not in shut for one in _stations(case)):
        return f"no receiving point takes {WASTE_TYPES[case.waste].lower()} waste"
    return restrictions.not_taken(found)


def _restricted(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    rows = restrictions.in_force(case.plant.id, case.at)
    # A point that is shut is told where the truck is sent to a point: another one may be open.
    found = restrictions.stopping(rows, case.waste) or _all_shut(case, rows)
    if found is None:
        return None
    tz = case.plant.tz
    since = formats.clock_time(found.starts, tz)
    if found.starts.astimezone(tz).date() != case.day:
        since = f"{formats.day_short(found.starts, tz)}, {since}"
    what = _what_stops(case, rows, found)
    words = f"Do not accept: {what} since {since} because of {restrictions.words_of(found.reason)}."
    return no(case, "restricted", words, "restriction.by", "Record it as a refused load.")


def _hours(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    shut = shut_now(case.law, case.at)
    if shut is not None:
        return from_refusal(shut)
    flows = recorded_for(case.plant.id, case.law, case.day, case.day) if reads_meter(case.law, case.day) else []
    row = arrangement(case.booking.id if case.booking else None)
    if row is None:
        mine = special_now(case.plant.id, case.at, case.day, case.business_id or 0, case.truck_id)
        row = arrangement(mine.id) if mine is not None else None
    if row is not None:
        return _special_hours(case, row, flows)
    hours = hours_on(case.law, case.day, flows)
    if isinstance(hours, Refusal):
        return from_refusal(hours)
    if hours.start <= case.at < hours.end:
        return None
    span, now = formats.span(hours.start, hours.end), formats.clock_time(case.at, case.plant.tz)
    words = f"{sentence(f'Do not accept now: unloading is {span}')} {sentence(f'It is {now}')}"
    return GateAnswer(False, "outside_hours", words, hours.cite, reading=hours.reading)


def _special_hours(case: Case, row: SpecialTime, flows: Sequence[Reading]) -> GateAnswer | None:
    """A special time lets its truck in from its start until it ends; a closed day or a flow stops it as any other."""
    until = row.until or row.ends
    hours = arranged(case.law, row.starts, until)
    shut = hours if isinstance(hours, Refusal) else cap_on(case.law, row.day, readings=flows, span=hours).shut
    if shut is not None:
        return from_refusal(shut)
    if row.starts <= case.at < until:
        return None
    tz = case.plant.tz
    when = f"{formats.day_short(row.starts, tz)}, {formats.span(row.starts, until, tz)}"
    now = formats.clock_time(case.at, tz)
    words = f"{sentence(f'Special time {row.number} is {when}')} {sentence(f'It is {now}')}"
    return no(case, "booking_other_time", words, "hours.special_by", _special_step(case, row, flows))


def _special_step(case: Case, row: SpecialTime, flows: Sequence[Reading]) -> str:
    """What a truck does that comes at another time than was arranged for it."""
    hours = hours_on(case.law, case.day, flows)
    if not isinstance(hours, Refusal) and hours.start <= case.at < hours.end:
        return "Log the truck as not booked: it may unload if it fits."
    if case.at < row.starts and case.day == row.day:
        return sentence(f"Let the truck wait: it may begin {formats.clock_time(row.starts, case.plant.tz)}")
    return "Its time is over: the hauler books in the unloading hours, or asks for another special time."


def _point(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    """No receiving point of the day takes this waste of this hauler; a plant without any is told when it logs."""
    if not places_on(case.plant.id, [case.day])[case.day]:
        return None
    if at_gate(case.plant.id, case.day, case.waste, case.business_id):
        return None
    what = f"{WASTE_TYPES[case.waste].lower()} waste"
    words = f"Do not accept: no receiving point takes {what} on {formats.day(case.day)}."
    return no(case, "no_point", words, "approval.points_by")


def _booking(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    wrong = wrong_with(case.booking, case.business_id, case.at, case.day) if case.booking else None
    if wrong is None or case.booking is None:
        return None
    code, why = wrong
    return no(case, code, f"Booking {case.booking.number} {why}.", "approval.points_by",
               "Log the truck as not booked: it may unload if it fits.")  # fmt: skip


def _statement(case: Case, _standing: haulers.Standing) -> GateAnswer | None:
    """A load of this truck that was refused, and nobody has written where it went."""
    found = statements.missing(case.plant.id, case.law, truck_id=case.truck_id) if case.truck_id else []
    if not found:
        return None
    first = found[0]
    words = (f"Do not accept: nobody has written where refused load {first.load.ticket} of "
             f"{formats.date_only(first.load.day)} went.")  # fmt: skip
    return no(case, "statement_open", words, statements.DAYS,
               "The hauler writes it on its page of that load, or the plant for it.")  # fmt: skip


Check = Callable[[Case, haulers.Standing], GateAnswer | None]
# The order in which the gate asks.
CHECKS: tuple[Check, ...] = (
    _allowance, _licence, _sticker, _insurance, _certificates, _driver, _account, _truck, _waste, _found, _restricted,
    _hours, _point, _booking, _statement,
)  # fmt: skip


def _yes(booking: Booking | None) -> str:
    if booking is None:
        return "May unload without a booking, if the gallons still fit."
    return f"May unload under booking {booking.number}: {formats.volume(booking.gallons)}."
