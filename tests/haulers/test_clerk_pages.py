"""The clerk's pages of what came on paper or late: acting for a company, no fee too early, letters."""

import io
import re
from typing import Any

import pytest
from pypdf import PdfReader

from haulers.actions import ask_change, withdraw_application
from haulers.models import Application
from office.db import db
from tests import world
from tests.haulers.builders import OUTSIDE, acting, draft, filed, hauler
from tests.haulers.test_late import late
from tests.haulers.test_pages_application import PAPER, only
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

FILINGS = "/bayfield/clerk/filings"
CAME = {"received_on-month": "8", "received_on-day": "24", "received_on-year": "2026"}


@pytest.fixture
def clerk(app: Any, clock_at: Any) -> Any:
    clock_at("2026-08-25T09:00")
    client = signed_in(app, "clerk")
    made = client.post(f"{FILINGS}/paper", data=PAPER | rows(ROW) | once())
    assert made.location == f"{FILINGS}/1"
    return client


def test_the_clerk_enters_changed_answers_from_a_paper(clerk: Any) -> None:
    page = text(clerk.get(f"{FILINGS}/1"))
    for words in ("Enter changed answers", "Withdraw it", "Take back a wrong entry"):
        assert words in page, words
    address = f"{FILINGS}/1/paper-change"
    assert 'value="12,000"' in text(clerk.get(address))
    answer = clerk.post(address, data=CAME | rows(ROW | {"gallons_winter": "9,000"}) | once())
    assert (answer.status_code, "Enter what is changed" in text(answer)) == (422, True)
    typed = CAME | rows(ROW | {"gallons_winter": "9,000"}) | {"wish": "Less in winter"} | once()
    assert clerk.post(address, data=typed).location == f"{FILINGS}/1"
    page = text(clerk.get(f"{FILINGS}/1"))
    assert ", on paper received August 24, 2026, entered by Clerk of the City" in page
    assert "9,000" in page


def test_the_clerk_withdraws_and_it_is_listed_only_folded(clerk: Any) -> None:
    assert clerk.post(f"{FILINGS}/1/paper-withdraw", data=CAME | once()).location == f"{FILINGS}/1"
    page = text(clerk.get(f"{FILINGS}/1"))
    assert "On paper received August 24, 2026, entered by Clerk of the City" in page
    assert "Enter changed answers" not in page
    table = text(clerk.get(FILINGS))
    assert "No applications yet for season 2026-27." in table
    assert "<summary>Withdrawn: 1 application</summary>" in table


def test_the_clerk_takes_back_a_wrong_entry(clerk: Any) -> None:
    address = f"{FILINGS}/1/wrong-entry"
    assert "Enter what is wrong with the entry" in text(clerk.post(address, data=once()))
    assert clerk.post(address, data={"reason": "The same paper twice."} | once()).location == f"{FILINGS}/1"
    page = text(clerk.get(f"{FILINGS}/1"))
    assert "What was wrong: The same paper twice." in page
    assert "Record the filing fee" not in page
    assert "The entry was taken back" in text(clerk.get(f"{FILINGS}/1/fee"))
    assert "entered by mistake" in text(clerk.get(FILINGS))


def test_the_draft_that_gave_way_is_shown_folded(app: Any, clock_at: Any) -> None:
    business = hauler()
    draft(business, OUTSIDE, at="2026-08-05T10:00")
    clock_at("2026-08-25T09:00")
    clerk = signed_in(app, "clerk")
    made = clerk.post(f"{FILINGS}/paper", data=PAPER | rows(ROW) | {"company": str(business.id)} | once())
    page = text(clerk.get(made.location))
    folded = page[page.index("<summary>The draft that gave way to the paper</summary>") :]
    assert "Saved online by Ingrid O&#39;Brien, Wednesday, August 5, 2026, 10:00 a.m.; never sent." in folded
    assert OUTSIDE.place in folded


def test_a_company_without_a_sign_in_is_asked_by_letter(clerk: Any) -> None:
    page = text(clerk.get(f"{FILINGS}/1/change"))
    assert "has no sign-in: it is told by a letter you print, and you enter what it answers on paper." in page


