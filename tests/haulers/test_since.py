"""What became of an approval after its decision, as the committee and its hauler read it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.amendments import ask_amendment, decide_amendments
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from haulers.models import Amendment, Approval, Business, Motion
from haulers.queries import review_table
from haulers.queries.motion_lines import AmendLine
from haulers.queries.since import granted_words, since_of
from haulers.states import Outcome
from office.db import db
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import acting, approve, approved, decide, filed, hauler, issued, record, roll
from tests.haulers.test_pages_hauler import signed_in, text

RULE = "§ 329-7 F(4): Unloading within the hours"
TABLE, ONE = "/bayfield/committee?season=2026-27", "/bayfield/committee/2026-27/0001"


@pytest.fixture
def approval(app: Any, clock_at: Any) -> Approval:
    clock_at("2026-10-30T09:00")
    return approved(hauler())


def grant(approval: Approval, winter: int, rest: int, kind: str = "gallons", new: dict[str, Any] | None = None) -> None:
    asked: Any = ask_amendment(
        world.plant(), approval.id, kind, "A new customer.", new or {}, winter, rest, at=world.at("2026-10-10T09:00"),
        by=acting(db.session.get_one(Business, approval.business_id)), law=world.law(),
    )  # fmt: skip
    assert isinstance(asked, Amendment), asked
    made = decide_amendments(world.plant(), roll(held_on=date(2026, 10, 14)), [AmendLine(asked.id, True, winter, rest)],
                             by=world.staff("clerk"), at=world.at("2026-10-15T09:00"), law=world.law())  # fmt: skip
    assert isinstance(issued(made, "2026-10-15T09:00"), Motion), made
    db.session.commit()


def give_back(approval: Approval) -> Approval:
    gone = revoke_approval(world.plant(), approval.id, RULE, "At night.", by=world.staff("director"),
                           at=world.at("2026-10-20T09:00"), law=world.law())  # fmt: skip
    assert getattr(gone, "why", "") == ""
    made = reinstate_approval(world.plant(), approval.id, roll(held_on=date(2026, 10, 28)), "Mended.",
                              date(2026, 11, 2), by=world.staff("clerk"), at=world.at("2026-10-29T09:00"),
                              law=world.law())  # fmt: skip
    assert isinstance(issued(made, "2026-10-29T09:00"), Motion), made
    db.session.commit()
    return db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one()


def main(app: Any, address: str, who: str = "member1") -> str:
    return " ".join(text(signed_in(app, who).get(address)).split("<main")[1].split())


def test_gallons_granted_and_the_approval_given_back_are_in_the_committees_table(app: Any, approval: Approval) -> None:
    before = main(app, TABLE)
    assert '<td class="num">20,000</td> <td class="not-phone">' in before
    assert [word for word in ("granted", "Given back") if word in before] == []
    grant(approval, 4000, 0)
    page = main(app, TABLE)
    assert '<td class="num">24,000</td> <td class="not-phone">' in page
    assert ">4,000 gallons more granted</span>" in page
    new = give_back(approval)
    page = main(app, TABLE)
    assert ">Revoked October 20, 2026</span>" in page
    assert ">Given back as A-2026-27-002 from November 2, 2026</span>" in page
    assert '<td class="num">24,000</td> <td class="not-phone">' in page
    grant(new, 0, 500)
    assert ">4,500 gallons more granted</span>" in main(app, TABLE)
    assert '<td class="num">24,500</td> <td class="not-phone">' in main(app, TABLE)


def test_one_application_says_what_was_decided_and_what_became_of_it(app: Any, approval: Approval) -> None:
    assert "Since the decision" not in main(app, ONE)
    grant(approval, 4000, 0)
    grant(approval, 0, 0, "truck", {"plate": "WI 9", "capacity": 3000})
    give_back(approval)
    page = main(app, ONE)
    assert '<th scope="row">Winter</th><td class="num">12,000</td><td class="num">16,000</td>' in page
    assert "<dt>Decided</dt> <dd>12,000 gallons in winter and 8,000 in the rest of the year</dd>" in page
    assert ("<dt>Given back</dt> <dd>A-2026-27-002, from November 2, 2026, in place of A-2026-27-001, which was "
            "revoked</dd>") in page  # fmt: skip
    assert "<li>October 15, 2026: 4,000 gallons more in winter and 0 in the rest of the year (<a " in page
    assert "<li>October 15, 2026: truck WI 9, 3,000 gallons (<a " in page


def test_before_its_letter_the_decision_is_what_is_approved(app: Any, approval: Approval) -> None:
    other = filed(hauler("Second Septic", "second@hauler.example"), at="2026-08-13T10:00")
    record([approve(other)])
    table = review_table(world.plant(), season_named(world.law(), "2026-27"), world.law(), world.at("2026-10-30T09:00"))
    rows = {row.application.id: row for row in table.rows}
    assert rows[other.id].since is None
    assert (rows[other.id].approved, rows[approval.application_id].approved) == ((12000, 8000), (12000, 8000))


def test_words_of_a_source_granted_with_gallons() -> None:
    one = Amendment(kind="source", new={"waste": "holding_tank", "place": "Cabins"}, granted_winter=0,
                    granted_rest=1_500)  # fmt: skip
    assert granted_words(one) == (
        "holding tank waste from Cabins, 0 gallons more in winter and 1,500 in the rest of the year")  # fmt: skip


def test_a_hauler_reads_the_conditions_of_the_approval(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-30T09:00")
    application = filed(hauler())
    line = replace(approve(application), conditions=("Unload before 9 a.m. on Fridays.",), outcome=Outcome.APPROVED)
    assert isinstance(decide([line]), Motion)
    db.session.commit()
    page = main(app, "/bayfield/hauler/approval", "o'brien@hauler.example")
    assert '<h3>Conditions<span class="visually-hidden"> of A-2026-27-001</span></h3>' in page
    listed = page.split("</h3> <ol>")[1].split("</ol>")[0]
    own = world.law().row("approval.condition", date(2026, 10, 1))
    assert listed.count("<li>") == 2
    assert listed.startswith(f"<li>{own.value} <")
    assert "<li>Unload before 9 a.m. on Fridays.</li>" in listed
    assert since_of([application.id])[application.id].granted == ()
