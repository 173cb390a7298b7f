"""A change after the approval that came on paper: entered by the clerk, marked so, signed in nobody's name."""

import io
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.amendments import decide_amendments
from haulers.actions.paper_amendments import enter_amendment, withdraw_amendment_on_paper
from haulers.models import Amendment, Application, ApplicationFile, Approval, Motion
from haulers.queries import allowances_of, party_of_business
from haulers.queries.motion_lines import AmendLine
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approve, approved, decide, hauler, issue, roll
from tests.haulers.test_enforcement_pages import three
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.haulers.test_paper import enter

ASKED_AT, CAME = "2026-10-12T10:00", date(2026, 10, 9)
NAME = "Nguyễn Thị Hà Septic"


@pytest.fixture
def approval(app: Any) -> Approval:
    """The approval of a company known by its paper alone."""
    made = enter()
    assert isinstance(made, Application), made
    decide([approve(made)])
    return db.session.scalars(select(Approval).filter_by(application_id=made.id)).one()


def ask(approval: Approval, kind: str = "gallons", new: dict[str, Any] | None = None, winter: int = 4000, *,
        words: str = "Forty more homes.", came: date = CAME, by: str = "clerk", at: str = ASKED_AT) -> Any:  # fmt: skip
    when = world.at(at)
    who = world.staff(by).for_(party_of_business(approval.business_id).name)
    return enter_amendment(world.plant(), approval.id, kind, words, new or {}, winter, 0, came, by=who, at=when,
                           law=world.law(when.date()))  # fmt: skip


def withdraw(asked: Amendment, came: date = date(2026, 10, 12), at: str = "2026-10-13T09:00") -> Any:
    when = world.at(at)
    return withdraw_amendment_on_paper(world.plant(), asked.id, came, by=world.staff("clerk"), at=when,
                                       law=world.law(when.date()))  # fmt: skip


def told() -> list[tuple[str, str, str]]:
    """State, subject and text of what the company was told about it."""
    rows = db.session.scalars(select(Notice).filter_by(kind="amendment", to_name=NAME).order_by(Notice.id))
    return [(one.state, one.subject, one.body) for one in rows]


def test_a_change_on_paper_is_marked_so_and_signed_in_nobodys_name(approval: Approval) -> None:
    asked = ask(approval)
    assert isinstance(asked, Amendment), asked
    assert (asked.asked_by, asked.received_on, asked.entered_by) == (
        f"{NAME} on paper, entered by Clerk of the City", CAME, "Clerk of the City")  # fmt: skip
    assert allowances_of([approval])[approval.id] == (12000, 8000)
    assert told() == [(
        "no_address", "We received the change you ask for of approval A-2026-27-001",
        "More gallons: 4,000 gallons more in winter and 0 in the rest of the year. Your paper was received on October "
        "9, 2026.\n\nYour approval stays as it is until the committee has decided and a letter says so.\n\n"
        "Bayfield Wastewater Treatment Works, 715-555-0100",
    )]  # fmt: skip
    db.session.commit()
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="amendment")).one()
    assert (entry.person, entry.on_behalf, entry.reason) == (
        "Clerk of the City", NAME, "Asked for on paper received 2026-10-09: Forty more homes.")  # fmt: skip


