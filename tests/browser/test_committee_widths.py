"""No table of the committee and its clerk scrolls sideways on a phone or a tablet: columns fold instead.

A whole season's state: applications open, decided, corrected, changed and given back since, letters waiting and issued.
"""

import re
from dataclasses import replace
from datetime import date

import pytest

from app import create_app
from haulers.actions.amendments import ask_amendment, decide_amendments
from haulers.actions.notes import keep_note
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from haulers.models import Business
from haulers.queries import recorded
from haulers.queries.committee import approval_of
from haulers.queries.motion_lines import AmendLine
from haulers.states import Outcome
from office.db import db
from tests import world
from tests.browser.site import Person, Site, browser
from tests.browser.test_decision import fill_motion
from tests.haulers.builders import (
    OUTSIDE,
    SOURCE,
    acting,
    approve,
    decide,
    filed,
    hauler,
    issue,
    issued,
    record,
    roll,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("committee-widths-browser")]
WIDTHS = (320, 820)
RULE = "§ 329-7 F(4): Unloading within the hours"
WIDE = """[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth)
    .map(one => one.getAttribute('aria-label') + ' ' + one.scrollWidth + '/' + one.clientWidth)"""


@pytest.fixture
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    app = create_app({"DATABASE_URL": url, "TESTING": True, "SECRET_KEY": "browser-tests-0123456789-abcdefghij"})
    with app.app_context():
        _season()
        db.session.commit()
        db.session.remove()
        db.engine.dispose()
    site = Site(url)
    site.start("2026-10-30T09:00")
    yield site
    site.stop()
    databases.drop(url)


def _season() -> None:
    far = replace(OUTSIDE, gallons_rest=700_000, place="Resort on the lake, beyond the second bridge on the old road")
    whole = filed(hauler(), replace(SOURCE, gallons_winter=150_000, gallons_rest=250_000))
    part = filed(hauler("Chequamegon Bay Wastewater Hauling and Excavating, Inc.", "second@hauler.example"),
                 far, SOURCE, at="2026-08-13T10:00")  # fmt: skip
    none = filed(hauler("Third Septic", "third@hauler.example"), SOURCE, at="2026-08-14T10:00")
    for n in range(2):
        open_one = filed(hauler(f"Washburn and Ashland Pumping {n}", f"open{n}@hauler.example"), SOURCE,
                         at=f"2026-08-{15 + n}T10:00")  # fmt: skip
        keep_note(world.plant(), open_one.id, "Ask about the second truck and its driver before the vote.",
                  by=world.staff("member1"), at=world.at("2026-09-01T09:00"))  # fmt: skip
    decide([approve(whole)])
    less = replace(approve(part), outcome=Outcome.IN_PART, gallons_winter=1_000, gallons_rest=2_000,
                   reason="The plant is full.", reason_code="capacity_or_limits")  # fmt: skip
    turned = replace(approve(none), outcome=Outcome.REJECTED, gallons_winter=0, gallons_rest=0,
                     reason="The record was poor.", reason_code="capacity_or_limits")  # fmt: skip
    fourth = filed(hauler("Iron River Septic", "fourth@hauler.example"), SOURCE, at="2026-08-19T10:00")
    made = record([less, turned, approve(fourth)])
    assert getattr(made, "passed", False), made
    issue(made, [row.id for row in _decisions(made) if row.outcome == Outcome.IN_PART.value])
    _changed(whole)


def _decisions(motion) -> list:

    return [decision for decision, _ in recorded(world.plant().id, motion.id).decisions]


def _changed(application) -> None:
    approval = approval_of(application.id)
    owner = acting(db.session.get_one(Business, approval.business_id))
    asked = ask_amendment(world.plant(), approval.id, "gallons", "A new customer.", {}, 14_000, 10_000, by=owner,
                          at=world.at("2026-10-10T09:00"), law=world.law())  # fmt: skip
    made = decide_amendments(world.plant(), roll(held_on=date(2026, 10, 14)),
                             [AmendLine(asked.id, True, 14_000, 10_000)], by=world.staff("clerk"),
                             at=world.at("2026-10-15T09:00"), law=world.law())  # fmt: skip
    issued(made, "2026-10-15T09:00")
    revoke_approval(world.plant(), approval.id, RULE, "At night.", by=world.staff("director"),
                    at=world.at("2026-10-20T09:00"), law=world.law())  # fmt: skip
    made = reinstate_approval(world.plant(), approval.id, roll(held_on=date(2026, 10, 28)), "Mended.",
                              date(2026, 11, 2), by=world.staff("clerk"), at=world.at("2026-10-29T09:00"),
                              law=world.law())  # fmt: skip
    issued(made, "2026-10-29T09:00")
    ask_amendment(world.plant(), approval_of(application.id).id, "gallons", "A new customer.", {}, 12_000, 8_000,
                  by=owner, at=world.at("2026-09-14T10:00"), law=world.law())  # fmt: skip


PAGES = ("committee?season=2026-27", "committee/2026-27/0001", "committee/2026-27/0002", "committee/2026-27/0003",
         "committee/2026-27/0004", "committee/motions/1", "committee/motions/2", "committee/motions/3",
         "committee/changes", "committee/2026-27/worksheet")  # fmt: skip


@pytest.mark.looks
def test_no_table_scrolls_sideways(site, chrome):
    wide = []
    for width in WIDTHS:
        member = Person(chrome, site, "member1@city.example", width=width).sign_in()
        clerk = Person(chrome, site, "clerk@city.example", width=width).sign_in()
        for person, pages in ((member, PAGES), (clerk, ("clerk/letters", "clerk/filings"))):
            for path in pages:
                person.go(f"/bayfield/{path}")
                assert person.page.locator("h1").count() == 1, path
                wide += [(width, path, one) for one in person.page.evaluate(WIDE)]
    wide += [(width, one) for width in WIDTHS for one in _read_back(site, chrome, width)]
    assert wide == []


def _read_back(site, chrome, width):
    """What is too wide on the read-backs of a decision and of a change."""
    member, found = Person(chrome, site, "member1@city.example", width=width).sign_in(), []
    for address in ("committee/2026-27/decide", "committee/changes/decide"):
        member.go(f"/bayfield/{address}")
        for group in member.page.get_by_role("radiogroup", name=re.compile("^(Decision|Answer)")).all():
            group.locator("label").first.click()
        for label, value in (("Approved gallons in winter", "12,000"), ("Approved gallons in the rest", "8,000")):
            for field in member.page.get_by_label(label).all():
                field.fill(value)
        found += member.page.evaluate(WIDE)
        fill_motion(member, "To approve.")
        member.press("All present voted aye: review")
        assert member.heading.startswith("Read back"), member.tell()
        found += member.page.evaluate(WIDE)
    return found
