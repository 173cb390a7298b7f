"""A day of discharge in a real browser: what is free and offered, the last room, the limit told, restricting."""

import re
import time
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect
from sqlalchemy import create_engine, text

from office import clock
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.conftest import make_app
from tests.intake.plant import book, code, hauler, session

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("discharge-browser")]
EVENING, MORNING = "2026-10-05T16:00", "2026-10-06T07:52"
NAMES = ("Test Pumping", "Second Pumping", "Third Pumping")
LIMIT = 166.5
WIDTHS = (320, 820, 1280)
QUARTER = timedelta(minutes=15)
LOAD = "/bayfield/hauler/book/times?truck={}&gallons={}&waste=septic_tank&day={}"


def mail(name):
    return f"{name.lower().replace(' ', '.')}@hauler.example"


@pytest.fixture(scope="module")
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def site(databases, bayfield_base):
    """Three haulers, each with one truck; nothing is booked."""
    url = databases.create(like=bayfield_base)
    site = Site(url)
    with opened(site):
        site.haulers = [hauler(name, number=number) for number, name in enumerate(NAMES, start=1)]
    yield site
    site.stop()
    databases.drop(url)


@contextmanager
def opened(site):
    """The site's database in this process, the evening before, to put something into it by the acts."""
    with make_app(site.database).app_context(), clock.held(world.at(EVENING)):
        yield
        db.session.commit()
        db.session.remove()
        db.engine.dispose()


def booked(site, *several):
    """What the haulers, by their place in the list, have booked: start and gallons each."""
    with opened(site):
        for who, start, gallons in several:
            assert code(book(site.haulers[who], session(start, gallons))).startswith("booked B-")


def rows(site, words):
    """Rows of the site's database, asked without the product."""
    engine = create_engine(site.database)
    with engine.connect() as connection:
        found = [tuple(one) for one in connection.execute(text(words))]
    engine.dispose()
    return found


def most_in_a_quarter(site):
    """The most gallons in any quarter hour, by the rate and the times of each planned session that stands."""
    found = rows(site, "SELECT p.starts, p.ends, p.gph FROM planned_session p JOIN booking b ON b.id = p.booking_id "
                       "WHERE b.state <> 'cancelled'")  # fmt: skip
    plans = [(_instant(start), _instant(end), gph) for start, end, gph in found]
    first = min(start for start, _, _ in plans).replace(minute=0, second=0)
    return max(sum(_gallons(one, first + n * QUARTER) for one in plans) for n in range(16))


def _gallons(plan, quarter):
    start, end, gph = plan
    seconds = (min(end, quarter + QUARTER) - max(start, quarter)).total_seconds()
    return gph * max(seconds, 0) / 3600


def _instant(stored):
    return stored if isinstance(stored, datetime) else datetime.fromisoformat(stored)


def test_what_is_free_in_the_folded_table_is_the_number_in_front_and_what_is_over_counts_no_more(site, chrome):
    booked(site, (0, "2026-10-06T08:00", 333))
    site.start(MORNING)
    who = Person(chrome, site, None).go("/bayfield/")
    first = who.page.locator("#day .facts li").first
    expect(first).to_contain_text("gallons left today, of 1,998")
    shown = int(first.locator("b").inner_text().replace(",", ""))
    hour, minute = map(int, re.search(r"Last updated: .*, (\d+):(\d\d) a\.m\.", who.text).groups())
    gone = (hour - 7) * 60 + minute
    who.page.locator("#day summary", has_text="Show these numbers as a table").click()
    table = who.page.get_by_role("table", name=re.compile("Gallons free today"))
    expect(table).to_be_visible()
    lines = table.locator("tbody tr").evaluate_all(
        "all => all.map(row => [row.cells[0].textContent.trim(), row.cells[1].textContent.trim(), "
        "row.querySelector('[data-free]')?.dataset.free ?? null])"
    )
    free = [float(one) for _, _, one in lines if one is not None]
    # From the next whole minute to 10:00 at 666 an hour, without the 333 booked.
    left = (180 - gone - 1) * 666 / 60 - 333
    assert abs(sum(free) - left) < 0.001
    assert int(sum(free)) == shown == int(left)
    over = gone // 15
    assert [words for _, words, one in lines if one is None] == ["over"] * over
    assert (len(lines), lines[3][0], len(free)) == (12, "7:45 to 8:00 a.m.", 12 - over)
    assert who.trouble == []


