"""A hauler with an open change learns nothing of a vote before its letter (§ 329-7 B(2))."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import answer_change, open_change
from haulers.models import Application, ApplicationChange
from haulers.queries import sources_of
from haulers.queries.answers import Answers
from haulers.queries.held import held_change
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import SOURCE, approve, filed, hauler, issue, record
from tests.haulers.company import signed_in
from tests.haulers.test_changes import LESS, do, owner, wish
from tests.haulers.test_pages_hauler import text

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
        "The committee may correct its decision.")  # fmt: skip
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
