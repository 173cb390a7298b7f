"""A truck that came on the list after the approval is not booked before the committee has granted it (§ 329-7 A)."""

from typing import Any

import pytest

from haulers.actions.trucks import add_truck, change_truck, retire_truck
from haulers.queries import TruckLine, business, trucks_of
from intake.actions.booking import book_discharge
from intake.queries.offered import to_key
from intake.queries.terms import terms_of
from ordinances.refusal import Refusal
from tests import world
from tests.intake.gatehouse import good, kept
from tests.intake.plant import MORNING, TUESDAY, Hauler, grant_trucks, hauler, session
from tests.intake.test_booking_pages import address

WHY = "Truck T-9 is not one of the trucks of approval A-2026-27-001."
STEP = "Ask the committee for another truck, on the page Your approval."


@pytest.fixture
def who(app: Any, clock_at: Any) -> Hauler:
    clock_at("2026-10-05T16:00")
    return hauler()


def added(who: Hauler, plate: str = "T-9", tank: int = 2_000) -> Any:
    return good(kept(add_truck(business(who.business_id), TruckLine(plate, tank), by=who.by, at=MORNING)))


def booking(who: Hauler, truck_id: int) -> Any:
    made = book_discharge(world.plant(), who.business_id, truck_id, "septic_tank", 300,
                          [session("2026-10-06T07:00", 300)], by=who.by, at=MORNING,
                          law=world.law(TUESDAY))  # fmt: skip
    return kept(made)


def test_a_truck_added_after_the_approval_is_not_booked(who):
    truck = added(who)
    refused = booking(who, truck.id)
    assert (refused.code, refused.why, refused.cite, refused.next_step) == (
        "truck_not_approved", WHY, "§ 329-7 A", STEP)  # fmt: skip
    grant_trucks(who)
    assert not isinstance(booking(who, truck.id), Refusal)


def test_no_time_is_offered_to_a_truck_that_is_not_approved(who):
    truck = added(who)
    law = world.law(TUESDAY)
    terms = terms_of(world.plant().id, who.business_id, law, MORNING, "septic_tank", truck=truck)
    assert (terms.gallons_on(TUESDAY), terms.why_not(TUESDAY, 300)) == (0, WHY.rstrip("."))
    mine = terms_of(world.plant().id, who.business_id, law, MORNING, "septic_tank",
                    truck=trucks_of(who.business_id)[0])  # fmt: skip
    assert mine.why_not(TUESDAY, 300) == ""


def test_an_approved_truck_keeps_its_plate_and_its_tank_grows_by_vote_only(who):
    def change(plate: str, tank: int) -> Any:
        return kept(change_truck(business(who.business_id), who.truck_id, TruckLine(plate, tank), by=who.by,
                                 at=MORNING))  # fmt: skip

    for plate, tank in (("T-2", 5_000), ("T-1", 5_001)):
        refused = change(plate, tank)
        assert (refused.code, refused.why, refused.cite, refused.next_step) == (
            "approved", "Approval A-2026-27-001 is for truck T-1 with 5,000 gallons.", "§ 329-7 A", STEP)  # fmt: skip
    assert change("t 1", 4_900).capacity == 4_900
    assert not isinstance(booking(who, who.truck_id), Refusal)


@pytest.mark.parametrize(("tank", "why"), [
    (5_000, ""), (5_001, "Approval A-2026-27-001 has truck T-1 with 5,000 gallons; it is listed with 5,001."),
])  # fmt: skip
def test_a_truck_taken_off_and_listed_again_is_the_approved_one_if_its_tank_is_no_larger(who, tank, why):
    good(kept(retire_truck(business(who.business_id), who.truck_id, by=who.by, at=MORNING)))
    assert getattr(booking(who, added(who, "T-1", tank).id), "why", "") == why


@pytest.mark.parametrize("path", ["times", "check"])
def test_the_pages_say_at_once_that_the_truck_is_not_approved(app, who, path):
    key = to_key(session("2026-10-06T07:00", 300))
    truck = added(who)
    client = app.test_client()
    world.sign_in(client, who.email)
    page = client.get(address(path, truck=truck.id, gallons=300, waste="septic_tank", s=key)).get_data(as_text=True)
    assert ("<h1>This booking cannot be made</h1>" in page, WHY in page, STEP in page) == (True, True, True)
