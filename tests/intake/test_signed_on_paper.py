"""A driver signs on paper: on a blank ticket or the printed one. That is the written record from then on (C(3))."""

import io
from typing import Any

import pytest
from pypdf import PdfReader

from intake.actions.blanks import enter_paper_load
from intake.actions.signing import sign_load
from intake.queries import load_history, loads, signatures
from intake.queries.pickups import read
from office.db import db
from office.letters import Letter, render
from office.verify import verify
from tests import world
from tests.intake.gatehouse import good, kept, log, said
from tests.intake.plant import Hauler, hauler
from tests.intake.test_blanks import file_of, issue, one, written
from tests.intake.test_tablets import post, text, typed

SIGNED = "2026-10-06T07:40"


@pytest.fixture
def who(app: Any) -> Hauler:
    issue(2)
    return hauler()


def enter(who: Hauler, signed: str = SIGNED, at: str = "2026-10-06T12:00", number: str = "P-2026-0001",
          **other: Any) -> Any:  # fmt: skip
    return kept(enter_paper_load(world.plant(), one(number), written(who, number, **other), world.at(signed),
                                 by=world.staff("manager"), at=world.at(at), law=world.law()))  # fmt: skip


def test_a_blank_ticket_the_driver_signed_is_the_written_record_from_when_it_was_signed(who):
    # Entered on Thursday; what was unloaded on Tuesday was due by the end of Wednesday.
    load = good(enter(who, at="2026-10-08T09:00"))
    row, record = signatures.of_load(load.id), loads.record_of(load.id)
    assert (row.name, row.strokes, row.paper, row.signed_at, row.taken_by) == (
        "Ann Nuñez", "", "blank ticket P-2026-0001", world.at(SIGNED), "Manager of the City")  # fmt: skip
    assert (record.filed_at, record.filed_by, record.on_behalf, record.sources) == (
        world.at(SIGNED), "Manager of the City", True,
        "As on blank ticket P-2026-0001, which Ann Nuñez signed: 300 gallons, septic tank waste, truck T-1. "
        "No place was named.")  # fmt: skip
    assert record.filed_at <= load.record_due
    assert loads.overdue(load.plant_id, world.at("2026-10-08T09:00")) == []
    assert load.note.splitlines()[-1] == "Signed by Ann Nuñez on paper, blank ticket P-2026-0001."
    assert any("Signed by Ann Nuñez on paper" in line["reason"] for line in load_history.lines(loads.history(load)))
    assert verify() == []


def test_signed_later_than_one_working_day_it_is_late(who):
    load = good(enter(who, "2026-10-08T08:00", "2026-10-08T09:00"))
    assert loads.record_of(load.id).filed_at > load.record_due


def test_pick_ups_on_the_paper_are_the_places_of_the_record(who):
    load = good(enter(who, pickups=read("12 Lake Road 280\nThe camp")))
    record = loads.record_of(load.id)
    assert ([(one["place"], one["gallons"]) for one in record.places], record.sources.splitlines()[-1]) == (
        [("12 Lake Road", 280)], "The camp")  # fmt: skip


@pytest.mark.parametrize(("signed", "why"), [
    ("2026-10-06T07:09", "By what is entered the driver signed before it began to unload."),
    ("2026-10-06T12:01", "By what is entered the driver signed at a time that lies ahead."),
])  # fmt: skip
def test_a_time_at_which_nobody_can_have_signed_is_asked_about_and_nothing_is_entered(who, signed, why):
    assert said(enter(who, signed))[:2] == ("signed_when", why)
    assert one().load_id is None


def test_a_paper_nobody_signed_leaves_the_record_due(who):
    load = good(kept(enter_paper_load(world.plant(), one(), written(who, "P-2026-0001"), by=world.staff("manager"),
                                      at=world.at("2026-10-06T12:00"), law=world.law())))  # fmt: skip
    assert (signatures.of_load(load.id), loads.record_of(load.id)) == (None, None)


def test_a_printed_ticket_signed_by_hand_is_the_record_as_well(who):
    load = good(log(who, 300))
    good(kept(sign_load(load, "Ann Ames", "", paper="the printed ticket", by=world.staff("operator"),
                        at=world.at(SIGNED), law=world.law())))  # fmt: skip
    assert loads.record_of(load.id).sources.startswith("As on the printed ticket, which Ann Ames signed: 300 gallons")
    letter = db.session.get_one(Letter, load.letter_id)
    assert "signature" not in letter.data
    page = PdfReader(io.BytesIO(render("ticket", letter.data))).pages[0]
    assert "Signed by Ann Ames on paper, the printed ticket." in " ".join(page.extract_text().split())


def test_the_pages_take_it_and_say_it(app, clock_at, who):
    clock_at("2026-10-06T12:00")
    client = app.test_client()
    world.sign_in(client, "operator")
    address = f"/station/blank-tickets/P-2026-0001?business={who.business_id}&truck={who.truck_id}"
    given = typed(bottle="1006-01", signed="yes")
    asked = post(client, address, **given)
    assert (asked.status_code, "Enter when the driver signed, or select No" in text(asked)) == (422, True)
    early = post(client, address, **given, signed_time="8:00 a.m.")
    assert "The driver signed before it began to unload" in text(early).replace("By what is entered the", "The")
    done = post(client, address, **given, signed_time="8:50 a.m.")
    assert done.location == "/bayfield/station/load/2026-00001", text(done)
    shown = text(client.get(done.location))
    assert ("Ann Nuñez on paper, blank ticket P-2026-0001, Tuesday, October 6, 2026, 8:50 a.m., entered by Operator of "
            "the City") in shown  # fmt: skip
    assert "In since Tuesday, October 6, 2026, 8:50 a.m." in shown
    good(log(who, 300, "2026-10-06T07:30"))
    page = post(client, "/station/load/2026-00002/sign", name="Ann Ames", places="", strokes="", paper="yes")
    assert page.location == "/bayfield/station/load/2026-00002"


def test_the_blank_has_room_for_the_signature_its_time_and_the_weights(who):
    found = " ".join(PdfReader(io.BytesIO(file_of("P-2026-0001"))).pages[0].extract_text().split())
    for words in ("Driver signs", "at", "Weighed full, pounds", "Weighed empty, pounds"):
        assert words in found
