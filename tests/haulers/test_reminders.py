"""Reminders: each once, at its hour of the plant's own morning, true when sent, and made up for after days without."""

import re
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers import queries
from haulers.actions import add_licence, answer_change, open_change, register_business, withdraw_application
from haulers.actions.credentials import add_insurance
from haulers.actions.reminding import mail_saved_draft
from haulers.models import Application, ApplicationChange, Business, Decision, Insurance
from haulers.queries import SourceLine
from haulers.queries.answers import answers_of
from haulers.reminders import LYING
from haulers.states import Ballot
from office import jobs, journal
from office.access import NOBODY, Grant, Role, system
from office.db import db
from office.law import adopt_law
from office.letters import Letter
from office.notices import Notice
from office.plants import Plant, set_closure, set_plant_row, set_up_plant
from ordinances.calendar import FilingStatus, filing_status
from tests import world
from tests.haulers.builders import (
    OUTSIDE,
    SOURCE,
    acting,
    approve,
    approved,
    decide,
    draft,
    filed,
    hauler,
    issue,
    record,
    roll,
    send,
)

APPLY = "Apply by September 1 to unload septage in season"
WAIT = "2 applications wait for a decision by October 1"
MEMBERS = ["member1@city.example", "member2@city.example", "member3@city.example"]


def run(at: str) -> list[tuple[str, str]]:
    """What the reminders sent at an instant say, to whom: address and subject, in the order they were written."""
    db.session.commit()
    before = set(db.session.scalars(select(Notice.id)))
    jobs.work(world.at(at))
    rows = db.session.scalars(select(Notice).where(Notice.id.not_in(before)).order_by(Notice.id))
    return [(row.to_email, row.subject) for row in rows]


def bodies() -> list[str]:
    return list(db.session.scalars(select(Notice.body).where(Notice.kind == "reminder").order_by(Notice.id)))


def licensed(ends: date, email: str = "late@hauler.example") -> Business:
    """A hauler whose license ends on a day, with an application before the committee."""
    made = register_business(
        name="Nguyễn Thị Hà", address="1 Pine\nBayfield, WI 54814", phone="715-555-0122", email=email, contact="Hà",
        password=world.PASSWORD, licence_state="WI", licence_number="777", licence_ends=ends, trucks=(),
        by=NOBODY, at=world.at("2026-07-02T09:00"),
    )  # fmt: skip
    assert isinstance(made, Business), made
    db.session.flush()
    filed(made)
    return made


# ------------------------------------------------------------------------------------------------ The filing window


def test_window_is_announced_at_eight_in_the_morning_of_its_first_day_once(app: Any) -> None:
    draft(hauler(), at="2026-07-20T10:00")
    run("2026-07-20T12:00")
    assert run("2026-08-01T07:59:59") == []
    assert run("2026-08-01T08:00") == [("o'brien@hauler.example", f"{APPLY} 2026-27")]
    assert run("2026-08-01T08:00") == []
    assert run("2026-08-17T23:00") == []
    assert bodies() == [
        "Bayfield Wastewater Treatment Works takes applications for season 2026-27 until 11:59 p.m. on Tuesday, "
        "September 1, 2026. 31 days are left. Your draft is saved. It is not sent yet.\n\nSign in, open Application, "
        "and send it.\n\nBayfield Wastewater Treatment Works, 715-555-0100"
    ]


def test_fourteen_three_and_one_days_left_are_said_each_once(app: Any) -> None:
    draft(hauler())
    run("2026-08-01T08:00")
    said = {at: len(run(at)) for at in (
        "2026-08-18T07:59", "2026-08-18T08:00", "2026-08-20T08:00", "2026-08-28T08:00", "2026-08-29T08:00",
        "2026-08-30T08:00", "2026-08-31T08:00", "2026-09-01T08:00", "2026-09-01T23:59:59", "2026-09-02T08:00",
    )}  # fmt: skip
    assert [at for at, count in said.items() if count] == ["2026-08-18T08:00", "2026-08-29T08:00", "2026-08-31T08:00"]
    left = [re.findall(r"2026\. (.*? left)\.", body)[0] for body in bodies()]
    assert left == ["31 days are left", "14 days are left", "3 days are left", "1 day is left"]


