"""What haulers and everybody read before a season begins and after its window closed."""

import re
from typing import Any

from office.db import db
from tests.haulers.builders import approved, filed, hauler
from tests.haulers.test_pages_hauler import signed_in, text

CALL = (
    'Call Bayfield Wastewater Treatment Works at <a href="tel:+17155550100">715-555-0100</a> '
    "(weekdays 7 a.m. to 3 p.m.)."
)
LATE = "The committee may be asked to take a late application"


def panels(page: str) -> list[str]:
    return re.findall(r'class="panel-title">.*?<span>([^<]+)</span>', page)


def test_approved_in_september_shows_the_running_season_and_the_coming_one(app: Any, clock_at: Any) -> None:
    client = app.test_client()
    clock_at("2026-09-15T09:00")
    page = text(client.get("/bayfield/approved"))
    assert re.findall(r"<h2>([^<]+)</h2>", page) == ["Season 2025-26", "Season 2026-27, from October 1, 2026"]
    assert "<p>No hauler is approved for season 2025-26.</p>" in page
    assert "No hauler is approved for season 2026-27 yet. Decisions are due October 1, 2026." in page
    assert "October 1, 2025." not in page
    approved(hauler())
    db.session.commit()
    clock_at("2026-09-16T10:00")
    page = text(client.get("/bayfield/approved"))
    assert "Approved from October 1, 2026" in page
    assert "Unloading under these approvals begins October 1, 2026." in page
    assert "for season 2026-27 yet" not in page
    clock_at("2026-10-01T00:00")
    page = text(client.get("/bayfield/approved"))
    assert re.findall(r"<h2>([^<]+)</h2>", page) == ["Season 2026-27"]
    assert ">Approved</span>" in page


def test_outside_the_window_a_new_hauler_reads_what_closed_what_comes_and_whom_to_call(app: Any, clock_at: Any) -> None:
    hauler()
    client = signed_in(app)
    for when in ("2026-09-15T09:00", "2027-02-03T09:00"):
        clock_at(when)
        for page in (text(client.get("/bayfield/hauler/apply")), text(app.test_client().get("/bayfield/apply"))):
            assert panels(page) == ["Applications for season 2026-27 are closed", "Forms open July 1, 2027"], when
            assert "Tuesday, September 1, 2026." in page
            assert "For season 2027-28 you can apply from Sunday, August 1, 2027" in page
            assert CALL in page
            assert LATE in page
    assert "Decisions were due Thursday, October 1, 2026." in page


def test_a_hauler_with_an_approval_is_not_told_to_ask_for_a_late_application(app: Any, clock_at: Any) -> None:
    approved(hauler())
    client = signed_in(app)
    clock_at("2027-02-03T09:00")
    page = text(client.get("/bayfield/hauler/apply"))
    assert panels(page) == ["Applications for season 2026-27 are closed", "Forms open July 1, 2027"]
    assert LATE not in page
    assert "Application 2026-27/0001</a>, season 2026-27" in page


def test_inside_the_window_nothing_is_said_to_be_closed(app: Any, clock_at: Any) -> None:
    for when in ("2026-07-01T00:00", "2026-08-01T00:00", "2026-09-01T23:59:59"):
        clock_at(when)
        assert LATE not in text(app.test_client().get("/bayfield/apply")), when


def test_letters_are_one_link_away_on_every_state_of_the_application(app: Any, clock_at: Any) -> None:
    link = '<a href="/bayfield/hauler/letters">Your letters</a>'
    hauler(at="2026-06-10T09:00")
    client = signed_in(app)
    for when in ("2026-06-15T09:00", "2026-08-05T09:00", "2026-09-15T09:00", "2027-02-03T09:00"):
        clock_at(when)
        for address in ("apply", "company"):
            assert link in text(client.get(f"/bayfield/hauler/{address}")), (when, address)
    clock_at("2026-08-20T09:00")
    filed(hauler("Second Septic", "second@hauler.example"))
    second = signed_in(app, "second@hauler.example")
    assert link in text(second.get("/bayfield/hauler/apply"))
