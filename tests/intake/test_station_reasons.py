"""Each reason given at the station answers its own question, and no other one."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from intake.models import Load
from intake.states import turns_away
from office.db import db
from tests import world
from tests.intake.gatehouse import good, log, said
from tests.intake.offline import body, device, enrolled, send
from tests.intake.plant import hauler
from tests.intake.test_station_pages import fields, load_page, post, signed_in

pytestmark = pytest.mark.usefixtures("app")
NOON = "2026-10-06T12:00"


@pytest.fixture
def tablet(app: Any, clock_at: Any) -> Any:
    clock_at(NOON)
    enrolled()
    return device(app)


def test_reason_of_not_testing_answers_no_odd_number():
    who = hauler(tank=1_000)
    untested = {"tested": False, "bottle": "", "reason": "no bottles left"}
    assert said(log(who, 9_000, **untested))[0] == "gallons_over_tank"
    assert said(log(who, 300, ph=Decimal(72), **untested))[0] == "ph_impossible"
    assert said(log(who, 300, temp_f=Decimal(300), **untested))[0] == "temp_impossible"
    assert said(log(who, 300, basis="capacity", **untested))[0] == "full_tank"
    load = good(log(who, 300, **untested))
    assert load.note == "Not tested because: no bottles left"


def test_both_reasons_are_kept_apart_in_the_note():
    who = hauler(tank=1_000)
    load = good(log(who, 1_200, tested=False, bottle="", untested="no bottles left", reason="Second tank"))
    assert load.note == ("Not tested because: no bottles left\n"
                         "Kept as entered (1,200 gallons in a tank of 1,000) because: Second tank")  # fmt: skip
    other = hauler("Odd", tank=1_000, number=2)
    assert said(log(other, 1_200, "2026-10-06T09:00", tested=False, bottle="", reason="Second tank",
                    about=("gallons_over_tank",)))[0] == "untested_why"  # fmt: skip


def test_reason_for_the_gallons_is_none_for_the_ph():
    who = hauler(tank=1_000)
    given = {"reason": "Second tank on a trailer", "ph": Decimal(72)}
    assert said(log(who, 1_200, about=("gallons_over_tank",), **given))[0] == "ph_impossible"
    assert said(log(who, 1_200, about=("gallons_over_tank", "ph_impossible"), **given))[0] == "ask"
    assert said(log(who, 1_200, about=(), **given))[0] == "gallons_over_tank"


def test_page_asks_for_each_number_and_for_the_test_by_itself(app, clock_at):
    clock_at("2026-10-06T07:00")
    operator, who = signed_in(app, "operator"), hauler(tank=1_000)
    typed = {"driver": "Ann", "gallons": "1,200", "tested": "no", "bottle": "", "ph": "72"}
    first = post(operator, load_page(who), typed)
    assert fields(first.text)["about"] == "gallons_over_tank"
    typed |= {"reason": "Second tank", "about": "gallons_over_tank"}
    second = post(operator, load_page(who), typed)
    assert fields(second.text)["about"] == "gallons_over_tank,ph_impossible"
    assert ("You entered 72. Check the number." in second.text, "Why it is not tested" in second.text) == (True, False)
    third = post(operator, load_page(who), typed | {"ph": "6.9"})
    assert (third.status_code, "Why it is not tested" in third.text) == (422, True)
    assert post(operator, load_page(who), typed | {"ph": "6.9", "untested": "no bottles"}).status_code == 303
    assert db.session.scalars(select(Load.note)).all() == [
        "Not tested because: no bottles\n"
        "Kept as entered (1,200 gallons in a tank of 1,000) because: Second tank"]  # fmt: skip


def test_tablet_asks_only_for_the_test_so_an_odd_number_waits_with_any_reason(tablet):
    who = hauler(tank=1_000)
    untested = {"tested": "no", "bottle": "", "reason": "no bottles left"}
    answer = send(tablet, body(who, 9_000, now=NOON, **untested))
    assert (answer["state"], answer["why"]) == ("waits", "Gallons are more than this truck holds (1,000). Check the "
                                                         "number. If the number is right, say why.")  # fmt: skip
    assert send(tablet, body(who, 300, "2026-10-06T08:00", 2, now=NOON, ph="72", **untested))["state"] == "waits"
    assert send(tablet, body(who, 300, "2026-10-06T08:30", 3, now=NOON, ph="72", reason="Read twice"))["state"] == (
        "waits")  # fmt: skip
    assert send(tablet, body(who, 300, "2026-10-06T09:00", 4, now=NOON, **untested))["state"] == "taken"
    (note,) = db.session.scalars(select(Load.note)).all()
    assert note.splitlines()[0] == "Not tested because: no bottles left"


def test_same_gallons_of_one_truck_at_one_time_are_asked_about():
    who = hauler()
    good(log(who, 300))
    again: dict[str, Any] = {"client_id": "another-page", "bottle": "B-2", "start": world.at("2026-10-06T08:00")}
    assert said(log(who, 300, **again)) == (
        "same_time", "This truck has load 2026-00001 at this time too: 300 gallons, logged 7:00 a.m.", "")  # fmt: skip
    assert said(log(who, 300, reason="A trailer", about=(), **again))[0] == "same_time"
    load = good(log(who, 300, reason="A trailer came along", **again))
    assert load.note == (
        "Kept as entered (as many gallons as load 2026-00001 at this time) because: A trailer came along"
    )


def test_other_gallons_or_a_later_time_of_one_truck_are_not_asked_about():
    who = hauler()
    good(log(who, 300))
    assert good(log(who, 301, client_id="other-gallons", bottle="B-2", start=world.at("2026-10-06T08:00"))).note == ""
    assert good(log(who, 300, "2026-10-06T09:15", client_id="later-page", bottle="B-3")).note == ""


@pytest.mark.parametrize("code", ["pretreated", "circumstances", "supervision", "origin_missing", "same_time"])
def test_what_is_put_right_at_the_gate_turns_no_truck_away(code):
    assert not turns_away(code)
