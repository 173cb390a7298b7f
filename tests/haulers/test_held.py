"""A hauler with an open change learns nothing of a vote before its letter (§ 329-7 B(2))."""

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine, answer_change, correct_decision, open_change
from haulers.models import Application, ApplicationChange, Decision
from haulers.queries import sources_of
from haulers.queries.answers import Answers
from haulers.queries.held import held_change
from haulers.states import Outcome
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import SOURCE, approve, filed, hauler, issue, record, roll
from tests.haulers.company import signed_in
from tests.haulers.test_changes import LESS, do, owner, wish
from tests.haulers.test_pages_city import decision, full
from tests.haulers.test_pages_hauler import once, text

NOW = "2026-09-16T10:00"
VOTED = "2026-09-16T09:00"


@pytest.fixture
def made(app: Any, clock_at: Any) -> ApplicationChange:
    clock_at(NOW)
    found = do(open_change, filed(hauler()), "committee", "Say where.", None, wish=wish(), at="2026-09-04T10:00")
    assert isinstance(found, ApplicationChange), found
    db.session.commit()
    return found


def of(made: ApplicationChange) -> Application:
    return db.session.get_one(Application, made.application_id)


def vote(made: ApplicationChange) -> Any:
    motion = record([approve(of(made))], at=VOTED)
    assert not isinstance(motion, Refusal), motion
    db.session.commit()
    return motion


def answer(made: ApplicationChange, at: str = NOW) -> Any:
    return do(answer_change, made.id, [LESS], Answers("both", "no"), by=owner(of(made)), at=at)


def pages(app: Any, made: ApplicationChange) -> list[bytes]:
    """What the hauler reads everywhere, without the keys that differ each time."""
    client = signed_in(app)
    paths = ("", "/apply", f"/apply/sent/{made.application_id}", f"/apply/changes/{made.id}", "/approval", "/letters",
             f"/apply/withdraw/{made.application_id}", "/files", "/trucks")  # fmt: skip
    found = [client.get(f"/bayfield/hauler{path}") for path in paths]
    return [str(one.status_code).encode() + re.sub(rb'value="[^"]{20,}"', b"", one.data) for one in found]


def test_every_page_of_the_hauler_is_the_same_before_and_after_a_vote(app: Any, made: ApplicationChange) -> None:
    before = pages(app, made)
    vote(made)
    assert pages(app, made) == before


def test_the_change_made_after_the_vote_reads_as_any_other(app: Any, made: ApplicationChange) -> None:
    savepoint = db.session.begin_nested()
    taken = answer(made)
    subjects = [one.subject for one in db.session.scalars(select(Notice).where(Notice.party_id.is_not(None)))]
    assert (taken.answered_at, held_change(of(made))) == (world.at(NOW), None)
    savepoint.rollback()
    vote(made)
    late = answer(made)
    assert late.after["sources"][0]["gallons_winter"] == 9000
    told = [one.subject for one in db.session.scalars(select(Notice).where(Notice.party_id.is_not(None)))]
    assert told == subjects
    db.session.commit()
    page = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{made.application_id}"))
    assert ("<h1>Application sent</h1>" in page, ">9,000<" in page, "vote" in page) == (True, True, False)


def test_the_application_stays_as_it_was_voted_on_and_the_city_is_told(app: Any, made: ApplicationChange) -> None:
    motion = vote(made)
    answer(made)
    rows = sources_of([made.application_id])[made.application_id]
    assert [one.gallons_winter for one in rows] == [SOURCE.gallons_winter]
    note = db.session.scalars(select(Notice).filter_by(subject="Application 2026-27/0001 was changed")).all()[-1]
    assert note.body == (
        "O'Brien & Søn Septic, L.L.C. changed application 2026-27/0001 on Wednesday, September 16, 2026, 10:00 a.m. "
        "The committee had voted by then: the application stays as it was voted on, and the change is shown beside it. "
        "The letter will say that it is no part of the decision, unless the committee corrects its decision and takes "
        "the change in.")  # fmt: skip
    db.session.commit()
    for who, path in (("clerk", f"/clerk/filings/{made.application_id}"), ("member1", "/committee/2026-27/0001")):
        page = text(signed_in(app, f"{who}@city.example").get(f"/bayfield{path}"))
        assert "A change came after the vote" in page
    issue(motion, at="2026-09-16T11:00")
    db.session.commit()
    page = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{made.application_id}"))
    assert (">12,000<" in page, "<h2>Changes</h2>" in page) == (True, True)


def test_after_the_letter_the_open_change_is_closed(app: Any, made: ApplicationChange) -> None:
    issue(vote(made), at="2026-09-16T09:30")
    said = answer(made)
    assert (said.code, said.why) == ("not_open", "Application 2026-27/0001 can no longer be changed.")


