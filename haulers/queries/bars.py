"""Whether a revocation keeps a hauler from applying again, where the law has such a bar (§ 329-7 G has none)."""

from datetime import date, datetime, timedelta

from haulers.models import Approval
from haulers.queries.approvals import revocations_of
from haulers.queries.undone import undone_of
from office.db import db
from office.formats import date_only
from office.plants import Plant
from ordinances.reader import Law
from ordinances.refusal import Refusal

BAR = "revocation.reapply_bar"
STEP = "Send an application in a filing window that is open on that day or later. A draft stays saved."


def reapply_barred(plant: Plant, business_id: int, law: Law, at: datetime) -> Refusal | None:
    """The refusal to a hauler who applies within a year of a revocation at this plant; None where nothing bars it."""
    day = at.astimezone(law.zone).date()
    if not law.has(BAR, day) or law.value(BAR, day) != "one_year":
        return None
    known = revocations_of([business_id], plant.id).get(business_id, [])
    undone = undone_of(known)
    # One that its review reversed never was a reason to wait.
    revoked = [one for one in known
               if one.at <= at and (one.id not in undone or undone[one.id].outcome != "reversed")]  # fmt: skip
    if not revoked:
        return None
    on = revoked[0].at.astimezone(law.zone).date()
    again = _a_year_after(on)
    if day >= again:
        return None
    number = db.session.get_one(Approval, revoked[0].approval_id).number
    why = f"Approval {number} was revoked on {date_only(on)}. You can apply again from {date_only(again)}."
    row = law.row(BAR, day)
    return Refusal("barred", why, row.cite, row.reading, STEP, {"revoked": on, "again": again})


def _a_year_after(day: date) -> date:
    """The same day of the next year; after February 29 it is March 1."""
    try:
        return day.replace(year=day.year + 1)
    except ValueError:
        return (day + timedelta(days=1)).replace(year=day.year + 1)
