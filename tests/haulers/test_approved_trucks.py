"""An approval's trucks: those on the list at the vote, and those granted by letter since (§ 329-7 A, B(2))."""

from typing import Any

import pytest

from haulers.actions.amendments import stands
from haulers.actions.trucks import add_truck, change_truck
from haulers.models import Approval, TruckOfBusiness
from haulers.queries import TruckLine, business, covered, trucks_of
from haulers.queries.approved_trucks import approved_trucks, truck_covered
from haulers.queries.motion_lines import AmendLine
from office.access import Actor, Role, system
from office.acts import act
from office.db import db
from office.letters import Letter
from tests import world
from tests.haulers.builders import acting, approved, hauler, issue
from tests.haulers.company import post, read, signed_in
from tests.haulers.test_amendments import ASKED_AT, CABINS, ask, decide, revoke
from tests.haulers.test_issue_changes import vote, vote_back

OWN = "WI 1234, 1,500 gallons"


@pytest.fixture
def approval(app: Any) -> Approval:
    return approved(hauler())


def add(approval: Approval, plate: str = "WI 9", tank: int = 3000) -> Any:
    owner: Any = business(approval.business_id)
    return add_truck(owner, TruckLine(plate, tank), by=acting(owner), at=world.at(ASKED_AT))


def words(approval: Approval) -> list[str]:
    return [one.words for one in approved_trucks(approval)]


def lacks(approval: Approval, truck: Any) -> str | None:
    refusal = truck_covered(approval, truck, world.law())
    return refusal.code if refusal else None


def test_a_truck_added_since_is_listed_and_not_approved(approval: Approval) -> None:
    truck = add(approval)
    assert [one.plate for one in trucks_of(approval.business_id)] == ["WI 1234", "WI 9"]
    assert (words(approval), lacks(approval, truck)) == ([OWN], "truck_not_approved")


def test_a_truck_listed_already_is_asked_for_and_granted_by_letter(approval: Approval) -> None:
    truck = add(approval)
    asked = ask(approval, "truck", {"plate": "wi-9", "capacity": 3000})
    assert asked.old["trucks"] == [OWN]
    motion = vote(AmendLine(asked.id, True))
    assert lacks(approval, truck) == "truck_not_approved"
    issue(motion, at="2026-12-17T09:00")
    assert (lacks(approval, truck), words(approval)) == (None, [OWN, "WI-9, 3,000 gallons"])
    letter = db.session.get_one(Letter, asked.letter_id)
    old, now = letter.data["old"], letter.data["now"]
    assert old.endswith(f"septic tank waste, trucks {OWN}")
    assert now.endswith(f"septic tank waste, trucks {OWN}; WI-9, 3,000 gallons")
    assert [one.plate for one in trucks_of(approval.business_id)] == ["WI 1234", "WI 9"]


def test_a_refused_truck_stays_out(approval: Approval) -> None:
    truck = add(approval)
    decide(AmendLine(ask(approval, "truck", {"plate": "WI 9", "capacity": 3000}).id, False, reason="Too large."))
    assert (lacks(approval, truck), words(approval)) == ("truck_not_approved", [OWN])


def test_a_larger_tank_is_granted_to_the_truck_itself(approval: Approval) -> None:
    asked = ask(approval, "truck", {"plate": "WI 1234", "capacity": 1800})
    decide(AmendLine(asked.id, True))
    truck = trucks_of(approval.business_id)[0]
    assert (truck.capacity, words(approval)) == (1800, ["WI 1234, 1,800 gallons"])


def test_a_shared_truck_keeps_its_tank_for_the_other_hauler(approval: Approval) -> None:
    other = hauler("Second", "second@hauler.example", trucks=())
    mine = trucks_of(approval.business_id)[0]
    add_truck(other, TruckLine("WI 1234", 1500), by=acting(other), at=world.at(ASKED_AT))
    decide(AmendLine(ask(approval, "truck", {"plate": "WI 1234", "capacity": 1800}).id, True))
    assert ([one.capacity for one in trucks_of(approval.business_id)], mine.capacity) == ([1800], 1500)
    assert [one.id for one in trucks_of(other.id)] == [mine.id]


