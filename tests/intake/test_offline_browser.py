"""A tablet in a real browser without network: loads are kept, survive its end, and arrive once, in order."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import expect
from sqlalchemy import select
from werkzeug.serving import make_server

from billing.queries import entries_of
from intake.actions.tablets import enrol_tablet, revoke_tablet
from intake.models import Load, OfflineLoad, Tablet
from intake.queries import loads, signatures, tablets
from office.db import db
from tests import world
from tests.intake.gatehouse import booked, good, log
from tests.intake.offline import KEY
from tests.intake.plant import book, hauler, session
from tests.intake.test_station_browser import BOX, FLAGS, SMALL
from tests.machine import chromium

pytestmark = pytest.mark.browser
SIZE = {"width": 820, "height": 1180}
READY = """async () => {
  while (!await caches.match("/bayfield/station/offline")) await new Promise(soon => setTimeout(soon, 100));
}"""

# Eighteen more as the form keeps them, without opening it anew each time.
MORE = """async () => {
  const form = document.querySelector("form[data-outbox]");
  for (let count = 3; count <= 20; count += 1) {
    const fields = new FormData(form);
    for (const [name, value] of Object.entries({ visit: form.querySelector("#visit-t1").value, waste: "septic_tank",
      gallons: String(100 + count), bottle: `1006-${String(count).padStart(2, "0")}`, driver: "Ann Nuñez",
      client_id: `more-loads-${count}` })) fields.set(name, value);
    fields.delete("on_duty");
    await StationOutbox.box.keep(StationOutbox.written(fields, location));
  }
}"""

# A quarter of an hour between each and the next: a truck's second load at one time waits for a person.
APART = """() => new Promise(done => {
  const asked = indexedDB.open("outbox-bayfield");
  asked.onsuccess = () => {
    const work = asked.result.transaction("loads", "readwrite"), loads = work.objectStore("loads");
    loads.getAll().onsuccess = ({ target }) => target.result.forEach((one, n) =>
      loads.put({ ...one, at: new Date(Date.parse(one.at) - (19 - n) * 900000).toISOString() }));
    work.oncomplete = () => { asked.result.close(); done(); };
  };
})"""


class Server:
    """The server behind a proxy that says so while it is ``away``."""

    def __init__(self, app: Flask) -> None:
        self.app, self.away = app, False
        self.made = make_server("127.0.0.1", 0, self.answer, threaded=True)
        self.thread = threading.Thread(target=self.made.serve_forever)
        self.thread.start()
        self.site = f"http://127.0.0.1:{self.made.server_port}"

    def answer(self, environ: Any, start: Any) -> Any:
        if not self.away:
            return self.app(environ, start)
        start("502 Bad Gateway", [("Content-Type", "text/plain")])
        return [b"away"]

    def stop(self) -> None:
        self.made.shutdown()
        self.thread.join()
        self.made.server_close()


@pytest.fixture
def server(app: Flask, clock_at: Any) -> Iterator[Server]:
    clock_at("2026-10-06T07:10")
    made = Server(app)
    yield made
    made.stop()


@pytest.fixture
def driver() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


def started(driver: Any, folder: Path) -> Any:
    context = driver.chromium.launch_persistent_context(
        str(folder), executable_path=chromium(), args=FLAGS, viewport=SIZE, base_url="http://127.0.0.1")  # fmt: skip
    context.set_default_timeout(10_000)
    return context


def taken_up(context: Any, site: str) -> Any:
    """The tablet enrolled by its link, the operator signed in at the station, and what it needs kept."""
    row = good(enrol_tablet(world.plant(), "Gate tablet", KEY, by=world.staff("manager"), at=world.START))
    link = tablets.shown_link(row, KEY, world.START)
    row.link_until = world.at("2026-10-07T07:00")
    db.session.commit()
    page = context.pages[0]
    page.goto(f"{site}/bayfield/station/enrol/{link}")
    page.get_by_role("button", name="This is Gate tablet (T1)").click()
    page.get_by_text("This is tablet T1: loads are kept on it").wait_for()
    page.goto(f"{site}/sign-in")
    page.fill("[name=email]", "operator@city.example")
    page.fill("[name=password]", world.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/bayfield/**")
    page.goto(f"{site}/bayfield/station")
    page.evaluate(READY)
    return page


def write(page: Any, site: str, count: int, gallons: int) -> None:
    """One load without network, in the page the tablet keeps."""
    page.goto(f"{site}/bayfield/station/load")
    page.locator("label.tile", has_text="not booked").click()
    page.locator("label.tile", has_text="Septic tank").click()
    page.get_by_label("Gallons", exact=True).fill(str(gallons))
    page.get_by_label("Sample bottle").fill(f"1006-{count:02d}")
    page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
    page.get_by_role("button", name="Keep this load").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()


def test_loads_kept_without_network_outlive_the_browser_and_arrive_once_in_order(server, driver, tmp_path):
    who = hauler("Northwoods Pumping", tank=2_000)
    site = server.site
    context = started(driver, tmp_path)
    page = taken_up(context, site)
    context.set_offline(True)
    for count in (1, 2):
        write(page, site, count, 100 + count)
    page.goto(f"{site}/bayfield/station/load")
    page.evaluate(MORE)
    page.evaluate(APART)
    page.goto(f"{site}/bayfield/station/on-tablet")
    page.get_by_text("20 loads waiting to send").wait_for()
    assert page.locator("#outbox p").first.inner_text() == "20 loads waiting to send"
    assert page.locator("#kept li").first.inner_text().splitlines()[:2] == ["Slip T1-0001", "Ticket number follows"]
    context.close()
    # The browser is opened anew; the network comes back and breaks off in the middle of the sending, twice.
    context, cut = started(driver, tmp_path), [0]
    page = context.pages[0]

    def broken(route: Any) -> None:
        cut[0] += 1
        if cut[0] == 5:
            route.abort()
        elif cut[0] == 9:
            # It arrives, only its answer does not.
            route.fetch()
            route.abort()
        else:
            route.continue_()

    context.route("**/station/outbox", broken)
    page.goto(f"{site}/bayfield/station/on-tablet")
    # What it does each half minute, until nothing is left.
    page.evaluate("async () => { while ((await StationOutbox.box.all()).length) await StationOutbox.work(); }")
    page.get_by_text("No load waits on this tablet.").wait_for()
    assert page.locator("#sent li").first.inner_text().splitlines()[:2] == ["Slip T1-0020", "Ticket 2026-00020"]
    context.close()
    rows = db.session.scalars(select(Load).order_by(Load.ticket)).all()
    assert [(one.slip, one.gallons) for one in rows] == [(f"T1-{n:04d}", 100 + n) for n in range(1, 21)]
    assert {one.logged_by for one in rows} == {"Operator of the City"}
    cents = [sum(entry.amount_cents for entry in entries_of("load", one.id)) for one in rows]
    assert cents == [round(2.4 * (100 + n) + 1e-9) + 1_216 for n in range(1, 21)]
    assert who.business_id == rows[0].business_id
    assert {one.state for one in db.session.scalars(select(OfflineLoad))} == {"taken"}


@pytest.mark.looks
def test_load_that_does_not_arrive_is_kept_by_the_worker_and_no_page_outlives_the_sign_out(server, driver, tmp_path):
    who = hauler("Northwoods Pumping", tank=2_000)
    booked(book(who, session("2026-10-06T07:45", 300)))
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    page.get_by_role("link", name="Northwoods Pumping Truck").click()
    page.get_by_role("button", name="Save load").wait_for()
    context.set_offline(True)
    page.get_by_role("button", name="Save load").click()
    expect(page.locator("#error-summary a")).to_have_text(["Enter the driver's name"])
    # The browser thinks it has a network, and nobody answers.
    context.set_offline(False)
    server.away = True
    page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
    page.get_by_role("button", name="Save load").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    assert page.locator("#kept li").inner_text().splitlines()[3] == "Northwoods Pumping Truck · 7:45 a.m. · 300 gal"
    page.goto(f"{site}/bayfield/station")
    page.get_by_text("1 load waiting to send").wait_for()
    page.get_by_role("heading", name="Log a load without network").wait_for()
    assert page.evaluate(SMALL) == []
    assert page.get_by_role("button", name="Keep this load").evaluate(BOX) == [True, True, True]
    server.away = False
    page.evaluate("StationOutbox.work()")
    page.get_by_text("1 load waiting to send").wait_for(state="detached")
    assert [(one.state, one.why) for one in db.session.scalars(select(OfflineLoad))] == [("taken", "")]
    [row] = db.session.scalars(select(Load)).all()
    assert (row.slip, row.gallons, row.booking_id is not None, row.logged_by) == (
        "T1-0001", 300, True, "Operator of the City")  # fmt: skip
    db.session.rollback()
    page.goto(f"{site}/bayfield/station")
    page.evaluate(READY)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").wait_for()
    assert page.evaluate("caches.keys().then(names => names.filter(one => one.endsWith('-pages')))") == []
    tablet = db.session.scalars(select(Tablet)).one()
    good(revoke_tablet(tablet, "Lost", by=world.staff("manager"), at=world.at("2026-10-06T07:10")))
    db.session.commit()
    page.goto(f"{site}/bayfield/station/on-tablet")
    page.get_by_text("This tablet is revoked: it keeps no more loads without network.").wait_for()
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0
    context.close()


def signed_in(page: Any, site: str, role: str) -> None:
    page.goto(f"{site}/sign-in")
    page.fill("[name=email]", f"{role}@city.example")
    page.fill("[name=password]", world.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/bayfield/**")


def test_load_names_nobody_of_another_sign_in_and_whom_it_names_is_shown(server, driver, tmp_path):
    hauler("Northwoods Pumping", tank=2_000)
    world.staff("director")
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    context.set_offline(True)
    page.goto(f"{site}/bayfield/station/load")
    page.locator("#duty-known").wait_for()
    assert page.locator("#duty-known").inner_text() == "On duty: Operator of the City\nChange"
    context.set_offline(False)
    # Her sign-in ends without "Sign out"; the director signs in and never opens the station.
    context.clear_cookies(name="session")
    signed_in(page, site, "director")
    context.set_offline(True)
    page.goto(f"{site}/bayfield/station/load")
    page.get_by_label("Who is on duty?").wait_for()
    assert page.locator("#duty-known").is_hidden()
    page.get_by_role("button", name="Keep this load").click()
    page.locator("#error-summary a", has_text="Enter who is on duty").wait_for()
    facts = "name => StationOutbox.box.fact(name)"
    assert [page.evaluate(facts, name) for name in ("duty", "person", "who")] == [None] * 3
    context.close()


BROKEN = """() => { const open = indexedDB.open; window.mend = () => { IDBFactory.prototype.open = open; };
  IDBFactory.prototype.open = () => { throw new DOMException("full", "QuotaExceededError"); }; }"""


def test_load_the_tablet_cannot_keep_is_said_to_be_not_kept_and_can_be_tried_again(server, driver, tmp_path):
    hauler("Northwoods Pumping", tank=2_000)
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    context.set_offline(True)
    page.goto(f"{site}/bayfield/station/load")
    page.locator("label.tile", has_text="not booked").click()
    page.locator("label.tile", has_text="Septic tank").click()
    page.get_by_label("Gallons", exact=True).fill("101")
    page.get_by_label("Sample bottle").fill("1006-01")
    page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
    page.evaluate(BROKEN)
    for _ in range(2):
        page.get_by_role("button", name="Keep this load").click()
        page.get_by_role("heading", name="This load is NOT kept on this tablet").wait_for()
    assert page.locator("#not-sent p").inner_text() == (
        "Nothing of it was saved. Write it on a blank ticket now. What you typed stays on this page.")  # fmt: skip
    page.evaluate("window.mend()")
    page.get_by_role("button", name="Keep this load").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    assert page.evaluate("StationOutbox.box.all().then(all => all.map(one => one.slip))") == ["T1-0001"]
    context.close()


def test_load_at_which_the_server_fails_holds_up_nobody_and_is_sent_again(server, driver, tmp_path):
    for number in (1, 2):
        hauler(f"Northwoods Pumping {number}", number=number, tank=2_000)
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    context.set_offline(True)
    for number in (1, 2):
        page.goto(f"{site}/bayfield/station/load")
        page.locator("label.tile", has_text=f"Northwoods Pumping {number}").click()
        page.locator("label.tile", has_text="Septic tank").click()
        page.get_by_label("Gallons", exact=True).fill(f"10{number}")
        page.get_by_label("Sample bottle").fill(f"1006-0{number}")
        page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
        page.get_by_role("button", name="Keep this load").click()
        page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    context.route("**/station/outbox", lambda route: route.fulfill(status=500, body="")
                  if "T1-0001" in (route.request.post_data or "") else route.continue_())  # fmt: skip
    context.set_offline(False)
    page.goto(f"{site}/bayfield/station/on-tablet")
    waiting = """async () => { let all; for (let turn = 0; turn < 20; turn += 1) {
      await StationOutbox.work(); all = await StationOutbox.box.all(); if (all.length === 1) break;
      await new Promise((on) => { setTimeout(on, 250); }); }
      return all.map((one) => [one.slip, one.stuck]); }"""
    assert page.evaluate(waiting) == [["T1-0001", None]]
    context.unroute("**/station/outbox")
    page.evaluate("async () => { while ((await StationOutbox.box.all()).length) await StationOutbox.work(); }")
    context.close()
    rows = db.session.scalars(select(Load).order_by(Load.ticket)).all()
    assert [(one.slip, one.gallons) for one in rows] == [("T1-0002", 102), ("T1-0001", 101)]


def test_signed_out_tablet_counts_its_loads_and_says_why_it_takes_none(server, driver, tmp_path):
    hauler("Northwoods Pumping", tank=2_000)
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    context.set_offline(True)
    write(page, site, 1, 101)
    assert "Driver Ann Nuñez" in page.locator("#kept").inner_text()
    assert [page.locator(f"#{one}").is_visible() for one in ("nobody", "another", "sent-part")] == [False, True, True]
    # Nothing is sent yet as she signs out of a page outside the station.
    context.route("**/station/outbox", lambda route: route.abort())
    context.set_offline(False)
    page.goto(f"{site}/bayfield/plant/lab")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").wait_for()
    context.set_offline(True)
    page.goto(f"{site}/bayfield/station/load")
    page.get_by_role("heading", name="Nobody is signed in on this tablet").wait_for()
    page.locator("#kept-count").get_by_text("1 load waits to be sent.", exact=True).wait_for()
    assert "Ann Nuñez" not in page.content()
    assert [page.locator(f"#{one}").is_visible() for one in ("no-form", "another", "sent-part")] == [False] * 3
    assert page.evaluate("name => StationOutbox.box.fact(name)", "person") is None
    context.close()


@pytest.mark.looks
def test_refusals_and_a_signature_made_without_network_arrive_once_and_what_is_not_taken_holds_up_nobody(
    server, driver, tmp_path
):
    for number in range(1, 9):
        hauler(f"Northwoods Pumping {number}", number=number, tank=2_000)
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    page.goto(f"{site}/bayfield/station/refuse")
    page.get_by_label("Name on the truck").fill("Stranger Pumping")
    page.get_by_label("What was wrong").fill("Smells of solvent")
    server.away = True
    page.locator("#main form label.tile").first.click()
    page.get_by_role("button", name="Record the refused load").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    assert "Refused: Smells of solvent" in page.locator("#kept li").inner_text()
    # A load, signed, among eight trucks, and then the rest of it.
    page.goto(f"{site}/bayfield/station/load")
    page.get_by_role("button", name="Keep this load").wait_for()
    for size in ({"width": 1024, "height": 768}, SIZE):
        page.set_viewport_size(size)
        bar = page.locator(".save-bar").bounding_box()["y"]
        for part in ("#visit", ".kept-what", ".kept-odd", ".kept-gallons", ".kept-sign"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= bar + 18, (size, part)
        assert page.evaluate(SMALL) == []
    page.locator("label.tile", has_text="Northwoods Pumping 8").click()
    page.locator("label.tile", has_text="Septic tank").click()
    for key in "300":
        page.get_by_role("button", name=key, exact=True).click()
    page.get_by_label("Sample bottle").fill("1006-01")
    page.get_by_label("Driver", exact=True).fill("Ann Nuñez")
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 90, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Keep this load").click()
    page.get_by_text("Signed by the driver").wait_for()
    page.locator("#kept li", has_text="T1-0002").get_by_role("link", name="Refuse the rest of it").click()
    page.locator("label.tile", has_text="Fails a field test").click()
    page.get_by_label("What was wrong").fill("Odor")
    page.get_by_label("Gallons unloaded").fill("0")
    page.get_by_label("Gallons still in the truck").focus()
    for key in "300":
        page.get_by_role("button", name=key, exact=True).click()
    page.get_by_role("button", name="Keep this refusal").click()
    page.get_by_text("3 loads waiting to send").wait_for()
    # The first cannot be taken as it is: it waits on the tablet in words, those behind it go.
    context.route("**/station/outbox", lambda route: route.fulfill(status=413, json={"why": "Too long."})
                  if "T1-0001" in (route.request.post_data or "") else route.continue_())  # fmt: skip
    server.away = False
    page.evaluate("StationOutbox.work()")
    page.get_by_text("1 load on this tablet needs you").wait_for()
    page.get_by_text("It stays on this tablet: Too long.").wait_for()
    page.get_by_text("waiting to send").wait_for(state="detached")
    context.unroute("**/station/outbox")
    page.get_by_role("button", name="Send it again").click()
    page.get_by_text("1 load on this tablet needs you").wait_for(state="detached")
    context.close()
    rows = {one.slip: one for one in db.session.scalars(select(Load))}
    assert {slip: (one.state, one.gallons) for slip, one in rows.items()} == {
        "T1-0001": ("refused", 0), "T1-0002": ("accepted", 0)}  # fmt: skip
    assert signatures.of_load(rows["T1-0002"].id).name == "Ann Nuñez"
    assert loads.record_of(rows["T1-0002"].id) is not None
    assert [(one.slip, one.state) for one in db.session.scalars(select(OfflineLoad).order_by(OfflineLoad.slip))] == [
        ("T1-0001", "taken"), ("T1-0002", "taken"), ("T1-0003", "taken")]  # fmt: skip


def board_sent(page: Any, name: str) -> None:
    """A button of the board pressed while nobody answers: what it does is kept on the tablet."""
    page.locator("#board").get_by_role("button", name=name, exact=True).click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()


def test_a_truck_is_paused_resumed_and_stopped_without_network_in_order_and_once(server, driver, tmp_path, clock_at):
    good(log(hauler("Northwoods Pumping", tank=2_000), 600, "2026-10-06T07:00"))
    db.session.commit()
    clock_at("2026-10-06T07:10")
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    page.wait_for_function("async () => Boolean(await caches.match('/bayfield/station/offline-run'))")
    server.away = True
    board_sent(page, "Pause")
    assert "Paused load 2026-00001" in page.locator("#kept li").inner_text()
    # Then by the page the tablet keeps, among its own loads too.
    write(page, site, 1, 101)
    page.goto(f"{site}/bayfield/station/load/2026-00001/resume")
    page.get_by_role("heading", name="Pause, stop or sign without network").wait_for()
    page.locator("#loads label", has_text="Slip T1-0002").wait_for()
    for size in ({"width": 1024, "height": 768}, SIZE):
        page.set_viewport_size(size)
        bar = page.locator(".save-bar").bounding_box()["y"]
        for part in ("#which", ".kept-what", ".kept-gallons:not([hidden])"):
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= bar + 18, (size, part)
        assert page.evaluate(SMALL) == []
    assert [page.get_by_role("radio", name=one).is_checked() for one in ("Resume", "Stop")] == [True, False]
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    page.goto(f"{site}/bayfield/station/load/2026-00001/stop")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#error-summary a")).to_have_text(["Enter why the truck is stopped"])
    page.get_by_label("Why?").fill("Hose burst")
    for key in "150":
        page.get_by_role("button", name=key, exact=True).click()
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("heading", name="Saved on this tablet. Not sent yet.").wait_for()
    assert page.locator("#kept li").last.inner_text().splitlines()[3:5] == [
        "Northwoods Pumping", "Stopped load 2026-00001, 150 gallons out, Hose burst"]  # fmt: skip
    slips = [line for line in page.locator("#kept li b").all_inner_texts() if line.startswith("Slip")]
    assert slips == ["Slip T1-0001", "Slip T1-0002", "Slip T1-0003", "Slip T1-0004"]
    server.away = False
    page.evaluate("async () => { while ((await StationOutbox.box.all()).length) await StationOutbox.work(); }")
    context.close()
    rows = db.session.scalars(select(OfflineLoad).order_by(OfflineLoad.id)).all()
    # One truck does not unload two loads at once: the second waits for a person and holds up nothing.
    assert [(one.slip, one.state) for one in rows] == [
        ("T1-0001", "taken"), ("T1-0002", "waits"), ("T1-0003", "taken"), ("T1-0004", "taken")]  # fmt: skip
    load = db.session.scalars(select(Load).filter_by(ticket="2026-00001")).one()
    assert (load.gallons, [line.split(" at ")[0] for line in load.note.splitlines() if " at 7:" in line]) == (
        150, ["Paused", "Resumed", "Stopped"])  # fmt: skip


@pytest.mark.looks
def test_three_trucks_of_many_are_whole_in_view_on_the_form_without_network(server, driver, tmp_path):
    for number in range(1, 9):
        hauler(f"Northwoods Pumping {number}", number=number, tank=2_000)
    context = started(driver, tmp_path)
    page, site = taken_up(context, server.site), server.site
    context.set_offline(True)
    page.goto(f"{site}/bayfield/station/load")
    page.locator("#visit").wait_for()
    whole = """() => { const list = document.querySelector(".who-list").getBoundingClientRect();
      return [...document.querySelectorAll(".who-list .tile")].map((one) => one.getBoundingClientRect())
        .filter((one) => one.height >= 72 && one.top >= list.top && one.bottom <= list.bottom).length; }"""
    for size in ({"width": 1024, "height": 768}, SIZE):
        page.set_viewport_size(size)
        assert page.evaluate(whole) >= 3, size
    context.close()
