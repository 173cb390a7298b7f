"""One hauler's season at Bayfield in a real browser, from the August application to the revocation letter.

Five people play it on a real server that is stopped and started again between the days, on the database of the run.
"""

import io
import re

import pytest
from pypdf import PdfReader

from tests import world
from tests.browser.site import Person, Site, browser
from tests.smtp import MailServer

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("season-browser")]
NAME = "O'Brien & Søn Septic, L.L.C."
MAIL = "o'brien@example.org"


@pytest.fixture
def chrome():
    with browser() as running:
        yield running


@pytest.fixture
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture
def site(databases, bayfield_base, mail):
    url = databases.create(like=bayfield_base)
    site = Site(url, MAIL_SERVER="127.0.0.1", MAIL_PORT=str(mail.port), MAIL_FROM="septage@city.example")
    yield site
    site.stop()
    databases.drop(url)


def pdf_text(answer):
    assert answer.headers["content-type"] == "application/pdf"
    pages = PdfReader(io.BytesIO(answer.body())).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_a_season_from_application_to_revocation(site, chrome, mail):
    def person(email):
        return Person(chrome, site, email)

    def staff(name):
        return person(f"{name}@city.example").sign_in()

    # 1. August: a hauler registers, drafts, comes back, files, and gets a numbered receipt.
    site.start("2026-07-15T09:00")
    hauler = person(MAIL)
    register(hauler)
    write_application(hauler)
    hauler.press("Save and come back later")
    assert "Your answers are saved" in hauler.text
    answer_the_rest(hauler)
    assert hauler.page.url.endswith("/bayfield/hauler/apply/check")
    assert "You can send this from Saturday, August 1, 2026" in hauler.text
    site.start("2026-08-10T09:00")
    hauler.go("/bayfield/hauler/apply/check")
    assert "Homes on Pine Road" in hauler.text
    hauler.press("Accept and send")
    assert hauler.heading == "Application sent"
    assert "2026-27/0001" in hauler.text
    receipt = hauler.page.get_by_role("link", name="Download the receipt (PDF)").get_attribute("href")
    text = pdf_text(hauler.fetch(receipt))
    assert NAME in text
    assert "2026-27/0001" in text

    # 2. The clerk records the fee the Council set.
    clerk = staff("clerk")
    clerk.go("/bayfield/clerk/filings")
    assert NAME in clerk.text
    clerk.follow("Record the fee")
    assert "$75.00" in clerk.text
    clerk.choose("Check").fill("Check or receipt number", "4417").date3("Date received", "2026-08-10")
    clerk.press("Record fee")
    clerk.go("/bayfield/clerk/filings")
    assert "Received Mon, Aug 10" in clerk.text

    # 3. The committee decides at a meeting; a letter and an approval follow.
    site.start("2026-09-15T18:30")
    member = staff("member1")
    decide(member)
    assert "Approved" in member.text
    hauler.go("/bayfield/hauler/letters")
    assert "Approval of application" not in hauler.text
    staff("clerk").go("/bayfield/clerk/letters").press("Issue 1 letter")
    hauler.go("/bayfield/hauler/letters")
    letter = hauler.page.get_by_role("link", name=re.compile("PDF|approved", re.I)).first.get_attribute("href")
    assert "A-2026-27-001" in pdf_text(hauler.fetch(letter))

    # 4. October: 1,998 gallons are offered for the whole window; 2,000 are not, and the page says what else to do.
    site.start("2026-10-05T15:00")
    offered = times(hauler, "2,000", "2026-10-06")
    assert "No time fits 2,000 gallons in one day" in offered
    assert "it takes 3 hours 1 minute" in offered
    for way in ("Split", "special time", "less"):
        assert way in offered, way
    assert "7:00 to 10:00 a.m." in times(hauler, "1,998", "2026-10-06")
    offered = times(hauler, "1,500", "2026-10-06")
    assert "7:00 to 9:16 a.m." in offered
    hauler.choose("7:00 to 9:16 a.m.").press("Continue")
    assert "$48.16" in hauler.text
    hauler.press("Confirm booking")
    assert "B-1006-01" in hauler.text
    times(hauler, "900", "2026-10-08")
    hauler.choose("7:00 to 8:22 a.m.").press("Continue").press("Confirm booking")
    assert "B-1008-01" in hauler.text

    # 10. The public page needs no sign-in and names nobody.
    site.start("2026-10-06T06:55")
    public = person(None).go("/bayfield/")
    assert public.heading == "Septage receiving today"
    assert "Opens today at 7:00 a.m." in public.text or "7:00 a.m." in public.text
    assert "Søn" not in public.text

    # 5. and 6. The truck comes; the load is logged; the ticket carries its two cited charges.
    site.start("2026-10-06T07:00")
    operator = staff("operator")
    log_booked_load(operator, "1,500", "6.9")
    assert "2026-00001" in operator.text
    for words in ("$36.00", "$12.16", "$48.16"):
        assert words in operator.text, words
    ticket = pdf_text(operator.fetch("/bayfield/station/load/2026-00001/ticket.pdf"))
    assert "2026-00001" in ticket
    assert "$48.16" in ticket
    hauler.go("/bayfield/hauler/loads/2026-00001/record")
    hauler.page.locator("main textarea").fill("12 Pine Road, septic tank, 1,500 gallons")
    with hauler.page.expect_navigation():
        hauler.page.locator("main button[type=submit]").last.click()

    # 8. The Director restricts in two clicks; the booking is held; lifting says what was done.
    site.start("2026-10-07T08:12")
    director = staff("director")
    director.go("/bayfield/director")
    director.follow("Restrict septage…")
    with director.page.expect_navigation():
        director.page.get_by_role("button", name=re.compile("Operational problem")).click()
    public.go("/bayfield/")
    assert "Restricted since 8:12 a.m." in public.text
    hauler.go("/bayfield/hauler")
    assert "B-1008-01" in hauler.text
    assert re.search("held|paused", hauler.text, re.I), hauler.text
    director.follow("Lift restriction").press("Lift restriction")
    assert director.page.title().startswith("Error: ")
    director.page.locator("main textarea").fill("The blower was mended.")
    director.press("Lift restriction")
    public.go("/bayfield/")
    assert "Restricted since" not in public.text

    # 9. The Director revokes in writing; the gate and the bookings know at once.
    director.go("/bayfield/director/approvals").follow("Revoke")
    director.press("Check the letter")
    assert director.page.title().startswith("Error: ")
    director.page.locator("main label.choice").first.click()
    director.page.locator("main textarea").fill(
        "On October 6 the load held waste from a marina that is not in the plan."
    )
    director.press("Check the letter")
    assert "marina" in director.text
    director.press("Revoke and send")
    assert director.heading == "Approval revoked"
    letter = director.page.get_by_role("link", name=re.compile("PDF")).first.get_attribute("href")
    text = pdf_text(director.fetch(letter))
    assert "marina" in text
    assert "30 days" in text
    operator.go("/bayfield/station/load?find=obrien").follow(NAME)
    assert "Do not accept" in operator.text, operator.tell()
    assert "revoked" in operator.text, operator.tell()
    hauler.go("/bayfield/hauler/book")
    assert "revoked" in hauler.text.lower()
    member.go("/bayfield/approved")
    assert "Revoked" in member.text

    # 6. Six days later the results are read.
    site.start("2026-10-12T14:00")
    operator.go("/bayfield/plant/lab")
    operator.page.locator("[data-column=BOD5]").first.fill("4,200")
    operator.page.locator("[data-column=TSS]").first.fill("<2")
    operator.press("Save results")
    # So little cannot be of such waste: it is asked about, then kept.
    operator.page.locator("main input[type=checkbox][name$=_sure]").check()
    operator.press("Save results")
    operator.go("/bayfield/station/load/2026-00001")
    assert "4,200" in operator.text
    assert "Not detected (below 2 mg/L)" in operator.text

    # 7. Invoice, part payment, 10 % late charge once from day 21.
    site.start("2026-11-02T10:00")
    clerk.go("/bayfield/clerk/invoices/run").press("Make 1 invoice")
    clerk.go("/bayfield/clerk/invoices/2026-00001")
    assert "$48.16" in clerk.text
    site.start("2026-11-10T10:00")
    clerk.go("/bayfield/clerk/payments/new")
    clerk.page.get_by_label("Hauler").select_option(index=1)
    clerk.fill("Amount", "20.00").choose("Check").date3("Date received", "2026-11-10").press("Record payment")
    for day in ("2026-11-22", "2026-11-23", "2026-11-24", "2026-12-24"):
        site.tick(f"{day}T08:00")
    site.start("2026-11-24T09:00")
    clerk.go("/bayfield/clerk/ledger").follow(NAME)
    assert "$30.98 owed" in clerk.text, clerk.text
    assert clerk.text.count("November 23, 2026 Late charge of 10 % on $28.16") == 1, clerk.text

    # Everything left through the outbox to a real mail server, and the books hold.
    site.tick("2026-12-30T08:00")
    site.tick("2026-12-31T08:00")
    subjects = [message["subject"] for message in mail.accepted if message["to"].addresses[0].addr_spec == MAIL]
    for start in ("We received your application 2026-27/0001", "Your application 2026-27/0001 is approved", "Booked: ",
                  "RESTRICTED: ", "LIFTED: ", "Your approval to unload septage is revoked"):  # fmt: skip
        assert sum(subject.startswith(start) for subject in subjects) >= 1, start + ": " + " | ".join(subjects)
    assert "Everything holds" in site.command("verify")
    assert [one.trouble for one in (hauler, clerk, member, operator, director, public)] == [[]] * 6


