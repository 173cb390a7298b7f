"""What the plant can take holds for amendments and approvals given back as it does for decisions (§ 329-7 B(2), G)."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from haulers.actions.amendments import decide_amendments
from haulers.actions.minutes import minutes
from haulers.actions.motion_words import ACCEPTED
from haulers.actions.reinstatement import reinstate_approval
from haulers.models import Approval, Motion
from haulers.queries import SourceLine, recorded
from haulers.queries.motion_lines import AmendLine
from haulers.states import Ballot
from office.db import db
from office.letters import Letter
from ordinances.refusal import Refusal
from tests import world
from tests.haulers import test_amendments as asking
from tests.haulers.builders import approve, approved, filed, hauler, issued, roll
from tests.haulers.builders import decide as settle

FITS = 209790
NEARLY_ALL = SourceLine("septic_tank", "The county", "planning", "Daily", 1998, FITS - 12000, 0)


@pytest.fixture
def approval(app: Any) -> Approval:
    """12,000 winter gallons beside another hauler's, together exactly what the plant can take."""
    approved(hauler("Second Septic", "second@hauler.example"), NEARLY_ALL)
    return approved(hauler())


def decide(line: AmendLine, over: bool = False, ballots: tuple[Ballot, ...] = ()) -> Any:
    when = world.at(asking.DECIDED_AT)
    return issued(decide_amendments(world.plant(), roll(*ballots, held_on=asking.MET), [line], over,
                                    by=world.staff("clerk"), at=when, law=world.law(when.date())),
                  asking.DECIDED_AT)  # fmt: skip


def reinstate(approval: Approval, over: bool = False, ballots: tuple[Ballot, ...] = ()) -> Any:
    when = world.at(asking.DECIDED_AT)
    return issued(reinstate_approval(world.plant(), approval.id, roll(*ballots, held_on=asking.MET), "They mended it.",
                                     date(2026, 12, 20), over, by=world.staff("clerk"), at=when,
                                     law=world.law(when.date())), asking.DECIDED_AT)  # fmt: skip


def said(motion: Motion) -> list[str]:
    found = recorded(world.plant().id, motion.id)
    assert found is not None
    return minutes(found, world.law(asking.MET))[2:]


def test_a_gallon_more_than_fits_is_granted_only_when_the_committee_accepts_it(approval: Approval) -> None:
    asked = asking.ask(approval, winter=1, rest=500)
    refusal = decide(AmendLine(asked.id, True, 1, 500))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.details, asked.state) == ("over_capacity", {"winter": 1, "rest": 0}, "asked")
    assert decide(AmendLine(asked.id, True, 1, 500), True).passed is True
    motion = db.session.get_one(Motion, asked.motion_id)
    assert said(motion) == [
        "A-2026-27-002, O'Brien & Søn Septic, L.L.C.: change granted, 1 gallon more in winter and 500 in the rest of "
        "the year.",
        ACCEPTED,
    ]  # fmt: skip


def test_a_change_that_adds_nothing_where_it_is_full_is_not_stopped(approval: Approval) -> None:
    first = asking.ask(approval, winter=1)
    decide(AmendLine(first.id, True, 1), True)
    second, third = asking.ask(approval, rest=700), asking.ask(approval, winter=700)
    assert decide(AmendLine(second.id, True, 0, 700)).passed is True
    assert decide(AmendLine(third.id, False, reason="The winter is full.")).passed is True


def test_a_lost_motion_on_a_change_says_what_it_was_about(approval: Approval) -> None:
    asked = asking.ask(approval, winter=50, rest=500)
    lost = decide(AmendLine(asked.id, True, 40, 500, "The winter is full"), False,
                  (Ballot.AYE, Ballot.NO, Ballot.ABSTAIN))  # fmt: skip
    assert said(lost) == [
        "Put to the vote: A-2026-27-002, O'Brien & Søn Septic, L.L.C.: grant more gallons (50 gallons more in winter "
        "and 500 in the rest of the year), 40 gallons in winter and 500 in the rest of the year more. The winter is "
        "full.",
    ]  # fmt: skip


def test_an_approval_given_back_counts_against_what_the_plant_can_take(approval: Approval) -> None:
    asking.revoke(approval)
    third = filed(hauler("Third Septic", "third@hauler.example"), replace(NEARLY_ALL, gallons_winter=1))
    made = settle([approve(third)], roll(held_on=date(2026, 12, 8)), "2026-12-09T09:00")
    assert made.passed is True
    refusal = reinstate(approval)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.details) == ("over_capacity", {"winter": 1, "rest": 0})
    motion = reinstate(approval, True)
    assert said(motion) == [
        "A-2026-27-002, O'Brien & Søn Septic, L.L.C.: give the approval back from December 20, 2026, 12,000 "
        "gallons in winter and 8,000 in the rest of the year. They mended it.",
        ACCEPTED,
    ]  # fmt: skip


def test_a_lost_motion_to_give_back_says_which_approval_it_was_about(approval: Approval) -> None:
    asking.revoke(approval)
    lost = reinstate(approval, False, (Ballot.AYE, Ballot.NO, Ballot.ABSTAIN))
    assert said(lost) == [
        "Put to the vote: A-2026-27-002, O'Brien & Søn Septic, L.L.C.: give the approval back from December 20, 2026, "
        "12,000 gallons in winter and 8,000 in the rest of the year. They mended it.",
    ]  # fmt: skip
    assert reinstate(approval).passed is True


def test_letters_of_changes_and_of_approvals_given_back_are_signed_by_the_clerk(approval: Approval) -> None:
    asked = asking.ask(approval, rest=5)
    decide(AmendLine(asked.id, True, 0, 5))
    asking.revoke(approval)
    reinstate(approval)
    letters = db.session.query(Letter).filter(Letter.kind.in_(("amendment", "reinstatement"))).order_by(Letter.id)
    assert [(one.kind, one.data["signature"]) for one in letters] == [
        (kind, ["Clerk of the City", "City clerk"]) for kind in ("amendment", "reinstatement")
    ]  # fmt: skip
