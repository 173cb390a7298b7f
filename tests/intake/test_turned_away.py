"""The rest of a load refused, and where refused loads went: asked before that truck comes again, where the law does."""

import json
import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.drivers import add_driver
from haulers.queries import business
from intake.actions.stop import stop_load
from intake.actions.turned_away import file_elsewhere, refuse_rest
from intake.models import Booking
from intake.queries import loads, statements
from intake.queries.gate import may_discharge
from office.db import db
from office.notices import Notice
from tests import world
from tests.house.law_copies import adopt, canonical
from tests.intake.gatehouse import balance, booked, good, kept, log, refuse, said
from tests.intake.plant import Hauler, book, hauler, session

CITE = "§ 12-9"
HALF_PAST = "2026-10-06T07:30"
LATER = "2026-10-06T08:30"


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def ask_for_statements() -> None:
    """Bayfield's law with a row that asks within five days where a refused load went."""
    text = canonical()
    text["rows"].append(dict(text["rows"][0], key="rejected.statement_days", value=5, cite=CITE, source="profile"))
    adopt(json.dumps(text))


def stopped(who: Hauler, **given: Any) -> Any:
    """A load of 600 gallons of which 250 are out when the truck is stopped."""
    load = good(log(who, 600, "2026-10-06T07:00", **given))
    return good(kept(stop_load(load, 250, "Smells of solvent", by=world.staff("operator"), at=world.at(HALF_PAST),
                               law=world.law())))  # fmt: skip


def rest(load: Any, gallons: int = 350, code: str = "field_test", reason: str = "Smells of solvent",
         at: str = "2026-10-06T07:40") -> Any:  # fmt: skip
    return kept(refuse_rest(load, gallons, code, reason, by=world.staff("operator"), at=world.at(at), law=world.law()))


def state(load: Any, by: Any, **given: Any) -> Any:
    values: dict[str, Any] = {"went_to": "City of Ashland plant", "went_on": date(2026, 10, 6),
                              "signed_by": "Ann Ames"} | given  # fmt: skip
    return kept(file_elsewhere(load, **values, by=by, at=world.at(LATER), law=world.law()))


def ask(who: Hauler, at: str = LATER) -> Any:
    return may_discharge(world.plant(), world.law(), world.at(at), business_id=who.business_id, truck_id=who.truck_id,
                         waste="septic_tank")  # fmt: skip


def test_the_rest_is_refused_with_its_reason_and_what_ran_stays_charged(who):
    load = stopped(who)
    owed = balance(who)
    row = good(rest(load))
    assert (row.gallons, row.code, row.reason, row.refused_by) == (
        350, "field_test", "Smells of solvent", "Operator of the City")  # fmt: skip
    assert (load.state, load.gallons, balance(who)) == ("accepted", 250, owed)
    assert load.note.splitlines()[-1] == "Refused the rest, 350 gallons: fails a field test. Smells of solvent"
    notice = db.session.scalars(select(Notice).where(Notice.kind == "ticket").order_by(Notice.id.desc())).first()
    assert notice is not None
    assert notice.subject == "Load 2026-00001 was refused in part: 250 gallons, $18.16"
    assert notice.body.startswith("Refused the rest, 350 gallons: fails a field test. Smells of solvent\n\n")
    assert [one.reason for one in loads.history(load) if one.act == "refuse_rest"] == ["Smells of solvent"] * 2


def test_a_reason_in_several_lines_is_told_whole(who):
    good(rest(stopped(who), reason="Smells of solvent\nLooks oily\n"))
    notice = db.session.scalars(select(Notice).where(Notice.kind == "ticket").order_by(Notice.id.desc())).first()
    assert notice is not None
    assert notice.body.startswith(
        "Refused the rest, 350 gallons: fails a field test. Smells of solvent Looks oily\n\n")  # fmt: skip


def test_a_morning_still_planned_for_it_is_free_again(who):
    parts = [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 300)]
    booking = booked(book(who, parts))
    load = stopped(who, booking=booking)
    good(rest(load))
    found = db.session.get_one(Booking, booking.id)
    assert (found.state, found.end_reason) == ("cancelled", "The rest of load 2026-00001 was refused")


@pytest.mark.parametrize(("given", "answer"), [
    ({"reason": " "}, ("no_reason", "Enter in words why the load is refused.")),
    ({"code": "mood"}, ("no_reason", "Select why the load is refused.")),
    ({"gallons": 0}, ("no_gallons", "Enter how many gallons stay in the truck, 1 or more.")),
])  # fmt: skip
def test_the_rest_needs_gallons_and_reasons(who, given, answer):
    assert said(rest(stopped(who), **given))[:2] == answer


def stop_with_rest(load: Any, out: int, gallons: int | None = None, at: str = HALF_PAST) -> Any:
    """Stop a truck and refuse its rest at once."""
    return kept(refuse_rest(load, gallons, "field_test", "Smells of solvent", out=out, by=world.staff("operator"),
                            at=world.at(at), law=world.law()))  # fmt: skip


