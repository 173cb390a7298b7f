"""Letters to print and post: one PDF of all, mail numbers, and a way there from wherever no e-mail went."""

import io
import re
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from haulers.actions.posting import note_posted
from haulers.models import Approval, Revocation
from haulers.queries.to_print import how_many_to_print, letters_to_print
from office import jobs
from office.access import Role, system
from office.acts import act
from office.db import db
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import approve, approved, decide, filed, hauler, issue, record
from tests.haulers.test_amendments import revoke
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.haulers.test_paper import enter

PRINT, AT = "/bayfield/clerk/print", "2026-10-21T09:00"
DAY = world.at(AT).date()


@act("test_mail_failed", roles=(Role.SYSTEM,))
def _failed(*, by: Any, at: Any) -> bool:
    for one in db.session.scalars(select(Notice).where(Notice.party_id.is_not(None), Notice.state == "waiting")):
        one.state, one.next_try, one.trouble = "failed", None, "550 No such mailbox"
    return True


@pytest.fixture
def clerk(app: Any, clock_at: Any) -> Any:
    clock_at(AT)
    return signed_in(app, "clerk")


def revoked() -> Revocation:
    revoke(approved(hauler()))
    db.session.commit()
    jobs.work(world.at(AT))
    return db.session.scalars(select(Revocation)).one()


def pages(answer: Any) -> list[str]:
    return [" ".join(one.extract_text().split()) for one in PdfReader(io.BytesIO(answer.data)).pages]


def subjects() -> list[str]:
    return [one.subject for one in letters_to_print(world.plant().id, DAY)]


def test_a_company_without_an_email_and_one_whose_mail_was_refused_are_listed(app: Any) -> None:
    enter()
    filed(hauler())
    assert subjects() == ["We received your application 2026-27/0001"]
    _failed(by=system(), at=world.START)
    assert subjects() == [f"We received your application 2026-27/000{n}" for n in (1, 2)]
    assert how_many_to_print(world.plant().id, DAY) == 2


def test_all_are_one_pdf_in_the_order_of_the_list_each_on_its_own_page(clerk: Any) -> None:
    enter()
    made = filed(hauler())
    decide([approve(made)])
    _failed(by=system(), at=world.START)
    db.session.commit()
    jobs.work(world.at(AT))
    page = text(clerk.get(PRINT))
    assert "Print all 3 letters (PDF)" in page
    found = pages(clerk.get(f"{PRINT}/all"))
    titles = ["Receipt for application 2026-27/0001", "Receipt for application 2026-27/0002",
              "Approval of application 2026-27/0002"]  # fmt: skip
    assert [next(title for title in titles if title in one) for one in found] == titles
    assert all("page 1 of 1" in one for one in found)


def test_nothing_to_print_is_no_document(clerk: Any) -> None:
    assert "No letter waits to be printed." in text(clerk.get(PRINT))
    assert clerk.get(f"{PRINT}/all").status_code == 404


def test_a_letter_not_drawn_yet_is_waited_for(clerk: Any) -> None:
    enter()
    db.session.commit()
    answer = clerk.get(f"{PRINT}/all")
    assert (answer.status_code, answer.headers["Refresh"]) == (202, "5")


def test_a_revocation_waits_for_its_mail_number_though_it_was_mailed(clerk: Any) -> None:
    gone = revoked()
    [notice] = letters_to_print(world.plant().id, DAY)
    assert (notice.kind, notice.state) == ("revocation", "waiting")
    page = text(clerk.get(PRINT))
    assert "By certified mail" in page
    wrong = clerk.post(f"{PRINT}/{notice.id}", data={"number": " "} | once())
    assert wrong.status_code == 422
    assert f'<a href="#number-{notice.id}">Enter the number of the certified mail</a>' in text(wrong)
    done = clerk.post(f"{PRINT}/{notice.id}", data={"number": " 7019 0140 "} | once())
    assert (done.location, gone.certified_mail) == (PRINT, "7019 0140")
    assert db.session.get_one(Notice, notice.id).state == "waiting"
    assert subjects() == []


def test_the_number_kept_on_the_revocations_own_page_takes_it_off_the_list(app: Any) -> None:
    from haulers.actions.revocation import record_certified_mail

    gone = revoked()
    record_certified_mail(world.plant(), gone.approval_id, "7019", by=world.staff("director"), at=world.at(AT))
    assert subjects() == []


