"""An answer of the gate set aside for one load: by whom, what for, and where it is seen afterwards (§ 329-7 C(1))."""

import html
import json
import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import add_truck
from haulers.actions.drivers import list_driver
from haulers.models import Truck
from haulers.queries import TruckLine, business
from haulers.queries.drivers import DriverLine
from intake.actions.set_aside import set_aside_answer
from intake.actions.voiding import void_load
from intake.models import Load, SetAside
from intake.queries import loads
from intake.queries.gate import may_discharge
from intake.queries.track_record import Records
from office.access import system
from office.db import db
from office.journal import frame
from office.notices import Notice
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.gatehouse import booked, good, kept, log, said
from tests.intake.plant import MORNING, Hauler, book, hauler, session
from tests.intake.test_station_pages import post

NOW = "2026-10-06T07:00"
SAID = "Do not accept: truck T-9 is not one of the trucks of approval A-2026-27-001."
MAY = "The plant manager or the Public Works Director may set this aside for one load, with a written reason."


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


@pytest.fixture
def spare(who: Hauler) -> int:
    """A truck the hauler took instead of its own, which the approval does not name."""
    return int(good(kept(add_truck(business(who.business_id), TruckLine("T-9", 2_000), by=who.by, at=MORNING))).id)


def aside(who: Hauler, truck_id: int, reason: str = "T-1 broke its axle", *, by: str = "manager",
          code: str = "truck_not_approved", at: str = NOW) -> Any:  # fmt: skip
    when = world.at(at)
    return kept(set_aside_answer(world.plant(), code, reason, business_id=who.business_id, truck_id=truck_id,
                                 waste="septic_tank", by=world.staff(by), at=when, law=world.law()))  # fmt: skip


def ask(who: Hauler, truck_id: int, at: str = NOW) -> Any:
    when = world.at(at)
    return may_discharge(world.plant(), world.law(), when, business_id=who.business_id, truck_id=truck_id,
                         waste="septic_tank")  # fmt: skip


def test_a_truck_not_approved_comes_in_once_it_is_set_aside_and_only_once(who, spare):
    assert (ask(who, spare).sentence, ask(who, spare).may.words) == (SAID, MAY)
    row = good(aside(who, spare))
    assert (row.said, row.reason, row.given_by) == (SAID, "T-1 broke its axle", "Manager of the City, Plant manager")
    assert ask(who, spare).ok
    load = good(log(who, 300, NOW, truck_id=spare))
    assert load.note == f"{SAID} Set aside for this load by Manager of the City, Plant manager: T-1 broke its axle"
    assert db.session.get_one(SetAside, row.id).load_id == load.id
    assert said(log(who, 200, "2026-10-06T08:00", truck_id=spare))[:2] == ("truck_not_approved", SAID)


def test_it_is_for_that_day_and_that_truck(who, spare):
    good(aside(who, spare))
    assert ask(who, spare, "2026-10-07T07:00").code == "truck_not_approved"
    other = good(kept(add_truck(business(who.business_id), TruckLine("T-10", 2_000), by=who.by, at=MORNING)))
    assert ask(who, other.id).code == "truck_not_approved"


def test_a_void_ticket_gives_it_back(who, spare):
    good(aside(who, spare))
    load = good(log(who, 300, NOW, truck_id=spare))
    good(kept(void_load(load, "Typed twice", by=world.staff("operator"), at=world.at("2026-10-06T07:05"),
                        law=world.law())))  # fmt: skip
    assert ask(who, spare, "2026-10-06T07:10").ok


def test_the_director_and_the_hauler_are_told_who_set_what_aside_and_why(who, spare):
    good(aside(who, spare))
    told = db.session.scalars(select(Notice).where(Notice.kind == "set_aside").order_by(Notice.id)).all()
    assert [(one.to_name, one.subject) for one in told] == [
        ("Director of the City", "Set aside for one load: Test Pumping, truck T-9"),
        ("Test Pumping", "Set aside for one load: Test Pumping, truck T-9"),
    ]
    assert {one.body for one in told} == {
        f"The gate said: {SAID} (§ 329-7 A)\n\nManager of the City, Plant manager, set this aside for one load of "
        "truck T-9 today: T-1 broke its axle\n\nIt stands on the load ticket and in the hauler's record."
    }


def test_it_stands_in_the_history_of_the_load_and_in_the_haulers_record(who, spare, clock_at):
    clock_at("2026-10-06T09:00")
    good(aside(who, spare))
    load = good(log(who, 300, NOW, truck_id=spare))
    acts = [(one.act, one.reason, one.cite, one.person) for one in loads.history(load) if one.act == "set_aside"]
    assert acts == [("set_aside", "T-1 broke its axle", "§ 329-7 C(1)", "Manager of the City")]
    record = Records().last_season(world.plant().id, [who.business_id], "2026-27")[who.business_id]
    assert (record.loads, record.set_aside) == (1, 1)


@pytest.mark.parametrize(("given", "answer"), [
    ({"reason": " "}, ("no_reason", "Enter why it is set aside for this load.", "§ 329-7 C(1)")),
    ({"by": "operator"}, ("not_your_role", "Only a public works director or plant manager may do this.", "")),
    ({"code": "insurance"}, ("changed", f"The gate answers otherwise now. {SAID}", "§ 329-7 A")),
    ({"code": "outside_hours", "at": "2026-10-06T10:00"},
     ("changed", f"The gate answers otherwise now. {SAID}", "§ 329-7 A")),
])  # fmt: skip
def test_it_needs_a_reason_a_role_and_the_answer_that_was_seen(who, spare, given, answer):
    assert said(aside(who, spare, **given)) == answer
    assert db.session.scalars(select(SetAside)).all() == []