def register(hauler):
    hauler.go("/account/register")
    hauler.fill("Company name", NAME).fill("Mailing address", "12 Pine Road\nWashburn, WI 54891")
    hauler.fill("Phone", "(715) 555-0123 ext. 4").fill("E-mail", MAIL).fill("Contact person", "Søren O'Brien")
    hauler.fill("State that gave the license", "WI").fill("License number", "SEP-4711")
    hauler.date3("License end date", "2027-06-30")
    hauler.fill("Plate", "SØN-1").fill("Tank size", "2,000")
    for box in hauler.page.locator("main input[type=password]").all():
        box.fill(world.PASSWORD)
    hauler.press("Open account")
    if hauler.page.url.endswith("/sign-in"):
        hauler.sign_in()


def write_application(hauler):
    hauler.go("/bayfield/hauler/apply/sources")
    hauler.choose("Septic tank").fill("Where it comes from", "Homes on Pine Road")
    hauler.choose("Inside the sewer service area")
    hauler.page.get_by_role("radiogroup", name="The tank").locator("label").first.click()
    hauler.fill("How often", "4 loads a month").fill("Gallons a load", "1,500")
    hauler.fill("Gallons in winter", "20,000").fill("Gallons in the rest of the year", "10,000")
    hauler.page.get_by_role("radiogroup", name="Have you completed this section?").locator("label").first.click()