def test_ten_days_without_jobs_are_made_up_for_by_one_message_with_the_days_truly_left(app: Any) -> None:
    draft(hauler())
    run("2026-08-17T08:00")
    assert run("2026-08-30T09:00") == [("o'brien@hauler.example", f"{APPLY} 2026-27")]
    assert "2 days are left." in bodies()[-1]
    assert run("2026-08-30T09:01") == []


def test_last_day_is_named_as_such_and_nothing_is_sent_after_the_close(app: Any) -> None:
    draft(hauler())
    run("2026-08-17T08:00")
    assert len(run("2026-09-01T23:59:59")) == 1
    assert "Today is the last day." in bodies()[-1]
    assert run("2026-09-02T00:00") == []


def test_nobody_is_reminded_who_sent_or_withdrew_or_never_came(app: Any) -> None:
    sent, gone = hauler(), hauler("Gone Septic", "gone@hauler.example")
    hauler("New Septic", "new@hauler.example")
    filed(sent)
    application = filed(gone)
    withdraw_application(world.plant(), application.id, by=acting(gone), at=world.at("2026-08-13T09:00"),
                         law=world.law())  # fmt: skip
    assert run("2026-08-31T08:00") == []


def test_last_seasons_approval_is_reminded_without_any_draft(app: Any) -> None:
    approved(hauler())
    assert ("o'brien@hauler.example", f"{APPLY} 2027-28") in run("2027-08-01T08:00")
    assert "You have not sent one yet." in bodies()[-1]


def test_hauler_at_work_on_a_draft_today_is_left_alone(app: Any) -> None:
    draft(hauler(), at="2026-08-29T08:30")
    assert (f"{APPLY} 2026-27") not in [subject for _, subject in run("2026-08-29T10:00")]


def test_closing_day_on_labor_day_stays_september_1(app: Any) -> None:
    set_closure(world.plant(), date(2031, 9, 1), "Labor Day", "holiday", by=world.staff("clerk"),
                at=world.at("2031-06-01T09:00"))  # fmt: skip
    draft(hauler(), at="2031-07-20T10:00")
    run("2031-08-01T08:00")
    run("2031-08-29T08:00")
    assert run("2031-08-31T08:00") == [("o'brien@hauler.example", f"{APPLY} 2031-32")]
    assert "until 11:59 p.m. on Monday, September 1, 2031. 1 day is left." in bodies()[-1]


# ------------------------------------------------------------------------------------------------ A draft left lying


def test_draft_left_for_an_hour_is_said_to_be_kept_once(app: Any) -> None:
    draft(hauler(), at="2026-07-20T10:00")
    assert run("2026-07-20T10:59:59") == []
    assert run("2026-07-20T11:00") == [
        ("o'brien@hauler.example", "Your septage application is saved: finish it by September 1")
    ]
    assert db.session.scalars(select(Application)).one().answers["mailed"] is True
    assert run("2026-07-21T11:00") == []


def test_draft_saved_or_sent_while_its_message_was_made_is_left_alone(app: Any) -> None:
    owner = hauler()
    kept = draft(owner, at="2026-08-12T10:00")

    def mail(at: str) -> bool:
        when, law = world.at(at), world.law()
        status = filing_status(law, when)
        assert isinstance(status, FilingStatus)
        return mail_saved_draft(world.plant(), kept, status, LYING, by=system(), at=when, law=law)

    assert mail("2026-08-12T10:30") is False
    send(owner, "2026-08-12T10:40")
    assert mail("2026-08-12T12:00") is False
    assert "mailed" not in kept.answers


def test_draft_is_not_called_unfinished_after_the_close(app: Any) -> None:
    draft(hauler(), at="2026-09-01T23:30")
    assert run("2026-09-02T08:00") == []


