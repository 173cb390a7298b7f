"""Carried over are only those who wait, each until its own letter is issued (a reading of § 329-7 B(2))."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers import ports
from haulers.actions import DecisionLine, withdraw_application
from haulers.actions.minutes import minutes
from haulers.models import Application, Approval
from haulers.queries import last_day, recorded, standing
from haulers.queries.approvals import approval_in_force
from haulers.states import Outcome, StandingState
from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests import world
from tests.haulers.builders import acting, approve, approved, filed, hauler, issue, record, roll
from tests.haulers.test_referrals import carry

LAST = date(2027, 11, 29)


@pytest.fixture
def waits(app: Any) -> Application:
    """Two haulers approved for 2026-27; the first applies for 2027-28, and its approval is carried over."""
    first, second = hauler(), hauler("Second Septic", "second@hauler.example")
    approved(first), approved(second)
    made = filed(first, at="2027-08-12T10:30")
    assert carry(LAST, "2027-10-02T09:00").passed is True
    return made


def holding(when: str) -> list[str]:
    at = world.at(when)
    found = db.session.scalars(select(Approval).where(Approval.id.in_(approval_in_force(at, at.date()))))
    return sorted(one.number for one in found)


def decided(made: Application, line: DecisionLine) -> Any:
    motion = record([line], roll(held_on=date(2027, 10, 19)), "2027-10-20T09:00")
    [sent] = issue(motion, at="2027-10-21T09:00")
    return sent


def test_only_haulers_with_an_application_that_waits_are_carried_over(app: Any, waits: Application) -> None:
    assert holding("2027-10-05T08:00") == ["A-2026-27-001"]
    told = db.session.scalars(select(Notice).filter_by(kind="carry_over")).all()
    assert [one.to_email for one in told] == ["o'brien@hauler.example"]
    assert ("You may unload as before until the letter on your application is issued, and to November 29, 2027 at the "
            "latest.") in told[0].body  # fmt: skip


def test_the_minutes_name_whose_approval_is_carried_over_and_what_ends_that(app: Any) -> None:
    business = hauler()
    approved(business)
    filed(business, at="2027-08-12T10:30")
    made = carry(LAST, "2027-10-02T09:00")
    found = recorded(world.plant().id, made.id)
    assert found is not None
    assert minutes(found, world.law(date(2027, 10, 2)))[2:] == [
        "Approvals of the season before, of haulers whose application waits, are carried over into season 2027-28: "
        "each until its letter is issued, to November 29, 2027 at the latest.",
        "A-2026-27-001, O'Brien & Søn Septic, L.L.C.: carry over until the letter on the new application is issued, to "
        "November 29, 2027 at the latest.",
    ]  # fmt: skip


def test_the_letter_of_the_new_approval_ends_what_is_carried_over_and_begins_that_day(
    app: Any, waits: Application
) -> None:
    old = db.session.scalars(select(Approval).filter_by(number="A-2026-27-001")).one()
    moved: list[tuple[int, date]] = []
    kept = ports._Provided.taking_over
    ports.provide_taking_over(lambda plant, old_id, new_id, first, last, at: moved.append((old_id, first)))
    letter = decided(waits, approve(waits))
    ports._Provided.taking_over = kept
    new = db.session.scalars(select(Approval).filter_by(season="2027-28")).one()
    assert (new.starts, new.ends, moved) == (date(2027, 10, 21), date(2028, 9, 30), [(old.id, date(2027, 10, 21))])
    assert (old.carried_until, last_day(old)) == (date(2027, 10, 20), date(2027, 10, 20))
    assert (holding("2027-10-20T23:59"), holding("2027-10-21T00:00")) == (["A-2026-27-001"], ["A-2027-28-001"])
    assert letter.data["since"] == (
        "It holds from October 21, 2027, when its letter was issued, not from October 1, 2027: read so because nothing "
        "is approved before the written decision."
    )
    assert new.plan[5]["text"].endswith("to unload septage from October 21, 2027, to September 30, 2028.")


def test_a_rejection_ends_it_with_its_letter_and_not_for_the_days_before(app: Any, waits: Application) -> None:
    passed: list[int] = []
    kept = ports._Provided.passing
    ports.provide_passing(lambda plant, business_id, at, law: passed.append(business_id))
    decided(waits, DecisionLine(waits.id, Outcome.REJECTED, 0, 0, "incompatible", "Too strong."))
    ports._Provided.passing = kept
    assert passed == [waits.business_id]
    assert (holding("2027-10-20T12:00"), holding("2027-10-21T12:00")) == (["A-2026-27-001"], [])
    now = standing(world.plant().id, waits.business_id, world.at("2027-10-21T12:00"), world.law(date(2027, 10, 21)))
    assert now.state is StandingState.NOT_APPROVED


def test_who_withdraws_waits_no_more(app: Any, waits: Application) -> None:
    from haulers.queries import business

    who, at = business(waits.business_id), world.at("2027-10-06T09:00")
    assert who is not None
    assert isinstance(withdraw_application(world.plant(), waits.id, by=acting(who), at=at, law=world.law(at.date())),
                      Application)  # fmt: skip
    assert (holding("2027-10-06T23:59"), holding("2027-10-07T00:00")) == (["A-2026-27-001"], [])


def test_it_is_voted_at_no_meeting_before_the_day_that_lets_it_be_foreseen(app: Any) -> None:
    business = hauler()
    approved(business)
    filed(business, at="2027-08-12T10:30")
    early = carry(LAST, "2027-10-06T09:00", call=roll(held_on=date(2027, 9, 14)))
    assert (early.code, early.why.endswith("It may be voted from September 15, 2027.")) == ("not_overdue", True)
    assert carry(LAST, "2027-10-06T09:00", call=roll(held_on=date(2027, 9, 15))).passed is True


def test_an_approval_issued_before_its_season_begins_with_the_season(app: Any) -> None:
    found = approved(hauler())
    assert found.starts == date(2026, 10, 1)
    assert db.session.scalars(select(Letter).filter_by(kind="approval")).one().data["since"] == ""


def test_a_season_that_has_ended_is_decided_no_more(app: Any) -> None:
    made = filed(hauler())
    line, call = approve(made), roll(held_on=date(2027, 9, 29))
    said = record([line], call, "2027-10-01T00:00")
    assert (said.code, said.cite, said.why) == (
        "season_over", world.law(date(2026, 10, 1)).cite("approval.to", date(2026, 10, 1)),
        "Season 2026-27 ended September 30, 2027, so nothing about its applications is decided any more.",
    )  # fmt: skip
    motion = record([line], call, "2027-09-30T23:59")
    assert issue(motion, at="2027-10-01T00:00").code == "season_over"
    assert [one.kind for one in issue(motion, at="2027-09-30T23:59")] == ["approval"]
