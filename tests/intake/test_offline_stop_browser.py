"""Everything stopped at once on a tablet without network: from the board and from the pages it keeps, in one tap."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from intake.models import Load, OfflineLoad
from intake.states import RunKind
from office.db import db
from tests.intake.gatehouse import good, log
from tests.intake.plant import hauler
from tests.intake.test_offline_browser import SIZE, Server, board_sent, started, taken_up
from tests.intake.test_running import pieces
from tests.intake.test_station_browser import SMALL

pytestmark = pytest.mark.browser
SENT = "async () => { while ((await StationOutbox.box.all()).length) await StationOutbox.work(); }"


@pytest.fixture
def server(app: Any, clock_at: Any) -> Iterator[Server]:
    clock_at("2026-10-06T07:10")
    made = Server(app)
    yield made
    made.stop()


@pytest.fixture
def driver() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


def at_the_gate(server: Server, driver: Any, folder: Any) -> tuple[Any, Any]:
    """A tablet that keeps its pages, at the board, with one truck that flows."""
    good(log(hauler("Northwoods Pumping", tank=2_000), 600, "2026-10-06T07:00"))
    db.session.commit()
    context = started(driver, folder)
    page = taken_up(context, server.site)
    page.wait_for_function("async () => Boolean(await caches.match('/bayfield/station/offline-run'))")
    return context, page


def test_one_tap_on_the_board_is_kept_said_and_sent_once(server, driver, tmp_path):
    context, page = at_the_gate(server, driver, tmp_path)
    server.away = True
    board_sent(page, "Stop everything")
    page.locator("#outbox").get_by_text("Everything stopped at 7:").wait_for()
    assert page.locator("#outbox .state-bar").first.inner_text().endswith(".m.: waiting to send")
    assert page.locator("#kept li").inner_text().splitlines()[1:2] == ["Not sent yet"]
    assert "Stop the trucks: it counts from the tap on." in page.locator("#saved").inner_text()
    server.away = False
    page.evaluate(SENT)
    page.locator("#sent").get_by_text("Ticket 2026-00001").wait_for()
    context.close()
    row, load = db.session.scalars(select(OfflineLoad)).one(), db.session.scalars(select(Load)).one()
    assert (row.state, row.stopped, row.sent["kind"]) == ("taken", [load.id], "stop_all")
    assert [one.startswith("rest") for one in pieces(load)] == [False, True]
    assert "The plant stops all unloading at once." in load.note
    assert RunKind.REST.value == "rest"


@pytest.mark.looks
def test_the_pages_a_tablet_keeps_stop_everything_in_one_tap_with_or_without_a_truck(server, driver, tmp_path):
    context, page = at_the_gate(server, driver, tmp_path)
    server.away = True
    for address in ("load", "offline-run", "stop-everything"):
        page.goto(f"{server.site}/bayfield/station/{address}")
        button = page.get_by_role("button", name="Stop everything")
        button.wait_for()
        for size in (
            {"width": 320, "height": 700},
            {"width": 1024, "height": 768},
            {"width": 1280, "height": 900},
            SIZE,
        ):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (address, size)
            assert button.bounding_box()["height"] >= 72
            assert page.evaluate(SMALL) == []
    button.click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    # More gallons are told on the same page as a pause.
    page.goto(f"{server.site}/bayfield/station/load/2026-00001/more")
    page.get_by_role("heading", name="Pause, stop or sign without network").wait_for()
    expect(page.get_by_role("radio", name="More gallons")).to_be_checked()
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#error-summary a")).to_have_text(["Enter how many gallons more, like 200"])
    page.get_by_label("Gallons more than logged").fill("50")
    page.get_by_role("button", name="Keep it").click()
    page.locator("#kept li", has_text="More gallons in load 2026-00001, 50 gallons more").wait_for()
    context.close()


def test_a_load_not_sent_yet_is_put_right_on_the_tablet(server, driver, tmp_path):
    hauler("Bay Septic", number=2, tank=2_000)
    context, page = at_the_gate(server, driver, tmp_path)
    site = server.site
    server.away = True
    page.goto(f"{site}/bayfield/station/load")
    page.locator("label.tile", has_text="Bay Septic").click()
    page.locator("label.tile", has_text="Septic tank").click()
    page.get_by_label("Gallons", exact=True).fill("300")
    page.get_by_label("Sample bottle").fill("1006-02")
    page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
    page.get_by_role("button", name="Keep this load").click()
    page.locator("#kept li").get_by_role("link", name="Correct it").click()
    page.get_by_label("Why is it corrected?").wait_for()
    page.get_by_role("button", name="Keep the correction").wait_for()
    assert [page.get_by_label(one, exact=True).input_value() for one in ("Gallons", "Driver")] == ["300", "Ann Nuñez"]
    assert page.locator("label.tile", has_text="Bay Septic").get_by_role("radio").is_checked()
    for size in ({"width": 320, "height": 700}, {"width": 1024, "height": 768}, {"width": 1280, "height": 900}, SIZE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
        assert page.evaluate(SMALL) == []
    page.get_by_label("Gallons", exact=True).fill("280")
    page.get_by_role("button", name="Keep the correction").click()
    page.locator("#error-summary a").wait_for()
    assert page.locator("#error-summary a").all_inner_texts() == ["Enter why it is corrected"]
    page.get_by_label("Why is it corrected?").fill("Meter misread")
    page.get_by_role("button", name="Keep the correction").click()
    page.locator("#kept li", has_text="280 gallons").get_by_text("Corrected: Meter misread It had said 300").wait_for()
    server.away = False
    page.evaluate(SENT)
    # What is sent is corrected here no more.
    page.goto(f"{site}/bayfield/station/offline?correct=T1-0001")
    page.get_by_role("heading", name="Sent: ticket 2026-00002").wait_for()
    context.close()
    load = db.session.scalars(select(Load).filter_by(slip="T1-0001")).one()
    assert (load.gallons, load.ticket) == (280, "2026-00002")
    assert "by Operator of the City: Gallons 280, not 300. Meter misread." in load.note
