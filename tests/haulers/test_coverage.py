"""An approval covers the types of waste its application named, and no other (§ 329-7 A-B)."""

from typing import Any

from sqlalchemy import select

from haulers.models import Approval
from haulers.queries import covered, covered_of, waste_covered, waste_words
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, SOURCE, approved, hauler
from tests.haulers.test_letters import text_of
from tests.haulers.test_pages_hauler import signed_in, text


def test_an_approval_for_septic_tanks_covers_nothing_else_in_letter_plan_and_notice(app: Any) -> None:
    approval = approved(hauler(), SOURCE)
    assert covered(approval) == ("septic_tank",)
    where = "At Bayfield Wastewater Treatment Works, Monday to Friday"
    assert f"the season, septic tank waste only. {where}" in approval.plan[0]["text"]
    letter = text_of("approval")
    assert "It covers septic tank waste, as you applied for, and no other." in letter
    assert "holding tank" not in letter
    assert "portable toilet" not in letter
    assert "It covers septic tank waste." in db.session.scalars(select(Notice.body).filter_by(kind="decision")).one()


def test_two_sources_of_two_types_are_both_covered_in_the_usual_order(app: Any) -> None:
    approval = approved(hauler(), OUTSIDE, SOURCE, OUTSIDE)
    assert covered(approval) == ("septic_tank", "holding_tank")
    assert db.session.scalars(select(Letter).filter_by(kind="approval")).one().data["covers"] == (
        "septic tank and holding tank"
    )


def test_what_each_approval_covers_is_its_own(app: Any) -> None:
    first, second = approved(hauler(), SOURCE), approved(hauler("Second", "second@hauler.example"), OUTSIDE)
    assert covered_of([first.id, second.id]) == {first.id: ("septic_tank",), second.id: ("holding_tank",)}
    assert covered_of([]) == {}


def test_a_load_of_another_type_is_refused_with_its_section(app: Any) -> None:
    approval = approved(hauler(), SOURCE)
    assert waste_covered(approval, "septic_tank", world.law()) is None
    said = waste_covered(approval, "portable_toilet", world.law())
    assert isinstance(said, Refusal)
    assert (said.code, said.why, said.cite) == (
        "waste_not_covered", "Approval A-2026-27-001 covers septic tank waste only.",
        world.law().cite("approval.covers", approval.starts),
    )  # fmt: skip


def test_types_of_waste_read_as_a_list() -> None:
    three = ("portable_toilet", "holding_tank", "septic_tank")
    assert waste_words(three) == "septic tank, holding tank and portable toilet"
    assert (waste_words(()), waste_words(("holding_tank",))) == ("", "holding tank")


def test_the_hauler_and_the_director_see_what_an_approval_covers(app: Any, clock_at: Any) -> None:
    clock_at("2026-10-05T09:00")
    approved(hauler(), SOURCE)
    application = db.session.scalars(select(Approval.application_id)).one()
    page = text(signed_in(app).get(f"/bayfield/hauler/apply/sent/{application}"))
    assert "It covers septic tank waste, and no other." in page
    assert ">septic tank</td>" in text(signed_in(app, "director").get("/bayfield/director/approvals"))
