"""The weights of a load are corrected like its other figures: the gallons are those they make, old and new stay."""

from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Load
from intake.queries import load_history, loads
from office.db import db
from office.verify import verify
from tests import world
from tests.intake.gatehouse import balance, good, log, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_blanks import issue
from tests.intake.test_charged_ways import at_town, charged
from tests.intake.test_correcting import AFTER, WHY, correct
from tests.intake.test_station_pages import fields, text
from tests.intake.test_tablets import post, typed

WEIGHT = {"basis": "weight", "full_lb": 25_100, "empty_lb": 12_590}


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def weighed(who: Hauler, gallons: int = 1_500, **other: Any) -> Load:
    load: Load = good(log(who, gallons, **WEIGHT | other))
    return load


def test_corrected_weights_make_the_gallons_and_the_charges_and_both_stand_in_the_history(who):
    load = weighed(who)
    refused = said(correct(load, full_lb=23_000))
    assert refused[:2] == ("weighs", "10,410 pounds at 8.34 pounds a gallon are 1,248 gallons, not 1,500.")
    assert (load.full_lb, load.gallons) == (25_100, 1_500)
    good(correct(load, full_lb=23_000, gallons=1_248))
    assert (load.full_lb, load.empty_lb, load.gallons, balance(who)) == (23_000, 12_590, 1_248, 2_995 + 1_216)
    assert load.note.splitlines()[-2:] == [
        "Corrected: 1,248 gallons, not 1,500; weighed 23,000 pounds full and 12,590 pounds empty, not 25,100 pounds "
        f"full and 12,590 pounds empty. {WHY}",
        "Weighed 23,000 pounds full, 12,590 empty: 10,410 pounds at 8.34 a gallon (§ 329-2 B(2)(b)).",
    ]
    line = load_history.lines(loads.history(load))[-1]
    assert line["changes"] == ["Gallons: 1,248, before 1,500", "Weighed full, pounds: 23,000, before 25,100"]
    assert verify() == []


@pytest.mark.parametrize(("given", "answer"), [
    ({"empty_lb": None}, ("weights", "Enter what the truck weighed full and empty, or select how else the gallons were "
                          "found.")),
    ({"empty_lb": 25_100}, ("weights", "The truck must weigh more full than empty.")),
    ({"gallons": 1_400}, ("weighs", "12,510 pounds at 8.34 pounds a gallon are 1,500 gallons, not 1,400.")),
])  # fmt: skip
def test_gallons_by_weight_that_the_weights_do_not_make_are_refused(who, given, answer):
    load = weighed(who)
    assert said(correct(load, **given))[:2] == answer
    assert (load.gallons, load.full_lb, load.empty_lb) == (1_500, 25_100, 12_590)


def test_what_is_no_matter_of_the_scale_is_corrected_beside_it(who):
    load = weighed(who)
    good(correct(load, driver="Bo Berg"))
    good(correct(load, basis="meter", full_lb=None, empty_lb=None, gallons=1_490))
    assert (load.basis, load.full_lb, load.gallons) == ("meter", None, 1_490)
    assert "weighed not at all, not 25,100 pounds full and 12,590 pounds empty" in load.note


def test_a_load_logged_by_the_meter_is_found_to_be_by_weight(who):
    load = good(log(who, 1_480))
    good(correct(load, gallons=1_500, **WEIGHT))
    assert "gallons by weight, not meter" in load.note
    assert load_history.lines(loads.history(load))[-1]["changes"] == [
        "Gallons: 1,500, before 1,480", "Gallons found by: weight, before meter",
        "Weighed full, pounds: 25,100, before none", "Weighed empty, pounds: 12,590, before none"]  # fmt: skip


def test_a_charge_by_the_scale_follows_the_corrected_weights(app: Any, tmp_path: Any):
    who = at_town(tmp_path, "manchester")
    load = good(log(who, 100, basis="weight", full_lb=20_834, empty_lb=20_000))
    assert charged(load) == [("scale", 800)]
    good(correct(load, full_lb=24_170, gallons=500))
    assert (charged(load), balance(who)) == ([("scale", 800), ("scale", 4_000)], 4_000)


def test_the_page_offers_both_weights_and_fills_in_what_they_make(app, clock_at, who):
    weighed(who)
    clock_at(AFTER)
    client = app.test_client()
    world.sign_in(client, "operator")
    address = "/bayfield/station/load/2026-00001/correct"
    sent = fields(client.get(address).text)
    assert (sent["full_lb"], sent["empty_lb"]) == ("25,100", "12,590")
    asked = client.post(address, data=sent | {"reason": WHY, "full_lb": "23,000"})
    assert asked.status_code == 422
    assert "are 1,248 gallons, not 1,500. Save again to keep what the weights make." in text(asked.text)
    again = fields(asked.text)
    assert again["gallons"] == "1,248"
    assert client.post(address, data=again | {"reason": WHY, "once": sent["once"][::-1]}).status_code == 303
    load = db.session.scalars(select(Load)).one()
    assert (load.full_lb, load.empty_lb, load.gallons) == (23_000, 12_590, 1_248)


def test_the_weights_of_a_paper_load_are_corrected_too(app, clock_at):
    clock_at("2026-10-05T15:00")
    issue(1)
    who = hauler()
    clock_at("2026-10-06T12:00")
    client = app.test_client()
    world.sign_in(client, "operator")
    page = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    paper = {"basis": "weight", "full_lb": "12,502", "empty_lb": "10,000", "bottle": "1006-01"}
    assert post(client, page, **typed(**paper)).status_code == 303
    load = db.session.scalars(select(Load)).one()
    good(correct(load, "2026-10-06T12:30", empty_lb=9_166, gallons=400))
    assert (load.gallons, load.slip, balance(who)) == (400, "P-2026-0001", 960 + 1_216)
