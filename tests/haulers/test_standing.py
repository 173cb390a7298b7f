"""Who may unload at an instant, and what a plant knows of whom."""

from datetime import date
from typing import Any

from haulers.actions import add_licence, add_truck, retire_truck
from haulers.queries import (
    TruckLine,
    allowance,
    approvals_in_force,
    businesses_at,
    find_businesses,
    folded,
    standing,
    trucks_of,
)
from tests import world
from tests.haulers.builders import OBRIEN, acting, approved, draft, filed, hauler


def at(business_id: int, text: str) -> Any:
    return standing(world.plant().id, business_id, world.at(text), world.law())


def test_an_approval_holds_from_its_first_to_its_last_second(app: Any) -> None:
    business = hauler()
    approval = approved(business)
    assert at(business.id, "2026-09-30T23:59:59").state == "not_begun"
    assert at(business.id, "2026-09-30T23:59:59").why == "Approval A-2026-27-001 begins October 1, 2026."
    assert at(business.id, "2026-10-01T00:00:00").approved is True
    assert at(business.id, "2027-09-30T23:59:59").approval.id == approval.id
    ended = at(business.id, "2027-10-01T00:00:00")
    assert (ended.state, ended.why) == ("not_approved", f"{OBRIEN} has no approval for season 2027-28.")
    assert (allowance(approval, True), allowance(approval, False)) == (12000, 8000)
    found = approvals_in_force(world.plant().id, world.at("2026-10-01T00:00:00"), world.law())
    assert [(one.id, party.name) for one, _, party in found] == [(approval.id, OBRIEN)]


def test_a_licence_ends_in_the_middle_of_an_approval_until_the_new_one_comes(app: Any) -> None:
    business = hauler()
    approved(business)
    assert at(business.id, "2027-06-30T23:59:59").licence_ok is True
    assert at(business.id, "2027-07-01T00:00:00").licence_ok is False
    add_licence(business, state="WI", number="4022", ends_on=date(2029, 6, 30), by=acting(business),
                at=world.at("2027-06-20T09:00"))  # fmt: skip
    assert at(business.id, "2027-07-01T00:00:00").licence_ok is True


def test_a_plant_knows_a_business_once_it_applied(app: Any) -> None:
    business = hauler()
    draft(business)
    assert businesses_at(world.plant().id) == []
    filed(business)
    assert [party.name for _, party in businesses_at(world.plant().id)] == [OBRIEN]


def test_search_finds_names_and_plates_however_they_are_typed(app: Any) -> None:
    filed(hauler())
    names = [[party.name for _, party in find_businesses(world.plant().id, typed)] for typed in
             ("obrien", "O'BRIEN & søn", "wi-1234", "1234", "nobody", " ")]  # fmt: skip
    assert names == [[OBRIEN], [OBRIEN], [OBRIEN], [OBRIEN], [], []]
    assert folded("Nuñez-Łukasik") == "nunezlukasik"


def test_trucks_are_added_once_and_retired(app: Any) -> None:
    business = hauler()
    when = world.at("2026-07-03T09:00")
    again = add_truck(business, TruckLine("wi1234", 900), by=acting(business), at=when)
    assert again.why == "A truck with plate WI1234 is on your list already."
    second: Any = add_truck(business, TruckLine("WI 99", 900), by=acting(business), at=when)
    stranger = hauler("Second Septic", "second@hauler.example")
    assert add_truck(business, TruckLine("X 1", 900), by=acting(stranger), at=when).code == "not_yours"
    assert retire_truck(stranger, second.id, by=acting(stranger), at=when).code == "not_yours"
    retire_truck(business, second.id, by=acting(business), at=when)
    assert [truck.plate for truck in trucks_of(business.id)] == ["WI 1234"]
