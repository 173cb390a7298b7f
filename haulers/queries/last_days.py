"""The last day an approval counts: its own end, or the day the committee carried it over to (§ 329-7 B(2))."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from sqlalchemy import select

from haulers.models import Approval, CarryOver, Meeting, Motion
from haulers.queries.approvals import (
    Listed,
    approval_in_force,
    approvals_in_force,
    carried_until,
    revocation_of,
)
from office.db import db
from office.formats import date_only
from office.plants import plant_of
from ordinances.reader import Law


def last_days(approvals: Collection[Approval]) -> dict[int, date]:
    """The last day of each approval. One query. What revokes it sooner is said apart."""
    carried = carried_until([one.id for one in approvals])
    return {one.id: max(one.ends, carried.get(one.id, one.ends)) for one in approvals}


def last_day(approval: Approval) -> date:
    """The last day of one approval."""
    return last_days([approval])[approval.id]


# Each approval is carried over until its hauler's own letter, however far the motion reaches.
OR_LETTER = "or until the letter on the new application"


def until_words(approval: Approval, last: date) -> str:
    """ "September 30, 2027", or "September 30, 2027, carried over until November 29, 2027, or until the letter …"."""
    ends = date_only(approval.ends)
    return ends if last <= approval.ends else f"{ends}, carried over until {date_only(last)}, {OR_LETTER}"


def carried_lines(plant_id: int, at: datetime, law: Law) -> list[Listed]:
    """The lines of the public list for approvals past their own end that are carried over, by name."""
    day = at.astimezone(law.zone).date()
    past = [row for row in approvals_in_force(plant_id, at, law) if row[0].ends < day]
    if not past:
        return []
    unheld = set(db.session.scalars(approval_in_force(at, day)))
    return [Listed(party.name, party.phone, found.season, found, None, found.id not in unheld)
            for found, _, party in past]  # fmt: skip


def carry_over_of(plant_id: int, season: str) -> tuple[date, date] | None:
    """The day approvals are carried over to into a season, and the day of the meeting that voted it."""
    row: Any = db.session.execute(
        select(CarryOver.until, Meeting.held_on).join(Motion, Motion.id == CarryOver.motion_id)
        .join(Meeting, Meeting.id == Motion.meeting_id)
        .where(CarryOver.plant_id == plant_id, CarryOver.season == season)
    ).one_or_none()  # fmt: skip
    return (row[0], row[1]) if row is not None else None


def approvals_to_come(business_id: int, at: datetime) -> list[Approval]:
    """The approvals of a business, at any plant, that hold at an instant or will: not over, not revoked."""
    query = select(Approval).filter_by(business_id=business_id).order_by(Approval.starts, Approval.id)
    known = list(db.session.scalars(query))
    last = last_days(known)
    return [one for one in known if last[one.id] >= at.astimezone(plant_of(one.plant_id).tz).date()
            and revocation_of(one.id) is None]  # fmt: skip
