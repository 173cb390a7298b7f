"""What an unbooked truck brings: what its approval covers, asked when that is several types (§ 329-7 A-B)."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from intake.models import Load
from office.db import db
from tests.intake.gatehouse import booked
from tests.intake.plant import book, hauler, session
from tests.intake.test_station_pages import fields, get, post, signed_in, text, truck_page

NOW = "2026-10-06T07:00"


@pytest.fixture
def operator(app: Flask, clock_at: Any) -> FlaskClient:
    clock_at(NOW)
    return signed_in(app, "operator")


def test_an_unbooked_truck_of_a_hauler_for_holding_tanks_only_is_let_in(operator):
    who = hauler(wastes=["holding_tank"])
    page = get(operator, truck_page(who))
    assert "Do not accept" not in page
    assert fields(page)["waste"] == "holding_tank"
    answer = post(operator, truck_page(who), {"driver": "Ann", "gallons": "300"})
    assert (answer.status_code, db.session.scalars(select(Load.waste)).all()) == (303, ["holding_tank"])


def test_where_the_approval_covers_several_types_the_page_asks_first(operator):
    who = hauler(wastes=["septic_tank", "holding_tank"])
    page = get(operator, truck_page(who))
    assert re.findall(r"<h1>([^<]+)</h1>", page) == ["What does it bring?"]
    assert "Save load" not in page
    led = re.findall(r'class="tile" href="/bayfield([^"]+)"', page)
    assert led == [f"{truck_page(who)}&waste={kind}".replace("&", "&amp;") for kind in ("septic_tank", "holding_tank")]
    asked = get(operator, led[1].replace("&amp;", "&"))
    assert ("Save load" in asked, fields(asked)["waste"]) == (True, "holding_tank")


def test_the_waste_in_the_address_is_asked_about_and_another_one_offered(operator):
    who = hauler(wastes=["septic_tank", "holding_tank"])
    page = get(operator, f"{truck_page(who)}&waste=portable_toilet")
    assert "Do not accept: approval A-2026-27-001 covers septic tank and holding tank waste only." in text(page)
    assert "It brings another type of waste" in page
    assert f"{truck_page(who)}&waste=portable_toilet".replace("load?", "refuse?").replace("&", "&amp;") in page


def test_what_is_wrong_with_the_hauler_is_said_before_the_waste_is_asked(operator, clock_at):
    who = hauler()
    clock_at("2026-10-06T10:00")
    assert "Do not accept now: unloading is 7:00 to 10:00 a.m. It is 10:00 a.m." in text(get(operator, truck_page(who)))


def test_a_truck_found_by_its_plate_brings_what_it_booked(operator):
    who = hauler()
    booked(book(who, session("2026-10-06T07:15", 300), waste="holding_tank"))
    page = get(operator, truck_page(who))
    assert (fields(page)["waste"], fields(page)["gallons"]) == ("holding_tank", "300")


def test_another_waste_chosen_in_the_form_is_refused_at_its_tiles(operator):
    who = hauler(wastes=["holding_tank"])
    answer = post(operator, truck_page(who), {"driver": "Ann", "gallons": "300", "waste": "septic_tank"})
    assert answer.status_code == 422
    said = "Do not accept: approval A-2026-27-001 covers holding tank waste only."
    assert re.search(rf'id="waste-error"[^>]*>(<[^>]+>)*[^<]*(<[^>]+>)*[^<]*{re.escape(said)}', answer.text)
    assert db.session.scalars(select(Load)).all() == []


@pytest.mark.parametrize(("wastes", "said", "kept_waste"), [
    (["holding_tank"], "", "holding_tank"),
    (["septic_tank", "holding_tank"], "", "other"),
    (["septic_tank", "holding_tank"], "&waste=holding_tank", "holding_tank"),
])  # fmt: skip
def test_a_refused_truck_keeps_the_waste_only_where_it_is_known(operator, wastes, said, kept_waste):
    path = truck_page(hauler(wastes=wastes)).replace("load?", "refuse?") + said
    answer = post(operator, path, {"reason_code": "other", "reason": "Left", "gallons": "0"})
    assert (answer.status_code, db.session.scalars(select(Load.waste)).all()) == (303, [kept_waste])
