"""The driver signs on the tablet: what is kept, that it is the written record at once, and where it is seen."""

import io
from typing import Any

import pytest
from pypdf import PdfReader

from intake.actions.signing import sign_load
from intake.actions.station import continue_load
from intake.queries import loads, signatures
from intake.queries.pickups import read
from office.db import db
from office.letters import Letter, render
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, refuse, said
from tests.intake.plant import Hauler, book, hauler, session
from tests.intake.test_station_pages import fields, text

STROKES = "M10 20L30 40L50 10M100 100L120 140"
AT = "2026-10-06T07:06"


@pytest.fixture
def who(app: Any) -> Hauler:
    return hauler()


def sign(load: Any, name: str = "Ann Ames", strokes: str = STROKES, places: str = "", at: str = AT) -> Any:
    return kept(sign_load(load, name, strokes, places, by=world.staff("operator"), at=world.at(at), law=world.law()))


@pytest.mark.parametrize(("strokes", "written"), [
    (STROKES, True), ("M1 1L2 2", True), ("", False), ("M1 1", False), ("L1 1", False), ("M1 1L2 2\"/><script>", False),
    ("M1.5 1L2 2", False), ("M-1 1L2 2", False), ("M1 1" + "L2 2" * 5_000, False), ("M1 1" + "L2 2" * 4_990, True),
])  # fmt: skip
def test_only_strokes_are_a_signature(strokes, written):
    assert signatures.is_written(strokes) is written


def test_the_signature_is_kept_and_printed_on_the_ticket(who):
    load = good(log(who, 300))
    row = good(sign(load))
    assert (row.name, row.strokes, row.taken_by) == ("Ann Ames", STROKES, "Operator of the City")
    letter = db.session.get_one(Letter, load.letter_id)
    assert (letter.number, STROKES in letter.data["signature"]) == ("2026-00001-2", True)
    for template in ("ticket", "ticket_roll"):
        page = PdfReader(io.BytesIO(render(template, letter.data))).pages[-1]
        assert "Signed by Ann Ames at the gate." in page.extract_text()


def test_a_signature_is_the_written_record_at_once_also_without_a_place(who):
    load = good(log(who, 300))
    good(sign(load))
    record = loads.record_of(load.id)
    assert record is not None
    assert (record.sources, record.on_behalf, record.filed_at, record.places) == (
        "As on the ticket that Ann Ames signed: 300 gallons, septic tank waste, truck T-1. No place was named.", True,
        world.at(AT), [])  # fmt: skip
    assert loads.overdue(load.plant_id, world.at("2026-10-08T00:00")) == []


def test_a_signature_taken_by_the_director_is_the_record_as_one_taken_by_the_operator(who):
    load = good(log(who, 300))
    good(kept(sign_load(load, "Ann Ames", STROKES, by=world.staff("director"), at=world.at(AT), law=world.law())))
    record = loads.record_of(load.id)
    assert (record.filed_by, record.on_behalf) == ("Director of the City", True)


def test_while_mornings_are_still_to_come_only_a_signature_with_places_is_the_record(who):
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_998, booking=booking))
    good(sign(load))
    assert (loads.record_of(load.id), load.record_due) == (None, world.at("2026-10-08T23:59:59"))


def test_with_the_places_named_the_written_record_is_in_at_once(who):
    load = good(log(who, 300, pickups=read("12 Lake Road 300")))
    good(sign(load, places="12 Lake Road 300\nCamp on the point"))
    record = loads.record_of(load.id)
    assert record is not None
    assert (record.filed_by, record.on_behalf, record.filed_at) == ("Operator of the City", True, world.at(AT))
    assert [(one["place"], one["gallons"]) for one in record.places] == [("12 Lake Road", 300)]
    assert "Camp on the point" in record.sources


@pytest.mark.parametrize(("given", "code"), [
    ({"name": " "}, "no_name"), ({"strokes": ""}, "no_strokes"), ({"strokes": "M1 1L<2"}, "no_strokes"),
])  # fmt: skip
def test_a_signature_has_a_name_and_strokes(who, given, code):
    assert said(sign(good(log(who, 300)), **given))[0] == code


def test_a_load_is_signed_once_and_a_refused_one_never(who):
    load = good(log(who, 300))
    good(sign(load))
    assert said(sign(load, "Bo Berg"))[:2] == ("signed", "Ann Ames has signed load 2026-00001 already.")
    assert said(sign(good(refuse(who))))[0] == "not_taken"


def test_the_driver_signs_on_the_page_and_the_ticket_shows_it(app, clock_at, who):
    good(log(who, 300, pickups=read("12 Lake Road 300")))
    clock_at(AT)
    client = app.test_client()
    world.sign_in(client, "operator")
    address = "/bayfield/station/load/2026-00001/sign"
    assert address in client.get("/bayfield/station/load/2026-00001").text
    page = client.get(address).text
    assert "12 Lake Road 300</textarea>" in page
    sent = fields(page) | {"places": "12 Lake Road 300"}
    empty = client.post(address, data=sent)
    assert (empty.status_code, "Sign in the box, or print the ticket and sign on paper." in empty.text) == (422, True)
    done = client.post(address, data=sent | {"strokes": STROKES, "once": sent["once"][::-1]})
    assert done.status_code == 303
    shown = client.get(done.location).text
    assert f'<path d="{STROKES}"' in shown
    assert "In since Tuesday, October 6, 2026, 7:06 a.m., by Operator of the City for the hauler." in text(shown)


def test_the_page_asks_who_drove_on_the_newest_morning_to_sign(app, clock_at, who):
    booking = booked(book(who, [session("2026-10-06T07:00", 1_998), session("2026-10-07T07:00", 502)]))
    load = good(log(who, 1_998, booking=booking, driver="Ann Ames"))
    client = app.test_client()
    clock_at("2026-10-06T10:00")
    world.sign_in(client, "operator")
    ticket = "/bayfield/station/load/2026-00001"
    assert fields(client.get(f"{ticket}/sign").text)["name"] == "Ann Ames"
    clock_at("2026-10-07T07:10")
    client = app.test_client()
    world.sign_in(client, "operator")
    given = {"by": world.staff("operator"), "at": world.at("2026-10-07T07:00"), "law": world.law()}
    good(kept(continue_load(load, 502, driver="Bo Berg", **given)))
    assert fields(client.get(f"{ticket}/sign").text)["name"] == "Bo Berg"
