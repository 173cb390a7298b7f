"""May this truck discharge now? One answer, one reason, always looked for in the same order.

Approval, revocation, suspension, licence, insurance, certificates, the driver's own, truck, kind of waste and its
limits, restriction, hours, booking: the first that says no is the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import and_, false, or_, select

from haulers import queries as haulers
from intake.models import Booking, Hold, Load, PlannedSession, Run, SpecialTime
from intake.queries import restrictions
from intake.queries.allowance import Limits, limit_words, limits
from intake.queries.flow_recorded import recorded_for
from intake.queries.special_spans import arranged_ids, arrangement, now_for
from intake.queries.words import sentence
from intake.states import BookingState, HoldEnd, LoadState
from office import formats
from office.db import db
from office.plants import Plant
from ordinances.calendar import shut_now
from ordinances.flows import Reading, reads_meter
from ordinances.other_times import arranged
from ordinances.rate_cap import cap_on, hours_on
from ordinances.reader import Law
from ordinances.refusal import Refusal
from ordinances.screening import waste_allowed


@dataclass(frozen=True)
class GateAnswer:
    """Yes with the booking it counts for, or no with the one reason, its § and what to do.

    ``note`` is what the operator reads beside a yes: certificates that have ended, gallons left under a limit.
    """

    ok: bool
    code: str
    sentence: str
    cite: str
    booking: Booking | None = None
    reading: str | None = None
    next_step: str | None = None
    approval_id: int | None = None
    note: str = ""

    def refusal(self) -> Refusal:
        """The same answer as acts return it."""
        return Refusal(self.code, self.sentence, self.cite, self.reading, self.next_step)


@dataclass(frozen=True)
class Case:
    """One truck at the gate at one instant."""

    plant: Plant
    law: Law
    at: datetime
    business_id: int | None
    truck_id: int | None
    waste: str
    booking: Booking | None
    driver: str | None = None

    @property
    def day(self) -> date:
        return self.at.astimezone(self.plant.tz).date()

    def cite(self, key: str) -> str:
        """The section of a term, empty where this town's law does not have it."""
        return self.law.cite(key, self.day) if self.law.has(key, self.day) else ""


def may_discharge(plant: Plant, law: Law, at: datetime, *, business_id: int | None, truck_id: int | None, waste: str,
                  booking: Booking | None = None, driver: str | None = None) -> GateAnswer:  # fmt: skip
    """Whether this truck of this business may unload this waste now, and the booking it may count for.

    ``driver`` is who drives it, None while nobody was asked yet: then ``note`` says who may, where that matters.
    Room in the limit is not asked here: how many gallons fit depends on the gallons (``intake.actions.station``).
    """
    case = Case(plant, law, at, business_id, truck_id, waste, booking, driver)
    if business_id is None:
        return _no(case, "unknown_business", "Do not accept: this hauler has no approval here.", "decision.outcomes")
    standing = haulers.standing(plant.id, business_id, at, law)
    if standing.state != "approved":
        return GateAnswer(False, str(standing.state), f"Do not accept: {_lower(standing.why)}", standing.cite)
    if not standing.licence_ok:
        return _no(case, "licence", f"Do not accept: {_licence_words(standing.licence)}", "approval.licence",
                   "The hauler renews the license and the clerk enters its new end date.")  # fmt: skip
    assert standing.approval is not None
    refused = _papers(case) or _truck(case, standing.approval) or _waste(case, standing.approval)
    refused = refused or _restricted(case) or _hours(case) or _booking(case)
    if refused is not None:
        return refused
    mine = booking or _own(case)
    note = _note(case, standing.approval, mine)
    return GateAnswer(True, "may_unload", _yes(mine), "", mine, approval_id=standing.approval.id, note=note)


def _no(case: Case, code: str, words: str, key: str, next_step: str | None = None) -> GateAnswer:
    reading = case.law.row(key, case.day).reading if case.law.has(key, case.day) else None
    return GateAnswer(False, code, words, case.cite(key), reading=reading, next_step=next_step)


