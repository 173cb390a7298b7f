"""Laws, mixed loads, costs and deposits in a real browser: by keyboard alone, and clean at every width."""

from typing import Any

import pytest

from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_special import looked_at
from tests.conftest import make_app
from tests.intake.gatehouse import booked
from tests.intake.plant import book, hauler, session
from tests.intake.test_charged_ways import at_town
from tests.ordinances.town import item

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("laws-browser")]
NOW = "2026-10-06T07:01"
MOST_TABS = 90
PASSED_ON = item("lab", "at_cost", 'cost = "lab"') + item("keys", "deposit", 'price = "100.00"\nper = "truck"')
# What the focus is on: the text of a link or a button, else the words of the label.
FOCUSED = """() => { const e = document.activeElement;
  return (e.labels && e.labels.length ? e.labels[0].innerText : e.innerText || '').trim().replace(/\\s+/g, ' '); }"""


@pytest.fixture(scope="module")
def running():
    with browser() as found:
        yield found


def opened(databases: Any, base: str, make: Any) -> tuple[Site, Any]:
    """A site of a plant made so, and what was made."""
    url = databases.create(like=base)
    with make_app(url).app_context(), clock.held(world.at(NOW)):
        found = make()
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start(NOW)
    return site, found


def closed(databases: Any, site: Site) -> None:
    site.stop()
    databases.drop(site.database)


def tab_to(who: Person, words: str) -> None:
    """Press Tab until the focus is on what is called so."""
    for _ in range(MOST_TABS):
        who.page.keyboard.press("Tab")
        if who.page.evaluate(FOCUSED).startswith(words):
            return
    raise AssertionError(f"no Tab leads to {words}: {who.tell()}")


def typed(who: Person, words: str, value: str) -> None:
    tab_to(who, words)
    who.page.keyboard.press("Control+A")
    who.page.keyboard.type(value)


def entered(who: Person, words: str) -> None:
    """Go to a link or button by Tab, and press Enter."""
    tab_to(who, words)
    with who.page.expect_navigation():
        who.page.keyboard.press("Enter")


def test_a_law_is_changed_told_put_in_force_and_taken_back_by_keyboard(databases, bayfield_base, running):
    site, _ = opened(databases, bayfield_base, hauler)
    try:
        clerk = Person(running, site, "clerk@city.example").sign_in().go("/bayfield/admin/law")
        bad = looked_at(clerk)
        entered(clerk, "Change amounts")
        bad += looked_at(clerk)
        entered(clerk, "See what it changes")
        # The focus is on what is wrong, and its first line leads to the box.
        assert clerk.page.evaluate("document.activeElement.id") == "error-summary"
        entered_box = clerk.page.evaluate("document.querySelector('#error-summary a').getAttribute('href')")
        assert entered_box == "#since-month"
        bad += looked_at(clerk)
        typed(clerk, "Septage unloaded", "0.026")
        for box, value in (("Month", "12"), ("Day", "5"), ("Year", "2026")):
            typed(clerk, box, value)
        typed(clerk, "By which resolution", "Ordinance 401 of October 5, 2026")
        typed(clerk, "Which costs", "Power and staff of 2026")
        entered(clerk, "See what it changes")
        assert clerk.heading == "Ordinance 401 of October 5, 2026"
        assert "It raises charges, and cannot start on December 5, 2026 yet" in clerk.text
        bad += looked_at(clerk)
        entered(clerk, "Tell 1 hauler that it starts on December 5, 2026")
        assert "The haulers are told." in clerk.text
        entered(clerk, "Put it in force from that day")
        assert "Adopted, in force from Saturday, December 5, 2026" in clerk.text
        bad += looked_at(clerk)
        entered(clerk, "Take it back before its day")
        bad += looked_at(clerk)
        typed(clerk, "Why is it taken back?", "The Council voted again")
        entered(clerk, "Take it back")
        assert "The version is taken back. The law before it goes on." in clerk.text
        assert "Taken back on October 6, 2026 by Clerk of the City: The Council voted again" in clerk.text
        bad += looked_at(clerk)
        assert bad + clerk.trouble == []
        clerk.context.close()
    finally:
        closed(databases, site)


def test_every_kind_of_a_mixed_load_its_costs_and_deposits_at_every_width(databases, bayfield_base, running, tmp_path):
    def made() -> str:
        who = at_town(tmp_path, "marshalltown", PASSED_ON)
        return booked(book(who, [session("2026-10-06T07:00", 1000)])).number

    site, number = opened(databases, bayfield_base, made)
    try:
        operator = Person(running, site, "operator@city.example").sign_in()
        operator.go(f"/bayfield/station/load?booking={number}")
        operator.page.get_by_text("What else is in it").click()
        bad = looked_at(operator)
        main = operator.page.locator("main")
        for n, (kind, gallons) in enumerate((("Holding tank", "300"), ("Grease interceptor", "100"))):
            if n:
                main.get_by_text("One more kind in the same load").nth(n - 1).click()
            group = main.get_by_role("radiogroup", name="Which other kind is in it?").nth(n)
            group.locator("label", has_text=kind).click()
            operator.fill("Of the gallons, of that kind", gallons, n)
            zone = main.get_by_role("radiogroup", name="Where is that kind from?").nth(n)
            zone.locator("label", has_text="Outside").click()
        main.get_by_role("radiogroup", name="Where is the waste from?").locator("label", has_text="In city").click()
        bad += looked_at(operator)
        operator.fill("Driver", "Ann").press("Save load")
        assert "$270.00" in operator.text
        clerk = Person(running, site, "clerk@city.example").sign_in()
        for address in ("/bayfield/plant/loads/2026-00001/costs", "/bayfield/clerk/ledger?hauler=zz",
                        "/bayfield/clerk/accounts/1", "/bayfield/fees", "/bayfield/clerk/ledger/export"):  # fmt: skip
            bad += looked_at(clerk.go(address))
        assert bad + operator.trouble + clerk.trouble == []
    finally:
        closed(databases, site)
