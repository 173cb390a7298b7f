"""A booking names its driver: optional, from the company's list, the certificate checked by dates (§ 329-7 C(1))."""

import re
from datetime import date
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from sqlalchemy import select

from intake.actions.booking import book_discharge
from intake.actions.moving import move_booking
from intake.actions.named_driver import name_driver
from intake.models import Booking
from intake.queries.named_driver import drivers_named
from intake.queries.offered import to_key
from office.db import db
from office.law import law_now
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import booked, good, kept, log, said
from tests.intake.plant import MORNING, Hauler, book, hauler, session
from tests.intake.test_booking_pages import address
from tests.intake.test_limits import drives, set_law

NOW = "2026-10-05T16:00"


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at(NOW)
    return hauler()


def of(number: str = "B-1006-01") -> Booking:
    return db.session.scalars(select(Booking).filter_by(number=number)).one()


def booking(who: Hauler, driver: str, day: str = "2026-10-06") -> Any:
    law = law_now(world.plant(), MORNING)
    made = book_discharge(world.plant(), who.business_id, who.truck_id, "septic_tank", 300,
                          [session(f"{day}T07:00", 300)], driver=driver, by=who.by, at=MORNING, law=law)  # fmt: skip
    return kept(made)


def name(found: Booking, driver: str, by: Any) -> Any:
    law = law_now(world.plant(), MORNING)
    return kept(name_driver(world.plant(), found.id, driver, by=by, at=MORNING, law=law))


def signed_in(app: Any, email: str) -> Any:
    client = app.test_client()
    world.sign_in(client, email)
    return client


def text(answer: Any) -> str:
    return str(answer.get_data(as_text=True))


def test_the_driver_chosen_goes_from_the_form_to_the_booking_the_message_and_the_gate(
    app: Any, who: Hauler, clock_at: Any
) -> None:
    drives(who, "Ann Ames", None)
    drives(who, "Bo Berg", None)
    (_, bo) = drivers_named(who.business_id, MORNING)
    client = signed_in(app, who.email)
    form = text(client.get("/bayfield/hauler/book"))
    assert re.findall(r'name="driver"[^>]*value="(\w+)"', form) == [*drivers_named(who.business_id, MORNING), "later"]
    load = {"truck": str(who.truck_id), "gallons": "300", "waste": "septic_tank", "driver": bo}
    sent = client.post("/bayfield/hauler/book", data=load | {"once": uuid4().hex})
    assert parse_qs(urlsplit(sent.location).query)["driver"] == [bo]
    check = address("check", truck=who.truck_id, gallons=300, waste="septic_tank", driver=bo,
                    s=to_key(session("2026-10-06T07:00", 300)))  # fmt: skip
    assert re.search(r"<dt[^>]*>Driver</dt>\s*<dd[^>]*>Bo Berg", text(client.get(check)))
    done = client.post(check, data={"once": uuid4().hex})
    assert done.location == "/bayfield/hauler/booked/B-1006-01"
    assert of().driver == "Bo Berg"
    assert "\nDriver: Bo Berg" in db.session.scalars(select(Notice.body).filter_by(kind="booking_booked")).one()
    for user, path in ((who.email, "hauler/bookings"), ("clerk", "plant/bookings")):
        assert "Bo Berg" in text(signed_in(app, user).get(f"/bayfield/{path}/B-1006-01"))
    clock_at("2026-10-06T07:00")
    gate = text(signed_in(app, "operator").get("/bayfield/station/load?booking=B-1006-01"))
    (box,) = re.findall(r'<input[^>]*name="driver"[^>]*>', gate)
    assert 'value="Bo Berg"' in box


def test_who_was_named_last_is_chosen_else_who_drove_last(app: Any, who: Hauler, clock_at: Any) -> None:
    drives(who, "Ann Nuñez-Łukasik", None)
    drives(who, "Bo Berg", None)
    client = signed_in(app, who.email)

    def chosen() -> list[str]:
        form = text(client.get("/bayfield/hauler/book"))
        keys = re.findall(r'<input[^>]*name="driver"[^>]*>', form)
        known = drivers_named(who.business_id, MORNING) | {"later": "later"}
        return [known[re.findall(r'value="(\w+)"', one)[0]] for one in keys if "checked" in one]

    assert chosen() == ["later"]
    clock_at("2026-10-06T07:00")
    good(log(who, 300))
    assert chosen() == ["Ann Nuñez-Łukasik"]
    clock_at(NOW)
    booked(booking(who, "bo  BERG", "2026-10-07"))
    assert chosen() == ["Bo Berg"]


def test_a_company_without_drivers_is_not_asked(app: Any, who: Hauler) -> None:
    client = signed_in(app, who.email)
    assert "Who drives?" not in text(client.get("/bayfield/hauler/book"))
    sent = client.post("/bayfield/hauler/book", data={
        "once": uuid4().hex, "truck": str(who.truck_id), "gallons": "300", "waste": "septic_tank"})  # fmt: skip
    assert (sent.status_code, "driver" in sent.location) == (303, False)
    booked(book(who, session("2026-10-06T07:00", 300)))
    page = text(client.get("/bayfield/hauler/bookings/B-1006-01"))
    assert ("Driver" in page.split("<main")[1], "/driver" in page) == (False, False)
    assert client.get("/bayfield/bookings/B-1006-01/driver").status_code == 404