def test_a_truck_that_unloads_is_stopped_with_its_rest_in_one_act_and_one_message(who):
    booking = booked(book(who, [session("2026-10-06T07:00", 600), session("2026-10-07T07:00", 300)]))
    load = good(log(who, 600, "2026-10-06T07:00", booking=booking))
    told = len(db.session.scalars(select(Notice)).all())
    row = good(stop_with_rest(load, 250))
    assert (row.gallons, load.gallons, balance(who)) == (350, 250, 1816)
    assert load.note.splitlines()[-1] == (
        "Stopped at 7:30 a.m. Refused the rest, 350 gallons: fails a field test. Smells of solvent")  # fmt: skip
    new = db.session.scalars(select(Notice).order_by(Notice.id)).all()[told:]
    assert [one.subject for one in new] == ["Load 2026-00001 was refused in part: 250 gallons, $18.16"]
    assert db.session.get_one(Booking, booking.id).state == "cancelled"
    assert loads.run_to_stop(load, world.at(HALF_PAST)) is None
    assert said(stop_with_rest(load, 250))[0] == "refused_already"


def test_a_truck_that_is_stopped_may_hold_more_than_was_logged(who):
    load = good(log(who, 600, "2026-10-06T07:00"))
    assert good(stop_with_rest(load, 250, 800)).gallons == 800


def waits_until_quarter_past(who: Hauler) -> Any:
    booking = booked(book(who, session("2026-10-06T07:15", 600)))
    return good(log(who, 600, "2026-10-06T07:00", booking=booking))


@pytest.mark.parametrize(("out", "at", "code"), [
    (601, HALF_PAST, "more_than_logged"), (-1, HALF_PAST, "gallons_below"), (600, HALF_PAST, "no_gallons"),
    (1, "2026-10-06T07:10", "not_begun"),
])  # fmt: skip
def test_what_cannot_be_out_stops_nothing(who, out, at, code):
    load = waits_until_quarter_past(who)
    assert said(stop_with_rest(load, out, at=at))[0] == code
    assert (load.gallons, loads.run_to_stop(load, world.at(HALF_PAST)) is not None) == (600, True)


def test_a_truck_that_waits_is_refused_whole_without_a_charge_for_gallons(who):
    load = waits_until_quarter_past(who)
    assert (good(stop_with_rest(load, 0, at="2026-10-06T07:10")).gallons, load.gallons, balance(who)) == (600, 0, 1216)


def test_the_rest_is_refused_once_and_not_while_it_runs(who):
    load = good(log(who, 600, "2026-10-06T07:00"))
    assert said(rest(load, at="2026-10-06T07:10"))[:2] == ("still_runs", "Load 2026-00001 still unloads.")
    good(kept(stop_load(load, 250, "Smells", by=world.staff("operator"), at=world.at(HALF_PAST), law=world.law())))
    good(rest(load))
    assert said(rest(load))[:2] == ("refused_already", "The rest of load 2026-00001 was refused already.")


def test_a_refused_truck_has_no_rest(who):
    load = good(refuse(who))
    assert said(rest(load))[:2] == ("not_taken", "Load 2026-00001 was not taken, so there is no rest of it.")


def test_bayfield_asks_for_no_statement_and_the_truck_comes_again(who):
    load = good(refuse(who))
    assert (ask(who).ok, statements.wanted(load, world.law())) == (True, None)
    assert said(state(load, who.by))[:2] == ("not_asked", "Load 2026-00001 needs no statement where it went.")


@pytest.mark.parametrize("in_part", [False, True], ids=["whole", "rest"])
def test_where_the_law_asks_the_truck_stays_out_until_it_is_stated(who, in_part):
    ask_for_statements()
    load = stopped(who) if in_part else good(refuse(who))
    assert ask(who).ok is in_part
    if in_part:
        good(rest(load))
    answer = ask(who)
    assert (answer.code, answer.sentence, answer.cite) == (
        "statement_open",
        "Do not accept: nobody has written where refused load 2026-00001 of October 6, 2026 went.", CITE)  # fmt: skip
    row = good(state(load, who.by))
    assert (row.went_to, row.on_behalf, ask(who).ok) == ("City of Ashland plant", False, True)
    told = db.session.scalars(select(Notice).where(Notice.kind == "elsewhere")).one()
    assert (told.to_name, told.body) == (
        "Manager of the City", "Ann Ames of Test Pumping states that load 2026-00001, refused on October 6, 2026, went "
        "on October 6, 2026 to: City of Ashland plant")  # fmt: skip


def test_a_refusal_from_before_the_law_asked_is_not_asked_for(who):
    text = canonical()
    text["rows"].append(dict(text["rows"][0], key="rejected.statement_days", value=5, cite=CITE, source="profile"))
    text["rows"][-1]["from"] = "2026-10-07"
    good(refuse(who))
    adopt(json.dumps(text))
    assert ask(who).ok


