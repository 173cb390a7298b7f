"""After the close: asking the committee to take an application late, in a series of its own, unseen until taken."""

from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import ask_late, file_application, start_late, take_late, withdraw_application
from haulers.models import Application, Business, Meeting, Motion
from haulers.queries import SourceLine, asked_late
from haulers.queries import filed as filed_of
from haulers.queries.awaiting import awaiting
from office.access import Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from office.notices import Notice
from office.verify import verify
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, acting, draft, filed, hauler

pytestmark = pytest.mark.usefixtures("app")
WHY = "The owner was in hospital."


def ask(business: Business, at: str = "2026-09-02T00:00", why: str = WHY) -> Any:
    when = world.at(at)
    return ask_late(world.plant(), business.id, why, by=acting(business), at=when, law=world.law(when.date()))


def late(business: Business, at: str = "2026-09-10T09:00", *sources: SourceLine, why: str = WHY) -> Application:
    when = world.at(at)
    start_late(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    draft(business, *(sources or (SOURCE,)), at=at)
    made = ask(business, at, why)
    assert isinstance(made, Application), made
    return made


@act("test_motion", roles=(Role.SYSTEM,))
def _motion(kind: str, passed: bool, *, by: Any, at: Any) -> int:
    meeting = Meeting(plant_id=world.plant().id, held_on=at.date(), body="Public Works Committee")
    db.session.add(meeting)
    db.session.flush()
    first, second = (world.staff(name).person_id or 0 for name in ("member1", "member2"))
    made = Motion(plant_id=world.plant().id, meeting_id=meeting.id, words="To take them late.", mover_id=first,
                  seconder_id=second, passed=passed, kind=kind, lost="" if passed else "Two no, one aye.")  # fmt: skip
    db.session.add(made)
    db.session.flush()
    return made.id


def take(*ids: int, kind: str = "take_late", passed: bool = True, by: str = "clerk",
         at: str = "2026-09-15T19:00") -> Any:  # fmt: skip
    when = world.at(at)
    motion = _motion(kind, passed, by=system(), at=when)
    return take_late(world.plant(), ids, motion, by=world.staff(by), at=when, law=world.law(when.date()))


def test_in_the_last_second_one_files_and_a_second_later_one_asks() -> None:
    business = hauler()
    draft(business, at="2026-09-01T12:00")
    said = ask(business, "2026-09-01T23:59:59")
    assert (said.code, said.next_step) == ("not_late", "Send it while the window is open.")
    made = ask(business, "2026-09-02T00:00:00")
    assert (made.state, made.number, made.late_reason) == ("asked_late", "2026-27/L-001", WHY)
    assert (made.declared_by, made.late_for_state) == ("Ingrid O'Brien", True)


def test_late_requests_have_a_series_of_their_own() -> None:
    first = filed(hauler())
    made = late(hauler("Second Septic", "second@hauler.example"))
    third = late(hauler("Third Septic", "third@hauler.example"), "2026-09-11T09:00")
    assert [one.number for one in (first, made, third)] == ["2026-27/0001", "2026-27/L-001", "2026-27/L-002"]
    db.session.commit()
    assert [one for one in verify() if "counter" in one] == []


def test_nothing_is_seen_in_the_table_before_the_committee_takes_it() -> None:
    business = hauler()
    made = late(business)
    assert filed_of(world.plant().id, "2026-27") == []
    assert asked_late(world.plant().id, "2026-27") == [made]
    taken = take(made.id)
    assert [(one.number, one.state) for one in taken] == [("2026-27/L-001", "filed")]
    assert made.taken_by_id is not None
    assert filed_of(world.plant().id, "2026-27") == [made]
    assert asked_late(world.plant().id, "2026-27") == []
    assert db.session.scalars(select(Notice.subject).order_by(Notice.id.desc())).first() == (
        "The committee takes your application 2026-27/L-001"
    )


def test_a_late_request_has_a_receipt_and_another_once_it_is_taken() -> None:
    made = late(hauler())
    first = db.session.get_one(Letter, made.letter_id)
    assert (first.kind, first.number) == ("late_receipt", "2026-27/L-001")
    assert first.data["opening"] == (
        "On Thursday, September 10, 2026, 9:00 a.m., you asked the committee to take your application for season "
        f"2026-27 late. The request has the number 2026-27/L-001. Why it comes late: {WHY}"
    )
    assert (first.data["fee"], first.data["standing"]) == ("No filing fee is due before the committee takes it.", "")
    take(made.id)
    second = db.session.get_one(Letter, made.letter_id)
    assert (second.kind, second.number, second.data["date"]) == (
        "application_receipt", "2026-27/L-001", "September 15, 2026",
    )  # fmt: skip
    assert second.data["standing"].startswith("Filed. Sent; the filing fee is not received yet.")
    assert second.data["decide_by"] == "Thursday, October 1, 2026"
    told = db.session.scalars(select(Notice).filter_by(kind="application").order_by(Notice.id)).all()
    assert [one.letter_id for one in told if one.party_id] == [first.id, second.id]


def test_taken_after_the_day_of_decisions_the_receipt_names_no_day_gone_by() -> None:
    made = late(hauler(), "2027-02-03T09:00")
    take(made.id, at="2027-02-10T19:00")
    letter = db.session.get_one(Letter, made.letter_id)
    assert letter.data["next"] == "The committee decides on your application now."


def test_only_a_carried_motion_to_take_late_takes_it() -> None:
    made = late(hauler())
    assert take(made.id, passed=False).code == "no_motion"
    assert take(made.id, kind="decide", at="2026-09-16T19:00").code == "no_motion"
    assert made.state == "asked_late"


def test_what_was_filed_in_time_is_not_taken_late_and_none_of_a_list_then() -> None:
    in_time, made = filed(hauler()), late(hauler("Second Septic", "second@hauler.example"))
    assert take(made.id, in_time.id).code == "not_late_request"
    assert take(made.id, 9999, at="2026-09-16T19:00").code == "not_late_request"
    assert made.state == "asked_late"


def test_without_a_reason_or_without_answers_nothing_is_asked() -> None:
    business = hauler()
    assert ask(business).code == "no_draft"
    draft(business, at="2026-09-03T09:00")
    said = ask(business, "2026-09-03T10:00", "  ")
    assert (said.code, said.why) == ("no_reason", "Enter why the application comes late.")
    assert ask(business, "2026-09-03T10:01").number == "2026-27/L-001"


def test_asking_five_times_is_one_request() -> None:
    business = hauler()
    draft(business, at="2026-09-03T09:00")
    answers = [ask(business, "2026-09-03T10:00") for _ in range(5)]
    assert [getattr(one, "code", "sent") for one in answers] == ["sent", *["already_filed"] * 4]


def test_a_late_request_can_be_withdrawn_and_asked_again() -> None:
    business = hauler()
    made, when = late(business), world.at("2026-09-12T09:00")
    gone = withdraw_application(world.plant(), made.id, by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(gone, Application)
    assert gone.state == "withdrawn"
    assert late(business, "2026-09-13T09:00").number == "2026-27/L-002"


def test_after_the_decisions_the_running_season_can_still_be_asked_for() -> None:
    business = hauler()
    made = late(business, "2027-02-03T09:00")
    assert (made.season, made.number) == ("2026-27", "2026-27/L-001")


def test_filing_stays_closed_for_a_late_draft() -> None:
    business, when = hauler(), world.at("2026-09-10T09:00")
    draft(business, OUTSIDE, at="2026-09-10T08:00")
    said = file_application(world.plant(), business.id, by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "window_closed"


def test_its_hauler_reads_that_it_is_not_taken_yet() -> None:
    business = hauler()
    late(business)
    when = world.at("2026-09-12T09:00")
    found = awaiting(world.plant().id, business.id, world.law(when.date()), when)
    assert (found.title, found.lines[0]) == (
        "Your late request 2026-27/L-001 is not taken yet",
        "The committee votes on whether to take it late; nothing is decided before that.",
    )


def test_another_hauler_cannot_ask_for_a_business() -> None:
    owner, other = hauler(), hauler("Second Septic", "second@hauler.example")
    when = world.at("2026-09-10T09:00")
    said = ask_late(world.plant(), owner.id, WHY, by=acting(other), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "not_yours"
