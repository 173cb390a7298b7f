"""The pages of the flow in a real browser: at every width, clean to axe, a workbook chosen, seen and taken in."""

from datetime import date, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from openpyxl import Workbook

from intake.actions.flow_readings import import_flow
from office import clock
from office.access import system
from office.db import db
from office.plants import set_plant_row
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_pages import LOOK, RULES, WIDTHS
from tests.conftest import make_app
from tests.intake.plant import MORNING, TUESDAY, book, hauler, session

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("flow-browser")]
NOW = "2026-10-06T08:12"
HAULER = "Northwoods Pumping and Portable Restrooms of Bayfield County"


@pytest.fixture(scope="module")
def open_site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url)
    with app.app_context(), clock.held(world.at(NOW)):
        set_plant_row(world.plant(), "rate.own_high_flow_gpd", 300_000, TUESDAY, "Order 4", by=world.staff("director"),
                      at=MORNING)  # fmt: skip
        book(hauler(HAULER), session("2026-10-07T07:00", 300))
        rows = [(date(2026, 8, 1) + timedelta(days=n), 150_000 + n * 7_919 % 30_000) for n in range(60)]
        odd = [(date(2026, 10, 4), 8_270_000), (date(2026, 10, 5), "NODI"), (TUESDAY, 310_000)]
        import_flow(world.plant(), [*rows, *odd], "flow.csv", by=system(), at=world.at(NOW))
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start(NOW)
    with browser() as running:
        yield site, running
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


@pytest.mark.looks
def test_the_pages_of_the_flow_fit_every_width(open_site):
    site, running = open_site
    visitor, director = Person(running, site, None), Person(running, site, "director@city.example").sign_in()
    bad = looked_at(visitor.go("/bayfield/flow"))
    for address in ("/director/flow", "/plant/flow", "/plant/flow/61", "/plant/flow/import"):
        bad += looked_at(director.go(f"/bayfield{address}"))
    director.go("/bayfield/director/flow").fill("Flow, gallons a day", "125,000").date3("In force from", "2026-10-08")
    director.fill("Order or resolution", "Order 12").press("See the limit it gives")
    bad += looked_at(director)
    director.press("Put this flow in force")
    assert director.heading == "Flow in force from October 8, 2026"
    assert bad + looked_at(director) + visitor.trouble + director.trouble == []


def test_a_workbook_is_chosen_mended_seen_and_taken_in(open_site, tmp_path):
    site, running = open_site
    operator, place = Person(running, site, "operator@city.example").sign_in(), tmp_path / "flow.xlsx"

    def choose(cell):
        book_ = Workbook()
        for row in (["Date", "Flow (MGD)"], [date(2026, 7, 1), 0.162], [date(2026, 7, 2), cell]):
            book_.active.append(row)
        book_.save(place)
        operator.page.get_by_label("File of daily flow").set_input_files(place)
        operator.press("See what the file does")

    operator.go("/bayfield/plant/flow").follow("Import a file instead")
    choose("0.1.62")
    assert "3 B (Flow (MGD)) '0.1.62' is not a flow" in operator.text
    bad = looked_at(operator)
    choose(0.159)
    bad += looked_at(operator)
    operator.press("Take in 2 days")
    assert "2 days taken in." in operator.text
    assert bad + operator.trouble == []
