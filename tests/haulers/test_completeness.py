"""What is missing, in one list for hauler and clerk; and the nine tasks it makes."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from haulers.actions import add_insurance, list_driver, save_answers, save_draft
from haulers.actions.drafts import say_no_drivers
from haulers.models import Application, Business
from haulers.queries import SourceLine
from haulers.queries.completeness import missing_of, season_differs
from haulers.queries.drivers import DriverLine
from haulers.queries.tasks import TaskList, task_list
from office.db import db
from office.law import law_now
from ordinances.calendar import season_named
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, answered, draft, filed, hauler
from tests.haulers.test_pages_hauler import signed_in
from tests.house import law_copies

pytestmark = pytest.mark.usefixtures("app")
DAY = date(2026, 8, 5)
BARE = SourceLine("septic_tank", "", "", "", None, None, None)


def missing(business: Business, application: Application | None) -> list[tuple[str, str, bool]]:
    law = world.law(DAY)
    found = missing_of(business, application, season_named(law, "2026-27"), law, DAY)
    return [(one.task, one.sentence, one.blocks) for one in found]


def tasks(business: Business, application: Application | None) -> TaskList:
    law = world.law(DAY)
    return task_list(business, application, season_named(law, "2026-27"), law, DAY)


def status(business: Business, application: Application | None) -> dict[str, str]:
    return {task.key: task.status for task in tasks(business, application).tasks}


def answer(business: Business, task: str, **given: str) -> Any:
    when = world.at("2026-08-05T09:00")
    return save_answers(world.plant(), business.id, task, given, by=acting(business), at=when, law=world.law(DAY))


def test_before_anything_is_answered_the_source_is_what_keeps_it_from_going() -> None:
    assert missing(hauler(), None) == [
        ("sources", "Say what you plan to bring: no source is listed yet.", True),
        ("season", "Say when you will bring it.", False),
        ("tests", "Say whether any of it is unusual waste.", False),
        ("fee", "Say how you pay the filing fee.", False),
        ("drivers", "Add your drivers, or say that you have none to add.", False),
    ]


def test_the_nine_tasks_say_where_each_stands() -> None:
    business = hauler()
    assert status(business, None) == {
        "company": "Completed", "license": "Completed", "trucks": "Completed", "drivers": "Not started",
        "sources": "Not started", "season": "Not started", "tests": "Not started", "fee": "Not started",
        "check": "Cannot start yet",
    }  # fmt: skip
    assert tasks(business, None).done == 3


def test_eight_of_nine_with_every_answer_and_the_word_that_there_are_no_drivers() -> None:
    business = hauler()
    made = draft(business, SOURCE)
    assert (tasks(business, made).done, len(tasks(business, made).tasks)) == (4, 9)
    assert status(business, made)["check"] == "Cannot start yet"
    answer(business, "season", season="both"), answer(business, "fee", fee="mail")
    made = answer(business, "tests", unusual="no")
    assert (tasks(business, made).done, status(business, made)["check"]) == (7, "Cannot start yet")
    when = world.at("2026-08-05T09:00")
    made = say_no_drivers(world.plant(), business.id, by=acting(business), at=when, law=world.law(DAY))
    assert (tasks(business, made).done, status(business, made)["check"]) == (8, "Not started")


@pytest.mark.parametrize(("complete", "said"), [
    (None, "Say whether you have listed every source."), (False, "You said that more is to come."),
])  # fmt: skip
def test_sources_are_in_progress_until_said_to_be_all(complete: bool | None, said: str) -> None:
    business = hauler()
    made = answered(business)
    assert status(business, made)["check"] == "Not started"
    when = world.at("2026-08-05T09:00")
    made = save_draft(world.plant(), business.id, [SOURCE], complete=complete, by=acting(business), at=when,
                      law=world.law(DAY))  # fmt: skip
    assert missing(business, made) == [("sources", said, False)]
    found = tasks(business, made)
    assert [(one.status, one.hint) for one in found.tasks if one.key == "sources"] == [("In progress", said)]
    assert (found.done, status(business, made)["check"]) == (7, "Cannot start yet")


def test_a_source_half_filled_in_is_in_progress_and_named() -> None:
    business = hauler()
    made = draft(business, SOURCE, replace(BARE, place="Cabins"))
    assert missing(business, made)[0] == (
        "sources", "Source 2: enter the service area, how often, gallons a load, gallons in winter, "
        "gallons in the rest of the year.", True,
    )  # fmt: skip
    found = status(business, made)
    assert (found["sources"], found["check"]) == ("In progress", "Cannot start yet")


def test_a_season_against_the_gallons_blocks_until_one_is_changed() -> None:
    business = hauler()
    draft(business, SOURCE)
    made = answer(business, "season", season="rest")
    assert missing(business, made)[0] == (
        "season", "Select both seasons: you ask for 12,000 gallons in winter.", True,
    )  # fmt: skip
    assert status(business, made)["season"] == "In progress"


@pytest.mark.parametrize(("season", "winter", "rest", "said"), [
    ("winter", 1, 0, ""), ("winter", 0, 1, "Select both seasons: you ask for 1 gallon in the rest of the year."),
    ("rest", 0, 1, ""), ("rest", 1, 0, "Select both seasons: you ask for 1 gallon in winter."),
    ("both", 1, 1, ""), ("both", 0, 1, "Select one season: you ask for no gallons in winter."),
    ("both", 1, 0, "Select one season: you ask for no gallons in the rest of the year."), ("both", 0, 0, ""),
    ("", 5, 5, ""),
])  # fmt: skip
def test_season_and_gallons_agree_or_say_how(season: str, winter: int, rest: int, said: str) -> None:
    assert season_differs(season, [replace(SOURCE, gallons_winter=winter, gallons_rest=rest)]) == said


def test_unusual_waste_asks_for_a_lab_sheet_and_holds_nothing_back() -> None:
    business = hauler()
    draft(business, SOURCE, OUTSIDE)
    made = answer(business, "tests", unusual="yes", words="Wash water")
    assert ("lab", "Add a lab sheet of the unusual waste if you have one.", False) in missing(business, made)
    assert status(business, made)["tests"] == "Completed"


def test_the_clerk_sees_the_same_list_for_what_was_sent_without_the_way_of_paying() -> None:
    business = hauler()
    assert missing(business, filed(business)) == [
        ("season", "Say when you will bring it.", False),
        ("tests", "Say whether any of it is unusual waste.", False),
    ]  # fmt: skip


def test_a_source_says_what_the_law_asks_and_no_more() -> None:
    line = replace(SOURCE, frequency="", gallons_a_load=None)
    assert line.missing() == ["how often", "gallons a load"]
    assert line.missing(("type", "quantity", "location")) == ["gallons a load"]
    assert line.missing(("type", "location")) == []


def asks_for(**values: Any) -> None:
    """Adopt Bayfield's law with other values in some of its approval rows."""
    rows = law_copies.canonical()["rows"]
    places = {n: values[row["key"].removeprefix("approval.")] for n, row in enumerate(rows)
              if row["key"].removeprefix("approval.") in values}  # fmt: skip
    text, why = law_copies.with_values(places)
    assert text, why
    law_copies.adopt(text)


