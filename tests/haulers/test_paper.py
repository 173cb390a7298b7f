"""Applications on paper: in time by the day received, marked so, signed in nobody's name."""

import io
from datetime import UTC, date, datetime
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import func, select

from haulers.actions import enter_application
from haulers.models import Application, Business
from haulers.queries import TruckLine, filed, licence_of, party_of_business, sources_of, trucks_of
from haulers.queries.answers import Answers, PaperCompany
from haulers.queries.registered import find_registered
from office.access import Grant
from office.db import db
from office.journal import JournalEntry
from office.letters import Letter, render
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, draft, hauler, send
from tests.haulers.builders import filed as filed_online

pytestmark = pytest.mark.usefixtures("app")
HA = PaperCompany("Nguyễn Thị Hà Septic", "3 Pine Road\nWashburn, WI 54891", "715-555-0133", "", "Hà", "WI", "5100",
                  date(2027, 6, 30), (TruckLine("WI 77", 2000),))  # fmt: skip


def enter(company: int | PaperCompany = HA, received: date = date(2026, 8, 20), at: str = "2026-08-21T09:00",
          by: str = "clerk", **given: Any) -> Any:  # fmt: skip
    """Enter a paper application: the act's own answer."""
    when = world.at(at)
    name = company.name if isinstance(company, PaperCompany) else "a known company"
    return enter_application(world.plant(), company, [SOURCE], Answers(), received, by=world.staff(by).for_(name),
                             at=when, law=world.law(when.date()), **given)  # fmt: skip


def test_a_paper_of_an_unknown_company_makes_it_known_without_a_sign_in() -> None:
    grants = db.session.scalar(select(func.count(Grant.id)))
    made = enter()
    assert isinstance(made, Application)
    assert (made.state, made.number, made.channel, made.received_on) == ("filed", "2026-27/0001", "paper",
                                                                         date(2026, 8, 20))  # fmt: skip
    assert (made.entered_by, made.declared_by) == ("Clerk of the City", "")
    party, licence = party_of_business(made.business_id), licence_of(made.business_id)
    assert (party.name, party.email) == ("Nguyễn Thị Hà Septic", "")
    assert licence is not None
    assert (licence.number, [one.plate for one in trucks_of(made.business_id)]) == ("5100", ["WI 77"])
    assert db.session.scalar(select(func.count(Grant.id))) == grants
    assert filed(world.plant().id, "2026-27") == [made]


def test_its_receipt_says_paper_and_names_no_signer_and_its_notice_waits_for_a_call() -> None:
    made = enter()
    letter = db.session.get_one(Letter, made.letter_id)
    assert letter.data["paper"] == "Your paper was entered here by Clerk of the City."
    assert letter.data["declared"] == ""
    notice = db.session.scalars(select(Notice).filter_by(kind="application")).one()
    assert (notice.state, notice.phone) == ("no_address", "715-555-0133")
    assert notice.body.startswith("On Thursday, August 20, 2026, your application 2026-27/0001")


def test_its_receipt_is_of_the_day_it_is_entered_and_says_the_day_of_the_paper_without_an_hour() -> None:
    made = enter(received=date(2026, 9, 1), at="2026-09-05T09:00")
    letter = db.session.get_one(Letter, made.letter_id)
    assert (letter.data["date"], letter.written_at) == ("September 5, 2026", world.at("2026-09-05T09:00"))
    assert letter.data["filed"] == "September 1, 2026 (paper; hour not recorded)"
    pages = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages
    said = " ".join(pages[0].extract_text().split())
    assert "11:59" not in said
    assert "in season 2026-27 was received on September 1, 2026 (paper; hour not recorded) and has the number" in said
    foot = said[said.rindex("Bayfield Wastewater Treatment Works") :]
    assert foot.startswith("Bayfield Wastewater Treatment Works Receipt for application 2026-27/0001 page 1 of 1")


def test_the_receipt_of_a_late_paper_is_of_the_day_it_is_entered_too() -> None:
    made = enter(received=date(2026, 9, 3), at="2026-09-05T09:00", late_reason="The truck burned.")
    letter = db.session.get_one(Letter, made.letter_id)
    assert letter.data["date"] == "September 5, 2026"
    assert letter.data["opening"].startswith("On September 3, 2026 (paper; hour not recorded), you asked the committee")
    notice = db.session.scalars(select(Notice).filter_by(kind="application").order_by(Notice.id)).first()
    assert notice is not None
    assert notice.body.startswith("On September 3, 2026 (paper; hour not recorded), you asked the committee to take")


