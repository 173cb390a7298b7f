"""A rate above the limit: the Director sees it, writes what was done, and the hauler's record and notices know it."""

from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.named_loads import load_words
from haulers.ports import provide
from intake.actions.excess import settle_excess
from intake.actions.running import change_rate
from intake.actions.station import void_load
from intake.models import Excess, Run
from intake.queries import excess
from intake.queries.checks import check_capacity
from intake.queries.track_record import Records
from office.db import db
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import hauler
from tests.intake.test_station_pages import fields, get, signed_in, text

AT = world.at("2026-10-06T07:10")


@pytest.fixture(autouse=True)
def _app(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-06T07:30")


def measured(gph: int = 700) -> tuple[Any, Any]:
    """A hauler, and its load of 600 gallons measured at a rate at 7:10."""
    who = hauler("Duffy Septic")
    load = good(log(who, 600))
    good(kept(change_rate(load, gph, by=world.staff("operator"), at=AT, law=world.law())))
    return who, load


def settle(excess_id: int, done: str, by: str = "director") -> Any:
    return kept(settle_excess(world.plant(), excess_id, done, by=world.staff(by), at=AT, law=world.law()))


def test_it_waits_for_the_director_until_words_are_written():
    _, load = measured()
    (row, mine), *_ = excess.of_plant(world.plant().id, open_only=True)
    assert mine.id == load.id
    assert said(settle(row.id, "Valve mended", by="operator"))[0] == "not_your_role"
    assert said(settle(row.id, " "))[:2] == ("no_words", "Enter what was done.")
    assert said(settle(0, "Valve mended"))[0] == "no_excess"
    good(settle(row.id, "Valve mended"))
    assert said(settle(row.id, "Again"))[0] == "settled"
    assert excess.of_plant(world.plant().id, open_only=True) == []
    assert [one for one in verify() if one.startswith(("excess", "run"))] == []


def test_the_record_of_the_hauler_and_a_notice_name_it():
    who, load = measured()
    plant = world.plant()
    record = Records().last_season(plant.id, [who.business_id], "2026-27")[who.business_id]
    assert (record.loads, record.over_limit) == (1, 1)
    provide(Records())
    assert load_words(plant, who.business_id, ["2026-00001"]) == [
        "Load ticket 2026-00001: October 6, 2026, 600 gallons of septic tank waste, "
        "unloaded at 700 gallons an hour, above the limit"]  # fmt: skip
    good(kept(void_load(load, "Gauge broken", by=world.staff("operator"), at=AT, law=world.law())))
    assert excess.of_plant(plant.id) == []


def test_a_rate_at_the_limit_is_in_no_record():
    who, _ = measured(670)
    record = Records().last_season(world.plant().id, [who.business_id], "2026-27")[who.business_id]
    assert (record.over_limit, excess.of_plant(world.plant().id)) == (0, [])


def test_the_director_is_led_from_the_day_to_the_words(app):
    measured()
    director = signed_in(app, "director")
    assert "1 rate was measured above the limit" in text(get(director, "/director"))
    page = get(director, "/director/rates")
    assert "Tue, Oct 6, 7:10 a.m. Duffy Septic, 2026-00001 700 of 670 Say what was done" in text(page)
    path = page.split('href="/bayfield/director/rates/')[1].split('"')[0]
    page = text(get(director, f"/director/rates/{path}"))
    assert "the plant drew 700 gallons an hour, 670 are allowed. This load was measured at 700" in page
    assert "Write a notice of violation : load 2026-00001 can be named in it." in page
    sent = fields(get(director, f"/director/rates/{path}"))
    assert director.post(f"/bayfield/director/rates/{path}", data=sent).status_code == 422
    director.post(f"/bayfield/director/rates/{path}", data=fields(get(director, f"/director/rates/{path}"))
                  | {"done": "Valve mended"})  # fmt: skip
    assert "700 of 670 Valve mended" in text(get(director, "/director/rates"))
    assert "measured above the limit" not in text(get(director, "/director"))
    assert "Valve mended." in text(get(signed_in(app, "operator"), "/station/load/2026-00001"))


def test_verify_names_a_measured_flow_above_the_limit_of_which_no_excess_is_kept():
    measured()
    assert check_capacity() == []
    row = db.session.scalars(select(Excess)).one()
    db.session.delete(row)
    db.session.flush()
    run = db.session.scalars(select(Run).filter_by(measured=True)).one()
    assert check_capacity() == [f"run {run.id}: 700 gallons an hour at 2026-10-06 07:10, the limit is 670."]
    db.session.rollback()
