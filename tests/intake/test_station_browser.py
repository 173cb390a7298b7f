"""The station in a real browser: everything of one load in view, large targets, few taps, and usable without script."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from tests import world
from tests.intake.gatehouse import booked, good, log
from tests.intake.plant import book, hauler, session
from tests.machine import chromium

pytestmark = pytest.mark.browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-quic", "--no-first-run"]  # fmt: skip
TABLETS = [(820, 1180), (1024, 768)]
SMALL = """() => [...document.querySelectorAll(
    'main a, main button, main summary, main .tile, main .choice, main .form-control')]
  .filter(e => e.checkVisibility()).map(e => [e.textContent.trim().slice(0, 20), e.getBoundingClientRect()])
  .filter(([, r]) => r.width < 72 || r.height < 72).map(([words]) => words)"""
BOX = "e => { const r = e.getBoundingClientRect(); return [r.top >= 0, r.bottom <= innerHeight, r.height >= 72] }"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def site(app: Flask, clock_at: Any) -> Iterator[str]:
    clock_at("2026-10-06T07:10")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def tablet(browser: Any, site: str, size: tuple[int, int], script: bool = True) -> Any:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, java_script_enabled=script, has_touch=True
    )
    page = context.new_page()
    page.set_default_timeout(10_000)
    page.goto(f"{site}/sign-in")
    page.fill("[name=email]", "operator@city.example")
    page.fill("[name=password]", world.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/bayfield/**")
    page.goto(f"{site}/bayfield/station")
    return page


def arrange() -> None:
    who = hauler("Northwoods Pumping", tank=2_000)
    good(log(who, 100, "2026-10-05T07:00", bottle="1005-01"))
    booked(book(who, session("2026-10-06T07:45", 300)))
    booked(book(hauler("Chequamegon Septic", number=2), session("2026-10-06T09:15", 249)))


@pytest.mark.looks
@pytest.mark.parametrize("size", TABLETS, ids=["upright", "lying"])
def test_all_of_a_load_is_in_view_with_large_targets(browser, site, size):
    arrange()
    page = tablet(browser, site, size)
    assert page.evaluate(SMALL) == []
    page.get_by_role("link", name="Northwoods Pumping Truck").click()
    page.get_by_role("button", name="Save load").wait_for()
    assert page.evaluate(SMALL) == []
    assert page.get_by_role("button", name="Save load").evaluate(BOX) == [True, True, True]
    for label in ("Gallons", "pH", "Sample bottle", "Driver"):
        box = page.get_by_label(label, exact=label != "pH").first.bounding_box()
        bar = page.locator(".save-bar").bounding_box()
        assert box["y"] + box["height"] <= bar["y"], label
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Every tap but the digits of the keypad, counted by the pages themselves.
COUNTED = """addEventListener("click", (event) => {
  if (!event.isTrusted || event.target.closest("[data-key]")) return;
  sessionStorage.taps = 1 + Number(sessionStorage.taps || 0);
}, true)"""
TAPS = "Number(sessionStorage.taps || 0)"


def taps(page: Any, *names: str, digits: str) -> int:
    """Tap what has these names, then the digits, then save; the taps it took beside the digits. Each tap stands for a
    second and a half more of somebody's time, the digits' too: with them it is all done within a minute."""
    begun = time.monotonic()
    page.evaluate("sessionStorage.taps = 0")
    for name in names:
        page.get_by_role("link", name=name).first.tap()
    for key in digits:
        page.get_by_role("button", name=key, exact=True).tap()
    assert page.get_by_label("Gallons", exact=True).input_value() == digits
    page.get_by_role("button", name="Save load").tap()
    page.wait_for_url("**/station/load/2026-*")
    counted = int(page.evaluate(TAPS))
    assert time.monotonic() - begun + 1.5 * (counted + len(digits)) < 60
    return counted


def test_a_booked_load_is_two_taps_and_an_unbooked_one_four_beside_the_digits(browser, site):
    arrange()
    good(log(hauler("Third Pumping", number=3), 50, "2026-10-05T09:00", bottle="1005-02"))
    page = tablet(browser, site, TABLETS[0])
    page.add_init_script(COUNTED)
    page.reload()
    assert taps(page, "Northwoods Pumping Truck", digits="290") == 2
    assert page.locator(".ticket-number").inner_text() == "2026-00003"
    assert page.get_by_text("Tue, Oct 6: 7:45 to 8:13 a.m. at 622 gallons an hour").is_visible()
    page.get_by_role("link", name="Station").click()
    assert taps(page, "Log a load", "Third Pumping", "Septic tank", digits="40") == 4
    assert page.locator(".ticket-number").inner_text() == "2026-00004"


def test_the_station_works_without_script(browser, site):
    arrange()
    page = tablet(browser, site, TABLETS[1], script=False)
    page.get_by_role("link", name="Northwoods Pumping Truck").click()
    page.get_by_role("button", name="Save load").wait_for()
    assert page.locator(".keypad").is_hidden()
    page.get_by_label("Gallons", exact=True).fill("290")
    page.get_by_role("button", name="Save load").click()
    page.wait_for_url("**/station/load/2026-00002")


def test_the_lab_grid_goes_down_by_enter_and_back_by_escape(browser, site):
    arrange()
    who = hauler("Third Pumping", number=3)
    good(log(who, 50, "2026-10-05T09:00", bottle="1005-02"))
    page = tablet(browser, site, TABLETS[1])
    page.goto(f"{site}/bayfield/plant/lab")
    first, second = (page.get_by_label(f"BOD of load 2026-0000{n}") for n in (1, 2))
    first.fill("4,200")
    first.press("Enter")
    page.keyboard.type("<2")
    assert second.input_value() == "<2"
    second.press("Escape")
    assert (second.input_value(), first.input_value()) == ("", "4,200")
    # Two keys a pair beside the typing, and one more for all of them: the last Enter stands on the button that saves.
    first.focus()
    for typed in ("4,200", "3,900", "880", "910"):
        page.keyboard.press("Control+A")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_text("Results of 2 loads saved: 2026-00001, 2026-00002.").wait_for()


WIDE = """() => [...document.querySelectorAll('main .scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => e.getAttribute('aria-label'))"""


@pytest.mark.looks
def test_tables_of_loads_and_results_fit_a_phone(browser, site):
    good(log(hauler("Nuñez-Łukasik Septic and Sewer Service, L.L.C."), 300, waste="holding_tank"))
    page = tablet(browser, site, (320, 900))
    for path in ("plant/loads", "plant/lab", "station/load/2026-00001"):
        page.goto(f"{site}/bayfield/{path}")
        assert (path, page.evaluate(WIDE)) == (path, [])
    page.context.close()
