"""Every letter of this room is one page whose text can be extracted, names and all."""

import io
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from haulers.actions import DecisionLine
from haulers.models import Application
from haulers.ports import BookingLine
from haulers.queries.motion_lines import Limit
from haulers.states import Outcome, Period
from office.db import db
from office.letters import Letter, render
from tests import world
from tests.haulers.builders import OBRIEN, OUTSIDE, SOURCE, approve, approved, decide, filed, hauler
from tests.haulers.test_revocation import REASON, RULE, revoke

REVIEW = (
    "You may ask for a review of this decision within 30 days. Write to the City Clerk, 125 South First Street, "
    "Bayfield, WI 54814 (Wis. Stat. ch. 68)."
)


def text_of(kind: str) -> str:
    """The text of the only letter of a kind, on its one page."""
    letter = db.session.scalars(select(Letter).filter_by(kind=kind)).one()
    reader = PdfReader(io.BytesIO(render(letter.template, letter.data)))
    assert len(reader.pages) == 1
    return " ".join(reader.pages[0].extract_text().split())


@pytest.fixture(params=[OBRIEN, "Nguyễn Thị Hà"])
def application(app: Any, request: Any) -> Application:
    return filed(hauler(request.param), SOURCE, OUTSIDE)


def test_receipt(application: Application) -> None:
    text = text_of("application_receipt")
    for words in (
        application.business_name, "Receipt for application 2026-27/0001", "Wednesday, August 12, 2026, 10:30 a.m.",
        "Homes along County Road J", "4 loads a month", "Inside the sewer service area", "40,000", "15,000", "25,000",
        "The filing fee is $75.00. It is not refunded.", "you will hear by Thursday, October 1, 2026", "WI 4022",
        "Declared full and true by Ingrid O'Brien. (§ 329-7 B(1))",
    ):  # fmt: skip
        assert words in text
    assert "none is assumed" not in text


def test_approval(application: Application) -> None:
    decide([approve(application)])
    text = text_of("approval")
    for words in (
        application.business_name, "A-2026-27-001", "(§ 329-7 B(2))", "15,000", "25,000",
        "from October 1, 2026, to September 30, 2027", "(§ 329-7 B(3))", "may immediately restrict septage disposal",
        "666 gallons an hour", "$0.024 a gallon", "$12.16", "within the next working day",
        "from November 15, 2026, to April 15, 2027", "1 of 1",
    ):  # fmt: skip
        assert words in text
    assert "If you disagree" not in text


def test_an_approval_in_part_with_a_limit_and_a_condition_of_its_own_stays_on_one_page(app: Any) -> None:
    made = filed(hauler(), SOURCE, OUTSIDE)
    decide([DecisionLine(made.id, Outcome.IN_PART, 10_000, 20_000, "capacity_or_limits", "There is no winter room.",
                         ["Bring the lab sheet monthly."], [Limit("", Period.WEEK, 6000)])])  # fmt: skip
    text = text_of("approval")
    for words in ("2. Bring the lab sheet monthly.", "Not more than 6,000 gallons a week.", REVIEW,
                  "for the Public Works Committee"):  # fmt: skip
        assert words in text


def test_approval_in_part_says_why_and_how_to_ask_for_a_review(application: Application) -> None:
    decide([DecisionLine(application.id, Outcome.IN_PART, 10000, 25000, "capacity_or_limits", "The winter is full.")])
    text = text_of("approval")
    for words in ("approved in part", "The winter is full.", "exceed the operating design capacity", REVIEW, "35,000",
                  "§ 281.49(3)(a), Wis. Stats."):  # fmt: skip
        assert words in text


def test_rejection(application: Application) -> None:
    decide([DecisionLine(application.id, Outcome.REJECTED, 0, 0, "incompatible", "It would harm the process.")])
    text = text_of("rejection")
    for words in (application.business_name, "It is not approved.", "It would harm the process.", REVIEW, "40,000"):
        assert words in text


def test_revocation_with_many_bookings_stays_on_one_page(app: Any, before: Any) -> None:
    before.bookings = [BookingLine(f"B-1022-{n:02d}", world.at("2026-10-22T07:45"), 1000) for n in range(1, 31)]
    revoke(approved(hauler()), REASON * 6)
    text = text_of("revocation")
    for words in (OBRIEN, "revoked from Tuesday, October 20, 2026, 9:00 a.m. (§ 329-7 G)", RULE, REASON,
                  "Do not bring septage.", "B-1022-08", "and 22 more bookings", "Nothing is owed now.", REVIEW,
                  "Director of the City", "Copies: City clerk, Public Works Committee"):  # fmt: skip
        assert words in text
