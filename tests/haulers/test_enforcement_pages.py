"""The pages after approval: notice, revocation, certified mail, review, changes asked for, giving back (§ 329-7 G)."""

import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import func, select

from haulers.models import Amendment, Approval, Reinstatement, Review, Revocation, Suspension, Violation
from haulers.ports import LoadLine
from office.db import db
from tests import world
from tests.haulers.builders import NAMES, approved, hauler
from tests.haulers.test_enforcement import RULE, suspensions_known
from tests.haulers.test_pages_hauler import once, signed_in, text

NOW = "2026-10-20T09:00"


def three(name: str, day: date) -> dict[str, str]:
    return {f"{name}-month": str(day.month), f"{name}-day": str(day.day), f"{name}-year": str(day.year)}


def count(model: Any) -> int:
    return db.session.scalars(select(func.count()).select_from(model)).one()


@pytest.fixture
def approval(app: Any, before: Any, clock_at: Any) -> Approval:
    clock_at(NOW)
    before.loads = [LoadLine("2026-00012", date(2026, 10, 19), "septic_tank", 1000)]
    made = approved(hauler())
    db.session.commit()
    return made


def motion() -> dict[str, str]:
    """A motion moved, seconded and carried by all."""
    ids = [world.staff(name).person_id for name in NAMES]
    votes = {f"vote_{ident}": "aye" for ident in ids}
    return {"words": "To do as shown.", "mover": str(ids[0]), "seconder": str(ids[1])} | votes


def test_a_notice_is_read_back_sent_added_to_and_marked_as_corrected(
    app: Any, approval: Approval, clock_at: Any
) -> None:
    clerk = signed_in(app, "clerk")
    address = f"/bayfield/director/haulers/{approval.business_id}/violation"
    empty = text(clerk.post(address, data={"step": "check"} | once()))
    for said in ("Select the rule that was broken", "Enter the first day it happened",
                 "Enter the day to correct it by"):  # fmt: skip
        assert said in empty
    typed = {"rule": RULE, "reason": "Unloaded at 11 p.m.", "loads": "2026-00012"} | three("first", date(2026, 10, 18))
    typed |= three("last", date(2026, 10, 19)) | three("correct_by", date(2026, 11, 3))
    check = text(clerk.post(address, data=typed | {"step": "check"} | once()))
    assert "<li>Load ticket 2026-00012: October 19, 2026, 1,000 gallons of septic tank waste</li>" in check
    assert "Correct what is described here by the end of Tuesday, November 3, 2026" in check
    assert "<li>Sunday, October 18, 2026</li><li>Monday, October 19, 2026</li>" in check
    assert count(Violation) == 0
    sent = clerk.post(address, data=typed | {"step": "send"} | once())
    page = text(clerk.get(sent.location))
    assert "October 18, 2026; October 19, 2026" in page
    assert "o&#39;brien@hauler.example" in page
    more = three("first", date(2026, 10, 20)) | {"step": "days"}
    assert "October 20, 2026" in text(clerk.get(clerk.post(sent.location, data=more | once()).location))
    clock_at("2026-11-04T09:00")
    assert "Not corrected by November 3, 2026" in text(clerk.get(sent.location))
    assert "Not corrected in time" in text(clerk.get("/bayfield/director/enforcement"))
    wrong = clerk.post(sent.location, data=three("on", date(2026, 11, 2)) | {"step": "corrected"} | once())
    assert wrong.status_code == 422
    assert "Enter how it was corrected" in text(wrong)
    done = three("on", date(2026, 11, 2)) | {"how": "Hours posted", "step": "corrected"}
    page = text(clerk.get(clerk.post(sent.location, data=done | once()).location))
    assert "Monday, November 2, 2026: Hours posted" in page
    assert ">Corrected</span>" in text(clerk.get("/bayfield/director/enforcement"))