def test_each_time_offered_is_booked_and_no_quarter_hour_passes_the_limit(site, chrome):
    """1,000 gallons on an empty day and beside others: each offer is booked, counted again from the rows, cancelled."""
    booked(site, (1, "2026-10-07T07:00", 111), (2, "2026-10-07T09:30", 300))
    site.start(EVENING)
    who = Person(chrome, site, mail(NAMES[0])).sign_in()
    empty, beside = offers(who, "2026-10-06"), offers(who, "2026-10-07")
    # The lowest whole rate that ends at that minute: at 666 an hour it would be out within the last minute.
    assert empty[0] == "7:00 to 8:31 a.m. Earliest 660 gallons an hour"
    assert beside[0] == "7:10 to 8:41 a.m. Earliest 660 gallons an hour"
    for day, several in (("2026-10-06", empty), ("2026-10-07", beside)):
        for n, said in enumerate(several):
            assert offers(who, day) == several
            who.page.locator("main label.choice").nth(n).click()
            who.press("Continue").press("Confirm booking")
            expect(who.page.locator("h1")).to_have_text("Booked")
            assert 111 <= most_in_a_quarter(site) <= LIMIT, (day, said)
            who.follow("See, move or cancel this booking").follow("Cancel").press("Cancel booking")
    states = [state for (state,) in rows(site, "SELECT state FROM booking ORDER BY id")]
    assert states == ["booked"] * 2 + ["cancelled"] * len(empty + beside)
    assert who.trouble == []


def offers(who, day):
    """The times offered for 1,000 gallons on a day, as the page says them."""
    who.go(LOAD.format(1, 1_000, day))
    offered = who.page.locator("main label.choice")
    expect(offered.first).to_be_visible()
    return [" ".join(one.split()) for one in offered.all_inner_texts()]


def test_of_two_who_confirm_the_last_room_at_once_one_has_it_and_the_other_keeps_the_answers(site, chrome):
    booked(site, (2, "2026-10-06T07:00", 1_332))
    site.start(EVENING, workers=2)
    both = [Person(chrome, site, mail(name)).sign_in() for name in NAMES[:2]]
    for number, who in enumerate(both, start=1):
        who.go(LOAD.format(number, 600, "2026-10-06")).choose("9:00 to 9:55 a.m.").press("Continue")
        expect(who.page.get_by_role("button", name="Confirm booking")).to_be_visible()
    at = (time.time() + 1) * 1_000
    press = """at => setTimeout(
      () => [...document.querySelectorAll("main button")].find(b => b.textContent.trim() === "Confirm booking").click(),
      at - Date.now())"""
    for who in both:
        who.page.evaluate(press, at)
    for who in both:
        expect(who.page.locator("h1")).to_have_text(re.compile("^(Booked|That time was just taken)$"))
    first, second = sorted(both, key=lambda who: who.heading)
    assert (first.heading, second.heading) == ("Booked", "That time was just taken")
    lost = both.index(second) + 1
    assert f"Your load is kept: 600 gallons, septic tank, truck T-{lost}." in second.text
    assert rows(site, "SELECT count(*) FROM booking WHERE gallons = 600") == [(1,)]
    assert most_in_a_quarter(site) <= LIMIT
    # With a fresh time nothing is asked again.
    second.press("Continue")
    expect(second.page.locator("h1")).to_have_text("Check and confirm your booking")
    for words in ("Gallons 600", f"Truck, T-{lost}", "Kind of waste Septic tank", "Wednesday, October 7"):
        assert words in second.text, words
    second.press("Confirm booking")
    expect(second.page.locator("h1")).to_have_text("Booked")
    # A page that answers 409 is an error to the console, and to nobody else.
    assert [one for who in both for one in who.trouble if "409" not in one] == []


