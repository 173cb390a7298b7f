"""Files of an application: a lab sheet alone answers a change, a wrong one can be taken off again."""

import io
import re
from typing import Any

from sqlalchemy import select

from haulers.actions import open_change
from haulers.models import ApplicationChange, ApplicationFile
from haulers.queries.changes import changes_shown
from haulers.queries.files import files_of
from office.db import db
from tests import world
from tests.haulers.builders import SOURCE, draft, filed, hauler
from tests.haulers.test_pages_application import APPLY, PAPER, PDF
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

SAME = rows(ROW | {"gallons_rest": "8,000"}) | {"unusual": "no", "season": "both"}


def sheet(name: str) -> dict[str, Any]:
    return {"sheet": (io.BytesIO(PDF), name)}


def upload(client: Any, path: str, typed: dict[str, Any]) -> Any:
    return client.post(path, data=typed | once(), content_type="multipart/form-data")


def test_a_lab_sheet_alone_answers_what_was_asked_and_is_on_record_before_and_after(app: Any, clock_at: Any) -> None:
    mine, when = filed(hauler()), world.at("2026-09-04T10:00")
    mine.answers = {"season": "both", "unusual": "no"}
    open_change(world.plant(), mine, "committee", "Send us a lab sheet", None, by=world.staff("member1"), at=when,
                law=world.law(when.date()))  # fmt: skip
    client = signed_in(app)
    clock_at("2026-09-05T10:00")
    answer = upload(client, f"{APPLY}/changes/1", SAME)
    assert (answer.status_code, "Nothing is changed yet" in text(answer)) == (422, True)
    assert upload(client, f"{APPLY}/changes/1", SAME | sheet("lab.pdf")).location == f"{APPLY}/sent/{mine.id}"
    made = db.session.scalars(select(ApplicationChange)).one()
    kept = db.session.scalars(select(ApplicationFile)).one()
    assert (made.before["files"], made.after["files"]) == (
        [], [{"id": kept.id, "kind": "Lab sheet", "name": "lab.pdf", "size": "48 bytes"}],
    )  # fmt: skip
    assert changes_shown(mine.id)[0][1] == [("Lab sheet", "", "lab.pdf")]
    row = r'<th scope="row">Lab sheet</th>\s*<td>([^<]*)</td>\s*<td>([^<]*)</td>'
    clerk = signed_in(app, "clerk")
    for page in (client.get(f"{APPLY}/sent/{mine.id}"), clerk.get(f"/bayfield/clerk/filings/{mine.id}")):
        assert re.findall(row, text(page)) == [("", "lab.pdf")]


def test_a_sheet_a_company_sends_on_paper_is_alone_a_change_too(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-25T09:00")
    clerk = signed_in(app, "clerk")
    assert clerk.post("/bayfield/clerk/filings/paper", data=PAPER | rows(ROW) | once()).status_code == 303
    clock_at("2026-08-26T09:00")
    path, came = "/bayfield/clerk/filings/1/paper-change", {
        "received_on-month": "8", "received_on-day": "25", "received_on-year": "2026", "wish": "A lab sheet",
    }  # fmt: skip
    answer = upload(clerk, path, came | rows(ROW))
    assert (answer.status_code, "Nothing is changed yet" in text(answer)) == (422, True)
    scan = {"scan": (io.BytesIO(PDF), "lab.pdf")}
    assert upload(clerk, path, came | rows(ROW) | scan).location == "/bayfield/clerk/filings/1"
    assert changes_shown(1)[0][1] == [("Paper application", "", "lab.pdf")]


def test_a_wrong_lab_sheet_is_taken_off_the_draft_and_the_way_leads_back(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    business = hauler()
    made = draft(business, SOURCE)
    client = signed_in(app)
    upload(client, f"{APPLY}/tests", {"unusual": "no", "then": "check"} | sheet("wrong.pdf"))
    link = re.findall(r'href="([^"]+/remove)">Remove<span class="visually-hidden"> wrong.pdf',
                      text(client.get(f"{APPLY}/tests")))  # fmt: skip
    assert len(link) == 1
    assert f'href="{APPLY}/tests">Keep it</a>' in text(client.get(link[0]))
    assert client.post(link[0], data=once()).location == f"{APPLY}/tests"
    assert files_of(business.id, application_id=made.id) == []
    assert "Lab sheets kept" not in text(client.get(f"{APPLY}/tests"))


LAST = "Choose it last: it is not kept when you add or remove a row"


def test_the_change_says_before_and_after_that_an_added_row_loses_a_chosen_file(app: Any, clock_at: Any) -> None:
    mine, when = filed(hauler()), world.at("2026-09-04T10:00")
    made = open_change(world.plant(), mine, "committee", "Send us a lab sheet", None, by=world.staff("member1"),
                       at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, ApplicationChange), made
    db.session.commit()
    clock_at("2026-09-05T10:00")
    client, path = signed_in(app), f"{APPLY}/changes/{made.id}"
    assert LAST in text(client.get(path))
    page = text(upload(client, path, rows(ROW) | {"add_row": "sources"} | sheet("lab.pdf")))
    assert "Choose lab.pdf again: a file is not kept on a page that comes back." in page


def test_the_clerks_paper_form_says_so_too(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    page = text(signed_in(app, "clerk").get("/bayfield/clerk/filings/paper"))
    assert f"{LAST} or press Find" in page
