"""Whether an approval holds on a day is said by the database and by what is kept of it: both say the same."""

from datetime import date
from typing import Any

import pytest

from haulers.actions.revocation import revoke_approval
from haulers.actions.suspension import lift_suspension
from haulers.models import Approval
from haulers.queries import approval_in_force, in_force_on, spans
from office.db import db
from tests import world
from tests.haulers.builders import approved, hauler
from tests.haulers.test_enforcement import FACTS, RULE, given, suspend, suspensions_known

INSTANTS = ("2026-10-20T08:59:59", "2026-10-20T09:00", "2026-10-22T10:00", "2026-11-02T00:00")
DAYS = (date(2026, 9, 30), date(2026, 10, 30), date(2026, 10, 31), date(2026, 11, 1), date(2026, 11, 2),
        date(2027, 9, 30), date(2027, 10, 1))  # fmt: skip


def held(_approval: Approval) -> None:
    suspend(_approval)


def lifted(approval: Approval) -> None:
    lift_suspension(world.plant(), suspend(approval, None).id, "It trained its drivers.",
                    **given("director", "2026-10-22T10:00"))  # fmt: skip


def revoked(approval: Approval, from_day: date | None = None) -> None:
    revoke_approval(world.plant(), approval.id, RULE, FACTS, (), from_day, **given())


def revoked_ahead(approval: Approval) -> None:
    revoked(approval, date(2026, 11, 2))


@pytest.mark.parametrize(("act", "holding"), [
    (None, (20, 20)), (held, (17, 20)), (lifted, (15, 20)), (revoked, (5, 5)), (revoked_ahead, (9, 9)),
])  # fmt: skip
def test_an_approval_holds_by_what_is_kept_as_by_the_database(app: Any, before: Any, act: Any,
                                                              holding: tuple[int, int]) -> None:  # fmt: skip
    suspensions_known(app)
    approval = approved(hauler())
    if act is not None:
        act(approval)
    db.session.commit()
    kept, plain, also_held = spans(approval.plant_id), 0, 0
    for at in map(world.at, INSTANTS):
        for day in DAYS:
            by_rows = [approval.id in db.session.scalars(approval_in_force(at, day, suspended)).all()
                       for suspended in (False, True)]  # fmt: skip
            by_facts = [kept.hold(approval.id, at, day, held=suspended) for suspended in (False, True)]
            assert (by_facts, in_force_on(approval, at, day)) == (by_rows, by_rows[0]), (at, day)
            plain, also_held = plain + by_rows[0], also_held + by_rows[1]
    assert (plain, also_held) == holding
