"""Special times in a real browser: asked with the charge shown, approved in two clicks, clean at every width."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_pages import LOOK, RULES, WIDTHS
from tests.conftest import make_app
from tests.intake.plant import hauler
from tests.intake.specials import working_hours

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("special-browser")]
NOW = "2026-10-05T16:00"
HAULER = "Northwoods Pumping and Portable Restrooms of Bayfield County"


@pytest.fixture(scope="module")
def open_site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url)
    with app.app_context(), clock.held(world.at(NOW)):
        working_hours()
        email = hauler(HAULER).email
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start(NOW)
    with browser() as running:
        yield site, running, email
    site.stop()
    databases.drop(url)


def looked_at(person: Person) -> list[str]:
    """What is wrong with the look of the page now open, at any width."""
    bad = []
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 900})
        look = person.page.evaluate(LOOK)
        if look["over"] > 0 or look["h1"] != 1 or any(look[k] for k in ("styled", "small", "low", "skipped")):
            bad.append(f"{person.page.url} at {width}: {look}")
    found = Axe().run(person.page, options=RULES).response["violations"]
    return bad + [f"{person.page.url}: axe {one['id']} {one['nodes'][0]['html'][:120]}" for one in found]


def test_hauler_asks_and_director_approves_in_two_clicks(open_site):
    site, running, email = open_site
    who = Person(running, site, email).sign_in().go("/bayfield/hauler/special")
    bad = looked_at(who)
    who.date3("Day", "2026-10-06").fill("Time to begin", "7:30 am").fill("Gallons", "600")
    who.fill("Why it cannot come in the unloading hours", "A tank is full").press("See what it costs")
    assert "is inside the unloading hours, 7:00 a.m. to 10:00 a.m.: book it." in who.text
    bad += looked_at(who)
    # Enter in a field works it out and sends nothing.
    who.fill("Gallons", "1,500").fill("Time to begin", "2 pm")
    with who.page.expect_navigation():
        who.page.get_by_label("Time to begin").press("Enter")
    assert "Total $128.16" in who.text
    bad += looked_at(who)
    who.press("Accept this charge and send")
    assert who.heading == "Special time S-1006-01"
    bad += looked_at(who)
    director = Person(running, site, "director@city.example").sign_in()
    assert director.heading == "Plant today"
    director.follow("Special time Tue, Oct 6").press("Approve")
    assert "Request S-1006-01 is approved in writing." in director.text
    bad += looked_at(director)
    bad += looked_at(director.go("/bayfield/director/special"))
    bad += looked_at(director.go("/bayfield/director/special/terms"))
    assert bad + who.trouble + director.trouble == []
    assert director.fetch("/bayfield/director/special/S-1006-01/letter.pdf").body()[:5] == b"%PDF-"