def test_a_notice_with_a_year_far_off_is_sent_once_it_is_ticked(app: Any, approval: Approval) -> None:
    clerk, address = signed_in(app, "clerk"), f"/bayfield/director/haulers/{approval.business_id}/violation"
    typed = {"rule": RULE, "reason": "Unloaded at 11 p.m."} | three("first", date(2026, 10, 18))
    typed |= three("correct_by", date(2099, 11, 3))
    asked = clerk.post(address, data=typed | {"step": "check"} | once())
    why = "The day to correct it by, November 3, 2099, is more than a year ahead."
    assert (asked.status_code, f"{why} Check the years, or tick that the days are right" in text(asked)) == (422, True)
    assert f'name="seen" value="{why}"' in text(asked)
    assert clerk.post(address, data=typed | {"step": "send", "sure": "y"} | once()).status_code == 422
    assert count(Violation) == 0
    typed |= {"sure": "y", "seen": why}
    assert "November 3, 2099" in text(clerk.post(address, data=typed | {"step": "check"} | once()))
    other = typed | three("correct_by", date(2098, 11, 3))
    assert clerk.post(address, data=other | {"step": "send"} | once()).status_code == 422
    assert clerk.post(address, data=typed | {"step": "send"} | once()).status_code == 303
    assert count(Violation) == 1


def revoke(app: Any, approval: Approval, **more: str) -> Any:
    typed = {"rule": RULE, "reason": "Unloaded at 11 p.m.", "when": "now", "loads": "2026-00012"} | more
    client = signed_in(app, "director")
    address = f"/bayfield/director/approvals/{approval.id}/revoke"
    return client, client.post(address, data=typed | {"step": "check"} | once()), address, typed


def test_a_revocation_from_a_day_to_come_reads_back_that_day(app: Any, approval: Approval) -> None:
    _, answer, _, _ = revoke(app, approval, when="day")
    assert (answer.status_code, "Enter the first day without the approval" in text(answer)) == (422, True)
    _, answer, _, _ = revoke(app, approval, when="day", **three("from_day", date(2026, 10, 20)))
    assert "The first day without the approval must be after today" in text(answer)
    client, answer, address, typed = revoke(app, approval, when="day", **three("from_day", date(2026, 11, 2)))
    assert "revoked from Monday, November 2, 2026" in text(answer)
    assert "Load ticket 2026-00012: October 19, 2026, 1,000 gallons of septic tank waste" in text(answer)
    kept = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', text(answer)))
    assert kept["from_day-day"] == "2"
    client.post(address, data=typed | {"step": "send"} | once())
    assert db.session.scalars(select(Revocation)).one().from_day == date(2026, 11, 2)
    assert "Revoked from November 2, 2026" in text(client.get("/bayfield/director/approvals"))


def test_violation_revocation_review_and_reinstatement_one_after_the_other(
    app: Any, approval: Approval, clock_at: Any
) -> None:
    client, answer, address, typed = revoke(app, approval)
    assert re.findall(r"revoked from ([^<]+)</b>(.)", text(answer)) == [("Tuesday, October 20, 2026, 9:00 a.m.", " ")]
    revoked = client.post(address, data=typed | {"step": "send"} | once()).location
    clerk = signed_in(app, "clerk")
    assert "Enter the number of the certified mail" in text(clerk.post(revoked, data={"number": ""} | once()))
    clerk.post(revoked, data={"number": "7019 0140 0000"} | once())
    assert 'value="7019 0140 0000"' in text(clerk.get(revoked))
    link = re.search(r'href="([^"]+/reviews/new/revocation/\d+)"', text(clerk.get(revoked)))
    assert link is not None
    page = text(clerk.get(link[1]))
    assert "The last day to ask is Thursday, November 19, 2026" in page
    assert "To be confirmed" in page
    clock_at("2026-11-10T09:00")
    asked = three("asked_on", date(2026, 11, 9)) | {"asked_by": "Ingrid O'Brien", "words": "The gate was open."}
    review = clerk.post(link[1], data=asked | once()).location
    page = text(clerk.get(review))
    assert "<h2>Review decided: done</h2>" in page
    assert "November 24, 2026" in page
    done = three("done_on", date(2026, 11, 10)) | {"note": "Heard by the Director", "step": "done"}
    assert "<h2>Appeal asked for: done</h2>" in text(clerk.get(clerk.post(review, data=done | once()).location))
    close = three("on", date(2026, 11, 10)) | {"outcome": "reversed", "words": "It was mended.", "step": "close"}
    check = text(clerk.post(review, data=close | once()))
    assert "This is what the letter to O&#39;Brien &amp; Søn Septic, L.L.C. will say." in check
    assert db.session.scalars(select(Review.outcome)).one() == ""
    again = text(clerk.post(review, data=close | {"step": "edit"} | once()))
    assert "It was mended.</textarea>" in again
    page = text(clerk.get(clerk.post(review, data=close | {"step": "send"} | once()).location))
    assert "The decision is reversed" in page
    link = re.search(r'href="([^"]+)">The letter of the outcome \(PDF\)</a>', page)
    assert link is not None
    assert clerk.get(link[1]).mimetype == "application/pdf"
    mine = signed_in(app)
    assert "Outcome of the review: Revocation of approval" in text(mine.get("/bayfield/hauler/letters"))
    assert db.session.scalars(select(Review.outcome)).one() == "reversed"
    _give_back(app, approval, clock_at)


