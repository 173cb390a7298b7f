"""The outcome of a review is a letter that says what comes next, and an appeal goes on where the review ended."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.reviews import close_review, enter_review
from haulers.models import Approval, Review, Revocation
from haulers.queries.enforcement import steps_of
from office.db import db
from office.letters import Letter
from office.notices import Notice
from tests import world
from tests.haulers.appeals import appealed, asked, close, given, own_procedure
from tests.haulers.builders import approved, hauler

pytestmark = pytest.mark.usefixtures("app", "before")


@pytest.fixture
def approval(app: Any, before: Any) -> Approval:
    return approved(hauler())


def letter() -> Letter:
    return db.session.scalars(select(Letter).filter_by(kind="review_outcome")).one()


def steps(review: Review) -> list[tuple[str, int, date, date | None]]:
    return [(one.name, one.position, one.due_on, one.done_on) for one in steps_of(review.id)]


def test_a_review_that_leaves_the_decision_says_until_when_to_appeal_and_its_step_is_done(approval: Approval) -> None:
    own_procedure()
    review = asked(approval)
    close(review, "upheld")
    data, number = letter().data, letter().number
    assert (data["about"], data["outcome"], data["on"]) == (
        "Revocation of approval A-2026-27-001", "the decision stands", "Tuesday, December 1, 2026",
    )  # fmt: skip
    assert (data["next"], data["next_cite"], data["review"]) == (
        "You may ask for the appeal until the end of December 11, 2026", "§ 216-12 B", "",
    )  # fmt: skip
    assert steps(review)[1] == ("Reconsideration decided", 2, date(2026, 11, 12), date(2026, 12, 1))
    told = db.session.scalars(select(Notice).filter_by(kind="review_closed")).one()
    assert told.letter_id == review.letter_id == letter().id
    assert told.body == (
        "Revocation of approval A-2026-27-001: the decision stands.\n\nThe lock was broken.\n\nYou may ask for the "
        "appeal until the end of December 11, 2026 (§ 216-12 B).\n\nBayfield Wastewater Treatment Works, "
        f"715-555-0100\n\nLetter {number} is in your account under Letters."
    )  # fmt: skip


def test_the_appeal_after_it_goes_on_with_its_own_clock(approval: Approval) -> None:
    own_procedure()
    close(asked(approval), "upheld")
    revocation = db.session.query(Revocation).one()

    def appeal(on: date) -> Any:
        return enter_review(world.plant(), "We appeal.", on, "Ingrid O'Brien", revocation_id=revocation.id,
                            **given("2026-12-08T09:00"))  # fmt: skip

    said = appeal(date(2026, 11, 30))
    assert (said.code, said.why) == (
        "no_day", "The day must be December 1, 2026, the day of the outcome, or later, and not after today.",
    )  # fmt: skip
    assert steps(appeal(date(2026, 12, 7))) == [
        ("Appeal asked for", 3, date(2026, 12, 11), date(2026, 12, 7)),
    ]  # fmt: skip


@pytest.mark.parametrize("outcome", ["reversed", "withdrawn"])
def test_one_that_got_all_it_asked_for_or_was_withdrawn_has_nothing_to_appeal(approval: Approval,
                                                                              outcome: str) -> None:  # fmt: skip
    own_procedure()
    close(asked(approval), outcome)
    assert (letter().data["next"], letter().data["review"]) == ("", "")


def test_the_states_procedure_names_its_own_days(approval: Approval) -> None:
    close(asked(approval), "upheld")
    assert letter().data["next"] == "You may ask for the appeal until the end of December 31, 2026"


def test_where_the_law_names_no_step_more_the_text_on_review_rights_stands_there(approval: Approval) -> None:
    own_procedure()
    close(appealed(approval), "upheld")
    text = given("2026-12-02T09:00")["law"].value("review.block", date(2026, 12, 2))
    assert (letter().data["next"], letter().data["review"]) == ("", text)


def test_without_that_text_nothing_is_closed(approval: Approval) -> None:
    own_procedure()
    review, keep = appealed(approval), given("2026-12-02T09:00")
    law = keep["law"]
    keep["law"] = replace(law, plant_rows=tuple(row for row in law.plant_rows if row.key != "review.block"))
    said = close_review(world.plant(), review.id, "upheld", "It stands.", date(2026, 12, 1), **keep)
    assert (said.code, review.outcome) == ("no_review_block", "")
