"""An approval that begins on a day to come, and one revoked from a day to come, are known before that day."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from haulers.models import Approval, Motion
from haulers.queries import Standing, begins_words, standing
from office.db import db
from tests import world
from tests.haulers.builders import approved, hauler, issued, roll

RULE = "§ 329-7 F(4): Unloading within the hours"
REVOKED_AT, GIVEN_AT = "2026-10-20T09:00", "2026-12-16T09:00"


@pytest.fixture
def approval(app: Any) -> Approval:
    return approved(hauler())


def revoke(approval: Approval, from_day: date | None = None) -> None:
    made = revoke_approval(world.plant(), approval.id, RULE, "At night.", (), from_day, by=world.staff("director"),
                           at=world.at(REVOKED_AT), law=world.law())  # fmt: skip
    assert getattr(made, "why", "") == ""


def give_back(approval: Approval, starts: date) -> None:
    made = reinstate_approval(world.plant(), approval.id, roll(held_on=date(2026, 12, 15)), "They mended it.", starts,
                              by=world.staff("clerk"), at=world.at(GIVEN_AT), law=world.law())  # fmt: skip
    assert isinstance(issued(made, GIVEN_AT), Motion), made
    db.session.commit()


def at(approval: Approval, text: str) -> Standing:
    return standing(world.plant().id, approval.business_id, world.at(text), world.law())


def test_one_given_back_from_a_day_to_come_is_known_before_it_begins(approval: Approval) -> None:
    revoke(approval)
    assert at(approval, GIVEN_AT).later is None
    give_back(approval, date(2026, 12, 20))
    found = at(approval, "2026-12-19T23:59:59")
    new = db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one()
    assert (found.state.value, found.later) == ("revoked", new)
    assert begins_words(new) == "Approval A-2026-27-002 begins December 20, 2026."
    after = at(approval, "2026-12-20T00:00")
    assert (after.state.value, after.approval, after.later) == ("approved", new, None)


def test_the_public_list_says_from_when_it_holds(approval: Approval, app: Any, clock_at: Any) -> None:
    revoke(approval)
    give_back(approval, date(2026, 12, 20))
    client = app.test_client()
    clock_at("2026-12-19T23:59:59")
    assert ">Approved from December 20, 2026</span>" in client.get("/bayfield/approved").get_data(as_text=True)
    clock_at("2026-12-20T00:00")
    assert ">Approved</span>" in client.get("/bayfield/approved").get_data(as_text=True)


def test_a_revocation_is_ahead_until_its_day(approval: Approval) -> None:
    assert at(approval, "2026-10-19T12:00").revoked_from is None
    revoke(approval, date(2026, 11, 2))
    assert at(approval, "2026-11-01T23:59:59").revoked_from == date(2026, 11, 2)
    gone = at(approval, "2026-11-02T00:00")
    assert (gone.state.value, gone.revoked_from) == ("revoked", None)


def test_one_revoked_before_it_begins_is_not_to_come(approval: Approval) -> None:
    assert at(approval, "2026-09-20T09:00").later == approval
    made = revoke_approval(world.plant(), approval.id, RULE, "At night.", by=world.staff("director"),
                           at=world.at("2026-09-21T09:00"), law=world.law())  # fmt: skip
    assert getattr(made, "why", "") == ""
    assert at(approval, "2026-09-21T09:00").later is None