# ------------------------------------------------------------------------------------------------ The committee


@pytest.fixture
def waiting(app: Any) -> Any:
    first, second = filed(hauler(), SOURCE), filed(hauler("Nguyễn Thị Hà", "ha@hauler.example"), OUTSIDE)
    db.session.commit()
    return first, second


def test_members_hear_weekly_in_september_and_on_october_1(waiting: Any) -> None:
    said = {at: run(at) for at in (
        "2026-09-02T08:00", "2026-09-03T08:00", "2026-09-09T08:00", "2026-09-10T08:00", "2026-09-17T08:00",
        "2026-09-24T08:00", "2026-09-30T08:00", "2026-10-01T07:59", "2026-10-01T08:00", "2026-10-01T23:59",
    )}  # fmt: skip
    assert [at for at, told in said.items() if told] == [
        "2026-09-03T08:00", "2026-09-10T08:00", "2026-09-17T08:00", "2026-09-24T08:00", "2026-10-01T08:00",
    ]  # fmt: skip
    assert said["2026-09-03T08:00"] == [(email, WAIT) for email in MEMBERS]
    assert bodies()[0] == (
        "2 applications for season 2026-27 wait for the committee, to be decided by October 1, 2026.\n\n"
        "2026-27/0001 O'Brien & Søn Septic, L.L.C.\n2026-27/0002 Nguyễn Thị Hà\n\nSign in and open Applications.\n\n"
        "Bayfield Wastewater Treatment Works, 715-555-0100"
    )


def test_overdue_is_said_on_october_2_and_each_week_to_28_days(waiting: Any) -> None:
    run("2026-10-01T08:00")
    days = ["2026-10-02T07:59", "2026-10-02T08:00", "2026-10-08T08:00", "2026-10-09T08:00", "2026-10-16T08:00",
            "2026-10-23T08:00", "2026-10-30T08:00", "2026-11-06T08:00", "2026-12-30T08:00"]  # fmt: skip
    said = {at: run(at) for at in days}
    assert [at[5:10] for at, told in said.items() if told] == ["10-02", "10-09", "10-16", "10-23", "10-30"]
    told = said["2026-10-02T08:00"]
    assert {subject for _, subject in told} == {"Overdue: 2 applications were to be decided by October 1"}
    assert sorted(email for email, _ in told) == ["clerk@city.example", "director@city.example", *MEMBERS]


def test_overdue_letter_is_written_once_and_enclosed(waiting: Any) -> None:
    run("2026-10-02T08:00")
    run("2026-10-09T08:00")
    letter = db.session.scalars(select(Letter).filter_by(kind="overdue")).one()
    enclosed = db.session.scalars(select(Notice).where(Notice.letter_id == letter.id)).all()
    assert len(enclosed) == 5
    assert letter.title == "Overdue decisions, season 2026-27"
    assert letter.file_id is not None


def test_committee_off_for_ten_days_is_told_once_and_truly(waiting: Any) -> None:
    run("2026-09-24T08:00")
    assert [subject for _, subject in run("2026-10-04T12:00")] == \
        ["Overdue: 2 applications were to be decided by October 1"] * 5  # fmt: skip
    assert run("2026-10-04T12:01") == []


@pytest.mark.parametrize(("first", "told"), [("2026-11-13T08:00", 5), ("2026-11-14T08:00", 0)])
def test_last_overdue_mark_is_made_up_for_within_two_weeks(waiting: Any, first: str, told: int) -> None:
    assert len(run(first)) == told


def members_hear(at: str) -> list[str]:
    return [subject for email, subject in run(at) if email in MEMBERS]


def test_one_left_undecided_is_one_and_a_vote_silences_at_once_letter_or_not(waiting: Any) -> None:
    first, second = waiting
    record([approve(first)])
    assert members_hear("2026-09-17T08:00") == ["1 application waits for a decision by October 1"] * 3
    record([approve(second)], roll(held_on=date(2026, 9, 17)), at="2026-09-17T10:00")
    assert [members_hear(at) for at in ("2026-09-24T08:00", "2026-10-02T08:00")] == [[], []]