def _from(refusal: Refusal) -> GateAnswer:
    return GateAnswer(False, refusal.code, f"Do not accept: {_lower(refusal.why)}", refusal.cite,
                      reading=refusal.reading, next_step=refusal.next_step)  # fmt: skip


_SMALL = ("The", "This", "Truck", "Approval", "Driver", "No", "Nothing")


def _lower(words: str) -> str:
    """The sentence after a colon: names and abbreviations keep their capital."""
    first = words.split(" ", 1)[0]
    return words[:1].lower() + words[1:] if first in _SMALL else words


def _licence_words(licence: object | None) -> str:
    ends = getattr(licence, "ends_on", None)
    return f"state license ended {formats.date_only(ends)}." if ends else "no state license is entered for this hauler."


def _truck(case: Case, approval: Any) -> GateAnswer | None:
    assert case.business_id is not None
    truck = next((one for one in haulers.trucks_of(case.business_id) if one.id == case.truck_id), None)
    if truck is not None:
        refusal = haulers.truck_covered(approval, truck, case.law)
        return _from(refusal) if refusal else None
    words = "Do not accept: this truck is not on the hauler's list."
    return _no(case, "truck", words, "approval.points_by", "The hauler adds the truck with its plate and tank size.")


def _papers(case: Case) -> GateAnswer | None:
    refusal = haulers.papers_wrong(case.business_id or 0, case.day, case.law)
    if refusal is None and case.driver is not None:
        refusal = haulers.driver_wrong(case.business_id or 0, case.driver, case.day, case.law)
    return _from(refusal) if refusal else None


def _waste(case: Case, approval: Any) -> GateAnswer | None:
    refusal = waste_allowed(case.law, case.day, case.waste) or haulers.waste_covered(approval, case.waste, case.law)
    if refusal is None:
        # One gallon stands for any load: how many fit is asked when the gallons are known.
        own = case.booking or _own(case)
        refusal = _limits(case, approval, own).refusal([(case.day, 1)], case.waste)
    return _from(refusal) if refusal else None


def _limits(case: Case, approval: Any, booking: Booking | None) -> Limits:
    """The approval's limits as this truck finds them: what it booked itself does not stand in its way."""
    return limits(approval, case.law, case.at, except_booking=booking.id if booking else None)


def _note(case: Case, approval: Any, booking: Booking | None) -> str:
    found = _limits(case, approval, booking)
    left = [f"{formats.gallons(found.left(one, case.day))} of {limit_words(one)} left"
            for one in found.on(case.day, case.waste)]  # fmt: skip
    said = f"{'; '.join(left)}." if left else ""
    return " ".join(filter(None, (haulers.papers_note(case.business_id or 0, case.day, case.law), said)))


def _restricted(case: Case) -> GateAnswer | None:
    rows = restrictions.in_force(case.plant.id, case.at)
    # A point that is shut is told where the truck is sent to a point: another one may be open.
    found = restrictions.stopping(rows, case.waste)
    if found is None:
        return None
    tz = case.plant.tz
    since = formats.clock_time(found.starts, tz)
    if found.starts.astimezone(tz).date() != case.day:
        since = f"{formats.day_short(found.starts, tz)}, {since}"
    what = restrictions.not_taken(found)
    words = f"Do not accept: {what} since {since} because of {restrictions.words_of(found.reason)}."
    return _no(case, "restricted", words, "restriction.by", "Record it as a refused load.")


def _own(case: Case) -> Booking | None:
    """What this truck booked that it may have come for: a special time that is now, else its next booking of today."""
    return _special_now(case) or booking_today(case.plant.id, case.day, case.business_id or 0, case.truck_id)


def _special_now(case: Case) -> Booking | None:
    """The truck's special time that is now and still stands (§ 329-7 F(4))."""
    found = now_for(case.plant.id, case.at, case.business_id or 0, case.truck_id)
    return next((one for one in found if not _held(one.id, lost=True) and ticket_on(one.id, case.day) is None), None)


