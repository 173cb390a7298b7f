"""Changes to an application already sent: asked, opened, refused, made; both texts kept."""

from dataclasses import asdict, replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import func, select

from haulers.actions import answer_change, ask_change, open_asked_change, open_change, refuse_change
from haulers.models import Application, ApplicationChange, Approval, Decision
from haulers.queries import sources_of, totals
from haulers.queries.answers import Answers, differences
from haulers.queries.changes import asked_changes, changes_shown
from haulers.queries.opened import Wish
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers import builders
from tests.haulers.builders import OUTSIDE, SOURCE, acting, approve, decide, filed, hauler

pytestmark = pytest.mark.usefixtures("app")
AT = "2026-09-04T10:00"
LESS = replace(SOURCE, gallons_winter=9000)


@pytest.fixture
def application(app: Any) -> Application:
    return filed(hauler())


def do(work: Any, *args: Any, by: Any = "clerk", at: str = AT, **more: Any) -> Any:
    """An act of the plant: its own answer."""
    when = world.at(at)
    who = world.staff(by) if isinstance(by, str) else by
    return work(world.plant(), *args, **more, by=who, at=when, law=world.law(when.date()))


def wish(on: date = date(2026, 9, 4)) -> Wish:
    """What member1 asked for on a day."""
    return Wish(world.staff("member1").person_id or 0, on)


def owner(application: Application) -> Any:
    from haulers.queries import business

    found = business(application.business_id)
    assert found is not None
    return acting(found)


def asked(application: Application, words: str = "Fewer gallons in winter") -> ApplicationChange:
    made = do(ask_change, application.id, words, by=owner(application))
    assert isinstance(made, ApplicationChange), made
    return made


def mails(kind: str = "change") -> list[tuple[str, str]]:
    rows = db.session.scalars(select(Notice).filter_by(kind=kind).order_by(Notice.id))
    return [(one.to_email, one.subject) for one in rows]


def test_asking_changes_nothing_and_tells_the_clerk(application: Application) -> None:
    made = asked(application)
    assert (made.side, made.opened_at, made.asked_by) == ("hauler", None, "Ingrid O'Brien")
    assert mails() == [("clerk@city.example", "O'Brien & Søn Septic, L.L.C. asks to change application 2026-27/0001")]
    said = do(answer_change, made.id, [LESS], Answers(), by=owner(application))
    assert (said.code, said.why) == (
        "not_open", "Application 2026-27/0001 is not open for a change. The clerk has not opened it yet.",
    )  # fmt: skip
    assert [one.id for one in asked_changes(world.plant().id)] == [made.id]


def test_an_opened_change_is_made_once_and_both_texts_stay(application: Application) -> None:
    made = asked(application)
    sent = application.sent
    assert do(open_asked_change, made.id, date(2026, 9, 15), (), wish()).opened_by == "Clerk of the City"
    done = do(answer_change, made.id, [LESS, OUTSIDE], Answers(season="both"), by=owner(application))
    assert isinstance(done, ApplicationChange)
    assert done.before["sources"] == [asdict(SOURCE)]
    assert done.after == {
        "sources": [asdict(LESS), asdict(OUTSIDE)], "answers": asdict(Answers(season="both")), "files": [],
    }  # fmt: skip
    assert application.sent == sent
    assert totals(sources_of([application.id])[application.id]).asked_winter == 12000
    rows = changes_shown(application.id)[0][1]
    assert rows[0] == ("Source 1: Gallons in winter", "12,000", "9,000")
    assert ("Source 2: Where it comes from", "", OUTSIDE.place) in rows
    assert rows[-1] == ("When you bring it", "", "In both")
    assert mails()[1:] == [
        ("o'brien@hauler.example", "You can change your application 2026-27/0001 now"),
        ("o'brien@hauler.example", "We received the change to your application 2026-27/0001"),
        ("clerk@city.example", "Application 2026-27/0001 was changed"),
    ]
    again = do(answer_change, made.id, [SOURCE], Answers(), by=owner(application))
    assert (again.code, again.why) == (
        "not_open", "Application 2026-27/0001 is not open for a change. It was answered already.",
    )  # fmt: skip


def test_a_refused_request_says_why_and_another_may_be_asked(application: Application) -> None:
    made = asked(application)
    assert do(refuse_change, made.id, " ").code == "no_reason"
    done = do(refuse_change, made.id, "The committee has read it already.")
    assert (done.refusal, done.after) == ("The committee has read it already.", None)
    assert mails()[-1] == ("o'brien@hauler.example", "Your application 2026-27/0001 stays as you sent it")
    assert do(open_asked_change, made.id, None).code == "answered"
    assert asked(application, "Another place").id != made.id


