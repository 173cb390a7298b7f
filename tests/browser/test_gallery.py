"""Every macro and picture in a real Chromium: widths, axe, targets, focus, keyboard, the content policy."""

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from tests.browser.gallery import create_gallery

pytestmark = pytest.mark.browser
FLAGS = [f"--{flag}" for flag in ("no-sandbox", "no-first-run")] + [
    f"--disable-{part}" for part in ("gpu", "background-networking", "component-update", "sync", "quic")
]
PAGES = ["/pictures", "/parts", "/forms", "/station"] + [
    f"/error/{name}" for name in ("404", "403", "500", "refusal", "stale-form")
]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]},
         "resultTypes": ["violations"]}  # fmt: skip
# Controls smaller than `min` CSS pixels either way; links inside a line of text are excepted (WCAG 2.5.8).
SMALL = """min => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter(e => e.checkVisibility() && e.type !== "hidden" && !e.closest(".skip"))
  .filter(e => !(e.tagName === "A" && getComputedStyle(e).display === "inline"))
  .map(e => [e, (e.closest("label.choice, label.tile") || e).getBoundingClientRect()])
  .filter(([e, r]) => r.width < min || r.height < min)
  .map(([e, r]) => `${e.outerHTML.slice(0, 90)} ${r.width}x${r.height}`)"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, create_gallery(), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    said: list[str] = []
    made.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    made.on("pageerror", lambda error: said.append(str(error)))
    yield made
    context.close()
    assert said == []


def violations(page: Page) -> list[str]:
    found: dict[str, Any] = Axe().run(page, options=RULES).response
    return [f"{v['id']}: {node['html'][:120]}" for v in found["violations"] for node in v["nodes"]]


@pytest.mark.parametrize("path", PAGES)
def test_page_fits_every_width_and_passes_axe(page: Page, site: str, path: str) -> None:
    for width in (320, 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(site + path)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
        assert violations(page) == [], width
        assert page.evaluate(SMALL, 24) == [], width
        assert page.evaluate(SMALL.replace("a[href], button, input, select, textarea, summary", ".btn"), 44) == [], (
            width
        )


@pytest.mark.parametrize("path", PAGES)
def test_page_frame(page: Page, site: str, path: str) -> None:
    page.goto(site + path)
    assert page.locator("[style]").count() == 0
    assert page.locator("[required]").count() == 0
    assert page.locator("form:not([novalidate])").count() == 0
    assert page.title() == f"{page.locator('h1').inner_text()} – Septage receiving – City of Bayfield"
    levels = [int(tag[1]) for tag in page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map(e => e.tagName)")]
    assert all(after <= before + 1 for before, after in zip([0, *levels], levels, strict=False)), levels
    assert page.locator("footer .wide > :first-child").inner_text() == "Help: 715-555-0100, weekdays 7 a.m. to 3 p.m."
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_first_tab_is_the_skip_link_and_it_leads_into_main(page: Page, site: str) -> None:
    page.goto(site + "/parts")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to main content"
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_every_focus_is_seen(page: Page, site: str) -> None:
    page.goto(site + "/forms")
    for _ in range(40):
        page.keyboard.press("Tab")
        ring = page.evaluate(
            "(e => [e, e.closest('.tile') || e].map(x => getComputedStyle(x).outlineWidth))(document.activeElement)"
        )
        assert "3px" in ring, page.evaluate("document.activeElement.outerHTML")


def test_empty_form_focuses_the_summary_and_each_link_its_control(page: Page, site: str) -> None:
    page.goto(site + "/forms")
    page.click("text=Save and continue")
    page.wait_for_selector("#error-summary")
    assert page.title() == "Error: Say what you plan to bring – Septage receiving – City of Bayfield"
    expect(page.locator("#error-summary")).to_be_focused()
    links = page.locator("#error-summary a")
    assert links.count() == 13
    for n in range(links.count()):
        target = (links.nth(n).get_attribute("href") or "").removeprefix("#")
        links.nth(n).click()
        expect(page.locator(f"#{target}")).to_be_focused()
        described = page.evaluate(
            "(e => [e, e.closest('fieldset')].map(x => x && x.getAttribute('aria-describedby')).filter(Boolean)"
            ".join(' '))(document.activeElement)"
        )
        errors = [i for i in described.split() if i.endswith("-error")]
        shown = {page.locator(f"#{i}").inner_text().removeprefix("Error:").strip() for i in errors}
        assert shown == {links.nth(n).inner_text()}
    assert violations(page) == []


def fill(page: Page) -> None:
    texts = {
        "name": "O'Brien & Søn", "mail": "o'brien@example.org", "phone": "(715) 555-0100 ext. 12", "gallons": "1,500",
        "fee": "12,16", "ends-month": "9", "ends-day": "30", "ends-year": "2027", "start": "7:45",
        "sources-0-gallons": "1,500",
    }  # fmt: skip
    for name, typed in texts.items():
        page.fill(f"[name='{name}']", typed)
    for picked in ("slot-0", "waste-1", "seasons-0", "sources-0-kind-0", "true"):
        page.check(f"#{picked}")


def test_enter_sends_the_form_and_does_not_press_a_row_button(page: Page, site: str) -> None:
    page.goto(site + "/forms")
    key = page.get_attribute("main [name='once']", "value")
    fill(page)
    page.press("#name", "Enter")
    page.wait_for_selector("#got")
    assert page.inner_text("#got") == "1500 gallons, 1 sources, $12.16, September 30, 2027"
    assert page.inner_text("#key") == key


def test_rows_are_added_and_removed_and_keep_what_was_typed(page: Page, site: str) -> None:
    page.goto(site + "/forms")
    fill(page)
    page.click("text=Add another source")
    page.wait_for_selector("text=Source 2")
    assert page.input_value("#sources-0-gallons") == "1,500"
    page.fill("#sources-1-gallons", "x")
    page.click("text=Save and continue")
    page.wait_for_selector("#error-summary")
    said = page.locator("#error-summary li").all_inner_texts()
    assert said == ["Source 2: Select kind of tank", "Source 2: Gallons a load must be a number, like 1,500"]
    page.click("text=Remove source 1")
    page.wait_for_selector("text=Source 2", state="detached")
    assert page.input_value("#sources-0-gallons") == "x"


def test_double_click_sends_once(page: Page, site: str) -> None:
    page.goto(site + "/forms")
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.dblclick("text=Save and continue")
    page.wait_for_selector("#error-summary")
    assert len(posts) == 1


def test_pictures_change_to_rows_on_a_phone_and_hold_their_numbers(page: Page, site: str) -> None:
    page.goto(site + "/pictures")
    assert (page.is_visible(".pic-wide"), page.is_visible(".pic-narrow")) == (True, False)
    free = page.eval_on_selector_all("[data-free]", "all => all.reduce((sum, e) => sum + Number(e.dataset.free), 0)")
    assert round(free, 3) == 844.044
    assert page.locator("figcaption").first.inner_text().startswith("844 gallons still free.")
    running, next_one = page.eval_on_selector_all(
        ".pic-wide .taken:not(.over)", "all => all.slice(0, 2).map(e => Number(e.getAttribute('height')))"
    )
    assert (running, next_one) == (100.8, 100.8)
    for width in (320, 481, 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert (page.is_visible(".pic-wide"), page.is_visible(".pic-narrow")) == (width > 480, width <= 480)
        overlaps = page.evaluate(
            """() => [...document.querySelectorAll(".pic svg")].filter(s => s.checkVisibility()).flatMap(s => {
              const words = [...s.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
              return words.flatMap(([a, r], i) => words.slice(i + 1).filter(([b, q]) => r.left < q.right - 1 &&
                q.left < r.right - 1 && r.top < q.bottom - 3 && q.top < r.bottom - 3).map(([b]) => a + " / " + b));
            })"""
        )
        assert overlaps == [], width
        sizes = page.eval_on_selector_all(".pic text", "all => all.map(t => parseFloat(getComputedStyle(t).fontSize))")
        assert min(sizes) >= 12


def test_station_mode_has_large_targets(page: Page, site: str) -> None:
    for width, height in ((820, 1180), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(site + "/station")
        assert page.evaluate(SMALL.replace('"a[href]', '"main a[href]').replace(", ", ", main ", 1), 72) == []
        box = page.locator("text=Save load").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height


def test_page_is_light(page: Page, site: str) -> None:
    page.goto(site + "/pictures")
    own = {n: len(page.request.get(f"{site}/static/{n}").body()) for n in ("app.css", "app.js")}
    assert own["app.css"] <= 16 * 1024
    assert own["app.js"] <= 20 * 1024


def test_forms_work_without_script(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "/forms")
    fill(page)
    page.click("text=Save and continue")
    page.wait_for_selector("#got")
    context.close()


def test_week_is_a_row_a_day_on_a_phone(page: Page, site: str) -> None:
    page.goto(site + "/pictures")
    cells = page.locator(".week tbody tr").nth(1).locator("td.q").all_inner_texts()
    assert cells == ["full", "full", "full", "24", "46", "106", "166", "166", "166", "83", "83", "no"]
    full = page.locator(".week tbody tr").nth(1).locator("td.q").first
    assert full.evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]") == [
        "rgb(255, 255, 255)",
        "rgb(61, 72, 82)",
    ]
    page.set_viewport_size({"width": 320, "height": 900})
    shown = page.locator(".week tbody tr").evaluate_all(
        "rows => rows.map(row => row.innerText.trim().split(/\\s*\\t\\s*/))"
    )
    tuesday = ["Tue, Oct 6", "844\n, largest load\n333", "See times\nof Tue, Oct 6"]
    assert shown == [["Mon, Oct 5", "0\n, largest load\n0"], tuesday, ["Fri, Oct 9", "Closed: holiday"]]
