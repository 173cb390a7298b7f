"""The station's board follows the plant in a real browser: what is new comes by itself, focus and typing stay."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from office.db import db
from tests import world
from tests.browser.site import FLAGS
from tests.intake.plant import book, hauler, session
from tests.machine import chromium

pytestmark = pytest.mark.browser
LOOK = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture
def page(app: Flask, clock_at: Any) -> Iterator[Any]:
    """The board at 6:40, read by the operator at a tablet."""
    from playwright.sync_api import sync_playwright

    clock_at("2026-10-06T06:40")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        made = browser.new_context(viewport={"width": 820, "height": 1180}).new_page()
        made.set_default_timeout(10_000)
        made.goto(f"http://127.0.0.1:{server.server_port}/sign-in")
        made.fill("[name=email]", "operator@city.example")
        made.fill("[name=password]", world.PASSWORD)
        made.keyboard.press("Enter")
        made.wait_for_url("**/bayfield/station")
        yield made
        browser.close()
    server.shutdown()
    thread.join()
    server.server_close()


def focus(page: Any) -> str:
    return str(page.evaluate("document.activeElement.textContent.trim()"))


def test_the_board_renews_itself_and_keeps_focus_and_typing(page, clock_at):
    assert page.locator("text=No loads booked today.").count() == 1
    page.focus("text=Refuse a load")
    book(hauler(), session("2026-10-06T07:00", 600))
    clock_at("2026-10-06T07:10")
    page.evaluate(LOOK)
    page.wait_for_selector("text=Test Pumping")
    assert page.inner_text("#clock h1") == "Tuesday, October 6, 2026, 7:10 a.m."
    assert page.inner_text("#state") == (
        "Open until 10:00 a.m. · 0 of 666 gallons an hour in use · 1,395 gallons left, largest load 1,387"
    )
    assert focus(page) == "Refuse a load"
    # Where somebody types, nothing is replaced, though all around it is.
    page.evaluate("document.querySelector('#board').insertAdjacentHTML('afterbegin', '<input id=typed>')")
    page.fill("#typed", "1,200")
    clock_at("2026-10-06T07:20")
    page.evaluate(LOOK)
    page.wait_for_selector("text=7:20 a.m.")
    assert (page.input_value("#typed"), page.evaluate("document.activeElement.id")) == ("1,200", "typed")
    # Without an answer, and once signed out, it says so and stops pretending.
    note = page.locator(".live-note")
    assert not note.is_visible()
    page.context.set_offline(True)
    page.evaluate(LOOK)
    note.filter(has_text="This page may be out of date: the plant's computer does not answer.").wait_for()
    page.context.set_offline(False)
    page.context.clear_cookies()
    page.evaluate(LOOK)
    note.filter(has_text="You were signed out. Sign in to go on").wait_for()
    db.session.rollback()
