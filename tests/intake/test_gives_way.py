"""A sampling plan or a testing rule that an earlier decision takes the place of: who decides is warned (§ 329-7 E)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from intake.actions.sampling_plan import approve_sampling_plan
from intake.actions.testing_rule import set_testing_rule
from intake.models import SamplingPlan, SamplingRule
from intake.queries import sampling_plan as plans
from intake.queries import testing_rule
from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_sampling_plan import propose
from tests.intake.test_station_pages import get, post, signed_in, text

NOW, TODAY, LATER = "2026-10-06T08:00", date(2026, 10, 6), date(2026, 12, 1)
WARNED = ("The plan approved on October 6, 2026 holds from December 1, 2026 on, and this one would hold only until "
          "November 30, 2026. Enter a later first day, or confirm it")  # fmt: skip


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at(NOW)


def approve(row: Any, since: date, sure: bool = False) -> Any:
    return kept(approve_sampling_plan(world.plant(), row.id, since, sure=sure, by=world.staff("director"),
                                      at=world.at(NOW), law=world.law()))  # fmt: skip


def rule(who: Hauler, figure: int, since: date) -> Any:
    return kept(set_testing_rule(world.plant(), who.business_id, "one_in", figure, since, "Loads alike",
                                 by=world.staff("director"), at=world.at(NOW), law=world.law()))  # fmt: skip


def test_a_plan_that_gives_way_is_asked_about_and_the_letter_says_until_when() -> None:
    who = hauler()
    first = good(approve(good(propose(who)), LATER))
    second = good(propose(who, methods="Composite"))
    assert said(approve(second, TODAY))[:2] == ("later", WARNED)
    good(approve(second, TODAY, sure=True))
    mine = plans.of_business(world.plant().id, who.business_id)
    assert plans.in_force(mine, date(2026, 11, 30)) is second
    assert plans.in_force(mine, LATER) is first
    assert db.session.get_one(Letter, second.letter_id).data["word"] == (
        "approved from October 6, 2026 until November 30, 2026. From the next day on the plan approved on October 6, "
        "2026 holds")  # fmt: skip


@pytest.mark.parametrize("since", [LATER, date(2026, 12, 2)])
def test_a_plan_that_begins_with_or_after_the_other_stands_in_its_place(since: date) -> None:
    who = hauler()
    good(approve(good(propose(who)), LATER))
    second = good(approve(good(propose(who)), since))
    assert plans.in_force(plans.of_business(world.plant().id, who.business_id), since) is second
    assert db.session.get_one(Letter, second.letter_id).data["word"].startswith("approved from December")


def test_the_director_is_warned_on_the_page_and_ticks_it(app: Any) -> None:
    who = hauler()
    good(approve(good(propose(who)), LATER))
    second = good(propose(who, methods="Composite"))
    director = signed_in(app, "director")
    where = f"/director/sampling/plans/{second.id}"
    page = get(director, where)
    assert "Approved already from December 1, 2026 on" in text(page) and 'name="sure"' not in page
    asked = post(director, where, {"step": "approve"})
    assert (asked.status_code, WARNED in text(asked.text), 'name="sure"' in asked.text) == (422, True, True)
    assert post(director, where, {"step": "approve", "sure": "y"}).status_code == 303
    shown = text(get(director, f"/director/sampling/{who.business_id}"))
    assert "It holds until the plan of December 1, 2026 takes its place." in shown
    assert "Approved, from December 1, 2026 on" in shown and "Before" not in shown
    assert db.session.scalars(select(SamplingPlan).filter_by(state="proposed")).all() == []


def test_the_sample_shows_the_plan_of_the_day_of_its_load(app: Any, clock_at: Any) -> None:
    who = hauler()
    good(approve(good(propose(who, methods="Of October")), TODAY))
    good(log(who, 100, bottle="1006-01"))
    good(approve(good(propose(who, methods="Of November")), date(2026, 10, 20)))
    clock_at("2026-11-02T08:00")
    page = text(get(signed_in(app, "operator"), "/plant/samples/1006-01"))
    assert "How this hauler's waste was sampled on October 6, 2026" in page.replace("&#39;", "'")
    assert "Of October" in page and "Of November" not in page


def test_a_rule_that_gives_way_says_so_in_its_letter_and_to_everybody() -> None:
    who = hauler("Duffy Septic")
    good(rule(who, 4, LATER))
    second = good(rule(who, 3, TODAY))
    assert [testing_rule.rule_on(world.plant().id, who.business_id, day).figure  # type: ignore[union-attr]
            for day in (TODAY, date(2026, 11, 30), LATER)] == [3, 3, 4]  # fmt: skip
    letter = db.session.get_one(Letter, second.letter_id)
    assert letter.data["rule"] == (
        "One load in 3 is tested from October 6, 2026 until November 30, 2026. Of each 3 loads that follow each other "
        "exactly one is tested, at a place drawn anew each time. From December 1, 2026 on another rule holds instead, "
        "as in the letter of October 6, 2026: one load in 4 is tested.")  # fmt: skip
    told = db.session.scalars(select(Notice.subject).filter_by(kind="testing_rule", to_name="Duffy Septic")).all()
    assert told[-1] == f"One load in 3 is tested from October 6, 2026 until November 30, 2026 ({letter.number})"


def test_the_director_reads_it_before_the_letter_is_sent(app: Any) -> None:
    who = hauler()
    good(rule(who, 4, LATER))
    director = signed_in(app, "director")
    where = f"/director/testing/{who.business_id}/letter"
    assert "Told already, from December 1, 2026" in text(get(director, where))
    shown = post(director, where, {"kind": "one_in", "figure": "3", "reason": "Loads alike"})
    gives_way = "It gives way on December 1, 2026 From December 1, 2026 on: One load in 4 is tested, by the letter"
    assert gives_way in text(shown.text)
    after = post(director, where, {"kind": "one_in", "figure": "3", "reason": "Loads alike", "since-month": "12",
                                   "since-day": "2"})  # fmt: skip
    assert "It gives way" not in text(after.text)
    assert len(db.session.scalars(select(SamplingRule)).all()) == 1
    good(rule(who, 3, TODAY))
    assert "In force until the next one begins" in text(get(director, f"/director/testing/{who.business_id}"))