def test_the_journal_says_on_whose_behalf() -> None:
    enter()
    db.session.commit()
    query = select(JournalEntry).filter_by(table_name="application", act="enter_application")
    entry = db.session.scalars(query).first()
    assert entry is not None
    assert (entry.person, entry.capacity, entry.on_behalf) == ("Clerk of the City", "clerk", "Nguyễn Thị Hà Septic")


@pytest.mark.parametrize(("received", "answer"), [
    (date(2026, 7, 31), "window_not_open"), (date(2026, 8, 1), "filed"), (date(2026, 9, 1), "filed"),
    (date(2026, 9, 2), "window_closed"),
])  # fmt: skip
def test_the_day_received_decides_not_the_day_entered(received: date, answer: str) -> None:
    said = enter(received=received, at="2026-09-02T09:00")
    assert (said.code if isinstance(said, Refusal) else said.state) == answer


def test_it_counts_as_filed_by_the_end_of_its_day_or_when_entered_that_day() -> None:
    made = enter(received=date(2026, 8, 20), at="2026-08-24T09:00")
    assert made.filed_at == datetime(2026, 8, 21, 4, 59, 59, tzinfo=UTC)
    same = enter(PaperCompany("Second", "X", "1", "", "", "WI", "1", date(2027, 6, 30)), date(2026, 8, 24),
                 "2026-08-24T10:00")  # fmt: skip
    assert same.filed_at == world.at("2026-08-24T10:00")


def test_a_day_to_come_is_not_a_day_received() -> None:
    said = enter(received=date(2026, 8, 22), at="2026-08-21T09:00")
    assert (said.code, said.why) == ("future_date", "The date received must be today or earlier.")


def test_paper_after_the_close_waits_for_the_committee_with_its_reason() -> None:
    made = enter(received=date(2026, 9, 3), at="2026-09-04T09:00", late_reason="Posted on September 1.")
    assert (made.state, made.number, made.channel) == ("asked_late", "2026-27/L-001", "paper")
    assert filed(world.plant().id, "2026-27") == []


def again(name: str, state: str, number: str) -> Any:
    return enter(PaperCompany(name, "X", "1", "", "", state, number, date(2027, 6, 30)))


def test_a_registered_company_is_not_made_twice_whether_it_ever_sent_or_not() -> None:
    business = hauler()
    draft(business)
    by_name = again("o'brien & søn septic llc", "WI", "1")
    assert (by_name.code, by_name.why) == (
        "known", "O'Brien & Søn Septic, L.L.C. is listed already. Select it from the list.",
    )  # fmt: skip
    licence = licence_of(business.id)
    assert licence is not None
    by_licence = again("Another Name", " wi", f"{licence.number[:2]}-{licence.number[2:]}")
    assert (by_licence.code, by_licence.why) == (
        "known", "O'Brien & Søn Septic, L.L.C. has given this license already. Select it from the list.",
    )  # fmt: skip
    assert again("Another Name", "MN", licence.number).state == "filed"
    assert db.session.scalar(select(func.count(Business.id))) == 2


def test_a_draft_of_a_company_that_never_sent_gives_way_and_cannot_be_sent_after_the_paper() -> None:
    business = hauler()
    draft(business, OUTSIDE, at="2026-08-05T10:00")
    made = enter(business.id)
    assert (made.number, made.channel) == ("2026-27/0001", "paper")
    db.session.commit()
    kept = made.answers["gave_way"]
    assert [one["place"] for one in kept["sources"]] == [OUTSIDE.place]
    assert (kept["saved_by"], kept["saved_at"]) == ("Ingrid O'Brien", "Wednesday, August 5, 2026, 10:00 a.m.")
    said = send(business, at="2026-08-22T10:00")
    assert said.code == "already_filed"
    assert said.why == "Application 2026-27/0001 came on paper, received on August 20, 2026."
    assert db.session.scalar(select(func.count(Application.id))) == 1


