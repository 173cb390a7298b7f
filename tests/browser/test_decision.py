"""The committee's evening in a real browser: a tie with a member recused, a part approved, corrected, letters issued.

At the end the pages are looked at on a phone, a tablet and a desk: nothing is wider than the screen.
"""

import io
import re
from urllib.parse import urlsplit

import pytest
from pypdf import PdfReader

from tests.browser.site import Person, Site, browser
from tests.browser.test_season import MAIL, NAME, answer_the_rest, register, write_application

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("decision-browser")]
WIDTHS = (320, 820, 1280)


@pytest.fixture
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def site(databases, bayfield_base):
    url = databases.create(like=bayfield_base)
    site = Site(url)
    yield site
    site.stop()
    databases.drop(url)


def vote(person, member, word):
    group = person.page.get_by_role("radiogroup", name=f"{member} of the City")
    group.locator("label", has_text=re.compile(rf"^\s*{word}\s*$")).click()


def fill_motion(person, words, **ballots):
    person.date3("Meeting date", "2026-09-15").fill("Words of the motion", words)
    person.page.get_by_role("radiogroup", name="Moved by").locator("label").nth(0).click()
    person.page.get_by_role("radiogroup", name="Seconded by").locator("label").nth(1).click()
    for member, word in ballots.items():
        vote(person, member, word)
    if "Recused" in ballots.values():
        person.page.get_by_text("Conflicts of interest and agenda").click()
        person.fill("Conflicts of interest", "Member3 is related to a hauler, as disclosed")


def test_a_meeting_with_a_tie_a_part_approved_and_a_correction(site, chrome):
    def person(email, script=True):
        return Person(chrome, site, email, script=script)

    # Hauler and member have no script: filing and deciding need none.
    site.start("2026-08-10T09:00")
    hauler = person(MAIL, script=False)
    register(hauler)
    write_application(hauler)
    hauler.fill("Gallons in winter", "300,000")
    hauler.press("Save and come back later")
    answer_the_rest(hauler)
    hauler.press("Accept and send")
    assert "2026-27/0001" in hauler.text

    # A tie with a member recused decides nothing.
    site.start("2026-09-15T18:30")
    member = person("member1@city.example", script=False).sign_in()
    assert "109 days and 217,782 gallons." in member.go("/bayfield/committee/2026-27/worksheet").text
    member.go("/bayfield/committee").press("Record a decision for selected")
    assert "209,790" in member.text
    member.choose("Approve a part").fill("Reason in the letter", "The plant cannot take more.")
    member.page.get_by_role("radiogroup", name="The state's reason").locator("label").first.click()
    fill_motion(member, "To approve what fits.", Member2="No", Member3="Recused")
    member.press("All present voted aye: review")
    assert "Tie: 1 aye, 1 no." in member.text
    member.press("Record the motion")
    assert member.heading == "Motion recorded"
    tied = urlsplit(member.page.url).path

    # The same again, carried: five clicks would do where all voted aye.
    member.go("/bayfield/committee").press("Record a decision for selected")
    member.choose("Approve a part").fill("Reason in the letter", "The plant cannot take more.")
    member.page.get_by_role("radiogroup", name="The state's reason").locator("label").first.click()
    fill_motion(member, "To approve what fits.", Member3="Recused")
    member.press("All present voted aye: review")
    assert "Approved 219,790 of 310,000 gallons." in member.text
    member.press("Record decision")
    assert "1 letter waits to be issued" in member.text
    carried = urlsplit(member.page.url).path

    # Corrected before the letter went out: one letter, with the corrected gallons.
    member.follow("Correct").fill("Approved gallons in winter", "200,000")
    member.fill("What was wrong with the decision as recorded", "A slip of the pen.")
    fill_motion(member, "To correct a slip of the pen.")
    member.press("All present voted aye: review").press("Record the correction")
    corrected = urlsplit(member.page.url).path
    correct = member.page.get_by_role("link", name=re.compile("Correct")).first.get_attribute("href")
    hauler.go("/bayfield/hauler/letters")
    assert "Approval" not in hauler.text
    site.start("2026-09-17T09:00")
    clerk = person("clerk@city.example").sign_in()
    clerk.go("/bayfield/clerk/letters")
    assert clerk.page.get_by_role("button", name=re.compile("^Read")).count() == 1
    assert "To correct a slip of the pen." in clerk.text
    clerk.press("Issue 1 letter")
    assert "1 letter is issued." in clerk.text
    hauler.go("/bayfield/hauler/letters")
    letter = hauler.page.get_by_role("link", name=re.compile("Approval in part")).get_attribute("href")
    pages = PdfReader(io.BytesIO(hauler.fetch(letter).body())).pages
    said = " ".join(pages[0].extract_text().split())
    assert (len(pages), NAME in said, "200,000" in said) == (1, True, True)

    look(site, chrome, member, [tied, carried, correct, corrected, "/bayfield/committee/2026-27/motion",
                                "/bayfield/committee/2026-27/motion/table"])  # fmt: skip
    look(site, chrome, clerk, ["/bayfield/clerk/letters"])
    assert [one.trouble for one in (hauler, member, clerk)] == [[], [], []]


def look(site, chrome, person, addresses):
    """No page of these is wider than a phone, a tablet or a desk."""
    for width in WIDTHS:
        person.page.set_viewport_size({"width": width, "height": 900})
        for address in addresses:
            person.go(address)
            assert person.page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
    person.page.set_viewport_size({"width": 1280, "height": 900})
