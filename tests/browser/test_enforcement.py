"""After approval in a real browser: notice, revocation, review, changes asked for, giving back; at every width."""

import re

import pytest
from playwright.sync_api import expect

from haulers.queries import TruckLine
from intake.actions.station import log_load
from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_company import looked_at
from tests.conftest import make_app
from tests.haulers.builders import approved, hauler

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("enforcement-browser")]
NOW, MINE = "2026-10-20T11:00", "o'brien@hauler.example"
RULE = "Unloading within the hours"


@pytest.fixture(scope="module")
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url)
    with app.app_context(), clock.held(world.at(NOW)):
        business = hauler(trucks=(TruckLine("WI 1234", 1500, "Big Red"),))
        approved(business)
        db.session.commit()
        when = world.at("2026-10-20T07:10")
        load = log_load(world.plant(), "c-1", business_id=business.id, truck_id=1, waste="septic_tank", gallons=900,
                        driver="Ann", bottle="B-1", by=world.staff("operator"), at=when, law=world.law())  # fmt: skip
        assert load.ticket == "2026-00001", load
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    yield site
    site.stop()
    databases.drop(url)


@pytest.fixture(scope="module")
def chrome():
    with browser() as running:
        yield running


def motion(person, held_on):
    person.date3("Meeting date", held_on).fill("Words of the motion", "To do as shown.")
    person.page.get_by_role("radiogroup", name="Moved by").locator("label").nth(0).click()
    person.page.get_by_role("radiogroup", name="Seconded by").locator("label").nth(1).click()
    person.press("All present voted aye: review")


def test_violation_revocation_review_and_an_approval_given_back(site, chrome):
    site.start(NOW)
    bad = []
    clerk = Person(chrome, site, "clerk@city.example").sign_in()
    clerk.go("/bayfield/director/enforcement")
    clerk.page.get_by_text("Write a notice of violation").click()
    clerk.follow("O'Brien & Søn Septic, L.L.C.")
    clerk.press("Check the notice")
    assert clerk.page.title().startswith("Error: ")
    expect(clerk.page.locator("#error-summary")).to_be_focused()
    clerk.choose(RULE).fill("What happened?", "Unloaded at 11 p.m. without supervision.")
    clerk.page.get_by_text("Load tickets it rests on").click()
    clerk.choose("2026-00001")
    clerk.date3("First day it happened", "2026-10-19").date3("Correct it by", "2026-11-03").press("Check the notice")
    assert "Load ticket 2026-00001: October 20, 2026, 900 gallons of septic tank waste" in clerk.text
    clerk.press("Send the notice")
    assert "Notice of violation to O'Brien & Søn Septic, L.L.C., October 20, 2026" in clerk.heading
    bad += looked_at(clerk, clerk.page.url.removeprefix(site.address))

    director = Person(chrome, site, "director@city.example").sign_in()
    director.go("/bayfield/director/approvals").follow("Revoke…")
    bad += looked_at(director, director.page.url.removeprefix(site.address))
    director.choose(RULE).fill("What happened?", "Unloaded at 11 p.m. again.").press("Check the letter")
    assert "revoked from Tuesday, October 20, 2026" in director.text
    director.press("Revoke and send")
    director.fill("Certified mail number", "7019 0140 0001").press("Keep the number")
    assert director.page.get_by_label("Certified mail number").input_value() == "7019 0140 0001"
    director.follow("Enter a request for review")
    bad += looked_at(director, director.page.url.removeprefix(site.address))
    director.date3("Day it came in", "2026-10-20").fill("Who asked", "Ingrid O'Brien")
    director.fill("What was asked for", "The gate was open.").press("Enter the request")
    assert director.heading == "Review: revocation of approval A-2026-27-001"
    director.date3("Done on", "2026-10-20").press("Record this step")
    assert "Appeal asked for: done" in director.text
    director.choose("The decision is reversed").date3("Closed on", "2026-10-20")
    director.fill("Outcome in words", "The gate was open, as they say.").press("Read the letter back")
    director.press("Close the review and send")
    assert "The review is closed, and its letter sent." in director.text
    bad += looked_at(director, director.page.url.removeprefix(site.address))

    member = Person(chrome, site, "member1@city.example").sign_in()
    member.go("/bayfield/committee/changes").follow("Give it back…")
    bad += looked_at(member, member.page.url.removeprefix(site.address))
    member.date3("First day of the new approval", "2026-10-21").fill("Why", "They mended it.")
    motion(member, "2026-10-20")
    assert member.heading == "Read back the motion to give back"
    member.press("Record the motion")
    assert "The motion is recorded." in member.text
    assert "1 letter waits to be issued: haulers hear nothing before." in member.text
    clerk.go("/bayfield/clerk/letters").press("Issue 1 letter")
    assert "1 letter is issued." in clerk.text
    for person in (clerk, director, member):
        assert person.trouble == []
        person.context.close()
    assert bad == []


def test_a_change_is_asked_for_decided_and_seen_old_beside_new(site, chrome):
    site.start("2026-10-22T09:00")
    bad = []
    owner = Person(chrome, site, MINE).sign_in()
    owner.go("/bayfield/hauler/approval").follow("More gallons")
    owner.press("Ask the committee")
    assert owner.page.title().startswith("Error: ")
    owner.fill("More gallons in winter", "4,000").fill("More gallons in the rest of the year", "0")
    owner.fill("Why do you ask for it?", "Forty more homes.").press("Ask the committee")
    assert "Waits for the committee" in owner.text
    bad += looked_at(owner, "/bayfield/hauler/approval")

    site.start("2026-10-28T09:00")
    clerk = Person(chrome, site, "clerk@city.example").sign_in()
    bad += looked_at(clerk, "/bayfield/committee/changes")
    clerk.go("/bayfield/committee/changes").follow("Record a decision on these")
    bad += looked_at(clerk, clerk.page.url.removeprefix(site.address))
    clerk.choose("Grant")
    motion(clerk, "2026-10-27")
    assert "Grant: 4,000 gallons more in winter, 0 in the rest of the year" in clerk.text
    clerk.press("Record the motion")
    owner = Person(chrome, site, MINE).sign_in()
    owner.go("/bayfield/hauler/approval")
    assert re.search(r"Approval now\s+12,000 gallons in winter", owner.text)
    assert "Waits for the committee" in owner.text
    clerk.follow("Read and issue the letters")
    bad += looked_at(clerk, "/bayfield/clerk/letters")
    clerk.press("Issue 1 letter")
    owner.go("/bayfield/hauler/approval")
    assert re.search(r"Approval now\s+16,000 gallons in winter", owner.text)
    bad += looked_at(owner, "/bayfield/hauler")
    bad += looked_at(clerk, "/bayfield/director/enforcement")
    assert owner.trouble == clerk.trouble == []
    assert bad == []