def test_failed_motion_decides_nothing_and_the_reminders_go_on(waiting: Any) -> None:
    decide([approve(waiting[0])], roll(Ballot.NO, Ballot.NO, Ballot.AYE))
    assert len(run("2026-09-17T08:00")) == 3


# ------------------------------------------------------------------------------------------------ Letters to issue


@pytest.fixture
def voted(waiting: Any) -> Any:
    """Both applications voted on September 1, their letters not issued."""
    motion = record([approve(one) for one in waiting], roll(held_on=date(2026, 9, 1)), "2026-09-01T20:00")
    db.session.commit()
    return motion


def test_the_clerk_hears_of_letters_not_issued_weekly_in_september_three_days_before_and_on_the_day(voted: Any) -> None:
    said = {at: run(at) for at in (
        "2026-09-02T08:00", "2026-09-03T07:59", "2026-09-03T08:00", "2026-09-03T08:01", "2026-09-10T08:00",
        "2026-09-17T08:00", "2026-09-24T08:00", "2026-09-27T08:00", "2026-09-28T08:00", "2026-09-30T08:00",
        "2026-10-01T07:59", "2026-10-01T08:00", "2026-10-01T23:59",
    )}  # fmt: skip
    assert [at[5:] for at, told in said.items() if told] == [
        "09-03T08:00", "09-10T08:00", "09-17T08:00", "09-24T08:00", "09-28T08:00", "10-01T08:00"]  # fmt: skip
    assert said["2026-09-28T08:00"] == [("clerk@city.example", "2 letters wait to be issued by October 1")]
    assert bodies()[0] == (
        "The committee has voted on 2 applications for season 2026-27. The decisions are due in writing by October 1, "
        "2026 (NR 113.07(2)(b), Wis. Adm. Code), and haulers hear nothing before their letter is issued.\n\n"
        "2026-27/0001 O'Brien & Søn Septic, L.L.C.\n2026-27/0002 Nguyễn Thị Hà\n\nSign in and open Letters to issue."
        "\n\nBayfield Wastewater Treatment Works, 715-555-0100"
    )


def test_letters_overdue_are_said_on_october_2_and_each_week_to_28_days(voted: Any) -> None:
    run("2026-10-01T08:00")
    days = ["2026-10-02T07:59", "2026-10-02T08:00", "2026-10-08T08:00", "2026-10-09T08:00", "2026-10-16T08:00",
            "2026-10-23T08:00", "2026-10-30T08:00", "2026-11-06T08:00", "2026-12-30T08:00"]  # fmt: skip
    said = {at: run(at) for at in days}
    assert [at[5:10] for at, told in said.items() if told] == ["10-02", "10-09", "10-16", "10-23", "10-30"]
    assert said["2026-10-02T08:00"] == [("clerk@city.example", "Overdue: 2 letters were to be issued by October 1")]
    assert "The decisions were due in writing by October 1, 2026" in bodies()[-1]


def test_an_issued_letter_is_not_reminded_of_and_one_left_is_one(voted: Any) -> None:
    first = db.session.scalars(select(Decision.id).order_by(Decision.id)).first()
    assert first is not None
    issue(voted, [first], "2026-09-02T09:00")
    assert run("2026-09-03T08:00")[-1] == ("clerk@city.example", "1 letter waits to be issued by October 1")
    assert "voted on 1 application for season 2026-27. The decision is due in writing" in bodies()[-1]
    issue(voted, at="2026-09-03T09:00")
    assert [run(at) for at in ("2026-09-10T08:00", "2026-10-02T08:00")] == [[], []]


def test_clerk_off_for_ten_days_is_told_of_letters_once_and_truly(voted: Any) -> None:
    run("2026-09-24T08:00")
    assert run("2026-10-04T12:00") == [("clerk@city.example", "Overdue: 2 letters were to be issued by October 1")]
    assert run("2026-10-04T12:01") == []


