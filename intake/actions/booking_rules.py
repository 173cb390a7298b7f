"""The rules every booking is checked by under its locks: made by a hauler, by phone, moved or split."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from haulers import queries as haulers
from intake.queries import bookings, capacity
from intake.queries.allowance import used_and_booked
from intake.queries.restrictions import full_stop
from intake.queries.terms import is_winter
from office import formats
from office.access import Actor, Role
from office.plants import Plant
from ordinances.fees import charge_cite
from ordinances.offers import Session
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed

STAFF = (Role.CLERK, Role.OPERATOR, Role.MANAGER, Role.DIRECTOR)
BOOKERS = (Role.HAULER, *STAFF)


def yours(business_id: int, by: Actor) -> Refusal | None:
    """A hauler books and cancels for their own business only; staff for anybody."""
    if by.capacity(BOOKERS) is not Role.HAULER or by.capacity(STAFF) is not None:
        return None
    mine = haulers.business_of_party(by.party_id) if by.party_id is not None else None
    if mine is not None and mine.id == business_id:
        return None
    return Refusal("not_yours", "This is not one of your company's bookings.", "")


def shaped_wrongly(law: Law, truck_id: int, business_id: int, gallons: int, sessions: Sequence[Session], *,
                   waste: str) -> Refusal | None:  # fmt: skip
    """What can be said without looking at other bookings or at the clock."""
    if not sessions or gallons <= 0 or sum(one.gallons for one in sessions) != gallons:
        return Refusal("not_whole", "The times chosen do not add up to the whole load. Choose again.", "")
    days = [day_of(law, one) for one in sessions]
    if len(set(days)) != len(days):
        return Refusal("not_whole", "A load has one time on each day it needs. Choose again.", "")
    truck = next((one for one in haulers.trucks_of(business_id) if one.id == truck_id), None)
    if truck is None:
        return Refusal("truck", "This truck is not one of the company's trucks. Add it first.", "")
    if gallons > truck.capacity:
        why = f"{formats.volume(gallons)} are more than truck {truck.plate} holds ({truck.capacity:,})."
        return Refusal("too_big", why, charge_cite(law, days[0], "gallons"))
    return waste_allowed(law, days[0], waste)


def begun(law: Law, start: datetime, at: datetime) -> Refusal | None:
    """A booking starts in a minute that is still to come."""
    first = capacity.next_minute(at)
    if start >= first:
        return None
    if start < first - capacity.MINUTE:
        return Refusal("past", "The time you chose has passed. Nothing was booked.", "")
    began, next_one = formats.clock_time(start, law.zone), formats.clock_time(first, law.zone)
    why = f"The minute of {began} has begun. A booking starts in a minute to come: {next_one} or later."
    return Refusal("past", f"{full_stop(why)} Nothing was booked.", "")


def approval_covering(plant: Plant, business_id: int, sessions: Sequence[Session], at: datetime, law: Law) -> Any:
    """The approval that covers every day, locked for its allowance; looked at again once locked: it may be revoked."""
    days = [day_of(law, one) for one in sessions]
    found = bookings.approval_for(plant.id, business_id, days, at)
    if found is not None:
        haulers.hold_approval(found.id)
        # Revoked while this request waited: then its own clock is behind, and the revocation's counts.
        revocation = haulers.revoked(found)
        at = max(at, revocation.at) if revocation is not None and revocation.from_day is None else at
        found = bookings.approval_for(plant.id, business_id, days, at)
    standing = haulers.standing(plant.id, business_id, at, law)
    if found is None or standing.state == "suspended":
        return _not_approved(standing)
    needs = law.has("approval.licence", days[-1]) and law.value("approval.licence", days[-1])
    if needs and not haulers.licence_holds(standing.licence, days[-1]):
        return Refusal("licence", f"No state license of your company holds on {formats.day(days[-1])}.",
                       law.cite("approval.licence", days[-1]), next_step="Enter its number and end date.")  # fmt: skip
    return next((no for day in days if (no := haulers.papers_wrong(business_id, day, law)) is not None), found)


def _not_approved(standing: haulers.Standing) -> Refusal:
    """Why no approval covers the days asked for."""
    why, code = standing.why, str(standing.state) if standing.why else "not_approved"
    if standing.approval is not None and not why:
        revocation = haulers.revocation_of(standing.approval.id)
        if revocation is not None and revocation.from_day is not None:
            code, why = "revoked", f"Your approval {standing.approval.number} is revoked from " \
                                   f"{formats.date_only(revocation.from_day)}."  # fmt: skip
        else:
            found = standing.approval
            until = haulers.until_words(found, haulers.last_day(found))
            why = f"Your approval {found.number} runs from {formats.date_only(found.starts)} to {until}."
    return Refusal(code, why, standing.cite, next_step="Call the plant if this is not so.")


def no_allowance(
    law: Law, approval: Any, sessions: Sequence[Session], days: Sequence[date], at: datetime,
    except_booking: int | None = None,
) -> Refusal | None:  # fmt: skip
    """Which part of the season's gallons would be passed, and how much of it is left."""
    taken = used_and_booked(approval.id, law, at, except_booking, haulers.with_replaced(approval))
    in_winter, in_rest = haulers.granted(approval)
    for winter, granted, name in ((True, in_winter, "the winter"), (False, in_rest, "the rest of the year")):
        asked = sum(one.gallons for one, day in zip(sessions, days, strict=True) if is_winter(law, day) is winter)
        left = max(0, granted - taken.taken(winter))
        if asked > left:
            has = f"{approval.number} has {formats.volume(left)} left for {name}, of {granted:,}"
            why = f"Your approval {has}; this load needs {asked:,}."
            return Refusal("allowance", why, law.cite("decision.settles", days[0]), details={"left": left})
    return None


def no_point(law: Law, day: date) -> Refusal:
    cite = law.cite("approval.points_by", day) if law.has("approval.points_by", day) else ""
    return Refusal("no_point", "The plant manager has not opened a receiving point yet.", cite)


def day_of(law: Law, one: Session) -> date:
    return one.start.astimezone(law.zone).date()