def test_a_company_known_by_its_paper_that_opens_an_account_later_cannot_send_another() -> None:
    owner = PaperCompany("O'Brien and Son", "X", "1", "", "", "WI", "4022", date(2027, 6, 30))
    enter(owner)
    account = hauler("o'brien AND son", "o'brien@hauler.example", at="2026-08-22T09:00")
    draft(account, at="2026-08-22T10:00")
    said = send(account, at="2026-08-22T11:00")
    assert (said.code, said.why) == (
        "already_on_paper", "Application 2026-27/0001 came on paper under your name and license already.",
    )  # fmt: skip
    other = hauler("Another Septic", "a'brien@hauler.example", at="2026-08-22T09:00")
    draft(other, at="2026-08-22T10:00")
    assert send(other, at="2026-08-22T11:00").number == "2026-27/0002"


def test_a_company_is_found_by_a_part_of_its_name_or_license() -> None:
    first, other = hauler(), hauler("Second Septic", "second@hauler.example")
    numbers = [licence.number for one in (first, other) if (licence := licence_of(one.id))]
    found = [[one.id for one in find_registered(typed)] for typed in
             ("SON sept", "second", numbers[1], f"wi {numbers[0]}", "", "zzz")]  # fmt: skip
    assert found == [[first.id], [other.id], [other.id], [first.id], [first.id, other.id], []]


def test_last_years_date_is_asked_about_and_then_counts_for_last_years_season() -> None:
    last = date(2025, 8, 20)
    said = enter(received=last)
    assert (said.code, said.why) == ("confirm_date", "Received on Wednesday, August 20, 2025: it counts for season "
                                                     "2025-26, which is more than half over.")  # fmt: skip
    assert enter(received=last, confirmed=date(2025, 8, 21)).code == "confirm_date"
    made = enter(received=last, confirmed=last)
    assert (made.number, made.season) == ("2025-26/0001", "2025-26")


def test_a_day_further_back_than_the_window_is_long_is_asked_about() -> None:
    assert enter(received=date(2026, 8, 1), at="2026-09-02T09:00").state == "filed"
    said = enter(PaperCompany("Second", "X", "1", "", "", "WI", "1", date(2027, 6, 30)), date(2026, 8, 1),
                 "2026-09-03T09:00")  # fmt: skip
    assert (said.code, said.why) == ("confirm_date", "33 days have passed since Saturday, August 1, 2026. The paper "
                                                     "counts for season 2026-27.")  # fmt: skip


def test_a_late_paper_goes_to_the_season_that_was_late_on_its_day() -> None:
    came = date(2025, 9, 10)
    made = enter(received=came, at="2026-09-20T09:00", late_reason="It lay in a drawer.", confirmed=came)
    assert (made.number, made.season) == ("2025-26/L-001", "2025-26")


def test_a_day_before_any_law_here_is_refused_in_words() -> None:
    assert enter(received=date(1926, 8, 20)).code == "no_law"


def test_one_application_a_season_whether_on_paper_or_not() -> None:
    business = hauler()
    filed_online(business, at="2026-08-12T10:00")
    said = enter(business.id)
    assert (said.code, said.details["number"]) == ("already_filed", "2026-27/0001")


def test_a_draft_online_gives_way_to_the_paper() -> None:
    business = hauler()
    filed_online(business)  # so that the plant knows it
    draft(business, OUTSIDE, at="2027-07-20T10:00")
    made = enter(business.id, date(2027, 8, 20), "2027-08-21T09:00")
    assert (made.number, made.channel) == ("2027-28/0001", "paper")
    assert [row.place for row in sources_of([made.id])[made.id]] == [SOURCE.place]


def test_the_same_paper_entered_twice_is_one_application() -> None:
    made = enter()
    assert enter().code == "known"
    assert enter(made.business_id).code == "already_filed"


def test_without_a_license_the_paper_is_not_taken_where_the_law_asks_for_one() -> None:
    said = enter(PaperCompany("Bare Septic", "X", "1", "", "", "", "", None))
    assert (said.code, said.why) == ("no_licence", "Enter the company's state license.")
    assert db.session.scalar(select(func.count(Business.id))) == 0


def test_only_the_clerk_enters_paper() -> None:
    for who in ("member1", "director", "operator", "admin"):
        assert enter(by=who).code == "not_your_role"
