"""What the committee reads of an approval held or revoked: its table, one hauler's page and the packet (§ 329-7 G)."""

from datetime import date
from typing import Any

import pytest

from haulers.actions.packet import make_packet
from haulers.actions.reviews import close_review, enter_review
from haulers.actions.revocation import revoke_approval
from haulers.actions.suspension import lift_suspension, suspend_approval
from haulers.models import Approval, Review, Revocation, Suspension
from haulers.queries.review import review_table
from office.db import db
from office.law import law_now
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import approved, hauler
from tests.haulers.test_enforcement import suspensions_known
from tests.haulers.test_pages_hauler import signed_in, text
from tests.haulers.test_papers import pages

RULE, FACTS = "§ 329-7 F(4): Unloading within the hours", "Unloaded at 11 p.m."
WHEN = "2026-10-20T09:00"


@pytest.fixture
def approval(app: Any, before: Any) -> Approval:
    suspensions_known(app)
    return approved(hauler())


def given(who: str, at: str) -> dict[str, Any]:
    when = world.at(at)
    return {"by": world.staff(who), "at": when, "law": law_now(world.plant(), when)}


def suspend(approval: Approval, until: date | None = date(2026, 10, 30), at: str = WHEN) -> Suspension:
    made = suspend_approval(world.plant(), approval.id, RULE, FACTS, until, **given("director", at))
    assert isinstance(made, Suspension), made
    db.session.commit()
    return made


def lift(held: Suspension, at: str) -> None:
    made = lift_suspension(world.plant(), held.id, "The hours are kept now", **given("director", at))
    assert isinstance(made, Suspension), made
    db.session.commit()


def revoke(approval: Approval, from_day: date | None) -> None:
    revoke_approval(world.plant(), approval.id, RULE, FACTS, (), from_day, **given("director", WHEN))
    db.session.commit()


def packet(at: str) -> tuple[str, str]:
    """The cover and the first hauler's page."""
    keep = given("clerk", at)
    found = pages(make_packet(world.plant(), season_named(keep["law"], "2026-27"), **keep))
    return found[0], found[1]


def checks(at: str) -> list[str]:
    when = world.at(at)
    law = law_now(world.plant(), when)
    return review_table(world.plant(), season_named(law, "2026-27"), law, when).rows[0].checks


def seen(app: Any, clock_at: Any, at: str) -> tuple[str, str]:
    """The committee's table and the one hauler's page, as a member reads them."""
    clock_at(at)
    member = signed_in(app, "member1")
    table = text(member.get("/bayfield/committee?season=2026-27"))
    return table, text(member.get("/bayfield/committee/2026-27/1"))


def test_a_suspension_that_holds_stands_in_the_packet_with_its_rule_and_its_end(approval: Approval) -> None:
    suspend(approval)
    cover, page = packet("2026-10-21T09:00")
    assert "Approved, suspended to the end of October 30, 2026" in cover
    assert "Checks: Fee not received · Suspended now" in page
    assert f"Approval suspended October 20, 2026 to the end of October 30, 2026: {RULE}. {FACTS}" in page


def test_a_suspension_that_ended_is_told_as_one_of_before(approval: Approval) -> None:
    suspend(approval)
    cover, page = packet("2026-10-31T09:00")
    assert "suspended" not in cover
    assert "Checks: Fee not received · Suspended before" in page
    assert "Approval suspended October 20, 2026 to the end of October 30, 2026" in page


def test_the_last_second_of_a_suspension_is_still_one(approval: Approval) -> None:
    suspend(approval)
    assert checks("2026-10-30T23:59:59") == ["Fee not received", "Suspended now"]
    assert checks("2026-10-31T00:00") == ["Fee not received", "Suspended before"]


def test_a_lifted_suspension_says_when_and_why(approval: Approval) -> None:
    held = suspend(approval, None)
    assert "suspended until it is lifted" in packet("2026-10-21T09:00")[0]
    lift(held, "2026-10-22T09:00")
    cover, page = packet("2026-10-23T09:00")
    assert "suspended" not in cover
    said = "Approval suspended October 20, 2026 until it is lifted: "
    assert f"{said}{RULE}. {FACTS} Lifted October 22, 2026: The hours are kept now." in page


