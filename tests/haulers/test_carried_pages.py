"""Every page that says until when an approval holds says the day it was carried over to (§ 329-7 B(2))."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.violations import _approval_then
from haulers.models import Approval
from haulers.queries.last_days import last_day, until_words
from office import jobs
from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests import world
from tests.haulers.company import signed_in
from tests.haulers.test_amendments import ask
from tests.haulers.test_pages_hauler import text
from tests.haulers.test_referrals import carry, waiting

NOW = "2027-10-06T10:00"
UNTIL = "carried over until November 29, 2027"
LETTER, YOURS = "or until the letter on the new application", "or until the letter on your new application"


@pytest.fixture
def approval(app: Any, clock_at: Any) -> Approval:
    clock_at(NOW)
    found: Approval = waiting()
    assert carry(date(2027, 11, 29)).passed is True
    db.session.commit()
    return found


def read(app: Any, who: str, path: str) -> str:
    client = signed_in(app, who) if who else app.test_client()
    return text(client.get(f"/bayfield{path}"))


@pytest.mark.parametrize(("who", "path", "said"), [
    ("o'brien@hauler.example", "/hauler", f"Approval A-2026-27-001 is {UNTIL}"),
    ("o'brien@hauler.example", "/hauler", f"You are approved until November 29, 2027, {YOURS}."),
    ("o'brien@hauler.example", "/hauler/approval", f"October 1, 2026 to September 30, 2027, {UNTIL}, {LETTER}"),
    ("o'brien@hauler.example", "/hauler", f"You may unload as before until November 29, 2027, {YOURS}."),
    ("", "/approved", f"Approved, {UNTIL}</span><br><span class=\"hint\">or until the letter on its new application"),
    ("director@city.example", "/director/approvals", f"September 30, 2027, {UNTIL}, {LETTER}"),
])  # fmt: skip
def test_a_page_says_the_day_it_was_carried_over_to(app: Any, approval: Approval, who: str, path: str,
                                                    said: str) -> None:  # fmt: skip
    assert said in read(app, who, path)


@pytest.mark.parametrize(("when", "listed"), [("2027-11-29T12:00", True), ("2027-11-30T12:00", False)])
def test_the_public_list_names_carried_haulers_to_their_last_day(app: Any, clock_at: Any, approval: Approval, when: str,
                                                                listed: bool) -> None:  # fmt: skip
    clock_at(when)
    page = read(app, "", "/approved")
    assert (UNTIL in page, "No hauler is approved for season 2027-28." in page) == (listed, not listed)


def test_the_page_of_the_application_sent_says_it_too(app: Any, approval: Approval) -> None:
    page = read(app, "o'brien@hauler.example", f"/hauler/apply/sent/{approval.application_id}")
    assert f"October 1, 2026 to September 30, 2027, {UNTIL}, {LETTER}:" in page


def test_the_overdue_letter_says_until_when_haulers_may_unload(app: Any, approval: Approval) -> None:
    jobs.work(world.at("2027-10-09T09:00"))
    said = ("Haulers approved last season whose application waits may unload until its letter is issued, and to "
            "November 29, 2027 at the latest: the committee carried their approvals over on October 6, 2027 "
            "(§ 329-7 B(2)).")  # fmt: skip
    letter = db.session.scalars(select(Letter).filter_by(kind="overdue")).one()
    assert letter.data["carried"] == said
    message = db.session.scalars(select(Notice).filter_by(letter_id=letter.id)).first()
    assert message is not None and said in message.body


def test_a_carried_approval_is_changed_like_any_other(app: Any, approval: Approval) -> None:
    assert ask(approval, winter=100, at="2027-11-29T12:00").state == "asked"
    assert ask(approval, winter=100, at="2027-11-30T12:00").code == "not_in_force"


def test_a_notice_of_violation_names_the_carried_approval(app: Any, approval: Approval) -> None:
    def then(day: date) -> Any:
        return _approval_then(world.plant().id, approval.business_id, day)

    assert (then(date(2027, 11, 29)), then(date(2027, 11, 30))) == (approval, None)


def test_an_approval_not_carried_over_ends_on_its_own_day(app: Any) -> None:
    found = waiting()
    assert (last_day(found), until_words(found, last_day(found))) == (date(2027, 9, 30), "September 30, 2027")
