"""The answers of a draft: kept task by task, mailed once, a colleague's save not lost, last year's taken over."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import (
    file_application,
    save_answers,
    save_draft,
    start_late,
    use_last_answers,
    withdraw_application,
)
from haulers.models import Application, Business
from haulers.queries import SourceLine, mark_of, sources_of
from haulers.queries.answers import Answers, answers_of
from office.access import Grant, Role, actor
from office.acts import act
from office.db import db
from office.notices import Notice
from office.signin import new_person
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, draft, filed, hauler

pytestmark = pytest.mark.usefixtures("app")


def answer(business: Business, task: str, at: str = "2026-08-05T09:00", **given: Any) -> Any:
    """Keep the answers of a task: the act's own answer."""
    when, options = world.at(at), {name: given.pop(name) for name in ("later", "seen", "by") if name in given}
    options.setdefault("by", acting(business))
    return save_answers(world.plant(), business.id, task, given, at=when, law=world.law(when.date()), **options)


def save(business: Business, *sources: SourceLine, at: str = "2026-08-05T09:00", **options: Any) -> Any:
    when = world.at(at)
    options.setdefault("by", acting(business))
    return save_draft(world.plant(), business.id, sources, at=when, law=world.law(when.date()), **options)


@act("test_colleague", roles=(Role.SYSTEM,))
def _colleague(business: Business, *, by: Any, at: Any) -> int:
    person = new_person("second@hauler.example", "Lars Søn", world.PASSWORD)
    db.session.add(Grant(person_id=person.id, plant_id=None, party_id=business.party_id, role="hauler_owner", since=at))
    return person.id


def colleague(business: Business) -> Any:
    """A second person of the same company."""
    from office.access import system

    ident = _colleague(business, by=system(), at=world.at("2026-07-02T10:00"))
    return actor(ident, "Lars Søn", world.plant().id, world.at("2027-09-30T12:00"))


def test_each_task_keeps_its_answers_beside_the_others() -> None:
    business = hauler()
    assert isinstance(answer(business, "season", season="both"), Application)
    made = answer(business, "tests", unusual="yes", words="  Wash water of a car wash ")
    answer(business, "fee", fee="paid", receipt="R-2026-00001")
    assert answers_of(made) == Answers("both", "yes", "Wash water of a car wash", "paid", "R-2026-00001")


def test_saving_for_later_mails_by_when_to_come_back_once_a_draft() -> None:
    business = hauler()
    save(business, SOURCE, later=True)
    answer(business, "season", season="both", later=True)
    notice = db.session.scalars(select(Notice).filter_by(kind="draft_saved")).one()
    assert notice.subject == "Your septage application is saved: finish it by September 1"
    assert notice.body == (
        "Your answers for season 2026-27 are kept at Bayfield Wastewater Treatment Works. They are not sent yet. Sign "
        "in, open Application, and send them by 11:59 p.m. on Tuesday, September 1, 2026. Filing opens August 1, 2026."
    )


def test_a_colleagues_newer_save_is_told_and_not_written_over_unseen() -> None:
    business = hauler()
    other, opened = colleague(business), mark_of(save(business, SOURCE, at="2026-08-05T09:00"), "sources")
    theirs = save(business, OUTSIDE, at="2026-08-05T09:20", by=other, seen=opened)
    assert [row.place for row in sources_of([theirs.id])[theirs.id]] == [OUTSIDE.place]
    said = save(business, SOURCE, at="2026-08-05T09:30", seen=opened)
    assert (said.code, said.why) == (
        "saved_since", "Lars Søn saved these answers on Wednesday, August 5, 2026, 9:20 a.m.",
    )  # fmt: skip
    assert [row.place for row in sources_of([theirs.id])[theirs.id]] == [OUTSIDE.place]
    again = save(business, SOURCE, at="2026-08-05T09:31", seen=said.details["seen"])
    assert [row.place for row in sources_of([again.id])[again.id]] == [SOURCE.place]


@pytest.mark.parametrize("begun", [True, False])
def test_ones_own_older_window_does_not_write_over_a_newer_save_unseen(begun: bool) -> None:
    business = hauler()
    opened = mark_of(save(business, SOURCE) if begun else None, "sources")
    made = save(business, OUTSIDE, at="2026-08-05T09:10", seen=opened)
    said = save(business, SOURCE, at="2026-08-05T09:20", seen=opened)
    assert (said.code, said.why, said.next_step) == (
        "saved_since",
        "You saved these answers in another window, after you opened this one, on Wednesday, August 5, 2026, 9:10 a.m.",
        "What you typed is still here. Save it again to put it in the place of what you saved there.",
    )
    assert [row.place for row in sources_of([made.id])[made.id]] == [OUTSIDE.place]
    assert isinstance(save(business, SOURCE, at="2026-08-05T09:21", seen=said.details["seen"]), Application)


