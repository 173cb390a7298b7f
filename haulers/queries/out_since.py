"""Since when a hauler's approval no longer covers a day: revoked, or suspended now (§ 329-7 C(2), G)."""

from collections.abc import Collection, Iterable
from datetime import date, datetime

from sqlalchemy import and_, or_, select

from haulers.models import Approval, Revocation, Suspension
from office.db import db

Day = tuple[int, date]


def out_since(plant_id: int, wanted: Collection[Day]) -> dict[Day, datetime]:
    """Of businesses and days, those whose approval was taken or is held then, with the instant. One or two queries.

    A business with another approval for the day is not out; a suspension that was lifted is none any more.
    """
    if not wanted:
        return {}
    query = (
        select(Approval.id, Approval.business_id, Approval.starts, Approval.ends, Revocation.at, Revocation.from_day,
               Suspension.at, Suspension.until)
        .outerjoin(Revocation, Revocation.approval_id == Approval.id)
        .outerjoin(Suspension, and_(Suspension.approval_id == Approval.id, Suspension.lifted_at.is_(None)))
        .where(Approval.plant_id == plant_id, Approval.business_id.in_({one for one, _ in wanted}),
               or_(Revocation.id.is_not(None), Suspension.id.is_not(None)))
    )  # fmt: skip
    taken = [tuple(row) for row in db.session.execute(query)]
    if not taken:
        return {}
    runs = select(Approval.id, Approval.business_id, Approval.starts, Approval.ends).where(
        Approval.plant_id == plant_id, Approval.business_id.in_({row[1] for row in taken}))  # fmt: skip
    every = [tuple(row) for row in db.session.execute(runs)]
    found = {(business_id, day): _all_out(_covering(every, business_id, day), taken, day)
             for business_id, day in wanted}  # fmt: skip
    return {one: at for one, at in found.items() if at is not None}


def _covering(every: Iterable[tuple[int, int, date, date]], business_id: int, day: date) -> list[int]:
    """The approvals of a business for a day; the last one begun where none runs, as when it was carried over."""
    mine = [one for one in every if one[1] == business_id and one[2] <= day]
    running = [one[0] for one in mine if one[3] >= day]
    return running or [max(mine, key=lambda one: one[2])[0]] if mine else []


def _all_out(approvals: Collection[int], taken: Iterable[tuple[object, ...]], day: date) -> datetime | None:
    """The instant at which the last of some approvals was taken or held for a day; None while one of them covers it."""
    outs: dict[int, list[datetime]] = {one: [] for one in approvals}
    for ident, _, _, _, revoked, from_day, held, until in taken:
        if ident not in outs:
            continue
        if isinstance(revoked, datetime) and (not isinstance(from_day, date) or from_day <= day):
            outs[ident].append(revoked)
        if isinstance(held, datetime) and (not isinstance(until, date) or until >= day):
            outs[ident].append(held)
    if not outs or not all(outs.values()):
        return None
    return max(min(ats) for ats in outs.values())
