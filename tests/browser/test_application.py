"""A hauler files in a real browser: wrong fields mended, three hours away, late, changed; the clerk enters paper."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from office.db import db
from tests.browser.site import Person, Site, browser
from tests.browser.test_pages import LOOK, RULES, WIDTHS
from tests.conftest import make_app
from tests.haulers import builders

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("application-browser")]
MAIL = "o'brien@hauler.example"
APPLY = "/bayfield/hauler/apply"


@pytest.fixture
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url, SEPTAGE_CLOCK="2026-07-02T09:00")
    with app.app_context():
        builders.hauler()
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    yield site
    site.stop()
    databases.drop(url)


def looks_right(person):
    """The page at three widths without sideways scroll, axe clean, first Tab on the skip link."""
    bad = []
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 900})
        look = person.page.evaluate(LOOK)
        if look["over"] > 0 or look["h1"] != 1 or any(look[k] for k in ("styled", "small", "low", "skipped")):
            bad.append(f"{person.page.url} at {width}: {look}")
    found = Axe().run(person.page, options=RULES).response["violations"]
    bad += [f"{person.page.url}: axe {one['id']} {one['nodes'][0]['html'][:160]}" for one in found]
    assert bad == []


def source(person, nth, place, winter, rest):
    """Fill in one source of the form."""
    box = person.page.locator("fieldset.row-box").nth(nth)
    box.locator("label", has_text="Septic tank").click()
    box.locator("label", has_text="Inside the sewer service area").click()
    box.locator("label", has_text="It is there already").click()
    for label, value in (("Where it comes from", place), ("How often", "Weekly"), ("Gallons a load", "1,500"),
                         ("Gallons in winter", winter), ("Gallons in the rest", rest)):  # fmt: skip
        box.get_by_label(label).fill(value)


def errors(person):
    """The lines of the error summary, each leading to a control that takes the focus and tells its own error."""
    links = person.page.locator("#error-summary a")
    expect(person.page.locator("#error-summary")).to_be_focused()
    assert person.page.title().startswith("Error: ")
    said = links.all_inner_texts()
    for n, words in enumerate(said):
        links.nth(n).click()
        told = person.page.evaluate("""() => { const e = document.activeElement;
          const said = name => e.getAttribute(name) || e.closest(`[${name}]`)?.getAttribute(name) || '';
          const ids = said('aria-describedby').split(' ');
          return [said('aria-invalid'), ids.map(id => document.getElementById(id)?.innerText || '').join(' ')] }""")
        assert told[0] == "true", words
        assert words in told[1]
    return said


def test_three_wrong_fields_three_hours_away_and_one_application(site, chrome):
    site.start("2026-08-05T09:00")
    hauler = Person(chrome, site, MAIL).sign_in().go(f"{APPLY}/sources")
    source(hauler, 0, "Homes along County Road J", "12,000", "8,000")
    hauler.press("Add another source").press("Add another source")
    source(hauler, 1, "Cabins", "1,000", "0")
    source(hauler, 2, "", "-5", "many")
    looks_right(hauler)
    hauler.press("Save and continue")
    assert errors(hauler) == [
        "Source 3: Enter the place", "Source 3: Gallons in winter must be between 0 and 100,000,000",
        "Source 3: Gallons in the rest of the year must be a number, like 1,500",
    ]  # fmt: skip
    source(hauler, 2, "Farms", "500", "500")
    hauler.page.get_by_role("radiogroup", name="Have you completed this section?").locator("label").first.click()

    # Three hours later the sign-in and the token are gone: sign in, and everything typed is there.
    site.start("2026-08-05T12:05")
    hauler.context.clear_cookies()
    hauler.press("Save and continue")
    hauler.fill("E-mail", MAIL).fill("Password", hauler.password).press("Sign in")
    assert hauler.page.locator("fieldset.row-box").count() == 3
    assert hauler.page.locator("fieldset.row-box").nth(2).get_by_label("Where it comes from").input_value() == "Farms"
    hauler.press("Save and continue")
    assert hauler.heading == "Say when you will bring it"
    looks_right(hauler)
    hauler.choose("In both").press("Save and continue")
    looks_right(hauler)
    hauler.choose("No").press("Save and continue")
    looks_right(hauler)
    hauler.choose("By mail").press("Save and continue")
    assert hauler.heading == "You cannot check and send your application yet"
    looks_right(hauler)
    hauler.follow("Add your drivers, or say that you have none to add.").press("I have no drivers to add")
    assert hauler.heading == "Check your answers and send your application"
    looks_right(hauler)
    hauler.go(APPLY)
    assert "You have completed 8 of 9 tasks." in hauler.text
    looks_right(hauler)

    # A double click, then Back and again: one application.
    hauler.go(f"{APPLY}/check")
    with hauler.page.expect_navigation():
        hauler.page.get_by_role("button", name="Accept and send").dblclick()
    hauler.page.wait_for_url("**/sent/*")
    assert hauler.heading == "Application sent"
    looks_right(hauler)
    hauler.page.go_back()
    assert hauler.heading == "Application sent", "there is nothing to send a second time"
    assert "2026-27/0001" in hauler.text

    # The clerk asks for more; the hauler changes a copy; both texts are there.
    site.start("2026-09-04T10:00")
    clerk = Person(chrome, site, "clerk@city.example").sign_in().go("/bayfield/clerk/filings")
    clerk.follow("O'Brien").follow("Ask for more information")
    looks_right(clerk)
    clerk.fill("What is needed, or is to be changed?", "Where are the farms?").date3("By which day", "2026-09-15")
    clerk.choose("The sources").choose("Member1 of the City").date3("On which day did they ask?", "2026-09-03")
    clerk.press("Open the application")
    hauler.go(APPLY).follow("Change your answers")
    looks_right(hauler)
    hauler.page.locator("fieldset.row-box").nth(2).get_by_label("Where it comes from").fill("Farms on Star Route")
    hauler.press("Accept and send the change")
    assert "Source 3: Where it comes from Farms Farms on Star Route" in hauler.text
    looks_right(hauler)
    clerk.go("/bayfield/clerk/filings").follow("O'Brien")
    assert "Source 3: Where it comes from Farms Farms on Star Route" in clerk.text
    looks_right(clerk)
    # Chromium logs the 401 of the sign-in page that answered the form, and the 409 of what had to be answered first.
    assert [one for one in hauler.trouble if "401" not in one and "409" not in one] + clerk.trouble == []


def test_after_the_close_the_hauler_asks_and_the_clerk_enters_paper(site, chrome):
    site.start("2026-09-02T00:01")
    hauler = Person(chrome, site, MAIL).sign_in().go(APPLY)
    hauler.follow("Ask the committee to take yours late")
    looks_right(hauler)
    hauler.press("Start the application").follow("Say what you plan to bring")
    source(hauler, 0, "Homes along County Road J", "12,000", "0")
    hauler.press("Save and continue").go(f"{APPLY}/late")
    looks_right(hauler)
    hauler.press("Ask the committee")
    assert errors(hauler) == ["Enter why your application comes late"]
    hauler.fill("Why does your application come late?", "I was ill.").press("Ask the committee")
    assert hauler.heading == "Late request sent"
    assert "2026-27/L-001" in hauler.text
    looks_right(hauler)

    clerk = Person(chrome, site, "clerk@city.example").sign_in().go("/bayfield/clerk/filings")
    assert "2026-27/L-001" in clerk.text
    clerk.follow("Enter a paper application")
    looks_right(clerk)
    clerk.date3("Date received", "2026-09-01").choose("A new company").fill("Company name", "Nguyễn Thị Hà Septic")
    clerk.fill("Mailing address", "3 Pine Road\nWashburn, WI 54891").fill("State that gave the license", "WI")
    clerk.fill("License number", "5100").date3("License end date", "2027-06-30")
    clerk.fill("Plate", "WI 77").fill("Tank size", "2,000")
    source(clerk, 1, "Homes", "5,000", "0")
    clerk.press("Enter the application")
    assert clerk.heading == "Application 2026-27/0001: Nguyễn Thị Hà Septic"
    assert "On paper, entered by Clerk of the City" in clerk.text
    looks_right(clerk)
    clerk.follow("Record the filing fee")
    looks_right(clerk)
    clerk.follow("The Council waived this fee")
    looks_right(clerk)
    clerk.fill("Resolution of the Council", "Resolution 2026-14").press("Record the waiver")
    assert "Complete. Sent, and the filing fee waived by Resolution 2026-14." in clerk.text
    clerk.go("/bayfield/clerk/filings")
    looks_right(clerk)
    assert hauler.trouble + clerk.trouble == []
