"""The pages around an application: its shorter tasks, last year's answers, after the close, changes, paper, waivers."""

import io
import re
from typing import Any

import pytest
from sqlalchemy import func, select

from haulers.actions import ask_change, open_change
from haulers.models import Application, ApplicationChange, ApplicationFile, ApplicationSource, Business
from haulers.queries.answers import Answers, answers_of
from office.db import db
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, draft, filed, hauler
from tests.haulers.test_pages_hauler import ROW, once, rows, signed_in, text

SUMMARY = r'<li><a href="#([^"]+)">([^<]+)</a></li>'
APPLY = "/bayfield/hauler/apply"
PDF = b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"


def seen(page: str) -> dict[str, str]:
    """The mark a form carries of the draft it was filled from."""
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found is not None
    return {"seen": found[1]}


def count(model: Any) -> int:
    return db.session.scalar(select(func.count(model.id))) or 0


def only() -> Application:
    db.session.expire_all()
    return db.session.scalars(select(Application)).one()


def test_the_nine_tasks_lead_from_one_to_the_next(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    client = signed_in(app)
    page = text(client.get(APPLY))
    groups = re.findall(r'<h2>([^<]+)</h2>\s*<ul class="tasks">', page)
    assert groups == ["Your company", "Your application", "Send it"]
    assert page.count('class="task-status"') + page.count('class="tag tag-') == 9
    steps = [("sources", rows(ROW | {"gallons_rest": "500"}) | {"complete": "yes"}), ("season", {"season": "both"}),
             ("tests", {"unusual": "no"}), ("fee", {"fee": "city_hall"})]  # fmt: skip
    locked = '<li class="locked">'
    reached = [client.post(f"{APPLY}/{name}", data=typed | {"then": "check"} | once()).location
               for name, typed in steps]  # fmt: skip
    assert reached == [f"{APPLY}/{name}" for name in ("season", "tests", "fee", "check")]
    page = text(client.get(APPLY))
    assert ("You have completed 7 of 9 tasks." in page, page.count(locked)) == (True, 1)
    assert client.get(f"{APPLY}/check").status_code == 409
    assert "I have no drivers to add" in text(client.get("/bayfield/hauler/drivers"))
    said = client.post("/bayfield/hauler/drivers?from=check", data={"none": "1"} | once())
    assert said.location == f"{APPLY}/check"
    page = text(client.get(APPLY))
    assert ("You have completed 8 of 9 tasks." in page, page.count(locked)) == (True, 0)
    page = text(client.get(f"{APPLY}/check"))
    for words in ("In both", "At City Hall", "12,500", "Accept and send"):
        assert words in page, words


@pytest.mark.parametrize(("task", "typed", "said"), [
    ("season", {}, [("season-0", "Select when you will bring it")]),
    ("season", {"season": "winter"},
     [("season-0", "Select both seasons: you ask for 8,000 gallons in the rest of the year")]),
    ("tests", {}, [("unusual-0", "Select whether any of it is unusual waste")]),
    ("tests", {"unusual": "yes"}, [("words", "Enter what is unusual about it")]),
    ("fee", {}, [("fee-0", "Select how you will pay the fee")]),
    ("fee", {"fee": "paid"}, [("receipt", "Enter the receipt number")]),
])  # fmt: skip
def test_each_task_says_what_to_answer(app: Any, clock_at: Any, task: str, typed: dict[str, str],
                                       said: list[tuple[str, str]]) -> None:  # fmt: skip
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    answer = signed_in(app).post(f"{APPLY}/{task}", data=typed | {"then": "check"} | once())
    assert (answer.status_code, re.findall(SUMMARY, text(answer))) == (422, said)
    assert all(f'id="{target}"' in text(answer) for target, _ in said)


def test_a_task_left_for_later_is_kept_as_far_as_it_goes(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    client = signed_in(app)
    answer = client.post(f"{APPLY}/season", data={"then": "later"} | once())
    assert answer.location == f"{APPLY}/saved"
    assert "by 11:59 p.m. on Tuesday, September 1, 2026" in text(client.get(answer.location))


def test_what_is_missing_stands_before_the_fee(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    hauler()
    page = text(signed_in(app).get(f"{APPLY}/fee"))
    first, second = page.index("Missing so far: look at this before you pay"), page.index("The filing fee is $75.00.")
    assert first < second
    assert "Say what you plan to bring: no source is listed yet." in page
    assert "It is not refunded." in page


def test_a_lab_sheet_is_kept_with_the_draft_and_a_page_that_calls_itself_pdf_is_not(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    client = signed_in(app)
    typed = {"unusual": "yes", "words": "Wash water", "then": "check"}
    html = {"sheet": (io.BytesIO(b"<html><script>1</script></html>"), "sheet.pdf")}
    answer = client.post(f"{APPLY}/tests", data=typed | html | once(), content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "Wash water" in text(answer)
    assert (count(ApplicationFile), answers_of(only()).unusual) == (0, "")
    good = {"sheet": (io.BytesIO(PDF), "sheet.pdf")}
    answer = client.post(f"{APPLY}/tests", data=typed | good | once(), content_type="multipart/form-data")
    assert answer.location == f"{APPLY}/fee"
    kept = db.session.scalars(select(ApplicationFile)).one()
    assert (kept.kind, kept.application_id) == ("lab", only().id)
    assert "sheet.pdf" in text(client.get(f"{APPLY}/tests"))


def test_a_colleagues_newer_save_is_shown_and_nothing_typed_is_lost(app: Any, clock_at: Any) -> None:
    from tests.haulers.test_drafts import colleague

    clock_at("2026-08-05T09:00")
    business = hauler()
    draft(business, SOURCE, at="2026-08-05T08:00")
    colleague(business)
    mine, theirs = signed_in(app), signed_in(app, "second@hauler.example")
    opened = seen(text(mine.get(f"{APPLY}/sources")))
    clock_at("2026-08-05T09:10")
    other = rows(ROW | {"place": "Typed by a colleague"}) | seen(text(theirs.get(f"{APPLY}/sources")))
    assert theirs.post(f"{APPLY}/sources", data=other | {"then": "check"} | once()).status_code == 303
    clock_at("2026-08-05T09:20")
    typed = rows(ROW | {"place": "Typed by me"}) | {"then": "check"}
    answer = mine.post(f"{APPLY}/sources", data=typed | opened | once())
    page = text(answer)
    assert "Lars Søn saved these answers on Wednesday, August 5, 2026, 9:10 a.m." in page
    assert 'value="Typed by me"' in page
    assert "Typed by a colleague" in page
    assert mine.post(f"{APPLY}/sources", data=typed | seen(page) | once()).status_code == 303
    assert [row.place for row in db.session.scalars(select(ApplicationSource))] == ["Typed by me"]


def test_last_years_answers_are_offered_used_once_and_marked(app: Any, clock_at: Any) -> None:
    business = hauler()
    filed(business, SOURCE, OUTSIDE)
    client = signed_in(app)
    clock_at("2027-08-05T09:00")
    assert "Use last year's answers" in text(client.get(APPLY))
    assert client.post(f"{APPLY}/last-year", data=once()).location == APPLY
    page = text(client.get(APPLY))
    assert "Use last year" not in page
    assert "Check these" in page
    assert "Check your earlier answers" in text(client.get(f"{APPLY}/sources"))
    page = text(client.get(f"{APPLY}/check"))
    assert "Check your earlier answers about what you plan to bring." in page
    assert "Accept and send" not in page


def test_after_the_close_the_request_starts_with_a_button_and_ends_with_a_number(app: Any, clock_at: Any) -> None:
    hauler()
    client = signed_in(app)
    clock_at("2026-09-02T00:00:00")
    assert "Ask the committee to take yours late" in text(client.get(APPLY))
    assert "Start the application" in text(client.get(f"{APPLY}/late"))
    assert count(Application) == 0
    client.post(f"{APPLY}/late", data={"start": "1"} | once())
    client.post(f"{APPLY}/sources", data=rows(ROW) | {"then": "check"} | once())
    answer = client.post(f"{APPLY}/late", data=once())
    assert re.findall(SUMMARY, text(answer)) == [("reason", "Enter why your application comes late")]
    key = once()
    answers = [client.post(f"{APPLY}/late", data={"reason": "I was ill."} | key) for _ in range(5)]
    answers.append(client.post(f"{APPLY}/late", data={"reason": "I was ill."} | once()))
    assert {one.location for one in answers} == {f"{APPLY}/sent/1"}
    page = text(client.get(f"{APPLY}/sent/1"))
    assert "<h1>Late request sent</h1>" in page
    assert "Your number is 2026-27/L-001" in page
    assert "I was ill." in page


def test_in_the_window_nobody_is_asked_for_a_late_application(app: Any, clock_at: Any) -> None:
    draft(hauler(), SOURCE, at="2026-08-05T08:00")
    client = signed_in(app)
    clock_at("2026-09-01T23:59:59")
    assert client.get(f"{APPLY}/late").location == "/bayfield/late"
    assert client.post(f"{APPLY}/late", data={"reason": "Soon"} | once()).location == "/bayfield/late"
    assert "The applications are not closed." in text(client.get("/bayfield/late"))
    assert only().state == "draft"


def test_everybody_reads_what_can_be_done_after_the_close(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-10T09:00")
    page = text(app.test_client().get("/bayfield/late"))
    assert "The committee votes on whether to take it; until then nobody decides on it." in page
    assert '<a href="tel:+17155550100">715-555-0100</a>' in page


def test_a_change_from_asking_to_both_texts_on_both_pages(app: Any, clock_at: Any) -> None:
    mine = filed(hauler())
    client = signed_in(app)
    clock_at("2026-09-04T10:00")
    assert "Ask to change an answer" in text(client.get(f"{APPLY}/sent/{mine.id}"))
    client.post(f"{APPLY}/change/{mine.id}", data={"words": "Fewer gallons in winter"} | once())
    assert "You asked for a change: Fewer gallons in winter" in text(client.get(f"{APPLY}/sent/{mine.id}"))
    clerk = signed_in(app, "clerk")
    assert "Fewer gallons in winter" in text(clerk.get("/bayfield/clerk/filings?season=2026-27"))
    day = {"due_on-month": "9", "due_on-day": "15", "due_on-year": "2026"}
    page = text(clerk.get("/bayfield/clerk/changes/1"))
    assert "After the close nothing is opened without the committee&#39;s request." in page
    assert page.count('<span class="optional">(optional)</span>') == 1  # the day to answer by
    bare = text(clerk.post("/bayfield/clerk/changes/1", data=day | once()))
    assert re.findall(SUMMARY, bare) == [
        ("opens-0", "Select what may be changed"), ("member-0", "Select who of the committee asked for it"),
        ("asked_on-month", "Enter the day they asked for it"),
    ]  # fmt: skip
    asked = {"opens": "gallons", "member": str(world.staff("member1").person_id), "asked_on-month": "9",
             "asked_on-day": "3", "asked_on-year": "2026"}  # fmt: skip
    opened = clerk.post("/bayfield/clerk/changes/1", data=day | once() | asked)
    assert opened.location == f"/bayfield/clerk/filings/{mine.id}"
    assert "Change it by Tuesday, September 15, 2026." in text(client.get(f"{APPLY}/sent/{mine.id}"))
    assert 'value="12,000"' in text(client.get(f"{APPLY}/changes/1"))
    typed = rows(ROW | {"gallons_winter": "9,000", "gallons_rest": "8,000"}) | {"season": "both", "unusual": "no"}
    assert client.post(f"{APPLY}/changes/1", data=typed | once()).location == f"{APPLY}/sent/{mine.id}"
    for page in (text(client.get(f"{APPLY}/sent/{mine.id}")), text(clerk.get(f"/bayfield/clerk/filings/{mine.id}"))):
        row = r'<th scope="row">Source 1: Gallons in winter</th>\s*<td>([^<]*)</td>\s*<td>([^<]*)</td>'
        assert re.findall(row, page) == [("12,000", "9,000")]
    sent = only().sent
    assert sent is not None
    assert sent["sources"][0]["gallons_winter"] == 12000


def test_the_clerk_says_why_it_stays_and_the_hauler_reads_it(app: Any, clock_at: Any) -> None:
    business = hauler()
    mine, when = filed(business), world.at("2026-09-04T10:00")
    ask_change(world.plant(), mine.id, "Another place", by=acting(business), at=when, law=world.law(when.date()))
    client, clerk = signed_in(app), signed_in(app, "clerk")
    clock_at("2026-09-04T11:00")
    answer = clerk.post("/bayfield/clerk/changes/1/refuse", data=once())
    assert re.findall(SUMMARY, text(answer)) == [("reason", "Enter why it stays as it is")]
    clerk.post("/bayfield/clerk/changes/1/refuse", data={"reason": "It was read already."} | once())
    assert "It was read already." in text(client.get(f"{APPLY}/sent/{mine.id}"))


def test_another_haulers_and_another_plants_change_is_not_found(app: Any, clock_at: Any) -> None:
    mine, when = filed(hauler()), world.at("2026-09-04T10:00")
    open_change(world.plant(), mine, "committee", "More", None, by=world.staff("member1"), at=when,
                law=world.law(when.date()))  # fmt: skip
    hauler("Second Septic", "other@hauler.example")
    other = signed_in(app, "other@hauler.example")
    clock_at("2026-09-04T11:00")
    addresses = (f"{APPLY}/changes/1", f"{APPLY}/change/{mine.id}", f"{APPLY}/changes/99")
    assert [other.get(one).status_code for one in addresses] == [404, 404, 404]
    posted = rows(ROW) | {"season": "winter", "unusual": "no"} | once()
    assert other.post(f"{APPLY}/changes/1", data=posted).status_code == 404
    assert signed_in(app, "clerk").get("/bayfield/clerk/changes/99").status_code == 404
    assert db.session.scalars(select(ApplicationChange)).one().answered_at is None


PAPER = {
    "received_on-month": "8", "received_on-day": "20", "received_on-year": "2026", "company": "new",
    "name": "Nguyễn Thị Hà Septic", "address": "3 Pine Road\nWashburn, WI 54891", "phone": "715-555-0133",
    "licence_state": "WI", "licence_number": "5100", "licence_ends-month": "6", "licence_ends-day": "30",
    "licence_ends-year": "2027", "trucks-0-plate": "WI 77", "trucks-0-capacity": "2,000",
}  # fmt: skip


def test_the_clerk_enters_a_paper_of_a_new_company(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    clerk = signed_in(app, "clerk")
    assert 'value="new"' in text(clerk.get("/bayfield/clerk/filings/paper"))
    typed = PAPER | rows(ROW) | {"scan": (io.BytesIO(PDF), "paper.pdf")} | once()
    made = clerk.post("/bayfield/clerk/filings/paper", data=typed, content_type="multipart/form-data")
    assert made.location == "/bayfield/clerk/filings/1"
    page = text(clerk.get(made.location))
    assert "On paper, entered by Clerk of the City" in page
    assert "Received Thursday, August 20, 2026." in page
    assert "On paper" in text(clerk.get("/bayfield/clerk/filings"))
    assert (only().channel, only().declared_by, count(Business)) == ("paper", "", 1)
    kept = db.session.scalars(select(ApplicationFile)).one()
    assert (kept.kind, kept.application_id, kept.added_by) == ("paper", only().id, "Clerk of the City")


def test_a_paper_with_wrong_boxes_names_each_and_keeps_what_was_typed(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-21T09:00")
    wrong = PAPER | {"name": "", "received_on-year": "", "trucks-0-capacity": "big"}
    answer = signed_in(app, "clerk").post("/bayfield/clerk/filings/paper", data=wrong | rows(ROW) | once())
    assert (answer.status_code, re.findall(SUMMARY, text(answer))) == (422, [
        ("received_on-year", "Date received must include a year"), ("name", "Enter the company name"),
        ("trucks-0-capacity", "Truck 1: Tank size must be a number, like 1,500"),
    ])  # fmt: skip
    assert 'value="big"' in text(answer)
    late = PAPER | {"received_on-month": "7"}
    answer = signed_in(app, "clerk").post("/bayfield/clerk/filings/paper", data=late | rows(ROW) | once())
    assert re.findall(SUMMARY, text(answer))[0][0] == "received_on-month"
    assert count(Application) == 0


def test_a_paper_of_a_company_already_known_needs_only_its_name_picked(app: Any, clock_at: Any) -> None:
    business = hauler()
    filed(business)
    clock_at("2027-08-21T09:00")
    clerk = signed_in(app, "clerk")
    typed = {"received_on-month": "8", "received_on-day": "20", "received_on-year": "2027", "company": str(business.id)}
    made = clerk.post("/bayfield/clerk/filings/paper", data=typed | rows(ROW) | {"trucks-0-plate": ""} | once())
    assert made.location == "/bayfield/clerk/filings/2"
    assert count(Business) == 1


def test_a_waiver_is_recorded_with_its_resolution_and_seen_everywhere(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-20T09:00")
    mine = filed(hauler())
    clerk, address = signed_in(app, "clerk"), f"/bayfield/clerk/filings/{mine.id}"
    page = text(clerk.get(f"{address}/fee"))
    assert page.index("Missing so far: tell the hauler before the fee is paid") < page.index("$75.00")
    answer = clerk.post(f"{address}/waive", data=once())
    assert ("resolution", "Enter the resolution of the Council") in re.findall(SUMMARY, text(answer))
    typed = {"resolution": "Resolution 2026-14", "resolved_on-month": "8", "resolved_on-day": "18",
             "resolved_on-year": "2026"}  # fmt: skip
    assert clerk.post(f"{address}/waive", data=typed | once()).location == address
    assert "Waived by Resolution 2026-14" in text(clerk.get(address))
    assert "Waived by Resolution 2026-14" in text(clerk.get("/bayfield/clerk/filings"))
    assert "The fee is waived" in text(clerk.get(f"{address}/fee"))
    page = text(signed_in(app).get(f"{APPLY}/sent/{mine.id}"))
    assert "Your filing fee is waived by Resolution 2026-14." in page
    assert "<b>Complete.</b>" in page


def test_answers_stay_apart_by_task(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    client = signed_in(app)
    client.post(f"{APPLY}/season", data={"season": "both", "then": "check"} | once())
    client.post(f"{APPLY}/tests", data={"unusual": "no", "words": "left over", "then": "check"} | once())
    client.post(f"{APPLY}/fee", data={"fee": "mail", "receipt": "left over", "then": "check"} | once())
    assert answers_of(only()) == Answers("both", "no", "", "mail", "")


def test_two_windows_on_different_tasks_save_both_without_a_word(app: Any, clock_at: Any) -> None:
    clock_at("2026-08-05T09:00")
    draft(hauler(), SOURCE)
    client = signed_in(app)
    opened = {page: re.search(r'name="seen"[^>]*value="(\w+)"', text(client.get(f"/bayfield/hauler/apply/{page}")))
              for page in ("season", "fee")}  # fmt: skip
    seen = {page: found[1] for page, found in opened.items() if found}
    first = client.post("/bayfield/hauler/apply/season", data={"season": "both", "seen": seen["season"]} | once())
    second = client.post("/bayfield/hauler/apply/fee", data={"fee": "mail", "seen": seen["fee"]} | once())
    assert (first.status_code, second.status_code) == (303, 303)
    again = client.post("/bayfield/hauler/apply/fee", data={"fee": "city_hall", "seen": seen["fee"]} | once())
    assert (again.status_code, "saved these answers in another window" in text(again)) == (422, True)