def test_the_hours_are_set_aside_by_nobody(who):
    words = "Nobody at the gate may set this aside. Only a special time lets a truck in at another hour."
    late = "2026-10-06T10:00"
    assert ask(who, who.truck_id, late).may.words == words
    assert said(aside(who, who.truck_id, code="outside_hours", at=late)) == ("not_set_aside", words, "§ 329-7 F(4)")


def test_two_managers_at_once_set_it_aside_for_one_load(who, spare):
    good(aside(who, spare))
    assert said(aside(who, spare, by="director"))[0] == "changed"


def client_of(app: Any, clock_at: Any, email: str) -> Any:
    clock_at(NOW)
    client = app.test_client()
    world.sign_in(client, email)
    return client


def test_the_page_shows_who_may_and_the_button_only_to_them(app, clock_at, who, spare):
    address = f"/bayfield/station/load?business={who.business_id}&truck={spare}"
    shown = {}
    for name in ("operator", "manager"):
        page = client_of(app, clock_at, name).get(address).text
        shown[name] = (SAID in page, MAY in page, "Set this aside for one load</a>" in page)
    assert shown == {"operator": (True, True, False), "manager": (True, True, True)}


def test_the_page_without_a_load_says_why_and_leads_to_the_gate(app, clock_at, who):
    answer = client_of(app, clock_at, "manager").get("/bayfield/station/set-aside")
    assert answer.status_code == 409
    assert "An answer of the gate is set aside for one load, and this address names none." in answer.text
    assert 'href="/bayfield/station">Who is at the gate</a>' in answer.text
    turned = client_of(app, clock_at, "operator").get("/bayfield/station/set-aside")
    assert turned.status_code == 403
    assert "This page is for a public works director or plant manager." in turned.text


def test_a_manager_sets_it_aside_on_the_page_and_is_led_to_the_load(app, clock_at, who, spare):
    client = client_of(app, clock_at, "manager")
    address = f"/bayfield/station/set-aside?business={who.business_id}&truck={spare}&waste=septic_tank"
    page = client.get(address).text
    assert SAID in page
    empty = client.post(address, data={"once": "a" * 32, "code": "truck_not_approved", "reason": ""})
    assert (empty.status_code, "Enter why it is set aside for this load" in empty.text) == (422, True)
    sent = client.post(address, data={"once": "b" * 32, "code": "truck_not_approved", "reason": "Axle"})
    assert (sent.status_code, sent.location) == (
        303, f"/bayfield/station/load?business={who.business_id}&truck={spare}&waste=septic_tank")  # fmt: skip
    load_page = client.get(sent.location).text
    assert "<b>Set aside for this load</b> by Manager of the City, Plant manager: Axle" in load_page
    assert "Save load" in load_page


def test_a_driver_without_a_certificate_is_set_aside_from_the_form_that_named_them(app, clock_at, who):
    text = canonical()
    next(row for row in text["rows"] if row["key"] == "approval.certificates")["value"] = "needed"
    adopt(json.dumps(text))
    for name, ends in (("Ann Ames", date(2027, 9, 30)), ("Bo Berg", None)):
        line = DriverLine(name, "vehicle_operator" if ends else "", "V-1" if ends else "", ends)
        good(kept(list_driver(business(who.business_id), line, by=who.by, at=MORNING)))
    client = client_of(app, clock_at, "manager")
    address = f"/station/load?business={who.business_id}&truck={who.truck_id}&waste=septic_tank"
    refused = post(client, address, {"driver": "Bo Berg", "gallons": "300"})
    words = "No certificate is entered for Bo Berg."
    assert (refused.status_code, MAY in refused.text) == (422, True)
    led = re.search(r'href="([^"]*set-aside[^"]*)"', refused.text)
    assert led is not None
    there = html.unescape(led[1])
    assert f"Do not accept: {words[0].lower()}{words[1:]}" in client.get(there).text
    sent = client.post(there, data={"once": "d" * 32, "code": "driver", "reason": "Trained, paper is in the mail"})
    assert (sent.status_code, "driver=Bo+Berg" in sent.location or "driver=Bo%20Berg" in sent.location) == (303, True)
    again = post(client, sent.location.removeprefix("/bayfield"), {"gallons": "300"})
    assert again.status_code == 303
    load = db.session.scalars(select(Load)).one()
    given = "Set aside for this load by Manager of the City, Plant manager: Trained, paper is in the mail"
    assert (load.driver, load.note.splitlines()[-1]) == (
        "Bo Berg", f"Do not accept: {words[0].lower()}{words[1:]} {given}")  # fmt: skip


def test_on_another_morning_the_page_says_who_may_set_it_aside(app, clock_at, who):
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    good(log(who, 1_998, "2026-10-06T07:00", booking=booking))
    truck = db.session.get_one(Truck, who.truck_id)
    with frame("test", system(), None, world.START):
        truck.capacity += 1_000
        db.session.commit()
    clock_at("2026-10-07T07:00")
    client = app.test_client()
    world.sign_in(client, "director")
    drives = {"drives": "Ann Nuñez-Łukasik"}
    page = post(client, "/station/load/2026-00001/continue", drives)
    assert (page.status_code, MAY in page.text) == (422, True)
    address = html.unescape(re.search(r'href="([^"]*set-aside[^"]*)"', page.text)[1])
    sent = client.post(address, data={"once": "e" * 32, "code": "truck_not_approved", "reason": "New tank, same truck"})
    assert sent.status_code == 303
    assert "Go on with 2026-00001" in client.get(sent.location).text
    assert post(client, "/station/load/2026-00001/continue", drives).status_code == 303