# ------------------------------------------------------------------------------------------------ Review rights


def washburn() -> Plant:
    """A second plant, whose clerk and administrator are Bayfield's, and which has no text on review rights."""
    who = {"by": system(), "at": world.START}
    plant = set_up_plant(slug="washburn", name="Washburn Works", city="City of Washburn", zone="America/Chicago",
                         phone="715-555-0101", help_hours="weekdays", address="1 Pier\nWashburn, WI 54891",
                         **who)  # fmt: skip
    assert isinstance(plant, Plant)
    db.session.flush()
    adopt_law(plant, "bayfield", date(1992, 1, 1), "Agreement", **who)
    with journal.frame("test", system(), None, world.START):
        for name, role in (("clerk", Role.CLERK), ("admin", Role.ADMINISTRATOR), ("admin", Role.CLERK)):
            db.session.add(Grant(person_id=world.staff(name).person_id, plant_id=plant.id, role=role.value,
                                 since=world.START))  # fmt: skip
    return plant


def test_empty_review_rights_are_warned_of_from_september_15(app: Any) -> None:
    washburn()
    assert run("2026-09-15T07:59") == []
    subject = "Before the letters of season 2026-27: set the text on review rights"
    assert sorted(run("2026-09-15T08:00")) == [("admin@city.example", subject), ("clerk@city.example", subject)]
    assert run("2026-09-20T08:00") == []


def test_review_rights_set_in_time_are_not_warned_of(app: Any) -> None:
    set_plant_row(washburn(), "review.block", "You may ask for a review.", date(2026, 9, 1), "Resolution 9",
                  by=system(), at=world.at("2026-09-01T09:00"))  # fmt: skip
    assert run("2026-09-15T08:00") == []


def test_review_rights_that_are_set_are_not_warned_of(app: Any) -> None:
    assert run("2026-09-15T08:00") == []


# ------------------------------------------------------------------------------------------------ License, insurance


def test_license_is_asked_for_at_sixty_thirty_and_seven_days_and_the_clerk_hears_at_seven(app: Any) -> None:
    licensed(date(2027, 3, 31))
    said: list[Any] = []
    for at in ("2027-01-29T08:00", "2027-01-30T08:00", "2027-02-28T08:00", "2027-03-01T08:00", "2027-03-23T08:00",
               "2027-03-24T08:00", "2027-03-25T08:00", "2027-03-31T23:59", "2027-04-01T08:00"):  # fmt: skip
        said += [(at[5:10], email.partition("@")[0], subject) for email, subject in run(at)]
    assert [line for line in said if "license" in line[2]] == [
        ("01-30", "late", "Your state license ends in 60 days: send us the new one"),
        ("03-01", "late", "Your state license ends in 30 days: send us the new one"),
        ("03-24", "late", "Your state license ends in 7 days: send us the new one"),
        ("03-24", "clerk", "The state license of Nguyễn Thị Hà ends in 7 days"),
    ]


@pytest.mark.parametrize(("ends", "early", "morning"), [
    (date(2027, 3, 21), "2027-03-14T07:59:59", "2027-03-14T08:00"),
    (date(2026, 11, 8), "2026-11-01T07:59:59", "2026-11-01T08:00"),
])  # fmt: skip
def test_clock_change_moves_no_reminder_off_eight_of_the_wall_clock(app: Any, ends: date, early: str,
                                                                     morning: str) -> None:  # fmt: skip
    licensed(ends)
    run(early)
    assert "Your state license ends in 7 days: send us the new one" in [subject for _, subject in run(morning)]


def test_new_license_silences_the_old_one(app: Any) -> None:
    owner = licensed(date(2027, 3, 31))
    add_licence(owner, state="WI", number="778", ends_on=date(2028, 3, 31), by=acting(owner),
                at=world.at("2027-01-20T09:00"))  # fmt: skip
    assert [line for line in run("2027-03-24T08:00") if "license" in line[1]] == []