def test_where_certificates_are_needed_the_one_of_the_driver_must_hold_on_the_day(app: Any, who: Hauler) -> None:
    set_law(certificates="needed")
    drives(who, "Ann", date(2027, 10, 6))
    drives(who, "Bo", date(2026, 10, 6))
    booked(booking(who, "Bo"))
    refused = booking(who, "Bo", "2026-10-07")
    assert (*said(refused), refused.next_step) == (
        "driver", "The certificate of Bo ended October 6, 2026.", "§ 329-7 C(1)",
        "Drivers whose certificate holds: Ann.")  # fmt: skip
    assert said(booking(who, "Cy", "2026-10-07"))[1] == "Cy is not on the hauler's list of drivers."
    assert said(name(of(), "Cy", who.by))[0] == "driver"
    booked(booking(who, "", "2026-10-07"))

    # Moved to a day on which it does not hold: another driver is named first.
    def move() -> Any:
        return kept(move_booking(world.plant(), of().id, [session("2026-10-08T07:00", 300)], by=who.by, at=MORNING,
                                 law=law_now(world.plant(), MORNING)))  # fmt: skip

    assert said(move())[0] == "driver"
    assert name(of(), "Ann", who.by).driver == "Ann"
    assert not isinstance(move(), Refusal)


def test_the_check_page_refuses_a_driver_whose_certificate_has_ended_before_the_button(app: Any, who: Hauler) -> None:
    set_law(certificates="needed")
    drives(who, "Ann", date(2027, 10, 6))
    drives(who, "Bo", date(2026, 10, 5))
    (_, bo) = drivers_named(who.business_id, MORNING)
    page = text(signed_in(app, who.email).get(address(
        "check", truck=who.truck_id, gallons=300, waste="septic_tank", driver=bo,
        s=to_key(session("2026-10-06T07:00", 300)))))  # fmt: skip
    assert ("This booking cannot be made" in page, "The certificate of Bo ended October 5, 2026." in page,
            "Change the load" in page, "§ 329-7 C(1)" in page) == (True, True, True, True)  # fmt: skip


def test_where_certificates_are_shown_only_the_check_page_says_so_and_books(app: Any, who: Hauler) -> None:
    drives(who, "Bo", date(2026, 10, 5))
    (bo,) = drivers_named(who.business_id, MORNING)
    given = {"truck": who.truck_id, "gallons": 300, "waste": "septic_tank", "driver": bo}
    client = signed_in(app, who.email)
    check = address("check", s=to_key(session("2026-10-06T07:00", 300)), **given)
    page = text(client.get(check))
    assert "The certificate of Bo ends October 5, 2026, before that day." in page
    assert ("It is shown, and keeps nobody out." in page, "§ 329-7 C(1)" in page) == (True, True)
    assert client.post(check, data={"once": uuid4().hex}).location == "/bayfield/hauler/booked/B-1006-01"


def test_another_driver_is_named_on_the_bookings_page_by_hauler_and_desk(app: Any, who: Hauler) -> None:
    drives(who, "Ann", None)
    booked(booking(who, ""))
    (ann,) = drivers_named(who.business_id, MORNING)
    path = "/bayfield/bookings/B-1006-01/driver"
    client = signed_in(app, who.email)
    assert "Name the driver" in text(client.get("/bayfield/hauler/bookings/B-1006-01"))
    sent = client.post(path, data={"once": uuid4().hex, "driver": ann})
    assert (sent.location, of().driver) == ("/bayfield/hauler/bookings/B-1006-01", "Ann")
    desk = signed_in(app, "clerk")
    assert "Name another driver" in text(desk.get("/bayfield/plant/bookings/B-1006-01"))
    assert desk.post(path, data={"once": uuid4().hex, "driver": "later"}).location == (
        "/bayfield/plant/bookings/B-1006-01")  # fmt: skip
    assert of().driver == ""
    told = db.session.scalars(select(Notice).filter_by(subject="Driver of booking B-1006-01: not known yet")).one()
    assert told.body == ("Booking B-1006-01 at Bayfield Wastewater Treatment Works: No driver is named any more. "
                         "Entered by Clerk of the City.")  # fmt: skip


def test_anothers_booking_and_one_whose_load_is_here_are_not_named(who: Hauler, clock_at: Any) -> None:
    other = hauler("Second Pumping", number=2)
    found = booked(booking(who, ""))
    assert said(name(found, "Ann", other.by))[0] == "not_yours"
    clock_at("2026-10-06T07:00")
    good(log(who, 300, booking=found))
    assert said(name(found, "Ann", who.by))[0] == "already_unloading"
