"""The additional charge of a special time: with its load, when the truck is stopped, when supervision took other time.

It is reckoned by the function that quoted it (``ordinances.fees``), at the wage the hauler accepted, from the minutes
in fact supervised outside the unloading hours (§ 329-7 F(4) of Bayfield).
"""

from datetime import datetime
from typing import Any

from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import charging, tickets
from intake.models import Booking, Load, SpecialTime
from intake.queries import loads, special
from intake.queries.special_spans import arrangement
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import lock
from office.journal import because
from office.plants import Plant
from ordinances.fees import after_hours, charge_cite
from ordinances.offers import Session
from ordinances.other_times import minutes_outside
from ordinances.reader import Law
from ordinances.refusal import Refusal


def supervision(law: Law, booking: Booking | None, session: Session) -> dict[str, Any]:
    """What ``for_load`` needs besides: of a special arrangement its minutes and wage, else the time it begins."""
    row = arrangement(booking.id) if booking is not None else None
    if row is None:
        return {"after_hours": True} if after_hours(law, session.start) else {}
    return {"after_hours_minutes": minutes_outside(law, session.start, session.end), "wage": row.wage}


@act("record_supervision", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def record_supervision(
    plant: Plant, number: str, first: datetime, last: datetime, *, by: Actor, at: datetime, law: Law
) -> SpecialTime | Refusal:
    """Say from when to when a special time was in fact supervised, where that is not just the run: charged anew.

    Refusals: no_special_time, not_unloaded, wrong_span (it ends before it begins, lies ahead, on another day, or wholly
    beside the time in which the load ran).
    """
    row = special.numbered(plant.id, number)
    if row is None:
        return Refusal("no_special_time", "There is no such special time at this plant.", "")
    found = special.view(row, at).load
    cite = charge_cite(law, row.day, "supervision")
    if found is None or found.business_id is None:
        return Refusal("not_unloaded", f"No load has come under {row.number} yet.", cite)
    refused = _wrong(plant, row, found, first, last, at, cite)
    if refused is not None:
        return refused
    lock(Plant, plant.id, shared=True)
    if found.approval_id is not None:
        haulers.lock_approval(found.approval_id)
    row, load = lock(SpecialTime, row.id), lock(Load, found.id)
    if load.state != LoadState.ACCEPTED.value:
        return Refusal("not_unloaded", f"Load {load.ticket} is void.", cite)
    party = haulers.party_of_business(found.business_id)
    locked_account(plant, party.id, by=by, at=at)
    row.supervised_from, row.supervised_to, row.supervised_by = first, last, by.name
    words = f"supervised {formats.span(first, last, plant.tz)}"
    refused = charging.charge_again(plant, load, words, by=by, at=at, law=law)
    if refused is not None:
        return refused
    because(words, cite)
    tickets.write(plant, load, party, at=at, law=law, what="supervised")
    return row


def _wrong(plant: Plant, row: SpecialTime, load: Load, first: datetime, last: datetime, at: datetime, cite: str
           ) -> Refusal | None:  # fmt: skip
    days, runs = {one.astimezone(plant.tz).date() for one in (first, last)}, loads.runs_of(load.id)
    begun = min((one.starts for one in runs), default=row.starts)
    ended = max((one.ends for one in runs), default=row.until or row.ends)
    if first < last <= at and days == {row.day}:
        if first < ended and begun < last:
            return None
        ran = formats.full_stop(formats.span(begun, ended, plant.tz))
        return Refusal("wrong_span", f"The supervision must meet the time in which it ran, {ran}", cite)
    why = f"The supervision must lie on {formats.day(row.day)}, end after it begins, and be over."
    return Refusal("wrong_span", why, cite)


def keep_stopped(load: Load, until: datetime, by: Actor) -> None:
    """Keep how long a truck of a special time was supervised that was stopped before anything came out.

    There is no run any more: the supervision began with the arrangement, or when it was logged, and ended with the
    stop. There was none where it waited for its start.
    """
    row = arrangement(load.booking_id)
    if row is not None and not loads.runs_of(load.id):
        first = max(row.starts, load.logged_at)
        span = (first, until, by.name) if first < until else (None, None, None)
        row.supervised_from, row.supervised_to, row.supervised_by = span
