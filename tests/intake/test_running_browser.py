"""The board while trucks unload, in a real browser: in view on a tablet, large targets, one tap each."""

import os
from typing import Any

import pytest

from intake.actions.running import change_rate
from tests import world
from tests.intake.gatehouse import booked, good, kept, log
from tests.intake.plant import book, hauler, session
from tests.intake.test_station_browser import BOX, SMALL, TABLETS, browser, site, tablet

__all__ = ["browser", "site"]
pytestmark = pytest.mark.browser
SHOTS = os.environ.get("SEPTAGE_SHOTS")


def arrange() -> None:
    """At 7:10 two trucks unload, one of them above the limit; another is booked at 8:00."""
    first, second = hauler("Northwoods Pumping"), hauler("Chequamegon Septic", number=2)
    booked(book(second, session("2026-10-06T08:00", 600)))
    load = good(log(first, 500, "2026-10-06T07:00"))
    good(kept(change_rate(load, 672, by=world.staff("operator"), at=world.at("2026-10-06T07:05"), law=world.law())))


def shot(page: Any, name: str) -> None:
    """A picture to look at, where a folder is named for it."""
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


@pytest.mark.looks
@pytest.mark.parametrize("size", [*TABLETS, (320, 700)], ids=["upright", "lying", "phone"])
def test_pause_and_resume_with_one_tap_each(browser, site, size):
    arrange()
    page = tablet(browser, site, size)
    shot(page, f"board-{size[0]}")
    load = "station/load/2026-00001"
    for path in ("station", f"{load}/rate", f"{load}/more", f"{load}/stop", "station/stop-everything", f"{load}/pause"):
        page.goto(f"{site}/bayfield/{path}")
        shot(page, f"{path.rsplit('/', 1)[-1]}-{size[0]}")
        assert page.evaluate(SMALL) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        if path.count("/") == 3 and size in TABLETS:
            assert page.locator(".save-bar button").evaluate(BOX) == [True, True, True], path
    page.goto(f"{site}/bayfield/station")
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("button", name="Resume").first.wait_for()
    shot(page, f"paused-{size[0]}")
    assert page.evaluate(SMALL) == []
    page.get_by_role("button", name="Resume", exact=True).click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    shot(page, f"again-{size[0]}")


def test_everything_is_stopped_without_script(browser, site):
    arrange()
    page = tablet(browser, site, TABLETS[1], script=False)
    page.get_by_role("button", name="Stop everything").click()
    page.get_by_role("button", name="Resume", exact=True).wait_for()
    page.get_by_role("button", name="Undo: let them go on").click()
    page.get_by_text("1 truck goes on.").wait_for()


@pytest.mark.looks
@pytest.mark.parametrize("size", TABLETS, ids=["upright", "lying"])
def test_the_boards_links_and_all_of_a_truck_that_runs_are_in_view(browser, site, size):
    good(log(hauler("Northwoods Pumping"), 500, "2026-10-06T07:00"))
    page = tablet(browser, site, size)
    page.goto(f"{site}/bayfield/station")
    shot(page, f"one-truck-{size[0]}")
    below = """() => [...document.querySelectorAll("#board > .buttons *, .cards li:first-child :is(a, button)")]
      .filter((one) => one.getBoundingClientRect().bottom > innerHeight).map((one) => one.textContent)"""
    assert page.evaluate(below) == []
    assert page.get_by_role("link", name="Blank tickets").is_visible()
