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
from office.files import File
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


def kept(page: str, field: str = "sheet") -> str:
    """The key of the file a page says is kept with its form."""
    found = re.search(rf'name="{field}-kept" value="([0-9a-f]{{32}})"', page)
    assert found is not None, page
    return found[1]


def opened(app: Any, clock_at: Any) -> tuple[Any, str, Any]:
    """A hauler at the page of an opened change, and the application."""
    mine, when = filed(hauler()), world.at("2026-09-04T10:00")
    made = open_change(world.plant(), mine, "committee", "Send us a lab sheet", None, by=world.staff("member1"),
                       at=when, law=world.law(when.date()))  # fmt: skip
    assert isinstance(made, ApplicationChange), made
    db.session.commit()
    clock_at("2026-09-05T10:00")
    return signed_in(app), f"{APPLY}/changes/{made.id}", mine


def test_a_file_is_kept_while_rows_are_added_and_wrong_answers_mended(app: Any, clock_at: Any) -> None:
    client, path, mine = opened(app, clock_at)
    page = text(upload(client, path, rows(ROW) | {"add_row": "sources"} | sheet("lab.pdf")))
    assert f"Kept with this form: <b>lab.pdf</b>, {len(PDF)} bytes. Another file takes its place." in page
    key = kept(page)
    wrong = client.post(path, data=SAME | {"unusual": "", "sheet-kept": key} | once())
    assert (wrong.status_code, kept(text(wrong))) == (422, key)
    assert files_of(mine.business_id, application_id=mine.id) == []
    assert client.post(path, data=SAME | {"sheet-kept": key} | once()).location == f"{APPLY}/sent/{mine.id}"
    assert [one.name for one in files_of(mine.business_id, application_id=mine.id)] == ["lab.pdf"]
    stored = db.session.scalars(select(File)).one()
    assert (stored.content, stored.kind) == (PDF, "application/pdf")


def test_a_kept_file_is_left_out_or_another_takes_its_place(app: Any, clock_at: Any) -> None:
    client, path, mine = opened(app, clock_at)
    first = kept(text(upload(client, path, rows(ROW) | {"add_row": "sources"} | sheet("lab.pdf"))))
    more = rows(ROW) | {"add_row": "sources", "sheet-kept": first}
    gone = text(client.post(path, data=more | {"sheet-drop": "1"} | once()))
    assert ("lab.pdf" in gone, "sheet-kept" in gone) == (False, False)
    page = text(upload(client, path, more | sheet("other.pdf")))
    assert ("<b>other.pdf</b>" in page, kept(page) == first) == (True, False)
    done = client.post(path, data=SAME | {"sheet-kept": kept(page)} | once())
    assert done.location == f"{APPLY}/sent/{mine.id}"
    assert [one.name for one in files_of(mine.business_id, application_id=mine.id)] == ["other.pdf"]


def test_the_clerks_paper_form_keeps_the_scan_when_it_looks_for_a_company(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    client, path = signed_in(app, "clerk"), "/bayfield/clerk/filings/paper"
    typed = {"find": "Septic", "find_now": "1", "scan": (io.BytesIO(PDF), "paper.pdf")}
    page = text(client.post(path, data=typed | once(), content_type="multipart/form-data"))
    assert f"Kept with this form: <b>paper.pdf</b>, {len(PDF)} bytes." in page
    assert len(kept(page, "scan")) == 32
