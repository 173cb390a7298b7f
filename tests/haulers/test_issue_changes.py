"""Changes and approvals given back wait for their letter as decisions do; nothing counts before (§ 329-7 B, G)."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from haulers.actions.amendments import decide_amendments, withdraw_amendment
from haulers.actions.minutes import minutes
from haulers.actions.reinstatement import reinstate_approval
from haulers.models import Amendment, Approval, Motion, Reinstatement
from haulers.queries import allowances_of, covered, recorded, standing, taken_gallons, trucks_of
from haulers.queries.motion_lines import AmendLine
from haulers.queries.unissued import letters_waiting, to_issue, waiting_changes
from office.db import db
from office.letters import Letter
from office.notices import Notice
from ordinances.refusal import Refusal
from tests import world
from tests.haulers import test_amendments as asking
from tests.haulers.builders import approved, hauler, issue, roll
from tests.haulers.test_decision_pages import no_review_text

ISSUED_AT = "2026-12-18T09:00"
AT = asking.DECIDED_AT
DAY = date(2026, 12, 18)


@pytest.fixture
def approval(app: Any) -> Approval:
    return approved(hauler())


def vote(*lines: AmendLine) -> Motion:
    made = decide_amendments(world.plant(), roll(held_on=asking.MET), lines, by=world.staff("clerk"), at=world.at(AT),
                             law=world.law(asking.MET))  # fmt: skip
    assert isinstance(made, Motion), made
    return made


def vote_back(approval: Approval, starts: date = date(2026, 12, 20)) -> Any:
    return reinstate_approval(world.plant(), approval.id, roll(held_on=asking.MET), "They mended it.", starts,
                              by=world.staff("clerk"), at=world.at(AT), law=world.law(asking.MET))  # fmt: skip


def plates(approval: Approval) -> list[str]:
    return [one.plate for one in trucks_of(approval.business_id)]


def told() -> list[str]:
    """Subjects of what the hauler was told about changes and approvals given back."""
    query = select(Notice.subject).where(Notice.party_id.is_not(None), Notice.kind.in_(("amendment", "reinstatement")))
    return list(db.session.scalars(query.order_by(Notice.id)))


def letters_of(kind: str) -> list[Letter]:
    return list(db.session.scalars(select(Letter).filter_by(kind=kind).order_by(Letter.id)))


def test_a_change_voted_on_counts_and_is_told_only_with_its_letter(approval: Approval) -> None:
    gallons = asking.ask(approval, winter=4000)
    source = asking.ask(approval, "source", asking.CABINS)
    truck = asking.ask(approval, "truck", {"plate": "WI 9", "capacity": 3000})
    motion = vote(AmendLine(gallons.id, True, 4000), AmendLine(source.id, True), AmendLine(truck.id, True))
    assert (allowances_of([approval])[approval.id], covered(approval), plates(approval)) == (
        (12000, 8000), ("septic_tank",), ["WI 1234"])  # fmt: skip
    assert (told(), letters_of("amendment")) == ([], [])
    assert taken_gallons(world.plant().id, "2026-27", world.at(AT)) == (16000, 8000)
    assert letters_waiting(world.plant().id, DAY) == 3
    made = issue(motion, [source.id], ISSUED_AT)
    assert [one.title for one in made] == ["Change of approval A-2026-27-001: granted"]
    assert (allowances_of([approval])[approval.id], covered(approval)) == (
        (12000, 8000), ("septic_tank", "holding_tank"))  # fmt: skip
    assert made[0].data["now"].startswith("12,000 gallons in winter and 8,000 in the rest of the year, septic tank and "
                                          "holding tank waste, trucks WI 1234")  # fmt: skip
    issue(motion, at=ISSUED_AT)
    assert (allowances_of([approval])[approval.id], plates(approval)) == ((16000, 8000), ["WI 1234", "WI 9"])
    last = letters_of("amendment")[-1].data
    assert last["now"] == ("16,000 gallons in winter and 8,000 in the rest of the year, septic tank and holding tank "
                           "waste, trucks WI 1234, 1,500 gallons; WI 9, 3,000 gallons")  # fmt: skip
    assert told() == ["The change of your approval A-2026-27-001 is granted"] * 3
    assert letters_waiting(world.plant().id, DAY) == 0
    assert issue(motion, at=ISSUED_AT).code == "nothing_to_issue"


def test_one_not_granted_whole_waits_for_the_text_on_review_rights(approval: Approval) -> None:
    first, second = asking.ask(approval, winter=4000), asking.ask(approval, rest=10)
    motion = vote(AmendLine(first.id, True, 3000, reason="Nearly full."), AmendLine(second.id, True, 0, 10))
    no_review_text()
    said = issue(motion, at=ISSUED_AT)
    assert isinstance(said, Refusal)
    assert (said.code, letters_of("amendment")) == ("no_review_block", [])
    [letter] = issue(motion, [second.id], ISSUED_AT)
    assert letter.data["review"] == ""
    assert [asked.id for asked, _ in waiting_changes(world.plant().id)] == [first.id]


def test_the_letter_says_what_part_was_granted(approval: Approval) -> None:
    asked = asking.ask(approval, winter=4000, rest=7)
    issue(vote(AmendLine(asked.id, True, 3000, 7, "Nearly full.")), at=ISSUED_AT)
    [letter] = letters_of("amendment")
    assert letter.data["given"] == "3,000 gallons more in winter and 7 in the rest"
    assert letter.data["signature"] == ["Clerk of the City", "City clerk"]


def test_a_hauler_may_withdraw_until_the_letter_and_the_minutes_keep_what_was_voted(approval: Approval) -> None:
    asked, other = asking.ask(approval, winter=4000), asking.ask(approval, rest=5)
    motion = vote(AmendLine(asked.id, True, 4000), AmendLine(other.id, False, reason="Not needed."))
    gone = withdraw_amendment(world.plant(), asked.id, by=asking.owner(approval), at=world.at(ISSUED_AT))
    assert isinstance(gone, Amendment)
    assert (gone.state, gone.granted_winter, letters_waiting(world.plant().id, DAY)) == ("withdrawn", 0, 1)
    assert taken_gallons(world.plant().id, "2026-27", world.at(ISSUED_AT)) == (12000, 8000)
    found = recorded(world.plant().id, motion.id)
    assert found is not None
    name = "O'Brien & Søn Septic, L.L.C."
    assert minutes(found, world.law(DAY))[2:] == [
        f"A-2026-27-001, {name}: grant more gallons (4,000 gallons more in winter and 0 in the rest of the year), "
        "4,000 gallons in winter and 0 in the rest of the year more. The hauler withdrew the request before the "
        "letter was issued.",
        f"A-2026-27-001, {name}: change not granted. Not needed.",
    ]  # fmt: skip
    issue(motion, at=ISSUED_AT)
    said = withdraw_amendment(world.plant(), other.id, by=asking.owner(approval), at=world.at(ISSUED_AT))
    assert isinstance(said, Refusal)
    assert said.code == "decided_before"


def test_the_letter_on_a_revoked_approval_says_so(approval: Approval) -> None:
    asked = asking.ask(approval, winter=4000, at="2026-10-10T09:00")
    motion = vote(AmendLine(asked.id, True, 4000))
    asking.revoke(approval, "2026-12-17T09:00")
    [letter] = issue(motion, at=ISSUED_AT)
    assert letter.data["now"] == "revoked on December 17, 2026"


def test_an_approval_voted_back_is_made_with_its_letter(approval: Approval) -> None:
    asking.revoke(approval)
    motion = vote_back(approval)
    assert db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).all() == []
    assert (told(), letters_of("reinstatement")) == ([], [])
    assert taken_gallons(world.plant().id, "2026-27", world.at(AT)) == (12000, 8000)
    [group] = to_issue(world.plant().id, DAY)
    assert [(row.name, row.words, row.winter, row.rest) for row in group.rows] == [
        ("O'Brien & Søn Septic, L.L.C.", "A-2026-27-001 given back", 12000, 8000)]  # fmt: skip
    again = vote_back(approval)
    assert (again.code, again.why) == ("voted_before", "The committee has voted to give approval A-2026-27-001 back.")
    [letter] = issue(motion, at=ISSUED_AT)
    new = db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one()
    assert (new.number, new.starts, letter.data["approval"]) == ("A-2026-27-002", date(2026, 12, 20), new.number)
    assert letter.data["again"] == "book again"
    assert told() == ["You are approved again to unload septage from December 20, 2026"]
    assert letters_waiting(world.plant().id, DAY) == 0


def test_a_letter_issued_after_the_day_voted_gives_it_back_from_its_own_day(approval: Approval) -> None:
    asking.revoke(approval)
    motion = vote_back(approval, date(2026, 12, 17))
    issue(motion, at=ISSUED_AT)
    new = db.session.scalars(select(Approval).filter_by(replaces_id=approval.id)).one()
    assert new.starts == DAY
    states = [standing(world.plant().id, approval.business_id, world.at(at), world.law()).state.value
              for at in ("2026-12-17T23:59:59", "2026-12-18T00:00")]  # fmt: skip
    assert states == ["revoked", "approved"]


def test_what_would_be_over_waits_no_longer(approval: Approval) -> None:
    asking.revoke(approval)
    motion = vote_back(approval)
    assert letters_waiting(world.plant().id, date(2027, 9, 30)) == 1
    assert letters_waiting(world.plant().id, date(2027, 10, 1)) == 0
    assert issue(motion, at="2027-10-01T09:00").code == "nothing_to_issue"
    assert db.session.scalars(select(Reinstatement.letter_id)).one() is None


def test_an_approval_is_not_given_back_while_the_letter_of_its_change_waits(approval: Approval) -> None:
    asked = asking.ask(approval, winter=4000, at="2026-10-10T09:00")
    motion = vote(AmendLine(asked.id, True, 4000))
    asking.revoke(approval, "2026-12-15T08:00")
    assert vote_back(approval).code == "change_waits"
    issue(motion, at=AT)
    assert vote_back(approval).passed is True
    assert db.session.scalars(select(Reinstatement.gallons_winter)).one() == 16000
