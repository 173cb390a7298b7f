"""Booking in a real browser: the usual load in four clicks, again in two, a move by keyboard, no page too wide."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from intake.actions.booking import cancel_booking
from intake.actions.waiting import ask_to_wait
from office.db import db
from tests import world
from tests.intake.plant import MORNING, TUESDAY, Hauler, book, hauler, session
from tests.machine import chromium

pytestmark = pytest.mark.browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-quic", "--no-first-run"]  # fmt: skip
WIDTHS = (320, 820, 1280)
WIDE = """() => document.documentElement.scrollWidth > innerWidth ||
  [...document.querySelectorAll('main .scroll')].some(e =>
    e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def site(app: Flask, clock_at: Any) -> Iterator[str]:
    clock_at("2026-10-05T16:00")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def signed_in(browser: Any, site: str, email: str, home: str, width: int = 1280) -> Any:
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_default_timeout(20_000)
    # What this test read itself must not keep the server waiting for the database.
    db.session.remove()
    page.goto(f"{site}/sign-in")
    page.fill("[name=email]", email)
    page.fill("[name=password]", world.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/bayfield/**")
    page.goto(f"{site}{home}")
    return page


class Clicks:
    """Clicks a person makes, counted."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def on(self, role: str, name: str) -> "Clicks":
        with self.page.expect_navigation():
            self.page.locator("main").get_by_role(role, name=name).first.click()
        self.count += 1
        return self


def story(who: Hauler) -> None:
    """Tuesday is full; somebody waits for it; it is given back."""
    full = hauler("Full Pumping", number=9)
    booking: Any = book(full, session("2026-10-06T07:00", 1_998))
    ask_to_wait(world.plant(), who.business_id, who.truck_id, "septic_tank", 600, TUESDAY, TUESDAY, by=who.by,
                at=MORNING, law=world.law())  # fmt: skip
    db.session.commit()
    cancel_booking(world.plant(), booking.id, "", by=full.by, at=MORNING, law=world.law())
    db.session.commit()


def test_the_usual_load_takes_four_clicks_again_two_and_moving_it_goes_by_keyboard(browser: Any, site: str) -> None:
    who = hauler(tank=600)
    page = signed_in(browser, site, who.email, "/bayfield/hauler")
    usual = Clicks(page).on("link", "Book a time to unload").on("button", "See times").on("button", "Continue")
    usual.on("button", "Confirm booking")
    assert (usual.count, page.locator("h1").inner_text()) == (4, "Booked")
    page.goto(f"{site}/bayfield/hauler")
    again = Clicks(page).on("link", "Book again as last time").on("button", "Confirm booking")
    assert (again.count, page.locator("h1").inner_text()) == (2, "Booked")
    page.goto(f"{site}/bayfield/bookings/B-1006-02/move/times?part=all&day=2026-10-07")
    page.locator("[name=time]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/move/check*")
    page.get_by_role("button", name="Move the booking").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/hauler/bookings/B-1006-02")
    assert "Wednesday, October 7, 7:15 to 8:10 a.m." in page.locator("main").inner_text()


@pytest.mark.looks
def test_no_page_of_a_bookings_life_is_wider_than_its_window(browser: Any, site: str) -> None:
    who = hauler()
    story(who)
    book(who, session("2026-10-07T07:00", 600))
    own = ("hauler", "hauler/waiting", "waiting/offers/1", "waiting/1/leave", "bookings/B-1007-01/move/times",
           "hauler/bookings/B-1007-01", "hauler/bookings/B-1007-01/cancel",
           f"hauler/waiting/ask?truck={who.truck_id}&gallons=600&waste=septic_tank")  # fmt: skip
    desk = ("plant/bookings", "plant/bookings/B-1007-01", "plant/waiting", "plant/phone",
            f"plant/phone/{who.business_id}", "bookings/B-1007-01/move/times")  # fmt: skip
    wide = []
    for width in WIDTHS:
        for email, paths in ((who.email, own), ("operator@city.example", desk)):
            page = signed_in(browser, site, email, "/bayfield/", width)
            for path in paths:
                answer = page.goto(f"{site}/bayfield/{path}")
                assert answer.status == 200, path
                if page.evaluate(WIDE):
                    wide.append((width, path))
    assert wide == []
