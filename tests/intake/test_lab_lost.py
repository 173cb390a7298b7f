"""A sample of which no result will come: nothing is waited for, no test is charged, and the hauler is told why."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from intake.actions.lab import enter_result
from intake.actions.lab_lost import give_up_sample
from intake.models import Load
from intake.queries import load_history, loads, results
from office.db import db
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import balance, good, kept, log, refuse, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_station_pages import get, post, signed_in, text

AT = world.at("2026-10-14T09:00")


@pytest.fixture
def who(app: Flask) -> Hauler:
    return hauler()


def give_up(load: Load, code: str = "bottle", words: str = "") -> Any:
    return kept(give_up_sample(load, code, words, by=world.staff("operator"), at=AT, law=world.law()))


def test_the_test_is_not_charged_and_nothing_is_waited_for(who: Hauler) -> None:
    load = good(log(who, 300))
    assert balance(who) == 1936
    good(give_up(load, words="Fell off the bench."))
    assert (balance(who), load.tested) == (720, False)
    assert results.waiting(world.plant().id, AT.date()) == []
    found = load_history.lines(loads.history(load))[-1]
    assert (found["what"], found["who"], found["changes"], found["reason"]) == (
        "No result will come", "Operator of the City", ["Tested: no, before yes"],
        "Bottle broken or lost. Fell off the bench")  # fmt: skip
    notice = db.session.scalars(select(Notice).filter_by(kind="ticket").order_by(Notice.id.desc())).first()
    assert notice is not None and notice.letter_id == load.letter_id


def test_another_reason_is_said_in_words(who: Hauler) -> None:
    load = good(log(who, 300))
    for code, words in (("other", " "), ("nonsense", "x")):
        assert said(give_up(load, code, words))[:2] == ("no_reason", "Say why no result will come.")
    assert good(give_up(load, "other", "The cooler was not sent")).note.endswith(
        "No result of the sample: Another reason. The cooler was not sent.")  # fmt: skip


def test_a_sample_with_a_result_was_tested_and_a_refused_load_has_none(who: Hauler) -> None:
    load = good(log(who, 300))
    good(kept(enter_result(load, "BOD5", "4,200", by=world.staff("operator"), at=AT, law=world.law())))
    assert said(give_up(load))[:2] == ("results_in", "BOD of load 2026-00001 is in: the sample was tested.")
    assert said(give_up(good(refuse(who))))[0] == "not_tested"
    assert balance(who) == 1936


def test_it_is_said_on_a_page_of_its_own(app: Flask, who: Hauler, clock_at: Any) -> None:
    good(log(who, 300))
    clock_at("2026-10-14T09:00")
    client: FlaskClient = signed_in(app, "operator")
    assert 'href="/bayfield/plant/lab/2026-00001/no-result"' in get(client, "/plant/lab")
    page = "/plant/lab/2026-00001/no-result"
    assert "Select why no result comes" in post(client, page, {}).text
    assert "Say why no result will come." in post(client, page, {"code": "other"}).text
    assert post(client, page, {"code": "laboratory"}).status_code == 303
    assert "Load 2026-00001 counts as not tested; its test is not charged." in text(get(client, "/plant/lab"))