def test_why_there_is_a_limit_is_told_in_the_figures_that_are_in_force(site, chrome):
    site.start(EVENING)
    who = Person(chrome, site, mail(NAMES[0])).sign_in()
    told = sums(who, "2026-10-06")
    for figure in ("160,000", "6,666", "666", "166.5"):
        assert re.search(rf"(?<![\d,.]){re.escape(figure)}(?![\d,]|\.\d)", told), (figure, told)
    director = Person(chrome, site, "director@city.example").sign_in().go("/bayfield/director/flow")
    director.fill("Flow, gallons a day", "120,000").date3("In force from", "2026-10-07")
    director.fill("Order or resolution", "Order 12").press("See the limit it gives").press("Put this flow in force")
    expect(director.page.locator("h1")).to_have_text("Flow in force from October 7, 2026")
    told = sums(who, "2026-10-07")
    for figure in ("120,000", "5,000", "500", "125"):
        assert re.search(rf"(?<![\d,.]){re.escape(figure)}(?![\d,]|\.\d)", told), (figure, told)
    assert not re.search("160,000|6,666|666|166", told), told
    # The day before stands under the figure of the ordinance.
    assert "160,000" in sums(who, "2026-10-06")
    assert who.trouble + director.trouble == []


def sums(who, day):
    """What unfolds below "Why is there a limit?"."""
    who.go(LOAD.format(1, 300, day))
    part = who.page.locator("details", has_text="Why is there a limit?")
    expect(part.locator("li").first).not_to_be_visible()
    part.locator("summary").first.click()
    expect(part.locator("li").first).to_be_visible()
    return " ".join(part.inner_text().split())


def test_restricting_takes_two_clicks_in_two_places_and_reaches_everybody(site, chrome):
    booked(site, (0, "2026-10-06T08:30", 300), (1, "2026-10-06T09:30", 200))
    site.start(MORNING)
    director = Person(chrome, site, "director@city.example").sign_in()
    page, clicks = director.page, []
    first, buttons = page.get_by_role("link", name="Restrict septage…"), page.locator("button[name=reason]")
    # A second press at the same place, or a hand that rests there, meets no reason, at any width.
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        director.go("/bayfield/director")
        first.scroll_into_view_if_needed()
        pressed = box(first)
        director.go("/bayfield/director/restrict")
        expect(buttons).to_have_count(3)
        assert [one for one in map(box, buttons.all()) if overlap(pressed, one)] == [], width
    director.go("/bayfield/director")
    first.click()
    clicks.append("first")
    expect(buttons).to_have_count(3)
    second = page.get_by_role("button", name="Risk of permit violation")
    second.click()
    clicks.append("second")
    expect(page.locator("h1")).to_have_text("Septage is restricted")
    assert len(clicks) == 2
    public = Person(chrome, site, None).go("/bayfield/")
    expect(public.page.locator("#state")).to_contain_text(re.compile(r"Restricted since \d+:\d\d a\.m\."))
    assert "No septage is being accepted. Reason: risk of breaking our discharge permit." in public.text
    for name in NAMES:
        found = rows(site, "SELECT subject FROM notice WHERE kind = 'restricted' AND state = 'waiting' "
                           f"AND to_email = '{mail(name)}'")  # fmt: skip
        assert len(found) == 1, name
        assert found[0][0].startswith("RESTRICTED: "), name
    for name, number in ((NAMES[0], "B-1006-01"), (NAMES[1], "B-1006-02")):
        who = Person(chrome, site, mail(name)).sign_in().go("/bayfield/hauler")
        assert number in who.text
        assert re.search("on hold|held", who.text, re.I), who.tell()
    director.go("/bayfield/history")
    line = page.locator("tr", has_text="Restrict plant (restriction 1)")
    when = re.compile(r"Tuesday, October 6, 2026, \d+:\d\d a\.m\., Director of the City, director")
    expect(line).to_contain_text(when)
    expect(line).to_contain_text("Risk of permit violation related to septage § 329-7 B(3)")
    assert director.trouble + public.trouble == []


def box(one):
    return one.bounding_box()


def overlap(a, b):
    """Whether two boxes share a place in the window."""
    return (a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
            and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"])  # fmt: skip