def test_the_committee_asks_for_more_by_a_day_and_the_application_is_open_at_once(application: Application) -> None:
    made = do(open_change, application, "committee", "Where do the cabins stand?", date(2026, 9, 15), by="member1")
    assert (made.side, made.due_on, made.opened_by) == ("committee", date(2026, 9, 15), "Member1 of the City")
    assert mails() == [
        ("o'brien@hauler.example", "We need more information for application 2026-27/0001 by September 15"),
    ]
    assert isinstance(do(answer_change, made.id, [LESS], Answers(), by=owner(application)), ApplicationChange)


@pytest.mark.parametrize(("due", "code"), [(date(2026, 9, 3), "past_day"), (date(2026, 9, 4), None)])
def test_the_day_may_be_today_but_not_gone(application: Application, due: date, code: str | None) -> None:
    said = do(open_change, application, "committee", "More", due, by="member1")
    assert (said.code if isinstance(said, Refusal) else None) == code


def test_one_change_at_a_time_and_never_without_words(application: Application) -> None:
    assert do(open_change, application, "committee", "  ", None).code == "no_words"
    asked(application)
    said = do(open_change, application, "committee", "More", None)
    assert (said.code, said.why) == (
        "change_waiting", "A change of application 2026-27/0001 is waiting already: Fewer gallons in winter",
    )  # fmt: skip
    assert db.session.scalar(select(func.count(ApplicationChange.id))) == 1


def test_the_same_answers_are_no_change_and_incomplete_ones_are_not_taken(application: Application) -> None:
    made = do(open_change, application, "committee", "More", None, by="member1")
    who = owner(application)
    assert do(answer_change, made.id, [SOURCE], Answers(), by=who).code == "nothing_changed"
    assert do(answer_change, made.id, [replace(SOURCE, place="")], Answers(), by=who).code == "incomplete"
    assert do(answer_change, made.id, [], Answers(), by=who).code == "no_sources"
    said = do(answer_change, made.id, [LESS], Answers(season="rest"), by=who)
    assert said.code == "season_differs"
    assert made.after is None


def test_after_the_vote_nothing_is_opened_and_its_hauler_hears_no_more_than_that(application: Application) -> None:
    made, second = do(open_change, application, "committee", "More", None, by="member1"), filed(
        hauler("Second Septic", "second@hauler.example"))  # fmt: skip
    decide([approve(application), approve(second)])
    assert db.session.scalar(select(func.count(Decision.id))) == 2
    said = do(answer_change, made.id, [LESS], Answers(), by=owner(application), at="2026-09-16T10:00")
    assert (said.code, said.why) == ("not_open", "Application 2026-27/0001 can no longer be changed.")
    assert do(open_change, second, "committee", "More", None, at="2026-09-16T10:00").code in ("decided", "not_open")


def test_an_approved_application_is_not_asked_to_change(app: Any) -> None:
    approval: Approval = builders.approved(hauler())
    application = db.session.get_one(Application, approval.application_id)
    said = do(ask_change, application.id, "More gallons", by=owner(application), at="2026-10-05T09:00")
    assert (said.code, said.next_step) == ("not_open", "After an approval, ask for a change of the approval.")


def test_another_haulers_change_is_not_theirs(application: Application) -> None:
    other = acting(hauler("Second Septic", "second@hauler.example"))
    assert do(ask_change, application.id, "Mine now", by=other).code == "not_yours"
    made = do(open_change, application, "committee", "More", None, by="member1")
    assert do(answer_change, made.id, [LESS], Answers(), by=other).code == "not_yours"


def test_only_the_clerk_opens_what_a_hauler_asked(application: Application) -> None:
    made = asked(application)
    for who in ("member1", "director", "operator"):
        assert do(open_asked_change, made.id, None, by=who).code == "not_your_role"
        assert do(refuse_change, made.id, "No", by=who).code == "not_your_role"
    assert do(open_change, application, "committee", "More", None, by="operator").code == "not_your_role"


def test_a_source_taken_away_shows_against_blanks() -> None:
    before = {"sources": [asdict(SOURCE), asdict(OUTSIDE)], "answers": {}}
    rows = differences(before, {"sources": [asdict(SOURCE)], "answers": {}})
    assert {(name.split(":")[0], new) for name, _, new in rows} == {("Source 2", "")}
