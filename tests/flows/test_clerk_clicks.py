"""The clerk's usual work in as few clicks as a desk allows, counted from home: links followed, buttons pressed."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from billing.models import Invoice, Payment
from office.db import db
from office.exports import Export
from tests import world
from tests.billing import books
from tests.haulers.builders import filed, hauler


class Shown(HTMLParser):
    """What can be clicked in the main part of a page: links, and forms with what they would send as they stand."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.forms: list[dict[str, Any]] = []
        self.href, self.words, self.button = "", "", False
        self.feed(page.split("<main")[1].split("</main", maxsplit=1)[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.href, self.words = known.get("href", ""), ""
        elif tag == "form":
            self.forms.append({"action": known.get("action", ""), "data": {}, "buttons": []})
        elif tag == "button":
            self.button, self.words = True, ""
        elif tag == "input" and self.forms and (known.get("type") not in ("radio", "checkbox") or "checked" in known):
            self.forms[-1]["data"].setdefault(known.get("name", ""), known.get("value", ""))
        elif tag == "option" and "selected" in known:
            self.forms[-1]["data"]["account"] = known["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.links.append((" ".join(self.words.split()), self.href))
        elif tag == "button" and self.forms:
            self.forms[-1]["buttons"].append(" ".join(self.words.split()))
            self.button = False

    def handle_data(self, data: str) -> None:
        self.words += data


class Desk:
    """The clerk at home; ``count`` is how often was clicked. Typing is not counted."""

    def __init__(self, app: Any) -> None:
        self.client, self.count = app.test_client(), 0
        world.sign_in(self.client, "clerk")
        self._look("/bayfield/clerk")

    def _look(self, address: str) -> None:
        answer = self.client.get(address, follow_redirects=True)
        assert answer.status_code == 200, (address, answer.status)
        self.address, self.page = answer.request.path, answer.get_data(as_text=True)

    def follow(self, pattern: str) -> "Desk":
        """Click the first link whose words match."""
        found = [href for words, href in Shown(self.page).links if re.search(pattern, words)]
        assert found, (pattern, Shown(self.page).links)
        self.count += 1
        self._look(found[0].replace("&amp;", "&"))
        return self

    def press(self, pattern: str, **typed: str) -> "Desk":
        """Press the first button whose words match, with what was typed into its form."""
        form = next(one for one in Shown(self.page).forms if any(re.search(pattern, said) for said in one["buttons"]))
        self.count += 1
        answer = self.client.post(form["action"] or self.address, data=form["data"] | typed)
        assert answer.status_code == 303, answer.get_data(as_text=True)
        self._look(answer.location)
        return self


@pytest.fixture
def owing(app: Any, clock_at: Any) -> Any:
    clock_at("2026-10-12T10:00")
    who = books.party("Apostle Example Septic")
    books.load(who)
    db.session.commit()
    return who


def test_a_filing_fee_is_recorded_in_three(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    filed(hauler())
    desk = Desk(app).follow("^Filing fees not received").follow("^Record the fee")
    desk.press("^Record fee$", method="check", reference="1042")
    assert desk.count <= 3
    assert db.session.query(Payment).count() == 1


def test_the_months_invoices_are_made_and_sent_in_three(app: Any, owing: Any) -> None:
    desk = Desk(app).follow("^Make invoices$").press("^Make 1 invoice$")
    assert desk.count <= 3
    assert db.session.query(Invoice).one().letter_id is not None


def test_a_payment_is_recorded_in_three(app: Any, owing: Any) -> None:
    desk = Desk(app).follow("^Record a payment$")
    desk.press("^Record payment$", account=str(books.account(owing).id), amount="48.16", method="check", reference="7")
    assert desk.count <= 3
    assert db.session.query(Payment).count() == 1


def test_the_ledger_and_a_statement_are_at_hand_in_three(app: Any, owing: Any) -> None:
    desk = Desk(app).follow("^Ledger$").follow("^Apostle Example Septic$").follow("^Statement$")
    assert desk.count <= 3
    assert "Download the statement (PDF)" in desk.page


def test_the_ledger_is_exported_in_three_and_the_download_is_at_hand(app: Any, owing: Any) -> None:
    desk = Desk(app).follow("^Ledger$").follow("^Export the ledger$").press("^Export the ledger$")
    assert desk.count <= 3
    assert db.session.query(Export).one().kind == "ledger"
    links = [(words, href) for words, href in Shown(desk.page).links if words.startswith("Download")]
    assert [words for words, _ in links] == ["Download CSV", "Download workbook"]


def test_a_records_request_is_exported_in_three(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    who = hauler()
    filed(who)
    db.session.commit()
    desk = Desk(app).follow("^Records request$")
    desk.press("^Gather the records$", business=str(who.id), asked_by="A neighbor")
    (address,) = [href for words, href in Shown(desk.page).links if words == "Download the records (ZIP)"]
    desk.count += 1
    assert desk.client.get(address).get_data()[:2] == b"PK"
    assert desk.count <= 3
