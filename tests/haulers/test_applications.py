"""Drafts, filing to the second, receipts, withdrawal (§ 329-7 B(1))."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from haulers.actions import save_draft, withdraw_application
from haulers.models import Application, ApplicationSource
from haulers.queries import SourceLine, applications_of, sources_of
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OBRIEN, OUTSIDE, SOURCE, acting, draft, filed, hauler, send


def test_filing_in_the_last_second_is_in_time_and_one_second_later_refused(app: Any) -> None:
    first, second = hauler(), hauler("Second Septic", "second@hauler.example")
    draft(first), draft(second)
    made = send(first, "2026-09-01T23:59:59")
    assert (made.state, made.number) == ("filed", "2026-27/0001")
    assert made.filed_at == datetime(2026, 9, 2, 4, 59, 59, tzinfo=UTC)
    late = send(second, "2026-09-02T00:00:00")
    assert (late.code, late.cite) == ("window_closed", "§ 329-7 B(1)")
    assert late.why == (
        "Applications for season 2026-27 were taken from Saturday, August 1, 2026 to Tuesday, September 1, 2026."
    )


def test_filing_opens_with_the_first_second_of_august(app: Any) -> None:
    business = hauler()
    draft(business)
    early = send(business, "2026-07-31T23:59:59")
    assert (early.code, early.next_step) == ("window_not_open", "Save a draft now and send it when filing opens.")
    assert send(business, "2026-08-01T00:00:00").number == "2026-27/0001"


def test_a_draft_typed_before_the_close_and_saved_after_it_is_kept(app: Any) -> None:
    business = hauler()
    saved = draft(business, SOURCE, OUTSIDE, at="2026-09-02T00:00:00")
    assert isinstance(send(business, "2026-09-02T00:00:01"), Refusal)
    rows = sources_of([saved.id])[saved.id]
    assert [(row.place, row.gallons_winter, row.gallons_rest) for row in rows] == [
        (SOURCE.place, 12000, 8000), (OUTSIDE.place, 3000, 17000),
    ]  # fmt: skip
    assert saved.state == "draft"


def test_the_form_before_july_is_not_open(app: Any) -> None:
    when = world.at("2026-06-30T23:59:59")
    business = hauler(at="2026-06-30T09:00")
    said = save_draft(world.plant(), business.id, [SOURCE], by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "form_not_open"


def test_sending_five_times_makes_one_application_one_number_one_receipt(app: Any) -> None:
    business = hauler()
    draft(business)
    answers = [send(business) for _ in range(5)]
    assert answers[0].number == "2026-27/0001"
    assert {answer.code for answer in answers[1:]} == {"already_filed"}
    assert db.session.scalar(select(func.count(Application.id))) == 1
    assert db.session.scalar(select(func.count(Letter.id)).filter_by(kind="application_receipt")) == 1
    assert db.session.scalar(select(func.count(Notice.id)).filter_by(kind="application")) == 1


def test_numbers_of_a_season_have_no_gaps_after_a_refused_filing(app: Any) -> None:
    first, second = hauler(), hauler("Second Septic", "second@hauler.example")
    draft(first, SourceLine("septic_tank", "", "", "", None, None, None))
    refused = send(first)
    assert refused.code == "incomplete"
    assert refused.why == (
        "Source 1: enter the place, the service area, how often, gallons a load, gallons in winter, "
        "gallons in the rest of the year."
    )
    assert filed(second).number == "2026-27/0001"


def test_nought_gallons_is_an_answer_but_asking_for_none_is_refused(app: Any) -> None:
    business = hauler()
    draft(business, SourceLine("septic_tank", "Town", "planning", "Never", 0, 0, 0))
    assert send(business).code == "no_gallons"
    draft(business, SourceLine("septic_tank", "Town", "planning", "Weekly", 0, 0, 500))
    assert send(business).state == "filed"


def test_grease_cannot_be_applied_for(app: Any) -> None:
    business = hauler()
    draft(business, SourceLine("grease_interceptor", "Diner", "sewer_service", "Monthly", 500, 500, 500))
    assert send(business).code == "not_septage"


def test_filing_on_the_states_own_date_is_marked(app: Any) -> None:
    early, late = hauler(), hauler("Second Septic", "second@hauler.example")
    assert filed(early, at="2026-08-31T23:59:59").late_for_state is False
    assert filed(late, at="2026-09-01T00:00:00").late_for_state is True


def test_another_haulers_application_cannot_be_sent_or_withdrawn(app: Any) -> None:
    owner, other = hauler(), hauler("Second Septic", "second@hauler.example")
    application = filed(owner)
    when = world.at("2026-08-20T09:00")
    said = withdraw_application(world.plant(), application.id, by=acting(other), at=when, law=world.law())
    assert isinstance(said, Refusal)
    assert said.code == "not_yours"
    assert application.state == "filed"


def test_a_withdrawn_application_stays_and_another_may_be_sent(app: Any) -> None:
    business = hauler()
    first = filed(business)
    when = world.at("2026-08-20T09:00")
    withdraw_application(world.plant(), first.id, by=acting(business), at=when, law=world.law())
    second = filed(business, OUTSIDE, at="2026-08-21T09:00")
    assert [(one.number, one.state) for one in applications_of(world.plant().id, business.id)] == [
        ("2026-27/0002", "filed"), ("2026-27/0001", "withdrawn"),
    ]  # fmt: skip
    assert second.id != first.id


def test_a_sent_application_cannot_be_changed_by_saving_again(app: Any) -> None:
    business = hauler()
    application = filed(business)
    when = world.at("2026-08-20T09:00")
    said = save_draft(world.plant(), business.id, [OUTSIDE], by=acting(business), at=when, law=world.law(when.date()))
    assert isinstance(said, Refusal)
    assert said.code == "already_filed"
    assert [row.place for row in sources_of([application.id])[application.id]] == [SOURCE.place]


def test_a_draft_saved_with_fewer_sources_drops_the_rest(app: Any) -> None:
    business = hauler()
    draft(business, SOURCE, OUTSIDE)
    again = draft(business, OUTSIDE)
    assert [row.place for row in db.session.scalars(select(ApplicationSource))] == [OUTSIDE.place]
    assert again.season == "2026-27"


def test_the_notice_and_the_journal_carry_the_name_as_written(app: Any) -> None:
    application = filed(hauler())
    notice = db.session.scalars(select(Notice).filter_by(kind="application")).one()
    assert (notice.to_name, notice.subject) == (OBRIEN, "We received your application 2026-27/0001")
    assert application.business_name == OBRIEN
    db.session.commit()
    entry = db.session.scalars(select(JournalEntry).filter_by(table_name="application", act="file_application")).one()
    assert (entry.capacity, entry.cite, entry.new["number"]) == ("hauler_owner", "§ 329-7 B(1)", "2026-27/0001")


@pytest.mark.parametrize("name", ["saved_at", "filed_at"])
def test_instants_are_kept_in_utc(app: Any, name: str) -> None:
    application = filed(hauler(), at="2026-08-12T10:30")
    db.session.commit()
    assert getattr(application, name) == datetime(2026, 8, 12, 15, 30, tzinfo=UTC)