def test_a_revoked_paper_company_is_posted_and_its_number_kept_in_one(app: Any) -> None:
    decide([approve(enter())])
    for one in letters_to_print(world.plant().id, DAY):
        note_posted(world.plant(), one.id, by=world.staff("clerk"), at=world.at(AT))
    revoke(db.session.scalars(select(Approval)).one())
    [notice] = letters_to_print(world.plant().id, DAY)
    said = note_posted(world.plant(), notice.id, by=world.staff("clerk"), at=world.at(AT))
    assert isinstance(said, Refusal)
    assert (said.code, said.why) == ("no_number", "Enter the number of the certified mail.")
    done = note_posted(world.plant(), notice.id, "7019", by=world.staff("clerk"), at=world.at(AT))
    assert isinstance(done, Notice)
    assert (done.state, db.session.scalars(select(Revocation.certified_mail)).one()) == ("sent", "7019")


def test_a_revocation_of_an_approval_that_is_over_is_not_asked_for_any_more(app: Any) -> None:
    gone = revoked()
    ends = db.session.get_one(Approval, gone.approval_id).ends
    assert how_many_to_print(world.plant().id, ends) == 1
    assert how_many_to_print(world.plant().id, ends.replace(month=10, day=1)) == 0


def test_the_desk_and_every_page_that_says_no_email_lead_to_the_list(app: Any, clerk: Any) -> None:
    decide([approve(enter())])
    revoke(db.session.scalars(select(Approval)).one())
    db.session.commit()
    desk = " ".join(text(clerk.get("/bayfield/clerk")).split())
    assert f'<a href="{PRINT}">Letters to print and post</a></th> <td class="num">3</td>' in desk
    assert "Messages that reached nobody</th>" in desk
    approval = db.session.scalars(select(Approval)).one()
    notice = db.session.scalars(select(Notice).filter_by(kind="revocation", state="no_address")).one()
    link = f'<a href="{PRINT}">Print and post it'
    for address, count in (("messages", 3), (f"messages/{notice.id}", 1),
                           (f"director/approvals/{approval.id}/revoked", 1)):  # fmt: skip
        page = text(clerk.get(f"/bayfield/{address}"))
        assert (page.count("No e-mail"), page.count(link)) == (count, count), address
    director = text(signed_in(app, "director").get(f"/bayfield/director/approvals/{approval.id}/revoked"))
    assert ("The clerk prints and posts it." in director, link in director) == (True, False)
    assert f'<a href="{PRINT}">3 letters wait to be printed and posted</a>' in text(
        clerk.get("/bayfield/clerk/letters")
    )


def test_the_queue_shows_all_letters_of_a_motion_in_one_pdf_before_and_after(clerk: Any) -> None:
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    motion = record([approve(first), approve(second)])
    db.session.commit()
    assert "Read all 2 in one PDF" in text(clerk.get("/bayfield/clerk/letters"))
    read = clerk.post(f"/bayfield/clerk/letters/{motion.id}", data={"preview": "all"} | once())
    names = ["O'Brien & Søn Septic", "Second Septic"]
    assert [name in one and "No. not issued" in one for name, one in zip(names, pages(read), strict=True)] == [True] * 2
    assert db.session.scalars(select(Approval)).all() == []
    assert clerk.get(f"/bayfield/clerk/letters/{motion.id}/print").status_code == 404
    issue(motion, at=AT)
    db.session.commit()
    jobs.work(world.at(AT))
    page = text(clerk.get(f"/bayfield/committee/motions/{motion.id}"))
    assert f'<a href="/bayfield/clerk/letters/{motion.id}/print">Print 2 issued letters in one PDF</a>' in page
    printed = pages(clerk.get(f"/bayfield/clerk/letters/{motion.id}/print"))
    assert [name in one for name, one in zip(names, printed, strict=True)] == [True, True]


def test_the_list_takes_the_same_queries_for_few_and_for_many(app: Any, clerk: Any) -> None:
    import sqlalchemy as sa

    def queries() -> int:
        clerk.get(PRINT)
        seen: list[str] = []

        def note(_c: Any, _cur: Any, statement: str, *_rest: Any) -> None:
            seen.append(statement)

        sa.event.listen(db.engine, "before_cursor_execute", note)
        clerk.get(PRINT)
        sa.event.remove(db.engine, "before_cursor_execute", note)
        return len([one for one in seen if one.lstrip().upper().startswith("SELECT")])

    filed(hauler())
    _failed(by=system(), at=world.START)
    db.session.commit()
    few = queries()
    for n in range(5):
        filed(hauler(f"Septic {n}", f"n{n}@hauler.example"))
    _failed(by=system(), at=world.START)
    db.session.commit()
    assert re.search("Print all 6 letters", text(clerk.get(PRINT)))
    assert queries() == few
