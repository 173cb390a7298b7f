"""An application as it was sent: whole on every page and on its receipt, and beside what the company says now."""

import re
from datetime import date
from typing import Any

from sqlalchemy import select

from haulers.actions import add_insurance, add_licence, add_truck, list_driver
from haulers.actions.files import add_file
from haulers.models import Application
from haulers.queries import TruckLine
from haulers.queries.as_sent import as_sent, company_words
from haulers.queries.drivers import DriverLine
from haulers.queries.snapshot import company_now
from haulers.states import FileKind
from office.db import db
from office.files import Upload
from office.letters import Letter
from tests import world
from tests.haulers.builders import SOURCE, acting, draft, hauler, send
from tests.haulers.test_letters import text_of
from tests.haulers.test_pages_application import APPLY, PDF
from tests.haulers.test_pages_hauler import signed_in, text

SENT = [
    ("Company", "O'Brien & Søn Septic, L.L.C."), ("Address", "12 Rittenhouse Avenue\nBayfield, WI 54814"),
    ("Phone", "(715) 555-0111 ext. 12"), ("E-mail", "o'brien@hauler.example"), ("Contact person", "Ingrid O'Brien"),
    ("State license", "WI 4022, ends June 30, 2027"), ("Trucks", "WI 1234, Big Red, 1,500 gallons"),
    ("Drivers", "Ole Søn, Master operator 77, ends June 30, 2028, operator-in-charge"),
    ("Insurance", "Lake Mutual, policy P-1, ends December 31, 2026"),
]  # fmt: skip


def whole() -> Any:
    """An application sent with a driver, an insurance and a lab sheet; the business."""
    business = hauler()
    how: dict[str, Any] = {"by": acting(business), "at": world.at("2026-07-20T09:00")}
    list_driver(business, DriverLine("Ole Søn", "Master operator", "77", date(2028, 6, 30), True), **how)
    add_insurance(business, insurer="Lake Mutual", policy="P-1", ends_on=date(2026, 12, 31), **how)
    made = draft(business, SOURCE)
    add_file(world.plant(), business, FileKind.LAB, Upload("tank.pdf", len(PDF), PDF), application_id=made.id, **how)
    sent = send(business)
    assert isinstance(sent, Application), sent
    return business


def changed(business: Any) -> None:
    """A new license and a second truck after it was sent."""
    how: dict[str, Any] = {"by": acting(business), "at": world.at("2026-09-03T09:00")}
    add_licence(business, state="WI", number="9999", ends_on=date(2029, 6, 30), **how)
    add_truck(business, TruckLine("WI 9", 3000, "Blue"), **how)


def only() -> Application:
    return db.session.scalars(select(Application)).one()


def test_all_an_application_rests_on_is_kept_in_words(app: Any) -> None:
    business = whole()
    found = as_sent(business, only())
    assert found is not None
    assert [(row.name, row.sent) for row in found.company] == SENT
    assert (found.files, found.differs, found.answers) == (("Lab sheet: tank.pdf, 48 bytes",), False, [])


def test_what_the_company_changed_since_stands_beside_what_was_sent(app: Any) -> None:
    business = whole()
    changed(business)
    found = as_sent(business, only())
    assert found is not None
    assert [(row.name, row.sent) for row in found.company] == SENT
    assert [(row.name, row.now) for row in found.company if row.differs] == [
        ("State license", "WI 9999, ends June 30, 2029"),
        ("Trucks", "WI 1234, Big Red, 1,500 gallons; WI 9, Blue, 3,000 gallons"),
    ]


def test_each_page_shows_the_whole_of_it_and_the_committee_what_differs(app: Any, clock_at: Any) -> None:
    business = whole()
    clock_at("2026-09-04T09:00")
    pages = [(signed_in(app), f"{APPLY}/sent/1"), (signed_in(app, "clerk"), "/bayfield/clerk/filings/1"),
             (signed_in(app, "member1"), "/bayfield/committee/2026-27/0001")]  # fmt: skip
    for client, path in pages:
        page = text(client.get(path))
        for words in ("Company as sent", "WI 1234, Big Red, 1,500 gallons", "Lake Mutual, policy P-1", "tank.pdf",
                      "Master operator 77", "WI 4022, ends June 30, 2027"):  # fmt: skip
            assert words in page, (path, words)
        assert "Changed since" not in page
    changed(business)
    db.session.commit()
    for client, path in pages:
        page = " ".join(re.sub(r"<[^>]+>", " ", text(client.get(path))).split())
        assert "State license WI 4022, ends June 30, 2027 Now WI 9999, ends June 30, 2029" in page, path
        assert "Insurance Lake Mutual, policy P-1, ends December 31, 2026 The same" in page, path


def test_the_receipt_holds_company_trucks_drivers_insurance_tanks_and_files(app: Any) -> None:
    whole()
    data = db.session.scalars(select(Letter).filter_by(kind="application_receipt")).one().data
    assert data["company"] == [[name, words] for name, words in SENT[2:5] + SENT[6:]]
    assert (data["files"], data["sources"][0]["tank"]) == (["Lab sheet: tank.pdf, 48 bytes"], "Existing")
    said = text_of("application_receipt")
    files = "Files handed in: Lab sheet: tank.pdf"
    for words in ("tank: Existing", "WI 4022", *(words for _, words in SENT[6:]), files):
        assert words in said, words


def test_a_company_with_nothing_says_none(app: Any) -> None:
    rows = dict(company_words(company_now(hauler(trucks=()))))
    assert (rows["Trucks"], rows["Drivers"], rows["Insurance"]) == ("None", "None", "None")
