"""Several people of one business: invited by mail, each sees the same, one always stays, nobody overwrites unseen."""

import pytest
from sqlalchemy import select

from haulers.actions.people import end_access, invite_person
from haulers.queries.drivers import people_of
from office.access import Role, actor
from office.db import db
from office.notices import Notice
from office.signin import hash_password, person_with_email
from tests import world
from tests.haulers.builders import acting, hauler
from tests.haulers.company import MINE, THEIRS, post, read, second, signed_in, wrong

AT = world.at("2026-08-10T09:00")
HA, NAME = "ha@hauler.example", "Nguyễn Thị Hà"
LAST = "You are the last person who acts for your company. Invite somebody else first."


@pytest.fixture(autouse=True)
def now(app, clock_at):
    clock_at("2026-08-10T09:00")


def invite(business, email=HA, name=NAME, by=None):
    return invite_person(world.plant(), business, name, email, "http://localhost", by=by or acting(business), at=AT)


def as_person(email=HA):
    person = person_with_email(email)
    return actor(person.id, person.name, world.plant().id, AT)


def joined(business):
    grant = invite(business)
    person_with_email(HA).password = hash_password(world.PASSWORD)
    return grant


def names(business):
    return [one.name for one in people_of(business.party_id, AT)]


def test_an_invited_person_is_told_how_to_sign_in_and_acts_for_the_company():
    business = hauler()
    invite(business)
    db.session.flush()
    notice = db.session.scalars(select(Notice).filter_by(kind="welcome", to_email=HA)).one()
    assert notice.subject == "You can act for O'Brien & Søn Septic, L.L.C. at septage receiving"
    assert "Ingrid O'Brien invited you to act for O'Brien & Søn Septic, L.L.C." in notice.body
    assert "http://localhost/sign-in" in notice.body
    by = as_person()
    assert (by.party_id, Role.HAULER in by.roles) == (business.party_id, True)
    assert names(business) == ["Ingrid O'Brien", NAME]


@pytest.mark.parametrize("email", [MINE, THEIRS, "clerk@city.example"])
def test_somebody_who_acts_for_a_company_or_a_city_is_not_invited(email):
    business, _ = hauler(), second()
    assert invite(business, email).code == "email_taken"


def test_only_a_person_of_the_company_invites_or_ends():
    mine, theirs = hauler(), second()
    grant = invite(mine)
    assert invite(mine, "x@x.example", by=acting(theirs)).code == "not_yours"
    assert invite(mine, "x@x.example", by=world.staff("admin")).code == "not_your_role"
    assert invite(mine, " ").code == "incomplete"
    assert end_access(mine, grant.id, by=acting(theirs), at=AT).code == "not_yours"
    assert end_access(theirs, grant.id, by=acting(theirs), at=AT).code == "not_yours"
    assert end_access(mine, grant.id, by=world.staff("clerk"), at=AT).code == "not_your_role"


def test_one_person_always_stays_and_whoever_left_may_be_invited_again():
    business = hauler()
    first = people_of(business.party_id, AT)[0].grant_id
    assert end_access(business, first, by=acting(business), at=AT).why == LAST
    grant = invite(business)
    by = as_person()
    assert end_access(business, grant.id, by=acting(business), at=AT).until == AT
    assert end_access(business, grant.id, by=acting(business), at=AT).code == "already_ended"
    assert end_access(business, first, by=by, at=AT).code == "last_person"
    assert invite(business).person_id == grant.person_id
    assert end_access(business, first, by=by, at=AT).until == AT
    assert names(business) == [NAME]


def test_twenty_people_are_enough(monkeypatch):
    monkeypatch.setattr("haulers.actions.people.MOST", 2)
    business = hauler()
    invite(business)
    assert invite(business, "third@x.example").why == "2 people act for your company. End somebody's access first."


def test_inviting_and_ending_from_the_pages(app):
    business = hauler()
    client = signed_in(app)
    assert "End access" not in read(client, "/hauler/people")
    assert wrong(post(client, "/hauler/people")) == [
        ("name", "Enter the person's name"), ("email", "Enter the person's e-mail")]  # fmt: skip
    assert post(client, "/hauler/people", name=NAME, email=HA).location == "/bayfield/hauler/people"
    page = read(client, "/hauler/people")
    assert f"{NAME} can act for your company. An e-mail to {HA} says how to sign in." in page
    assert "Ingrid O&#39;Brien (you)" in page
    again = post(client, "/hauler/people", name=NAME, email=HA)
    assert wrong(again) == [("email", "This e-mail signs in for a company or a city already. Use another.")]
    grant = people_of(business.party_id, AT)[1].grant_id
    second()
    path = f"/hauler/people/{grant}/end"
    assert signed_in(app, THEIRS).get(f"/bayfield{path}").status_code == 404
    assert f"<h1>End the access of {NAME}?</h1>" in read(client, path)
    assert post(client, path).location == "/bayfield/hauler/people"
    assert names(business) == ["Ingrid O'Brien"]


def test_the_last_person_reads_why_they_stay(app):
    business = hauler()
    grant = people_of(business.party_id, AT)[0].grant_id
    answer = post(signed_in(app), f"/hauler/people/{grant}/end")
    assert (answer.status_code, LAST in answer.get_data(as_text=True)) == (409, True)


def test_who_ends_their_own_access_opens_nothing_any_more(app):
    business = hauler()
    joined(business)
    client = signed_in(app, HA)
    grant = people_of(business.party_id, AT)[1].grant_id
    assert "You can no longer open your company" in read(client, f"/hauler/people/{grant}/end")
    assert post(client, f"/hauler/people/{grant}/end").location == "/bayfield/"
    assert client.get("/bayfield/hauler/people").status_code == 403
    assert client.get("/bayfield/").status_code == 200


def test_two_people_see_the_same_company_and_who_saved_it_last(app, clock_at):
    joined(hauler())
    first, other = signed_in(app), signed_in(app, HA)
    typed = {"name": "O'Brien & Søn Septic, L.L.C.", "address": "1 Main", "phone": "715-555-0177", "contact": "Hà",
             "email": MINE}  # fmt: skip
    opened = read(first, "/hauler/company").split('name="seen" value="')[1].split('"')[0]
    clock_at("2026-08-10T09:12")
    assert post(other, "/hauler/company", **typed, seen=opened).location == "/bayfield/hauler/apply"
    assert f"Last saved Monday, August 10, 2026, 9:12 a.m. by {NAME}." in read(first, "/hauler/company")
    mine = typed | {"phone": "715-555-0199", "contact": "Ingrid"}
    answer = post(first, "/hauler/company", **mine, seen=opened)
    page = answer.get_data(as_text=True)
    said = f"{NAME} saved this page on Monday, August 10, 2026, 9:12 a.m., after you opened it."
    assert wrong(answer) == [
        ("main", f"{said} What you typed is still here. Save it again to put it in the place of theirs.")]  # fmt: skip
    assert ('value="715-555-0199"' in page, "<dd>715-555-0177</dd>" in page) == (True, True)
    again = page.split('name="seen" value="')[1].split('"')[0]
    assert post(first, "/hauler/company?from=check", **mine, seen=again).location == "/bayfield/hauler/apply/check"
    assert 'value="715-555-0199"' in read(other, "/hauler/company")