@pytest.mark.parametrize("begun", [True, False])
def test_two_windows_on_different_tasks_do_not_disturb_each_other(begun: bool) -> None:
    business = hauler()
    made = save(business, SOURCE) if begun else None
    opened = {task: mark_of(made, task) for task in ("sources", "season", "tests", "fee")}
    other = colleague(business)
    answer(business, "season", at="2026-08-05T09:10", season="both", by=other, seen=opened["season"])
    answer(business, "fee", at="2026-08-05T09:11", fee="mail", seen=opened["fee"])
    saved = save(business, OUTSIDE, at="2026-08-05T09:12", seen=opened["sources"])
    last = answer(business, "tests", at="2026-08-05T09:13", unusual="no", seen=opened["tests"])
    assert [isinstance(one, Application) for one in (saved, last)] == [True, True]
    assert answers_of(last) == Answers("both", "no", "", "mail")
    assert [row.place for row in sources_of([last.id])[last.id]] == [OUTSIDE.place]


def test_a_newer_save_of_the_same_task_names_who_saved_it_whoever_saved_another_task_since() -> None:
    business = hauler()
    other, opened = colleague(business), mark_of(save(business, SOURCE), "season")
    answer(business, "season", at="2026-08-05T09:10", season="both", by=other, seen=opened)
    answer(business, "fee", at="2026-08-05T09:20", fee="mail")
    said = answer(business, "season", at="2026-08-05T09:30", season="winter", seen=opened)
    assert (said.code, said.why) == (
        "saved_since", "Lars Søn saved these answers on Wednesday, August 5, 2026, 9:10 a.m.",
    )  # fmt: skip
    assert isinstance(answer(business, "season", season="winter", seen=said.details["seen"]), Application)


def test_the_same_answers_saved_in_another_window_are_nothing_to_warn_of() -> None:
    business = hauler()
    opened = mark_of(save(business, SOURCE), "sources")
    save(business, SOURCE, at="2026-08-05T09:10", by=colleague(business), seen=opened)
    assert isinstance(save(business, OUTSIDE, at="2026-08-05T09:20", seen=opened), Application)


@pytest.mark.parametrize("changed", [{"place": "Elsewhere"}, {"gallons_winter": 1}, {"waste": "holding_tank"}])
def test_any_answer_of_a_source_is_one_that_changed(changed: dict[str, Any]) -> None:
    business = hauler()
    opened = mark_of(save(business, SOURCE), "sources")
    made = save(business, replace(SOURCE, **changed))
    assert mark_of(made, "sources", fresh=True) != opened
    assert mark_of(save(business, SOURCE), "sources", fresh=True) == opened


