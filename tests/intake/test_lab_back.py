"""A result typed at the wrong load is taken off with the reason: the load waits again, the history keeps both."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from intake.actions.lab import enter_result
from intake.actions.lab_back import take_back_result
from intake.actions.lab_lost import give_up_sample
from intake.actions.retest import ask_retest
from intake.models import Load, Result
from intake.queries import load_history, loads, results
from office.db import db
from office.notices import Notice
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_station_pages import get, post, signed_in, text

AT = world.at("2026-10-14T09:00")


@pytest.fixture
def who(app: Flask) -> Hauler:
    return hauler()


def enter(load: Load, typed: str, parameter: str = "BOD5", **more: Any) -> Any:
    return kept(enter_result(load, parameter, typed, by=world.staff("operator"), at=AT, law=world.law(), **more))


def take_back(load: Load, reason: str = "It is the result of load 2026-00002", parameter: str = "BOD5") -> Any:
    return kept(take_back_result(load, parameter, reason, by=world.staff("operator"), at=AT, law=world.law()))


def test_the_load_waits_for_its_own_result_and_the_history_keeps_what_was_entered(who: Hauler) -> None:
    load = good(log(who, 300))
    good(enter(load, "4,200"))
    good(enter(load, "5,200", reason="Read wrong"))
    assert said(take_back(load, " "))[:2] == ("no_reason", "Enter why it is taken back.")
    good(take_back(load))
    assert loads.results_of([load.id]).get(load.id, {}) == {}
    assert [one.load.id for one in results.waiting(world.plant().id, AT.date())] == [load.id]
    assert said(take_back(load))[:2] == ("no_result", "Load 2026-00001 has no such result any more.")
    told = db.session.scalars(select(Notice).order_by(Notice.id.desc())).first()
    assert told is not None
    assert (told.subject, told.body) == (
        "BOD of load 2026-00001 is taken back",
        "BOD, 5,200 mg/L, is taken back: It is the result of load 2026-00002.")  # fmt: skip
    # Another load's result may get the number of the row that is gone.
    other = good(log(who, 300, "2026-10-06T07:40"))
    good(enter(other, "5,200"))
    good(enter(load, "900"))
    history = [(one["what"], one["changes"], one["reason"]) for one in load_history.lines(loads.history(load))][1:]
    assert history == [
        ("Result entered", ["BOD: 4,200"], ""), ("Result entered", ["BOD: 5,200, before 4,200"], "Read wrong"),
        ("Result taken back", ["BOD: taken back, before 5,200"], "It is the result of load 2026-00002"),
        ("Result entered", ["BOD: 900"], ""),
    ]  # fmt: skip
    assert verify() == []


def test_of_a_sample_whose_only_result_was_taken_back_it_can_be_said_that_none_will_come(who: Hauler) -> None:
    load = good(log(who, 300))
    good(enter(load, "4,200"))
    good(take_back(load))
    assert (
        good(kept(give_up_sample(load, "bottle", by=world.staff("operator"), at=AT, law=world.law()))).tested is False
    )


def test_a_result_beside_which_new_tests_stand_stays(who: Hauler) -> None:
    load = good(log(who, 300))
    good(enter(load, "4,200"))
    good(enter(load, "9,000", "TSS"))
    good(kept(ask_retest(load, ("BOD5",), "Too high", by=who.by, at=AT, law=world.law())))
    assert said(take_back(load))[:2] == (
        "new_tests", "New tests of BOD of load 2026-00001 stand beside it: it stays.")  # fmt: skip
    good(take_back(load, parameter="TSS"))
    assert db.session.scalars(select(Result.parameter)).all() == ["BOD5"]


def test_it_is_taken_back_on_a_page_of_its_own(app: Flask, who: Hauler, clock_at: Any) -> None:
    clock_at("2026-10-14T09:00")
    good(enter(good(log(who, 300)), "4,200"))
    operator, change = signed_in(app, "operator"), "/plant/lab/2026-00001/BOD5"
    assert f'href="/bayfield{change}/back"' in get(operator, change)
    page = text(get(operator, f"{change}/back"))
    assert "Now: 4,200 mg/L" in page and "The load waits for its own result again" in page
    assert "Enter why it is taken back" in text(post(operator, f"{change}/back", {"reason": ""}).text)
    assert post(operator, f"{change}/back", {"reason": "Typed in the wrong row"}).status_code == 303
    page = text(get(operator, "/station/load/2026-00001"))
    assert "BOD: taken back, before 4,200" in page and "Typed in the wrong row" in page
    get(operator, change, 404)