def answer_the_rest(hauler):
    """No drivers, and the three short tasks after the sources; the last leads to the check."""
    hauler.go("/bayfield/hauler/drivers").press("I have no drivers to add")
    hauler.go("/bayfield/hauler/apply/season")
    for answer in ("In both", "No", "By mail"):
        hauler.choose(answer).press("Save and continue")


def decide(member):
    """Five clicks where all voted aye: what fits is filled in as approved, and with none picked all are taken."""
    member.go("/bayfield/committee")
    assert "30,000" in member.text
    member.page.emulate_media(media="print")
    assert member.page.get_by_role("row", name="30,000").is_visible(), "the table is left out in print"
    member.page.emulate_media(media="screen")
    member.press("Record a decision for selected")
    member.date3("Meeting date", "2026-09-15")
    member.fill("Words of the motion", "To approve the application as filed.")
    member.page.get_by_role("radiogroup", name="Moved by").locator("label").nth(0).click()
    member.page.get_by_role("radiogroup", name="Seconded by").locator("label").nth(1).click()
    member.press("All present voted aye: review").press("Record decision")


def times(hauler, gallons, day):
    hauler.go(f"/bayfield/hauler/book?day={day}")
    hauler.page.get_by_role("radiogroup", name="Truck").locator("label").first.click()
    hauler.page.locator("main [name=gallons]").fill(gallons)
    hauler.press("See times")
    return hauler.text


def log_booked_load(operator, gallons, ph):
    operator.go("/bayfield/station")
    operator.page.locator("main a", has_text="B-1006-01").or_(
        operator.page.locator("main a", has_text="Søn")
    ).first.click()
    operator.page.locator("main [name=gallons]").fill(gallons)
    operator.page.locator("main [name=ph]").fill(ph)
    operator.page.locator("main [name=driver]").fill("Nuñez-Łukasik")
    operator.press("Save load")