def test_last_years_answers_taken_over_overtake_a_window_opened_before() -> None:
    business = hauler()
    answer(business, "season", season="both")
    filed(business, SOURCE)
    opened = mark_of(None, "season")
    when = world.at("2027-08-05T09:00")
    use_last_answers(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    said = answer(business, "season", at="2027-08-05T09:30", season="winter", seen=opened)
    assert said.code == "saved_since"


def test_last_years_answers_are_taken_over_and_each_part_is_checked_before_sending() -> None:
    business = hauler()
    filed(business, SOURCE, OUTSIDE)
    when = world.at("2027-08-05T09:00")
    how: dict[str, Any] = {"by": acting(business), "at": when, "law": world.law(when.date())}
    made = use_last_answers(world.plant(), business.id, **how)
    assert isinstance(made, Application)
    assert (made.season, made.state, made.answers["check"]) == ("2027-28", "draft", ["sources"])
    assert [row.place for row in sources_of([made.id])[made.id]] == [SOURCE.place, OUTSIDE.place]
    said = file_application(world.plant(), business.id, **how)
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("unchecked", "Check your earlier answers first: what you plan to bring.")
    save(business, SOURCE, at="2027-08-05T10:00")
    assert isinstance(file_application(world.plant(), business.id, **how), Application)
    assert made.answers["check"] == []


def test_last_years_season_and_unusual_waste_come_along_but_not_how_the_fee_was_paid() -> None:
    business = hauler()
    answer(business, "season", season="both"), answer(business, "fee", fee="mail")
    answer(business, "tests", unusual="no")
    filed(business)
    when = world.at("2027-08-05T09:00")
    made: Any = use_last_answers(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    assert answers_of(made) == Answers("both", "no")
    assert made.answers["check"] == ["sources", "season", "tests"]


def test_last_years_answers_never_write_over_what_is_there() -> None:
    business = hauler()
    filed(business)
    save(business, OUTSIDE, at="2027-08-05T09:00")
    when = world.at("2027-08-05T09:30")
    said = use_last_answers(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "not_empty"


def test_what_was_withdrawn_can_be_sent_again_without_typing_it_anew() -> None:
    business = hauler()
    first, when = filed(business, SOURCE, OUTSIDE), world.at("2026-08-20T09:00")
    how: dict[str, Any] = {"by": acting(business), "at": when, "law": world.law(when.date())}
    withdraw_application(world.plant(), first.id, **how)
    made = use_last_answers(world.plant(), business.id, **how)
    assert isinstance(made, Application)
    assert (made.season, [row.place for row in sources_of([made.id])[made.id]]) == (
        "2026-27", [SOURCE.place, OUTSIDE.place],
    )  # fmt: skip


def test_without_an_earlier_application_there_is_nothing_to_take_over() -> None:
    business, when = hauler(), world.at("2026-08-05T09:00")
    said = use_last_answers(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "no_last"
    assert db.session.scalars(select(Application)).all() == []


def test_another_hauler_cannot_answer_for_a_business() -> None:
    owner, other = hauler(), hauler("Second Septic", "other@hauler.example")
    assert answer(owner, "season", by=acting(other), season="both").code == "not_yours"


def test_a_season_the_gallons_contradict_is_not_sent() -> None:
    business = hauler()
    draft(business, SOURCE, at="2026-08-05T09:00")
    answer(business, "season", season="winter")
    when = world.at("2026-08-12T09:00")
    how: dict[str, Any] = {"by": acting(business), "at": when, "law": world.law(when.date())}
    said = file_application(world.plant(), business.id, **how)
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == (
        "season_differs", "Select both seasons: you ask for 8,000 gallons in the rest of the year.",
    )  # fmt: skip
    answer(business, "season", season="both", at="2026-08-12T08:00")
    assert isinstance(file_application(world.plant(), business.id, **how), Application)


def test_what_was_sent_is_frozen_with_company_license_trucks_and_answers() -> None:
    business = hauler()
    answer(business, "season", season="both")
    made = filed(business)
    assert made.sent == {
        "company": {"name": "O'Brien & Søn Septic, L.L.C.", "address": "12 Rittenhouse Avenue\nBayfield, WI 54814",
                    "phone": "(715) 555-0111 ext. 12", "email": "o'brien@hauler.example", "contact": "Ingrid O'Brien"},
        "licence": {"state": "WI", "number": "4022", "ends": "2027-06-30"},
        "trucks": [{"plate": "WI 1234", "name": "Big Red", "capacity": 1500, "sticker": ""}],
        "drivers": [], "insurance": [],
        "sources": [{"waste": "septic_tank", "place": "Homes along County Road J", "area": "sewer_service",
                     "frequency": "4 loads a month", "gallons_a_load": 1500, "gallons_winter": 12000,
                     "gallons_rest": 8000, "existing": True, "replaces_failed": False, "months": ""}],
        "answers": {"season": "both", "unusual": "", "words": "", "fee": "", "receipt": ""},
        "files": [],
    }  # fmt: skip


def test_a_late_draft_is_begun_only_after_the_close() -> None:
    business = hauler()
    for at, code in (("2026-07-20T09:00", "not_late"), ("2026-09-01T23:59:59", "not_late")):
        said = begin(business, at)
        assert said.code == code, at
    assert begin(business, "2026-09-02T00:00").season == "2026-27"


def begin(business: Business, at: str) -> Any:
    when = world.at(at)
    return start_late(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))


def test_a_late_draft_of_the_running_season_is_filled_in_after_october() -> None:
    business = hauler()
    assert save(business, SOURCE, at="2027-02-03T09:00").code == "form_not_open"
    made = begin(business, "2027-02-03T09:00")
    assert (made.season, made.state) == ("2026-27", "draft")
    assert save(business, SOURCE, at="2027-02-03T09:10").id == made.id
