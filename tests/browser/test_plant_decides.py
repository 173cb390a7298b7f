"""The Director restricts by keyboard, closes part of a day and lowers the limit in a real browser, at every width."""

import pytest

from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_company import looked_at
from tests.conftest import make_app
from tests.intake.plant import book, code, hauler, session

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("plant-decides-browser")]
NOW = "2026-10-06T06:30"


@pytest.fixture(scope="module")
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url)
    with app.app_context(), clock.held(world.at(NOW)):
        who = hauler(wastes=("septic_tank", "holding_tank"))
        assert code(book(who, session("2026-10-06T09:00", 300), waste="holding_tank")) == "booked B-1006-01"
        assert code(book(who, session("2026-10-07T07:00", 1_800))) == "booked B-1007-01"
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    yield site
    site.stop()
    databases.drop(url)


def test_the_director_restricts_by_keyboard_closes_part_of_a_day_and_lowers_the_limit(site):
    site.start(NOW)
    with browser() as chrome:
        person = Person(chrome, site, "director@city.example").sign_in()
        page = person.go("/bayfield/director/restrict").page
        page.locator("summary", has_text="Change what is restricted").focus()
        page.keyboard.press("Enter")
        page.get_by_role("radio", name="All unloading").focus()
        page.keyboard.press("ArrowDown")
        page.get_by_role("checkbox", name="Holding tank").focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="See what this meets").focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Nothing is restricted yet").wait_for()
        assert "This stops holding tank waste now, holds 1 booking" in person.text
        page.get_by_role("button", name="Operational problem").focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Septage is restricted").wait_for()
        assert "B-1006-01" in person.text
        made = [page.url.removeprefix(site.address)]
        person.go("/bayfield/director/close").date3("Day", "2026-10-07").fill("Closed from", "7:00 a.m.")
        person.fill("Closed until", "8:00 a.m.").fill("Name or reason", "Pump").press("Put this day on the calendar")
        assert "1 booking would lose its time" in person.text
        person.choose("Take these times away").press("Put this day on the calendar")
        assert "Closed 7:00 a.m. to 8:00 a.m." in person.text
        closure = page.url.removeprefix(site.address)
        made += [closure, f"{closure}/remove"]
        person.go("/bayfield/director/capacity/ceiling").fill("own limit", "500").fill("Order", "Order 12")
        person.press("See the limit it gives").press("Put this order in force")
        assert "500 gallons an hour" in person.text
        pages = ("restrict", "schedule", "close", "holidays", "lost", "capacity", "capacity/lower", "capacity/ceiling",
                 "capacity/ceiling/withdraw")  # fmt: skip
        made += [f"/bayfield/director/{one}" for one in pages]
        assert [bad for one in made for bad in looked_at(person, one)] == []
        assert person.trouble == []
