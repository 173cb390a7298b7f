"""A hauler's home names what is asked of the company, and the application that waits (§ 329-7 B(1), § 329-10)."""

import re
from datetime import date
from typing import Any

import pytest

from haulers.actions import open_change
from haulers.actions.violations import correct_violation, issue_violation
from haulers.models import Business
from office.db import db
from tests import world
from tests.haulers.builders import approved, filed, hauler
from tests.haulers.company import signed_in
from tests.haulers.test_changes import do, wish
from tests.haulers.test_pages_hauler import text

FACTS = {"rule": "§ 329-7 F(4): Unloading within the hours", "facts": "Unloaded at night.",
         "days": [date(2026, 10, 5)], "loads": []}  # fmt: skip


@pytest.fixture
def business(app: Any) -> Business:
    return hauler()


def home(app: Any, path: str = "") -> str:
    db.session.commit()
    return " ".join(re.sub(r"<[^>]+>", "", text(signed_in(app).get(f"/bayfield/hauler{path}"))).split())


def links(app: Any) -> list[str]:
    page = text(signed_in(app).get("/bayfield/hauler"))
    to_do = page.split("<h2>To do</h2>")[1].split("</ul>")[0] if "<h2>To do</h2>" in page else ""
    return re.findall(r'href="([^"]+)"', to_do)


@pytest.mark.parametrize(("today", "late"), [("2026-09-21T23:00", False), ("2026-09-22T00:00", True)])
def test_a_change_the_committee_asked_for_is_to_do_by_its_day(app: Any, clock_at: Any, business: Business, today: str,
                                                              late: bool) -> None:  # fmt: skip
    made = do(open_change, filed(business), "committee", "A map of the cabins.", date(2026, 9, 21), wish=wish(),
              at="2026-09-04T10:00")  # fmt: skip
    clock_at(today)
    said = "To do Change your application 2026-27/0001 by Monday, September 21, 2026: A map of the cabins."
    page = home(app)
    assert (f"{said} Late" in page, said in page) == (late, True)
    assert links(app) == [f"/bayfield/hauler/apply/changes/{made.id}"]


def test_a_change_only_asked_for_is_not_to_do(app: Any, clock_at: Any, business: Business) -> None:
    from haulers.actions import ask_change
    from tests.haulers.builders import acting

    do(ask_change, filed(business).id, "Fewer gallons", by=acting(business))
    clock_at("2026-09-05T10:00")
    assert "To do" not in home(app)


def test_a_notice_of_violation_is_to_do_until_it_is_corrected(app: Any, clock_at: Any, business: Business) -> None:
    approved(business)
    given = {"by": world.staff("clerk"), "at": world.at("2026-10-06T09:00"), "law": world.law()}
    row: Any = issue_violation(world.plant(), business.id, **FACTS, correct_by=date(2026, 10, 19), **given)
    clock_at("2026-10-06T10:00")
    said = "Notice of violation: correct it by Monday, October 19, 2026. § 329-7 F(4): Unloading within the hours"
    page = home(app)
    assert (said in page, f"{said} Late" in page) == (True, False)
    assert links(app) == [f"/bayfield/hauler/letters/{row.letter_id}"]
    clock_at("2026-10-20T00:00")
    assert f"{said} Late" in home(app)
    correct_violation(world.plant(), row.id, date(2026, 10, 20), "Hours posted.", by=world.staff("clerk"),
                      at=world.at("2026-10-20T09:00"), law=world.law())  # fmt: skip
    assert "Notice of violation" not in home(app)


@pytest.mark.parametrize(("today", "open_now"), [
    ("2027-07-31T23:59:59", False), ("2027-08-01T00:00", True), ("2027-09-01T23:59:59", True),
    ("2027-09-02T00:00", False),
])  # fmt: skip
def test_an_approved_hauler_is_told_of_the_open_window(app: Any, clock_at: Any, business: Business, today: str,
                                                       open_now: bool) -> None:  # fmt: skip
    approved(business)
    clock_at(today)
    said = "Apply for season 2027-28: send it by 11:59 p.m. on Wednesday, September 1, 2027."
    assert (said in home(app)) is open_now


def test_one_who_applied_is_not_told_to_apply(app: Any, clock_at: Any, business: Business) -> None:
    approved(business)
    filed(business, at="2027-08-12T10:30")
    clock_at("2027-08-13T10:00")
    assert "Apply for season" not in home(app)


def test_an_application_of_the_season_that_began_stays_in_reach(app: Any, clock_at: Any, business: Business) -> None:
    approved(business)
    waits = filed(business, at="2027-08-12T10:30")
    said = f"Application {waits.number}, season 2027-28: sent, not decided"
    for when in ("2027-09-30T12:00", "2027-10-05T12:00"):
        clock_at(when)
        assert f"Your application {said}" in home(app)
    clock_at("2027-10-05T12:00")
    page = home(app, "/apply")
    assert f"Your application {waits.number}, season 2027-28 Sent, not decided. Read what you sent" in page
    assert "Application 2026-27/0001, season 2026-27: approved" in page
    assert text(signed_in(app).get("/bayfield/hauler/apply")).count(f"/bayfield/hauler/apply/sent/{waits.id}") == 2
