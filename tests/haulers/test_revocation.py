"""Revocation: in writing with the reason, at once (§ 329-7 G)."""

import io
from typing import Any

from pypdf import PdfReader
from sqlalchemy import select

from haulers.actions import revoke_approval
from haulers.models import Approval, Revocation
from haulers.ports import BookingLine
from haulers.queries import approval_in_force, approvals_in_force, listed, revocations_of, standing
from office.db import db
from office.letters import Letter, render
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approved, hauler

RULE = "§ 329-7 C(3): The written record is due within 1 working day"
REASON = "Three loads in October came without a written record."
WHEN = "2026-10-20T09:00:00"


def revoke(approval: Approval, reason: str = REASON, *, by: str = "director", at: str = WHEN, rule: str = RULE) -> Any:
    when = world.at(at)
    return revoke_approval(world.plant(), approval.id, rule, reason, by=world.staff(by), at=when,
                           law=world.law(when.date()))  # fmt: skip


def state(business_id: int, at: str) -> tuple[str, str]:
    found = standing(world.plant().id, business_id, world.at(at), world.law())
    return found.state.value, found.why


def test_revoking_takes_effect_at_once_and_not_a_second_before(app: Any) -> None:
    business = hauler()
    approval = approved(business)
    assert state(business.id, WHEN) == ("approved", "")
    assert isinstance(revoke(approval), Revocation)
    assert state(business.id, WHEN) == ("revoked", "Approval A-2026-27-001 was revoked on October 20, 2026.")
    assert state(business.id, "2026-10-20T08:59:59") == ("approved", "")
    day = world.at(WHEN).date()
    assert list(db.session.scalars(approval_in_force(world.at(WHEN), day))) == []
    assert list(db.session.scalars(approval_in_force(world.at("2026-10-20T08:59:59"), day))) == [approval.id]
    assert approvals_in_force(world.plant().id, world.at(WHEN), world.law()) == []


def test_revoking_without_a_reason_or_rule_is_refused(app: Any) -> None:
    business = hauler()
    approval = approved(business)
    said = revoke(approval, "   ")
    assert isinstance(said, Refusal)
    assert (said.code, said.why, said.cite) == (
        "no_reason", "Enter the reason. The ordinance requires it in writing.", "§ 329-7 G",
    )  # fmt: skip
    assert revoke(approval, rule=" ").code == "no_rule"
    assert state(business.id, WHEN)[0] == "approved"


def test_only_the_director_revokes(app: Any) -> None:
    approval = approved(hauler())
    for name in ("clerk", "manager", "operator", "member1"):
        assert revoke(approval, by=name).code == "not_your_role"


def test_an_approval_is_revoked_once(app: Any) -> None:
    approval = approved(hauler())
    revoke(approval)
    assert revoke(approval).code == "revoked_before"


def test_hauler_clerk_operator_and_committee_are_told_and_bookings_listed(app: Any, before: Any) -> None:
    before.bookings = [BookingLine("B-1022-01", world.at("2026-10-22T07:45"), 1000)]
    approved_one = approved(hauler())
    revoke(approved_one)
    told = list(db.session.scalars(select(Notice.to_email).filter_by(kind="revocation").order_by(Notice.id)))
    assert told == [
        "o'brien@hauler.example", "clerk@city.example", "operator@city.example", "member1@city.example",
        "member2@city.example", "member3@city.example",
    ]  # fmt: skip
    letter = db.session.scalars(select(Letter).filter_by(kind="revocation")).one()
    assert letter.data["bookings"] == ["B-1022-01: October 22, 2026, 7:45 a.m., 1,000 gallons"]
    assert letter.data["from"] == "Tuesday, October 20, 2026, 9:00 a.m."
    assert letter.data["delivered"] == "e-mail to o'brien@hauler.example and by certified mail"
    page = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages[0].extract_text()
    assert "Delivered by e-mail to o'brien@hauler.example and by certified mail, no." in " ".join(page.split())
    first = db.session.scalars(select(Notice).filter_by(kind="revocation")).first()
    assert first is not None
    assert first.subject == "Your approval to unload septage is revoked from October 20, 2026"
    assert "1 booking under it is no longer valid." in first.body


def test_the_committee_sees_the_revocation_next_year(app: Any) -> None:
    business = hauler()
    revoke(approved(business))
    found = revocations_of([business.id], world.plant().id)
    assert [one.reason for one in found[business.id]] == [REASON]
    line = listed(world.plant().id, "2026-27", world.at(WHEN))[0]
    assert line.revoked_at == world.at(WHEN)
