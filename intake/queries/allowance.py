"""How much of an approval is used and booked, winter and the rest of the year apart (§ 329-7 B(2), § 281.49)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import func, select

from intake.models import Booking, Load, PlannedSession, Run
from intake.queries.capacity import opened, stopped, turned_away
from intake.states import BookingState, LoadState
from office.db import db
from ordinances.calendar import in_winter
from ordinances.reader import Law


@dataclass(frozen=True)
class Allowance:
    """Whole gallons unloaded and gallons still planned under one approval."""

    winter_used: int = 0
    winter_booked: int = 0
    rest_used: int = 0
    rest_booked: int = 0

    def taken(self, winter: bool) -> int:
        """Gallons of one part of the season that nobody else may count on."""
        return self.winter_used + self.winter_booked if winter else self.rest_used + self.rest_booked


def used_and_booked(
    approval_id: int, law: Law, at: datetime | None = None, except_booking: int | None = None
) -> Allowance:
    """What an approval has unloaded and what is still planned under it.

    With ``at`` sessions of days gone by count no more: a truck that never came gives its gallons back. A booking
    held by a restriction keeps them. Two queries.
    """
    used = _by_part(db.session.execute(_used(approval_id)).all(), law)
    booked = _by_part(db.session.execute(_booked(approval_id, law, at, except_booking)).all(), law)
    return Allowance(used[True], booked[True], used[False], booked[False])


def used(approval_id: int) -> int:
    """Gallons unloaded under an approval so far."""
    return sum(gallons for _, gallons in db.session.execute(_used(approval_id)).all())


def _used(approval_id: int) -> Any:
    return (
        select(Run.day, func.sum(Run.gallons))
        .join(Load, Load.id == Run.load_id)
        .where(Load.approval_id == approval_id, Load.state == LoadState.ACCEPTED.value)
        .group_by(Run.day)
    )


def _booked(approval_id: int, law: Law, at: datetime | None, except_booking: int | None) -> Any:
    query = (
        select(PlannedSession.day, func.sum(PlannedSession.gallons))
        .join(Booking, Booking.id == PlannedSession.booking_id)
        .where(Booking.approval_id == approval_id, Booking.state == BookingState.BOOKED.value)
        .where(~opened(), ~turned_away(), ~stopped())
        .group_by(PlannedSession.day)
    )
    if at is not None:
        query = query.where(PlannedSession.day >= at.astimezone(law.zone).date())
    if except_booking is not None:
        query = query.where(Booking.id != except_booking)
    return query


def _by_part(rows: Iterable[Any], law: Law) -> dict[bool, int]:
    parts = {True: 0, False: 0}
    for day, gallons in rows:
        parts[_winter(law, day)] += int(gallons)
    return parts


def _winter(law: Law, day: date) -> bool:
    return law.has("winter.from", day) and in_winter(law, day)