def test_an_approval_given_back_has_the_trucks_and_waste_the_old_one_had(approval: Approval) -> None:
    decide(AmendLine(ask(approval, "truck", {"plate": "WI 9", "capacity": 3000}).id, True))
    decide(AmendLine(ask(approval, "source", CABINS).id, True))
    add(approval, "WI 77")
    revoke(approval)
    issue(vote_back(approval), at="2026-12-20T09:00")
    new = db.session.query(Approval).filter_by(replaces_id=approval.id).one()
    assert words(new) == [OWN, "WI 9, 3,000 gallons"]
    assert covered(new) == ("septic_tank", "holding_tank")


@act("test_older", roles=(Role.SYSTEM,))
def _older(approval: Approval, *, by: Actor, at: Any) -> Approval:
    """As the upgrade leaves what was there before it."""
    approval.trucks = None
    for listing in db.session.query(TruckOfBusiness).filter_by(business_id=approval.business_id):
        listing.since = None
    return approval


def test_an_approval_of_before_covers_what_was_listed_at_the_upgrade_and_nothing_added_since(
    approval: Approval,
) -> None:
    _older(approval, by=system(), at=world.at(ASKED_AT))
    truck = add(approval)
    assert (words(approval), lacks(approval, truck)) == ([OWN], "truck_not_approved")
    owner: Any = business(approval.business_id)
    mine = trucks_of(owner.id)[0]
    assert change_truck(owner, mine.id, TruckLine("WI 5", 1500), by=acting(owner), at=world.at(ASKED_AT)).code == (
        "approved")  # fmt: skip
    assert lacks(approval, mine) is None


def test_a_hauler_without_an_approval_edits_freely(app: Any) -> None:
    owner = hauler()
    mine = trucks_of(owner.id)[0]
    changed = change_truck(owner, mine.id, TruckLine("WI 5", 9000), by=acting(owner), at=world.at("2026-08-05T09:00"))
    assert (changed.plate, changed.capacity) == ("WI 5", 9000)


def test_the_pages_name_the_approved_trucks_and_lead_to_the_committee(app: Any, clock_at: Any,
                                                                      approval: Approval) -> None:  # fmt: skip
    add(approval)
    db.session.commit()
    clock_at(ASKED_AT)
    client = signed_in(app)
    page = read(client, "/hauler/approval")
    assert (f"trucks {OWN}" in page, "WI 9" in page) == (True, False)
    page = read(client, "/hauler/trucks")
    assert page.count('Not a truck of <span class="text-nowrap">A-2026-27-001</span>') == 1
    link = f"/hauler/approval/{approval.id}/ask/truck?plate=WI+9&amp;capacity=3000"
    assert link in page
    form = read(client, link.replace("&amp;", "&"))
    assert ('value="WI 9"' in form, 'value="3,000"' in form) == (True, True)
    done = post(client, f"/hauler/approval/{approval.id}/ask/truck", plate="WI 9", capacity="3,000", words="Bought.")
    assert done.location == "/bayfield/hauler/approval"
    post(client, "/hauler/trucks", plate="WI 8", capacity="900")
    told = "Truck WI 8 is on your list. Under A-2026-27-001 it may unload once the committee has granted it."
    assert told in read(client, "/hauler/trucks")
    mine = trucks_of(approval.business_id)[0]
    refused = post(client, f"/hauler/trucks/{mine.id}", plate="WI 1234", capacity="1,600").get_data(as_text=True)
    assert "Approval A-2026-27-001 is for truck WI 1234 with 1,500 gallons" in refused
    assert stands(approval)["trucks"] == [OWN]