@pytest.mark.parametrize(("given", "answer"), [
    ({"went_to": " "}, ("no_place", "Enter where the load went.", CITE)),
    ({"signed_by": ""}, ("no_name", "Enter who states it.", CITE)),
    ({"went_on": date(2026, 10, 5)},
     ("wrong_day", "The day must be between October 6, 2026 and October 6, 2026.", CITE)),
    ({"went_on": date(2026, 10, 7)},
     ("wrong_day", "The day must be between October 6, 2026 and October 6, 2026.", CITE)),
])  # fmt: skip
def test_a_statement_says_where_when_and_who(who, given, answer):
    ask_for_statements()
    assert said(state(good(refuse(who)), who.by, **given)) == answer


def test_another_company_states_nothing_and_the_plant_may_write_it_down(who):
    ask_for_statements()
    load, other = good(refuse(who)), hauler("Other Pumping", number=2)
    assert said(state(load, other.by))[0] == "not_yours"
    assert good(state(load, world.staff("clerk"))).on_behalf is True
    assert said(state(load, who.by))[:2] == (
        "already_filed", "Ann Ames has written already where load 2026-00001 went.")  # fmt: skip


def test_a_driver_states_it_too_and_is_led_back_to_the_drivers_page(app, clock_at, who):
    ask_for_statements()
    good(refuse(who))
    good(kept(add_driver(business(who.business_id), "Bo Berg", "bo@hauler.example", world.PASSWORD, by=who.by,
                         at=world.at("2026-10-06T07:40"))))  # fmt: skip
    clock_at(LATER)
    client = app.test_client()
    world.sign_in(client, "bo@hauler.example")
    address = "/bayfield/hauler/loads/2026-00001/elsewhere"
    assert address in client.get("/bayfield/driver/loads/2026-00001").text
    day = {"went_on-month": "10", "went_on-day": "6", "went_on-year": "2026"}
    sent = client.post(address, data={"once": "f" * 32, "went_to": "Ashland", "signed_by": "Bo Berg"} | day)
    assert (sent.status_code, sent.location) == (303, "/bayfield/driver/loads/2026-00001")
    assert address not in client.get(sent.location).text


def test_the_hauler_states_it_on_a_page_and_the_ticket_shows_it(app, clock_at, who):
    ask_for_statements()
    good(refuse(who))
    clock_at(LATER)
    client, staff = app.test_client(), app.test_client()
    world.sign_in(client, who.email)
    world.sign_in(staff, "operator")
    ticket = "/bayfield/station/load/2026-00001"
    assert "Not stated yet, due by Sunday, October 11, 2026." in staff.get(ticket).text
    address = "/bayfield/hauler/loads/2026-00001/elsewhere"
    assert address in client.get("/bayfield/hauler/loads/2026-00001").text
    day = {"went_on-month": "10", "went_on-day": "6", "went_on-year": "2026"}
    assert "State where load 2026-00001 went" in client.get("/bayfield/hauler/loads").text
    told = db.session.scalars(select(Notice).where(Notice.kind == "ticket")).one()
    assert told.body.endswith(
        "\n\nState where it went by October 11, 2026: until then this truck is not let in (§ 12-9).")  # fmt: skip
    sent = client.post(address, data={"once": "c" * 32, "went_to": "City of Ashland", "signed_by": "Ann Ames"} | day)
    assert (sent.status_code, sent.location) == (303, "/bayfield/hauler/loads/2026-00001")
    assert "On Tuesday, October 6, 2026, stated by Ann Ames:" in staff.get(ticket).text


def test_who_books_for_a_truck_that_is_not_let_in_is_told_and_led_to_the_statement(app, clock_at, who):
    address, page = "/bayfield/hauler/loads/2026-00001/elsewhere", "/bayfield/hauler/book"
    clock_at(LATER)
    client = app.test_client()
    world.sign_in(client, who.email)
    good(refuse(who))
    assert address not in client.get(page).text
    ask_for_statements()
    good(refuse(who, "2026-10-06T07:20"))
    address = address.replace("00001", "00002")
    asked = client.get(page).text
    assert (address in asked, "Truck T-1 is not let in yet" in asked, CITE in asked) == (True, True, True)
    load = {"truck": who.truck_id, "gallons": "300", "waste": "septic_tank"}
    times = client.post(page, data={"once": "d" * 32} | load).location
    key = re.search(r'name="time"[^>]*value="([^"]+)"', client.get(times).text)
    assert key is not None
    check = client.post(times, data={"once": "e" * 32, "time": key[1]}).location
    assert address in client.get(check).text
    good(state(loads.with_ticket(world.plant().id, "2026-00002"), who.by))
    assert (address in client.get(page).text, address in client.get(check).text) == (False, False)