def test_it_goes_to_the_committee_and_its_letter_is_enclosed(approval: Approval) -> None:
    asked = ask(approval)
    when = world.at("2026-10-21T09:00")
    motion = decide_amendments(world.plant(), roll(held_on=CAME), [AmendLine(asked.id, True, 4000)],
                               by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(motion, Motion), motion
    [letter] = issue(motion, at="2026-10-21T10:00")
    assert letter.data["paper"] == "on your paper received October 9, 2026"
    assert allowances_of([approval])[approval.id] == (16000, 8000)
    assert told()[-1][2].splitlines()[-2] == f"Letter {letter.number} is enclosed."
    assert db.session.scalars(select(Letter).filter_by(kind="amendment")).one().data["signature"][1] == "City clerk"


def test_a_paper_that_came_after_the_meeting_was_not_before_it(approval: Approval) -> None:
    asked = ask(approval)
    when = world.at("2026-10-21T09:00")
    said = decide_amendments(world.plant(), roll(held_on=date(2026, 10, 8)), [AmendLine(asked.id, True, 4000)],
                             by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(said, Refusal)
    assert said.code == "meeting_before"


@pytest.mark.parametrize(("with_", "code", "why"), [
    ({"came": date(2026, 10, 13)}, "future_date", "The date received must be today or earlier."),
    ({"came": date(2026, 8, 19)}, "before_it",
     "The application itself came on August 20, 2026. Enter that day or a later one."),
    ({"words": " "}, "no_words", "Enter why the company asks for the change."),
    ({"winter": 0}, "no_gallons", "Enter how many gallons more the company asks for."),
    ({"by": "member1"}, "not_your_role", "Only a city clerk may do this."),
])  # fmt: skip
def test_what_is_not_entered(approval: Approval, with_: dict[str, Any], code: str, why: str) -> None:
    said = ask(approval, **with_)
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == (code, why)


def test_a_company_with_an_account_asks_itself(app: Any) -> None:
    said = ask(approved(hauler()))
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("not_paper", "O'Brien & Søn Septic, L.L.C. has an account and asks there.")


def test_a_company_whose_sign_in_has_ended_asks_on_paper(app: Any) -> None:
    from tests.haulers.test_kept_words import nobody_signs_in

    approval = approved(hauler())
    nobody_signs_in(approval.business_id)
    assert isinstance(ask(approval), Amendment)


def test_it_is_withdrawn_on_paper_too(approval: Approval) -> None:
    asked = ask(approval)
    early = withdraw(asked, date(2026, 10, 8))
    assert (early.code, early.why) == (
        "before_it", "The request itself came on October 9, 2026. Enter that day or a later one.")  # fmt: skip
    assert withdraw(asked).state == "withdrawn"
    assert told()[-1][:2] == ("no_address", "You withdrew the change you asked for of approval A-2026-27-001")
    assert withdraw(asked).code == "decided_before"


def test_the_clerk_enters_each_kind_on_its_page_with_a_scan(app: Any, approval: Approval, clock_at: Any) -> None:
    db.session.commit()
    clock_at(ASKED_AT)
    clerk = signed_in(app, "clerk")
    filing = f"/bayfield/clerk/filings/{approval.application_id}"
    page = text(clerk.get(filing))
    for kind in ("gallons", "source", "truck"):
        assert f'href="/bayfield/clerk/approvals/{approval.id}/paper/{kind}"' in page
    address = f"/bayfield/clerk/approvals/{approval.id}/paper"
    typed = three("received_on", CAME) | {"words": "Bought a truck."}
    wrong = text(clerk.post(f"{address}/truck", data=typed | {"plate": "", "capacity": "3,000"} | once()))
    assert "Enter the plate" in wrong
    scan = {"scan": (io.BytesIO(b"%PDF-1.4\n%%EOF\n"), "change.pdf")}
    done = clerk.post(f"{address}/truck", data=typed | {"plate": "WI 88", "capacity": "3,000"} | scan | once())
    page = text(clerk.get(done.location))
    assert "The request is entered. The approval stays as it is until the committee decides." in page
    assert "Another truck: truck WI 88, 3,000 gallons" in page
    assert "On paper received October 9, 2026, entered by Clerk of the City." in page
    assert db.session.scalars(select(ApplicationFile.kind)).all() == ["paper"]
    source = {
        "waste": "holding_tank",
        "place": "Cabins",
        "area": "outside",
        "tank": "new",
        "frequency": "Twice a summer",
        "extra_winter": "0",
        "extra_rest": "500",
    }
    clerk.post(f"{address}/source", data=typed | source | once())
    listed = " ".join(text(clerk.get("/bayfield/committee/changes")).split())
    assert listed.count("On paper received October 9, 2026, entered by Clerk of the City") == 2
    row = db.session.scalars(select(Amendment).filter_by(kind="truck")).one()
    back = f"/bayfield/clerk/approvals/asked/{row.id}/withdraw"
    assert "Asked for under A-2026-27-001: truck WI 88, 3,000 gallons." in text(clerk.get(back))
    gone = clerk.post(back, data=three("received_on", date(2026, 10, 12)) | once())
    assert "The request is withdrawn." in text(clerk.get(gone.location))


def test_no_page_for_a_company_with_an_account_or_an_unknown_kind(app: Any, clock_at: Any) -> None:
    own = approved(hauler())
    db.session.commit()
    clock_at(ASKED_AT)
    clerk = signed_in(app, "clerk")
    assert "as a paper says" not in text(clerk.get(f"/bayfield/clerk/filings/{own.application_id}"))
    for address in (f"approvals/{own.id}/paper/gallons", "approvals/99/paper/gallons", "approvals/asked/99/withdraw"):
        assert clerk.get(f"/bayfield/clerk/{address}").status_code == 404
