"""The additional charge of a special time: with its load, when the truck is stopped, when supervision took other time.

It is reckoned by the function that quoted it (``ordinances.fees``), at the wage the hauler accepted, from the minutes
in fact supervised outside the unloading hours (§ 329-7 F(4) of Bayfield).
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from billing.actions import post_charges, reverse_entry
from billing.actions.charges import locked_account
from haulers import queries as haulers
from intake.actions import tickets
from intake.models import Booking, Load, SpecialTime
from intake.queries import special
from intake.queries.special_quote import supervised
from intake.queries.special_spans import arrangement
from intake.states import LoadState
from office import formats
from office.access import Actor, Role
from office.acts import act
from office.db import lock
from office.journal import because
from office.plants import Plant
from ordinances.fees import special_lines
from ordinances.offers import Session
from ordinances.other_times import minutes_outside
from ordinances.reader import Law
from ordinances.refusal import Refusal

CODES = ("special_wage", "special_test")


def supervision(law: Law, booking: Booking | None, session: Session) -> dict[str, Any]:
    """What ``for_load`` needs besides for a load that runs by special arrangement; nothing for any other."""
    row = arrangement(booking.id) if booking is not None else None
    if row is None:
        return {}
    return {"after_hours_minutes": minutes_outside(law, session.start, session.end), "wage": row.wage}


def charge_anew(plant: Plant, load: Load, minutes: int, reason: str, *, by: Actor, at: datetime, law: Law
                ) -> Refusal | None:  # fmt: skip
    """Take the additional charge of a load back and charge it for other minutes; the ledger keeps both.

    Nothing changes where the minutes come to the same hours. The caller holds the locks, the account's too.
    """
    row = arrangement(load.booking_id)
    if row is None or load.business_id is None:
        return None
    old = [one for one in tickets.charges_of(load) if _code(one) in CODES]
    tests = sum((one.quantity or Decimal(0) for one in tickets.charges_of(load) if _code(one) in TESTS), Decimal(0))
    new = special_lines(law, row.day, minutes, tests, row.wage)
    if isinstance(new, Refusal):
        return new
    if [(one.what, one.amount_cents) for one in old] == [(one.what, one.cents) for one in new]:
        return None
    for one in old:
        back = reverse_entry(one, f"{tickets.label(load)}: {reason}", by=by, at=at, law=law)
        if isinstance(back, Refusal):
            return back
    party = haulers.party_of_business(load.business_id)
    made = post_charges(plant, party.id, new, "load", load.id, load.day, label=tickets.label(load), by=by, at=at,
                        law=law)  # fmt: skip
    return made if isinstance(made, Refusal) else None


# The charges of tests for each of which another time adds something.
TESTS = ("test", "extra_test")


def _code(entry: Any) -> str:
    """The code of a ledger line without what tells a later or repeated one of its source apart."""
    return str(entry.line_code or "").split("#")[0].split("/")[0]


@act("record_supervision", roles=(Role.OPERATOR, Role.MANAGER, Role.DIRECTOR))
def record_supervision(
    plant: Plant, number: str, first: datetime, last: datetime, *, by: Actor, at: datetime, law: Law
) -> SpecialTime | Refusal:
    """Say from when to when a special time was in fact supervised, where that is not just the run: charged anew.

    Refusals: no_special_time, not_unloaded, wrong_span (it ends before it begins, lies ahead, or on another day).
    """
    row = special.numbered(plant.id, number)
    if row is None:
        return Refusal("no_special_time", "There is no such special time at this plant.", "")
    found = special.view(row, at).load
    cite = law.cite("fees.special_round_hours", row.day)
    if found is None or found.business_id is None:
        return Refusal("not_unloaded", f"No load has come under {row.number} yet.", cite)
    refused = _wrong(plant, row, first, last, at, cite)
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
    refused = charge_anew(plant, load, supervised(law, row, ()), words, by=by, at=at, law=law)
    if refused is not None:
        return refused
    because(words, cite)
    tickets.write(plant, load, party, at=at, law=law, what="supervised")
    return row


def _wrong(plant: Plant, row: SpecialTime, first: datetime, last: datetime, at: datetime, cite: str) -> Refusal | None:
    days = {one.astimezone(plant.tz).date() for one in (first, last)}
    if first < last <= at and days == {row.day}:
        return None
    why = f"The supervision must lie on {formats.day(row.day)}, end after it begins, and be over."
    return Refusal("wrong_span", why, cite)


def stopped(plant: Plant, load: Load, runs: Sequence[Any], until: datetime, reason: str, *, by: Actor, at: datetime,
            law: Law) -> Refusal | None:  # fmt: skip
    """A truck that was stopped was supervised until the stop; one that waited for its start not at all.

    Where nothing came out there is no run any more: the supervision began with the arrangement, or when it was logged.
    """
    row = arrangement(load.booking_id)
    if row is None:
        return None
    first = min((one.starts for one in runs), default=max(row.starts, load.logged_at))
    last = min(until, max((one.ends for one in runs), default=until))
    minutes = minutes_outside(law, first, max(first, last))
    return charge_anew(plant, load, minutes, f"was stopped: {reason.strip()}", by=by, at=at, law=law)
