"""A company's own pages in a real browser: at every width, by keyboard, with files chosen and handed out."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from haulers.actions.drivers import list_driver
from haulers.queries import TruckLine
from haulers.queries.drivers import DriverLine
from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_pages import LOOK, RULES, WIDTHS
from tests.conftest import make_app
from tests.haulers.builders import acting, filed, hauler
from tests.office.samples import HTML, PDF

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("company-browser")]
NOW = "2026-08-10T09:00"
MINE = "o'brien@hauler.example"
LISTS = ("company", "license", "insurance", "trucks", "drivers", "files", "people")


@pytest.fixture(scope="module")
def open_site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url)
    with app.app_context(), clock.held(world.at(NOW)):
        trucks = TruckLine("WI 1234", 1500, "Big Red", "WI-0012345"), TruckLine("LONGPLATE-4711", 900)
        business = hauler(trucks=trucks)
        hauler("Second Septic", "second@hauler.example", trucks=(TruckLine("WI 1234", 1500),))
        list_driver(business, DriverLine("Nguyễn Thị Hà", "Master operator", "M-0047110815", None, True),
                    "ha.with.a.rather.long.address@hauler.example", world.PASSWORD, by=acting(business),
                    at=world.at(NOW))  # fmt: skip
        filed(business, at=NOW)
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start(NOW)
    with browser() as running:
        yield site, running
    site.stop()
    databases.drop(url)


@pytest.fixture
def owner(open_site):
    person = Person(open_site[1], open_site[0], MINE).sign_in()
    yield person
    assert person.trouble == []
    person.context.close()


def looked_at(person: Person, address: str) -> list[str]:
    """What is wrong with the look of a page at any width."""
    bad = []
    person.go(address)
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 900})
        look = person.page.evaluate(LOOK)
        if look["over"] > 0 or look["h1"] != 1 or any(look[k] for k in ("styled", "small", "low", "skipped")):
            bad.append(f"{address} at {width}: {look}")
    found = Axe().run(person.page, options=RULES).response["violations"]
    return bad + [f"{address}: axe {one['id']} {one['nodes'][0]['html'][:120]}" for one in found]


def chosen(person: Person, label: str, name: str, content: bytes, folder: Path) -> Person:
    """Choose a file in the browser's own picker."""
    path = folder / name
    path.write_bytes(content)
    person.page.get_by_label(label).set_input_files(path)
    return person


def hand_in(person: Person, what: str, name: str, content: bytes, folder: Path) -> Person:
    person.go("/bayfield/hauler/files").choose(what)
    return chosen(person, "File", name, content, folder).press("Hand in")


def test_files_are_told_before_and_after_and_wrong_ones_keep_what_was_chosen(owner, tmp_path):
    owner.go("/bayfield/hauler/files")
    assert "PDF, JPEG, PNG or HEIC, up to 10 MB" in owner.text
    hand_in(owner, "Insurance", "policy.pdf", HTML, tmp_path)
    said = "The file must be a PDF, JPEG, PNG or HEIC. What is inside policy.pdf is none of them"
    expect(owner.page.locator("#error-summary")).to_be_focused()
    assert owner.page.locator("#error-summary a").inner_text() == said
    owner.page.keyboard.press("Tab")
    owner.page.keyboard.press("Enter")
    expect(owner.page.locator("#file")).to_be_focused()
    assert owner.page.locator("input[value=insurance]").is_checked()
    hand_in(owner, "Insurance", "policy.pdf", PDF + b"x" * (40 * 1024 * 1024), tmp_path)
    assert "The file must be 10 MB or smaller. policy.pdf has 40.1 MB" in owner.text
    hand_in(owner, "Insurance", "Nguyễn policy.pdf", PDF, tmp_path)
    assert f"Nguyễn policy.pdf ({len(PDF)} bytes) is kept." in owner.text
    with owner.page.expect_download() as started:
        owner.page.get_by_role("link", name="Nguyễn policy.pdf", exact=True).click()
    assert started.value.suggested_filename == "Nguyễn policy.pdf"
    assert Path(started.value.path()).read_bytes() == PDF


def test_a_license_with_a_copy_and_a_wrong_date_keeps_the_rest_and_the_file(owner, tmp_path):
    owner.go("/bayfield/hauler/license").fill("State that gave the license", "WI").fill("License number", "4711")
    owner.date3("License end date", "2028-02-30")
    chosen(owner, "A copy of the license", "license.pdf", PDF, tmp_path).press("Save license")
    assert "License end date must be a real date" in owner.text
    assert f"Kept with this form: license.pdf, {len(PDF)} bytes." in owner.text
    assert owner.page.get_by_label("License number").input_value() == "4711"
    owner.date3("License end date", "2028-06-30").press("Save license")
    assert f"Your new license is kept. So is license.pdf ({len(PDF)} bytes)." in owner.text


@pytest.mark.looks
@pytest.mark.parametrize("name", LISTS)
def test_the_companys_lists_look_right_at_every_width(owner, name):
    assert looked_at(owner, f"/bayfield/hauler/{name}") == []


@pytest.mark.looks
def test_the_pages_behind_the_lists_look_right_at_every_width(owner):
    bad = []
    for name in LISTS[1:]:
        owner.go(f"/bayfield/hauler/{name}")
        links = owner.page.locator("main td a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        for address in links[:2]:
            bad += looked_at(owner, address)
    assert bad == []


def test_an_empty_driver_form_by_keyboard_leads_to_the_field(owner):
    owner.go("/bayfield/hauler/drivers").press("Add driver")
    assert owner.page.title().startswith("Error: ")
    owner.page.keyboard.press("Tab")
    owner.page.keyboard.press("Enter")
    expect(owner.page.locator("#name")).to_be_focused()


@pytest.mark.looks
def test_the_clerks_licenses_look_right_at_every_width(open_site):
    clerk = Person(open_site[1], open_site[0], "clerk@city.example").sign_in()
    bad = looked_at(clerk, "/bayfield/clerk/licenses")
    first = clerk.page.locator("main th a").first.get_attribute("href")
    assert bad + looked_at(clerk, str(first)) == []
    assert clerk.trouble == []
    clerk.context.close()


def test_form_sent_again_after_going_back_leads_to_what_it_did(owner: Person) -> None:
    owner.go("/bayfield/hauler/drivers").fill("Name", "Øyvind Ødegård").press("Add driver")
    there = owner.page.get_by_role("link", name="Change Øyvind Ødegård")
    expect(there).to_have_count(1)
    owner.page.go_back()
    expect(owner.page.get_by_label("Name").first).to_have_value("Øyvind Ødegård")
    owner.press("Add driver")
    expect(owner.page.get_by_role("status")).to_have_text("You already sent this. This is what it did the first time.")
    expect(there).to_have_count(1)
    # The next one, typed into the page that shows the list, is another.
    owner.fill("Name", "Åse Ødegård").press("Add driver")
    expect(owner.page.get_by_role("link", name="Change Åse Ødegård")).to_have_count(1)
