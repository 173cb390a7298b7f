"""Changes asked for after an approval, giving a revoked one back, and last season's carried over (§ 329-7 B(2), G)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions import DecisionLine, add_licence
from haulers.actions.amendments import ask_amendment, decide_amendments, withdraw_amendment
from haulers.actions.reinstatement import reinstate_approval
from haulers.actions.revocation import revoke_approval
from haulers.models import AllowanceLine, Amendment, Approval, Business, CarryOver, Motion
from haulers.queries import (
    allowance,
    allowances_of,
    approval_in_force,
    carried_until,
    covered,
    limits_of,
    listed,
    standing,
    taken_gallons,
    trucks_of,
)
from haulers.queries.motion_lines import AmendLine
from haulers.states import Ballot, MotionKind, Outcome
from office.access import Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers.builders import OUTSIDE, acting, approved, filed, hauler, issue, issued, record, roll

CABINS = {"waste": "holding_tank", "place": "Cabins", "area": "outside", "existing": False, "replaces_failed": False,
          "frequency": "Twice a summer"}  # fmt: skip
ASKED_AT, DECIDED_AT, MET = "2026-12-01T09:00", "2026-12-16T09:00", date(2026, 12, 15)
RULE, FACTS = "§ 329-7 F(4): Unloading within the hours", "Unloaded at night."


@pytest.fixture
def approval(app: Any) -> Approval:
    return approved(hauler())


def ask(approval: Approval, kind: str = "gallons", new: dict[str, Any] | None = None, winter: int = 0, rest: int = 0,
        words: str = "A new customer.", at: str = ASKED_AT) -> Any:  # fmt: skip
    when = world.at(at)
    return ask_amendment(world.plant(), approval.id, kind, words, new or {}, winter, rest, by=owner(approval), at=when,
                         law=world.law(when.date()))  # fmt: skip


def owner(approval: Approval) -> Any:
    return acting(db.session.get_one(Business, approval.business_id))


def decide(*lines: AmendLine, ballots: tuple[Ballot, ...] = (), held_on: date = MET) -> Any:
    when = world.at(DECIDED_AT)
    return issued(decide_amendments(world.plant(), roll(*ballots, held_on=held_on), lines, by=world.staff("clerk"),
                                    at=when, law=world.law(when.date())), DECIDED_AT)  # fmt: skip


def test_more_gallons_count_only_once_they_are_granted(approval: Approval) -> None:
    asked = ask(approval, winter=4000, rest=1000)
    assert isinstance(asked, Amendment), asked
    assert (asked.old["winter"], asked.old["rest"]) == (12000, 8000)
    assert allowance(approval, True) == 12000
    motion = decide(AmendLine(asked.id, True, 3000, 1000, "The winter is nearly full."))
    assert (motion.kind, motion.passed) == (MotionKind.AMEND.value, True)
    assert (allowance(approval, True), allowance(approval, False)) == (15000, 9000)
    assert (approval.gallons_winter, approval.gallons_rest) == (12000, 8000)
    assert allowances_of([approval]) == {approval.id: (15000, 9000)}
    assert taken_gallons(world.plant().id, "2026-27", world.at(DECIDED_AT)) == (15000, 9000)
    data = db.session.scalars(select(Letter).filter_by(kind="amendment")).one().data
    assert data["now"].startswith("15,000 gallons in winter and 9,000 in the rest of the year, septic tank waste, ")
    assert data["review"].startswith("You may ask for a review")
    notice = db.session.scalars(select(Notice).filter_by(kind="amendment", to_email="o'brien@hauler.example")).one()
    assert notice.subject == "The change of your approval A-2026-27-001 is granted"


def test_a_refused_change_leaves_the_approval_as_it_was_and_says_why(approval: Approval) -> None:
    asked = ask(approval, winter=4000)
    said = decide(AmendLine(asked.id, False))
    assert isinstance(said, Refusal)
    assert (said.code, said.why, said.details) == (
        "no_reason", "Enter why the change is refused.", {"amendment_id": asked.id})  # fmt: skip
    decide(AmendLine(asked.id, False, reason="The winter is full."))
    assert (asked.state, asked.reason, allowance(approval, True)) == ("refused", "The winter is full.", 12000)
    assert decide(AmendLine(asked.id, True, 1)).code == "decided_before"


def test_a_motion_that_ties_decides_nothing(approval: Approval) -> None:
    asked = ask(approval, winter=4000)
    motion = decide(AmendLine(asked.id, True, 4000), ballots=(Ballot.AYE, Ballot.NO, Ballot.ABSTAIN))
    assert (motion.passed, motion.lost, asked.state) == (False, "Tie: 1 aye, 1 no.", "asked")
    assert allowance(approval, True) == 12000


@pytest.mark.parametrize(
    ("line", "code"),
    [((True, 4001, 0, ""), "above_ask"), ((True, 0, 0, "None"), "nothing_granted"), ((True, 3999, 0, ""), "no_reason"),
     ((True, -1, 0, ""), "above_ask")],
)  # fmt: skip
def test_gallons_granted_fit_what_was_asked(approval: Approval, line: Any, code: str) -> None:
    asked = ask(approval, winter=4000)
    assert decide(AmendLine(asked.id, *line)).code == code
    assert asked.state == "asked"


def test_a_source_of_another_waste_is_covered_once_granted(approval: Approval) -> None:
    assert ask(approval, "source", {"waste": "grease_interceptor", "place": "Inn"}).code == "not_septage"
    bare = ask(approval, "source", {"waste": "holding_tank", "place": " "})
    assert (bare.code, bare.why, bare.cite) == (
        "source_lacks", "Enter the place, the service area, how often.", "§ 329-7 B(1)")  # fmt: skip
    asked = ask(approval, "source", CABINS)
    assert covered(approval) == ("septic_tank",)
    decide(AmendLine(asked.id, True))
    assert covered(approval) == ("septic_tank", "holding_tank")


def test_a_truck_is_on_the_list_once_granted(approval: Approval) -> None:
    assert ask(approval, "truck", {"plate": "WI 1234", "capacity": 1500}).code == "plate_listed"
    asked = ask(approval, "truck", {"plate": "WI 9", "capacity": 3000})
    assert [one.plate for one in trucks_of(approval.business_id)] == ["WI 1234"]
    decide(AmendLine(asked.id, True))
    assert [one.plate for one in trucks_of(approval.business_id)] == ["WI 1234", "WI 9"]


def test_only_the_own_hauler_asks_and_withdraws(approval: Approval) -> None:
    asked = ask(approval, winter=10)
    other = acting(hauler("Second", "second@hauler.example"))
    when = world.at(ASKED_AT)
    theirs = ask_amendment(world.plant(), approval.id, "gallons", "More", {}, 5, 0, by=other, at=when, law=world.law())
    assert isinstance(theirs, Refusal)
    assert theirs.code == "no_approval"
    assert withdraw_amendment(world.plant(), asked.id, by=other, at=when).code == "no_amendment"
    withdraw_amendment(world.plant(), asked.id, by=owner(approval), at=when)
    assert asked.state == "withdrawn"
    assert decide(AmendLine(asked.id, True, 10)).code == "decided_before"


def test_a_request_after_the_meeting_or_without_words_or_gallons_is_not_taken(approval: Approval) -> None:
    assert ask(approval, winter=10, words=" ").code == "no_words"
    assert ask(approval).code == "no_gallons"
    assert ask(approval, "horse").code == "no_kind"
    asked = ask(approval, winter=10)
    assert decide(AmendLine(asked.id, True, 10), held_on=date(2026, 11, 30)).code == "meeting_before"
    assert decide().code == "nothing_selected"


def revoke(approval: Approval, at: str = "2026-10-20T09:00") -> None:
    when = world.at(at)
    revoke_approval(world.plant(), approval.id, RULE, FACTS, by=world.staff("director"), at=when,
                    law=world.law(when.date()))  # fmt: skip


def reinstate(approval: Approval, starts: date = date(2026, 12, 20), reason: str = "They mended it.",
              ballots: tuple[Ballot, ...] = ()) -> Any:  # fmt: skip
    when = world.at(DECIDED_AT)
    return issued(reinstate_approval(world.plant(), approval.id, roll(*ballots, held_on=MET), reason, starts,
                                     by=world.staff("clerk"), at=when, law=world.law(when.date())),
                  DECIDED_AT)  # fmt: skip


@act("test_limit", roles=(Role.SYSTEM,))
def _limit(approval: Approval, *, by: Any, at: Any) -> bool:
    db.session.add(AllowanceLine(plant_id=approval.plant_id, approval_id=approval.id, waste="", period="day",
                                 gallons=2000, hard=True))  # fmt: skip
    return True


def test_a_revoked_approval_is_given_back_as_a_new_one_with_its_gallons_limits_and_changes(approval: Approval) -> None:
    _limit(approval, by=system(), at=world.at(ASKED_AT))
    asked = ask(approval, winter=4000, at="2026-10-10T09:00")
    decide(AmendLine(asked.id, True, 4000))
    revoke(approval)
    motion = reinstate(approval)
    assert isinstance(motion, Motion), motion
    new = db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one()
    assert (new.number, new.starts, new.ends, new.gallons_winter, new.gallons_rest) == (
        "A-2026-27-002", date(2026, 12, 20), date(2027, 9, 30), 16000, 8000)  # fmt: skip
    assert [(one.period, one.gallons, one.hard) for one in limits_of(new.id)] == [("day", 2000, True)]
    states = [standing(world.plant().id, approval.business_id, world.at(at), world.law()).state.value
              for at in ("2026-12-19T23:59:59", "2026-12-20T00:00")]  # fmt: skip
    assert states == ["revoked", "approved"]
    shown = listed(world.plant().id, "2026-27", world.at(DECIDED_AT))
    assert [(one.approval.number, one.revoked_at) for one in shown] == [("A-2026-27-002", None)]
    assert taken_gallons(world.plant().id, "2026-27", world.at(DECIDED_AT)) == (16000, 8000)
    data = db.session.scalars(select(Letter).filter_by(kind="reinstatement")).one().data
    assert (data["old"], data["winter"], data["starts"]) == ("A-2026-27-001", "16,000", "Sunday, December 20, 2026")


def test_what_cannot_be_given_back(approval: Approval) -> None:
    assert reinstate(approval).code == "not_revoked"
    revoke(approval)
    assert reinstate(approval, reason=" ").code == "no_reason"
    assert reinstate(approval, date(2026, 12, 15)).code == "no_day"
    assert reinstate(approval, date(2027, 10, 1)).code == "no_day"
    lost = reinstate(approval, ballots=(Ballot.AYE, Ballot.NO, Ballot.ABSENT))
    assert lost.passed is False
    assert db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one_or_none() is None
    reinstate(approval)
    said = reinstate(approval)
    assert (said.code, said.why) == ("reinstated_before", "Approval A-2026-27-001 was given back as A-2026-27-002.")


@act("test_carry", roles=(Role.SYSTEM,))
def _carry(motion_id: int, *, by: Any, at: Any) -> bool:
    until = date(2027, 11, 15)
    db.session.add(CarryOver(plant_id=world.plant().id, motion_id=motion_id, season="2027-28", until=until))
    return True


def test_an_approval_carried_over_holds_to_its_last_day_for_a_hauler_without_a_new_letter(app: Any) -> None:
    first, second = approved(hauler()), approved(hauler("Second", "second@hauler.example"), OUTSIDE)
    motion = db.session.scalars(select(Motion)).first()
    assert motion is not None
    plant = world.plant().id
    assert standing(plant, first.business_id, world.at("2027-10-01T08:00"), world.law()).state == "not_approved"
    _carry(motion.id, by=system(), at=world.at("2027-10-02T09:00"))
    found = standing(plant, first.business_id, world.at("2027-11-15T23:59:59"), world.law())
    assert (found.state, found.approval) == ("approved", first)
    assert standing(plant, first.business_id, world.at("2027-11-16T00:00"), world.law()).state == "not_approved"
    assert carried_until([first.id, second.id]) == {first.id: date(2027, 11, 15), second.id: date(2027, 11, 15)}
    at = world.at("2027-10-05T09:00")
    assert set(db.session.scalars(approval_in_force(at, date(2027, 11, 15)))) == {first.id, second.id}
    assert set(db.session.scalars(approval_in_force(at, date(2027, 11, 16)))) == set()


def test_a_hauler_turned_down_by_letter_is_carried_over_no_longer(app: Any) -> None:
    business = hauler()
    old = approved(business)
    motion = db.session.scalars(select(Motion)).first()
    assert motion is not None
    _carry(motion.id, by=system(), at=world.at("2027-10-02T09:00"))
    by, when = acting(business), world.at("2027-08-12T10:00")
    add_licence(business, state="WI", number="9", ends_on=date(2029, 6, 30), by=by, at=when)
    new = filed(business, at="2027-08-12T10:30")
    line = DecisionLine(new.id, Outcome.REJECTED, 0, 0, "no_approval", "The plan was not kept.")
    made = record([line], roll(held_on=date(2027, 10, 4)), "2027-10-05T09:00")
    assert isinstance(made, Motion), made
    plant, at = world.plant().id, world.at("2027-10-05T10:00")
    assert standing(plant, business.id, at, world.law()).approval == old
    issue(made, at="2027-10-05T10:00")
    assert standing(plant, business.id, at, world.law()).state == "not_approved"
    assert list(db.session.scalars(approval_in_force(at, date(2027, 10, 6)))) == []
    assert carried_until([old.id]) == {}


def test_the_same_thing_is_asked_for_once_until_a_letter_answers(approval: Approval) -> None:
    first = ask(approval, winter=4000)
    again = ask(approval, winter=4000, at="2026-12-02T09:00")
    assert (again.code, again.why, again.next_step) == (
        "waits", "More gallons in winter are asked for on December 1, 2026, and no letter has answered it yet.",
        "Withdraw that request to ask for something else.")  # fmt: skip
    assert ask(approval, winter=100, rest=7).code == "waits"
    assert isinstance(ask(approval, rest=7), Amendment)
    truck, source = {"plate": "WI 9", "capacity": 3000}, CABINS | {"waste": "septic_tank"}
    for kind, new, other, said in (
        ("truck", truck, {"plate": "wi  9", "capacity": 1}, "Truck WI 9 is asked for on December 1, 2026,"),
        ("source", source, source | {"place": " cabins"}, "This source is asked for on December 1, 2026,"),
    ):
        assert isinstance(ask(approval, kind, new), Amendment)
        assert ask(approval, kind, other).why == f"{said} and no letter has answered it yet."
    assert isinstance(ask(approval, "truck", truck | {"plate": "WI 10"}), Amendment)
    assert isinstance(ask(approval, "source", source | {"place": "Inn"}), Amendment)
    # Voted on but not issued it still waits, as far as its hauler knows.
    when = world.at(DECIDED_AT)
    voted = decide_amendments(world.plant(), roll(held_on=MET), [AmendLine(first.id, True, 4000)],
                              by=world.staff("clerk"), at=when, law=world.law(when.date()))  # fmt: skip
    assert ask(approval, winter=100, at=DECIDED_AT).code == "waits"
    issued(voted, DECIDED_AT)
    assert isinstance(ask(approval, winter=100, at=DECIDED_AT), Amendment)


def test_a_request_withdrawn_may_be_made_anew(approval: Approval) -> None:
    first = ask(approval, winter=4000)
    withdraw_amendment(world.plant(), first.id, by=owner(approval), at=world.at(ASKED_AT))
    assert isinstance(ask(approval, winter=4000), Amendment)