def test_an_application_sent_online_has_no_pages_of_paper(app: Any, clock_at: Any) -> None:
    mine = filed(hauler())
    clock_at("2026-08-25T09:00")
    clerk = signed_in(app, "clerk")
    pages = ("paper-change", "paper-withdraw", "wrong-entry")
    assert [clerk.get(f"{FILINGS}/{mine.id}/{one}").status_code for one in pages] == [404, 404, 404]
    assert "Take back a wrong entry" not in text(clerk.get(f"{FILINGS}/{mine.id}"))


def test_letters_to_a_company_without_an_email_are_listed_printed_and_posted(clerk: Any) -> None:
    clerk.post(f"{FILINGS}/1/paper-withdraw", data=CAME | once())
    assert "Print 2 letters to be posted" in text(clerk.get(FILINGS))
    page = text(clerk.get("/bayfield/clerk/print"))
    assert page.index("We received your application") < page.index("You withdrew your application")
    assert "3 Pine Road, Washburn, WI 54891" in page
    first, second = (int(one) for one in re.findall('<a href="/bayfield/clerk/print/([0-9]+)"', page))
    drawn = PdfReader(io.BytesIO(clerk.get(f"/bayfield/clerk/print/{second}").data)).pages[0].extract_text()
    assert "was withdrawn by your paper received on August 24, 2026." in " ".join(drawn.split())
    assert clerk.get(f"/bayfield/clerk/print/{first}").mimetype == "application/pdf"
    for one in (first, second):
        assert clerk.post(f"/bayfield/clerk/print/{one}", data=once()).location == "/bayfield/clerk/print"
    assert "No letter waits to be printed." in text(clerk.get("/bayfield/clerk/print"))
    assert clerk.get(f"/bayfield/clerk/print/{first}").status_code == 404


def test_a_late_request_is_not_called_filed_and_takes_no_fee(app: Any, clock_at: Any) -> None:
    made = late(hauler())
    clock_at("2026-09-12T09:00")
    clerk = signed_in(app, "clerk")
    page = text(clerk.get(f"{FILINGS}/{made.id}"))
    assert "Asked to be taken late: not filed yet" in page
    assert "None is due before the committee takes it" in page
    for words in ("Record the filing fee", "Filed. Sent"):
        assert words not in page, words
    fee = text(clerk.get(f"{FILINGS}/{made.id}/fee"))
    assert "The fee is due once the committee takes it." in fee
    assert "Record fee" not in fee
    assert "Asked to be taken late: not filed yet" in text(clerk.get(FILINGS))


def test_a_change_asked_before_the_hauler_withdrew_waits_in_no_list(app: Any, clock_at: Any) -> None:
    business = hauler()
    mine, when = filed(business), world.at("2026-08-20T09:00")
    law = world.law(when.date())
    ask_change(world.plant(), mine.id, "Less in winter", by=acting(business), at=when, law=law)
    clock_at("2026-08-21T09:00")
    clerk = signed_in(app, "clerk")
    assert "Haulers ask to change an application" in text(clerk.get(FILINGS))
    gone = withdraw_application(world.plant(), mine.id, by=acting(business), at=when, law=law)
    assert isinstance(gone, Application)
    db.session.commit()
    page = text(clerk.get(FILINGS))
    assert "Haulers ask to change an application" not in page
    assert "Withdrawn: 1 application" in page
    assert only().state == "withdrawn"


def test_a_late_request_begins_with_last_years_answers_and_counts_the_tasks_it_lists(app: Any, clock_at: Any) -> None:
    filed(hauler())
    clock_at("2027-09-03T09:00")
    client, page = signed_in(app), "/bayfield/hauler/apply/late"
    assert "Use last year" not in text(client.get(page))
    client.post(page, data={"start": "1"} | once())
    shown = text(client.get(page))
    assert "Use last year's answers" in shown
    assert "You have completed 2 of 8 tasks." in shown
    assert client.post("/bayfield/hauler/apply/last-year", data=once()).location == page
    shown = text(client.get(page))
    assert "Use last year" not in shown
    assert "Check these" in shown
