"""Ways of the hauler's pages: back to the check, to do at home, where a new row opens, what is said of a lapse."""

import re
from typing import Any

import pytest

from office.db import db
from tests.haulers.builders import OUTSIDE, SOURCE, answered, draft, filed, hauler
from tests.haulers.test_pages_application import APPLY, only, seen
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

TYPED = {
    "sources": rows(ROW | {"gallons_rest": "500"}) | {"complete": "yes"}, "season": {"season": "both"},
    "tests": {"unusual": "no"}, "fee": {"fee": "mail"},
}  # fmt: skip


def test_every_change_from_the_check_returns_to_it(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    answered(hauler(), SOURCE)
    client = signed_in(app)
    page = text(client.get(f"{APPLY}/check"))
    links = set(re.findall(r'<dd class="change"><a href="([^"]+)"', page))
    assert {f"{APPLY}/{task}?from=check" for task in TYPED} <= links
    assert [link for link in links if not link.endswith("?from=check")] == []
    for task, typed in TYPED.items():
        path = f"{APPLY}/{task}?from=check"
        shown = text(client.get(path))
        assert f'href="{APPLY}/check"' in shown, task
        assert client.post(path, data=typed | {"then": "check"} | seen(shown) | once()).location == f"{APPLY}/check"


def test_home_says_what_is_unfinished_and_by_when_to_send_it(app: Any, clock_at: Any) -> None:
    business = hauler()
    client = signed_in(app)
    clock_at("2026-07-20T09:00")
    assert "Finish your application" not in text(client.get("/bayfield/hauler"))
    draft(business, SOURCE)
    db.session.commit()
    words = r'<li><a href="/bayfield/hauler/apply">Finish your application for season 2026-27</a>: ([^<]+)</li>'
    by = "by 11:59 p.m. on Tuesday, September 1, 2026. It is not sent yet."
    assert re.findall(words, text(client.get("/bayfield/hauler"))) == [f"send it from Saturday, August 1, 2026, {by}"]
    clock_at("2026-09-01T23:59:59")
    assert re.findall(words, text(client.get("/bayfield/hauler"))) == [f"send it {by}"]
    clock_at("2026-09-02T00:00")
    assert re.findall(words, text(client.get("/bayfield/hauler"))) == []


def test_a_sent_application_is_not_to_do(app: Any, clock_at: Any) -> None:
    filed(hauler())
    clock_at("2026-08-20T09:00")
    assert "Finish your application" not in text(signed_in(app).get("/bayfield/hauler"))


@pytest.mark.parametrize(("pressed", "opens"), [
    ({"add_row": "sources"}, "sources-2-waste-0"), ({"remove_row": "sources-0"}, "sources-0-waste-0"),
    ({"remove_row": "sources-1"}, "sources-0-waste-0"),
])  # fmt: skip
def test_after_a_row_is_added_or_removed_the_page_opens_there(app: Any, clock_at: Any, pressed: dict[str, str],
                                                              opens: str) -> None:  # fmt: skip
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE, OUTSIDE)
    client = signed_in(app)
    assert "autofocus" not in text(client.get(f"{APPLY}/sources"))
    page = text(client.post(f"{APPLY}/sources", data=rows(ROW, ROW) | pressed | once()))
    assert re.findall(r'<input[^>]* id="([^"]+)"[^>]* autofocus', page) == [opens]


def test_after_a_lapse_nobody_is_said_to_have_saved(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    client = signed_in(app)
    app.config["WTF_CSRF_ENABLED"] = True
    answer = client.post(f"{APPLY}/sources", data=rows(ROW) | {"csrf_token": "old"} | once())
    page = text(answer)
    assert answer.status_code == 422
    assert "This page was open for a long time." in page
    assert "What is saved now" not in page
    assert re.findall(r"<title>([^–]+) –", page) == ["Not sent yet: Say what you plan to bring"]
    assert only().state == "draft"


def test_after_a_lapse_a_page_of_the_company_says_nothing_of_another_save(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    client = signed_in(app)
    app.config["WTF_CSRF_ENABLED"] = True
    typed = {"name": "Mine", "address": "1 Road", "phone": "715-555-0100", "email": "a@b.example", "contact": "Ole"}
    answer = client.post("/bayfield/hauler/company", data=typed | {"csrf_token": "old"} | once())
    assert (answer.status_code, "What is saved now" in text(answer)) == (422, False)


def test_a_radio_in_error_is_described_by_what_is_wrong(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    page = text(signed_in(app).post(f"{APPLY}/season", data={"then": "check"} | once()))
    assert re.findall(r'id="season-(\d)"[^>]*aria-describedby="season-error"', page) == ["0", "1", "2"]
    assert 'id="season-error"' in page


@pytest.mark.parametrize(("when", "season", "said"), [
    ("2026-09-01T23:59:59", "2026-27", "No applications yet. The window closes at 11:59 p.m. on Tuesday, "
                                       "September 1, 2026."),
    ("2026-09-02T00:00", "2026-27", "No application is before the committee. The window closed at 11:59 p.m. on "
                                    "Tuesday, September 1, 2026."),
    ("2026-07-20T09:00", "2026-27", "No applications yet. The window opens Saturday, August 1, 2026, and closes at "
                                    "11:59 p.m. on Tuesday, September 1, 2026."),
])  # fmt: skip
def test_the_committee_reads_that_the_window_closed(app: Any, clock_at: Any, when: str, season: str,
                                                    said: str) -> None:  # fmt: skip
    clock_at(when)
    page = text(signed_in(app, "member1").get(f"/bayfield/committee?season={season}"))
    assert f"<p>{said}</p>" in page
