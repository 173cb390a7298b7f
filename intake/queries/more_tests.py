"""Further tests of a load: who may order them, what they cost, which were ordered (§ 329-7 F(1))."""

from collections.abc import Iterable
from datetime import date

from sqlalchemy import select

from intake.models import MoreTests
from office.db import db
from ordinances.reader import Law

MORE_BY = "testing.more_by"


def offices(law: Law, day: date) -> tuple[str, ...]:
    """Who may order further tests, in the law's words; none where it has no such tests."""
    return tuple(law.value(MORE_BY, day)) if law.has(MORE_BY, day) else ()


def of_loads(load_ids: Iterable[int]) -> dict[int, list[MoreTests]]:
    """Further tests by load, the first at the top, in one query."""
    found: dict[int, list[MoreTests]] = {}
    query = select(MoreTests).where(MoreTests.load_id.in_(list(load_ids))).order_by(MoreTests.id)
    for row in db.session.scalars(query):
        found.setdefault(row.load_id, []).append(row)
    return found
