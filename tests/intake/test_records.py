"""The written record within one working day (§ 329-7 C(3)), who filed it, and one notice when it is late."""

import io

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from intake import reminders
from intake.actions.records import file_record
from intake.actions.station import void_load
from intake.models import WrittenRecord
from intake.queries import loads
from office import jobs
from office.access import Actor, Role
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter, render
from office.notices import Notice
from tests import world
from tests.haulers.test_kept_words import nobody_signs_in
from tests.intake.gatehouse import TUESDAY_0700, good, kept, log, refuse, said
from tests.intake.plant import hauler

pytestmark = pytest.mark.usefixtures("app")

FRIDAY = "2026-10-09T07:00"


def file(load, by: Actor, at: str = "2026-10-09T12:00", sources: str = "12 Cedar Lane, 1,500 gallons"):
    return kept(file_record(load, sources, by=by, at=world.at(at), law=world.law()))


def run_jobs(at: str) -> int:
    return jobs.tick(world.at(at))["record_overdue"]


def late_notices() -> list[str]:
    return list(db.session.scalars(select(Notice.subject).filter_by(kind="record_late")))


@pytest.mark.parametrize(("at", "due"), [
    ("2026-10-06T07:00", "2026-10-07T23:59:59"),
    (FRIDAY, "2026-10-12T23:59:59"),
    ("2026-11-25T07:00", "2026-11-27T23:59:59"),
    ("2026-10-30T07:00", "2026-11-02T23:59:59"),
])  # fmt: skip
def test_the_record_is_due_at_the_end_of_the_next_working_day(at, due):
    assert good(log(hauler(), at=at)).record_due == world.at(due)


def test_the_hauler_files_their_own_record():
    who = hauler()
    load = good(log(who, at=FRIDAY))
    record = good(file(load, who.by))
    assert (record.filed_by, record.on_behalf, record.sources) == (
        "Test Pumping Owner", False, "12 Cedar Lane, 1,500 gallons")  # fmt: skip
    assert loads.record_of(load.id) == record


def test_the_operator_files_for_the_hauler_and_is_marked_so():
    load = good(log(hauler(), at=FRIDAY))
    record = good(file(load, world.staff("operator").for_(load.business_name)))
    assert (record.filed_by, record.on_behalf) == ("Operator of the City", True)
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="written_record")).one()
    assert (entry.person, entry.on_behalf, entry.cite) == ("Operator of the City", "Test Pumping", "§ 329-7 C(3)")


def test_another_haulers_load_is_not_theirs_to_record():
    load = good(log(hauler(), at=FRIDAY))
    other = hauler("Other Pumping", number=2)
    assert said(file(load, other.by))[0] == "not_yours"
    assert db.session.scalars(select(WrittenRecord)).all() == []


def test_an_operator_who_hauls_too_files_their_own_as_a_hauler():
    who = hauler()
    load = good(log(who, at=FRIDAY))
    both = Actor(who.by.person_id, who.by.name, who.by.roles | {Role.OPERATOR}, who.by.party_id)
    assert good(file(load, both)).on_behalf is False


def test_an_empty_record_is_asked_for_again():
    who = hauler()
    assert said(file(good(log(who, at=FRIDAY)), who.by, sources="  "))[:2] == (
        "no_sources", "Enter where the load came from.")  # fmt: skip


def test_a_record_is_filed_once():
    who = hauler()
    load = good(log(who, at=FRIDAY))
    good(file(load, who.by))
    assert said(file(load, who.by))[0] == "already_filed"


def test_a_refused_load_needs_no_record():
    who = hauler()
    assert said(file(good(refuse(who)), who.by))[0] == "nothing_to_record"


def test_a_late_record_is_told_exactly_once_however_often_the_job_runs():
    load = good(log(hauler(), at=FRIDAY))
    assert run_jobs("2026-10-12T23:59:59") == 0
    hours = ("2026-10-13T00:00", "2026-10-13T00:00", "2026-10-13T01:00", "2026-10-20T00:00")
    assert [run_jobs(at) for at in hours] == [1, 0, 0, 0]
    assert late_notices() == ["Late: the record of load 2026-00001 was due Mon, Oct 12"]
    assert [line.overdue(world.at("2026-10-13T00:00")) for line in loads.of_day(load.plant_id, load.day)] == [True]


def test_the_late_record_is_a_letter_of_its_own_once_and_says_what_to_do():
    load = good(log(hauler(), at=FRIDAY))
    assert [run_jobs(at) for at in ("2026-10-13T00:00", "2026-10-14T00:00")] == [1, 0]
    letter = db.session.scalars(select(Letter).filter_by(kind="record_overdue")).one()
    notice = db.session.scalars(select(Notice).filter_by(kind="record_late")).one()
    assert (notice.letter_id, letter.title) == (letter.id, "The record of load 2026-00001 is overdue")
    pages = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages
    words = " ".join(pages[0].extract_text().split())
    assert len(pages) == 1
    due = "The written record of load 2026-00001 was due by the end of Monday, October 12, 2026 (§ 329-7 C(3))."
    assert f"{due} It is not in." in words
    assert "Send it now: sign in and open Loads." in words
    assert "a ticket signed at the truck satisfies it at once." in words
    assert "no new time is booked for you" not in words
    assert load.record_due == world.at("2026-10-12T23:59:59")


def body(kind: str) -> str:
    return db.session.scalars(select(Notice.body).filter_by(kind=kind)).one()


def test_a_company_nobody_signs_in_for_sends_the_late_record_by_post_or_phone():
    who = hauler()
    good(log(who, at=FRIDAY))
    nobody_signs_in(who.business_id)
    db.session.commit()
    assert run_jobs("2026-10-13T00:00") == 1
    assert body("record_late").splitlines()[-1] == (
        "Send it now to Bayfield Wastewater Treatment Works, 125 South First Street, Bayfield, WI 54814, or call "
        "715-555-0100.")  # fmt: skip


def test_the_due_second_is_in_time_to_its_end():
    who = hauler()
    load = good(log(who, at=FRIDAY))
    last = world.at("2026-10-12T23:59:59.999999")
    assert loads.overdue(load.plant_id, last) == []
    record = good(kept(file_record(load, "12 Cedar Lane", by=who.by, at=last, law=world.law())))
    assert record.filed_at == load.record_due == world.at("2026-10-12T23:59:59")


def test_ten_days_without_jobs_still_tell_it_once():
    good(log(hauler(), at=FRIDAY))
    assert [run_jobs("2026-10-23T09:00"), run_jobs("2026-10-23T09:01")] == [1, 0]


def test_a_record_in_time_or_a_void_load_is_not_told():
    who = hauler()
    good(file(good(log(who, 300, FRIDAY)), who.by))
    void = good(log(who, 300, "2026-10-09T08:00"))
    good(kept(void_load(void, "Typed twice", by=world.staff("operator"), at=TUESDAY_0700, law=world.law())))
    assert run_jobs("2026-10-13T00:00") == 0
    assert (late_notices(), reminders.LOOK_BACK.days) == ([], 60)


def test_a_record_filed_late_is_taken_and_ends_the_overdue():
    who = hauler()
    load = good(log(who, at=FRIDAY))
    record = good(file(load, who.by, at="2026-10-14T09:00"))
    assert load.record_due is not None and record.filed_at > load.record_due
    assert loads.overdue(world.plant().id, world.at("2026-10-14T10:00")) == []
