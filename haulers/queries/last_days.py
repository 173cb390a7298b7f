"""The last day an approval counts: its own end, or the day the committee carried it over to (§ 329-7 B(2))."""

from collections.abc import Collection
from datetime import date, datetime

from sqlalchemy import select

from haulers.models import Approval
from haulers.queries.approvals import carried_until, revocation_of
from office.db import db
from office.formats import date_only
from office.plants import Plant


def last_days(approvals: Collection[Approval]) -> dict[int, date]:
    """The last day of each approval. One query. What revokes it sooner is said apart."""
    carried = carried_until([one.id for one in approvals])
    return {one.id: max(one.ends, carried.get(one.id, one.ends)) for one in approvals}


def last_day(approval: Approval) -> date:
    """The last day of one approval."""
    return last_days([approval])[approval.id]


def until_words(approval: Approval, last: date) -> str:
    """ "September 30, 2027", or "September 30, 2027, carried over until November 29, 2027"."""
    ends = date_only(approval.ends)
    return ends if last <= approval.ends else f"{ends}, carried over until {date_only(last)}"


def approvals_to_come(business_id: int, at: datetime) -> list[Approval]:
    """The approvals of a business, at any plant, that hold at an instant or will: not over, not revoked."""
    query = select(Approval).filter_by(business_id=business_id).order_by(Approval.starts, Approval.id)
    known = list(db.session.scalars(query))
    last = last_days(known)
    return [one for one in known if last[one.id] >= at.astimezone(db.session.get_one(Plant, one.plant_id).tz).date()
            and revocation_of(one.id) is None]  # fmt: skip
