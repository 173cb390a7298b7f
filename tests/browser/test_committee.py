"""The committee's reading pages in a real Chromium: no sideways scroll, no fault for a screen reader, by keyboard."""

from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe

from app import create_app
from office.db import db
from tests.browser.site import Person, Site, browser
from tests.haulers.builders import OUTSIDE, SOURCE, approve, filed, hauler, record

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("committee-browser")]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
PAGES = ("/committee?season=2026-27", "/committee/2026-27/0001", "/committee/2026-27/0002",
         "/committee/2026-27/0001/ask", "/committee/2026-27/packet", "/committee/2026-27/worksheet")  # fmt: skip
RESORT = replace(OUTSIDE, gallons_rest=700_000, place="Resort on the lake, beyond the second bridge on the old road")


@pytest.fixture
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = create_app({"DATABASE_URL": url, "TESTING": True, "SECRET_KEY": "browser-tests-0123456789-abcdefghij"})
    with app.app_context():
        filed(hauler(), replace(SOURCE, gallons_winter=300_000), RESORT)
        decided = filed(hauler("Decided Septic", "decided@hauler.example"), at="2026-08-13T10:00")
        record([approve(decided)])
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start("2026-09-22T09:00")
    yield site
    site.stop()
    databases.drop(url)


@pytest.mark.looks
def test_every_page_fits_its_width_and_has_no_fault(site, chrome):
    faults = []
    for width in (320, 820, 1280):
        person = Person(chrome, site, "member1@city.example", width=width).sign_in()
        for path in PAGES:
            person.go(f"/bayfield{path}")
            wide = person.page.evaluate("document.documentElement.scrollWidth")
            found = [one["id"] for one in Axe().run(person.page, options=RULES).response["violations"]]
            heads = person.page.locator("h1").count()
            if wide > width or found or heads != 1:
                faults.append((width, path, wide, found, heads))
        assert person.trouble == []
    assert faults == []


def test_a_member_reads_notes_and_makes_the_packet_by_keyboard(site, chrome):
    person = Person(chrome, site, "member1@city.example").sign_in()
    person.go("/bayfield/committee/2026-27/0001")
    person.page.keyboard.press("Tab")
    assert person.page.evaluate("document.activeElement.textContent") == "Skip to main content"
    box = person.page.get_by_label("What you want to remember")
    box.focus()
    person.page.keyboard.type("Ask about the resort")
    person.page.keyboard.press("Tab")
    with person.page.expect_navigation():
        person.page.keyboard.press("Enter")
    assert box.input_value() == "Ask about the resort"
    person.go("/bayfield/committee/2026-27/packet")
    person.page.get_by_role("button", name="Make the packet").focus()
    with person.page.expect_navigation():
        person.page.keyboard.press("Enter")
    link = person.page.get_by_role("link", name="Packet 2026-00001 (PDF)")
    answer = person.fetch(link.get_attribute("href"))
    assert (answer.headers["content-type"], answer.body()[:5]) == ("application/pdf", b"%PDF-")
    assert "attachment" in answer.headers["content-disposition"]


@pytest.mark.looks
def test_a_printed_page_keeps_the_note_to_its_member(site, chrome):
    person = Person(chrome, site, "member1@city.example").sign_in()
    person.go("/bayfield/committee/2026-27/0001")
    person.fill("What you want to remember", "Ask about the resort")
    person.press("Keep my note")
    person.page.emulate_media(media="print")
    assert person.page.get_by_text("By the state's order of priority").is_visible()
    for words in ("My private note", "Ask about the resort"):
        assert [one.is_visible() for one in person.page.get_by_text(words).all()] in ([], [False]), words