def _hours(case: Case) -> GateAnswer | None:
    shut = shut_now(case.law, case.at)
    if shut is not None:
        return _from(shut)
    flows = recorded_for(case.plant.id, case.law, case.day, case.day) if reads_meter(case.law, case.day) else []
    row = arrangement(case.booking.id if case.booking else None)
    if row is None and (mine := _special_now(case)) is not None:
        row = arrangement(mine.id)
    if row is not None:
        return _special_hours(case, row, flows)
    hours = hours_on(case.law, case.day, flows)
    if isinstance(hours, Refusal):
        return _from(hours)
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
        return _from(shut)
    if row.starts <= case.at < until:
        return None
    when = f"{formats.day_short(row.starts, case.plant.tz)}, {formats.span(row.starts, until, case.plant.tz)}"
    words = f"{sentence(f'Special time {row.number} is {when}')} {sentence(f'It is {_clock(case)}')}"
    return _no(case, "booking_other_time", words, "hours.special_by",
               "Log the truck as not booked: it may unload if it fits.")  # fmt: skip


def _clock(case: Case) -> str:
    return formats.clock_time(case.at, case.plant.tz)


def _booking(case: Case) -> GateAnswer | None:
    wrong = _booking_wrong(case, case.booking) if case.booking else None
    if wrong is None or case.booking is None:
        return None
    code, why = wrong
    return _no(case, code, f"Booking {case.booking.number} {why}.", "approval.points_by",
               "Log the truck as not booked: it may unload if it fits.")  # fmt: skip


def _booking_wrong(case: Case, booking: Booking) -> tuple[str, str] | None:
    """Code and words of what is wrong with a booking here and now."""
    days = sorted(db.session.scalars(select(PlannedSession.day).filter_by(booking_id=booking.id)))
    ticket = ticket_on(booking.id, case.day)
    checks = (
        (booking.business_id != case.business_id, "booking_other_hauler", "is another hauler's"),
        (booking.state == BookingState.CANCELLED.value, "booking_ended", "was cancelled"),
        (booking.state == BookingState.NO_SHOW.value, "booking_ended", "was closed: the truck did not come"),
        (_held(booking.id), "booking_held", "is on hold until the restriction is lifted"),
        (ticket is not None, "booking_used", f"was used: load ticket {ticket}"),
        (case.day not in days, "booking_other_day", f"is for {' and '.join(map(formats.day_short, days))}"),
    )
    return next(((code, why) for wrong, code, why in checks if wrong), None)


def _held(booking_id: int, lost: bool = False) -> bool:
    """Whether a restriction holds a booking; with ``lost`` also whether it has lost its time for good."""
    gone: Any = Hold.outcome.in_((HoldEnd.MISSED.value, HoldEnd.LISTED.value))
    query = select(Hold.id).where(Hold.booking_id == booking_id, Hold.ended_at.is_(None) | (gone if lost else false()))
    return db.session.scalars(query.limit(1)).first() is not None


def ticket_on(booking_id: int, day: date) -> str | None:
    """The ticket under which a booking's load ran on a day, or was refused at all; a void one does not count."""
    ran = select(Run.load_id).where(Run.day == day)
    query = select(Load.ticket).where(
        Load.booking_id == booking_id,
        or_(Load.state == LoadState.REFUSED.value, and_(Load.state == LoadState.ACCEPTED.value, Load.id.in_(ran))),
    )
    return db.session.scalars(query.limit(1)).first()


def booking_today(plant_id: int, day: date, business_id: int, truck_id: int | None) -> Booking | None:
    """The business's first booking of the day for this truck that is still to come, or None."""
    query = (
        select(Booking)
        .join(PlannedSession, PlannedSession.booking_id == Booking.id)
        .where(Booking.plant_id == plant_id, Booking.business_id == business_id, Booking.truck_id == truck_id,
               Booking.state == BookingState.BOOKED.value, PlannedSession.day == day,
               # A special time is for its own time only.
               Booking.id.not_in(arranged_ids()))
        .order_by(PlannedSession.starts)
    )  # fmt: skip
    return next((b for b in db.session.scalars(query) if not _held(b.id) and ticket_on(b.id, day) is None), None)


def _yes(booking: Booking | None) -> str:
    if booking is None:
        return "May unload without a booking, if the gallons still fit."
    return f"May unload under booking {booking.number}: {formats.volume(booking.gallons)}."
