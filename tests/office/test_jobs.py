"""Jobs: once however often they run, the rest goes on when one fails, late runs are caught up."""

import logging

import pytest
from sqlalchemy import select

from office import jobs
from office.access import system
from office.db import db
from office.once import Claim
from office.plants import PlantRow, set_plant_row
from tests import world

AT = world.at("2026-10-06T08:00")


@pytest.fixture
def only(monkeypatch):
    monkeypatch.setattr(jobs, "JOBS", {})
    return jobs.job


def work(name):
    return lambda: set_plant_row(world.plant(), "fees.wage", "1.00", AT.date(), name, by=system(), at=AT)


def done():
    db.session.rollback()
    return [r.resolution for r in db.session.scalars(select(PlantRow).filter_by(value="1.00").order_by(PlantRow.id))]


def test_each_period_is_done_once_however_often_the_tick_runs(app, only):
    only("reminder")(lambda at: [("2026-10-05", work("Monday")), ("2026-10-06", work("Tuesday"))])
    assert jobs.tick(AT)["reminder"] == 2
    assert jobs.tick(AT)["reminder"] == 0
    assert done() == ["Monday", "Tuesday"]


def test_failing_piece_is_named_leaves_nothing_and_stops_no_other(app, only, caplog):
    def bad():
        work("half")()
        raise RuntimeError("the printer is on fire")

    only("reminder")(lambda at: [("a", bad), ("b", work("good"))])
    with caplog.at_level(logging.ERROR):
        assert jobs.tick(AT)["reminder"] == 1
    assert done() == ["good"]
    assert "The job reminder failed for a" in caplog.text
    assert [c.period for c in db.session.scalars(select(Claim))] == ["b"]


def test_failed_piece_is_done_by_a_later_tick(app, only):
    fail = [True]

    def sometimes():
        if fail.pop():
            raise RuntimeError("not now")
        work("at last")()

    only("reminder")(lambda at: [("a", sometimes)])
    fail.insert(0, False)
    jobs.tick(AT)
    assert done() == []
    assert jobs.tick(AT)["reminder"] == 1
    assert done() == ["at last"]
