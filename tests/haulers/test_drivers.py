"""A company's drivers: added and taken off by the owner; what they may open and what not."""

from uuid import uuid4

import pytest

from haulers.actions.drivers import add_driver, end_driver
from haulers.queries.drivers import drivers_of
from intake.actions.booking import book_discharge
from office.access import Grant, Role, actor
from office.db import db
from office.signin import new_person, person_with_email
from tests import world
from tests.haulers import builders
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import TUESDAY, book, hauler, session

EARLY = "2026-10-06T06:30"
DRIVER = "dan@driver.example"


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at(EARLY)


def company(who):
    from haulers.queries import business

    return business(who.business_id)


def with_driver(who) -> Grant:
    return good(kept(add_driver(company(who), "Dan Driver", DRIVER, world.PASSWORD, by=who.by, at=world.at(EARLY))))


def signed_in(app, email: str):
    client = app.test_client()
    world.sign_in(client, email)
    return client


def page(client, path: str) -> tuple[int, str]:
    answer = client.get(path)
    return answer.status_code, str(answer.get_data(as_text=True))


def test_the_owner_adds_a_driver_who_signs_in_and_sees_todays_bookings_only(app):
    who, other = hauler(), hauler("Second Pumping", number=2)
    book(who, session("2026-10-06T07:00", 600))
    book(who, session("2026-10-07T07:00", 300))
    book(other, session("2026-10-06T08:00", 300))
    owner = signed_in(app, who.email)
    sent = owner.post("/bayfield/hauler/drivers", data={
        "once": uuid4().hex, "name": "Dan Driver", "email": DRIVER, "password": world.PASSWORD})  # fmt: skip
    assert sent.location == "/bayfield/hauler/drivers"
    assert DRIVER in page(owner, "/bayfield/hauler/drivers")[1]
    client = signed_in(app, DRIVER)
    assert client.get("/account/home").location == "/bayfield/driver"
    _, home = page(client, "/bayfield/driver")
    assert ("B-1006-01" in home, "B-1007-01" in home, "B-1006-02" in home) == (True, False, False)
    _, slip = page(client, "/bayfield/driver/bookings/B-1006-01")
    assert ("Wisconsin, L-1" in slip, "T-1" in slip, "$" in slip.split("<main")[1]) == (True, True, False)
    assert page(client, "/bayfield/driver/bookings/B-1006-02")[0] == 404


@pytest.mark.parametrize("path", [
    "/hauler", "/hauler/book", "/hauler/apply", "/hauler/company", "/hauler/drivers", "/hauler/loads",
    "/hauler/letters",
    "/hauler/bookings/B-1006-01/cancel", "/hauler/money", "/station",
])  # fmt: skip
def test_a_driver_opens_no_money_no_application_and_books_nothing(app, path):
    who = hauler()
    with_driver(who)
    book(who, session("2026-10-06T07:00", 600))
    assert page(signed_in(app, DRIVER), f"/bayfield{path}")[0] in (403, 404)


def test_a_driver_books_nothing_by_the_act_either():
    who = hauler()
    with_driver(who)
    person = person_with_email(DRIVER)
    by = actor(person.id, person.name, world.plant().id, world.at(EARLY))
    refused = book_discharge(world.plant(), who.business_id, who.truck_id, "septic_tank", 300,
                             [session("2026-10-06T07:00", 300)], by=by, at=world.at(EARLY),
                             law=world.law(TUESDAY))  # fmt: skip
    assert refused.code == "not_your_role"


def test_a_driver_writes_the_load_record_in_their_own_name_and_sees_no_charge(app, clock_at):
    who = hauler()
    with_driver(who)
    booking = booked(book(who, session("2026-10-06T07:00", 300)))
    load = good(log(who, 300, booking=booking))
    clock_at("2026-10-06T09:00")
    client = signed_in(app, DRIVER)
    assert f"Write the load record: load ticket {load.ticket}" in page(client, "/bayfield/driver")[1]
    shown = page(client, f"/bayfield/driver/loads/{load.ticket}")[1]
    main = shown.split("<main")[1].split("</main>")[0]
    assert ("Charges" in main, "$" in main) == (False, False)
    sent = client.post(f"/bayfield/hauler/loads/{load.ticket}/record",
                       data={"once": uuid4().hex, "sources": "12 County Road J"})  # fmt: skip
    assert sent.location == f"/bayfield/driver/loads/{load.ticket}"
    assert "by Dan Driver." in page(client, sent.location)[1]


def test_a_driver_taken_off_opens_nothing_from_that_instant_and_may_be_added_again(app):
    who = hauler()
    grant = with_driver(who)
    client = signed_in(app, DRIVER)
    assert page(client, "/bayfield/driver")[0] == 200
    owner = signed_in(app, who.email)
    gone = owner.post(f"/bayfield/hauler/drivers/{grant.id}/remove", data={"once": uuid4().hex})
    assert gone.location == "/bayfield/hauler/drivers"
    assert page(client, "/bayfield/driver")[0] == 403
    assert drivers_of(company(who).party_id, world.at(EARLY)) == []
    assert end_driver(company(who), grant.id, by=who.by, at=world.at(EARLY)).code == "already_ended"
    with_driver(who)
    assert page(client, "/bayfield/driver")[0] == 200


def test_anothers_driver_is_not_taken_off():
    who, other = hauler(), hauler("Second Pumping", number=2)
    grant = with_driver(who)
    assert end_driver(company(other), grant.id, by=other.by, at=world.at(EARLY)).code == "not_yours"
    assert end_driver(company(who), grant.id, by=other.by, at=world.at(EARLY)).code == "not_yours"
    refused = add_driver(company(who), "Eve", "eve@x.example", world.PASSWORD, by=other.by, at=world.at(EARLY))
    assert refused.code == "not_yours"


@pytest.mark.parametrize("email", [DRIVER, "second.pumping@hauler.example", "operator@city.example"])
def test_somebody_who_signs_in_for_a_company_or_a_city_is_not_made_a_driver(email):
    who = hauler()
    hauler("Second Pumping", number=2)
    with_driver(who)
    refused = add_driver(company(who), "Dan", email, world.PASSWORD, by=who.by, at=world.at(EARLY))
    assert refused.code == "email_taken"


def test_being_a_driver_of_one_company_never_lends_the_rights_of_an_owner_there():
    ours, theirs = builders.hauler(), builders.hauler("Other Pumping", "other@hauler.example")
    person = new_person("both@x.example", "Both", world.PASSWORD)
    for role, business in ((Role.DRIVER, theirs), (Role.HAULER, ours)):
        db.session.add(Grant(person_id=person.id, party_id=business.party_id, role=role.value, since=world.at(EARLY)))
        db.session.flush()
    by = actor(person.id, person.name, world.plant().id, world.at(EARLY))
    assert (by.party_id, Role.HAULER in by.roles, Role.DRIVER in by.roles) == (ours.party_id, True, False)
    db.session.rollback()