def taking(
    made: ApplicationChange, at: str = "2026-09-22T09:00", held_on: date = date(2026, 9, 21), **more: Any
) -> Any:
    """The committee's correction that takes the change in: the act's own answer."""
    line = DecisionLine(made.application_id, Outcome.APPROVED, 9000, SOURCE.gallons_rest or 0, change_id=made.id)
    when = world.at(at)
    found = correct_decision(world.plant(), roll(held_on=held_on), replace(line, **more), wrong="It had changed",
                             by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip
    db.session.commit()
    return found


def gallons(made: ApplicationChange) -> list[int | None]:
    return [one.gallons_winter for one in sources_of([made.application_id])[made.application_id]]


def letter_said(made: ApplicationChange) -> tuple[str, str]:
    """The newest letter's line on filing and changes, and what the notice with it says."""
    letter = db.session.scalars(select(Letter).where(Letter.kind == "approval").order_by(Letter.id.desc())).first()
    assert letter is not None
    note = db.session.scalars(select(Notice).filter_by(letter_id=letter.id)).one()
    return str(letter.data["filed"]), note.body


def test_a_correction_takes_the_change_in_and_its_letter_applies_it(app: Any, made: ApplicationChange) -> None:
    motion = vote(made)
    answer(made)
    wrong = taking(made, change_id=made.id + 1)
    assert (wrong.code, wrong.why) == (
        "no_such_change",
        "The change of application 2026-27/0001 that you read is not the one that waits any more.",
    )
    early = taking(made, held_on=date(2026, 9, 15))
    assert (early.code, early.why) == (
        "meeting_before_change",
        "The change of application 2026-27/0001 came after September 15, 2026. Check the meeting date.",
    )
    found = taking(made)
    assert found.about[0].startswith(
        "2026-27/0001, O'Brien & Søn Septic, L.L.C.: approve, 9,000 gallons in winter and 8,000 in the rest of the "
        "year. It takes in the change of September 16, 2026. This corrects the decision of September 15, 2026"
    )  # fmt: skip
    # Nothing is applied before its hauler has the letter.
    assert (gallons(made), held_change(of(made))) == ([SOURCE.gallons_winter], made)
    page = text(signed_in(app, "clerk@city.example").get(f"/bayfield/clerk/filings/{made.application_id}"))
    assert "A correction of the decision takes it in" in page
    issue(motion, at="2026-09-22T09:30")
    letters = issue(found, at="2026-09-22T10:00")
    assert not isinstance(letters, Refusal), letters
    assert (gallons(made), held_change(of(made))) == ([9000], None)
    words = "This decision takes in the change of your answers of September 16, 2026."
    filed_line, note = letter_said(made)
    assert (filed_line.endswith(words), words in note) == (True, True)
    db.session.commit()
    page = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{made.application_id}"))
    assert (words in page, ">9,000<" in page) == (True, True)


def test_the_letter_says_that_a_change_after_the_vote_is_no_part_of_it(app: Any, made: ApplicationChange) -> None:
    motion = vote(made)
    answer(made)
    issue(motion, at="2026-09-16T11:00")
    db.session.commit()
    words = ("The change of your answers of September 16, 2026 came after the committee had voted and is no part of "
             "this decision. If you need it, ask for a change of the approval.")  # fmt: skip
    filed_line, note = letter_said(made)
    assert (filed_line.endswith(words), words in note) == (True, True)
    assert words in text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{made.application_id}"))
    page = text(signed_in(app, "member1@city.example").get("/bayfield/committee/2026-27/0001"))
    assert "The decision is issued without it, and its letter says so." in page


def test_a_correction_that_leaves_the_change_out_applies_nothing(app: Any, made: ApplicationChange) -> None:
    vote(made)
    answer(made)
    found = taking(made, change_id=None, outcome=Outcome.IN_PART, reason="The plant is small.",
                   reason_code="capacity_or_limits")  # fmt: skip
    issue(found, at="2026-09-22T10:00")
    assert (gallons(made), held_change(of(made))) == ([SOURCE.gallons_winter], made)


def test_the_committee_that_asked_is_told_and_ticks_the_change_on_the_correction(
    app: Any, clock_at: Any, made: ApplicationChange
) -> None:
    motion = vote(made)
    answer(made)
    told = db.session.scalars(select(Notice).where(Notice.subject.like("%answered after your vote"))).all()
    assert {one.subject for one in told} == {"O'Brien & Søn Septic, L.L.C. answered after your vote"}
    assert told[0].body.startswith("You asked: Say where.")
    old = db.session.scalars(select(Decision).filter_by(motion_id=motion.id)).one()
    db.session.commit()
    clock_at("2026-09-22T09:00")
    client = signed_in(app, "clerk@city.example")
    assert "Changed after the vote" in text(client.get("/bayfield/committee?season=2026-27"))
    address = f"/bayfield/committee/decisions/{old.id}/correct"
    page = text(client.get(address))
    assert ("Take in the change of September 16, 2026" in page, "What the change says" in page) == (True, True)
    sent = decision(full(of(made)) | {"gallons_winter": "9,000"}, step="review", with_change="1", wrong="It changed.")
    sent |= {"held_on-month": "9", "held_on-day": "21"}
    page = text(client.post(address, data=sent))
    assert "It takes in the change made Wednesday, September 16, 2026, 10:00 a.m." in page
    client.post(address, data=sent | {"step": "record"} | once())
    newest = db.session.scalars(select(Decision).order_by(Decision.id.desc())).first()
    assert newest is not None
    assert (newest.corrects_id, newest.change_id, newest.gallons_winter) == (old.id, made.id, 9000)