def _give_back(app: Any, approval: Approval, clock_at: Any) -> None:
    clock_at("2026-12-16T09:00")
    member = signed_in(app, "member1")
    assert "Give it back…" in text(member.get("/bayfield/committee/changes"))
    address = f"/bayfield/committee/approvals/{approval.id}/reinstate"
    typed = motion() | {"reason": "They mended it."} | three("starts", date(2026, 12, 20))
    typed |= three("held_on", date(2026, 12, 15))
    check = text(member.post(address, data=typed | {"step": "review"} | once()))
    assert "Read back the motion to give back" in check
    assert count(Approval) == 1
    done = member.post(address, data=typed | {"step": "record"} | once())
    assert done.status_code == 303
    page = text(member.get(done.location))
    assert "1 letter waits to be issued: haulers hear nothing before." in page
    assert count(Approval) == 1
    assert ">Voted to give back, letter not issued</span>" in text(member.get("/bayfield/committee/changes"))
    row = db.session.scalars(select(Reinstatement)).one()
    clerk = signed_in(app, "clerk")
    assert "A-2026-27-001 given back" in text(clerk.get("/bayfield/clerk/letters"))
    clerk.post(f"/bayfield/clerk/letters/{row.motion_id}", data=once())
    assert count(Approval) == 2
    assert "This approval cannot be given back" in text(member.get(address))
    assert "Give it back…" not in text(member.get("/bayfield/committee/changes"))


def test_a_hauler_asks_for_gallons_and_the_committee_grants_a_part(app: Any, approval: Approval, clock_at: Any) -> None:
    mine = signed_in(app)
    page = text(mine.get("/bayfield/hauler/approval"))
    assert "12,000 gallons in winter and 8,000 in the rest of the year" in page
    assert "A new phone number, address or e-mail needs no vote" in page
    address = f"/bayfield/hauler/approval/{approval.id}/ask/gallons"
    wrong = mine.post(address, data={"extra_winter": "0", "extra_rest": "0", "words": "More homes"} | once())
    assert "Enter how many gallons more you ask for" in text(wrong)
    asked = {"extra_winter": "4,000", "extra_rest": "0", "words": "More homes"}
    page = text(mine.get(mine.post(address, data=asked | once()).location))
    assert "Waits for the committee" in page
    clock_at("2026-12-16T09:00")
    clerk = signed_in(app, "clerk")
    table = text(clerk.get("/bayfield/committee/changes"))
    assert "<b>More gallons:</b> 4,000 gallons more in winter and 0 in the rest of the year" in table
    row = db.session.scalars(select(Amendment)).one()
    typed = motion() | three("held_on", date(2026, 12, 15)) | {
        "rows-0-amendment_id": str(row.id), "rows-0-answer": "grant", "rows-0-winter": "3,000", "rows-0-rest": "0",
    }  # fmt: skip
    decide = "/bayfield/committee/changes/decide"
    wrong = clerk.post(decide, data=typed | {"step": "review"} | once())
    assert ": enter why not all of it is granted</a>" in text(wrong)
    typed["rows-0-reason"] = "The winter is nearly full."
    check = text(clerk.post(decide, data=typed | {"step": "review"} | once()))
    assert "Grant: 3,000 gallons more in winter, 0 in the rest of the year" in check
    assert db.session.scalars(select(Amendment.state)).one() == "asked"
    clerk.post(decide, data=typed | {"step": "record"} | once())
    page = text(mine.get("/bayfield/hauler/approval"))
    assert "12,000 gallons in winter and 8,000 in the rest of the year" in page
    assert ("Waits for the committee" in page, "nearly full" in page, ">Granted</span>" in page) == (True, False, False)
    read = clerk.post(f"/bayfield/clerk/letters/{row.motion_id}", data={"preview": str(row.id)} | once())
    assert (read.mimetype, db.session.scalars(select(Amendment.letter_id)).one()) == ("application/pdf", None)
    said = clerk.post(f"/bayfield/clerk/letters/{row.motion_id}", data={"one": str(row.id)} | once())
    assert "1 letter is issued." in text(clerk.get(said.location))
    page = text(mine.get("/bayfield/hauler/approval"))
    assert "15,000 gallons in winter and 8,000 in the rest of the year" in page
    assert ">Granted</span>" in page