def test_ten_days_off_ask_for_the_license_once_with_the_days_left(app: Any) -> None:
    licensed(date(2027, 3, 31))
    run("2027-03-15T08:00")
    assert [line[1] for line in run("2027-03-25T08:00") if "Your state" in line[1]] == [
        "Your state license ends in 6 days: send us the new one"
    ]


def test_insurance_is_asked_for_and_its_clerk_only_where_the_law_asks_for_it(app: Any) -> None:
    owner = licensed(date(2028, 3, 31))
    made = add_insurance(owner, insurer="Northern Mutual", policy="NM-1", ends_on=date(2027, 3, 31), by=acting(owner),
                         at=world.at("2026-08-12T09:00"))  # fmt: skip
    assert isinstance(made, Insurance), made
    said = [line for line in run("2027-03-24T08:00") if "insurance" in line[1]]
    assert said == [("late@hauler.example", "Your liability insurance ends in 7 days: send us the new one")]
    assert "You cannot unload" not in bodies()[-1]
    assert "Sign in, open Application, then Insurance, and enter the new one." in bodies()[-1]


def test_hauler_with_nothing_at_the_plant_is_not_asked_for_papers(app: Any) -> None:
    hauler()
    assert run("2027-06-01T08:00") == []


# ------------------------------------------------------------------------------------------------ More information


@pytest.fixture
def asked(app: Any) -> ApplicationChange:
    application = filed(hauler())
    made = open_change(world.plant(), application, "committee", "Where are the cabins?", date(2026, 9, 15),
                       by=world.staff("member1"), at=world.at("2026-09-04T09:00"), law=world.law())  # fmt: skip
    assert isinstance(made, ApplicationChange), made
    db.session.commit()
    return made


def about_information(at: str) -> list[tuple[str, str]]:
    return [line for line in run(at) if "more information" in line[1]]


def test_more_information_is_reminded_of_at_three_and_one_days_and_late_to_the_clerk(asked: Any) -> None:
    wanted = ("o'brien@hauler.example", "We need more information for application 2026-27/0001 by September 15")
    assert about_information("2026-09-11T08:00") == []
    assert about_information("2026-09-12T08:00") == [wanted]
    assert about_information("2026-09-13T08:00") == []
    assert about_information("2026-09-14T08:00") == [wanted]
    assert about_information("2026-09-15T23:59") == []
    assert about_information("2026-09-16T07:59") == []
    assert about_information("2026-09-16T08:00") == [
        ("clerk@city.example", "Application 2026-27/0001: more information was due September 15")
    ]
    assert about_information("2026-10-30T08:00") == []


def test_request_made_two_days_before_its_day_is_not_repeated_at_once(app: Any) -> None:
    application = filed(hauler())
    open_change(world.plant(), application, "committee", "Where are the cabins?", date(2026, 9, 15),
                by=world.staff("member1"), at=world.at("2026-09-13T09:00"), law=world.law())  # fmt: skip
    assert about_information("2026-09-13T10:00") == []
    assert len(about_information("2026-09-14T08:00")) == 1


def test_answered_request_is_not_reminded_of(asked: Any) -> None:
    application = queries.application(world.plant().id, asked.application_id)
    assert application is not None
    owner = queries.business(application.business_id)
    assert owner is not None
    moved = SourceLine("septic_tank", "Homes along Siskiwit Lake Road", "sewer_service", "4 loads a month", 1500, 12000,
                       8000)  # fmt: skip
    made = answer_change(world.plant(), asked.id, [moved], answers_of(application), by=acting(owner),
                         at=world.at("2026-09-10T09:00"), law=world.law())  # fmt: skip
    assert isinstance(made, ApplicationChange), made
    assert about_information("2026-09-14T08:00") == []
    assert about_information("2026-09-16T08:00") == []


def test_decided_application_is_not_asked_for_more(asked: Any) -> None:
    application = queries.application(world.plant().id, asked.application_id)
    assert application is not None
    decide([approve(application)], roll(held_on=date(2026, 9, 8)), at="2026-09-09T09:00")
    assert about_information("2026-09-14T08:00") == []
