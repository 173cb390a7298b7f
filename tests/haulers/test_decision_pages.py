"""The pages of motions, corrections and letters: read back, issue, what others may not open."""

import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.models import AllowanceLine, Approval, CarryOver, Decision, Meeting, Motion, Referral
from haulers.queries import waiting_decisions
from office.access import Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from office.plants import PlantRow
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, approve, approved, decide, filed, hauler, issue, record, votes
from tests.haulers.test_limit_rows import limit
from tests.haulers.test_pages_city import SHOWN, count, decision, full
from tests.haulers.test_pages_hauler import once, signed_in, text
from tests.haulers.test_referrals import late

DECIDE = "/bayfield/committee/2026-27/decide"


def motion(ballot: str = "aye", **more: str) -> dict[str, str]:
    data = {name: value for name, value in decision(ballot=ballot).items() if not name.startswith("rows-")}
    return data | {"words": "To do so."} | more | once()


def test_the_clerk_reads_a_letter_and_then_issues_it(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    business = hauler()
    application = filed(business)
    made = record([approve(application)])
    db.session.commit()
    client = signed_in(app, "clerk")
    page = text(client.get("/bayfield/clerk/letters"))
    assert "Voted Tuesday, September 15, 2026" in page
    assert SHOWN in page
    address = f"/bayfield/clerk/letters/{made.id}"
    [(waiting, _)] = waiting_decisions(world.plant().id)
    shown = client.post(address, data={"preview": str(waiting.id)} | once())
    assert (shown.mimetype, shown.data[:5], shown.status_code) == ("application/pdf", b"%PDF-", 200)
    assert (count(Approval), application.state) == (0, "filed")
    assert "Your letters" in text(signed_in(app).get("/bayfield/hauler/letters"))
    theirs = text(signed_in(app).get("/bayfield/hauler/letters"))
    assert "Approval of application" not in theirs
    done = client.post(address, data=once())
    assert done.location == "/bayfield/clerk/letters"
    page = text(client.get(done.location))
    assert "1 letter is issued." in page
    assert "No letter waits." in page
    assert "Approval of application 2026-27/0001" in page
    assert "Approval of application" in text(signed_in(app).get("/bayfield/hauler/letters"))
    assert db.session.scalars(select(Approval.number)).one() == "A-2026-27-001"
    letter = db.session.scalars(select(Decision)).one().letter_id
    assert client.get(f"/bayfield/letters/{letter}").mimetype == "application/pdf"
    again = client.post(address, data=once())
    assert (again.status_code, "No letter of this motion waits to be issued." in text(again)) == (409, True)


def test_one_of_several_letters_is_issued(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    made = record([approve(first), approve(second)])
    db.session.commit()
    client = signed_in(app, "clerk")
    assert "Issue all 2 letters" in text(client.get("/bayfield/clerk/letters"))
    chosen = next(one.id for one, two in waiting_decisions(world.plant().id) if two.id == second.id)
    client.post(f"/bayfield/clerk/letters/{made.id}", data={"one": str(chosen)} | once())
    assert db.session.scalars(select(Approval.application_id)).all() == [second.id]


def test_without_the_review_text_the_page_says_so_and_issues_nothing(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    line = {"application_id": str(application.id), "outcome": "rejected", "gallons_winter": "0", "gallons_rest": "0",
            "reason": "Not ours.", "reason_code": "incompatible"}  # fmt: skip
    client = signed_in(app, "clerk")
    client.post(DECIDE, data=decision(line, step="record"))
    no_review_text()
    page = text(client.get("/bayfield/clerk/letters"))
    assert "Rejections, approvals in part and changes not granted cannot be issued yet" in page
    made = db.session.scalars(select(Motion)).one()
    said = client.post(f"/bayfield/clerk/letters/{made.id}", data=once())
    assert (said.status_code, "The text on review rights is empty" in text(said)) == (409, True)
    assert db.session.scalars(select(Decision.letter_id)).one() is None


@act("test_no_review", roles=(Role.SYSTEM,))
def _late_row(*, by: Any, at: Any) -> bool:
    for row in db.session.scalars(select(PlantRow).filter_by(key="review.block")):
        row.since = date(2027, 1, 1)
    return True


def no_review_text() -> None:
    _late_row(by=system(), at=world.START)
    db.session.commit()


def test_conflicts_agenda_and_limits_are_typed_and_read_back(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler(), SOURCE, OUTSIDE)
    row = full(application) | {"gallons_winter": "15,000", "gallons_rest": "25,000"}
    row |= limit(0, "3,000", "day") | limit(1, "1,500", "week", "holding_tank", "note")
    data = decision(row, step="review", conflicts="None disclosed.") | {
        "agenda_on-month": "9", "agenda_on-day": "11", "agenda_on-year": "2026", "agenda_at": "4:30 p.m.",
    }  # fmt: skip
    client = signed_in(app, "clerk")
    page = text(client.post(DECIDE, data=data))
    assert "Not more than 3,000 gallons a day; 1,500 gallons of holding tank waste a week (more is noted" in page
    assert "None disclosed." in page
    assert "Haulers hear of it when the clerk issues the letters." in page
    client.post(DECIDE, data=data | {"step": "record"} | once())
    meeting = db.session.scalars(select(Meeting)).one()
    assert meeting.agenda_posted_at == world.at("2026-09-11T16:30")
    assert db.session.scalars(select(Motion.conflicts)).one() == "None disclosed."
    issue(db.session.scalars(select(Motion)).one())
    assert [(one.waste, one.period, one.gallons, one.hard) for one in db.session.scalars(select(AllowanceLine))] == [
        ("", "day", 3000, True), ("holding_tank", "week", 1500, False),
    ]  # fmt: skip


def test_a_recorded_decision_is_corrected_on_its_own_page(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    made = decide([approve(application)])
    db.session.commit()
    old = db.session.scalars(select(Decision)).one()
    clock_at("2026-09-17T09:00")
    client = signed_in(app, "clerk")
    address = f"/bayfield/committee/decisions/{old.id}/correct"
    assert f'href="{address}"' in text(client.get(f"/bayfield/committee/motions/{made.id}"))
    form = text(client.get(address))
    assert ('value="12,000"' in form, "Correct what was recorded" in form) == (True, True)
    assert re.findall(r'name="rows-0-outcome" value="(\w+)"', form) == ["approved", "in_part"]
    row = full(application) | {"outcome": "in_part", "gallons_winter": "5,000", "reason": "A slip.",
                               "reason_code": "capacity_or_limits"}  # fmt: skip
    held = {"held_on-day": "16", "wrong": "The winter figure was misread."}
    early = text(client.post(address, data=decision(row, step="review", wrong="Misread.")))
    assert "Letter 2026-00001, to be corrected, was issued on September 16, 2026, after this meeting." in early
    back = text(client.post(address, data=decision(row, step="review", **held)))
    assert "This takes 7,000 gallons in winter from approval A-2026-27-001, which is issued." in back
    held |= {"misrecorded": "1"}
    check = text(client.post(address, data=decision(row, step="review", **held)))
    names = ("This corrects the decision of September 15, 2026 (motion: “Approve as shown.”), which was: approved, "
             "12,000 gallons in winter and 8,000 in the rest of the year.")  # fmt: skip
    assert ("Record the correction" in check, f"<p>{names}</p>" in check) == (True, True)
    done = client.post(address, data=decision(row, step="record", **held))
    second = db.session.scalars(select(Motion).order_by(Motion.id.desc())).first()
    assert second is not None
    assert (done.location, second.kind) == (f"/bayfield/committee/motions/{second.id}", "correct")
    assert "Corrected since" in text(client.get(f"/bayfield/committee/motions/{made.id}"))
    wrong = "What was wrong: It was recorded otherwise than voted. The winter figure was misread."
    assert second.about[0].endswith(f"{names} {wrong}")
    assert names in text(client.get(done.location))
    mine = decision(row | {"reason": "Mine."}, step="record", **held)
    for again in (client.get(address), client.post(address, data=mine)):
        page = text(again)
        assert (again.status_code, "<h1>Corrected meanwhile</h1>" in page) == (409, True)
        why = (f"The decision on application 2026-27/0001 of {SHOWN} was corrected meanwhile by the motion of "
               "September 16, 2026: approved in part, 5,000 gallons in winter and 8,000 in the rest of the "
               "year.")  # fmt: skip
        assert why in page
        assert f'href="{done.location}">The motion that corrected it</a>' in page
    assert re.search(r"<dd[^>]*>Mine\.</dd>", page) is not None
    assert count(Motion) == 2
    client.post(f"/bayfield/clerk/letters/{second.id}", data=once())
    titles = list(db.session.scalars(select(Letter.title).filter_by(kind="approval").order_by(Letter.id)))
    assert titles == [
        "Approval of application 2026-27/0001", "Correction: approval in part of application 2026-27/0001",
    ]  # fmt: skip


def test_a_correction_of_another_application_than_its_own_is_not_found(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    first, second = filed(hauler()), filed(hauler("Second Septic", "second@hauler.example"))
    record([approve(first)])
    db.session.commit()
    old = db.session.scalars(select(Decision)).one()
    client = signed_in(app, "clerk")
    address = f"/bayfield/committee/decisions/{old.id}/correct"
    assert client.post(address, data=decision(full(second), step="record", wrong="Misread.")).status_code == 404
    assert client.get(f"/bayfield/committee/decisions/{old.id + 1}/correct").status_code == 404


@pytest.mark.parametrize("kind", ["table", "ask-changes", "take-late"])
def test_a_motion_short_of_a_decision_is_read_back_and_recorded(app: Any, clock_at: Any, kind: str) -> None:
    clock_at("2026-09-16T09:00")
    application = late(hauler()) if kind == "take-late" else filed(hauler())
    db.session.commit()
    client, address = signed_in(app, "member1"), f"/bayfield/committee/2026-27/motion/{kind}"
    assert "Record a motion" in text(client.get("/bayfield/committee/2026-27/motion"))
    assert SHOWN in text(client.get(address))
    bare = client.post(address, data=motion(step="review"))
    assert (bare.status_code, "Select the applications the motion is about" in text(bare)) == (422, True)
    data = motion(step="review", applications=str(application.id), why="Say more.", opens="files")
    check = text(client.post(address, data=data))
    assert ("Read back the motion" in check, SHOWN in check, count(Motion)) == (True, True, 0)
    done = client.post(address, data=data | {"step": "record"} | once())
    assert db.session.scalars(select(Referral.kind)).one() == kind.replace("-", "_")
    page = text(client.get(done.location))
    assert "The motion carried" in page
    assert {"table": "1 application tabled.", "ask-changes": "1 application sent back for changes.",
            "take-late": "1 application taken late."}[kind] in page  # fmt: skip


def test_a_motion_that_ties_says_so_before_and_after_it_is_recorded(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    application = filed(hauler())
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2026-27/motion/table"
    _, second, third = votes()
    data = motion(step="review", applications=str(application.id)) | {f"vote_{second}": "no", f"vote_{third}": "absent"}
    assert "Tie: 1 aye, 1 no." in text(client.post(address, data=data))
    done = client.post(address, data=data | {"step": "record"} | once())
    page = text(client.get(done.location))
    assert ("The motion did not carry" in page, "Tie: 1 aye, 1 no." in page) == (True, True)
    assert count(Referral) == 0


def test_approvals_are_carried_over_on_their_page(app: Any, clock_at: Any) -> None:
    clock_at("2027-10-06T09:00")
    business = hauler()
    approved(business)
    filed(business, at="2027-08-12T10:30")
    client, address = signed_in(app, "clerk"), "/bayfield/committee/2027-28/motion/carry-over"
    assert "The last day they may hold to is November 29, 2027." in text(client.get(address))
    day = {"held_on-month": "10", "held_on-day": "5", "held_on-year": "2027"}
    until = {"until-month": "11", "until-day": "30", "until-year": "2027"}
    wrong = client.post(address, data=motion(step="review") | day | until)
    assert '<a href="#until-month">The last day must be from the day of the meeting to November 29' in text(wrong)
    until["until-day"] = "29"
    done = client.post(address, data=motion(step="record") | day | until)
    said = "hold until the letter on each new application is issued, and to Monday, November 29, 2027 at the latest."
    assert f"Approvals of the season before {said}" in text(client.get(done.location))
    assert count(CarryOver) == 1


def test_others_may_not_open_the_committees_record_or_the_letters(app: Any, clock_at: Any) -> None:
    clock_at("2026-09-16T09:00")
    made = record([approve(filed(hauler()))])
    db.session.commit()
    old = db.session.scalars(select(Decision)).one()
    pages = [DECIDE, "/bayfield/committee/2026-27/motion", "/bayfield/committee/2026-27/motion/table",
             f"/bayfield/committee/decisions/{old.id}/correct", "/bayfield/clerk/letters"]  # fmt: skip
    for who in (None, "operator"):
        client = signed_in(app, who) if who else signed_in(app)
        assert [client.get(one).status_code for one in pages] == [403] * 5
        assert client.get(f"/bayfield/committee/motions/{made.id}").status_code == 403
    member = signed_in(app, "member1")
    assert member.get("/bayfield/clerk/letters").status_code == 403
    assert member.post(f"/bayfield/clerk/letters/{made.id}", data=once()).status_code == 403
    assert member.get("/bayfield/committee/2026-27/motion/none-such").status_code == 404
