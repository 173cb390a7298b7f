"""When a hauler's approvals did not cover a day: revoked, or suspended for a time (§ 329-7 C(2), G)."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import or_, select

from haulers.models import Approval, Revocation, Suspension
from office.db import db
from office.letters import Letter
from office.plants import plant_of

Day = tuple[int, date]
# From the first instant, itself counted, to the last, not counted; None: without end.
Span = tuple[datetime, datetime | None]
END = datetime.max.replace(tzinfo=UTC)


def outs_of(plant_id: int, wanted: Collection[Day]) -> dict[Day, tuple[Span, ...]]:
    """Of businesses and days, when no approval that covers the day held. At most four queries, mostly one.

    A revocation counts from the instant it was decided, also one for a day to come; a suspension as long as it holds,
    whatever the day. A business with another approval for the day is not out.
    """
    ids = {business_id for business_id, _ in wanted}
    taken = _taken(plant_id, ids) if ids else {}
    if not taken:
        return {}
    runs = select(Approval.id, Approval.business_id, Approval.starts, Approval.ends).where(
        Approval.plant_id == plant_id, Approval.business_id.in_(ids))  # fmt: skip
    every = [tuple(row) for row in db.session.execute(runs)]
    found = {}
    for business_id, day in wanted:
        spans = [_spans(taken.get(one, ()), day) for one in _covering(every, business_id, day)]
        found[business_id, day] = _all_at_once(spans) if spans else ()
    return {one: spans for one, spans in found.items() if spans}


def _taken(plant_id: int, ids: Collection[int]) -> dict[int, list[tuple[Span, date | None]]]:
    """By approval, when it did not hold, and from which day on a revocation bars."""
    mine = (Approval.plant_id == plant_id, Approval.business_id.in_(ids))
    query = (
        select(Approval.id, Revocation.at, Revocation.from_day, Letter.written_at, Suspension.at, Suspension.until,
               Suspension.lifted_at)
        .outerjoin(Revocation, Revocation.approval_id == Approval.id)
        .outerjoin(Letter, Letter.id == Revocation.letter_id)
        .outerjoin(Suspension, Suspension.approval_id == Approval.id)
        .where(*mine, or_(Revocation.id.is_not(None), Suspension.id.is_not(None)))
    )  # fmt: skip
    found: dict[int, list[tuple[Span, date | None]]] = {}
    rows: list[Any] = list(db.session.execute(query))
    zone = plant_of(plant_id).tz if rows else None
    for ident, revoked, from_day, decided, held, until, lifted in rows:
        spans = found.setdefault(ident, [])
        if revoked is not None:
            spans.append((((decided or revoked) if from_day else revoked, None), from_day))
        if held is not None:
            over = datetime.combine(until + timedelta(days=1), time(0), zone) if until is not None else None
            spans.append(((held, min(filter(None, (over, lifted)), default=None)), None))
    return found


def _covering(every: Iterable[tuple[int, int, date, date]], business_id: int, day: date) -> list[int]:
    """The approvals of a business for a day; the last one begun where none runs, as when it was carried over."""
    mine = [one for one in every if one[1] == business_id and one[2] <= day]
    running = [one[0] for one in mine if one[3] >= day]
    return running or [max(mine, key=lambda one: one[2])[0]] if mine else []


def _spans(taken: Iterable[tuple[Span, date | None]], day: date) -> list[Span]:
    return sorted({span for span, from_day in taken if from_day is None or from_day <= day}, key=lambda one: one[0])


def _all_at_once(several: Sequence[Sequence[Span]]) -> tuple[Span, ...]:
    """The times that lie in a span of every one of several."""
    found: list[Span] = list(several[0])
    for others in several[1:]:
        pairs = [(max(a[0], b[0]), min(a[1] or END, b[1] or END)) for a in found for b in others]
        found = [(first, None if last == END else last) for first, last in pairs if first < last]
    return tuple(sorted(found, key=lambda one: one[0]))
