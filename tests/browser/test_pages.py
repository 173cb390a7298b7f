"""Every kind of page of the season in a real browser at 320, 820 and 1280 px: no sideways scroll, axe clean."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from intake import sample
from intake.sample.cast import PASSWORD
from office.db import db
from tests.browser.site import Person, Site, browser
from tests.conftest import make_app
from tests.flows.test_forms import walk
from tests.flows.test_links import PEOPLE, shape

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("season")]
WIDTHS = (320, 820, 1280)
# What passes is not listed: it is most of the answer.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
         "resultTypes": ["violations"]}  # fmt: skip
LOOK = """() => ({
  over: document.documentElement.scrollWidth - innerWidth,
  h1: document.querySelectorAll('h1').length,
  styled: document.querySelectorAll('[style]').length,
  small: [...document.querySelectorAll(
      'main button, main .btn, main input:not([type=hidden]), main select, main textarea')]
    .filter(e => e.offsetParent && !e.closest('.visually-hidden, .choice, .tile'))
    .filter(e => Math.min(e.offsetWidth, e.offsetHeight) < 24).map(e => e.outerHTML.slice(0, 90)),
  low: [...document.querySelectorAll('.btn')].filter(e => e.offsetParent && e.offsetHeight < 44)
    .map(e => e.outerHTML.slice(0, 90)),
  skipped: [...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])
    .some((level, i, all) => i && level > all[i - 1] + 1),
})"""


@pytest.fixture(scope="module")
def open_site(databases, season_base):
    url = databases.create(like=season_base)
    site = Site(url)
    site.start(sample.NOW)
    with browser() as running:
        yield site, running, url
    site.stop()
    databases.drop(url)


@pytest.fixture(scope="module")
def addresses(open_site):
    """One address of each kind of page for each person, a kind met before left out."""
    app = make_app(open_site[2], SEPTAGE_CLOCK=sample.NOW)
    kinds, found = set(), {}
    with app.app_context():
        for who in PEOPLE:
            for _client, address, _page in walk(app, who):
                if shape(address) not in kinds and not address.endswith((".json", ".txt", ".atom", ".pdf", "/pdf")):
                    kinds.add(shape(address))
                    found.setdefault(who, []).append(address)
        db.session.remove()
        db.engine.dispose()
    return found


@pytest.mark.looks
@pytest.mark.parametrize("who", PEOPLE)
def test_pages_look_right_at_every_width(open_site, addresses, who):
    site, running, _url = open_site
    person = Person(running, site, PEOPLE[who], PASSWORD)
    if PEOPLE[who]:
        person.sign_in()
    bad = []
    for address in addresses.get(who, []):
        person.go(address)
        for width in WIDTHS:
            person.page.set_viewport_size({"width": width, "height": 900})
            look = person.page.evaluate(LOOK)
            if look["over"] > 0 or look["h1"] != 1 or any(look[k] for k in ("styled", "small", "low", "skipped")):
                bad.append(f"{address} at {width}: {look}")
        found = Axe().run(person.page, options=RULES).response["violations"]
        bad += [f"{address}: axe {one['id']} {one['nodes'][0]['html'][:120]}" for one in found]
    assert bad == []
    assert person.trouble == []
    person.context.close()


def test_first_tab_is_the_skip_link_and_leads_into_main(open_site):
    site, running, _url = open_site
    person = Person(running, site, None).go("/bayfield/")
    person.page.keyboard.press("Tab")
    assert person.page.evaluate("document.activeElement.innerText") == "Skip to main content"
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#main")).to_be_focused()
    person.context.close()


def test_public_pages_and_booking_work_without_script(open_site):
    site, running, _url = open_site
    context = running.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.address + "/sign-in")
    page.locator("main [name=email]").fill("hauler@sample.example")
    page.locator("main [name=password]").fill(PASSWORD)
    with page.expect_navigation():
        page.locator("main button[type=submit]").click()
    page.goto(site.address + "/bayfield/hauler/book")
    with page.expect_navigation():
        page.locator("main form button[type=submit]").last.click()
    page.locator("h1", has_text="When will you unload?").wait_for()
    assert page.locator("main input[type=radio]").count() > 0
    context.close()
