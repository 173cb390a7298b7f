"""Letters to haulers of this room are one page, name whom they are to, and show the address in a window envelope."""

import io
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import select

from intake.reminders import record_overdue
from office.db import db
from office.letters import Letter, render
from tests import world
from tests.haulers.test_every_letter import check_window
from tests.intake import test_finding, test_sampling_plan, test_testing_rule
from tests.intake.gatehouse import good, log
from tests.intake.plant import Hauler, hauler

NAME = "Nguyễn Thị Hà & Søn Septic, L.L.C."


def finding(who: Hauler) -> None:
    good(test_finding.find(who, test_finding.REJECT, facts="Solvents were smelled at the hose on three mornings."))


def rule_of_tests(who: Hauler) -> None:
    good(test_testing_rule.rule(who))


def sampling_plan(who: Hauler) -> None:
    good(test_sampling_plan.approve(good(test_sampling_plan.propose(who)), note="Well thought out"))


def overdue_record(who: Hauler) -> None:
    good(log(who, at="2026-10-06T07:05"))
    for _, work in record_overdue(world.at("2026-10-09T09:00")):
        work()


KINDS = {"waste_finding": finding, "testing_rule": rule_of_tests, "sampling_plan": sampling_plan,
         "record_overdue": overdue_record}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_letter_is_one_page_to_its_hauler_in_the_envelopes_window(app: Any, clock_at: Any, kind: str) -> None:
    clock_at("2026-10-05T16:00" if kind in ("waste_finding", "testing_rule") else "2026-10-06T08:00")
    KINDS[kind](hauler(NAME))
    letter = db.session.scalars(select(Letter).filter_by(template=kind).order_by(Letter.id.desc())).first()
    assert letter is not None
    pages = PdfReader(io.BytesIO(render(letter.template, letter.data))).pages
    said = " ".join(pages[0].extract_text().split())
    assert (len(pages), NAME in said, f"No. {letter.number}" in said, "page 1 of 1" in said) == (1, True, True, True)
    check_window(letter)
