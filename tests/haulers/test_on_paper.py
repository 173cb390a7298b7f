"""After a paper is entered: the clerk enters its changes and its withdrawal, and takes back a wrong entry."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import open_change, record_filing_fee
from haulers.actions.on_paper import change_on_paper, take_back_entry, withdraw_on_paper
from haulers.actions.posting import note_posted
from haulers.models import Application, ApplicationChange
from haulers.queries import filed, sources_of
from haulers.queries.answers import Answers
from haulers.queries.applications import last_sent, withdrawn
from haulers.queries.changes import asked_changes, changes_shown
from haulers.queries.to_print import letters_to_print
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import SOURCE, hauler
from tests.haulers.builders import filed as filed_online
from tests.haulers.test_changes import do
from tests.haulers.test_paper import enter

pytestmark = pytest.mark.usefixtures("app")
AT, CAME = "2026-08-25T10:00", date(2026, 8, 24)
LESS = replace(SOURCE, gallons_winter=9000)


def change(made: Application, *lines: Any, words: str = "Less in winter", came: date = CAME, by: str = "clerk") -> Any:
    when = world.at(AT)
    return change_on_paper(world.plant(), made.id, came, words, lines or (LESS,), Answers(), by=world.staff(by),
                           at=when, law=world.law(when.date()))  # fmt: skip


def withdraw(made: Application, came: date = CAME, by: str = "clerk") -> Any:
    when = world.at(AT)
    return withdraw_on_paper(world.plant(), made.id, came, by=world.staff(by), at=when, law=world.law(when.date()))


def take_back(made: Application, reason: str = "Another company's paper.") -> Any:
    when = world.at(AT)
    return take_back_entry(world.plant(), made.id, reason, by=world.staff("clerk"), at=when,
                           law=world.law(when.date()))  # fmt: skip


def test_changed_answers_are_entered_marked_as_paper_and_both_texts_kept() -> None:
    made = enter()
    done = change(made)
    assert isinstance(done, ApplicationChange)
    assert done.asked_by == "Nguyễn Thị Hà Septic on paper, entered by Clerk of the City"
    assert done.after is not None
    assert done.after["paper"] == {
        "received_on": "August 24, 2026", "on": "2026-08-24", "entered_by": "Clerk of the City",
    }  # fmt: skip
    assert changes_shown(made.id)[0][1] == [("Source 1: Gallons in winter", "12,000", "9,000")]
    assert [row.gallons_winter for row in sources_of([made.id])[made.id]] == [9000]
    assert change(made).code == "nothing_changed"


def test_what_the_committee_asked_for_is_answered_on_paper() -> None:
    made = enter()
    asked = do(open_change, made, "committee", "How often?", None, at="2026-08-22T10:00")
    done = change(made, replace(SOURCE, frequency="Weekly"), words="")
    assert (done.id, done.words) == (asked.id, "How often?")
    assert done.answered_at == world.at(AT)


def test_a_company_without_a_sign_in_is_told_to_write_and_not_to_sign_in() -> None:
    made = enter()
    asked = do(open_change, made, "committee", "How often?", date(2026, 8, 28), at="2026-08-22T10:00")
    how = ("Write to us what is different by August 28, 2026: Bayfield Wastewater Treatment Works, 125 South First "
           "Street, Bayfield, WI 54814. We enter it for you.")  # fmt: skip
    assert db.session.get_one(Letter, asked.letter_id).data["how"] == how
    told = db.session.scalars(select(Notice.body).order_by(Notice.id.desc())).first()
    assert told == f"How often?\n\n{how} What you sent before stays on record."
    received = db.session.scalars(select(Notice.body).filter_by(kind="application")).one()
    assert "The receipt is enclosed." in received


@pytest.mark.parametrize(("given", "code"), [
    ({"words": " "}, "no_words"), ({"came": date(2026, 8, 26)}, "future_date"),
    ({"came": date(2026, 8, 19)}, "before_it"), ({"by": "member1"}, "not_your_role"),
])  # fmt: skip
def test_a_change_on_paper_says_what_it_lacks(given: Any, code: str) -> None:
    assert change(enter(), **given).code == code


def test_an_application_sent_online_is_its_haulers_to_change() -> None:
    online = filed_online(hauler())
    answers = [change(online), withdraw(online), take_back(online)]
    assert [one.code for one in answers] == ["not_paper"] * 3


def test_a_withdrawal_on_paper_is_marked_and_another_paper_can_come() -> None:
    made = enter()
    gone = withdraw(made)
    assert (gone.state, gone.answers["withdrawn"]) == (
        "withdrawn", {"received_on": "August 24, 2026", "entered_by": "Clerk of the City"},
    )  # fmt: skip
    db.session.commit()
    query = select(JournalEntry.reason).filter_by(act="withdraw_on_paper", table_name="application")
    assert db.session.scalars(query).all() == ["Withdrawn by the hauler on paper received 2026-08-24"]
    assert (withdraw(made).code, change(made).code) == ("not_open", "not_open")
    assert enter(made.business_id, date(2026, 8, 26), "2026-08-27T09:00").number == "2026-27/0002"


def test_a_wrong_entry_is_taken_back_with_its_reason_and_lends_no_answers() -> None:
    made = enter()
    assert take_back(made, " ").code == "no_reason"
    gone = take_back(made)
    assert gone.answers["withdrawn"]["wrong_entry"] == "Another company's paper."
    assert filed(world.plant().id, "2026-27") == []
    assert withdrawn(world.plant().id, "2026-27") == [made]
    assert last_sent(world.plant().id, made.business_id, "2026-27") is None
    assert pay(made).code == "no_fee_due"
    told = db.session.scalars(select(Notice.subject).order_by(Notice.id.desc())).first()
    assert told == "Application 2026-27/0001 was entered by mistake"


def pay(made: Application) -> Any:
    when = world.at(AT)
    return record_filing_fee(world.plant(), made.id, "cash", "", when.date(), by=world.staff("clerk"), at=when,
                             law=world.law(when.date()))  # fmt: skip


def test_an_entry_whose_fee_is_recorded_is_not_taken_back_over_the_money() -> None:
    made = enter()
    assert not isinstance(pay(made), Refusal)
    assert take_back(made).code == "fee_recorded"
    assert withdraw(made).state == "withdrawn"


def test_a_late_request_owes_no_fee_before_it_is_taken() -> None:
    made = enter(received=date(2026, 9, 3), at="2026-09-04T09:00", late_reason="Posted on September 1.")
    said = pay(made)
    assert (said.code, said.why) == (
        "no_fee_due",
        "Application 2026-27/L-001 is not filed yet: the committee has not voted to take it late.",
    )


def test_a_change_asked_on_what_was_withdrawn_since_waits_for_nobody() -> None:
    made = enter()
    db.session.add(ApplicationChange(plant_id=made.plant_id, application_id=made.id, side="hauler", asked_by="Hà",
                                     asked_at=world.at(AT), words="Less."))  # fmt: skip
    db.session.flush()
    assert len(asked_changes(world.plant().id)) == 1
    withdraw(made)
    assert asked_changes(world.plant().id) == []


def test_what_is_written_to_a_company_without_an_email_is_a_letter_to_print_until_posted() -> None:
    made = enter()
    withdraw(made)
    waiting = letters_to_print(world.plant().id, CAME)
    assert [one.subject for one in waiting] == ["We received your application 2026-27/0001",
                                                "You withdrew your application 2026-27/0001"]  # fmt: skip
    posted = note_posted(world.plant(), waiting[0].id, by=world.staff("clerk"), at=world.at(AT))
    assert isinstance(posted, Notice)
    assert (posted.state, posted.sent_at, posted.trouble) == ("sent", world.at(AT),
                                                              "Posted as a letter by Clerk of the City")  # fmt: skip
    assert letters_to_print(world.plant().id, CAME) == waiting[1:]
    again = note_posted(world.plant(), waiting[0].id, by=world.staff("clerk"), at=world.at(AT))
    assert isinstance(again, Refusal)
    assert again.code == "not_waiting"
