"""How a truck is found at the gate: by name, plate, booking number, or the code of its slip; and the slip itself."""

import html
from typing import Any

import pytest
import segno

from haulers.queries import trucks_of
from intake.actions.booking import cancel_booking
from tests import world
from tests.intake.gatehouse import booked, good, kept
from tests.intake.plant import MORNING, book, hauler, session
from tests.intake.test_station_pages import fields, text

SLIP = "/bayfield/hauler/bookings/B-1006-01/slip"
LOAD = "/bayfield/station/load"
CODE = "http://localhost:8000/bayfield/station/load?booking=B-1006-01"


@pytest.fixture
def who(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-06T07:10")
    made = hauler("O'Brien & Søn Pumping")
    booked(book(made, session("2026-10-06T07:45", 300)))
    return made


def client_of(app: Any, email: str) -> Any:
    client = app.test_client()
    world.sign_in(client, email)
    return client


@pytest.mark.parametrize("words", ["B-1006-01", " b-1006-01 ", CODE, "/bayfield/station/load?booking=B-1006-01"])
def test_a_booking_number_or_the_code_of_a_slip_leads_to_the_load(app, who, words):
    led = client_of(app, "operator").get(LOAD, query_string={"find": words})
    assert (led.status_code, led.location) == (302, f"{LOAD}?booking=B-1006-01")


def test_a_whole_plate_leads_to_its_truck_and_a_part_of_it_or_a_name_to_a_list(app, who):
    client = client_of(app, "operator")
    truck = trucks_of(who.business_id)[0]
    mine = f"business={who.business_id}&truck={truck.id}"
    assert client.get(LOAD, query_string={"find": "t 1"}).location == f"{LOAD}?{mine}"
    for words in ("t", "obrien", "Søn"):
        listed = client.get(LOAD, query_string={"find": words})
        assert (listed.status_code, mine.replace("&", "&amp;") in listed.text) == (200, True)


@pytest.mark.parametrize("words", ["B-9999-01", "http://elsewhere.example/?booking=B-9999-01", "http://[bad"])
def test_what_names_nobody_says_so(app, who, words):
    page = client_of(app, "operator").get(LOAD, query_string={"find": words})
    assert page.status_code == 200
    assert "in its name or plate, and no booking has that number." in page.text


def test_the_slip_has_the_number_the_code_the_time_and_the_rules(app, who):
    page = client_of(app, who.email).get(SLIP)
    drawn = segno.make(CODE, error="h", micro=False).svg_inline(scale=1, border=4, omitsize=True,
                                                                title="QR code of booking B-1006-01", svgclass="qr",
                                                                lineclass=None)  # fmt: skip
    assert drawn in page.text
    words = text(page.text)
    for said in ("B-1006-01", "Tuesday, October 6, 7:45 to 8:13 a.m. 300 gallons at 643 gallons an hour",
                 "Bring the load named here, no more gallons than booked.", "§ 329-7 C(2)"):  # fmt: skip
        assert said in words, said


def test_the_code_of_the_slip_opens_the_load_for_the_operator(app, who):
    page = client_of(app, "operator").get(CODE.removeprefix("http://localhost:8000"))
    assert "May unload. 300 gallons run 7:45 to 8:13 a.m. at 643 gallons an hour." in text(page.text)


def test_a_cancelled_bookings_slip_says_it_is_cancelled(app, who):
    good(kept(cancel_booking(world.plant(), 1, "", by=who.by, at=MORNING, law=world.law())))
    assert "Cancelled" in text(client_of(app, who.email).get(SLIP).text)


@pytest.mark.parametrize(("now", "reason", "words"), [
    ("2026-10-06T10:00", "plant", "Unloading is 7:00 to 10:00 a.m. It is 10:00 a.m."),
    ("2027-10-01T08:00", "permission", "O'Brien & Søn Pumping has no approval for season 2027-28."),
])  # fmt: skip
def test_the_page_of_a_refusal_has_the_gates_own_reason_filled_in(app, clock_at, who, now, reason, words):
    clock_at(now)
    page = client_of(app, "operator").get(f"/bayfield/station/refuse?business={who.business_id}&truck={who.truck_id}")
    assert fields(page.text)["reason_code"] == reason
    assert f">\n{words}</textarea>" in html.unescape(page.text).replace("\r\n", "\n")


def test_another_companys_slip_is_not_found(app, who):
    other = hauler("Other Pumping", number=2)
    assert client_of(app, other.email).get(SLIP).status_code == 404
