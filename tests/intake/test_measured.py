"""What is measured and seen of a load at the gate: weight, flush water, pick-ups, temperature, the finding."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from billing.queries import entries_of
from intake.models import Load
from intake.queries.pickups import read
from office.db import db
from office.notices import Notice
from ordinances.screening import AS_IT_IS, remedies
from tests import world
from tests.intake.gatehouse import good, log, said
from tests.intake.plant import TUESDAY, Hauler, hauler
from tests.intake.test_station_pages import fields, load_page, post

WEIGHT = {"basis": "weight", "full_lb": 25_100, "empty_lb": 12_590}


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def test_gallons_by_weight_are_those_the_weights_make(who):
    load = good(log(who, 1_500, **WEIGHT))
    assert (load.gallons, load.full_lb, load.empty_lb) == (1_500, 25_100, 12_590)
    assert load.note == ("Weighed 25,100 pounds full, 12,590 empty: 12,510 pounds at 8.34 a gallon (§ 329-2 B(2)(b)).")


@pytest.mark.parametrize(("given", "answer"), [
    ({"full_lb": None}, ("weights", "Enter what the truck weighed full and empty.")),
    ({"empty_lb": 25_100}, ("weights", "The truck must weigh more full than empty.")),
    ({"gallons": 1_499}, ("weighs", "12,510 pounds at 8.34 pounds a gallon are 1,500 gallons, not 1,499.")),
])  # fmt: skip
def test_weights_that_do_not_make_the_gallons_are_asked_about(who, given, answer):
    values = {"gallons": 1_500} | WEIGHT | given
    result = log(who, **values)
    assert (said(result)[:2], said(result)[2]) == (answer, "§ 329-2 B(2)(b)")


def test_flush_water_is_charged_like_septage_and_kept_apart(who):
    load = good(log(who, 1_500, flush=100))
    assert (load.gallons, load.flush_gallons) == (1_500, 100)
    assert load.note == "1,400 gallons of septage and 100 of flush water."
    assert [entry.amount_cents for entry in entries_of("load", load.id)] == [3_600, 1_216]


@pytest.mark.parametrize("flush", [-1, 1_501])
def test_more_flush_water_than_load_is_refused(who, flush):
    assert said(log(who, 1_500, flush=flush)) == (
        "flush", "Flush water must be between 0 and the load's 1,500 gallons.",
        "§ 329-7 F(2); § 329-2 B(2)(d)")  # fmt: skip


def test_pick_ups_that_do_not_make_the_whole_are_said_and_nothing_is_refused(who):
    load = good(log(who, 1_500, pickups=read("12 Lake Road 600\n14 Bay Street 800")))
    assert load.pickups == [{"place": "12 Lake Road", "gallons": 600}, {"place": "14 Bay Street", "gallons": 800}]
    assert load.note.splitlines() == [
        "Picked up: 12 Lake Road, 600 gallons; 14 Bay Street, 800 gallons.",
        "The pick-ups add up to 1,400 gallons; the load has 1,500.",
    ]


def test_a_hot_load_is_asked_about_and_one_hotter_than_boiling_is_a_slip(who):
    assert said(log(who, temp_f=Decimal(151)))[:2] == ("ask", "Temperature 151 °F is above 150 °F (§ 329-6 D(1)).")
    assert said(log(who, temp_f=Decimal("212.1")))[:2] == (
        "temp_impossible", "Water boils at 212 °F. You entered 212.1. Check the number.")  # fmt: skip
    assert good(log(who, temp_f=Decimal(150))).temp_f == Decimal(150)


def test_flammables_are_rejected_whatever_anybody_answers(who):
    result = log(who, flags=["flammable"], answer="Take it", finding=AS_IT_IS, reason="It smells only a little")
    assert said(result) == (
        "screening", "Flammable or explosive: seen or smelled in this load. Do not accept this load.",
        "§ 329-6 C(1)")  # fmt: skip


def test_a_waste_the_superintendent_rejects_is_not_taken(who):
    result = log(who, ph=Decimal(10), answer="J. Berg: no", finding="reject the waste")
    assert said(result) == (
        "rejected", "The Superintendent rejects this waste. Do not accept this load.", "§ 329-6 E")  # fmt: skip


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_other_outcome_is_kept_and_told_to_who_has_to_follow_it_up(who, number):
    found = remedies(world.law(), TUESDAY)[number]
    load = good(log(who, ph=Decimal(10), answer="J. Berg", finding=found))
    assert load.finding == found
    told = db.session.scalars(select(Notice).where(Notice.kind == "finding").order_by(Notice.to_name)).all()
    assert [(one.to_name, one.subject) for one in told] == [
        ("Director of the City", f"Load 2026-00001: {found}"), ("Manager of the City", f"Load 2026-00001: {found}"),
    ]  # fmt: skip
    assert f"The Superintendent found (§ 329-6 E): {found}. J. Berg" in told[0].body


def test_taken_as_it_is_nobody_has_to_be_told(who):
    good(log(who, ph=Decimal(10), answer="J. Berg", finding=AS_IT_IS))
    assert db.session.scalars(select(Notice).where(Notice.kind == "finding")).all() == []


def test_the_page_fills_in_what_the_weights_make_and_takes_it_the_second_time(app, clock_at, who):
    clock_at("2026-10-06T07:10")
    client = app.test_client()
    world.sign_in(client, "operator")
    weighed = {"driver": "Ann", "gallons": "1,000", "basis": "weight", "full_lb": "25,100", "empty_lb": "12,590"}
    asked = post(client, load_page(who), weighed | {"flush": "50", "pickups": "12 Lake Road 1,500"})
    sent = fields(asked.text)
    assert (asked.status_code, sent["gallons"]) == (422, "1,500")
    sent |= {"once": sent["once"][::-1], "pickups": "12 Lake Road 1,500"}
    assert client.post(f"/bayfield{load_page(who)}", data=sent).status_code == 303
    load = db.session.scalars(select(Load)).one()
    assert (load.gallons, load.flush_gallons, load.pickups) == (
        1_500, 50, [{"place": "12 Lake Road", "gallons": 1_500}])  # fmt: skip


def test_what_was_smelled_is_ticked_on_the_page_and_rejects_the_load(app, clock_at, who):
    clock_at("2026-10-06T07:10")
    client = app.test_client()
    world.sign_in(client, "operator")
    asked = post(client, load_page(who), {"driver": "Ann", "gallons": "300", "normal": "no", "note": "Fuel",
                                          "flags": "flammable"})  # fmt: skip
    assert asked.status_code == 422
    assert "Flammable or explosive: seen or smelled in this load. Do not accept this load." in asked.text
