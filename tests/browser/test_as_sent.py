"""A row added without any script opens the page there; what was sent stands beside what is now, at every width."""

import pytest

from office.db import db
from tests.browser.site import Person, Site, browser
from tests.browser.test_application import APPLY, MAIL, looks_right
from tests.conftest import make_app
from tests.haulers import builders
from tests.haulers.test_as_sent import changed, whole

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("application-browser")]
FOCUS = """() => { const e = document.activeElement, box = e.getBoundingClientRect();
  return [e.id, e.closest('fieldset.row-box')?.querySelector('legend').innerText || '',
          box.top >= 0 && box.bottom <= window.innerHeight]; }"""


@pytest.fixture
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = make_app(url, SEPTAGE_CLOCK="2026-07-02T09:00")
    with app.app_context():
        changed(whole())
        builders.hauler("Second Septic", "second@hauler.example")
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    yield site
    site.stop()
    databases.drop(url)


def opened(person):
    """Where the page opened: the control in focus, its row, and that it came into view (bootstrap scrolls smoothly)."""
    for _ in range(50):
        found = person.page.evaluate(FOCUS)
        if found[2]:
            break
        person.page.wait_for_timeout(100)
    return found


def test_a_row_added_and_removed_is_where_the_page_opens_and_what_was_sent_is_read_at_every_width(site):
    with browser() as chrome:
        site.start("2026-08-20T09:00")
        plain = Person(chrome, site, "second@hauler.example", script=False).sign_in().go(f"{APPLY}/sources")
        plain.press("Add another source").press("Add another source")
        assert opened(plain) == ["sources-2-waste-0", "Source 3", True]
        plain.press("Remove source 2")
        assert opened(plain) == ["sources-1-waste-0", "Source 2", True]
        owner = Person(chrome, site, MAIL).sign_in().go(f"{APPLY}/sent/1")
        assert "State license WI 4022, ends June 30, 2027 Now WI 9999, ends June 30, 2029" in owner.text
        looks_right(owner)
        # On paper: the number, the day and every answer, no button and no way to change anything.
        owner.page.emulate_media(media="print")
        paper = owner.page.locator("main").inner_text()
        for words in ("2026-27/0001", "August", "12,000", "8,000", "WI 4022"):
            assert words in paper, words
        assert [one.is_visible() for one in owner.page.locator("button, .btn, nav a").all()] == [False] * (
            owner.page.locator("button, .btn, nav a").count())  # fmt: skip
        member = Person(chrome, site, "member1@city.example").sign_in().go("/bayfield/committee/2026-27/0001")
        assert "Lake Mutual, policy P-1, ends December 31, 2026 The same" in member.text
        looks_right(member)
        assert owner.trouble + member.trouble == []
