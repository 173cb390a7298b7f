"""A company's drivers: added and taken off by the owner; what they may open and what not."""

from datetime import date
from uuid import uuid4

import pytest

from haulers.actions.drivers import add_driver, change_driver, driver_mark, end_driver, list_driver, retire_driver
from haulers.queries.drivers import DriverLine, drivers_of, in_charge, roster
from intake.actions.booking import book_discharge
from office.access import Grant, Role, actor
from office.db import db
from office.signin import new_person, person_with_email
from tests import world
from tests.haulers import builders
from tests.haulers.company import ends, post, wrong
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
    assert ("WI, L-1" in slip, "T-1" in slip, "$" in slip.split("<main")[1]) == (True, True, False)
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


MASTER = DriverLine("Mia Master", "Master operator", "M-77", date(2028, 3, 1), in_charge=True)
AT = world.at(EARLY)


def put(business, line=MASTER, *sign_in):
    return list_driver(business, line, *sign_in, by=builders.acting(business), at=AT)


def names(business):
    return [(one.name, bool(one.row and one.row.in_charge), bool(one.signed)) for one in roster(business, AT)]


def test_a_driver_is_listed_with_a_certificate_and_without_a_sign_in():
    business = builders.hauler()
    row = put(business)
    stated = (row.name, row.certificate, row.certificate_number, row.certificate_ends_on, row.in_charge, row.person_id)
    assert stated == ("Mia Master", "Master operator", "M-77", date(2028, 3, 1), True, None)
    assert put(business, DriverLine(" ")).code == "incomplete"
    assert names(business) == [("Mia Master", True, False)]


def test_a_driver_is_listed_with_a_sign_in_of_their_own():
    business = builders.hauler()
    assert put(business, DriverLine("Dan"), DRIVER, "short").code == "short_password"
    put(business, DriverLine("Dan"), DRIVER, world.PASSWORD)
    assert names(business) == [("Dan", False, True)]
    assert put(business, DriverLine("Dan"), DRIVER, world.PASSWORD).code == "email_taken"
    assert names(business) == [("Dan", False, True)]


def test_one_driver_is_the_operator_in_charge_at_a_time():
    business = builders.hauler()
    first = put(business)
    assert put(business, DriverLine("Zoe", in_charge=True)).id == in_charge(business.id).id
    assert names(business) == [("Mia Master", False, False), ("Zoe", True, False)]
    by = builders.acting(business)
    change_driver(business, first.id, MASTER, by=by, at=AT)
    assert names(business) == [("Mia Master", True, False), ("Zoe", False, False)]


def test_a_company_is_not_left_without_operator_in_charge_while_others_drive():
    business = builders.hauler()
    head, by = put(business), builders.acting(business)
    off = change_driver(business, head.id, DriverLine("Mia Master"), by=by, at=AT)
    assert (off.code, off.why) == ("name_another", "Mia Master is your operator-in-charge.")
    other = put(business, DriverLine("Zoe"))
    assert retire_driver(business, head.id, by=by, at=AT).code == "name_another"
    retire_driver(business, other.id, by=by, at=AT)
    assert retire_driver(business, head.id, by=by, at=AT).retired_at == AT
    assert names(business) == []
    put(business, DriverLine("Zoe", in_charge=True))


def test_a_driver_taken_off_no_longer_signs_in_and_one_may_be_given_a_sign_in_later():
    business = builders.hauler()
    row, by = put(business, DriverLine("Dan")), builders.acting(business)
    change_driver(business, row.id, DriverLine("Dan D."), DRIVER, world.PASSWORD, by=by, at=AT)
    assert names(business) == [("Dan D.", False, True)]
    retire_driver(business, row.id, by=by, at=AT)
    assert drivers_of(business.party_id, AT) == []
    assert retire_driver(business, row.id, by=by, at=AT).code == "not_yours"


def test_drivers_of_another_hauler_are_not_touched():
    mine, theirs = builders.hauler(), builders.hauler("Other Pumping", "other@hauler.example")
    row, other = put(mine), builders.acting(theirs)
    assert list_driver(mine, MASTER, by=other, at=AT).code == "not_yours"
    for business in (mine, theirs):
        assert change_driver(business, row.id, MASTER, by=other, at=AT).code == "not_yours"
        assert retire_driver(business, row.id, by=other, at=AT).code == "not_yours"
    clerk = world.staff("clerk")
    assert change_driver(mine, row.id, MASTER, by=clerk, at=AT).code == "not_your_role"


def test_a_driver_from_the_empty_form_to_the_change_page_and_off_the_list(app):
    builders.hauler(), builders.hauler("Other Pumping", "other@hauler.example")
    db.session.commit()
    owner = signed_in(app, "o'brien@hauler.example")
    assert wrong(post(owner, "/hauler/drivers")) == [("name", "Enter the driver's name")]
    typed = {"name": "Nguyễn Thị Hà", "certificate": "Vehicle operator", "certificate_number": "V-1"}
    bad = post(owner, "/hauler/drivers", **typed, email="ha@x.example", password="short")
    assert wrong(bad) == [("password", "Enter a password of 10 characters or more")]
    assert 'value="V-1"' in bad.get_data(as_text=True)
    sent = post(owner, "/hauler/drivers?from=check", **typed, **ends("certificate_ends"))
    assert sent.location == "/bayfield/hauler/drivers?from=check"
    _, shown = page(owner, "/bayfield/hauler/drivers")
    assert ("Vehicle operator V-1" in shown, "Ends June 30, 2028" in shown, "No sign-in" in shown) == (True, True, True)
    assert "Say who is your operator-in-charge" in shown
    path = shown.split('href="/bayfield/hauler/driver/')[1].split('"')[0]
    path = f"/hauler/driver/{path}"
    assert 'value="Vehicle operator" checked' in page(owner, f"/bayfield{path}")[1]
    done = post(owner, path, name="Hà", certificate="none", in_charge="1")
    assert done.location == "/bayfield/hauler/drivers"
    _, shown = page(owner, "/bayfield/hauler/drivers")
    assert ("Operator-in-charge" in shown, "None given" in shown, "Say who is" in shown) == (True, True, False)
    refused = post(owner, path, name="Hà")
    assert wrong(refused) == [("in_charge", "Hà is your operator-in-charge. Open another driver and make them the "
                               "operator-in-charge first.")]  # fmt: skip
    other = signed_in(app, "other@hauler.example")
    for end in ("", "/remove"):
        assert page(other, f"/bayfield{path}{end}")[0] == 404
        assert post(other, f"{path}{end}", name="X").status_code == 404
    assert "<h1>Remove Hà?</h1>" in page(owner, f"/bayfield{path}/remove")[1]
    assert post(owner, f"{path}/remove").location == "/bayfield/hauler/drivers"
    assert "No driver is on your list yet." in page(owner, "/bayfield/hauler/drivers")[1]


def test_a_colleagues_newer_save_of_a_driver_is_told(app):
    business = builders.hauler()
    row = put(business)
    seen, ident = driver_mark(row), row.id
    db.session.commit()
    owner = signed_in(app, "o'brien@hauler.example")
    post(owner, f"/hauler/driver/{ident}", name="Mia M.", in_charge="1", seen=seen)
    answer = post(owner, f"/hauler/driver/{ident}", name="Mia Master-Smith", in_charge="1", seen=seen)
    shown = answer.get_data(as_text=True)
    assert wrong(answer)[0][1].startswith("Ingrid O'Brien saved this page on Tuesday, October 6, 2026, 6:30 a.m.,")
    assert ('value="Mia Master-Smith"' in shown, "<dd>Mia M.</dd>" in shown) == (True, True)