def papers_missing(business: Business) -> list[tuple[str, str, bool]]:
    """What is missing of the company, by the law now in force."""
    law = law_now(world.plant(), world.at("2026-08-05T09:00"))
    found = missing_of(business, None, season_named(law, "2026-27"), law, DAY)
    return [(one.task, one.sentence, one.blocks) for one in found if one.task in ("insurance", "drivers", "license")]


def paper_tasks(business: Business) -> list[tuple[str, str, str]]:
    law = law_now(world.plant(), world.at("2026-08-05T09:00"))
    tasks = task_list(business, None, season_named(law, "2026-27"), law, DAY).groups[0][1]
    return [(task.key, task.status, task.hint) for task in tasks if task.key in ("insurance", "drivers")]


def insure(business: Business, ends: date) -> None:
    made = add_insurance(business, insurer="Acme", policy="1", ends_on=ends, by=acting(business),
                         at=world.at("2026-08-05T09:00"))  # fmt: skip
    assert made.ends_on == ends
    db.session.commit()


def test_insurance_is_missing_only_where_the_law_asks_for_it_and_until_it_lasts_into_the_season() -> None:
    business = hauler()
    insure(business, date(2026, 9, 30))
    assert [one for one in papers_missing(business) if one[0] == "insurance"] == []
    asks_for(insurance=True)
    bare = hauler("Bare Pumping", "bare@hauler.example")
    assert papers_missing(bare)[0] == ("insurance", "Give your liability insurance.", False)
    assert paper_tasks(bare)[0] == ("insurance", "Not started", "")
    said = "Your liability insurance ends September 30, 2026, before the season begins. Give the new one."
    assert papers_missing(business)[0] == ("insurance", said, False)
    assert paper_tasks(business)[0] == ("insurance", "In progress", said)
    insure(business, date(2026, 10, 1))
    assert [one for one in papers_missing(business) if one[0] == "insurance"] == []
    assert paper_tasks(business)[0] == ("insurance", "Completed", "")


def test_each_drivers_certificate_is_missing_where_the_law_needs_them() -> None:
    business = hauler()
    lines = [DriverLine("Ann", "Vehicle operator", "1", date(2026, 10, 1)), DriverLine("Bo"),
             DriverLine("Thị Hà", "Vehicle operator", "2", date(2026, 9, 30))]  # fmt: skip
    other = hauler("Other Pumping", "other@hauler.example")
    list_driver(other, DriverLine("Cy"), by=acting(other), at=world.at("2026-08-05T09:00"))
    assert papers_missing(other) == []
    asks_for(certificates="needed")
    assert papers_missing(other) == [("drivers", "Give the state certificate of Cy.", False)]
    assert papers_missing(business) == [("drivers", "Add your drivers with their state certificates.", False)]
    for line in lines:
        list_driver(business, line, by=acting(business), at=world.at("2026-08-05T09:00"))
    late = "The certificate of Thị Hà ends September 30, 2026, before the season begins. Give the new one."
    assert papers_missing(business) == [
        ("drivers", "Give the state certificate of Bo.", False), ("drivers", late, False),
    ]  # fmt: skip
    assert paper_tasks(business) == [("drivers", "In progress", f"Give the state certificate of Bo. {late}")]


def test_the_hauler_finds_the_insurance_among_the_tasks_and_what_is_missing(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    business = hauler()
    draft(business, SOURCE)
    asks_for(insurance=True)
    client = signed_in(app)
    tasks = client.get("/bayfield/hauler/apply").get_data(as_text=True)
    assert '<a href="/bayfield/hauler/insurance">Give your liability insurance</a>' in tasks
    assert "You have completed 4 of 10 tasks." in tasks
    assert '<a href="/bayfield/hauler/insurance?from=check">Give your liability insurance.</a>' in client.get(
        "/bayfield/hauler/apply/check").get_data(as_text=True)  # fmt: skip