def test_the_table_and_the_haulers_page_show_a_suspension_now_and_as_one_of_before(
    app: Any, approval: Approval, clock_at: Any
) -> None:
    suspend(approval)
    table, page = seen(app, clock_at, "2026-10-21T09:00")
    assert ">Suspended to the end of October 30, 2026</span>" in table
    assert ">Suspended to the end of October 30, 2026</span>" in page
    assert ">Suspended now</span>" in page
    assert f"<li>Approval suspended October 20, 2026 to the end of October 30, 2026: {RULE}. {FACTS}</li>" in page
    table, page = seen(app, clock_at, "2026-10-31T09:00")
    assert (">Suspended " in table, ">Suspended before</span>" in page) == (False, True)


def test_a_revocation_set_for_a_day_to_come_is_called_from_that_day(
    app: Any, approval: Approval, clock_at: Any
) -> None:
    revoke(approval, date(2026, 11, 2))
    for shown in seen(app, clock_at, "2026-10-21T09:00"):
        assert ">Revoked from November 2, 2026</span>" in shown
        assert ">Revoked November 2" not in shown
    cover, page = packet("2026-10-21T09:00")
    assert "Approved, revoked from November 2, 2026" in cover
    assert f"Approval revoked from November 2, 2026: {RULE}. {FACTS}" in page


def test_a_revocation_at_once_is_called_by_its_day(app: Any, approval: Approval, clock_at: Any) -> None:
    revoke(approval, None)
    for shown in seen(app, clock_at, "2026-10-21T09:00"):
        assert ">Revoked October 20, 2026</span>" in shown
    assert f"Approval revoked October 20, 2026: {RULE}. {FACTS}" in packet("2026-10-21T09:00")[1]


def reverse(outcome: str = "reversed") -> None:
    """The review of the only revocation, closed on October 30."""
    revocation = db.session.query(Revocation).one()
    made = enter_review(world.plant(), "The gate was open.", date(2026, 10, 25), "Ingrid O'Brien",
                        revocation_id=revocation.id, **given("clerk", "2026-10-25T09:00"))  # fmt: skip
    assert isinstance(made, Review), made
    close_review(world.plant(), made.id, outcome, "The lock was broken", date(2026, 10, 30),
                 **given("clerk", "2026-10-30T09:00"))  # fmt: skip
    db.session.commit()


def test_a_revocation_reversed_on_review_says_so_wherever_it_is_shown(approval: Approval, app: Any,
                                                                      clock_at: Any) -> None:  # fmt: skip
    revoke(approval, None)
    reverse()
    cover, page = packet("2026-10-31T09:00")
    assert "Approved, revoked October 20, 2026, reversed on review October 30, 2026" in cover
    assert "Checks: Fee not received · Revoked before, reversed on review" in page
    said = (f"Approval revoked October 20, 2026: {RULE}. {FACTS} Reversed on review October 30, 2026: The lock was "
            "broken.")  # fmt: skip
    assert said in page
    table, one = seen(app, clock_at, "2026-10-31T09:00")
    assert ">Reversed on review October 30, 2026</span>" in table
    assert f"<li>{said}</li>" in one


@pytest.mark.parametrize("outcome", ["upheld", "withdrawn"])
def test_a_revocation_that_stands_after_its_review_is_one_of_before(approval: Approval, outcome: str) -> None:
    revoke(approval, None)
    reverse(outcome)
    assert checks("2026-10-31T09:00") == ["Fee not received", "Revoked before"]


def test_an_approval_given_back_is_told_beside_its_revocation(approval: Approval) -> None:
    revoke(approval, None)
    again = Approval(plant_id=approval.plant_id, application_id=approval.application_id, replaces_id=approval.id,
                     business_id=approval.business_id, decision_id=approval.decision_id, season=approval.season,
                     number="A-2026-27-009", starts=date(2026, 11, 4), ends=approval.ends, plan=approval.plan,
                     gallons_winter=approval.gallons_winter, gallons_rest=approval.gallons_rest,
                     law_version=approval.law_version)  # fmt: skip
    db.session.add(again)
    db.session.flush()
    cover, page = packet("2026-11-05T09:00")
    assert "given back as approval A-2026-27-009 from November 4, 2026" in cover
    assert "Checks: Fee not received · Revoked before, given back" in page
    assert f"{FACTS} Given back as approval A-2026-27-009 from November 4, 2026." in page


def test_once_decided_the_packet_says_the_decision_once(approval: Approval) -> None:
    page = packet("2026-10-20T09:00")[1]
    assert ("Approved." in page, "Approved Approved" in page) == (True, False)