def test_a_request_is_withdrawn_after_asking(app: Any, approval: Approval) -> None:
    mine = signed_in(app)
    address = f"/bayfield/hauler/approval/{approval.id}/ask"
    source = {
        "waste": "holding_tank",
        "place": "Cabins",
        "area": "outside",
        "tank": "new",
        "frequency": "Twice a summer",
        "extra_winter": "0",
        "extra_rest": "500",
        "words": "New",
    }
    mine.post(f"{address}/source", data=source | once())
    mine.post(f"{address}/truck", data={"plate": "WI 77", "capacity": "3,000", "words": "Bought"} | once())
    page = text(mine.get("/bayfield/hauler/approval"))
    assert (
        "Another source: holding tank waste from Cabins, outside the planning area, a new tank, Twice a summer "
        "(tier 4), 0 gallons more in winter and 500 in the rest"
    ) in page
    assert "Another truck: truck WI 77, 3,000 gallons" in page
    row = db.session.scalars(select(Amendment).order_by(Amendment.id)).first()
    assert row is not None
    back = f"/bayfield/hauler/approval/asked/{row.id}/withdraw"
    assert "You asked for: holding tank waste from Cabins" in text(mine.get(back))
    mine.post(back, data=once())
    assert ">Withdrawn</span>" in text(mine.get("/bayfield/hauler/approval"))


def test_another_haulers_approval_and_request_are_not_found(app: Any, approval: Approval) -> None:
    hauler("Second", "second@hauler.example")
    db.session.commit()
    signed_in(app).post(f"/bayfield/hauler/approval/{approval.id}/ask/gallons",
                        data={"extra_winter": "9", "extra_rest": "0", "words": "More"} | once())  # fmt: skip
    row = db.session.scalars(select(Amendment.id)).one()
    other = signed_in(app, "second@hauler.example")
    for address in (f"/hauler/approval/{approval.id}/ask/gallons", f"/hauler/approval/asked/{row}/withdraw",
                    f"/hauler/approval/{approval.id}/ask/horse"):  # fmt: skip
        assert other.get(f"/bayfield{address}").status_code == 404
    assert "You have no approval now." in text(other.get("/bayfield/hauler/approval"))


def test_records_that_are_not_this_plants_are_not_found(app: Any, approval: Approval) -> None:
    director = signed_in(app, "director")
    for address in ("/director/violations/99", "/director/haulers/99/violation", "/director/suspensions/99/lift",
                    "/director/approvals/99/suspend", "/director/reviews/99", "/director/reviews/new/revocation/99",
                    "/director/reviews/new/horse/1", f"/director/approvals/{approval.id}/revoked"):  # fmt: skip
        assert director.get(f"/bayfield{address}").status_code == 404, address


def test_a_suspension_is_offered_only_where_the_law_knows_it(app: Any, approval: Approval) -> None:
    director = signed_in(app, "director")
    assert "Suspend…" not in text(director.get("/bayfield/director/approvals"))
    address = f"/bayfield/director/approvals/{approval.id}/suspend"
    typed = {"rule": RULE, "reason": "Unloaded at 11 p.m."} | three("until", date(2026, 10, 30))
    refused = text(director.post(address, data=typed | {"step": "check"} | once()))
    assert "The law in force knows no suspension: an approval holds or is revoked." in refused
    suspensions_known(app)
    assert "Suspend…" in text(director.get("/bayfield/director/approvals"))
    check = text(director.post(address, data=typed | {"step": "check"} | once()))
    assert "to the end of Friday, October 30, 2026" in check
    director.post(address, data=typed | {"step": "send"} | once())
    page = text(director.get("/bayfield/director/approvals"))
    assert ">Suspended</span>" in page
    assert ">Suspended</span>" in text(app.test_client().get("/bayfield/approved"))
    assert "Approval A-2026-27-001 is suspended to the end of October 30, 2026." in text(
        signed_in(app).get("/bayfield/hauler"))  # fmt: skip
    row = db.session.scalars(select(Suspension.id)).one()
    lift = f"/bayfield/director/suspensions/{row}/lift"
    assert "Enter why the suspension is lifted" in text(director.post(lift, data={"why": ""} | once()))
    director.post(lift, data={"why": "Trained."} | once())
    assert ">Suspended</span>" not in text(director.get("/bayfield/director/approvals"))
