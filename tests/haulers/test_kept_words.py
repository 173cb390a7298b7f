"""A company nobody signs in for reads what to do by post or phone, never to look in an account it has not got."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine
from haulers.actions.kept_words import book_again, where_kept
from haulers.actions.violations import issue_violation
from haulers.models import Business
from haulers.queries import party_of_business
from haulers.states import Outcome
from office.access import Grant, Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests import world
from tests.haulers.builders import approved, decide, filed, hauler
from tests.haulers.test_amendments import reinstate
from tests.haulers.test_reminders import licensed, run
from tests.haulers.test_revocation import RULE, revoke

ADDRESS = "Bayfield Wastewater Treatment Works, 125 South First Street, Bayfield, WI 54814"
OF_AN_ACCOUNT = ("account", "ign in", "Money page", "under Letters")


@act("test_nobody_signs_in", roles=(Role.SYSTEM,))
def _end_grants(party_id: int, *, by: Any, at: Any) -> bool:
    for one in db.session.scalars(select(Grant).filter_by(party_id=party_id)):
        one.until = at
    return True


def nobody_signs_in(business_id: int) -> None:
    """From now on the company deals on paper; its e-mail still works."""
    _end_grants(db.session.get_one(Business, business_id).party_id, by=system(), at=world.at("2026-09-01T00:00"))


def told(kind: str) -> str:
    """The last message of a kind to a company."""
    query = select(Notice.body).where(Notice.kind == kind, Notice.party_id.is_not(None))
    return str(db.session.scalars(query.order_by(Notice.id.desc())).first())


def number(kind: str) -> str:
    return str(db.session.scalars(select(Letter.number).filter_by(kind=kind).order_by(Letter.id.desc())).first())


@pytest.fixture
def owner(app: Any) -> Business:
    """A company that has applied and deals on paper since."""
    made = hauler()
    nobody_signs_in(made.id)
    return made


def test_a_letter_is_in_the_account_of_whoever_has_one_and_enclosed_else(app: Any) -> None:
    approval = approved(hauler())
    letter = db.session.scalars(select(Letter).filter_by(kind="approval")).one()
    party, at = party_of_business(approval.business_id), world.at("2026-10-05T09:00")
    assert where_kept(letter, party, at) == f"Letter {letter.number} is in your account under Letters."
    assert book_again(world.plant(), party, at) == "book again"
    nobody_signs_in(approval.business_id)
    assert where_kept(letter, party, at, " with the conditions") == (
        f"Letter {letter.number} with the conditions is enclosed.")  # fmt: skip
    assert book_again(world.plant(), party, at) == "call 715-555-0100 for a new time"


def test_decision_violation_revocation_and_reinstatement_are_enclosed(app: Any) -> None:
    approval = approved(hauler())
    nobody_signs_in(approval.business_id)
    when = world.at("2026-10-19T09:00")
    issue_violation(world.plant(), approval.business_id, RULE, "At night.", [date(2026, 10, 16)], [],
                    date(2026, 11, 13), by=world.staff("director"), at=when, law=world.law(when.date()))  # fmt: skip
    assert f"Letter {number('violation')} is enclosed." in told("violation")
    revoke(approval)
    assert f"Letter {number('revocation')} with your rights to a review is enclosed." in told("revocation")
    reinstate(approval)
    said = told("reinstatement")
    assert "Earlier bookings stay ended: call 715-555-0100 for a new time. What was unloaded before counts." in said
    assert f"Letter {number('reinstatement')} is enclosed." in said
    assert db.session.scalars(select(Letter.data).filter_by(kind="reinstatement")).one()["again"] == (
        "call 715-555-0100 for a new time")  # fmt: skip
    for kind in ("violation", "revocation", "reinstatement"):
        assert [word for word in OF_AN_ACCOUNT if word in told(kind)] == []


def test_a_rejection_is_enclosed_and_has_no_conditions(app: Any) -> None:
    business = hauler()
    application = filed(business)
    nobody_signs_in(business.id)
    decide([DecisionLine(application.id, Outcome.REJECTED, 0, 0, "incompatible", "It would harm the process.")])
    assert told("decision").splitlines()[-2] == f"Letter {number('rejection')} is enclosed."


def test_reminders_of_the_window_and_of_a_license_say_where_to_write(app: Any) -> None:
    approval = approved(hauler())
    nobody_signs_in(approval.business_id)
    run("2027-08-01T08:00")
    how = f"It must be with us by then. Call 715-555-0100 or write to {ADDRESS}."
    assert told("reminder") == (
        "Bayfield Wastewater Treatment Works takes applications for season 2027-28 until 11:59 p.m. on Wednesday, "
        f"September 1, 2027. 31 days are left. You have not sent one yet.\n\n{how}\n\n"
        "Bayfield Wastewater Treatment Works, 715-555-0100"
    )


def test_the_reminder_of_a_license_offers_to_enter_it(app: Any) -> None:
    made = licensed(date(2026, 10, 30))
    nobody_signs_in(made.id)
    run("2026-09-01T08:00")
    assert f"Call 715-555-0100 or write to {ADDRESS}: we enter the new one for you." in told("reminder")
    assert [word for word in OF_AN_ACCOUNT if word in told("reminder")] == []
