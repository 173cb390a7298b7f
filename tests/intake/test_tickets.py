"""The ticket as a document: what a void one, a refused one and a corrected one say."""

import io
from decimal import Decimal
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from intake.actions.station import void_load
from intake.models import Load
from office.db import db
from office.files import File
from office.letters import Letter, render
from office.notices import Notice
from tests import world
from tests.intake.gatehouse import TUESDAY_0700, booked, good, kept, log, refuse
from tests.intake.plant import book, hauler, session
from tests.intake.test_station_pages import get, post, signed_in, text

pytestmark = pytest.mark.usefixtures("app")


def printed(data: dict[str, Any]) -> str:
    return " ".join(PdfReader(io.BytesIO(render("ticket", data))).pages[0].extract_text().split())


def void(load: Load, reason: str = "Wrong hauler") -> Load:
    made = void_load(load, reason, by=world.staff("operator"), at=TUESDAY_0700, law=world.law())
    result: Load = good(kept(made))
    return result


def facts(load: Load) -> dict[str, str]:
    letter = db.session.get_one(Letter, load.letter_id)
    return dict(tuple(fact) for fact in letter.data["facts"])


def test_a_void_ticket_is_a_document_that_says_void_and_asks_for_nothing():
    load = void(good(log(hauler(), 1_500)))
    first, second = db.session.scalars(select(Letter).filter_by(kind="ticket").order_by(Letter.id)).all()
    assert (first.number, first.title, first.data["total"]) == ("2026-00001", "Load ticket", "$48.16")
    assert (load.letter_id, second.number, second.title) == (second.id, "2026-00001-2", "VOID ticket")
    assert [second.data[key] for key in ("void", "runs", "charges", "total", "due")] == [True, [], [], "", ""]
    words = printed(second.data)
    assert words.count("VOID ticket 2026-00001") == 2
    assert words.count("This ticket is void: Wrong hauler. Nothing is charged for it.") == 2
    assert "$" not in words
    notice = db.session.scalars(select(Notice).order_by(Notice.id.desc()).limit(1)).one()
    assert (notice.kind, notice.subject, notice.letter_id) == (
        "ticket_void", "Load ticket 2026-00001 is void", second.id)  # fmt: skip


def test_print_ticket_gives_the_void_document_and_the_first_stays_stored(app, clock_at):
    clock_at("2026-10-06T07:05")
    good(log(hauler(), 1_500))
    operator = signed_in(app, "operator")
    assert post(operator, "/station/load/2026-00001/void", {"reason": "Wrong hauler"}).status_code == 303
    pdf = operator.get("/bayfield/station/load/2026-00001/ticket.pdf")
    assert "VOID ticket 2026-00001" in " ".join(PdfReader(io.BytesIO(pdf.data)).pages[0].extract_text().split())
    names = list(db.session.scalars(select(File.name).order_by(File.id)))
    assert names == ["ticket 2026-00001.pdf", "ticket 2026-00001-2.pdf"]


def test_a_stranger_turned_away_shows_only_what_was_entered(app, clock_at):
    load = good(refuse(None, business_name="Nobody's Pumping", reason_code="paper", waste="other"))
    logged = "Tuesday, October 6, 2026, 7:00 a.m."
    assert facts(load) == {"Hauler": "Nobody's Pumping", "Gallons unloaded": "0", "Logged": logged}
    assert db.session.get_one(Letter, load.letter_id).data["remarks"] == [
        "Refused: papers missing or unclear. Smells of solvent"]  # fmt: skip
    clock_at("2026-10-06T07:05")
    page = text(get(signed_in(app, "operator"), "/station/load/2026-00001"))
    assert "Papers missing or unclear. Smells of solvent" in page
    assert "Why Papers missing or unclear Gallons unloaded 0 Logged" in page
    for words in ("Other hauled waste", "driver's word", "Not measured", "Driver"):
        assert words not in page


def test_a_booked_truck_turned_away_shows_its_waste_and_what_was_measured(app, clock_at):
    who = hauler()
    booking = booked(book(who, session("2026-10-06T07:15", 1_500)))
    load = good(refuse(who, booking=booking, ph=Decimal("5.1"), driver="Ann"))
    assert facts(load) == {
        "Hauler": "Test Pumping", "Truck plate": "T-1", "Driver": "Ann", "Waste": "Septic tank", "pH": "5.1",
        "Gallons unloaded": "0", "Booking": booking.number, "Logged": "Tuesday, October 6, 2026, 7:00 a.m.",
    }  # fmt: skip
    clock_at("2026-10-06T07:20")
    page = text(get(signed_in(app, who.email), "/hauler/loads/2026-00001"))
    assert "Fails a field test. Smells of solvent" in page and "Septic tank" in page
    body = db.session.scalars(select(Notice.body).order_by(Notice.id.desc()).limit(1)).one()
    assert body.endswith("Truck T-1, Tuesday, October 6, 2026, 7:00 a.m.")


def test_a_refused_ticket_made_void_says_so():
    load = void(good(refuse(None, business_name="Nobody's Pumping")), "It was our truck")
    letter = db.session.get_one(Letter, load.letter_id)
    assert (letter.title, letter.data["remarks"][0]) == ("VOID ticket", "This ticket is void: It was our truck.")
    assert "Waste" not in facts(load)


def test_the_roll_has_two_copies_80_mm_wide_with_the_same_words(app, clock_at):
    clock_at("2026-10-06T07:05")
    good(log(hauler(), 1_500, flush=100))
    operator = signed_in(app, "operator")
    assert "/station/load/2026-00001/ticket-80mm.pdf" in get(operator, "/station/load/2026-00001")
    pdf = operator.get("/bayfield/station/load/2026-00001/ticket-80mm.pdf")
    reader = PdfReader(io.BytesIO(pdf.data))
    pages = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert [round(float(page.mediabox.width) / 72 * 25.4) for page in reader.pages] == [80, 80]
    assert [("Plant copy" in one, "Driver copy" in one) for one in pages] == [(True, False), (False, True)]
    said = (
        "2026-00001",
        "Gallons: 1,500 (meter), 100 of it flush water",
        "Total $48.16",
        "Written record due by the end of Wednesday, October 7, 2026.",
        "Operator: Operator of the City",
    )
    assert [[words in one for words in said] for one in pages] == [[True] * 5] * 2


def test_a_void_ticket_says_so_on_the_roll(app, clock_at):
    clock_at("2026-10-06T07:05")
    void(good(log(hauler(), 300)))
    pdf = signed_in(app, "clerk").get("/bayfield/station/load/2026-00001/ticket-80mm.pdf")
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(pdf.data)).pages]
    assert [("VOID" in one, "$" in one) for one in pages] == [(True, False)] * 2
